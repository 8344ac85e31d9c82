/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/queue/whatif_changes.h"
#include "testsuite/unit/queue/queue_fixture.h"

#define FLOOR 2

static struct maui_principals *whom(const struct maui_whatif *whatif)
{
	return queue_principals(whatif->then.policy->config);
}

/* The weights of the policy in force. */
static void weigh(struct queue_fixture *queue)
{
	struct maui_snapshot *snapshot = queue->snapshot;

	snapshot->time = NOW;
	for (size_t i = 0; i < snapshot->count; i++)
		snapshot->jobs[i].weights =
			maui_names_weights(queue->names, snapshot->jobs[i].credential[MAUI_CLASS]);
}

static bool unenforced;            /* no select plugin enforces anything */
static struct maui_whatif_got got; /* what the first job would have got, if set */
static uint8_t refused;            /* what blocks every job today, enum maui_violation */
static double *trees;              /* of the rows, which have none today; taken over */

/* The queue under other lines. The fixture has the running jobs. */
static void judge(struct queue_fixture *queue, const char *lines, struct maui_whatif *whatif)
{
	struct maui_limit_names today = {queue_id, queue->names};
	struct maui_whatif_facts *facts = &whatif->facts;

	weigh(queue);
	*whatif = (struct maui_whatif){.then.policy = queue_policy(lines)};
	facts->snapshot = maui_snapshot_ref(queue->snapshot);
	maui_names_freeze(queue->names, &facts->names);
	if (queue->windows)
		facts->windows = maui_fairshare_copy(queue->windows);
	facts->active = calloc(queue->running_count + 1, sizeof(*facts->active));
	facts->refused = calloc(queue->snapshot->count + 1, 1);
	facts->got = calloc(1, sizeof(*facts->got));
	memset(facts->refused, refused, queue->snapshot->count + 1);
	facts->enforced = !unenforced;
	facts->now = NOW;
	facts->floor = FLOOR;
	facts->tree = trees;
	trees = NULL;
	cr_assert(facts->active && facts->refused && facts->got);
	facts->got[0] = got;
	facts->got_count = got.job.procs > 0;
	for (size_t i = 0; i < queue->running_count; i++)
		facts->active[facts->active_count++] = (struct maui_limit_active){
			.job = queue->running[i].job, .ends = queue->running[i].ends};
	cr_assert_eq(maui_whatif_judge(whatif, whom(whatif), &today), 0);
}

static const char *standing_of(const struct maui_whatif_side *side, size_t job)
{
	static const char *const words[] = {"free", "second", "blocked"};
	const struct maui_waiting *waiting = &side->judgement.jobs[job];

	return side->snapshot->rows[waiting->first].state == MAUI_ROW_REJECTED
		       ? "rejected"
		       : words[waiting->standing];
}

/* For each job "job: rank, priority, standing" today, and then if it differs. */
static const char *told(const struct maui_whatif *whatif, char *text, size_t size)
{
	const struct maui_whatif_side *sides[] = {&whatif->today, &whatif->then};
	size_t used = 0;

	*text = '\0';
	for (size_t i = 0; i < whatif->today.judgement.count; i++) {
		char one[2][64];

		for (int k = 0; k < 2; k++) {
			const struct maui_snapshot *snapshot = sides[k]->snapshot;
			const struct maui_waiting *job = &sides[k]->judgement.jobs[i];

			snprintf(one[k], sizeof(one[k]), "%u, %u, %s", sides[k]->rank[i],
				 snapshot->rows[job->best].priority, standing_of(sides[k], i));
		}
		used += (size_t)snprintf(
			text + used, size - used, "%s%u: %s%s%s", i ? "; " : "",
			whatif->today.snapshot->rows[whatif->today.judgement.jobs[i].first].job_id,
			one[0], strcmp(one[0], one[1]) ? " -> " : "",
			strcmp(one[0], one[1]) ? one[1] : "");
		cr_assert_lt(used, size);
	}
	return text;
}

#define USERS "CREDWEIGHT 1\nUSERWEIGHT 1\n"

