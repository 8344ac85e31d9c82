/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "testsuite/unit/policy/reservation/reservation_fixture.h"

/* "user group account qos class", '-' for none; then seconds, processors, tasks, attribute. */
struct acl_case {
	const char *lines;
	const char *job;
	const char *outcome; /* '+', '=', '-', '0' (no affinity), or 'x' refused; then why */
};

#define BOB "bob staff acme hi batch 3600 4 2 -"
#define JOE "joe phys - - - 3600 4 2 -"

static const struct acl_case cases[] = {
	/* Listed or not. */
	{"USERLIST=bob", BOB, "+ USER==bob+ gives access"},
	{"USERLIST=joe", BOB, "x no list names the job"},
	{"USERLIST=joe GROUPLIST=staff", BOB, "+ GROUP==staff+ gives access"},
	{"USERLIST=joe,ann ACCOUNTLIST=x,acme", BOB, "+ ACCT==acme+ gives access"},
	{"QOSLIST=hi", JOE, "x no list names the job"},
	{"QOSLIST=DEFAULT", JOE, "+ QOS==DEFAULT+ gives access"},
	{"QOSLIST=DEFAULT", BOB, "x no list names the job"},
	{"ACCOUNTLIST=DEFAULT", JOE, "x no list names the job"},
	{"USERLIST=nobody", JOE, "x no list names the job"},
	{"USERLIST=Bob", BOB, "x no list names the job"},
	/* Affinity. */
	{"USERLIST=bob-", BOB, "- USER==bob- gives access"},
	{"USERLIST=bob=", BOB, "= USER==bob= gives access"},
	{"USERLIST=bob- GROUPLIST=staff", BOB, "+ GROUP==staff+ gives access"},
	{"GROUPLIST=staff USERLIST=bob-", BOB, "- USER==bob- gives access"},
	{"USERLIST=bob- TIMELIMIT=2:00:00", BOB, "- DURATION<=2:00:00+ gives access"},
	{"USERLIST=bob- TIMELIMIT=2:00:00=", BOB, "= DURATION<=2:00:00= gives access"},
	{"USERLIST=joe- TIMELIMIT=2:00:00", BOB, "+ DURATION<=2:00:00+ gives access"},
	/* Required. */
	{"USERLIST=bob*", BOB, "+ USER==bob+* is met"},
	{"USERLIST=bob*", JOE, "x USER==bob+* is required"},
	{"USERLIST=bob* GROUPLIST=phys", BOB, "x no list names the job"},
	{"USERLIST=bob* GROUPLIST=staff", BOB, "+ GROUP==staff+ gives access"},
	{"USERLIST=nobody*", BOB, "x USER==nobody+* is required"},
	{"TIMELIMIT=1:00:00*", BOB, "+ DURATION<=1:00:00+* is met"},
	{"TIMELIMIT=59:59*", BOB, "x DURATION<=59:59+* is required"},
	/* NOT. */
	{"ACCOUNTLIST=!acme", BOB, "x ACCT==acme+! denies access"},
	{"ACCOUNTLIST=!acme", JOE, "0 ACCT==acme+! does not name the job"},
	{"USERLIST=bob ACCOUNTLIST=!acme", BOB, "x ACCT==acme+! denies access"},
	{"QOSLIST=hi,low ACCOUNTLIST=!x", JOE, "0 ACCT==x+! does not name the job"},
	{"QOSLIST=hi- ACCOUNTLIST=!x", BOB, "- QOS==hi- gives access"},
	{"ACCOUNTLIST=*!acme", JOE, "0 ACCT==acme+*! is met"},
	{"ACCOUNTLIST=*!acme USERLIST=ann", JOE, "x no list names the job"},
	{"ACCOUNTLIST=!*acme USERLIST=bob", BOB, "x ACCT==acme+*! denies access"},
	{"USERLIST=!nobody", BOB, "0 USER==nobody+! does not name the job"},
	/* ^ */
	{"USERLIST=^bob", BOB, "x the list admits nobody"},
	{"USERLIST=^bob,joe", BOB, "x no list names the job"},
	{"USERLIST=^bob GROUPLIST=staff", BOB, "+ GROUP==staff+ gives access"},
	{"USERLIST=^bob*", BOB, "x USER==bob+*^ is required"},
	/* Numbers. */
	{"PROCLIMIT=4", BOB, "+ PROC<=4+ gives access"},
	{"PROCLIMIT=3", BOB, "x no list names the job"},
	{"PROCLIMIT<4", BOB, "x no list names the job"},
	{"PROCLIMIT>=4", BOB, "+ PROC>=4+ gives access"},
	{"PROCLIMIT>3", BOB, "+ PROC>3+ gives access"},
	{"PROCLIMIT=3,==4", BOB, "+ PROC==4+ gives access"},
	{"PROCLIMIT=3,==5", BOB, "x no list names the job"},
	{"TASKLIMIT=2", BOB, "+ TASK<=2+ gives access"},
	{"TASKLIMIT=1", BOB, "x no list names the job"},
	{"TIMELIMIT=2:00:00 MAXTIME=30:00*", BOB, "x DURATION<=30:00+* is required"},
	{"MAXTIME=30:00", BOB, "x no list names the job"},
	{"TIMELIMIT=1:00:00 TIMELOGIC=AND", BOB, "+ DURATION<=1:00:00+* is met"},
	{"TIMELIMIT=1:00:00 TIMELOGIC=OR", BOB, "+ DURATION<=1:00:00+ gives access"},
	{"TIMELIMIT=1:00:00 TIMELOGIC=AND USERLIST=joe", BOB, "x no list names the job"},
	/* Attributes. */
	{"JOBATTRLIST=PREEMPTEE", BOB, "x no list names the job"},
	{"JOBATTRLIST=PREEMPTEE", "bob staff acme hi batch 1 1 1 preemptee",
	 "+ JFEATURE==PREEMPTEE+ gives access"},
	{"JOBATTRLIST=!PREEMPTEE", "bob staff acme hi batch 1 1 1 PREEMPTEE",
	 "x JFEATURE==PREEMPTEE+! denies access"},
	/* Nobody. */
	{"DEPTH=2", BOB, "x the list admits nobody"},
	/* The manual's example 4. */
	{"TIMELIMIT=1:00:00* QOSLIST=high low special- ACCOUNTLIST=!projectX,!projectY",
	 "u g projectZ special - 600 1 1 -", "- QOS==special- gives access"},
	{"TIMELIMIT=1:00:00* QOSLIST=high low special- ACCOUNTLIST=!projectX,!projectY",
	 "u g projectX high - 600 1 1 -", "x ACCT==projectX+! denies access"},
	{"TIMELIMIT=1:00:00* QOSLIST=high low special- ACCOUNTLIST=!projectX,!projectY",
	 "u g projectZ none - 600 1 1 -", "+ ACCT==projectX+! does not name the job"},
};

