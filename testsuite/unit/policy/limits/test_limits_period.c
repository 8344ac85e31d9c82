/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of a period: when it is in force, and which values are. */
#include <stdlib.h>
#include <time.h>

#include "common/policy/limits/limit_period.h"
#include "common/util/time/calendar.h"
#include "testsuite/unit/policy/limits/limits_fixture.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define HOUR         INT64_C(3600)

static void set_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

/* YYYYMMDDHHMM by the clock. */
static int64_t at(int64_t when)
{
	return maui_clock_instant(maui_day_from_date(when / 10000),
				  when / 100 % 100 * HOUR + when % 100 * 60);
}

/* ---- when ---------------------------------------------------------------------------------- */

#define NIGHT "PERIODCFG[p] STARTTIME=20:00:00 ENDTIME=6:00:00"

/* Ordinary nights, year's end, days, weeks. 0: never. */
Test(limits_period, holds_by_the_clock)
{
	static const struct {
		const char *lines;
		int64_t now;
		bool holds;
		int64_t until;
	} cases[] = {
		{NIGHT, 202611271200, false, 202611272000},
		{NIGHT, 202611271959, false, 202611272000},
		{NIGHT, 202611272000, true, 202611280600},
		{NIGHT, 202611272359, true, 202611280600},
		{NIGHT, 202611280000, true, 202611280600},
		{NIGHT, 202611280559, true, 202611280600},
		{NIGHT, 202611280600, false, 202611282000},
		{NIGHT, 202612312300, true, 202701010600},
		{NIGHT, 202701010300, true, 202701010600},
		{NIGHT, 202402290100, true, 202402290600},
		/* ENDTIME may say that it is the next day's. */
		{"PERIODCFG[p] STARTTIME=20:00:00 ENDTIME=30:00:00", 202611280559, true,
		 202611280600},
		/* DAYS are those on which it begins: Friday's night ends on Saturday. */
		{NIGHT " DAYS=Fri", 202611272000, true, 202611280600},
		{NIGHT " DAYS=Fri", 202611280559, true, 202611280600},
		{NIGHT " DAYS=Fri", 202611282000, false, 202612042000},
		{NIGHT " DAYS=Sat", 202611280300, false, 202611282000},
		/* One day after the other is one period. */
		{"PERIODCFG[p] DAYS=Sat,Sun", 202611272359, false, 202611280000},
		{"PERIODCFG[p] DAYS=Sat,Sun", 202611280000, true, 202611300000},
		{"PERIODCFG[p] DAYS=Sat,Sun", 202611292359, true, 202611300000},
		{"PERIODCFG[p] DAYS=Sat,Sun", 202611300000, false, 202612050000},
		{"PERIODCFG[p] DAYS=Fri", 202611270000, true, 202611280000},
		{"PERIODCFG[p] DAYS=ALL", 202611270000, true, 0},
		{"PERIODCFG[p] STARTTIME=12:00:00 ENDTIME=36:00:00", 202611270000, true, 0},
		/* A week begins on Sunday: from Friday 18:00 to Monday 6:00. */
		{"PERIODCFG[p] PERIOD=WEEK STARTTIME=5:18:00:00 ENDTIME=1:06:00:00", 202611271759,
		 false, 202611271800},
		{"PERIODCFG[p] PERIOD=WEEK STARTTIME=5:18:00:00 ENDTIME=1:06:00:00", 202611271800,
		 true, 202611300600},
		{"PERIODCFG[p] PERIOD=WEEK STARTTIME=5:18:00:00 ENDTIME=1:06:00:00", 202611300559,
		 true, 202611300600},
		{"PERIODCFG[p] PERIOD=WEEK STARTTIME=5:18:00:00 ENDTIME=1:06:00:00", 202611300600,
		 false, 202612041800},
		/* Summer time: clocks go forward on 2026-03-29 at 2:00, back on 2026-10-25 at 3:00. */
		{NIGHT, 202603290100, true, 202603290600},
		{NIGHT, 202603290300, true, 202603290600},
		{NIGHT, 202610250100, true, 202610250600},
		{"PERIODCFG[p] STARTTIME=2:30:00 ENDTIME=4:00:00", 202603290100, false,
		 202603290300},
		{"PERIODCFG[p] STARTTIME=2:30:00 ENDTIME=4:00:00", 202603290300, true,
		 202603290400},
		{"PERIODCFG[p] STARTTIME=2:10:00 ENDTIME=2:50:00", 202603290100, false,
		 202603300210},
	};

	set_zone("Europe/Berlin");
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct maui_config *config = config_from(cases[i].lines);
		const struct maui_period *periods;
		int64_t until = 0, wanted = cases[i].until ? at(cases[i].until) : INT64_MAX;

		cr_assert_eq(maui_config_errors(config), 0, "%s", cases[i].lines);
		cr_assert_eq(maui_config_periods(config, &periods), 1);
		cr_expect_eq(limit_period_holds(periods, at(cases[i].now), &until), cases[i].holds,
			     "case %zu", i);
		cr_expect_eq(until, wanted, "case %zu: %lld, not %lld", i, (long long)until,
			     (long long)wanted);
		maui_config_unref(config);
	}
}

