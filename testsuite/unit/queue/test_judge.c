/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/unit/queue/queue_fixture.h"

static const struct {
	const char *what, *lines;
	const char *running[4];
	const char *jobs[5]; /* 1, 2, ...: "priority user account qos class", and its row's flags */
	const char *verdicts;
} cases[] = {
	{"nothing is limited", "", {"alice - - -"}, {"10 alice - - -"}, "1 free"},
	{"who is at his limit is blocked, and nobody else",
	 "USERCFG[alice] MAXJOB=1",
	 {"alice - - -"},
	 {"10 alice - - -", "5 bob - - -"},
	 "1 blocked: MAXJOB limit of 1 for user alice (1 in use); 2 free"},
	{"a name of maui.cfg that no machine knows limits nobody",
	 "USERCFG[dave] MAXJOB=1",
	 {"alice - - -"},
	 {"10 alice - - -"},
	 "1 free"},
	{"accounts and QOS are in small letters, however maui.cfg has them",
	 "ACCOUNTCFG[Phys] MAXJOB=1",
	 {"alice phys - -"},
	 {"10 bob phys - -"},
	 "1 blocked: MAXJOB limit of 1 for account phys (1 in use)"},
	{"idle limits let in the highest priority",
	 "USERCFG[DEFAULT] MAXIJOB=1",
	 {NULL},
	 {"5 alice - - -", "10 alice - - -", "1 bob - - -"},
	 "1 blocked: MAXIJOB limit of 1 for user 1003 (1 eligible); 2 free; 3 free"},
	{"of equal priority the one that came first",
	 "USERCFG[alice] MAXIJOB=1",
	 {NULL},
	 {"7 alice - - -", "7 alice - - -"},
	 "1 free; 2 blocked: MAXIJOB limit of 1 for user alice (1 eligible)"},
	{"a job that is held takes no idle limit from others, and is not judged",
	 "USERCFG[alice] MAXIJOB=1",
	 {NULL},
	 {"9 alice - - - held", "7 alice - - -"},
	 "1 free; 2 free"},
	{"nor does one that waits for another",
	 "USERCFG[alice] MAXIJOB=1",
	 {NULL},
	 {"9 alice - - - waits", "8 alice - - - depends", "7 alice - - -"},
	 "1 free; 2 free; 3 free"},
	{"over a soft limit: behind all others, in their own order",
	 "USERCFG[alice] MAXJOB=1,4",
	 {"alice - - -"},
	 {"30 alice - - -", "20 alice - - -", "10 bob - - -"},
	 "1 second 2: soft MAXJOB limit of 1 for user alice (1 in use); "
	 "2 second 1: soft MAXJOB limit of 1 for user alice (1 in use); 3 free"},
	{"behind the least of all, where there is room for no more",
	 "USERCFG[alice] MAXJOB=1,4",
	 {"alice - - -"},
	 {"30 alice - - -", "20 alice - - -", "2 bob - - -"},
	 "1 second 1: soft MAXJOB limit of 1 for user alice (1 in use); "
	 "2 second 1: soft MAXJOB limit of 1 for user alice (1 in use); 3 free"},
	{"where all are over a soft limit nobody is in the way",
	 "USERCFG[alice] MAXJOB=1,4",
	 {"alice - - -"},
	 {"30 alice - - -", "20 alice - - -"},
	 "1 second: soft MAXJOB limit of 1 for user alice (1 in use); "
	 "2 second: soft MAXJOB limit of 1 for user alice (1 in use)"},
	{"over the hard limit, too: blocked by that",
	 "USERCFG[alice] MAXJOB=1,2",
	 {"alice - - -", "alice - - -"},
	 {"30 alice - - -", "10 bob - - -"},
	 "1 blocked: MAXJOB limit of 2 for user alice (2 in use); 2 free"},
	{"a priority by hand is above soft limits, and not above hard ones",
	 "USERCFG[alice] MAXJOB=1,2\nUSERCFG[carol] MAXJOB=1",
	 {"alice - - -", "carol - - -"},
	 {"30 alice - - - direct", "30 carol - - - direct", "10 bob - - -"},
	 "1 free; 2 blocked: MAXJOB limit of 1 for user carol (1 in use); 3 free"},
	{"the first limit in the order of credentials is named",
	 "CLASSCFG[batch] MAXJOB=1\nACCOUNTCFG[phys] MAXJOB=1",
	 {"alice phys - batch"},
	 {"10 bob phys - batch"},
	 "1 blocked: MAXJOB limit of 1 for account phys (1 in use)"},
	{"who may not have his QOS is blocked, and takes no idle limit from others",
	 "USERCFG[DEFAULT] QLIST=low\nCLASSCFG[batch] MAXIJOB=1",
	 {NULL},
	 {"10 alice - hi batch", "5 bob - low batch"},
	 "1 blocked: QOS hi is not in QLIST of user 1003 (USERCFG[DEFAULT]); 2 free"},
	{"so is who asks for a reservation that is not for him",
	 "USERCFG[alice] MAXIJOB=1",
	 {NULL},
	 {"10 alice - - - shut-out", "5 alice - - -"},
	 "1 blocked: the reservation that it asks for does not admit it; 2 free"},
	{"one that is held is not told of a QOS",
	 "USERCFG[DEFAULT] QLIST=low",
	 {NULL},
	 {"10 alice - hi batch rejected"},
	 "1 free"},
};

