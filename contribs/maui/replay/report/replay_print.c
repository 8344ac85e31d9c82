/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report of maui replay, as a table. */
#include "contribs/maui/replay/report/replay_facts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/terminal.h"
#include "contribs/maui/replay/report/replay_figures.h"
#include "contribs/maui/replay/report/replay_jitter.h"
#include "contribs/maui/replay/report/replay_reserved.h"

#define NAME_SIZE 15
#define MOST      5 /* jobs that gain or lose, rules that hold */

/* ---- the trace ---- */

void replay_print_head(struct json_object *head)
{
	struct json_object *lacking = member_object(head, "lacking");
	int64_t nodes = member_integer(head, "nodes"), running = member_integer(head, "running");

	printf("%" PRId64 " jobs of ", member_integer(head, "jobs"));
	print_clean(member_text(head, "trace"));
	printf(" on ");
	if (nodes)
		printf("%" PRId64 " nodes with ", nodes);
	printf("%" PRId64 " processors%s\n", member_integer(head, "processors"),
	       member_flag(head, "perfect_estimates") ? ", time limits as good as the run times"
						      : "");
	if (running)
		printf("%" PRId64 " of them run already, until their time limits\n", running);
	for (int i = 0; i < MAUI_REPLAY_LACKS; i++) {
		enum maui_replay_lack lack = (enum maui_replay_lack)i;
		int64_t jobs = member_integer(lacking, maui_replay_lack_name(lack));

		if (jobs)
			printf("%" PRId64 " jobs %s\n", jobs, maui_replay_lack_text(lack));
	}
	if (member_integer(lacking, "bad_lines"))
		printf("%" PRId64 " lines that cannot be read, left out\n",
		       member_integer(lacking, "bad_lines"));
	putchar('\n');
}

void replay_print_not_modelled(struct json_object *head)
{
	struct json_object *list = member_array(head, "not_included");

	for (size_t i = 0; i < array_size(list); i++) {
		const char *what = json_object_get_string(json_object_array_get_idx(list, i));

		printf("not included: ");
		print_clean(what ? what : "");
		putchar('\n');
	}
}

/* ---- the record ---- */

static double replay_print_percent(size_t part, size_t whole)
{
	return whole ? (double)part / (double)whole * 100 : 0;
}

/* How far today's file can be trusted, before anything is said of tomorrow's. */
static void print_nearness(const struct replay_side *side)
{
	const struct maui_replay_nearness *near = &side->near;
	char first[REPLAY_FIGURE_SIZE], second[REPLAY_FIGURE_SIZE];

	if (!side->policy || !near->jobs)
		return;
	printf("%sagainst the record, ", mark(MARK_TITLE));
	print_clean(side->name);
	printf("%s\n", mark(MARK_END));
	printf("mean wait %s, recorded %s\n", replay_seconds_text(near->replayed, first),
	       replay_seconds_text(near->recorded, second));
	printf("starts differ by %s in the median, %s in the mean\n",
	       replay_seconds_text(near->median, first),
	       replay_seconds_text(near->difference, second));
	printf("%.1f %% of the jobs start within a minute of their recorded start, %.1f %% within "
	       "an hour\n\n",
	       replay_print_percent(near->minute, near->jobs),
	       replay_print_percent(near->hour, near->jobs));
}

static void print_counts(const struct replay_side *side)
{
	print_clean(side->name);
	printf(": %zu jobs held back for a while by a limit, cap or QLIST", side->counts.held);
	if (side->multifactor && side->counts.unknown_jobs)
		printf("; %zu have no association, and so neither fairshare nor limits",
		       side->counts.unknown_jobs);
	if (side->counts.usage_windows)
		printf("; fairshare begins with usage of %zu windows", side->counts.usage_windows);
	if (side->counts.unknown)
		printf("; %zu of its users and groups are not in the trace", side->counts.unknown);
	putchar('\n');
}

/* ---- who was held, and by which rule ---- */

static void print_held(const struct replay_side *side)
{
	const struct maui_replay_held *held = &side->schedule.held;

	for (size_t i = 0; i < held->count && i < MOST; i++) {
		const struct maui_replay_hold *hold = &held->holds[i];

		printf("  %9.1f h  %6zu jobs  %s of %s ", (double)hold->seconds / 3600, hold->jobs,
		       hold->rule, hold->holder_type);
		print_clean(hold->holder);
		if (hold->second_type) {
			printf(", %s ", hold->second_type);
			print_clean(hold->second);
		}
		putchar('\n');
	}
	if (held->count > MOST)
		printf("  and %zu more limits, caps or QLISTs\n", held->count - MOST);
}

/* ---- who gains and loses ---- */

static void print_changes(const struct replay_report *report, size_t side, const char *what,
			  const struct maui_replay_change *changes, size_t count)
{
	for (size_t i = 0; i < count && i < MOST; i++) {
		size_t job = changes[i].job;
		char id[MAUI_REPLAY_ID_SIZE], wait[REPLAY_FIGURE_SIZE], first[REPLAY_FIGURE_SIZE];

		printf("  %-6s  job %-9s  %6u processors  waits %11s, not %11s  ", what,
		       maui_replay_job_id(&report->trace->jobs[job], id),
		       report->trace->jobs[job].procs,
		       replay_seconds_text((double)replay_wait(report, side, job), wait),
		       replay_seconds_text((double)replay_wait(report, 0, job), first));
		print_clean(replay_user(report, job));
		putchar('\n');
	}
}

