/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The queue, out of memory at every allocation: it is reported, and nothing leaks. */
#include <errno.h>

#include "common/queue/bypass.h"
#include "common/queue/whatif_changes.h"
#include "testsuite/unit/queue/queue_fixture.h"
#include "testsuite/unit/short_allocator.h"

#define WINDOWS "FSPOLICY DEDICATEDPS\nFSINTERVAL 1:00:00\nFSDEPTH 4\n"
#define TODAY                                                                                      \
	WINDOWS "USERCFG[alice] MAXJOB=1 QLIST=hi\nUSERCFG[bob] PRIORITY=7\nGROUPCFG[staff] "      \
		"MAXPROC=9\nACCOUNTCFG[phys] MAXJOB=2\nSRCFG[a] USERLIST=carol\nADMIN1 alice "     \
		"bob\n"
#define THEN WINDOWS "USERCFG[alice] MAXJOB=2 QLIST=hi\nCLASSCFG[new] MAXIJOB=1\n"

static struct queue_fixture queue;
static size_t complaints;

static void complain(const char *text)
{
	complaints++;
	cr_expect(strstr(text, "out of memory"), "%s", text);
}

/* Two jobs, the second in two parts, and one that runs. */
static void open_queue(void)
{
	struct maui_fairshare_settings settings;

	queue_open(&queue, TODAY);
	queue_run(&queue, "alice phys - -");
	queue_add(&queue, 1, 5, "alice - hi batch");
	queue_add(&queue, 2, 4, "bob phys - batch");
	queue_add(&queue, 3, 4, "bob phys - batch");
	for (size_t row = 1; row < 3; row++) {
		struct maui_part_request *part = maui_snapshot_add_part(queue.snapshot);

		cr_assert_not_null(part);
		*part = (struct maui_part_request){.row = row, .leader = row == 2 ? 2 : 0};
	}
	for (size_t row = 0; row < 3; row++)
		queue.snapshot->jobs[row].weights = maui_names_weights(
			queue.names, queue.snapshot->jobs[row].credential[MAUI_CLASS]);
	maui_fairshare_settings(queue.policy->config, &settings);
	queue.windows = maui_fairshare_new(&settings, NOW);
	cr_assert_not_null(queue.windows);
	cr_assert_eq(maui_names_freeze(queue.names, &queue.snapshot->names), 0);
	complaints = 0;
}

static void close_queue(void)
{
	queue_close(&queue);
}

TestSuite(queue_memory, .init = open_queue, .fini = close_queue);

/* ---- what there is no half of ---- */

static int make_names(void)
{
	struct maui_names *names = maui_names_new(complain);
	int rc = names ? 0 : -ENOMEM;

	maui_names_free(names);
	return rc;
}

static int make_frozen_names(void)
{
	struct maui_frozen_names frozen;
	int rc = maui_names_freeze(queue.names, &frozen);

	if (!rc)
		maui_frozen_names_clear(&frozen);
	return rc;
}

static int make_principals(void)
{
	struct maui_principals *principals = queue_principals(queue.policy->config);
	int rc = principals ? 0 : -ENOMEM;

	maui_principals_free(principals);
	return rc;
}

static int make_snapshot(void)
{
	struct maui_snapshot *snapshot = maui_snapshot_new(queue.policy, 1);
	int rc = snapshot ? 0 : -ENOMEM;

	for (int i = 0; !rc && i < 2; i++)
		if (maui_snapshot_add(snapshot) < 0 || !maui_snapshot_add_part(snapshot))
			rc = -ENOMEM;
	maui_snapshot_unref(snapshot);
	return rc;
}

static int make_judgement(void)
{
	struct maui_judgement judgement = {.snapshot = queue.snapshot,
					   .rules = {.limits = queue.limits,
						     .usage = queue.usage,
						     .windows = queue.windows,
						     .qos = queue.qos}};
	int rc = maui_judge_list(&judgement);

	if (!rc) {
		maui_judge_ask(&judgement, 0, judgement.count, queue_got, NULL);
		rc = maui_judge_all(&judgement);
	}
	maui_judge_clear(&judgement);
	return rc;
}

