/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a page is made of: one maui.queue/1, and the engine's answers to what other commands ask. */
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/report/json.h"
#include "contribs/maui/explain/explain.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/page/page_private.h"
#include "contribs/maui/queue/queue.h"
#include "contribs/maui/replay/report/replay_read.h"

#define WHATIF_JOBS 40 /* of each kind, those that move most */

/* The last iteration is enough: no page is worth one of its own. */
static const struct {
	const char *command, *type;
	bool last;
} questions[PAGE_QUESTIONS] = {
	[PAGE_STATUS] = {"status", NULL, false},
	[PAGE_SHARES] = {"diagnose-fairshare", NULL, true},
	[PAGE_LIMITS_USER] = {"diagnose-credentials", "user", true},
	[PAGE_LIMITS_GROUP] = {"diagnose-credentials", "group", true},
	[PAGE_LIMITS_ACCOUNT] = {"diagnose-credentials", "account", true},
	[PAGE_LIMITS_CLASS] = {"diagnose-credentials", "class", true},
	[PAGE_LIMITS_QOS] = {"diagnose-credentials", "qos", true},
	[PAGE_RESERVATIONS] = {"diagnose-reservations", NULL, false},
	[PAGE_PRIORITY] = {"diagnose-priority", NULL, true},
	[PAGE_WHATIF] = {"whatif", NULL, false},
};

/* A user that this host does not know may still have jobs, in a saved queue. */
static void name_reader(struct page *page, const char *name)
{
	const struct passwd *user = name ? getpwnam(name) : getpwuid(getuid());
	const struct group *group = user ? getgrgid(user->pw_gid) : NULL;

	snprintf(page->user, sizeof(page->user), "%s", user ? user->pw_name : name ? name : "");
	snprintf(page->group, sizeof(page->group), "%s", group ? group->gr_name : "");
	page->uid = user ? (int64_t)user->pw_uid : -1;
}

/* EXIT_OK, or says why there are none. */
static int arguments_of(const struct page *page, enum page_question question,
			struct json_object **ret_arguments)
{
	struct json_object *arguments;

	if (question == PAGE_WHATIF)
		return whatif_arguments(page->what_if, WHATIF_JOBS, ret_arguments);
	if (question == PAGE_PRIORITY) {
		*ret_arguments = page_priority_arguments(page);
		return EXIT_OK;
	}
	arguments = json_make_object();
	json_set_given(arguments, "type", questions[question].type);
	if (questions[question].last)
		json_set_flag(arguments, "last", true);
	*ret_arguments = arguments;
	return EXIT_OK;
}

static bool is_wanted(const struct page *page, enum page_question question)
{
	if (question == PAGE_WHATIF)
		return page->what_if;
	return question != PAGE_PRIORITY || page->job_count;
}

/* What a failed question says is kept for its view. */
static void page_load_ask(struct page *page, const struct engine *engine,
			  enum page_question question)
{
	struct page_answer *answer = &page->answers[question];
	struct json_object *arguments;

	complaints_keep(answer->problem, sizeof(answer->problem));
	if (arguments_of(page, question, &arguments) ||
	    engine_ask(engine, questions[question].command, arguments, &answer->answer))
		answer->answer = NULL;
	complaints_keep(NULL, 0);
}

/* Without an answer to the first question the others are not asked. */
static void page_load_ask_all(const struct cli *cli, struct page *page)
{
	struct page_answer *first = &page->answers[PAGE_STATUS];
	struct engine engine;
	int code;

	complaints_keep(first->problem, sizeof(first->problem));
	code = engine_find(cli, &engine);
	complaints_keep(NULL, 0);
	engine.notes = false; /* the page says it */
	if (!code)
		page_load_ask(page, &engine, PAGE_STATUS);
	for (size_t i = PAGE_STATUS + 1; i < PAGE_QUESTIONS; i++)
		if (!first->answer)
			snprintf(page->answers[i].problem, sizeof(first->problem), "%s",
				 first->problem);
		else if (is_wanted(page, (enum page_question)i))
			page_load_ask(page, &engine, (enum page_question)i);
	page_jobs_explain(page, first->answer ? &engine : NULL, cli->timeout);
}

/* Each time anew: it may have been replaced. */
static void load_report(struct page *page)
{
	struct stat status;

	if (!page->replay)
		return;
	complaints_keep(page->report_problem, sizeof(page->report_problem));
	if (replay_read(page->replay, &page->report))
		page->report = NULL;
	complaints_keep(NULL, 0);
	page->report_time = stat(page->replay, &status) ? 0 : (int64_t)status.st_mtime;
}

void page_load(const struct cli *cli, const struct page_wanted *wanted, struct page *ret_page)
{
	struct page page = {.anybody = wanted->anybody || wanted->all,
			    .all = wanted->all,
			    .what_if = wanted->what_if,
			    .replay = wanted->replay};
	int64_t now;

	if (!wanted->anybody)
		name_reader(&page, wanted->user);
	if (wanted->all) {
		snprintf(page.asker, sizeof(page.asker), "%s", page.user);
		*page.user = *page.group = '\0';
	}
	complaints_keep(page.queue_problem, sizeof(page.queue_problem));
	if (queue_load_of(cli, page.anybody ? NULL : page.user, &page.queue))
		page.queue = NULL;
	complaints_keep(NULL, 0);
	load_report(&page);
	page_jobs_choose(&page);
	page_load_ask_all(cli, &page);
	page.now = member_integer(page.queue, "time");
	now = member_integer(page.answers[PAGE_STATUS].answer, "time");
	if (page.now <= 0)
		page.now = now > 0 ? now : (int64_t)time(NULL);
	*ret_page = page;
}

void page_clear(struct page *page)
{
	for (size_t i = 0; i < page->job_count; i++)
		json_object_put(page->jobs[i].why);
	for (size_t i = 0; i < PAGE_QUESTIONS; i++)
		json_object_put(page->answers[i].answer);
	queue_sorted_clear(&page->sorted);
	json_object_put(page->report);
	json_object_put(page->queue);
}

const char *page_default_partition(const struct page *page)
{
	struct json_object *partitions = member_array(page->queue, "partitions");

	for (size_t i = 0; i < array_size(partitions); i++) {
		struct json_object *one = json_object_array_get_idx(partitions, i);

		if (member_flag(one, "default"))
			return member_text(one, "name");
	}
	return NULL;
}

struct json_object *page_data(const struct page *page, enum page_question question)
{
	return member_object(page->answers[question].answer, "data");
}
