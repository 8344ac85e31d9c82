/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads a maui.queue/1, selects jobs by name and credential, asks the engine
 * about them, and finds its rows by binary search.
 */
#include "contribs/maui/queue/job_list.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/memory.h"
#include "common/util/search.h"
#include "contribs/maui/lib/credential_known.h"
#include "contribs/maui/lib/job_name.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/machine_use.h"
#include "contribs/maui/queue/queue.h"

/* ---- the engine's rows by their jobs' numbers ------------------------------------------------ */

struct entry {
	int64_t id;
	size_t at; /* the first one counts: the best of several partitions */
};

struct index {
	struct json_object *rows;
	struct entry *entries;
	size_t count;
};

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

static struct index make_index(struct json_object *rows)
{
	struct index index = {.rows = rows, .count = array_size(rows)};

	index.entries = maui_calloc(index.count + 1, sizeof(*index.entries));
	for (size_t i = 0; i < index.count; i++)
		index.entries[i] = (struct entry){
			member_integer(json_object_array_get_idx(rows, i), "job"), i};
	qsort(index.entries, index.count, sizeof(*index.entries), compare_entries);
	return index;
}

static struct json_object *find_row(const struct index *index, int64_t id)
{
	const struct entry wanted = {.id = id};
	size_t first = maui_lower_bound(&wanted, index->entries, index->count,
					sizeof(*index->entries), compare_entries);

	if (first == index->count || index->entries[first].id != id)
		return NULL;
	return json_object_array_get_idx(index->rows, index->entries[first].at);
}

/* ---- which jobs ------------------------------------------------------------------------------ */

static bool is_wanted(const struct job_list *list, struct json_object *job,
		      const struct job_wish *wish)
{
	return (!wish->partition || job_is_in(job, wish->partition)) &&
	       (!wish->user || job_owner_has(&list->user, job)) &&
	       (!wish->group || job_owner_has(&list->group, job)) &&
	       (!wish->account || !strcmp(member_text(job, "account"), wish->account)) &&
	       (!wish->qos || !strcasecmp(member_text(job, "qos"), wish->qos));
}

static void add_job(struct job_list *list, struct json_object *job, const struct job_wish *wish)
{
	if (is_wanted(list, job, wish))
		list->jobs[list->count++] = (struct job_facts){.job = job, .at = list->count};
}

/* taken: whether each row is in the list already. */
static void choose_name(struct job_list *list, const char *name, const struct job_wish *wish,
			bool *taken)
{
	struct json_object *rows = member_array(list->queue, "jobs");
	struct json_object *found = queue_job(list->queue, name);

	if (!found && !wish->first) /* otherwise the caller says so */
		note("there is no job %s, or it is not yours to see", name);
	for (size_t i = 0; found && i < array_size(rows); i++) {
		struct json_object *job = json_object_array_get_idx(rows, i);

		if (taken[i] || (wish->first ? job != found : !queue_job_is(job, name)))
			continue;
		taken[i] = true;
		add_job(list, job, wish);
	}
}

static void choose_names(struct job_list *list, const struct job_wish *wish)
{
	bool *taken =
		maui_calloc(array_size(member_array(list->queue, "jobs")) + 1, sizeof(*taken));
	char **names;
	int count = 0;

	while (wish->names[count])
		count++;
	names = job_names_split(count, wish->names);
	for (char **name = names; *name; name++)
		choose_name(list, *name, wish, taken);
	job_names_clear(names);
	free(taken);
}

static void job_list_choose(struct job_list *list, const struct job_wish *wish)
{
	struct json_object *rows = member_array(list->queue, "jobs");

	if (wish->user)
		list->user = job_owner_asked(rows, "user", wish->user);
	if (wish->group)
		list->group = job_owner_asked(rows, "group", wish->group);
	list->jobs = maui_calloc(array_size(rows) + 1, sizeof(*list->jobs));
	if (wish->names && *wish->names) {
		choose_names(list, wish);
		return;
	}
	for (size_t i = 0; i < array_size(rows); i++)
		add_job(list, json_object_array_get_idx(rows, i), wish);
}

