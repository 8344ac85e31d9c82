/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs of higher priority that wait for the same nodes. */
#include "contribs/maui/why/why.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/list.h"
#include "common/util/memory.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/queue.h"

/* Nobody is behind a job that a hold, a dependency or a limit keeps from starting. */
static bool wants_nodes(const struct queue_kind *kind)
{
	static const char *const reasons[] = {
		"None", "Priority", "Resources", "ReqNodeNotAvail", "NodeDown", "Reservation"};
	const char *reason = kind->reason;

	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (!strncmp(reason, reasons[i], strlen(reasons[i])))
			return strcmp(reason, "ReservationDeleted") != 0;
	/* For several partitions, Slurm gives the reason of the one that it looked at last. */
	return !*reason || (!strncmp(reason, "Partition", 9) && strchr(kind->partitions, ','));
}

/* A node of the partition that the job may get now or later. */
static bool why_ahead_shares(const struct why *why, const struct why_nodes *nodes,
			     const char *partition)
{
	struct json_object *all = member_array(why->queue, "nodes");

	for (size_t i = 0; i < array_size(all); i++) {
		struct json_object *node = json_object_array_get_idx(all, i);
		struct json_object *names = member_array(node, "partitions");
		unsigned char obstacle = nodes->obstacles[i];

		if (obstacle != WHY_FREE && obstacle != WHY_BUSY && obstacle != WHY_RESERVED &&
		    obstacle != WHY_LIMITS)
			continue;
		for (size_t k = 0; k < array_size(names); k++) {
			const char *name =
				json_object_get_string(json_object_array_get_idx(names, k));

			if (name && !strcmp(name, partition))
				return true;
		}
	}
	return false;
}

/* For each partition, by name: whether it shares nodes, and its tier. */
static struct json_object *tiers_of(const struct why *why, const struct why_nodes *nodes)
{
	struct json_object *partitions = member_array(why->queue, "partitions");
	struct json_object *tiers = json_make_object();

	for (size_t i = 0; i < array_size(partitions); i++) {
		struct json_object *partition = json_object_array_get_idx(partitions, i);
		const char *name = member_text(partition, "name");

		if (!strcmp(member_text(partition, "state"), "UP") &&
		    why_ahead_shares(why, nodes, name))
			json_set_number(tiers, name, member_integer(partition, "tier"));
	}
	return tiers;
}

struct rivals {
	int64_t *tiers;                 /* of each kind of job, the highest; NO_RIVAL */
	int64_t tier, priority, number; /* the job's own */
};
#define NO_RIVAL INT64_MIN

static int64_t highest_tier(const struct queue_kind *kind, struct json_object *tiers)
{
	int64_t highest = NO_RIVAL;

	if (!wants_nodes(kind))
		return NO_RIVAL;
	json_object_object_foreach(tiers, name, tier)
	{
		if (maui_list_has(kind->partitions, name) && json_object_get_int64(tier) > highest)
			highest = json_object_get_int64(tier);
	}
	return highest;
}

/* The caller frees its tiers. */
static struct rivals rivals_of(const struct why *why, const struct why_nodes *nodes)
{
	const struct queue_sorted *sorted = why->sorted;
	struct json_object *tiers = tiers_of(why, nodes);
	struct rivals rivals = {.tiers = maui_calloc(sorted->kind_count + 1, sizeof(*rivals.tiers)),
				.tier = member_integer(nodes->partition, "tier"),
				.priority = member_integer(why->job, "priority"),
				.number = member_integer(why->job, "job")};

	for (size_t i = 0; i < sorted->kind_count; i++)
		rivals.tiers[i] = highest_tier(&sorted->kinds[i], tiers);
	json_object_put(tiers);
	return rivals;
}

/* Slurm looks at a partition of a higher tier first, then at the priority, then at the number. */
static bool is_ahead(const struct why *why, const struct queue_waiting *other,
		     const struct rivals *rivals)
{
	int64_t tier = rivals->tiers[other->kind];

	if (tier < rivals->tier || other->priority <= 0 || other->job == why->job)
		return false;
	if (tier > rivals->tier || other->priority != rivals->priority)
		return tier > rivals->tier || other->priority > rivals->priority;
	return other->number < rivals->number;
}

static struct json_object *why_ahead_job(struct json_object *job)
{
	static const char *const members[] = {"id",        "job",    "user", "priority",
					      "partition", "reason", "start"};
	struct json_object *facts = json_make_object();

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		json_set_same(facts, job, members[i]);
	return facts;
}

struct json_object *why_ahead(struct why *why, const struct why_nodes *nodes)
{
	struct json_object *facts = json_make_object(), *list = json_make_array();
	struct rivals rivals = rivals_of(why, nodes);
	int64_t count = 0;

	for (size_t i = 0; i < why->sorted->waiting_count; i++) {
		const struct queue_waiting *other = &why->sorted->waiting[i];

		if (!is_ahead(why, other, &rivals))
			continue;
		count++;
		if (!why->brief)
			json_append(list, why_ahead_job(other->job));
	}
	json_set_same(facts, nodes->partition, "name");
	json_set_number(facts, "count", count);
	json_set(facts, "jobs", list);
	free(rivals.tiers);
	return facts;
}