Test(limits_period, two_overlap_or_not)
{
	static const struct {
		const char *a, *b;
		bool overlap;
	} cases[] = {
		{"STARTTIME=20:00:00 ENDTIME=6:00:00", "STARTTIME=6:00:00 ENDTIME=20:00:00", false},
		{"STARTTIME=20:00:00 ENDTIME=6:00:00", "STARTTIME=5:59:59 ENDTIME=20:00:00", true},
		{"STARTTIME=20:00:00 ENDTIME=6:00:00", "DAYS=Sat,Sun", true},
		{"STARTTIME=8:00:00 ENDTIME=17:00:00 DAYS=Mon", "DAYS=Tue", false},
		/* Past midnight: into the next day, and into the next week. */
		{"STARTTIME=20:00:00 ENDTIME=6:00:00 DAYS=Mon", "DAYS=Tue", true},
		{"STARTTIME=20:00:00 ENDTIME=6:00:00 DAYS=Sat", "DAYS=Sun", true},
		{"STARTTIME=20:00:00 ENDTIME=6:00:00 DAYS=Sun", "DAYS=Sat", false},
		{"PERIOD=WEEK STARTTIME=5:20:00:00 ENDTIME=1:06:00:00", "DAYS=Sun", true},
		{"PERIOD=WEEK STARTTIME=5:20:00:00 ENDTIME=1:06:00:00", "DAYS=Mon", true},
		{"PERIOD=WEEK STARTTIME=5:20:00:00 ENDTIME=1:06:00:00", "DAYS=Tue,Wed,Thu", false},
		{"PERIOD=WEEK STARTTIME=1:08:00:00 ENDTIME=5:17:00:00",
		 "PERIOD=WEEK STARTTIME=5:17:00:00 ENDTIME=1:08:00:00", false},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct maui_period *periods;
		struct maui_config *config;
		char lines[300];

		snprintf(lines, sizeof(lines), "PERIODCFG[a] %s\nPERIODCFG[b] %s\n", cases[i].a,
			 cases[i].b);
		config = config_from(lines);
		cr_assert_eq(maui_config_periods(config, &periods), 2, "%s", lines);
		cr_assert(periods[0].defined && periods[1].defined, "%s", lines);
		cr_expect_eq(limit_periods_overlap(&periods[0], &periods[1]), cases[i].overlap,
			     "%s", lines);
		cr_expect_eq(limit_periods_overlap(&periods[1], &periods[0]), cases[i].overlap,
			     "%s", lines);
		maui_config_unref(config);
	}
}

