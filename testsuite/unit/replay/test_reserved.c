/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What became of processors that reservations kept: worked out by hand, and on random traces
 * against the schedule itself. D-RPL-15. */
#include <math.h>
#include <time.h>

#include "testsuite/unit/replay/nodes_fixture.h"
#include "testsuite/unit/replay/random_fixture.h"

#define FIRST "RMPOLLINTERVAL 1\nNODEALLOCATIONPOLICY FIRSTAVAILABLE\n"
#define OF_B  FIRST "SRCFG[x] HOSTLIST=n1 PERIOD=INFINITY USERLIST=b\n"
#define PART  FIRST "SRCFG[x] HOSTLIST=n1 RESOURCES=PROCS:1 PERIOD=INFINITY "

/* Seconds after a midnight, which was a Thursday's. */
static const struct {
	const char *name, *nodes, *config, *outages, *trace;
	/* reserved = used + taken + away + idle, kept of idle, jobs, and users with what they used;
	 * seconds that it lacked tasks */
	const char *reserved;
} cases[] = {
	{"used by those inside, and by nobody else", "2x4", OF_B, NULL, "0 4x9/9 a; 0 4x9/9 b",
	 "x 36 = 36 + 0 + 0 + 0, 0 kept, 1: b 36"},
	{"idle; kept from the others while one waits", "2x4", OF_B, NULL,
	 "0 4x10/10 a; 0 4x10/10 a", "x 80 = 0 + 0 + 0 + 80, 40 kept, 0:"},
	{"a job that a limit holds back does not count as waiting", "2x4",
	 OF_B "USERCFG[a] MAXJOB=1\n", NULL, "0 4x100/100 a; 0 4x10/10 a",
	 "x 440 = 0 + 0 + 0 + 440, 0 kept, 0:"},
	{"taken by one that was there before", "2x4", OF_B, NULL,
	 "@1000 1000 2x100/100:r:pn1.2 a; 1010 2x40/40 b",
	 "x 400 = 80 + 200 + 0 + 120, 0 kept, 1: b 80"},
	{"a part of a node", "1x4", PART "TASKCOUNT=2 USERLIST=b\n", NULL,
	 "0 2x100/100 b; 1 2x50/50 a; 2 2x50/50 a", "x 202 = 200 + 0 + 0 + 2, 0 kept, 1: b 200"},
	{"of which no more is used than is kept, by each in proportion", "1x8",
	 PART "TASKCOUNT=4 USERLIST=b,c\n", NULL, "0 5x10/10 b; 0 3x10/10 c",
	 "x 40 = 40 + 0 + 0 + 0, 0 kept, 2: b 25 c 15"},
	{"a job over the beginning and the end counts while the two are there", "1x4",
	 FIRST "SRCFG[x] HOSTLIST=n1 PERIOD=DAY STARTTIME=00:01:00 ENDTIME=00:02:00 USERLIST=b\n",
	 NULL, "0 2x300/300 b", "x 240 = 120 + 0 + 0 + 120, 0 kept, 1: b 120"},
	{"instances of several days together", "1x4",
	 FIRST "SRCFG[x] HOSTLIST=n1 PERIOD=DAY ENDTIME=00:01:00 USERLIST=b\n", NULL,
	 "0 1x10/10 b; 86400 1x10/10 b", "x 280 = 20 + 0 + 0 + 260, 0 kept, 2: b 20"},
	{"a job that is there when it rolls is one job", "1x4", OF_B, NULL, "0 2x90000/90000 b",
	 "x 360000 = 180000 + 0 + 0 + 180000, 0 kept, 1: b 180000"},
	{"a job on two of its nodes is one job", "2x4",
	 FIRST "SRCFG[x] HOSTLIST=ALL PERIOD=INFINITY USERLIST=b\n", NULL, "0 8x10/10 b",
	 "x 80 = 80 + 0 + 0 + 0, 0 kept, 1: b 80"},
	{"away while its node is down, but for jobs that go on there", "2x4", OF_B,
	 "NodeName|TimeStart|TimeEnd|State\nn1|5|300|DOWN\n", "0 2x10/10 b; 0 4x20/20 a",
	 "x 80 = 20 + 0 + 50 + 10, 0 kept, 1: b 20"},
	{"maintenance admits nobody", "2x4", FIRST, "NodeName|TimeStart|TimeEnd\nn1|100|300\n",
	 "0 4x100/100 a; 0 4x101/101 a; 1 4x100/100 a",
	 "(maintenance) 404 = 0 + 0 + 0 + 404, 4 kept, 0:"},
	{"and goes by its name", "2x4", FIRST,
	 "Name|NodeName|TimeStart|TimeEnd|Flags\npm|n1|10|20|MAINT\npm|n2|30|50|MAINT\n"
	 "other|n1|20|30|FLEX\nlast|n1|95|200|MAINT\n",
	 "0 4x10/10 a; 90 4x10/10 a",
	 "(pm) 120 = 0 + 0 + 0 + 120, 0 kept, 0:; "
	 "(last) 20 = 0 + 0 + 0 + 20, 0 kept, 0:"},
	{"what two keep is in both", "1x4",
	 OF_B "SRCFG[y] HOSTLIST=n1 PERIOD=INFINITY USERLIST=b,c\n", NULL, "0 3x10/10 b",
	 "x 40 = 30 + 0 + 0 + 10, 0 kept, 1: b 30; y 40 = 30 + 0 + 0 + 10, 0 kept, 1: b 30"},
	{"tasks are missing until a job ends", "2x4",
	 FIRST "SRCFG[x] TASKCOUNT=8 RESOURCES=PROCS:1 PERIOD=DAY ENDTIME=00:10:00 DEPTH=1 "
	       "USERLIST=b\n",
	 NULL, "600 4x85900/90000 a; 86501 4x9/9 a",
	 "x 4400 = 0 + 0 + 0 + 4400, 3992 kept, 0: lacks 100"},
	{"five users by name, the most first", "1x8",
	 FIRST "SRCFG[x] HOSTLIST=n1 PERIOD=INFINITY USERLIST=a,b,c,d,e,f,g\n", NULL,
	 "0 1x1/9 a; 0 1x2/9 b; 0 1x3/9 c; 0 1x4/9 d; 0 1x5/9 e; 0 1x6/9 f; 0 1x7/9 g",
	 "x 56 = 28 + 0 + 0 + 28, 0 kept, 7: g 7 f 6 e 5 d 4 c 3 and 2 more"},
	{"until the last job ends, although one waits in vain", "1x4", OF_B, NULL,
	 "0 4x10/10 b; 0 1x10/10 a", "x 40 = 40 + 0 + 0 + 0, 0 kept, 1: b 40"},
	{"or has waited for the reservation to end", "1x4",
	 FIRST "SRCFG[x] HOSTLIST=n1 PERIOD=DAY ENDTIME=00:01:00 USERLIST=b\n", NULL,
	 "0 4x10/10 b; 0 1x10/10 a", "x 240 = 40 + 0 + 0 + 200, 200 kept, 1: b 40"},
	{"none in a file without any", "1x4", FIRST, NULL, "0 1x9/9 a", ""},
};

