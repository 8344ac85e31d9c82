/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/reservation/sr_plan.h"
#include "testsuite/unit/policy/reservation/reservation_fixture.h"

#define NOON INT64_C(1700049600) /* Wednesday 2023-11-15, 12:00 UTC */
#define HOUR INT64_C(3600)
#define DAY  (24 * HOUR)

/* Steps as "+x.20231115", '+' made, '=' kept, '~' other times, '-' deleted. */
static void print(const struct maui_sr *list, const struct maui_sr_existing *existing,
		  const struct maui_sr_plan *plan, char *text, size_t size)
{
	static const char marks[] = "+=~-";

	*text = '\0';
	for (size_t i = 0; i < plan->count; i++) {
		const struct maui_sr_step *step = &plan->steps[i];
		size_t length = strlen(text);
		char name[MAUI_SR_INSTANCE_SIZE];

		maui_sr_instance_name(step->sr == MAUI_SR_NO_INDEX ? "gone" : list[step->sr].name,
				      step->action == MAUI_SR_DELETE ? existing[step->existing].date
								     : step->window.date,
				      name);
		snprintf(text + length, size - length, "%s%c%s", length ? " " : "",
			 marks[step->action], name);
	}
}

static void expect_plan(const char *lines, const struct maui_sr_existing *existing, size_t count,
			int64_t now, const char *expected)
{
	struct reservations reservations;
	struct maui_sr_plan plan;
	const struct maui_sr *list;
	char text[1024];
	size_t size;

	set_zone("UTC");
	reservations_open(&reservations, lines);
	size = maui_sr_list(reservations.settings, &list);
	maui_sr_plan_make(list, size, existing, count, now, &plan);
	print(list, existing, &plan, text, sizeof(text));
	cr_expect_str_eq(text, expected, "%s: %s", lines, text);
	cr_expect_eq(plan.to_create + plan.to_keep + plan.to_retime + plan.to_delete, plan.count);
	maui_sr_plan_clear(&plan);
	reservations_close(&reservations);
}

#define DAILY "SRCFG[x] TASKCOUNT=1\n"

Test(sr_plan, start)
{
	expect_plan(DAILY, NULL, 0, NOON, "+x.20231115 +x.20231116");
	expect_plan("SRCFG[x] TASKCOUNT=1 DAYS=FRI DEPTH=4\n", NULL, 0, NOON, "+x.20231117");
	expect_plan("SRCFG[x] TASKCOUNT=1 PERIOD=WEEK\nSRCFG[y] TASKCOUNT=1 PERIOD=INFINITY\n",
		    NULL, 0, NOON, "+x.20231112 +y.inf +x.20231119");
	expect_plan("SRCFG[x] TASKCOUNT=1 ENDTIME=11:00:00\n", NULL, 0, NOON, "+x.20231116");
	expect_plan(
		"SRCFG[x] TASKCOUNT=1 DEPTH=1 STARTTIME=15:00:00\nSRCFG[y] TASKCOUNT=1 DEPTH=1\n",
		NULL, 0, NOON, "+y.20231115 +x.20231115");
	/* What can never be made is not made. */
	expect_plan("SRCFG[x] USERLIST=a\n", NULL, 0, NOON, "");
	expect_plan("", NULL, 0, NOON, "");
}

/* Those of other times, in between and with the same index. */
Test(sr_plan, each_has_its_own_windows)
{
	expect_plan("SRCFG[a] TASKCOUNT=1 DEPTH=2\nSRCFG[b] TASKCOUNT=1 DEPTH=2 DAYS=WED\n"
		    "SRCFG[c] TASKCOUNT=1 DEPTH=2\nSRCFG[d] TASKCOUNT=1 DEPTH=2 DAYS=THU\n"
		    "SRCFG[e] TASKCOUNT=1 DEPTH=2 ENDTIME=11:00:00\nSRCFG[f] TASKCOUNT=1 DEPTH=2 "
		    "PERIOD=WEEK\nSRCFG[g] TASKCOUNT=1 DEPTH=2\n",
		    NULL, 0, NOON,
		    "+a.20231115 +b.20231115 +c.20231115 +f.20231112 +g.20231115 +a.20231116 "
		    "+c.20231116 +d.20231116 +e.20231116 +g.20231116 +f.20231119");
}

