/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/unit/policy/limits/limits_fixture.h"

#define EVERYBODY "u g a q c"

/* ---- every metric of every holder ---------------------------------------------------------- */

static const struct {
	const char *name;
	int64_t request; /* of limits_job() */
} metrics[MAUI_LIMIT_METRICS] = {{"JOB", 1}, {"PROC", 4},  {"NODE", 2}, {"PS", 14400},
				 {"PE", 5},  {"WC", 3600}, {"MEM", 100}};

static const char *const holders[] = {
	"USERCFG[u]",      "GROUPCFG[g]", "ACCOUNTCFG[a]",       "QOSCFG[q]",
	"CLASSCFG[c]",     "SYSCFG",      "USERCFG[DEFAULT]",    "GROUPCFG[DEFAULT]",
	"QOSCFG[DEFAULT]", "SYSTEMCFG",   "ACCOUNTCFG[DEFAULT]", "CLASSCFG[DEFAULT]",
};

/*
 * One line, with one such job already counted: a limit of two jobs' amount lets the next one pass,
 * a limit of one less does not.
 */
static void expect_edge(const char *holder, const char *prefix, int metric, unsigned int modes)
{
	int64_t both = 2 * metrics[metric].request;

	for (int64_t limit = both - 1; limit <= both; limit++) {
		char lines[128], text[MAUI_LIMIT_TEXT_SIZE];
		struct limits_fixture fixture;
		struct maui_limit_job job;

		snprintf(lines, sizeof(lines), "%s %s%s=%lld\n", holder, prefix,
			 metrics[metric].name, (long long)limit);
		limits_open(&fixture, lines);
		job = limits_job(&fixture, EVERYBODY);
		if (modes == MAUI_LIMIT_BIT(MAUI_LIMIT_IDLE))
			limits_wait(&fixture, fixture.usage, &job, 1);
		else
			limits_start(&fixture, &job);
		limits_why(&fixture, &job, MAUI_LIMIT_HARD, modes, text);
		cr_expect_eq(text[0] == '\0', limit == both, "%s: '%s'", lines, text);
		/* The other modes are not involved. */
		limits_why(&fixture, &job, MAUI_LIMIT_HARD, MAUI_LIMIT_ALL_MODES & ~modes, text);
		cr_expect_str_eq(text, "", "%s", lines);
		cr_expect_eq(maui_limits_any(fixture.limits, modes), true);
		limits_close(&fixture);
	}
}

Test(limits_check, every_metric_of_every_holder)
{
	for (size_t i = 0; i < sizeof(holders) / sizeof(holders[0]); i++)
		for (int metric = 0; metric < MAUI_LIMIT_METRICS; metric++) {
			expect_edge(holders[i], "MAX", metric, MAUI_LIMIT_BIT(MAUI_LIMIT_ACTIVE));
			expect_edge(holders[i], "MAXI", metric, MAUI_LIMIT_BIT(MAUI_LIMIT_IDLE));
		}
}

/* Overrides replace every credential's limit, even if there is none. */
Test(limits_check, every_metric_of_overrides)
{
	for (int metric = 0; metric < MAUI_LIMIT_METRICS; metric++) {
		expect_edge("QOSCFG[q]", "OMAX", metric, MAUI_LIMIT_BIT(MAUI_LIMIT_ACTIVE));
		expect_edge("QOSCFG[q]", "OMAXI", metric, MAUI_LIMIT_BIT(MAUI_LIMIT_IDLE));
	}
}

