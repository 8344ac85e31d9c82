/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures of a schedule as reports show them. */
#ifndef MAUI_REPLAY_FIGURES_H
#define MAUI_REPLAY_FIGURES_H

#include "common/replay/measures.h"

struct replay_figure {
	const char *name;  /* of --rank-by */
	const char *label; /* of a line */
	const char *head;  /* of a column; NULL: it has none where runs are lines */
	double (*value)(const struct maui_replay_measures *measures);
	int decimals;
	bool replayed;       /* means nothing of what was recorded */
	bool more_is_better; /* of two runs */
};

/* Ends with a name of NULL. */
extern const struct replay_figure replay_figures[];

/* NULL: there is none of this name. */
const struct replay_figure *replay_figure_find(const char *name);

#endif