static const struct {
	const char *what, *today, *then;
	const char *running[3];
	const char *jobs[4]; /* 1, 2, ...: "user account qos class" */
	const char *told;
} cases[] = {
	{"the same again",
	 USERS "USERCFG[alice] PRIORITY=7",
	 USERS "USERCFG[alice] PRIORITY=7",
	 {NULL},
	 {"alice - - -", "bob - - -"},
	 "1: 1, 7, free; 2: 2, 2, free"},
	{"another priority, another order",
	 USERS "USERCFG[alice] PRIORITY=7",
	 USERS "USERCFG[alice] PRIORITY=7\nUSERCFG[bob] PRIORITY=100",
	 {NULL},
	 {"alice - - -", "bob - - -"},
	 "1: 1, 7, free -> 2, 7, free; 2: 2, 2, free -> 1, 100, free"},
	{"names that only the other has",
	 USERS "ACCOUNTCFG[phys] PRIORITY=5",
	 USERS "USERCFG[carol] PRIORITY=5\nACCOUNTCFG[chem] MAXJOB=1\nCLASSCFG[new] MAXJOB=1",
	 {"alice phys - -"},
	 {"bob phys - batch"},
	 "1: 1, 2, free"},
	{"a limit that is new",
	 "",
	 "USERCFG[alice] MAXJOB=1",
	 {"alice - - -"},
	 {"alice - - -", "bob - - -"},
	 "1: 1, 2, free -> 1, 2, blocked; 2: 2, 2, free"},
	{"a limit of an account that the other writes in capitals",
	 "",
	 "ACCOUNTCFG[PHYS] MAXJOB=1",
	 {"alice phys - -"},
	 {"bob phys - -"},
	 "1: 1, 2, free -> 1, 2, blocked"},
	{"a limit that goes",
	 "ACCOUNTCFG[phys] MAXJOB=1",
	 "",
	 {"alice phys - -"},
	 {"bob phys - -"},
	 "1: 1, 2, blocked -> 1, 2, free"},
	{"a limit that is soft from now on",
	 "USERCFG[alice] MAXJOB=1",
	 "USERCFG[alice] MAXJOB=1,4",
	 {"alice - - -"},
	 {"alice - - -", "bob - - -"},
	 "1: 1, 2, blocked -> 1, 2, second; 2: 2, 2, free"},
	{"idle limits go by the other order",
	 USERS "USERCFG[alice] PRIORITY=9\nCLASSCFG[a] MAXIJOB=1",
	 USERS "USERCFG[bob] PRIORITY=9\nCLASSCFG[a] MAXIJOB=1",
	 {NULL},
	 {"alice - - a", "bob - - a"},
	 "1: 1, 9, free -> 2, 2, blocked; 2: 2, 2, blocked -> 1, 9, free"},
	{"a QOS that is not his any more",
	 "USERCFG[alice] QLIST=hi,low",
	 "USERCFG[alice] QLIST=low",
	 {NULL},
	 {"alice - hi -"},
	 "1: 1, 2, free -> 1, 2, blocked"},
	{"a negative priority, and who rejects it",
	 USERS "ENABLENEGJOBPRIORITY TRUE\nUSERCFG[alice] PRIORITY=-5\nREJECTNEGPRIOJOBS FALSE",
	 USERS "ENABLENEGJOBPRIORITY TRUE\nUSERCFG[alice] PRIORITY=-5\nREJECTNEGPRIOJOBS TRUE",
	 {NULL},
	 {"alice - - -", "bob - - -"},
	 "1: 2, 1073741819, free -> 2, 0, rejected; 2: 1, 1073741824, free"},
	{"a base below all priorities",
	 USERS,
	 USERS "ENABLENEGJOBPRIORITY TRUE\nUSERCFG[alice] PRIORITY=-5",
	 {NULL},
	 {"alice - - -"},
	 "1: 1, 2, free -> 1, 1073741819, free"},
};