/* Every pair of types, by name and in general. */
Test(limits_check, every_metric_of_every_pair)
{
	static const char *const second[] = {"USER:u", "GROUP", "ACCOUNT:a", "QOS", "CLASS:c"};

	for (size_t i = 0; i < sizeof(holders) / sizeof(holders[0]); i++)
		for (size_t j = 0; j < sizeof(second) / sizeof(second[0]); j++)
			for (int metric = 0; metric < MAUI_LIMIT_METRICS; metric++) {
				char lines[128], text[MAUI_LIMIT_TEXT_SIZE];
				struct limits_fixture fixture;
				struct maui_limit_job job;

				snprintf(lines, sizeof(lines), "%s MAX%s[%s]=%lld\n", holders[i],
					 metrics[metric].name, second[j],
					 (long long)metrics[metric].request * 2 - 1);
				limits_open(&fixture, lines);
				job = limits_job(&fixture, EVERYBODY);
				cr_expect_str_eq(limits_why(&fixture, &job, MAUI_LIMIT_HARD,
							    MAUI_LIMIT_ALL_MODES, text),
						 "", "%s", lines);
				limits_start(&fixture, &job);
				cr_expect_str_neq(limits_why(&fixture, &job, MAUI_LIMIT_HARD,
							     MAUI_LIMIT_ALL_MODES, text),
						  "", "%s", lines);
				limits_close(&fixture);
			}
}

/* ---- tables of cases ----------------------------------------------------------------------- */

struct limit_case {
	const char *lines;
	const char *running; /* jobs' credentials, separated by '/' */
	const char *asks;
	const char *hard, *soft; /* why not */
};

