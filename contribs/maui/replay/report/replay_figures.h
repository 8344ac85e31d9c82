/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures of a schedule as reports show them. */
#ifndef MAUI_REPLAY_FIGURES_H
#define MAUI_REPLAY_FIGURES_H

#include "common/replay/figures/measures.h"

struct replay_figure {
	const char *name;  /* of --rank-by */
	const char *label; /* of a line */
	const char *head;  /* of a column; NULL: it has none where runs are lines */
	double (*value)(const struct maui_replay_measures *measures);
	int decimals;        /* REPLAY_SECONDS: it is a duration */
	bool replayed;       /* means nothing of what was recorded */
	bool more_is_better; /* of two runs */
};

#define REPLAY_SECONDS     (-1)
#define REPLAY_FIGURE_SIZE 40

/* A duration as sacct shows it: 13-14:00:07. Returns text. */
const char *replay_seconds_text(double seconds, char text[REPLAY_FIGURE_SIZE]);

/* A value of it: a duration, or 12.50. Returns text. */
const char *replay_figure_text(const struct replay_figure *figure, double value,
			       char text[REPLAY_FIGURE_SIZE]);

/* Ends with a name of NULL. */
extern const struct replay_figure replay_figures[];

/* NULL: there is none of this name. */
const struct replay_figure *replay_figure_find(const char *name);

#endif