/* An hour that comes twice: the period goes by the first, and lasts as long as clocks say. */
Test(limits_period, an_hour_that_comes_twice)
{
	struct maui_config *config = config_from("PERIODCFG[p] STARTTIME=2:30:00 ENDTIME=3:00:00");
	const struct maui_period *period;
	int64_t until = 0, first;

	set_zone("Europe/Berlin");
	first = at(202610250230);
	maui_config_periods(config, &period);
	cr_expect_not(limit_period_holds(period, first - 1, &until));
	cr_expect_eq(until, first);
	cr_expect(limit_period_holds(period, first, &until));
	cr_expect_eq(until, first + HOUR + HOUR / 2);
	cr_expect(limit_period_holds(period, first + HOUR, &until));
	cr_expect_not(limit_period_holds(period, first + HOUR + HOUR / 2, &until));
	maui_config_unref(config);
}

/* ---- which values -------------------------------------------------------------------------- */

/* "MAXJOB=2,4 MAXGRES[gpu,PERIOD:p]=20,20" */
static void list(const struct limits_fixture *fixture, unsigned int type, uint32_t id, char *text,
		 size_t size)
{
	struct maui_limit_entry entries[MAUI_LIMIT_ENTRIES];
	size_t count = maui_limits_list(fixture->limits, NULL, type, id, entries), used = 0;

	*text = '\0';
	for (size_t i = 0; i < count; i++) {
		char name[MAUI_LIMIT_NAME_SIZE];

		used += (size_t)snprintf(text + used, size - used, "%s%s=%lld,%lld", i ? " " : "",
					 maui_limit_entry_name(&entries[i], type, name),
					 (long long)entries[i].soft, (long long)entries[i].hard);
	}
}

#define PERIODS                                                                                    \
	"PERIODCFG[night] STARTTIME=20:00:00 ENDTIME=6:00:00\n"                                    \
	"PERIODCFG[evening] STARTTIME=18:00:00 ENDTIME=22:00:00\n"
#define USE "USERCFG[other] MAXPE[PERIOD:night]=1 MAXPE[PERIOD:evening]=1\n"