static const struct limit_case limit_cases[] = {
	/* The text. */
	{"USERCFG[u] MAXJOB=2\n", "u g a q c/u g a q c", EVERYBODY,
	 "MAXJOB limit of 2 for user u (2 in use)", "soft MAXJOB limit of 2 for user u (2 in use)"},
	{"USERCFG[u] MAXPROC=7\n", EVERYBODY, EVERYBODY,
	 "MAXPROC limit of 7 for user u (4 in use, 4 asked for)",
	 "soft MAXPROC limit of 7 for user u (4 in use, 4 asked for)"},
	{"CLASSCFG[c] MAXJOB[USER]=1\n", EVERYBODY, EVERYBODY,
	 "MAXJOB[USER] limit of 1 for user u in class c (1 in use)",
	 "soft MAXJOB[USER] limit of 1 for user u in class c (1 in use)"},
	{"SYSCFG MAXJOB=1\n", EVERYBODY, "x - - - -", "MAXJOB limit of 1 for the system (1 in use)",
	 "soft MAXJOB limit of 1 for the system (1 in use)"},
	{"QOSCFG[q] OMAXJOB=1\n", EVERYBODY, EVERYBODY, "OMAXJOB limit of 1 for user u (1 in use)",
	 "soft OMAXJOB limit of 1 for user u (1 in use)"},
	/* [soft,]hard */
	{"USERCFG[u] MAXJOB=1,2\n", EVERYBODY, EVERYBODY, "",
	 "soft MAXJOB limit of 1 for user u (1 in use)"},
	{"USERCFG[u] MAXJOB=1,2\n", "-  - - - -", EVERYBODY, "", ""},
	{"USERCFG[u] MAXJOB=1,-1\n", EVERYBODY, EVERYBODY, "",
	 "soft MAXJOB limit of 1 for user u (1 in use)"},
	{"USERCFG[u] MAXJOB=5,1\n", EVERYBODY, EVERYBODY, "MAXJOB limit of 1 for user u (1 in use)",
	 "soft MAXJOB limit of 1 for user u (1 in use)"},
	/* It applies to nobody else. */
	{"USERCFG[u] MAXJOB=1\n", EVERYBODY, "v g a q c", "", ""},
	{"USERCFG[v] MAXJOB=1\n", EVERYBODY, EVERYBODY, "", ""},
	{"ACCOUNTCFG[DEFAULT] MAXJOB=1\n", "u g - q c", "u g - q c", "", ""},
	{"USERCFG[DEFAULT] MAXJOB=1\n", EVERYBODY, "v g a q c", "", ""},
	/* DEFAULT: value by value; 0 falls through, -1 does not. */
	{"USERCFG[DEFAULT] MAXJOB=1\nUSERCFG[u] MAXPROC=99\n", EVERYBODY, EVERYBODY,
	 "MAXJOB limit of 1 for user u (1 in use)", "soft MAXJOB limit of 1 for user u (1 in use)"},
	{"USERCFG[DEFAULT] MAXJOB=1\nUSERCFG[u] MAXJOB=0\n", EVERYBODY, EVERYBODY,
	 "MAXJOB limit of 1 for user u (1 in use)", "soft MAXJOB limit of 1 for user u (1 in use)"},
	{"USERCFG[DEFAULT] MAXJOB=1\nUSERCFG[u] MAXJOB=-1\n", EVERYBODY, EVERYBODY, "", ""},
	{"USERCFG[DEFAULT] MAXJOB=1\nUSERCFG[u] MAXJOB=2\n", EVERYBODY, EVERYBODY, "", ""},
	{"USERCFG[u] MAXJOB=0\n", EVERYBODY, EVERYBODY, "", ""},
	/* Jobs without a QOS have the QOS DEFAULT, with its overrides; no others have those. */
	{"QOSCFG[DEFAULT] MAXJOB=1\n", "u g a - c", "u g a - c",
	 "MAXJOB limit of 1 for qos DEFAULT (1 in use)",
	 "soft MAXJOB limit of 1 for qos DEFAULT (1 in use)"},
	{"QOSCFG[DEFAULT] OMAXJOB=1\n", "u g a - c", "u g a - c",
	 "OMAXJOB limit of 1 for user u (1 in use)",
	 "soft OMAXJOB limit of 1 for user u (1 in use)"},
	{"QOSCFG[DEFAULT] OMAXJOB=1\n", EVERYBODY, EVERYBODY, "", ""},
	/* Overrides. */
	{"QOSCFG[q] OMAXJOB=-1\nUSERCFG[u] MAXJOB=1\n", EVERYBODY, EVERYBODY, "", ""},
	{"QOSCFG[q] OMAXJOB=0\nUSERCFG[u] MAXJOB=1\n", EVERYBODY, EVERYBODY,
	 "MAXJOB limit of 1 for user u (1 in use)", "soft MAXJOB limit of 1 for user u (1 in use)"},
	{"QOSCFG[q] OMAXJOB=1,2\nUSERCFG[u] MAXJOB=9\n", EVERYBODY, EVERYBODY, "",
	 "soft OMAXJOB limit of 1 for user u (1 in use)"},
	{"QOSCFG[q] OMAXJOB=2\nUSERCFG[u] MAXJOB=1\n", EVERYBODY, "u g a other c",
	 "MAXJOB limit of 1 for user u (1 in use)", "soft MAXJOB limit of 1 for user u (1 in use)"},
	{"QOSCFG[q] OMAXJOB=9\nSYSCFG MAXJOB=1\n", EVERYBODY, EVERYBODY,
	 "MAXJOB limit of 1 for the system (1 in use)",
	 "soft MAXJOB limit of 1 for the system (1 in use)"},
	{"QOSCFG[q] OMAXJOB=9\nCLASSCFG[c] MAXJOB[USER]=1\n", EVERYBODY, EVERYBODY, "", ""},
	{"QOSCFG[q] QFLAGS=IGNJOBPERUSER\nUSERCFG[u] MAXJOB=1\n", EVERYBODY, EVERYBODY, "", ""},
	{"QOSCFG[q] QFLAGS=IGNUSER\nUSERCFG[u] MAXPS=1\nSYSCFG MAXJOB=1\n", EVERYBODY, EVERYBODY,
	 "MAXJOB limit of 1 for the system (1 in use)",
	 "soft MAXJOB limit of 1 for the system (1 in use)"},
	{"QOSCFG[q] QFLAGS=IGNALL\nUSERCFG[u] MAXPS=1\nSYSCFG MAXJOB=1\nSYSTEMMAXPROCPERJOB 1\n",
	 EVERYBODY, EVERYBODY, "", ""},
	/* The system's limits on one job. */
	{"SYSTEMMAXPROCPERJOB 3\n", "", EVERYBODY,
	 "SYSTEMMAXPROCPERJOB limit of 3 for the system (4 asked for)",
	 "soft SYSTEMMAXPROCPERJOB limit of 3 for the system (4 asked for)"},
	{"SYSTEMMAXPROCPERJOB 4\n", EVERYBODY, EVERYBODY, "", ""},
	{"SYSTEMMAXPROCPERJOB 3\nQOSCFG[q] OMAXJPROC=4\n", "", EVERYBODY, "", ""},
	{"SYSTEMMAXPROCPERJOB 3\nQOSCFG[q] OMAXJPROC=2\n", "", EVERYBODY,
	 "OMAXJPROC limit of 2 for the system (4 asked for)",
	 "soft OMAXJPROC limit of 2 for the system (4 asked for)"},
	{"SYSTEMMAXPROCPERJOB 3\nQOSCFG[q] QFLAGS=IGNSYSMAXPROC\n", "", EVERYBODY, "", ""},
	{"SYSTEMMAXPROCSECONDPERJOB 14399\n", "", EVERYBODY,
	 "SYSTEMMAXPROCSECONDPERJOB limit of 14399 for the system (14400 asked for)",
	 "soft SYSTEMMAXPROCSECONDPERJOB limit of 14399 for the system (14400 asked for)"},
	{"SYSTEMMAXJOBWALLTIME 00:59:59\n", "", EVERYBODY,
	 "SYSTEMMAXJOBWALLTIME limit of 3599 for the system (3600 asked for)",
	 "soft SYSTEMMAXJOBWALLTIME limit of 3599 for the system (3600 asked for)"},
	{"SYSTEMMAXJOBWALLTIME 1:00:00\nSYSTEMMAXPROCPERJOB -1\n", "", EVERYBODY, "", ""},
	{"CLASSCFG[c] MAXPROCPERJOB=3\n", "", EVERYBODY,
	 "MAXPROCPERJOB limit of 3 for class c (4 asked for)",
	 "soft MAXPROCPERJOB limit of 3 for class c (4 asked for)"},
	{"CLASSCFG[c] MAX.WCLIMIT=00:30:00\n", "", EVERYBODY,
	 "MAX.WCLIMIT limit of 1800 for class c (3600 asked for)",
	 "soft MAX.WCLIMIT limit of 1800 for class c (3600 asked for)"},
	/* MAXWC is a time. */
	{"USERCFG[u] MAXWC=1:59:59\n", EVERYBODY, EVERYBODY,
	 "MAXWC limit of 7199 for user u (3600 in use, 3600 asked for)",
	 "soft MAXWC limit of 7199 for user u (3600 in use, 3600 asked for)"},
	{"USERCFG[u] MAXWC=2:00:00\n", EVERYBODY, EVERYBODY, "", ""},
	/* Pairs: the named entry before the general one, the holder's before DEFAULT's. */
	{"CLASSCFG[c] MAXJOB[USER]=1 MAXJOB[USER:u]=2\n", EVERYBODY, EVERYBODY, "", ""},
	{"CLASSCFG[c] MAXJOB[USER]=2 MAXJOB[USER:u]=1\n", EVERYBODY, EVERYBODY,
	 "MAXJOB[USER] limit of 1 for user u in class c (1 in use)",
	 "soft MAXJOB[USER] limit of 1 for user u in class c (1 in use)"},
	{"CLASSCFG[c] MAXJOB[USER:u]=1\n", "v g a q c", "v g a q c", "", ""},
	{"CLASSCFG[c] MAXJOB[USER]=1 MAXJOB[USER:u]=-1\n", EVERYBODY, EVERYBODY, "", ""},
	{"CLASSCFG[c] MAXJOB[USER]=2\nCLASSCFG[DEFAULT] MAXJOB[USER:u]=1\n", EVERYBODY, EVERYBODY,
	 "", ""},
	{"CLASSCFG[c] MAXPROC[USER]=99\nCLASSCFG[DEFAULT] MAXJOB[USER:u]=1\n", EVERYBODY, EVERYBODY,
	 "MAXJOB[USER] limit of 1 for user u in class c (1 in use)",
	 "soft MAXJOB[USER] limit of 1 for user u in class c (1 in use)"},
	{"CLASSCFG[DEFAULT] MAXJOB[USER]=1\n", "u g a q c/v g a q c", "u g a q other", "", ""},
	{"CLASSCFG[c] MAXJOB[USER]=1\n", "u g a q d/v g a q c", EVERYBODY, "", ""},
	{"CLASSCFG[c] MAXJOBPERUSER=1\n", EVERYBODY, EVERYBODY,
	 "MAXJOB[USER] limit of 1 for user u in class c (1 in use)",
	 "soft MAXJOB[USER] limit of 1 for user u in class c (1 in use)"},
	{"CLASSCFG[c] MAXJOBPERUSER=1 MAXJOB[USER]=2\n", EVERYBODY, EVERYBODY, "", ""},
	{"QOSCFG[q] MAXPROCPERUSER=7\n", EVERYBODY, EVERYBODY,
	 "MAXPROC[USER] limit of 7 for user u in qos q (4 in use, 4 asked for)",
	 "soft MAXPROC[USER] limit of 7 for user u in qos q (4 in use, 4 asked for)"},
	{"GROUPCFG[g] MAXJOB[QOS:q]=1\n", EVERYBODY, "v g - q d",
	 "MAXJOB[QOS] limit of 1 for qos q in group g (1 in use)",
	 "soft MAXJOB[QOS] limit of 1 for qos q in group g (1 in use)"},
	/* Maui 3.0's. */
	{"MAXJOBPERUSERCOUNT 1\nMAXJOBPERUSERPOLICY ON\n", EVERYBODY, EVERYBODY,
	 "MAXJOB limit of 1 for user u (1 in use)", "soft MAXJOB limit of 1 for user u (1 in use)"},
	/* The manual's multi-dimensional examples. */
	{"CLASSCFG[fast] MAXJOB[GROUP]=1 MAXPROC[USER:steve]=7\n", "steve g a q fast",
	 "steve h a q fast",
	 "MAXPROC[USER] limit of 7 for user steve in class fast (4 in use, 4 asked for)",
	 "soft MAXPROC[USER] limit of 7 for user steve in class fast (4 in use, 4 asked for)"},
	{"CLASSCFG[fast] MAXJOB[GROUP]=1 MAXPROC[USER:steve]=7\n", "steve g a q fast",
	 "bob g a q fast", "MAXJOB[GROUP] limit of 1 for group g in class fast (1 in use)",
	 "soft MAXJOB[GROUP] limit of 1 for group g in class fast (1 in use)"},
};