/* As test_whatif.c does, with memory enough for the facts. */
static void collect(struct maui_whatif *whatif)
{
	struct maui_whatif_facts *facts = &whatif->facts;

	*whatif = (struct maui_whatif){.then.policy = queue_policy(THEN)};
	facts->snapshot = maui_snapshot_ref(queue.snapshot);
	facts->windows = maui_fairshare_copy(queue.windows);
	facts->active = calloc(1, sizeof(*facts->active));
	facts->refused = calloc(queue.snapshot->count, 1);
	facts->got = calloc(1, sizeof(*facts->got));
	cr_assert(facts->windows && facts->active && facts->refused && facts->got);
	cr_assert_eq(maui_names_freeze(queue.names, &facts->names), 0);
	facts->active[facts->active_count++] = (struct maui_limit_active){
		.job = queue.running[0].job, .ends = queue.running[0].ends};
	facts->enforced = true;
	facts->now = NOW;
}

/* The engine's names have enough: they complain themselves (see below). */
static uint32_t id_today(void *context, enum maui_credential type, const char *name)
{
	struct shortage short_now = shortage;
	uint32_t id;

	shortage.at = 0;
	id = queue_id(context, type, name);
	shortage = short_now;
	return id;
}

static int make_whatif(void)
{
	struct maui_limit_names today = {id_today, queue.names};
	struct shortage short_now = shortage;
	struct maui_principals *principals;
	struct maui_whatif whatif;
	int rc;

	shortage.at = 0;
	collect(&whatif);
	principals = queue_principals(whatif.then.policy->config);
	cr_assert_not_null(principals);
	shortage = short_now;
	rc = maui_whatif_judge(&whatif, principals, &today);
	if (!rc) {
		struct maui_whatif_changes changes;

		rc = maui_whatif_changes_find(&whatif, &changes);
		maui_whatif_changes_clear(&changes);
	}
	maui_whatif_clear(&whatif);
	return rc;
}

static const struct {
	const char *name;
	int (*make)(void); /* 0 or -ENOMEM; leaves nothing */
} makers[] = {
	{"names", make_names},           {"frozen names", make_frozen_names},
	{"principals", make_principals}, {"a snapshot", make_snapshot},
	{"a judgement", make_judgement}, {"a what-if", make_whatif},
};

Test(queue_memory, a_shortage_anywhere_is_an_error)
{
	for (size_t i = 0; i < sizeof(makers) / sizeof(*makers); i++) {
		size_t total;

		shortage_begin(0, false);
		cr_assert_eq(makers[i].make(), 0, "%s", makers[i].name);
		total = shortage_end();
		cr_expect_geq(total, 4, "%s: %zu", makers[i].name, total);
		for (size_t at = 1; at <= total; at++) {
			shortage_begin(at, true);
			cr_expect_eq(makers[i].make(), -ENOMEM, "%s: %zu of %zu", makers[i].name,
				     at, total);
			shortage_end();
		}
	}
}

/* ---- what goes on with less ---- */

Test(queue_memory, a_credential_that_finds_no_room_is_nobody_and_one_complaint)
{
	struct maui_names *names = maui_names_new(complain);

	cr_assert_not_null(names);
	shortage_begin(1, false);
	cr_expect_eq(maui_names_of_number(names, MAUI_USER, 7), MAUI_NO_CREDENTIAL);
	cr_expect_eq(maui_names_of_text(names, MAUI_CLASS, "batch"), MAUI_NO_CREDENTIAL);
	cr_expect_eq(maui_names_of_name(names, MAUI_USER, "alice"), MAUI_NO_CREDENTIAL);
	cr_expect_eq(maui_names_of_configured(names, MAUI_QOS, "HI"), MAUI_NO_CREDENTIAL);
	shortage_end();
	cr_expect_eq(complaints, 1);
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		cr_expect_eq(maui_names_count(names, type), 0);
	cr_expect_eq(maui_names_of_number(names, MAUI_USER, 7), 1);
	cr_expect_eq(maui_names_of_text(names, MAUI_CLASS, "batch"), 1);
	maui_names_free(names);
}