Test(whatif, what_another_policy_would_make_of_the_queue)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct queue_fixture queue;
		struct maui_whatif whatif;
		char text[1024];

		queue_open(&queue, cases[i].today);
		for (size_t k = 0; k < 3 && cases[i].running[k]; k++)
			queue_run(&queue, cases[i].running[k]);
		for (uint32_t k = 0; k < 4 && cases[i].jobs[k]; k++)
			queue_add(&queue, k + 1, 0, cases[i].jobs[k]);
		judge(&queue, cases[i].then, &whatif);
		cr_expect_str_eq(told(&whatif, text, sizeof(text)), cases[i].told, "%s: %s",
				 cases[i].what, text);
		maui_whatif_clear(&whatif);
		queue_close(&queue);
	}
}

Test(whatif, the_share_tree_counts_for_the_other_policy_alone)
{
	struct queue_fixture queue;
	struct maui_whatif whatif;
	char text[1024];

	queue_open(&queue, "");
	queue_add(&queue, 1, 0, "alice - - -");
	queue_add(&queue, 2, 0, "bob - - -");
	trees = calloc(queue.snapshot->count, sizeof(*trees));
	cr_assert_not_null(trees);
	trees[1] = 0.5;
	judge(&queue, "QUEUETIMEWEIGHT 0\nFSWEIGHT 1\nFSTREEWEIGHT 1000", &whatif);
	cr_expect_str_eq(told(&whatif, text, sizeof(text)),
			 "1: 1, 2, free -> 2, 2, free; 2: 2, 2, free -> 1, 500, free");
	maui_whatif_clear(&whatif);
	queue_close(&queue);
}

Test(whatif, nothing_of_it_changes_the_queue_or_its_names)
{
	struct queue_fixture queue;
	struct maui_whatif whatif;
	uint32_t classes;

	queue_open(&queue, USERS "USERCFG[alice] PRIORITY=7");
	queue_add(&queue, 1, 4711, "alice - - batch");
	classes = maui_names_count(queue.names, MAUI_CLASS);
	judge(&queue, USERS "USERCFG[alice] PRIORITY=9\nCLASSCFG[new] MAXJOB=1", &whatif);
	cr_expect_eq(queue.snapshot->rows[0].priority, 4711);
	cr_expect_eq(whatif.today.results[0].priority, 7);
	cr_expect_eq(maui_names_count(queue.names, MAUI_CLASS), classes);
	cr_expect_eq(whatif.then.snapshot->names.count[MAUI_CLASS], classes + 1);
	cr_expect_str_eq(whatif.then.snapshot->names.text[MAUI_CLASS][classes + 1], "new");
	maui_whatif_clear(&whatif);
	cr_expect_eq(queue.snapshot->references, 1);
	cr_expect_eq(queue.policy->references, 2); /* ours, and the snapshot's */
	queue_close(&queue);
}

/* Fairshare's files have names whose numbers are not known yet. */
Test(whatif, a_user_without_a_number_is_found_by_name)
{
	struct queue_fixture queue;
	struct maui_whatif whatif;
	uint32_t id;

	queue_open(&queue, "");
	id = maui_names_of_name(queue.names, MAUI_USER, "eve");
	judge(&queue, "USERCFG[eve] PRIORITY=9", &whatif);
	cr_expect_eq(whatif.then.snapshot->names.credential[MAUI_USER][id].priority, 9);
	maui_whatif_clear(&whatif);
	queue_close(&queue);
}

Test(whatif, nice_and_site_factor_count_on_both_sides_and_holds_and_hands_stay)
{
	struct queue_fixture queue;
	struct maui_whatif whatif;
	char text[512];

	queue_open(&queue, USERS "USERCFG[alice] PRIORITY=50");
	queue_add(&queue, 1, 0, "alice - - -")->nice = 20;
	queue_add(&queue, 2, 0, "alice - - -")->site_factor = 5;
	queue_add(&queue, 3, 0, "alice - - -")->state = MAUI_ROW_HELD;
	queue_add(&queue, 4, 77, "alice - - -")->state = MAUI_ROW_DIRECT;
	judge(&queue, USERS "USERCFG[alice] PRIORITY=60", &whatif);
	cr_expect_str_eq(told(&whatif, text, sizeof(text)),
			 "1: 3, 30, free -> 3, 40, free; 2: 2, 55, free -> 2, 65, free; "
			 "3: 4, 0, free; 4: 1, 77, free");
	maui_whatif_clear(&whatif);
	queue_close(&queue);
}