static void add_waiting(struct queue_fixture *queue, uint32_t job_id, const char *text)
{
	unsigned int priority;
	char who[64], said[16] = "";
	int used;
	struct maui_snapshot_row *row;

	cr_assert_eq(sscanf(text, "%u %n", &priority, &used), 1, "%s", text);
	sscanf(text, "%*u %*s %*s %*s %*s %15s", said);
	snprintf(who, sizeof(who), "%s", text + used);
	row = queue_add(queue, job_id, priority, who);
	if (!strcmp(said, "held"))
		row->state = MAUI_ROW_HELD;
	else if (!strcmp(said, "direct"))
		row->state = MAUI_ROW_DIRECT;
	else if (!strcmp(said, "rejected"))
		row->state = MAUI_ROW_REJECTED;
	else if (!strcmp(said, "waits"))
		row->waits = true;
	else if (!strcmp(said, "depends"))
		row->violations = MAUI_VIOLATES_DEPENDENCY;
	else if (!strcmp(said, "shut-out"))
		row->shut_out = true;
	else
		cr_assert_eq(*said, '\0', "%s", text);
}

Test(judge, who_is_refused_and_why)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct queue_fixture queue;
		char text[2048];

		queue_open(&queue, cases[i].lines);
		for (size_t k = 0; k < 4 && cases[i].running[k]; k++)
			queue_run(&queue, cases[i].running[k]);
		for (uint32_t k = 0; k < 5 && cases[i].jobs[k]; k++)
			add_waiting(&queue, k + 1, cases[i].jobs[k]);
		queue_judge(&queue);
		cr_expect_str_eq(queue_verdicts(&queue, text, sizeof(text)), cases[i].verdicts,
				 "%s: %s", cases[i].what, text);
		queue_close(&queue);
	}
}

Test(judge, blocked_jobs_are_counted_and_those_over_a_soft_limit_with_them)
{
	struct queue_fixture queue;

	queue_open(&queue, "USERCFG[alice] MAXJOB=1\nUSERCFG[bob] MAXJOB=1,4");
	queue_run(&queue, "alice - - -");
	queue_run(&queue, "bob - - -");
	queue_add(&queue, 1, 10, "alice - - -");
	queue_add(&queue, 2, 10, "bob - - -");
	queue_add(&queue, 3, 10, "carol - - -");
	queue_judge(&queue);
	cr_expect_eq(queue.judgement.blocked, 2);
	queue_close(&queue);
}

/* Two rows of one job, in the partitions of `one` and `other`. */
static void add_two(struct queue_fixture *queue, uint32_t job_id, uint32_t first_priority,
		    const char *one, uint32_t second_priority, const char *other)
{
	struct maui_snapshot_row *row = queue_add(queue, job_id, first_priority, one);

	row->parts = 2;
	row = queue_add(queue, job_id, second_priority, other);
	row->parts = 2;
	row->position = 1;
}

Test(judge, a_job_of_two_partitions_is_judged_where_its_priority_is_highest)
{
	struct queue_fixture queue;
	char text[512];

	queue_open(&queue, "CLASSCFG[a] MAXIJOB=1\nCLASSCFG[b] MAXIJOB=1");
	add_two(&queue, 1, 5, "alice - - a", 9, "alice - - b");
	queue_add(&queue, 3, 8, "bob - - b");
	queue_judge(&queue);
	cr_expect_eq(queue.judgement.jobs[0].best, 1);
	cr_expect_str_eq(queue_verdicts(&queue, text, sizeof(text)),
			 "1 free; 3 blocked: MAXIJOB limit of 1 for class b (1 eligible)");
	queue_close(&queue);
}