Test(limits_period, every_form_and_the_order_of_what_stands)
{
	static const struct {
		const char *lines, *noon, *evening, *both, *night;
		enum maui_credential type;
	} cases[] = {
		{"USERCFG[u] MAXJOB=4 MAXJOB[PERIOD:night]=8", "MAXJOB=4,4", "MAXJOB=4,4",
		 "MAXJOB[PERIOD:night]=8,8", "MAXJOB[PERIOD:night]=8,8", MAUI_USER},
		/* The order of lines is of no matter. */
		{"USERCFG[u] MAXJOB[PERIOD:night]=8 MAXJOB=4", "MAXJOB=4,4", "MAXJOB=4,4",
		 "MAXJOB[PERIOD:night]=8,8", "MAXJOB[PERIOD:night]=8,8", MAUI_USER},
		/* Only at night. */
		{"USERCFG[u] MAXPROC[PERIOD:night]=2,8", "", "", "MAXPROC[PERIOD:night]=2,8",
		 "MAXPROC[PERIOD:night]=2,8", MAUI_USER},
		/* Without a limit at night. */
		{"USERCFG[u] MAXPROC=8 MAXPROC[PERIOD:night]=-1", "MAXPROC=8,8", "MAXPROC=8,8", "",
		 "", MAUI_USER},
		/* 0 is not set. */
		{"USERCFG[u] MAXPROC=8 MAXPROC[PERIOD:night]=0", "MAXPROC=8,8", "MAXPROC=8,8",
		 "MAXPROC=8,8", "MAXPROC=8,8", MAUI_USER},
		/* Both: the strictest at each level. */
		{"USERCFG[u] MAXJOB[PERIOD:night]=2,9 MAXJOB[PERIOD:evening]=3,5", "",
		 "MAXJOB[PERIOD:evening]=3,5", "MAXJOB[PERIOD:evening]=2,5",
		 "MAXJOB[PERIOD:night]=2,9", MAUI_USER},
		{"USERCFG[u] MAXJOB[PERIOD:night]=-1 MAXJOB[PERIOD:evening]=5", "",
		 "MAXJOB[PERIOD:evening]=5,5", "MAXJOB[PERIOD:evening]=5,5", "", MAUI_USER},
		/* A holder's own value before DEFAULT's, whatever its period. */
		{"USERCFG[u] MAXJOB=4\nUSERCFG[DEFAULT] MAXJOB[PERIOD:night]=8", "MAXJOB=4,4",
		 "MAXJOB=4,4", "MAXJOB=4,4", "MAXJOB=4,4", MAUI_USER},
		{"USERCFG[u] MAXJOB[PERIOD:night]=4\nUSERCFG[DEFAULT] MAXJOB=8", "MAXJOB=8,8",
		 "MAXJOB=8,8", "MAXJOB[PERIOD:night]=4,4", "MAXJOB[PERIOD:night]=4,4", MAUI_USER},
		{"GROUPCFG[u] MAXIJOB=4 MAXIJOB[PERIOD:evening]=2", "MAXIJOB=4,4",
		 "MAXIJOB[PERIOD:evening]=2,2", "MAXIJOB[PERIOD:evening]=2,2", "MAXIJOB=4,4",
		 MAUI_GROUP},
		{"ACCOUNTCFG[u] MAXWC[PERIOD:night]=1:00:00 MAXMEM[PERIOD:night]=1G", "", "",
		 "MAXWC[PERIOD:night]=3600,3600 MAXMEM[PERIOD:night]=1024,1024",
		 "MAXWC[PERIOD:night]=3600,3600 MAXMEM[PERIOD:night]=1024,1024", MAUI_ACCOUNT},
		{"CLASSCFG[u] MAXPROCPERJOB[PERIOD:night]=64 MAX.WCLIMIT[PERIOD:night]=2:00:00", "",
		 "", "MAXPROCPERJOB[PERIOD:night]=64,64 MAX.WCLIMIT[PERIOD:night]=7200,7200",
		 "MAXPROCPERJOB[PERIOD:night]=64,64 MAX.WCLIMIT[PERIOD:night]=7200,7200",
		 MAUI_CLASS},
		{"QOSCFG[u] OMAXNODE=8 OMAXNODE[PERIOD:night]=-1 OMAXJPROC[PERIOD:night]=9",
		 "OMAXNODE=8,8", "OMAXNODE=8,8",
		 "OMAXNODE[PERIOD:night]=-1,-1 OMAXJPROC[PERIOD:night]=9,9",
		 "OMAXNODE[PERIOD:night]=-1,-1 OMAXJPROC[PERIOD:night]=9,9", MAUI_QOS},
		{"USERCFG[u] MAXGRES[gpu]=8 MAXGRES[gpu,PERIOD:night]=20", "MAXGRES[gpu]=8,8",
		 "MAXGRES[gpu]=8,8", "MAXGRES[gpu,PERIOD:night]=20,20",
		 "MAXGRES[gpu,PERIOD:night]=20,20", MAUI_USER},
		{"USERCFG[u] MAXGRESPERJOB[gpu,PERIOD:night]=2", "", "",
		 "MAXGRESPERJOB[gpu,PERIOD:night]=2,2", "MAXGRESPERJOB[gpu,PERIOD:night]=2,2",
		 MAUI_USER},
		{"QOSCFG[u] OMAXGRES[gpu,PERIOD:night]=2 OMAXJGRES[gpu]=3", "OMAXJGRES[gpu]=3,3",
		 "OMAXJGRES[gpu]=3,3", "OMAXGRES[gpu,PERIOD:night]=2,2 OMAXJGRES[gpu]=3,3",
		 "OMAXGRES[gpu,PERIOD:night]=2,2 OMAXJGRES[gpu]=3,3", MAUI_QOS},
	};

	set_zone("UTC");
	for (size_t i = 0; i < COUNT(cases); i++) {
		const int64_t times[] = {202611271200, 202611271900, 202611272100, 202611280300};
		const char *wanted[] = {cases[i].noon, cases[i].evening, cases[i].both,
					cases[i].night};

		for (size_t j = 0; j < COUNT(times); j++) {
			struct limits_fixture fixture;
			char lines[1024], text[1024];

			snprintf(lines, sizeof(lines), PERIODS USE "%s\n", cases[i].lines);
			limits_open_at(&fixture, lines, at(times[j]));
			list(&fixture, cases[i].type,
			     limits_fixture_id(&fixture, cases[i].type, "u"), text, sizeof(text));
			cr_expect_str_eq(text, wanted[j], "case %zu at %lld: '%s', not '%s'", i,
					 (long long)times[j], text, wanted[j]);
			limits_close(&fixture);
		}
	}
}

