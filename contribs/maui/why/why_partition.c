/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Partitions that start no jobs, or not this one. */
#include "contribs/maui/why/why.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/util/list.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/queue.h"

/* Its own limits; false: the job is within them. */
static bool over_limit(const struct why *why, struct json_object *partition, char *text,
		       size_t size, struct json_object *facts)
{
	int64_t limit = member_integer(why->job, "time_limit"),
		greatest = member_integer(partition, "max_time");
	int64_t nodes = member_integer(why->job, "nodes"),
		most = member_integer(partition, "max_nodes");

	if (greatest > 0 && limit > greatest) {
		json_set_number(facts, "limit", greatest);
		json_set_number(facts, "asked", limit);
		snprintf(text, size,
			 "runs a job for at most %" PRId64 " minutes, this one asks for %" PRId64
			 " (PartitionTimeLimit)",
			 greatest / 60, limit / 60);
		return true;
	}
	if (most <= 0 || nodes <= most)
		return false;
	json_set_number(facts, "limit", most);
	json_set_number(facts, "asked", nodes);
	snprintf(text, size,
		 "gives a job at most %" PRId64 " nodes, this one asks for %" PRId64
		 " (PartitionNodeLimit)",
		 most, nodes);
	return true;
}

/* Whether one of its lists has the name, or is empty. */
static bool why_partition_allows(const char *list, const char *name)
{
	return !*list || !strcasecmp(list, "ALL") || maui_list_has(list, name);
}

static bool why_partition_bars(const struct why *why, struct json_object *partition, char *text,
			       size_t size)
{
	const char *accounts = member_text(partition, "allow_accounts"),
		   *denied = member_text(partition, "deny_accounts"),
		   *qos = member_text(partition, "allow_qos"),
		   *denied_qos = member_text(partition, "deny_qos");
	const char *account = member_text(why->job, "account"),
		   *own_qos = member_text(why->job, "qos");

	if (!why_partition_allows(accounts, account))
		snprintf(text, size, "is for the accounts %.200s (AccountNotAllowed)", accounts);
	else if (*denied && *account && maui_list_has(denied, account))
		snprintf(text, size, "is not for account %.100s (AccountNotAllowed)", account);
	else if (!why_partition_allows(qos, own_qos))
		snprintf(text, size, "is for the QOS %.200s (QOSNotAllowed)", qos);
	else if (*denied_qos && *own_qos && maui_list_has(denied_qos, own_qos))
		snprintf(text, size, "is not for QOS %.100s (QOSNotAllowed)", own_qos);
	else
		return false;
	return true;
}

bool why_refused(const struct why *why, struct json_object *partition, char *text, size_t size,
		 struct json_object *facts)
{
	const char *state = member_text(partition, "state");

	json_set_same(facts, partition, "state");
	if (!strcmp(state, "DOWN") || !strcmp(state, "INACTIVE"))
		return snprintf(text, size, "is %s: it starts no jobs", state);
	return over_limit(why, partition, text, size, facts) ||
	       why_partition_bars(why, partition, text, size);
}

static void why_partition_add(struct why *why, const char *name, const char *state,
			      const char *text, struct json_object *facts)
{
	bool down = !strcmp(state, "DOWN") || !strcmp(state, "INACTIVE");

	why_add(why, WHY_CAUSE, "partition", facts, "partition %s %s", name, text);
	if (down)
		why_add(why, WHY_FREES, "partition", NULL,
			"an administrator's `scontrol update partition=%s state=up`", name);
	else
		why_add(why, WHY_FREES, "partition", NULL,
			"another request, another partition, or other limits of partition %s",
			name);
	why_add(why, WHY_WHEN, "partition", NULL, "%s",
		down ? "not known: an administrator decides" : "never, as it is");
}

/* Returns whether a partition in the list can start the job; told: adds why the others cannot. */
static bool why_partition_look(struct why *why, const char *list, bool told)
{
	struct maui_item item;
	bool any = false;

	while (maui_list_next(&list, ",", &item)) {
		struct json_object *facts = json_make_object(), *partition;
		char name[256], text[512];

		maui_item_copy(item, name, sizeof(name));
		partition = queue_find(why->queue, "partitions", name);
		why_fact_text(facts, "partition", name);
		if (!partition || !why_refused(why, partition, text, sizeof(text), facts)) {
			any = true;
		} else if (told) {
			why_partition_add(why, name, member_text(partition, "state"), text, facts);
			continue;
		}
		json_object_put(facts);
	}
	return any;
}

/*
 * One of several partitions that can start it is enough: the others are then listed with the nodes.
 */
void why_partition(struct why *why)
{
	const char *list = member_text(why->job, "partition");

	if (!why_partition_look(why, list, false))
		why_partition_look(why, list, true);
}