Test(judge, a_partition_that_starts_nothing_is_not_the_best_however_high_its_priority)
{
	struct queue_fixture queue;

	queue_open(&queue, "");
	add_two(&queue, 1, 9, "alice - - a", 5, "alice - - b");
	queue.snapshot->rows[0].violations = MAUI_VIOLATES_CLASS;
	queue_judge(&queue);
	cr_expect_eq(queue.judgement.jobs[0].best, 1);
	queue_close(&queue);
}

Test(judge, blocked_in_one_partition_and_free_in_another_is_free)
{
	static const struct {
		const char *what, *lines, *running, *second, *verdicts;
	} other[] = {
		{"no limit there", "CLASSCFG[a] MAXJOB=1", "bob - - a", "alice - - b", "1 free"},
		{"a limit there, too", "CLASSCFG[DEFAULT] MAXJOB=1\nUSERCFG[alice] MAXJOB=1",
		 "alice - - a", "alice - - b",
		 "1 blocked: MAXJOB limit of 1 for user alice (1 in use)"},
	};

	for (size_t i = 0; i < sizeof(other) / sizeof(*other); i++) {
		struct queue_fixture queue;
		char text[512];

		queue_open(&queue, other[i].lines);
		queue_run(&queue, other[i].running);
		add_two(&queue, 1, 9, "alice - - a", 5, other[i].second);
		queue_judge(&queue);
		cr_expect_str_eq(queue_verdicts(&queue, text, sizeof(text)), other[i].verdicts,
				 "%s: %s", other[i].what, text);
		queue_close(&queue);
	}
}

/* ---- parts of a heterogeneous job ---- */

static void add_part(struct queue_fixture *queue, uint32_t job_id, uint32_t leader, double procs,
		     const char *who)
{
	size_t row = queue->snapshot->count;
	struct maui_part_request *part;
	struct maui_priority_job all;

	queue_add(queue, job_id, 10, who);
	all = queue->snapshot->jobs[row];
	all.procs = procs;
	part = maui_snapshot_add_part(queue->snapshot);
	cr_assert_not_null(part);
	*part = (struct maui_part_request){
		.row = row, .leader = leader, .job = maui_limit_job_of(&all)};
}

Test(judge, parts_stand_and_fall_with_the_first_of_their_job)
{
	struct queue_fixture queue;
	char text[1024];

	queue_open(&queue, "USERCFG[alice] MAXPROC=3");
	add_part(&queue, 1, 0, 4, "alice - - -"); /* 4 in total, although each asks for only 1 */
	add_part(&queue, 2, 1, 4, "alice - - -");
	add_part(&queue, 3, 0, 3, "alice - - -");
	add_part(&queue, 4, 3, 3, "alice - - -");
	queue_judge(&queue);
	cr_expect_str_eq(queue_verdicts(&queue, text, sizeof(text)),
			 "1 blocked: MAXPROC limit of 3 for user alice (0 in use, 4 asked for); "
			 "2 blocked: MAXPROC limit of 3 for user alice (0 in use, 4 asked for); "
			 "3 free; 4 free");
	cr_expect_eq(queue.judgement.blocked, 2);
	queue_close(&queue);
}

Test(judge, a_part_whose_first_one_is_not_waiting_is_judged_itself)
{
	struct queue_fixture queue;
	char text[256];

	queue_open(&queue, "USERCFG[alice] MAXPROC=3");
	add_part(&queue, 1, 0, 1, "alice - - -");
	add_part(&queue, 3, 2, 4, "alice - - -");
	queue_judge(&queue);
	cr_expect_str_eq(queue_verdicts(&queue, text, sizeof(text)),
			 "1 free; 3 blocked: MAXPROC limit of 3 for user alice (0 in use, 4 asked "
			 "for)");
	queue_close(&queue);
}

/* ---- what Slurm would have given it ---- */

static const struct maui_limit_job *
whole_nodes(const void *context, const struct maui_snapshot *snapshot, size_t first, size_t row)
{
	(void)row;
	return snapshot->rows[first].job_id == 2 ? context : NULL;
}

Test(judge, a_job_that_would_get_more_than_it_asks_for_is_judged_by_that)
{
	static const struct maui_limit_job got = {.procs = 8, .nodes = 1};
	struct queue_fixture queue;
	char text[512];

	queue_open(&queue, "USERCFG[DEFAULT] MAXPROC=4");
	queue_add(&queue, 1, 10, "alice - - -");
	queue_add(&queue, 2, 10, "bob - - -");
	queue.judgement.snapshot = queue.snapshot;
	queue.judgement.rules.limits = queue.limits;
	queue.judgement.rules.usage = queue.usage;
	maui_judge_list(&queue.judgement);
	maui_judge_ask(&queue.judgement, 0, 2, whole_nodes, &got);
	cr_assert_eq(maui_judge_all(&queue.judgement), 0);
	cr_expect_str_eq(queue_verdicts(&queue, text, sizeof(text)),
			 "1 free; 2 blocked: MAXPROC limit of 4 for user 1002 (0 in use, 8 asked "
			 "for)");
	queue_close(&queue);
}

