/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One pass over the jobs: waiting ones by priority, processors of active ones
 * by node, and all jobs by user.
 */
#include "contribs/maui/queue/queue_sorted.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/memory.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/machine_use.h"
#include "contribs/maui/queue/queue.h"

/* ---- what waits ----------------------------------------------------------------------------- */

static size_t kind_of(struct queue_sorted *sorted, const char *partitions, const char *reason)
{
	struct queue_kind *kind;

	for (size_t i = 0; i < sorted->kind_count; i++)
		if (!strcmp(sorted->kinds[i].partitions, partitions) &&
		    !strcmp(sorted->kinds[i].reason, reason))
			return i;
	sorted->kinds = maui_grow(sorted->kinds, sorted->kind_count + 1, &sorted->kind_room,
				  sizeof(*sorted->kinds));
	kind = &sorted->kinds[sorted->kind_count];
	*kind = (struct queue_kind){.partitions = partitions, .reason = reason};
	return sorted->kind_count++;
}

static void add_waiting(struct queue_sorted *sorted, struct json_object *job, const char *user)
{
	size_t kind = kind_of(sorted, member_text(job, "partition"), member_text(job, "reason"));

	sorted->kinds[kind].count++;
	sorted->waiting[sorted->waiting_count++] = (struct queue_waiting){
		job, user, member_integer(job, "priority"), member_integer(job, "job"), kind};
}

/* As queue_by_priority() has it. */
static int by_priority(const void *first, const void *second)
{
	const struct queue_waiting *a = first, *b = second;

	if (a->priority != b->priority)
		return a->priority < b->priority ? 1 : -1;
	return a->number > b->number ? 1 : a->number < b->number ? -1 : 0;
}

/* ---- what is active ------------------------------------------------------------------------- */

static struct json_object *index_of(struct json_object *nodes)
{
	struct json_object *index = json_make_object();

	for (size_t i = 0; i < array_size(nodes); i++)
		json_set_number(index, member_text(json_object_array_get_idx(nodes, i), "name"),
				(int64_t)i);
	return index;
}

bool queue_sorted_node(const struct queue_sorted *sorted, const char *name, size_t *ret_at)
{
	struct json_object *at;

	if (!json_object_object_get_ex(sorted->nodes_at, name, &at))
		return false;
	*ret_at = (size_t)json_object_get_int64(at);
	return true;
}

static void add_uses(struct queue_sorted *sorted, size_t number, struct json_object *job)
{
	struct json_object *parts = member_array(job, "allocated");
	size_t node;

	for (size_t i = 0; i < array_size(parts); i++) {
		struct json_object *part = json_object_array_get_idx(parts, i);

		if (!queue_sorted_node(sorted, member_text(part, "node"), &node))
			continue;
		sorted->uses = maui_grow(sorted->uses, sorted->use_count + 1, &sorted->use_room,
					 sizeof(*sorted->uses));
		sorted->uses[sorted->use_count++] =
			(struct queue_use){number, node, count_of(part, "procs")};
	}
}

/* ---- parts of the queue --------------------------------------------------------------------- */

static struct json_object *make_part(struct json_object *queue)
{
	struct json_object *part = json_make_object();

	json_set(part, "jobs", json_make_array());
	json_set_same(part, queue, "time");
	return part;
}

static void add_to(struct json_object *part, struct json_object *job)
{
	json_append(member_array(part, "jobs"), json_object_get(job));
}

static struct json_object *part_of(struct json_object *users, const char *user,
				   struct json_object *queue)
{
	struct json_object *part = member_object(users, user);

	if (!part) {
		part = make_part(queue);
		json_set_new(users, user, part);
	}
	return part;
}

/* ---- all of them ---------------------------------------------------------------------------- */

void queue_sort(struct json_object *queue, struct queue_sorted *ret_sorted)
{
	struct json_object *jobs = member_array(queue, "jobs");
	struct queue_sorted sorted = {.queue = queue,
				      .active = make_part(queue),
				      .users = json_make_object(),
				      .nodes_at = index_of(member_array(queue, "nodes"))};
	size_t active = 0;

	sorted.waiting = maui_calloc(array_size(jobs) + 1, sizeof(*sorted.waiting));
	for (size_t i = 0; i < array_size(jobs); i++) {
		struct json_object *job = json_object_array_get_idx(jobs, i);
		const char *user = member_text(job, "user");

		add_to(part_of(sorted.users, user, queue), job);
		if (queue_job_is_pending(job)) {
			add_waiting(&sorted, job, user);
		} else if (queue_job_is_active(job)) {
			add_uses(&sorted, active++, job);
			add_to(sorted.active, job);
		}
	}
	qsort(sorted.waiting, sorted.waiting_count, sizeof(*sorted.waiting), by_priority);
	*ret_sorted = sorted;
}

void queue_sorted_clear(struct queue_sorted *sorted)
{
	json_object_put(sorted->active);
	json_object_put(sorted->users);
	json_object_put(sorted->nodes_at);
	free(sorted->uses);
	free(sorted->waiting);
	free(sorted->kinds);
}