/* "MAXPROC[PERIOD:p] (p ends)": what is in force at other times alone, and what happens next. */
static void list_lifted(struct limits_fixture *fixture, unsigned int type, char *text, size_t size)
{
	struct maui_limit_entry entries[MAUI_LIMIT_ENTRIES];
	size_t count = maui_limits_list_lifted(fixture->limits, NULL, type,
					       limits_fixture_id(fixture, type, "u"), entries),
	       used = 0;

	*text = '\0';
	for (size_t i = 0; i < count; i++) {
		char name[MAUI_LIMIT_NAME_SIZE];

		cr_expect(entries[i].lifted && entries[i].hard == -1 && entries[i].soft == -1);
		used += (size_t)snprintf(text + used, size - used, "%s%s (%s %s)", i ? " " : "",
					 maui_limit_entry_name(&entries[i], type, name),
					 entries[i].next,
					 entries[i].next_begins ? "begins" : "ends");
	}
}

Test(limits_period, what_is_lifted_now_is_listed_with_what_happens_next)
{
	static const struct {
		const char *lines, *noon, *evening, *both, *night;
		enum maui_credential type;
	} cases[] = {
		{"USERCFG[u] MAXJOB=4", "", "", "", "", MAUI_USER},
		{"USERCFG[u] MAXJOB=4 MAXJOB[PERIOD:night]=8", "", "", "", "", MAUI_USER},
		{"USERCFG[u] MAXPROC[PERIOD:night]=8", "MAXPROC (night begins)",
		 "MAXPROC (night begins)", "", "", MAUI_USER},
		{"USERCFG[u] MAXPROC=8 MAXPROC[PERIOD:night]=-1", "", "",
		 "MAXPROC[PERIOD:night] (night ends)", "MAXPROC[PERIOD:night] (night ends)",
		 MAUI_USER},
		{"USERCFG[u] MAXJOB[PERIOD:night]=-1 MAXJOB[PERIOD:evening]=5",
		 "MAXJOB (evening begins)", "", "", "MAXJOB[PERIOD:night] (night ends)", MAUI_USER},
		/* DEFAULT's, and that of a GRES. */
		{"USERCFG[DEFAULT] MAXGRES[gpu,PERIOD:evening]=8", "MAXGRES[gpu] (evening begins)",
		 "", "", "MAXGRES[gpu] (evening begins)", MAUI_USER},
		{"QOSCFG[u] OMAXNODE[PERIOD:night]=9", "OMAXNODE (night begins)",
		 "OMAXNODE (night begins)", "", "", MAUI_QOS},
		{"CLASSCFG[u] MAXPROCPERJOB[PERIOD:night]=64", "MAXPROCPERJOB (night begins)",
		 "MAXPROCPERJOB (night begins)", "", "", MAUI_CLASS},
		/* A value that always holds stands before DEFAULT's. */
		{"USERCFG[u] MAXJOB=4\nUSERCFG[DEFAULT] MAXJOB[PERIOD:night]=8", "", "", "", "",
		 MAUI_USER},
	};

	set_zone("UTC");
	for (size_t i = 0; i < COUNT(cases); i++) {
		const int64_t times[] = {202611271200, 202611271900, 202611272100, 202611280300};
		const char *wanted[] = {cases[i].noon, cases[i].evening, cases[i].both,
					cases[i].night};

		for (size_t j = 0; j < COUNT(times); j++) {
			struct limits_fixture fixture;
			char lines[1024], text[1024];

			snprintf(lines, sizeof(lines), PERIODS USE "%s\n", cases[i].lines);
			limits_open_at(&fixture, lines, at(times[j]));
			list_lifted(&fixture, cases[i].type, text, sizeof(text));
			cr_expect_str_eq(text, wanted[j], "case %zu at %lld: '%s', not '%s'", i,
					 (long long)times[j], text, wanted[j]);
			limits_close(&fixture);
		}
	}
}