/* By row; 0: not known. */
static const struct maui_limit_job *
by_place(const void *context, const struct maui_snapshot *snapshot, size_t first, size_t row)
{
	const struct maui_limit_job *got = &((const struct maui_limit_job *)context)[row];

	(void)snapshot;
	(void)first;
	return got->procs ? got : NULL;
}

/* A job in two partitions, the first with the higher priority, under MAXPROC=4. */
Test(judge, what_it_would_get_counts_in_each_of_its_partitions)
{
	static const struct {
		int64_t got[2]; /* processors */
		const char *verdict;
	} places[] = {
		{{0, 0}, "1 free"},
		{{8, 0}, "1 free"},
		{{0, 8}, "1 free"},
		{{8, 4}, "1 free"},
		{{8, 6}, "1 blocked: MAXPROC limit of 4 for user"},
	};
	struct queue_fixture queue;
	char text[512];

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		struct maui_limit_job got[2] = {{.procs = places[i].got[0]},
						{.procs = places[i].got[1]}};

		queue_open(&queue, "USERCFG[DEFAULT] MAXPROC=4");
		queue_add(&queue, 1, 10, "alice - - batch")->parts = 2;
		queue_add(&queue, 1, 9, "alice - - small")->parts = 2;
		queue.snapshot->rows[1].position = 1;
		queue.judgement.snapshot = queue.snapshot;
		queue.judgement.rules.limits = queue.limits;
		queue.judgement.rules.usage = queue.usage;
		maui_names_freeze(queue.names, &queue.snapshot->names);
		maui_judge_list(&queue.judgement);
		maui_judge_ask(&queue.judgement, 0, 1, by_place, got);
		cr_assert_eq(maui_judge_all(&queue.judgement), 0);
		queue_verdicts(&queue, text, sizeof(text));
		cr_expect(!strncmp(text, places[i].verdict, strlen(places[i].verdict)),
			  "case %zu: %s", i, text);
		queue_close(&queue);
	}
}

/* ---- hard caps of fairshare ---- */

Test(judge, a_hard_cap_blocks_whom_limits_do_not)
{
	const uint32_t *credential;
	struct maui_fairshare_settings settings;
	struct queue_fixture queue;
	char text[1024];

	queue_open(&queue, "FSPOLICY DEDICATEDPS\nFSINTERVAL 1:00:00\nFSDEPTH 1\n"
			   "USERCFG[alice] FSTARGET=5000^\nUSERCFG[bob] MAXJOB=1 FSTARGET=1^");
	queue_run(&queue, "bob - - -");
	queue_add(&queue, 1, 10, "alice - - -");
	queue_add(&queue, 2, 10, "bob - - -");
	queue_add(&queue, 3, 10, "carol - - -");
	maui_fairshare_settings(queue.policy->config, &settings);
	queue.windows = maui_fairshare_new(&settings, NOW);
	cr_assert_not_null(queue.windows);
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		cr_assert_eq(maui_fairshare_reserve(queue.windows, type, 8), 0);
	credential = queue.snapshot->jobs[0].credential;
	maui_fairshare_set(queue.windows, MAUI_USER, credential[MAUI_USER], 0, 2000);
	queue_judge(&queue);
	queue_verdicts(&queue, text, sizeof(text));
	cr_expect(!strncmp(text,
			   "1 blocked: FSTARGET cap of 5000 processor-seconds for user alice (2000 "
			   "used, 3600 asked for, below: ",
			   94),
		  "%s", text);
	cr_expect_not_null(strstr(text, "; 2 blocked: MAXJOB limit of 1 for user bob (1 in use); "
					"3 free"),
			   "%s", text);
	queue_close(&queue);
}

Test(judge, without_rules_everybody_is_free)
{
	struct queue_fixture queue;
	char text[256];

	queue_open(&queue, "USERCFG[DEFAULT] MAXJOB=1 QLIST=low");
	queue_run(&queue, "alice - - -");
	queue_add(&queue, 1, 10, "alice - hi -");
	queue.judgement.snapshot = queue.snapshot;
	maui_judge_list(&queue.judgement);
	maui_judge_ask(&queue.judgement, 0, 1, queue_got, NULL);
	cr_assert_eq(maui_judge_all(&queue.judgement), 0);
	cr_expect_str_eq(queue_verdicts(&queue, text, sizeof(text)), "1 free");
	queue_close(&queue);
}