/* An end that is the only difference, too. */
Test(sr_plan, until)
{
	struct maui_sr_existing one = {
		.sr = 0, .date = 0, .start = NOON - HOUR, .end = MAUI_SR_FOREVER};
	static const char ends[] = "SRCFG[x] TASKCOUNT=1 PERIOD=INFINITY UNTIL=2023-11-15\n";

	expect_plan("SRCFG[a] TASKCOUNT=1\nSRCFG[b] TASKCOUNT=1 UNTIL=2023-11-15\n"
		    "SRCFG[c] TASKCOUNT=1\nSRCFG[d] TASKCOUNT=1 UNTIL=2023-11-14\n",
		    NULL, 0, NOON, "+a.20231115 +b.20231115 +c.20231115 +a.20231116 +c.20231116");
	/* It ends earlier, unless jobs are in it, and goes when it is over. */
	expect_plan(ends, &one, 1, NOON, "~x.inf");
	one.in_use = true;
	expect_plan(ends, &one, 1, NOON, "=x.inf");
	one = (struct maui_sr_existing){.date = 0, .start = NOON, .end = NOON + 12 * HOUR};
	expect_plan(ends, &one, 1, NOON, "=x.inf");
	expect_plan(ends, &one, 1, NOON + 12 * HOUR, "-x.inf");
	/* A later end. */
	one.in_use = true;
	expect_plan("SRCFG[x] TASKCOUNT=1 PERIOD=INFINITY UNTIL=2023-11-16\n", &one, 1, NOON,
		    "~x.inf");
}

Test(sr_plan, roll)
{
	static const struct maui_sr_existing yesterdays[] = {
		{.sr = 0, .date = 20231114, .start = NOON - 36 * HOUR, .end = NOON - 12 * HOUR},
		{.sr = 0, .date = 20231115, .start = NOON - 12 * HOUR, .end = NOON + 12 * HOUR}};
	static const struct maui_sr_existing twice[] = {
		{.sr = 0, .date = 20231115, .start = NOON - HOUR, .end = NOON + 12 * HOUR},
		{.sr = 0, .date = 20231115, .start = NOON, .end = NOON + 12 * HOUR},
		{.sr = MAUI_SR_NO_INDEX, .date = 20231115, .start = NOON, .end = NOON + 12 * HOUR},
		{.sr = 7, .date = 20231115, .start = NOON, .end = NOON + 12 * HOUR}};

	expect_plan(DAILY, yesterdays, 2, NOON, "-x.20231114 =x.20231115 +x.20231116");
	expect_plan("SRCFG[x] USERLIST=a\n", yesterdays, 2, NOON, "-x.20231114 -x.20231115");
	expect_plan(DAILY, twice, 4, NOON,
		    "-x.20231115 -gone.20231115 -gone.20231115 =x.20231115 +x.20231116");
	/* With a smaller DEPTH distant days are deleted. */
	expect_plan("SRCFG[x] TASKCOUNT=1 DEPTH=1\n", yesterdays + 1, 1, NOON - DAY,
		    "-x.20231115 +x.20231114");
}