Test(limits_period, what_begins_or_ends_next_is_named)
{
	static const struct {
		int64_t time;
		const char *next;
		bool begins;
	} cases[] = {{202611271200, "evening", true},
		     {202611271900, "night", true},
		     {202611272100, "evening", false},
		     {202611280300, "night", false}};

	set_zone("UTC");
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct limits_fixture fixture;
		struct maui_limit_entry entries[MAUI_LIMIT_ENTRIES];

		limits_open_at(&fixture,
			       PERIODS "USERCFG[u] MAXJOB=4 MAXJOB[PERIOD:night]=8 "
				       "MAXJOB[PERIOD:evening]=6 MAXPROC=3\n",
			       at(cases[i].time));
		cr_assert_eq(maui_limits_list(fixture.limits, NULL, MAUI_USER,
					      limits_fixture_id(&fixture, MAUI_USER, "u"), entries),
			     2);
		cr_expect_str_eq(entries[0].next, cases[i].next);
		cr_expect_eq(entries[0].next_begins, cases[i].begins);
		cr_expect_null(entries[1].next);
		limits_close(&fixture);
	}
}

static const char *why(struct limits_fixture *fixture, const char *who, char *text)
{
	struct maui_limit_job job = limits_job(fixture, who);

	return limits_why(fixture, &job, MAUI_LIMIT_HARD, MAUI_LIMIT_ALL_MODES, text);
}

/* What a job that is refused is told, for pairs, PERUSER and the whole system. */
Test(limits_period, verdicts_name_the_period)
{
	static const struct {
		const char *lines, *day, *night;
	} cases[] = {
		{"USERCFG[u] MAXPROC=8 MAXPROC[PERIOD:night]=3", "",
		 "MAXPROC[PERIOD:night] limit of 3 for user u (0 in use, 4 asked for)"},
		{"USERCFG[u] MAXPROC=3 MAXPROC[PERIOD:night]=8",
		 "MAXPROC limit of 3 for user u (0 in use, 4 asked for)", ""},
		{"USERCFG[u] MAXPROC[CLASS:c,PERIOD:night]=3", "",
		 "MAXPROC[CLASS,PERIOD:night] limit of 3 for class c in user u (0 in use, 4 asked "
		 "for)"},
		{"USERCFG[u] MAXPROC[CLASS:c]=3 MAXPROC[CLASS:c,PERIOD:night]=9",
		 "MAXPROC[CLASS] limit of 3 for class c in user u (0 in use, 4 asked for)", ""},
		{"CLASSCFG[c] MAXPROCPERUSER[PERIOD:night]=3", "",
		 "MAXPROC[USER,PERIOD:night] limit of 3 for user u in class c (0 in use, 4 asked "
		 "for)"},
		{"SYSCFG MAXPROC[PERIOD:night]=3", "",
		 "MAXPROC[PERIOD:night] limit of 3 for the system (0 in use, 4 asked for)"},
		{"USERCFG[u] MAXPROC=9\nQOSCFG[q] OMAXPROC[PERIOD:night]=3", "",
		 "OMAXPROC[PERIOD:night] limit of 3 for user u (0 in use, 4 asked for)"},
	};

	set_zone("UTC");
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct limits_fixture fixture;
		char lines[1024], text[MAUI_LIMIT_TEXT_SIZE];

		snprintf(lines, sizeof(lines), NIGHT "\n" PERIODS USE "%s\n", cases[i].lines);
		limits_open_at(&fixture, lines, at(202611271200));
		cr_expect_str_eq(why(&fixture, "u - - q c", text), cases[i].day, "case %zu: %s", i,
				 text);
		limits_close(&fixture);
		limits_open_at(&fixture, lines, at(202611280300));
		cr_expect_str_eq(why(&fixture, "u - - q c", text), cases[i].night, "case %zu: %s",
				 i, text);
		limits_close(&fixture);
	}
}