static void read_job(struct reservations *reservations, const char *text, struct maui_acl_job *job)
{
	char copy[128], *rest, *word;
	const char *attribute;

	*job = (struct maui_acl_job){.tasks = 0};
	snprintf(copy, sizeof(copy), "%s", text);
	word = strtok_r(copy, " ", &rest);
	for (unsigned int type = 0; type < MAUI_CREDENTIALS; type++) {
		if (*word != '-')
			job->credential[type] = reservations_id(reservations, type, word);
		word = strtok_r(NULL, " ", &rest);
	}
	job->duration = strtol(word, NULL, 10);
	job->procs = strtol(strtok_r(NULL, " ", &rest), NULL, 10);
	job->tasks = strtol(strtok_r(NULL, " ", &rest), NULL, 10);
	attribute = strtok_r(NULL, " ", &rest);
	job->attributes = maui_acl_attribute(attribute, strlen(attribute));
}

Test(acl, cases)
{
	static const char marks[MAUI_AFFINITIES] = {[MAUI_AFFINITY_POSITIVE] = '+',
						    [MAUI_AFFINITY_NEUTRAL] = '=',
						    [MAUI_AFFINITY_NEGATIVE] = '-',
						    [MAUI_AFFINITY_NONE] = '0'};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct reservations reservations;
		struct maui_acl_verdict verdict;
		struct maui_acl_job job;
		const struct maui_acl *acl;
		char lines[512], why[MAUI_ACL_TEXT_SIZE], outcome[MAUI_ACL_TEXT_SIZE + 2];
		bool granted;

		snprintf(lines, sizeof(lines), "SRCFG[x] TASKCOUNT=1 %s\n", cases[i].lines);
		reservations_open(&reservations, lines);
		read_job(&reservations, cases[i].job, &job);
		acl = maui_sr_find(reservations.settings, "x")->acl;
		granted = maui_acl_evaluate(acl, &job, &verdict);
		snprintf(outcome, sizeof(outcome), "%c %s", granted ? marks[verdict.affinity] : 'x',
			 maui_acl_text(acl, &verdict, why));
		cr_expect_str_eq(outcome, cases[i].outcome, "%s for %s: %s", cases[i].lines,
				 cases[i].job, outcome);
		cr_expect_eq(granted, verdict.granted);
		reservations_close(&reservations);
	}
}

static uint32_t number_of(void *context, enum maui_credential type, const char *name)
{
	return (uint32_t)strtoul(name + 1, NULL, 10);
}

