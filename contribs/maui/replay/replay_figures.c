/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contribs/maui/replay/replay_figures.h"

#include <string.h>

static double wait(const struct maui_replay_measures *m)
{
	return m->wait.mean;
}

static double wait_median(const struct maui_replay_measures *m)
{
	return m->wait.median;
}

static double wait_p95(const struct maui_replay_measures *m)
{
	return m->wait.p95;
}

static double wait_max(const struct maui_replay_measures *m)
{
	return m->wait.max;
}

static double slowdown(const struct maui_replay_measures *m)
{
	return m->slowdown.mean;
}

static double slowdown_median(const struct maui_replay_measures *m)
{
	return m->slowdown.median;
}

static double slowdown_p95(const struct maui_replay_measures *m)
{
	return m->slowdown.p95;
}

static double slowdown_max(const struct maui_replay_measures *m)
{
	return m->slowdown.max;
}

static double flow(const struct maui_replay_measures *m)
{
	return m->flow;
}

static double utilisation(const struct maui_replay_measures *m)
{
	return m->utilisation * 100;
}

static double makespan(const struct maui_replay_measures *m)
{
	return (double)m->makespan;
}

static double backfilled(const struct maui_replay_measures *m)
{
	return m->jobs ? (double)m->backfilled / (double)m->jobs * 100 : 0;
}

static double never(const struct maui_replay_measures *m)
{
	return (double)m->never;
}

const struct replay_figure replay_figures[] = {
	{"wait", "wait, mean, s", "wait, s", wait, 1, false, false},
	{"wait-median", "wait, median, s", NULL, wait_median, 0, false, false},
	{"wait-p95", "wait, 95 % below, s", "95 %, s", wait_p95, 0, false, false},
	{"wait-max", "wait, longest, s", NULL, wait_max, 0, false, false},
	{"slowdown", "bounded slowdown, mean", "slowdown", slowdown, 4, false, false},
	{"slowdown-median", "bounded slowdown, median", NULL, slowdown_median, 4, false, false},
	{"slowdown-p95", "bounded slowdown, 95 % below", "95 %", slowdown_p95, 4, false, false},
	{"slowdown-max", "bounded slowdown, largest", NULL, slowdown_max, 1, false, false},
	{"flow", "flow, mean, s", "flow, s", flow, 3, false, false},
	{"utilisation", "utilisation, %", "in use, %", utilisation, 2, false, true},
	{"makespan", "first submission to last end, s", NULL, makespan, 0, false, false},
	{"backfilled", "began before one ahead, %", NULL, backfilled, 2, true, false},
	{"never", "never began, jobs", "never began", never, 0, true, false},
	{0},
};

const struct replay_figure *replay_figure_find(const char *name)
{
	for (const struct replay_figure *figure = replay_figures; figure->name; figure++)
		if (!strcmp(figure->name, name))
			return figure;
	return NULL;
}