static void print_user_changes(const char *what, const struct maui_replay_grouping *users,
			       const struct maui_replay_group_change *changes, size_t count)
{
	for (size_t i = 0; i < count && i < MOST; i++) {
		const struct maui_replay_group_change *change = &changes[i];
		char first[REPLAY_FIGURE_SIZE], second[REPLAY_FIGURE_SIZE];
		double jobs = (double)change->jobs;

		printf("  %-6s  %13zu jobs  mean wait        %11s, not %11s  ", what, change->jobs,
		       replay_seconds_text((double)change->second / jobs, second),
		       replay_seconds_text((double)change->first / jobs, first));
		print_clean(users->names[change->group]);
		putchar('\n');
	}
}

static void print_users(const struct replay_report *report,
			const struct maui_replay_grouping *users, size_t side)
{
	struct maui_replay_group_changes changes;

	maui_replay_differ_by(report->trace, users, &report->side[0].schedule,
			      &report->side[side].schedule, &changes);
	print_user_changes("gains", users, changes.gains, changes.gain_count);
	print_user_changes("loses", users, changes.losses, changes.loss_count);
}

static void print_difference(const struct replay_report *report,
			     const struct maui_replay_grouping *users, size_t side)
{
	struct maui_replay_difference difference, *d = &difference;
	char mean[REPLAY_FIGURE_SIZE];

	maui_replay_differ(report->trace, &report->side[0].schedule, &report->side[side].schedule,
			   d);
	printf("%s", mark(MARK_TITLE));
	print_clean(report->side[side].name);
	printf(" instead of ");
	print_clean(report->side[0].name);
	printf("%s\n%zu jobs begin earlier, %zu later, %zu at the same time; on average %s %s\n",
	       mark(MARK_END), d->earlier, d->later, d->same,
	       replay_seconds_text(fabs(d->mean), mean), d->mean < 0 ? "earlier" : "later");
	if (d->only_first || d->only_second)
		printf("%zu jobs no longer begin at all, %zu do that did not\n", d->only_first,
		       d->only_second);
	print_changes(report, side, "gains", d->gains, d->gain_count);
	print_changes(report, side, "loses", d->losses, d->loss_count);
	print_users(report, users, side);
	replay_print_reserved_changes(report, side);
	putchar('\n');
}

static void print_differences(const struct replay_report *report)
{
	struct maui_replay_grouping users;

	if (report->count < 2)
		return;
	maui_replay_grouping_by(report->trace, MAUI_REPLAY_BY_USER, &users);
	for (size_t i = 1; i < report->count; i++)
		print_difference(report, &users, i);
	maui_replay_grouping_clear(&users);
}

/* ---- figures ---- */

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

/* Before any figure. */
static void print_same(const struct replay_report *report)
{
	for (size_t i = 1; i < report->count; i++) {
		if (!report->side[i].same_as)
			continue;
		printf("%s", mark(MARK_TITLE));
		print_clean(report->side[i].name);
		printf(" says the same as ");
		print_clean(report->side[i].same_as);
		printf("%s\n\n", mark(MARK_END));
	}
}

/* Before any figure. */
static void print_never(const struct replay_report *report)
{
	if (!report->compared)
		return;
	for (size_t i = 0; i < report->count; i++)
		if (report->side[i].measures.never) {
			printf("%s", mark(MARK_TITLE));
			print_clean(report->side[i].name);
			printf(": %zu jobs never begin%s\n", report->side[i].measures.never,
			       mark(MARK_END));
		}
	printf("waits, slowdowns and flow are of the %zu jobs that begin under %s\n\n",
	       report->side[0].measures.jobs, report->count > 1 ? "all" : "it");
}

static void print_figure(const struct replay_figure *figure,
			 const struct maui_replay_measures *measures)
{
	char text[REPLAY_FIGURE_SIZE];

	printf("  %14s", replay_figure_text(figure, figure->value(measures), text));
}

static void print_figures(const struct replay_report *report)
{
	print_heads(report);
	for (const struct replay_figure *figure = replay_figures; figure->name; figure++) {
		printf("%-32s", figure->label);
		if (report->recorded.jobs && figure->replayed)
			printf("  %14s", "-");
		else if (report->recorded.jobs)
			print_figure(figure, &report->recorded);
		for (size_t i = 0; i < report->count; i++)
			print_figure(figure, &report->side[i].measures);
		putchar('\n');
	}
}

void replay_print(const struct replay_report *report)
{
	struct json_object *head = replay_head_json(report);

	replay_print_head(head);
	print_nearness(&report->side[0]);
	print_same(report);
	print_never(report);
	print_figures(report);
	putchar('\n');
	jitter_print(report);
	print_differences(report);
	for (size_t i = 0; i < report->count; i++) {
		if (!report->side[i].policy)
			continue;
		print_counts(&report->side[i]);
		print_held(&report->side[i]);
		replay_print_reserved(&report->side[i]);
	}
	replay_not_modelled_json(report, head);
	replay_print_not_modelled(head);
	json_object_put(head);
}
