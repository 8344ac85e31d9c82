/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report of maui replay, as a table. */
#include "contribs/maui/replay/replay_sides.h"

#include <stdio.h>
#include <string.h>

#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/terminal.h"

#define NAME_SIZE 15

const char *const *replay_not_modelled(const struct replay_report *report)
{
	static const char *const list[] = {
		"SRCFG, NODECFG and NODEALLOCATIONPOLICY of maui.cfg",
		"UTILIZEDPS: jobs are charged what they hold",
		"the time that a pass takes, and the delay between an event and the next pass",
		"nodes: the machine is one pool of processors, without memory, features or GRES",
		"outages and reservations of the recorded time",
		"dependencies, holds, cancelled and requeued jobs, preemption",
		"users' answer to waiting: they submit when they did",
		NULL,
	};

	for (size_t i = 0; i < report->count; i++)
		if (report->side[i].policy)
			return list;
	return list + 3;
}

/* ---- the trace ---- */

void replay_print_trace(const struct replay_report *report)
{
	const struct maui_replay_trace *trace = report->trace;

	printf("%zu jobs of ", trace->count);
	print_clean(report->path);
	printf(" on %u processors%s\n", trace->procs,
	       report->perfect ? ", time limits as good as the run times" : "");
	for (int lack = 0; lack < MAUI_REPLAY_LACKS; lack++)
		if (trace->lacking[lack])
			printf("%zu jobs %s\n", trace->lacking[lack],
			       maui_replay_lack_text((enum maui_replay_lack)lack));
	if (trace->bad_lines)
		printf("%zu lines that cannot be read, left out\n", trace->bad_lines);
	putchar('\n');
}

/* ---- the record ---- */

static double percent(size_t part, size_t whole)
{
	return whole ? (double)part / (double)whole * 100 : 0;
}

/* How far today's file can be trusted, before anything is said of tomorrow's. */
static void print_nearness(const struct replay_side *side)
{
	const struct maui_replay_nearness *near = &side->near;

	if (!side->policy || !near->jobs)
		return;
	printf("%sagainst the record, ", mark(MARK_TITLE));
	print_clean(side->name);
	printf("%s\n", mark(MARK_END));
	printf("mean wait %.0f s, recorded %.0f s\n", near->replayed, near->recorded);
	printf("starts differ by %.0f s in the median, %.0f s in the mean\n", near->median,
	       near->difference);
	printf("%.1f %% of the jobs start within a minute of their recorded start, %.1f %% within "
	       "an hour\n\n",
	       percent(near->minute, near->jobs), percent(near->hour, near->jobs));
}

static void print_counts(const struct replay_side *side)
{
	print_clean(side->name);
	printf(": %zu jobs held back for a while by a limit, cap or QLIST", side->counts.held);
	if (side->counts.unknown)
		printf("; %zu of its users and groups are not in the trace", side->counts.unknown);
	putchar('\n');
}

/* ---- figures ---- */

static double mean_wait(const struct maui_replay_measures *m)
{
	return m->wait.mean;
}

static double median_wait(const struct maui_replay_measures *m)
{
	return m->wait.median;
}

static double p95_wait(const struct maui_replay_measures *m)
{
	return m->wait.p95;
}

static double max_wait(const struct maui_replay_measures *m)
{
	return m->wait.max;
}

static double mean_slowdown(const struct maui_replay_measures *m)
{
	return m->slowdown.mean;
}

static double median_slowdown(const struct maui_replay_measures *m)
{
	return m->slowdown.median;
}

static double p95_slowdown(const struct maui_replay_measures *m)
{
	return m->slowdown.p95;
}

static double max_slowdown(const struct maui_replay_measures *m)
{
	return m->slowdown.max;
}

static double mean_flow(const struct maui_replay_measures *m)
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
	return percent(m->backfilled, m->jobs);
}

static double never(const struct maui_replay_measures *m)
{
	return (double)m->never;
}

static const struct {
	const char *label;
	double (*value)(const struct maui_replay_measures *measures);
	int decimals;
	bool replayed; /* means nothing of what was recorded */
} figures[] = {
	{"wait, mean, s", mean_wait, 1, false},
	{"wait, median, s", median_wait, 0, false},
	{"wait, 95 % below, s", p95_wait, 0, false},
	{"wait, longest, s", max_wait, 0, false},
	{"bounded slowdown, mean", mean_slowdown, 4, false},
	{"bounded slowdown, median", median_slowdown, 4, false},
	{"bounded slowdown, 95 % below", p95_slowdown, 4, false},
	{"bounded slowdown, largest", max_slowdown, 1, false},
	{"flow, mean, s", mean_flow, 3, false},
	{"utilisation, %", utilisation, 2, false},
	{"first submission to last end, s", makespan, 0, false},
	{"began before one ahead, %", backfilled, 2, true},
	{"never began, jobs", never, 0, true},
};

static void print_heads(const struct replay_report *report)
{
	printf("%-32s", "");
	if (report->recorded.jobs)
		printf("  %14s", "recorded");
	for (size_t i = 0; i < report->count; i++) {
		const char *slash = strrchr(report->side[i].name, '/');
		char name[NAME_SIZE];

		printf("  %14s",
		       clean_copy(slash ? slash + 1 : report->side[i].name, name, sizeof(name)));
	}
	putchar('\n');
}

static void print_figures(const struct replay_report *report)
{
	print_heads(report);
	for (size_t f = 0; f < sizeof(figures) / sizeof(figures[0]); f++) {
		printf("%-32s", figures[f].label);
		if (report->recorded.jobs && figures[f].replayed)
			printf("  %14s", "-");
		else if (report->recorded.jobs)
			printf("  %14.*f", figures[f].decimals,
			       figures[f].value(&report->recorded));
		for (size_t i = 0; i < report->count; i++)
			printf("  %14.*f", figures[f].decimals,
			       figures[f].value(&report->side[i].measures));
		putchar('\n');
	}
}

void replay_print(const struct replay_report *report)
{
	replay_print_trace(report);
	print_nearness(&report->side[0]);
	print_figures(report);
	putchar('\n');
	for (size_t i = 0; i < report->count; i++)
		if (report->side[i].policy)
			print_counts(&report->side[i]);
	for (const char *const *what = replay_not_modelled(report); *what; what++)
		printf("not included: %s\n", *what);
}
