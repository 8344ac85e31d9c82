/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs of higher priority that wait for the same nodes. */
#include "contribs/maui/why/why.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/list.h"
#include "contribs/maui/lib/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/queue.h"

/* Nobody is behind a job that a hold, a dependency or a limit keeps from starting. */
static bool wants_nodes(struct json_object *job)
{
	static const char *const reasons[] = {
		"None", "Priority", "Resources", "ReqNodeNotAvail", "NodeDown", "Reservation"};
	const char *reason = member_text(job, "reason");

	if (!queue_job_is_pending(job) || member_integer(job, "priority") <= 0)
		return false;
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (!strncmp(reason, reasons[i], strlen(reasons[i])))
			return strcmp(reason, "ReservationDeleted") != 0;
	/* For several partitions, Slurm gives the reason of the one that it looked at last. */
	return !*reason ||
	       (!strncmp(reason, "Partition", 9) && strchr(member_text(job, "partition"), ','));
}

/* A node of the partition that the job may get now or later. */
static bool shares(const struct why *why, const struct why_nodes *nodes, const char *partition)
{
	struct json_object *all = member_array(why->queue, "nodes");

	for (size_t i = 0; i < array_size(all); i++) {
		struct json_object *node = json_object_array_get_idx(all, i);
		struct json_object *names = member_array(node, "partitions");
		int64_t obstacle = member_integer(nodes->obstacles, member_text(node, "name"));

		if (!why_in_set(nodes->obstacles, member_text(node, "name")) ||
		    (obstacle != WHY_FREE && obstacle != WHY_BUSY && obstacle != WHY_RESERVED &&
		     obstacle != WHY_LIMITS))
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

		if (!strcmp(member_text(partition, "state"), "UP") && shares(why, nodes, name))
			json_set_number(tiers, name, member_integer(partition, "tier"));
	}
	return tiers;
}

struct rivals {
	struct json_object *tiers;      /* of tiers_of() */
	int64_t tier, priority, number; /* the job's own */
	bool higher;                    /* whether there are higher tiers than that */
};

/* Slurm looks at a partition of a higher tier first, then at the priority, then at the number. */
static bool is_before(const struct rivals *rivals, struct json_object *other, int64_t tier)
{
	int64_t priority;

	if (tier != rivals->tier)
		return tier > rivals->tier;
	priority = member_integer(other, "priority");
	if (priority != rivals->priority)
		return priority > rivals->priority;
	return member_integer(other, "job") < rivals->number;
}

static bool is_ahead(const struct why *why, struct json_object *other, const struct rivals *rivals)
{
	/* Of a long queue most are behind, and that is seen first. */
	if (other == why->job || (!rivals->higher && !is_before(rivals, other, rivals->tier)) ||
	    !wants_nodes(other))
		return false;
	json_object_object_foreach(rivals->tiers, name, tier)
	{
		if (maui_list_has(member_text(other, "partition"), name) &&
		    is_before(rivals, other, json_object_get_int64(tier)))
			return true;
	}
	return false;
}

/* The caller puts its tiers. */
static struct rivals rivals_of(const struct why *why, const struct why_nodes *nodes)
{
	struct rivals rivals = {.tiers = tiers_of(why, nodes),
				.tier = member_integer(nodes->partition, "tier"),
				.priority = member_integer(why->job, "priority"),
				.number = member_integer(why->job, "job")};

	json_object_object_foreach(rivals.tiers, name, tier)
	{
		(void)name;
		rivals.higher |= json_object_get_int64(tier) > rivals.tier;
	}
	return rivals;
}

static struct json_object *one(struct json_object *job)
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
	struct json_object *jobs = member_array(why->queue, "jobs");
	struct rivals rivals = rivals_of(why, nodes);
	int64_t count = 0;

	for (size_t i = 0; i < array_size(jobs); i++) {
		struct json_object *job = json_object_array_get_idx(jobs, i);

		if (!is_ahead(why, job, &rivals))
			continue;
		count++;
		if (!why->brief)
			json_append(list, one(job));
	}
	json_object_array_sort(list, queue_by_priority);
	json_set_same(facts, nodes->partition, "name");
	json_set_number(facts, "count", count);
	json_set(facts, "jobs", list);
	json_object_put(rivals.tiers);
	return facts;
}