static void start_all(struct limits_fixture *fixture, const char *running)
{
	char copy[128], *rest = copy;

	snprintf(copy, sizeof(copy), "%s", running);
	while (rest && *rest) {
		char *end = strchr(rest, '/');
		struct maui_limit_job job;

		if (end)
			*end = '\0';
		job = limits_job(fixture, rest);
		limits_start(fixture, &job);
		rest = end ? end + 1 : NULL;
	}
}

Test(limits_check, cases)
{
	for (size_t i = 0; i < sizeof(limit_cases) / sizeof(limit_cases[0]); i++) {
		const struct limit_case *limit_case = &limit_cases[i];
		char text[MAUI_LIMIT_TEXT_SIZE];
		struct limits_fixture fixture;
		struct maui_limit_job job;

		limits_open(&fixture, limit_case->lines);
		start_all(&fixture, limit_case->running);
		job = limits_job(&fixture, limit_case->asks);
		limits_why(&fixture, &job, MAUI_LIMIT_HARD, MAUI_LIMIT_ALL_MODES, text);
		cr_expect_str_eq(text, limit_case->hard, "%zu %s: '%s'", i, limit_case->lines,
				 text);
		limits_why(&fixture, &job, MAUI_LIMIT_SOFT, MAUI_LIMIT_ALL_MODES, text);
		cr_expect_str_eq(text, limit_case->soft, "%zu %s: '%s'", i, limit_case->lines,
				 text);
		limits_close(&fixture);
	}
}

