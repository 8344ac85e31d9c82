/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What became of reserved processors, on the terminal and as JSON. */
#ifndef MAUI_REPLAY_RESERVED_REPORT_H
#define MAUI_REPLAY_RESERVED_REPORT_H

#include "contribs/maui/replay/report/replay_sides.h"

#define ALL_SIDES SIZE_MAX

/* One of each name and kind. */
struct replay_reserved_list {
	const struct maui_replay_reserved **each; /* malloc'ed */
	size_t count;
};

/* Those of the first schedule, and then what else another has, or all of them. Out of memory the
 * command ends. */
struct replay_reserved_list replay_reserved_list(const struct replay_report *report, size_t side);

/* Of reserved, percent. */
double replay_reserved_part(const struct maui_replay_reserved *reserved, double part);

/* Nothing where nothing was reserved. */
void replay_print_reserved(const struct replay_side *side);
void replay_print_reserved_changes(const struct replay_report *report, size_t side);

/* NULL for a scheduler of the literature, and on a pool of processors. */
struct json_object *replay_reserved_json(const struct replay_side *side);
struct json_object *replay_reserved_changes_json(const struct replay_report *report, size_t side);

#endif