Test(whatif, a_job_without_a_qos_has_that_of_the_other_qdef)
{
	struct queue_fixture queue;
	struct maui_whatif whatif;
	char text[256];

	queue_open(&queue, "CREDWEIGHT 1\nQOSWEIGHT 1\nUSERCFG[alice] QDEF=low\n"
			   "QOSCFG[low] PRIORITY=3\nQOSCFG[hi] PRIORITY=30");
	queue_add(&queue, 1, 0, "alice - low -")->qos_missing = true;
	queue_add(&queue, 2, 0, "alice - low -");
	judge(&queue,
	      "CREDWEIGHT 1\nQOSWEIGHT 1\nUSERCFG[alice] QDEF=hi\n"
	      "QOSCFG[low] PRIORITY=3\nQOSCFG[hi] PRIORITY=30",
	      &whatif);
	cr_expect_str_eq(told(&whatif, text, sizeof(text)),
			 "1: 1, 3, free -> 1, 30, free; 2: 2, 3, free");
	maui_whatif_clear(&whatif);
	queue_close(&queue);
}

Test(whatif, waiting_that_the_other_accrual_would_take_is_taken)
{
	static const struct {
		uint8_t refused;
		bool rejected;
		const char *then, *told;
	} accruals[] = {
		{0, false, "FULLPOLICY", "1: 1, 101, free"},
		{MAUI_VIOLATES_FSCAP, false, "FULLPOLICY", "1: 1, 101, free -> 1, 2, free"},
		{MAUI_VIOLATES_FSCAP, false, "QUEUEPOLICY", "1: 1, 101, free"},
		{MAUI_VIOLATES_LIMIT, false, "QUEUEPOLICY", "1: 1, 101, free -> 1, 2, free"},
		/* Rejected today: that hold is nobody's own. */
		{0, true, "FULLPOLICY", "1: 1, 101, free -> 1, 2, free"},
		{0, true, "QUEUEPOLICY", "1: 1, 101, free"},
	};

	for (size_t i = 0; i < sizeof(accruals) / sizeof(*accruals); i++) {
		struct queue_fixture queue;
		struct maui_whatif whatif;
		char text[256], lines[64];

		queue_open(&queue, "JOBPRIOACCRUALPOLICY ALWAYS");
		queue_add(&queue, 1, 0, "alice - - -")->submitted = NOW - 6060;
		queue.snapshot->jobs[0].queued_since = NOW - 6060;
		if (accruals[i].rejected) {
			queue.snapshot->rows[0].state = MAUI_ROW_REJECTED;
			queue.snapshot->rows[0].violations = MAUI_VIOLATES_HOLD;
		}
		refused = accruals[i].refused;
		snprintf(lines, sizeof(lines), "JOBPRIOACCRUALPOLICY %s", accruals[i].then);
		judge(&queue, lines, &whatif);
		cr_expect_str_eq(told(&whatif, text, sizeof(text)), accruals[i].told, "%zu: %s", i,
				 text);
		maui_whatif_clear(&whatif);
		queue_close(&queue);
	}
}

Test(whatif, what_a_job_would_have_got_counts_on_both_sides)
{
	struct queue_fixture queue;
	struct maui_whatif whatif;
	char text[256];

	queue_open(&queue, "USERCFG[DEFAULT] MAXPROC=8");
	queue_add(&queue, 1, 0, "alice - - -");
	queue_add(&queue, 2, 0, "bob - - -");
	got = (struct maui_whatif_got){.row = 0, .job = {.procs = 8}};
	judge(&queue, "USERCFG[DEFAULT] MAXPROC=4", &whatif);
	cr_expect_str_eq(told(&whatif, text, sizeof(text)),
			 "1: 1, 2, free -> 1, 2, blocked; 2: 2, 2, free");
	maui_whatif_clear(&whatif);
	queue_close(&queue);
}