/* ---- the manual's examples ----------------------------------------------------------------- */

#define MIXED                                                                                      \
	"USERCFG[steve] MAXJOB=2 MAXNODE=30\nGROUPCFG[staff] MAXJOB=5\n"                           \
	"CLASSCFG[DEFAULT] MAXNODE=16\nCLASSCFG[batch] MAXNODE=32\n"
#define OVERRIDE MIXED "QOSCFG[hiprio] MAXJOB=3 OMAXNODE=64\n" /* D-LIM-8 */

static const struct {
	const char *lines, *running;
	int64_t running_nodes; /* of each */
	const char *asks;
	int64_t nodes;
	const char *why;
} manual[] = {
	{"USERCFG[DEFAULT] MAXJOB=1\nUSERCFG[john] MAXJOB=2\n", "john g a q c", 1, "john g a q c",
	 1, ""},
	{"USERCFG[DEFAULT] MAXJOB=1\nUSERCFG[john] MAXJOB=2\n", "ann g a q c", 1, "ann g a q c", 1,
	 "MAXJOB limit of 1 for user ann (1 in use)"},
	{MIXED, "steve staff - - batch/steve staff - - batch", 1, "steve staff - - batch", 1,
	 "MAXJOB limit of 2 for user steve (2 in use)"},
	{MIXED, "steve staff - - batch", 20, "steve staff - - batch", 10, ""},
	{MIXED, "steve staff - - batch", 20, "steve staff - - batch", 11,
	 "MAXNODE limit of 30 for user steve (20 in use, 11 asked for)"},
	{MIXED, "bob x - - interactive", 14, "steve staff - - interactive", 2, ""},
	{MIXED, "bob x - - interactive", 14, "steve staff - - interactive", 3,
	 "MAXNODE limit of 16 for class interactive (14 in use, 3 asked for)"},
	/* The five bullets. */
	{OVERRIDE, "steve staff - hiprio batch", 40, "steve staff - hiprio batch", 24, ""},
	{OVERRIDE, "steve staff - hiprio batch", 40, "steve staff - hiprio batch", 25,
	 "OMAXNODE limit of 64 for user steve (40 in use, 25 asked for)"},
	{OVERRIDE, "steve staff - hiprio batch/steve staff - hiprio batch", 1,
	 "steve staff - hiprio batch", 1, "MAXJOB limit of 2 for user steve (2 in use)"},
	{OVERRIDE, "a staff - x batch/b staff - x batch/c staff - x c/d staff - x c/e staff - x c",
	 1, "steve staff - hiprio batch", 1, "MAXJOB limit of 5 for group staff (5 in use)"},
	{OVERRIDE, "bob x - y batch", 60, "steve staff - hiprio batch", 5,
	 "OMAXNODE limit of 64 for class batch (60 in use, 5 asked for)"},
	{OVERRIDE, "a x - hiprio c/b x - hiprio c/c x - hiprio c", 1, "steve staff - hiprio batch",
	 1, "MAXJOB limit of 3 for qos hiprio (3 in use)"},
};