static void use_utc(void)
{
	setenv("TZ", "UTC", 1);
	tzset();
}

static void bad_line(void *context, uint32_t line, uint32_t column, const char *text)
{
	(void)context;
	cr_assert(false, "%u:%u: %s", line, column, text);
}

struct run {
	struct maui_replay_nodes *nodes;
	struct maui_replay_requests *requests;
	struct maui_replay_outages outages;
	struct maui_replay_site site;
	struct maui_replay_schedule schedule;
};

static struct run run(const char *name, struct maui_replay_trace *trace, const char *nodes,
		      const char *config, const char *outages)
{
	struct maui_replay_complaints complaints = {bad_line, NULL};
	struct run run = {.nodes = replay_nodes(nodes)};
	struct maui_replay_counts counts;
	struct maui_error error = {""};

	run.requests = maui_replay_requests_new(trace, run.nodes);
	if (outages)
		cr_assert_eq(maui_replay_outages_read(&run.outages, run.nodes, outages,
						      strlen(outages), &complaints),
			     0);
	run.site = (struct maui_replay_site){.parameters = maui_replay_default_parameters,
					     .policy = replay_policy(name, config),
					     .procs = (uint32_t)run.nodes->cpus,
					     .requests = run.requests};
	run.site.outages = outages ? &run.outages : NULL;
	cr_assert_eq(maui_replay_site_run(trace, &run.site, &run.schedule, &counts, &error), 0,
		     "%s: %s", name, error.text);
	return run;
}