/* ---- until when ---------------------------------------------------------------------------- */

Test(limits_period, until_the_next_change_of_any_limit)
{
	static const struct {
		const char *lines;
		int64_t now, until; /* 0: always */
	} cases[] = {
		{"USERCFG[u] MAXJOB=1", 202611271200, 0},
		{"USERCFG[u] MAXJOB[PERIOD:night]=1", 202611271200, 202611272000},
		{"USERCFG[u] MAXJOB[PERIOD:night]=1", 202611272000, 202611280600},
		{"USERCFG[u] MAXJOB[PERIOD:night]=1 MAXPROC[PERIOD:evening]=1", 202611271200,
		 202611271800},
		{"USERCFG[u] MAXGRES[gpu,PERIOD:evening]=1", 202611271200, 202611271800},
		{"QOSCFG[q] OMAXJOB[PERIOD:evening]=1", 202611271200, 202611271800},
		{"CLASSCFG[c] MAXJOB[USER,PERIOD:night]=1", 202611271200, 202611272000},
		{"CLASSCFG[c] MAXJOB[USER:u,PERIOD:night]=1", 202611271200, 202611272000},
		/* DEFAULT's, which stands behind a value that always holds for u alone. */
		{"USERCFG[u] MAXJOB=1\nUSERCFG[DEFAULT] MAXJOB[PERIOD:night]=2", 202611271200,
		 202611272000},
	};

	set_zone("UTC");
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct limits_fixture fixture;
		char lines[1024];
		int64_t wanted = cases[i].until ? at(cases[i].until) : MAUI_LIMITS_ALWAYS;

		snprintf(lines, sizeof(lines), PERIODS "%s\n", cases[i].lines);
		limits_open_at(&fixture, lines, at(cases[i].now));
		cr_expect_eq(maui_limits_until(fixture.limits), wanted, "case %zu: %lld", i,
			     (long long)maui_limits_until(fixture.limits));
		limits_close(&fixture);
	}
	cr_expect_eq(maui_limits_until(NULL), MAUI_LIMITS_ALWAYS);
}

/* Whether there are limits at all does not change with the time: jobs stay counted. */
Test(limits_period, a_limit_of_the_night_counts_by_day)
{
	struct limits_fixture fixture;
	struct maui_limit_job job;

	set_zone("UTC");
	limits_open_at(&fixture, PERIODS USE "USERCFG[u] MAXJOB[PERIOD:night]=1,2\n",
		       at(202611271200));
	cr_expect(maui_limits_any(fixture.limits, MAUI_LIMIT_BIT(MAUI_LIMIT_ACTIVE)));
	cr_expect(maui_limits_soft(fixture.limits));
	job = limits_job(&fixture, "u - - - -");
	limits_start(&fixture, &job);
	cr_expect_eq(maui_limit_usage_get(fixture.usage, MAUI_USER, job.credential[MAUI_USER],
					  MAUI_LIMIT_ACTIVE, MAUI_LIMIT_JOB),
		     1);
	limits_close(&fixture);
}