/* Other times in maui.cfg; the start of what has begun does not matter. */
Test(sr_plan, other_times)
{
	struct maui_sr_existing one = {
		.sr = 0, .date = 20231115, .start = NOON - HOUR, .end = NOON + 5 * HOUR};

	expect_plan("SRCFG[x] TASKCOUNT=1 DEPTH=1 STARTTIME=9:00:00 ENDTIME=17:00:00\n", &one, 1,
		    NOON, "=x.20231115");
	expect_plan("SRCFG[x] TASKCOUNT=1 DEPTH=1 STARTTIME=9:00:00 ENDTIME=16:00:00\n", &one, 1,
		    NOON, "~x.20231115");
	expect_plan("SRCFG[x] TASKCOUNT=1 DEPTH=1 STARTTIME=13:00:00 ENDTIME=17:00:00\n", &one, 1,
		    NOON, "~x.20231115");
	/* What begins in this second has begun. */
	expect_plan("SRCFG[x] TASKCOUNT=1 DEPTH=1 STARTTIME=12:00:00 ENDTIME=17:00:00\n", &one, 1,
		    NOON, "=x.20231115");
	one.start = NOON;
	expect_plan("SRCFG[x] TASKCOUNT=1 DEPTH=1 STARTTIME=9:00:00 ENDTIME=17:00:00\n", &one, 1,
		    NOON, "=x.20231115");
	/* In use: it may grow, but is not shortened. */
	one.in_use = true;
	expect_plan("SRCFG[x] TASKCOUNT=1 DEPTH=1 ENDTIME=16:00:00\n", &one, 1, NOON,
		    "=x.20231115");
	expect_plan("SRCFG[x] TASKCOUNT=1 DEPTH=1 ENDTIME=18:00:00\n", &one, 1, NOON,
		    "~x.20231115");
	expect_plan("SRCFG[x] TASKCOUNT=1 DEPTH=1 ENDTIME=11:00:00\n", &one, 1, NOON,
		    "=x.20231115");
	expect_plan("", &one, 1, NOON, "=gone.20231115");
	expect_plan("", &one, 1, NOON + 6 * HOUR, "-gone.20231115");
}

Test(sr_plan, beyond_midnight)
{
	static const struct maui_sr_existing night = {
		.sr = 0, .date = 20231114, .start = NOON - 16 * HOUR, .end = NOON + HOUR};
	static const char lines[] =
		"SRCFG[x] TASKCOUNT=1 DEPTH=1 STARTTIME=20:00:00 ENDTIME=1:13:00:00\n";

	expect_plan(lines, &night, 1, NOON, "=x.20231114 +x.20231115");
	expect_plan(lines, &night, 1, NOON + 2 * HOUR, "-x.20231114 +x.20231115");
	expect_plan(lines, NULL, 0, NOON, "+x.20231115");
}

Test(sr_plan, spent)
{
	static const struct maui_sr_existing spent = {.sr = 0, .date = 20231115, .spent = true};

	expect_plan(DAILY, &spent, 1, NOON, "+x.20231116");
	expect_plan("", &spent, 1, NOON, "");
}

static size_t carry_out(const struct maui_sr_plan *plan, const struct maui_sr_existing *before,
			struct maui_sr_existing *after)
{
	size_t count = 0;

	for (size_t i = 0; i < plan->count; i++) {
		const struct maui_sr_step *step = &plan->steps[i];

		if (step->action == MAUI_SR_DELETE)
			continue;
		if (step->action == MAUI_SR_KEEP)
			after[count++] = before[step->existing];
		else
			after[count++] = (struct maui_sr_existing){.sr = step->sr,
								   .date = step->window.date,
								   .start = step->window.from,
								   .end = step->window.end};
	}
	return count;
}

/* At any moment: the plan of a plan carried out changes nothing. */
Test(sr_plan, idempotent)
{
	static const char lines[] =
		"SRCFG[a] TASKCOUNT=1 STARTTIME=8:00:00 ENDTIME=1:06:00:00 DEPTH=5\n"
		"SRCFG[b] TASKCOUNT=1 PERIOD=WEEK STARTTIME=1:08:00:00 ENDTIME=5:17:00:00\n"
		"SRCFG[c] TASKCOUNT=1 PERIOD=INFINITY\nSRCFG[d] TASKCOUNT=1 DAYS=SAT,SUN DEPTH=9\n";
	static const char *const zones[] = {"Europe/Berlin", "America/Sao_Paulo",
					    "Australia/Lord_Howe"};
	struct maui_sr_existing existing[2][64];
	struct reservations reservations;
	const struct maui_sr *list;
	size_t count = 0, size;
	int64_t now = INT64_C(1711000000);

	reservations_open(&reservations, lines);
	size = maui_sr_list(reservations.settings, &list);
	for (size_t i = 0; i < 600; i++, now += 5471) {
		struct maui_sr_plan plan;

		set_zone(zones[i / 200]);
		maui_sr_plan_make(list, size, existing[0], count, now, &plan);
		count = carry_out(&plan, existing[0], existing[1]);
		cr_assert_leq(count, 64);
		maui_sr_plan_clear(&plan);
		memcpy(existing[0], existing[1], sizeof(existing[0]));
		maui_sr_plan_make(list, size, existing[0], count, now, &plan);
		cr_assert(plan.to_keep == count && plan.count == count, "at %lld", (long long)now);
		maui_sr_plan_clear(&plan);
	}
	reservations_close(&reservations);
}