Test(limits_check, the_manuals_examples)
{
	for (size_t i = 0; i < sizeof(manual) / sizeof(manual[0]); i++) {
		char text[MAUI_LIMIT_TEXT_SIZE];
		struct limits_fixture fixture;
		struct maui_limit_job job;

		limits_open(&fixture, manual[i].lines);
		start_all(&fixture, manual[i].running);
		for (size_t j = 0; j < fixture.count; j++) {
			job = fixture.holdings[j].job;
			job.nodes = manual[i].running_nodes;
			maui_limit_usage_take(fixture.usage, &fixture.holdings[j]);
			cr_assert_eq(maui_limit_usage_add(fixture.usage, &fixture.holdings[j], &job,
							  NOW + 60),
				     0);
		}
		job = limits_job(&fixture, manual[i].asks);
		job.nodes = manual[i].nodes;
		limits_why(&fixture, &job, MAUI_LIMIT_HARD, MAUI_LIMIT_ALL_MODES, text);
		cr_expect_str_eq(text, manual[i].why, "%zu: '%s'", i, text);
		limits_close(&fixture);
	}
}

/* ---- the rest ------------------------------------------------------------------------------ */

Test(limits_check, original_text)
{
	struct maui_limit_verdict verdict = {.blocked = true,
					     .mode = MAUI_LIMIT_ACTIVE,
					     .level = MAUI_LIMIT_HARD,
					     .metric = MAUI_LIMIT_PE,
					     .type = MAUI_ACCOUNT,
					     .id = 1,
					     .limit = 8,
					     .usage = 9,
					     .request = 2};
	char text[MAUI_LIMIT_TEXT_SIZE];

	cr_expect_str_eq(maui_limit_original_text(&verdict, "acme", NULL, text),
			 "violates active HARD MAXPE limit of 8 for acct acme  (R: 2, U: 9)");
	verdict.type = MAUI_CLASS;
	verdict.pair = true;
	cr_expect_str_eq(maui_limit_original_text(&verdict, "fast", "bob", text),
			 "violates active HARD MAXPE limit of 8 for class fast bob (R: 2, U: 9)");
	verdict.blocked = false;
	cr_expect_str_eq(maui_limit_original_text(&verdict, "fast", "bob", text), "");
	cr_expect_str_eq(maui_limit_text(&verdict, "fast", "bob", text), "");
}