/* The first room of each table is for 63: with the 64th all its arrays have to grow. */
Test(queue_memory, tables_that_cannot_grow_keep_what_they_have)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		bool numeric = type == MAUI_USER || type == MAUI_GROUP;
		struct maui_names *names = maui_names_new(complain);
		size_t at = 0;
		uint32_t id = 0;
		char name[16];

		cr_assert_not_null(names);
		for (uint32_t number = 1; number <= 63; number++) {
			snprintf(name, sizeof(name), "n%u", number);
			id = numeric ? maui_names_of_number(names, type, number)
				     : maui_names_of_text(names, type, name);
		}
		cr_expect_eq(id, 63);
		for (id = 0; !id && at < 9;) {
			cr_expect_eq(maui_names_count(names, type), 63);
			shortage_begin(++at, true);
			id = numeric ? maui_names_of_number(names, type, 64)
				     : maui_names_of_text(names, type, "n64");
			shortage_end();
		}
		cr_expect_eq(id, 64);
		cr_expect_geq(at, numeric ? 5 : 3, "%d: %zu", type, at);
		cr_expect_eq(complaints, 1);
		complaints = 0;
		maui_names_free(names);
	}
}

Test(queue_memory, a_name_that_finds_no_room_labels_nobody)
{
	uint32_t id, number = maui_names_of_number(queue.names, MAUI_USER, 4711);
	char text[MAUI_NAMES_NUMBER_SIZE];

	shortage_begin(1, false);
	cr_expect_eq(maui_names_set_label(queue.names, MAUI_USER, 4711, "eve", &id),
		     MAUI_NO_CREDENTIAL);
	shortage_end();
	cr_expect_eq(id, number);
	cr_expect_str_eq(maui_names_text(queue.names, MAUI_USER, number, text), "4711");
}

static struct maui_jobs *jobs; /* there is one as long as slurmctld lives */

Test(queue_memory, a_job_that_finds_no_room_is_not_tracked_until_there_is_some)
{
	struct maui_tracked_job *job;

	shortage_begin(1, false);
	cr_expect_null(maui_jobs_new());
	shortage_end();
	jobs = maui_jobs_new();
	for (size_t at = 1; at <= 3; at++) {
		shortage_begin(at, true);
		cr_expect_null(maui_jobs_track(jobs, 7, NOW), "%zu", at);
		shortage_end();
		cr_expect_null(maui_jobs_find(jobs, 7));
	}
	job = maui_jobs_track(jobs, 7, NOW);
	cr_assert_not_null(job);
	cr_assert_eq(maui_tracked_job_resize(job, 1), 0);
	shortage_begin(1, true);
	cr_expect_eq(maui_tracked_job_resize(job, 2), -ENOMEM);
	shortage_end();
	cr_expect_eq(job->part_count, 0);
}

/* A start that finds no room is not counted, and is new again in the next pass. */
Test(queue_memory, a_start_that_finds_no_room_is_counted_in_the_next_pass)
{
	static const struct maui_bypass_start start = {
		.job_id = 8, .arrival = 8, .priority = 1, .time = NOW};

	for (size_t at = 1; at <= 2; at++) {
		struct maui_bypass *bypass = maui_bypass_new();

		cr_assert_not_null(bypass);
		for (int pass = 0; pass < 2; pass++) {
			maui_bypass_begin(bypass, NOW);
			shortage_begin(pass ? 0 : at, true);
			maui_bypass_see(bypass, &start);
			shortage_end();
			maui_bypass_sort(bypass);
			cr_expect_eq(maui_bypass_count(bypass, 7, 1, NOW - 1), pass, "%zu", at);
			cr_expect_eq(maui_bypass_done(bypass), pass);
		}
		maui_bypass_free(bypass);
	}
}