Test(sr_plan, limit)
{
	enum { SIZE = 200 };
	static struct maui_sr list[SIZE];
	struct maui_sr_plan plan;

	set_zone("UTC");
	for (size_t i = 0; i < SIZE; i++)
		list[i] = (struct maui_sr){.name = "x", .usable = true, .days = 127, .depth = 64};
	maui_sr_plan_make(list, SIZE, NULL, 0, NOON, &plan);
	cr_expect_eq(plan.to_create, MAUI_SR_INSTANCES);
	cr_expect_eq(plan.left_out, SIZE * 64 - MAUI_SR_INSTANCES);
	/* The nearest ones are made: each reservation gets 45 of its days. */
	cr_expect_eq(plan.steps[plan.count - 1].index, 44);
	maui_sr_plan_clear(&plan);
}

/*
 * An administrative one has one window, its own name, and goes for good when it is no longer
 * wanted.
 */
Test(sr_plan, once)
{
	static const struct maui_sr once[] = {{.name = "maint.0",
					       .usable = true,
					       .period = MAUI_SR_ONCE,
					       .depth = 1,
					       .start = NOON + HOUR,
					       .end = NOON + 3 * HOUR}};
	const struct maui_sr_existing there = {
		.sr = 0, .start = NOON + HOUR, .end = NOON + 3 * HOUR, .once = true};
	const struct maui_sr_existing released = {.sr = MAUI_SR_NO_INDEX,
						  .start = NOON - HOUR,
						  .end = NOON + 3 * HOUR,
						  .in_use = true,
						  .once = true};
	static const struct {
		int64_t now;
		enum maui_sr_action action;
		int64_t from;
	} cases[] = {{NOON, MAUI_SR_KEEP, NOON + HOUR},
		     {NOON + 2 * HOUR, MAUI_SR_KEEP, NOON + 2 * HOUR},
		     {NOON + 3 * HOUR, MAUI_SR_DELETE, 0}};
	struct maui_sr_plan plan;

	set_zone("UTC");
	maui_sr_plan_make(once, 1, NULL, 0, NOON, &plan);
	cr_assert_eq(plan.count, 1);
	cr_expect_eq(plan.steps[0].action, MAUI_SR_CREATE);
	cr_expect(plan.steps[0].index == 0 && plan.steps[0].window.date == 0);
	cr_expect(plan.steps[0].window.from == NOON + HOUR &&
		  plan.steps[0].window.end == NOON + 3 * HOUR);
	maui_sr_plan_clear(&plan);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		maui_sr_plan_make(once, 1, &there, 1, cases[i].now, &plan);
		cr_assert_eq(plan.count, 1);
		cr_expect_eq(plan.steps[0].action, cases[i].action, "%zu", i);
		cr_expect_eq(plan.steps[0].window.from, cases[i].from, "%zu", i);
		maui_sr_plan_clear(&plan);
	}
	/* Jobs in it do not keep it. */
	maui_sr_plan_make(once, 0, &released, 1, NOON, &plan);
	cr_assert_eq(plan.count, 1);
	cr_expect_eq(plan.steps[0].action, MAUI_SR_DELETE);
	maui_sr_plan_clear(&plan);
}