/* ---- both together --------------------------------------------------------------------------- */

static void job_list_join(struct job_list *list)
{
	struct index blocked = make_index(advice_rows(list->advice.blocked));
	struct index priority = make_index(advice_rows(list->advice.priority));
	int64_t omitted = advice_omitted(list->advice.blocked);
	bool judged = list->advice.blocked && omitted <= 0;

	for (size_t i = 0; i < list->count; i++) {
		struct job_facts *facts = &list->jobs[i];
		int64_t id = member_integer(facts->job, "job");

		facts->blocked = find_row(&blocked, id);
		facts->priority = find_row(&priority, id);
		job_facts_read(facts, list->now, judged);
	}
	free(blocked.entries);
	free(priority.entries);
	if (omitted > 0)
		note("the engine leaves out %" PRId64
		     " of the jobs that it blocks: of these Slurm's reason counts",
		     omitted);
}

/* Reservations matter to waiting jobs, if there are any. */
static unsigned int advice_for(const struct job_list *list, const struct job_wish *wish)
{
	bool waits = !strcmp(member_text(list->jobs[0].job, "state"), "PENDING");

	return waits && array_size(member_array(list->queue, "reservations"))
		       ? wish->advice
		       : wish->advice & ~(unsigned int)ADVICE_RESERVATIONS;
}

/* Asks for a few jobs by number, for many as a whole. */
static int ask_engine(const struct cli *cli, const struct job_wish *wish, struct job_list *list)
{
	struct advice_scope scope = {.partition = wish->partition, .user = wish->user};
	int64_t ids[100];

	if (!wish->advice || !list->count)
		return EXIT_OK;
	if (wish->names && *wish->names && list->count && list->count <= 100) {
		for (size_t i = 0; i < list->count; i++)
			ids[i] = member_integer(list->jobs[i].job, "job");
		scope.jobs = ids;
		scope.count = list->count;
	}
	return advice_get(cli, advice_for(list, wish), &scope, &list->advice);
}

/* False after saying what is unknown. */
static bool wish_is_known(const struct job_wish *wish, struct json_object *queue)
{
	if (wish->partition && !queue_find(queue, "partitions", wish->partition)) {
		complain("there is no partition %s", wish->partition);
		return false;
	}
	return (!wish->user || credential_is_in(member_array(queue, "jobs"), "user", wish->user)) &&
	       (!wish->group ||
		credential_is_in(member_array(queue, "jobs"), "group", wish->group));
}

int job_list_load(const struct cli *cli, const struct job_wish *wish, struct job_list *ret_list)
{
	struct job_list list = {0};
	unsigned int partitions = wish->partition ? QUEUE_PARTITIONS : 0;
	int code = queue_load(cli, QUEUE_JOBS | partitions | wish->queue, &list.queue);

	if (code)
		return code;
	list.now = count_of(list.queue, "time");
	if (wish_is_known(wish, list.queue)) {
		job_list_choose(&list, wish);
		code = ask_engine(cli, wish, &list);
	} else {
		code = EXIT_ERRORS;
	}
	if (code)
		job_list_clear(&list);
	else
		job_list_join(&list);
	*ret_list = list;
	return code;
}

void job_list_clear(struct job_list *list)
{
	advice_clear(&list->advice);
	json_object_put(list->queue);
	free(list->jobs);
	*list = (struct job_list){0};
}

/* ---- order ----------------------------------------------------------------------------------- */

static int compare_facts(const void *a, const void *b)
{
	const struct job_facts *x = a, *y = b;

	if (x->phase != y->phase)
		return x->phase < y->phase ? -1 : 1;
	if (x->phase == JOB_ACTIVE && x->remaining != y->remaining)
		return x->remaining < y->remaining ? -1 : 1;
	if (x->phase == JOB_IDLE && x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

void job_list_sort(struct job_list *list)
{
	if (list->count)
		qsort(list->jobs, list->count, sizeof(*list->jobs), compare_facts);
}
