/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of a page: the reader's waiting ones, or anybody's, those of the highest priority. */
#include <stdlib.h>
#include <string.h>

#include "common/util/list.h"
#include "common/util/memory.h"
#include "contribs/maui/lib/deadline.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/page/page_private.h"
#include "contribs/maui/queue/queue.h"
#include "contribs/maui/why/why.h"

/* Each costs a look at all nodes: in all, at so many. */
#define EXPLAINED       12
#define EXPLAINED_LEAST 3
#define LOOKS           30000

/* How many were chosen, and how many there are to choose from. */
struct choice {
	size_t count, all;
};

static size_t count_running(const struct page *page)
{
	struct json_object *jobs = member_array(
		page->anybody ? page->sorted.active : member_object(page->sorted.users, page->user),
		"jobs");
	size_t count = 0;

	for (size_t i = 0; i < array_size(jobs); i++)
		count += queue_job_is_active(json_object_array_get_idx(jobs, i));
	return count;
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

/* ahead: how many jobs of each kind have a higher priority. */
static size_t rank_of(const struct page *page, const struct queue_waiting *place,
		      const size_t *ahead)
{
	const struct queue_kind *kinds = page->sorted.kinds;
	size_t rank = 1;

	if (place->priority <= 0)
		return 0;
	for (size_t i = 0; i < page->sorted.kind_count; i++)
		if (ahead[i] &&
		    shares_partition(kinds[place->kind].partitions, kinds[i].partitions))
			rank += ahead[i];
	return rank;
}

static struct choice page_jobs_select(const struct page *page, struct page_job jobs[PAGE_JOBS])
{
	const struct queue_sorted *sorted = &page->sorted;
	size_t *ahead = maui_calloc(sorted->kind_count + 1, sizeof(*ahead));
	struct choice choice = {0};

	for (size_t i = 0; i < sorted->waiting_count; i++) {
		const struct queue_waiting *place = &sorted->waiting[i];

		if ((page->anybody || !strcmp(place->user, page->user)) &&
		    page_finds_job(page, place->job) && choice.all++ < PAGE_JOBS)
			jobs[choice.count++] = (struct page_job){
				.record = place->job, .rank = rank_of(page, place, ahead)};
		ahead[place->kind]++;
	}
	free(ahead);
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
	struct choice choice;

	queue_sort(page->queue, &page->sorted);
	choice = page_jobs_select(page, page->jobs);
	page->job_count = choice.count;
	page->waiting = choice.all;
	page->running = count_running(page);
}

void page_jobs_find(struct page *page)
{
	struct choice choice;

	if (!*page_search(page))
		return;
	choice = page_jobs_select(page, page->found);
	page->found_count = choice.count;
	page->matching = choice.all;
	for (size_t i = 0; i < choice.count; i++)
		for (size_t k = 0; k < page->job_count; k++)
			if (page->jobs[k].record == page->found[i].record)
				page->found[i] = page->jobs[k];
}

static size_t count_explained(const struct page *page)
{
	size_t count = LOOKS / (array_size(member_array(page->queue, "nodes")) + 1);

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
		page->jobs[i].why =
			why_explain(engine, page->queue, &page->sorted, page->jobs[i].record);
}
