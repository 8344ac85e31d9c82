/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of figures from wait to never: labels, decimals, and a function
 * that reads struct maui_replay_measures.
 */
#include "contribs/maui/replay/report/replay_figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double replay_figures_wait(const struct maui_replay_measures *m)
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

static double replay_figures_slowdown(const struct maui_replay_measures *m)
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

static double replay_figures_flow(const struct maui_replay_measures *m)
{
	return m->flow;
}

static double replay_figures_utilisation(const struct maui_replay_measures *m)
{
	return m->utilisation * 100;
}

static double replay_figures_makespan(const struct maui_replay_measures *m)
{
	return (double)m->makespan;
}

static double replay_figures_backfilled(const struct maui_replay_measures *m)
{
	return m->jobs ? (double)m->backfilled / (double)m->jobs * 100 : 0;
}

static double replay_figures_never(const struct maui_replay_measures *m)
{
	return (double)m->never;
}

const struct replay_figure replay_figures[] = {
	{"wait", "wait, mean", "wait", replay_figures_wait, REPLAY_SECONDS, false, false},
	{"wait-median", "wait, median", NULL, wait_median, REPLAY_SECONDS, false, false},
	{"wait-p95", "wait, 95 % below", "95 %", wait_p95, REPLAY_SECONDS, false, false},
	{"wait-max", "wait, longest", NULL, wait_max, REPLAY_SECONDS, false, false},
	{"slowdown", "bounded slowdown, mean", "slowdown", replay_figures_slowdown, 4, false,
	 false},
	{"slowdown-median", "bounded slowdown, median", NULL, slowdown_median, 4, false, false},
	{"slowdown-p95", "bounded slowdown, 95 % below", "95 %", slowdown_p95, 4, false, false},
	{"slowdown-max", "bounded slowdown, largest", NULL, slowdown_max, 1, false, false},
	{"flow", "flow, mean", "flow", replay_figures_flow, REPLAY_SECONDS, false, false},
	{"utilisation", "utilisation, %", "in use, %", replay_figures_utilisation, 2, false, true},
	{"makespan", "first submission to last end", NULL, replay_figures_makespan, REPLAY_SECONDS,
	 false, false},
	{"backfilled", "began before one ahead, %", NULL, replay_figures_backfilled, 2, true,
	 false},
	{"never", "never began, jobs", "never began", replay_figures_never, 0, true, false},
	{0},
};

const char *replay_seconds_text(double seconds, char text[REPLAY_FIGURE_SIZE])
{
	long long all = llround(fmin(fabs(seconds), 1e15)), days = all / 86400;
	int size = snprintf(text, REPLAY_FIGURE_SIZE, seconds <= -0.5 ? "-" : "");

	if (days)
		size += snprintf(text + size, REPLAY_FIGURE_SIZE - (size_t)size, "%lld-", days);
	snprintf(text + size, REPLAY_FIGURE_SIZE - (size_t)size, "%02d:%02d:%02d",
		 (int)(all / 3600 % 24), (int)(all / 60 % 60), (int)(all % 60));
	return text;
}

const char *replay_figure_text(const struct replay_figure *figure, double value,
			       char text[REPLAY_FIGURE_SIZE])
{
	if (figure->decimals == REPLAY_SECONDS)
		return replay_seconds_text(value, text);
	snprintf(text, REPLAY_FIGURE_SIZE, "%.*f", figure->decimals, value);
	return text;
}

const struct replay_figure *replay_figure_find(const char *name)
{
	for (const struct replay_figure *figure = replay_figures; figure->name; figure++)
		if (!strcmp(figure->name, name))
			return figure;
	return NULL;
}