static void clear(struct run *run)
{
	maui_replay_schedule_clear(&run->schedule);
	maui_policy_unref(run->site.policy);
	maui_replay_outages_clear(&run->outages);
	maui_replay_requests_free(run->requests);
	maui_replay_nodes_free(run->nodes);
}

static size_t users_text(const struct maui_replay_reserved *each, char *text, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < each->users.count; i++)
		used += (size_t)snprintf(text + used, size - used, " %s %g",
					 each->users.top[i].name, each->users.top[i].used);
	if (each->users.more)
		used += (size_t)snprintf(text + used, size - used, " and %zu more",
					 each->users.more);
	if (each->lacking)
		used += (size_t)snprintf(text + used, size - used, " lacks %" PRId64,
					 each->lacking);
	return used;
}

static const char *text_of(const struct maui_replay_reservations *reservations, char *text,
			   size_t size)
{
	size_t used = 0;

	*text = '\0';
	for (size_t i = 0; i < reservations->count; i++) {
		const struct maui_replay_reserved *each = &reservations->list[i];

		used += (size_t)snprintf(
			text + used, size - used,
			"%s%s%s%s %g = %g + %g + %g + %g, %g kept, %zu:", i ? "; " : "",
			each->maintenance ? "(" : "", each->name, each->maintenance ? ")" : "",
			each->reserved, each->used, each->taken, each->away, each->idle, each->kept,
			each->jobs);
		used += users_text(each, text + used, size - used);
		cr_assert_lt(used, size);
	}
	return text;
}

Test(replay_reserved, each_second_of_each_processor_is_counted, .init = use_utc)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct maui_replay_trace *trace = replay_trace(cases[i].trace, 8);
		struct run done = run(cases[i].name, trace, cases[i].nodes, cases[i].config,
				      cases[i].outages);
		char text[512];

		cr_expect_str_eq(text_of(&done.schedule.reservations, text, sizeof(text)),
				 cases[i].reserved, "%s: %s", cases[i].name, text);
		clear(&done);
		maui_replay_trace_free(trace);
	}
}

Test(replay_reserved, accounts_are_told_as_users_are, .init = use_utc)
{
	struct maui_replay_trace *trace =
		replay_trace("0 1x9/9 b phys; 0 1x8/9 b chem; 0 1x7/9 b phys; 0 1x1/9 b", 4);
	struct run done = run("accounts", trace, "1x4", OF_B, NULL);
	const struct maui_replay_reservers *accounts = &done.schedule.reservations.list->accounts;

	cr_assert_eq(accounts->count, 3);
	cr_expect_str_eq(accounts->top[0].name, "phys");
	cr_expect_eq(accounts->top[0].used, 16);
	cr_expect_str_eq(accounts->top[1].name, "chem");
	cr_expect_str_eq(accounts->top[2].name, "-");
	cr_expect_eq(done.schedule.reservations.list->users.top[0].used, 25);
	clear(&done);
	maui_replay_trace_free(trace);
}

Test(replay_reserved, another_schedules_are_found_by_name_and_kind)
{
	struct maui_replay_reserved first[] = {{.name = "x", .used = 1},
					       {.name = "x", .maintenance = true, .used = 2}};
	struct maui_replay_reserved wanted = {.name = "x", .maintenance = true},
				    none = {.name = "y"};
	struct maui_replay_reservations reservations = {first, 2};

	cr_expect_eq(maui_replay_reserved_like(&reservations, &wanted), &first[1]);
	wanted.maintenance = false;
	cr_expect_eq(maui_replay_reserved_like(&reservations, &wanted), &first[0]);
	cr_expect_eq(maui_replay_reserved_like(&reservations, &none)->reserved, 0);
}

/* ---- random traces ---- */