/* A list of thousands gives the same answers as checking it item by item. */
Test(acl, large_list)
{
	const struct maui_limit_names names = {number_of, NULL};
	static struct maui_acl_item items[6000];
	static char texts[6000][16];
	struct maui_acl *acl = NULL;

	for (uint32_t i = 0; i < 6000; i++) {
		const char *mark = i % 7 == 3 ? "!" : i % 11 == 5 ? "-" : "";

		snprintf(texts[i], sizeof(texts[i]), "u%u%s", (i * 7919) % 4001 + 1, mark);
		cr_assert_eq(maui_acl_item_read(i % 3 ? MAUI_USER : MAUI_GROUP, texts[i],
						strlen(texts[i]), &names, &items[i], NULL),
			     0);
	}
	cr_assert_eq(maui_acl_compile(items, 6000, &acl, NULL), 0);
	for (uint32_t id = 0; id < 4200; id += 3) {
		struct maui_acl_job job = {.credential = {id, id / 2}};
		struct maui_acl_verdict verdict;
		enum maui_affinity affinity = MAUI_AFFINITY_NONE;
		bool denied = false;

		for (uint32_t i = 0; i < 6000 && !denied; i++) {
			if (!items[i].id || items[i].id != job.credential[items[i].type])
				continue;
			denied = items[i].deny;
			if (!denied)
				affinity = items[i].affinity;
		}
		maui_acl_evaluate(acl, &job, &verdict);
		cr_assert_eq(verdict.granted, !denied, "%u", id);
		cr_assert_eq(verdict.affinity, affinity, "%u", id);
	}
	maui_acl_free(acl);
}

Test(acl, items_that_are_none)
{
	const struct maui_limit_names names = {number_of, NULL};
	struct maui_acl_item item = {.value = 77};
	struct maui_error error;

	for (const char *const *text = (const char *const[]){"", "*", "!^", "<=", NULL}; *text;
	     text++)
		cr_expect_eq(
			maui_acl_item_read(MAUI_USER, *text, strlen(*text), &names, &item, &error),
			-EINVAL, "%s", *text);
	cr_expect_eq(maui_acl_item_read(MAUI_ACL_PROCS, "x4", 2, &names, &item, &error), -EINVAL);
	cr_expect_str_eq(error.text, "'x4' is not a number");
	cr_expect_eq(maui_acl_item_read(MAUI_ACL_DURATION, "soon", 4, &names, &item, &error),
		     -EINVAL);
	cr_expect_eq(item.value, 77);
	cr_assert_eq(maui_acl_item_read(MAUI_ACL_PROCS, "==4", 3, &names, &item, &error), 0);
	cr_expect(item.comparison == MAUI_ACL_IS && item.value == 4);
	/* A single '=' belongs to the attribute. */
	cr_assert_eq(maui_acl_item_read(MAUI_ACL_PROCS, "=4", 2, &names, &item, &error), 0);
	cr_expect(item.comparison == MAUI_ACL_AT_MOST && item.value == 4);
	/* A mark after nothing is a name. */
	cr_assert_eq(maui_acl_item_read(MAUI_USER, "-", 1, &names, &item, &error), 0);
	cr_expect(item.name_size == 1 && item.affinity == MAUI_AFFINITY_POSITIVE);
	cr_assert_eq(maui_acl_item_read(MAUI_USER, "u7-", 3, &names, &item, &error), 0);
	cr_expect(item.name_size == 2 && item.affinity == MAUI_AFFINITY_NEGATIVE);
	/* Only one mark may follow a name: what precedes it belongs to the name. */
	cr_assert_eq(maui_acl_item_read(MAUI_QOS, "q7-*", 4, &names, &item, &error), 0);
	cr_expect(item.required && item.name_size == 3 && item.affinity == MAUI_AFFINITY_POSITIVE);
	cr_expect_eq(maui_acl_compile(&item, MAUI_ACL_ITEMS + 1, NULL, &error), -E2BIG);
}

Test(acl, nobody)
{
	struct maui_acl_job job = {.procs = 1};
	struct maui_acl_verdict verdict;
	const struct maui_acl_item *items;

	cr_expect_not(maui_acl_evaluate(NULL, &job, &verdict));
	cr_expect_eq(verdict.reason, MAUI_ACL_NOBODY);
	cr_expect_eq(maui_acl_items(NULL, &items), 0);
	cr_expect_not(maui_acl_has_duration(NULL));
	cr_expect_null(maui_acl_free(NULL));
	cr_expect_eq(maui_acl_attribute("NOSUCH", 6), 0);
	cr_expect_str_eq(maui_acl_type_name(99), "");
}
