/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The result of one combination, as an element of a job array writes it: maui.replay-sweep-run/1.
 * It says of which sweep it is: the program's version, its command and the files that were read.
 */
#ifndef MAUI_REPLAY_SWEEP_PIECE_H
#define MAUI_REPLAY_SWEEP_PIECE_H

#include "contribs/maui/replay/sweep/sweep.h"

#define SWEEP_PIECE_SUFFIX   ".json"
#define SWEEP_ELEMENT_OPTION "--element="

struct json_object *sweep_piece_json(const struct replay_report *report, const struct sweep *sweep,
				     const struct sweep_run *run);

/* One that has been read. */
struct sweep_piece {
	struct json_object *document; /* to be put */
	struct json_object *of;       /* the sweep; a part of it, as are */
	struct json_object *head;
	struct sweep_run run; /* its number may be any */
};

/* False: it is none; ret_why says why, and there is nothing to put. */
bool sweep_piece_read(const char *text, struct sweep_piece *ret_piece, const char **ret_why);

/* The parameters of its sweep, to be cleared in any case. False: they cannot be. */
bool sweep_piece_parameters(const struct sweep_piece *piece, const struct cli *cli,
			    struct sweep *ret_sweep);

#endif
