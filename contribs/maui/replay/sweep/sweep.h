/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui replay --sweep: one maui.cfg with all combinations of some parameters' values, and which of
 * them does best.
 */
#ifndef MAUI_REPLAY_SWEEP_H
#define MAUI_REPLAY_SWEEP_H

#include "contribs/maui/replay/report/replay_figures.h"
#include "contribs/maui/replay/report/replay_sides.h"

#define SWEEP_KEYS 8
#define SWEEP_RUNS 10000

/* KEY=V1,V2,...: a copy of the option, in pieces. */
struct sweep_axis {
	char *key; /* as maui.cfg has it, with its index: GRESWEIGHT[gpu] */
	const char **values;
	size_t count;
};

struct sweep {
	struct sweep_axis axis[SWEEP_KEYS];
	size_t count;
	const struct replay_figure *rank_by; /* NULL: the mean bounded slowdown */
	const char *array;                   /* --as-array: where single results go; NULL: no */
	const char *merge;                   /* --merge: where they are; NULL: no */
	uint32_t array_size;                 /* --array-size; 0: not given */
	uint32_t element, elements;          /* --element=I/N; N is 0: not given */
	char *const *command;                /* `replay` and what follows it, ends with NULL */
};

/* One combination, by the values of its axes; the last axis changes first. */
struct sweep_run {
	size_t number;
	struct maui_replay_measures measures;
};

/* What it is ranked by. */
const struct replay_figure *sweep_ranking(const struct sweep *sweep);

/* EXIT_OK, or says what is wrong with the option. */
int sweep_add(const struct cli *cli, struct sweep *sweep, const char *option);
int sweep_rank_by(const struct cli *cli, struct sweep *sweep, const char *name);
void sweep_clear(struct sweep *sweep);

/* ---- of what a sweep is made ---- */

/* The number of combinations. */
size_t sweep_runs(const struct sweep *sweep);

/* Whether a parameter, in some partition or in all, is one of the axes. */
bool sweep_sets(const struct sweep *sweep, const char *name);

/* The value of an axis in a combination. */
const char *sweep_value(const struct sweep *sweep, size_t number, size_t axis);

/* One combination. EXIT_OK, or says why not. */
int sweep_run_one(const struct replay_report *report, const struct sweep *sweep, size_t number,
		  struct sweep_run *ret_run);

/* Whether maui.cfg is right under each of so many combinations. EXIT_OK, or says why not: once,
 * before the first run, which may take long. */
int sweep_check(const struct replay_report *report, const struct sweep *sweep, size_t count);

/* What a report of a sweep says before its runs: members of maui.replay-sweep/1. */
struct json_object *sweep_head_json(const struct replay_report *report);

/* The member of its runs, without the rank. */
struct json_object *sweep_run_json(const struct sweep *sweep, const struct sweep_run *run);

/* Ranks the runs, which are put in order, and prints the report; takes the head over. Returns an
 * exit code. */
int sweep_tell(const struct cli *cli, const struct sweep *sweep, struct json_object *head,
	       struct sweep_run *runs, size_t count);

#endif