static const char *const configs[] = {
	FIRST "SRCFG[x] HOSTLIST=n[1-2] PERIOD=DAY STARTTIME=00:20:00 ENDTIME=00:50:00 "
	      "USERLIST=a,b\n",
	FIRST
	"SRCFG[x] HOSTLIST=n[1-2] PERIOD=DAY STARTTIME=00:20:00 ENDTIME=00:50:00 "
	"USERLIST=a,b\nSRCFG[y] TASKCOUNT=6 RESOURCES=PROCS:1 PERIOD=INFINITY USERLIST=b,c\n"
	"SRCFG[z] HOSTLIST=n[2-4] TASKCOUNT=9 RESOURCES=PROCS:1 PERIOD=DAY STARTTIME=00:30:00 "
	"USERLIST=d-\nUSERCFG[a] MAXJOB=3\n",
	"RMPOLLINTERVAL 30\nSRCFG[x] HOSTLIST=n[1-2] PERIOD=DAY STARTTIME=00:20:00 "
	"ENDTIME=00:50:00 USERLIST=a,b\nSRCFG[y] HOSTLIST=n[2-3] RESOURCES=PROCS:1 "
	"TASKCOUNT=3 PERIOD=INFINITY USERLIST=c,d FLAGS=FORCE\n",
};

/* What a and b have had of n1 and n2 while x was there, by the schedule alone. */
static double used_of_x(const struct maui_replay_trace *trace, const struct run *run)
{
	double used = 0;

	for (size_t i = 0; i < trace->count; i++) {
		const struct maui_replay_job *job = &trace->jobs[i];
		const char *user =
			maui_intern_name(trace->names[MAUI_USER], job->credential[MAUI_USER]);
		int64_t began = run->schedule.started[i];

		if (began == MAUI_REPLAY_UNKNOWN ||
		    (strcmp(user, "a") != 0 && strcmp(user, "b") != 0))
			continue;
		for (int64_t day = 0; day <= began + job->run; day += 86400) {
			int64_t from = day + 1200 > began ? day + 1200 : began;
			int64_t to = day + 3000 < began + job->run ? day + 3000 : began + job->run;

			for (uint32_t j = 0; from < to && j < run->schedule.share_count[i]; j++) {
				const struct maui_replay_share *share =
					&run->schedule.shares[run->schedule.first_share[i] + j];

				if (share->node < 2)
					used += (double)(to - from) * share->cpus;
			}
		}
	}
	return used;
}

static void check_sums(const struct maui_replay_reserved *each, const char *name)
{
	double users = 0, accounts = 0;

	cr_expect_eq(each->reserved, each->used + each->taken + each->away + each->idle,
		     "%s, %s: %g of %g", name, each->name,
		     each->used + each->taken + each->away + each->idle, each->reserved);
	cr_expect(each->kept >= 0 && each->kept <= each->idle, "%s: %g kept", name, each->kept);
	for (size_t i = 0; i < each->users.count; i++)
		users += each->users.top[i].used;
	for (size_t i = 0; i < each->accounts.count; i++)
		accounts += each->accounts.top[i].used;
	cr_expect(fabs(users - each->used) <= each->used * 1e-9, "%s, %s: users %g of %g", name,
		  each->name, users, each->used);
	cr_expect(fabs(accounts - each->used) <= each->used * 1e-9, "%s: %g of accounts", name,
		  accounts);
}

Test(replay_reserved, the_parts_are_the_whole, .init = use_utc)
{
	double used = 0, away = 0, kept = 0;

	for (uint64_t seed = 1; seed <= 6; seed++)
		for (size_t i = 0; i < sizeof(configs) / sizeof(configs[0]); i++) {
			struct maui_replay_trace *trace = replay_random_trace(seed, 32, 60);
			struct run done = run(configs[i], trace, "8x4", configs[i],
					      seed % 2 ? "NodeName|TimeStart|TimeEnd|State\n"
							 "n[1-3]|1500|9000|DOWN\n"
						       : "NodeName|TimeStart|TimeEnd\n"
							 "n[2-4]|1500|9000\n");
			const struct maui_replay_reservations *all = &done.schedule.reservations;

			for (size_t j = 0; j < all->count; j++) {
				const struct maui_replay_reserved *each = &all->list[j];

				check_sums(each, configs[i]);
				if (!each->maintenance && !strcmp(each->name, "x"))
					cr_expect_eq(each->used, used_of_x(trace, &done),
						     "seed %" PRIu64
						     ": x %g, by the schedule %g\n%s",
						     seed, each->used, used_of_x(trace, &done),
						     configs[i]);
				used += each->used;
				away += each->away;
				kept += each->kept;
			}
			clear(&done);
			maui_replay_trace_free(trace);
		}
	cr_expect(used > 0 && away > 0 && kept > 0, "%g %g %g", used, away, kept);
}