Test(whatif, without_the_select_plugin_limits_hold_nobody_back)
{
	struct queue_fixture queue;
	struct maui_whatif whatif;

	queue_open(&queue, "");
	queue_run(&queue, "alice - - -");
	queue_add(&queue, 1, 0, "alice - - -");
	for (int i = 0; i < 2; i++) {
		unenforced = i;
		judge(&queue, "USERCFG[alice] MAXJOB=1", &whatif);
		cr_expect_eq(whatif.then.judgement.blocked, !unenforced);
		maui_whatif_clear(&whatif);
	}
	queue_close(&queue);
}

/* ---- what is reported ---- */

/* The ids of a list's jobs, each followed by a blank. */
static const char *ids(const struct maui_whatif *whatif, const struct maui_whatif_list *list,
		       char *text, size_t size)
{
	size_t used = 0;

	*text = '\0';
	for (size_t i = 0; i < list->count; i++)
		used += (size_t)snprintf(text + used, size - used, "%u ",
					 maui_whatif_row(&whatif->then, list->jobs[i].job)->job_id);
	return text;
}

Test(whatif, each_change_is_told_once_and_who_moves_most_comes_first)
{
	struct maui_whatif_changes changes;
	struct queue_fixture queue;
	struct maui_whatif whatif;
	char text[128];

	queue_open(&queue, USERS "USERCFG[alice] PRIORITY=40\nUSERCFG[bob] PRIORITY=30 MAXJOB=1\n"
				 "USERCFG[carol] PRIORITY=20\nACCOUNTCFG[phys] MAXJOB=1");
	queue_run(&queue, "alice - - -");
	queue_run(&queue, "bob phys - -");
	queue_add(&queue, 1, 0, "alice - - -");
	queue_add(&queue, 2, 0, "bob - - -");
	queue_add(&queue, 3, 0, "carol - - -");
	queue_add(&queue, 4, 0, "carol phys - -");
	judge(&queue,
	      USERS "USERCFG[alice] PRIORITY=10 MAXJOB=1\nUSERCFG[bob] PRIORITY=30\n"
		    "USERCFG[carol] PRIORITY=20\nACCOUNTCFG[phys] MAXPROC=1",
	      &whatif);
	maui_whatif_changes_find(&whatif, &changes);
	cr_expect_str_eq(ids(&whatif, &changes.movers, text, sizeof(text)), "1 2 3 4 ");
	cr_expect_eq(changes.movers.jobs[0].ranks, 3);
	cr_expect_eq(changes.movers.jobs[0].priority, 30);
	cr_expect_str_eq(ids(&whatif, &changes.blocked, text, sizeof(text)), "1 ");
	cr_expect_str_eq(ids(&whatif, &changes.freed, text, sizeof(text)), "2 ");
	cr_expect_str_eq(ids(&whatif, &changes.otherwise, text, sizeof(text)), "4 ");
	cr_expect_eq(changes.priorities, 1);
	cr_expect_eq(changes.blocked_today, 2);
	cr_expect_eq(changes.blocked_then, 2);
	maui_whatif_changes_clear(&changes);
	maui_whatif_clear(&whatif);
	queue_close(&queue);
}

Test(whatif, of_equal_moves_the_larger_change_of_priority_comes_first)
{
	struct maui_whatif_changes changes;
	struct queue_fixture queue;
	struct maui_whatif whatif;
	char text[64];

	queue_open(&queue, USERS "USERCFG[alice] PRIORITY=40\nUSERCFG[bob] PRIORITY=30");
	queue_add(&queue, 1, 0, "alice - - -");
	queue_add(&queue, 2, 0, "bob - - -");
	judge(&queue, USERS "USERCFG[alice] PRIORITY=39\nUSERCFG[bob] PRIORITY=90", &whatif);
	maui_whatif_changes_find(&whatif, &changes);
	cr_expect_str_eq(ids(&whatif, &changes.movers, text, sizeof(text)), "2 1 ");
	cr_expect_eq(changes.priorities, 2);
	maui_whatif_changes_clear(&changes);
	maui_whatif_clear(&whatif);
	queue_close(&queue);
}

