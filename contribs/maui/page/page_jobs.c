/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of a page: the reader's waiting ones, or anybody's, those of the highest priority. */
#include <stdlib.h>
#include <string.h>

#include "common/util/list.h"
#include "contribs/maui/lib/deadline.h"
#include "contribs/maui/lib/grow_or_exit.h"
#include "contribs/maui/lib/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/page/page_private.h"
#include "contribs/maui/queue/queue.h"
#include "contribs/maui/why/why.h"

/* Each costs a look at all jobs and nodes: in all, at so many. */
#define EXPLAINED       12
#define EXPLAINED_LEAST 3
#define LOOKS           200000

/* How many were chosen, and how many there are to choose from. */
struct choice {
	size_t count, all;
};

/* A job that waits, and what its place depends on. */
struct place {
	struct json_object *job;
	int64_t priority, number;
};

struct waiting {
	struct place *places; /* of all that are seen, the highest priority first */
	size_t count;
};

static bool is_of(const struct page *page, struct json_object *job)
{
	return page->anybody || !strcmp(member_text(job, "user"), page->user);
}

static bool is_found(const struct page *page, struct json_object *job)
{
	static const char *const members[] = {"id", "name", "user", "partition", "account", "qos"};

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (page_finds(page, member_text(job, members[i])))
			return true;
	return false;
}

static size_t count_running(const struct page *page)
{
	struct json_object *jobs = member_array(page->active, "jobs");
	size_t count = 0;

	for (size_t i = 0; i < array_size(jobs); i++)
		count += is_of(page, json_object_array_get_idx(jobs, i));
	return count;
}

static struct json_object *make_active(const struct page *page)
{
	struct json_object *jobs = member_array(page->queue, "jobs"), *list = json_make_array();
	struct json_object *active = json_make_object();

	for (size_t i = 0; i < array_size(jobs); i++) {
		struct json_object *job = json_object_array_get_idx(jobs, i);

		if (queue_job_is_active(job))
			json_append(list, json_object_get(job));
	}
	json_set(active, "jobs", list);
	json_set_same(active, page->queue, "time");
	return active;
}

/* As queue_by_priority() has it. */
static int by_place(const void *first, const void *second)
{
	const struct place *a = first, *b = second;

	if (a->priority != b->priority)
		return a->priority < b->priority ? 1 : -1;
	return a->number > b->number ? 1 : a->number < b->number ? -1 : 0;
}

static struct waiting collect_waiting(const struct page *page)
{
	struct json_object *jobs = member_array(page->queue, "jobs");
	struct waiting waiting = {calloc(array_size(jobs) + 1, sizeof(*waiting.places)), 0};

	if (!waiting.places)
		exit_out_of_memory();
	for (size_t i = 0; i < array_size(jobs); i++) {
		struct json_object *job = json_object_array_get_idx(jobs, i);

		if (queue_job_is_pending(job))
			waiting.places[waiting.count++] = (struct place){
				job, member_integer(job, "priority"), member_integer(job, "job")};
	}
	qsort(waiting.places, waiting.count, sizeof(*waiting.places), by_place);
	return waiting;
}

/* One of the partitions of both: they compete. */
static bool shares_partition(const char *list, const char *others)
{
	struct maui_item item;
	char name[256];

	if (!strcmp(list, others))
		return true;
	while (maui_list_next(&list, ",", &item))
		if (maui_list_has(others, maui_item_copy(item, name, sizeof(name))))
			return true;
	return false;
}

/* How many jobs have been seen of each list of partitions: there are few lists. */
struct rivals {
	struct {
		const char *list;
		size_t count;
	} * kinds;
	size_t count, room;
};

static void see(struct rivals *rivals, struct json_object *job)
{
	const char *list = member_text(job, "partition");
	size_t at = 0;

	while (at < rivals->count && strcmp(rivals->kinds[at].list, list) != 0)
		at++;
	if (at == rivals->count) {
		rivals->kinds =
			grow_or_exit(rivals->kinds, at + 1, &rivals->room, sizeof(*rivals->kinds));
		rivals->kinds[rivals->count++].list = list;
		rivals->kinds[at].count = 0;
	}
	rivals->kinds[at].count++;
}

static size_t rank_of(const struct place *place, const struct rivals *ahead)
{
	const char *list = member_text(place->job, "partition");
	size_t rank = 1;

	if (place->priority <= 0)
		return 0;
	for (size_t i = 0; i < ahead->count; i++)
		if (shares_partition(list, ahead->kinds[i].list))
			rank += ahead->kinds[i].count;
	return rank;
}

static struct choice choose(const struct page *page, struct page_job jobs[PAGE_JOBS])
{
	struct waiting waiting = collect_waiting(page);
	struct rivals ahead = {0};
	struct choice choice = {0};

	for (size_t i = 0; i < waiting.count; i++) {
		struct json_object *job = waiting.places[i].job;

		if (is_of(page, job) && is_found(page, job) && choice.all++ < PAGE_JOBS)
			jobs[choice.count++] = (struct page_job){
				.record = job, .rank = rank_of(&waiting.places[i], &ahead)};
		if (choice.count < PAGE_JOBS)
			see(&ahead, job);
	}
	free(ahead.kinds);
	free(waiting.places);
	return choice;
}

/* ---- what the engine says ------------------------------------------------------------------- */

struct json_object *page_priority_arguments(const struct page *page)
{
	struct json_object *arguments = json_make_object(), *ids = json_make_array();

	for (size_t i = 0; i < page->job_count; i++)
		json_append_number(ids, member_integer(page->jobs[i].record, "job"));
	json_set(arguments, "jobs", ids);
	json_set_flag(arguments, "last", true);
	return arguments;
}

/* A row for each partition of a job, the highest priority first. */
static void take_terms(struct page *page)
{
	struct json_object *rows = member_array(page_data(page, PAGE_PRIORITY), "jobs");

	for (size_t i = 0; i < array_size(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);
		int64_t job = member_integer(row, "job");

		for (size_t k = 0; job > 0 && k < page->job_count; k++)
			if (!page->jobs[k].terms &&
			    member_integer(page->jobs[k].record, "job") == job)
				page->jobs[k].terms = row;
	}
}

void page_jobs_choose(struct page *page)
{
	struct choice choice = choose(page, page->jobs);

	page->active = make_active(page);
	page->job_count = choice.count;
	page->waiting = choice.all;
	page->running = count_running(page);
}

void page_jobs_find(struct page *page)
{
	struct choice choice;

	if (!*page_search(page))
		return;
	choice = choose(page, page->found);
	page->found_count = choice.count;
	page->matching = choice.all;
	for (size_t i = 0; i < choice.count; i++)
		for (size_t k = 0; k < page->job_count; k++)
			if (page->jobs[k].record == page->found[i].record)
				page->found[i] = page->jobs[k];
}

static size_t count_explained(const struct page *page)
{
	size_t looks = array_size(member_array(page->queue, "jobs")) +
		       array_size(member_array(page->queue, "nodes")) + 1;
	size_t count = LOOKS / looks;

	if (count < EXPLAINED_LEAST)
		return EXPLAINED_LEAST;
	return count < EXPLAINED ? count : EXPLAINED;
}

void page_jobs_explain(struct page *page, const struct engine *engine, int seconds)
{
	struct deadline deadline = deadline_in(seconds);
	size_t count = count_explained(page);

	take_terms(page);
	for (size_t i = 0; i < page->job_count && i < count && deadline_left(&deadline); i++)
		page->jobs[i].why = why_explain(engine, page->queue, page->jobs[i].record);
}