/* One query after another: what a job lacks is not taken from the previous job. */
Test(limits_check, a_job_without_a_credential_after_one_with_it)
{
	struct limits_fixture fixture;
	struct maui_limit_job with, without;

	limits_open(&fixture, "CLASSCFG[c] MAXJOB[USER]=1 MAXJOB=9\n"
			      "USERCFG[u] MAXJOB=9\nSYSCFG MAXJOB=9\n");
	with = limits_job(&fixture, EVERYBODY);
	without = limits_job(&fixture, "u g a q -");
	limits_start(&fixture, &with);
	for (int times = 0; times < 3; times++) {
		cr_expect(maui_limits_check(fixture.limits, fixture.usage, &with, MAUI_LIMIT_HARD,
					    MAUI_LIMIT_ALL_MODES, NULL));
		cr_expect_not(maui_limits_check(fixture.limits, fixture.usage, &without,
						MAUI_LIMIT_HARD, MAUI_LIMIT_ALL_MODES, NULL));
	}
	limits_close(&fixture);
}

Test(limits_check, no_limits_are_none)
{
	cr_expect_not(maui_limits_any(NULL, MAUI_LIMIT_ALL_MODES));
	cr_expect_not(maui_limits_soft(NULL));
}

/* No number in a job leads to anything but a verdict. */
Test(limits_check, absurd_jobs)
{
	static const int64_t absurd[] = {INT64_MIN, -1, 0, INT64_MAX};
	struct limits_fixture fixture;
	char text[MAUI_LIMIT_TEXT_SIZE];

	limits_open(&fixture, "USERCFG[u] MAXPS=1000\nSYSTEMMAXPROCSECONDPERJOB 1000\n");
	for (size_t i = 0; i < sizeof(absurd) / sizeof(absurd[0]); i++) {
		struct maui_limit_job job = limits_job(&fixture, EVERYBODY);

		job.procs = job.nodes = job.pe = job.memory = job.walltime = absurd[i];
		limits_why(&fixture, &job, MAUI_LIMIT_HARD, MAUI_LIMIT_ALL_MODES, text);
		cr_expect_eq(text[0] != '\0', absurd[i] > 0, "%zu: %s", i, text);
	}
	limits_close(&fixture);
}