/* ---- windows of fairshare ---- */

#define WINDOWS "FSPOLICY DEDICATEDPS\nFSINTERVAL 1:00:00\nFSDEPTH 4\n"

static const struct {
	const char *then;
	struct maui_whatif_windows lacking;
	bool counted;
} windows[] = {
	{WINDOWS, {.none = false}, true},
	{WINDOWS "FSDECAY 0.5", {.none = false}, true},
	{"", {.none = false}, false}, /* off: nothing is lacking */
	{"FSPOLICY DEDICATEDPS\nFSINTERVAL 1:00:00\nFSDEPTH 7", {.missing = 3}, true},
	{"FSPOLICY DEDICATEDPS\nFSINTERVAL 1:00:00\nFSDEPTH 2", {.none = false}, true},
	{"FSPOLICY DEDICATEDPS\nFSINTERVAL 2:00:00\nFSDEPTH 7", {.interval = true}, true},
	{"FSPOLICY DEDICATEDPES\nFSINTERVAL 1:00:00\nFSDEPTH 4", {.metric = true}, true},
};

Test(whatif, what_is_lacking_of_other_windows_is_told)
{
	for (size_t i = 0; i < sizeof(windows) / sizeof(*windows); i++) {
		const struct maui_whatif_windows *wanted = &windows[i].lacking;
		struct maui_fairshare_settings settings;
		struct queue_fixture queue;
		struct maui_whatif whatif;

		queue_open(&queue, WINDOWS);
		maui_fairshare_settings(queue.policy->config, &settings);
		queue.windows = maui_fairshare_new(&settings, NOW);
		cr_assert_not_null(queue.windows);
		judge(&queue, windows[i].then, &whatif);
		cr_expect_eq(whatif.lacking.none, wanted->none, "%zu", i);
		cr_expect_eq(whatif.lacking.interval, wanted->interval, "%zu", i);
		cr_expect_eq(whatif.lacking.metric, wanted->metric, "%zu", i);
		cr_expect_eq(whatif.lacking.missing, wanted->missing, "%zu: %u", i,
			     whatif.lacking.missing);
		cr_expect_eq(whatif.then.windows != NULL, windows[i].counted, "%zu", i);
		maui_whatif_clear(&whatif);
		queue_close(&queue);
	}
}

Test(whatif, windows_that_nobody_counts_today_are_lacking_as_a_whole)
{
	struct queue_fixture queue;
	struct maui_whatif whatif;

	queue_open(&queue, "");
	judge(&queue, WINDOWS, &whatif);
	cr_expect(whatif.lacking.none);
	cr_expect_null(whatif.then.windows);
	maui_whatif_clear(&whatif);
	queue_close(&queue);
}

/* A hard cap of the other policy, applied to the usage in today's windows. */
Test(whatif, another_cap_is_held_against_what_was_used)
{
	struct maui_fairshare_settings settings;
	struct queue_fixture queue;
	struct maui_whatif whatif;
	char text[256];

	queue_open(&queue, WINDOWS);
	queue_add(&queue, 1, 0, "alice - - -");
	maui_fairshare_settings(queue.policy->config, &settings);
	queue.windows = maui_fairshare_new(&settings, NOW);
	cr_assert_not_null(queue.windows);
	cr_assert_eq(maui_fairshare_reserve(queue.windows, MAUI_USER, 8), 0);
	maui_fairshare_set(queue.windows, MAUI_USER, queue.snapshot->jobs[0].credential[MAUI_USER],
			   0, 2000);
	judge(&queue, WINDOWS "USERCFG[alice] FSTARGET=5000^", &whatif);
	cr_expect_str_eq(told(&whatif, text, sizeof(text)), "1: 1, 2, free -> 1, 2, blocked");
	maui_whatif_clear(&whatif);
	judge(&queue, WINDOWS "USERCFG[alice] FSTARGET=6000^", &whatif);
	cr_expect_str_eq(told(&whatif, text, sizeof(text)), "1: 1, 2, free");
	maui_whatif_clear(&whatif);
	queue_close(&queue);
}
