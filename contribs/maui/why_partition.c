/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Partitions that start no jobs, or not this one. */
#include "contribs/maui/why.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "contribs/maui/output.h"
#include "contribs/maui/queue.h"

/* Why a partition refuses the job, its facts with it; false: it does not. */
static bool refuses(const struct why *why, struct json_object *partition, char *text, size_t size,
		    struct json_object *facts)
{
	const char *state = member_text(partition, "state"), *accounts, *qos, *denied;
	const char *account = member_text(why->job, "account"),
		   *own_qos = member_text(why->job, "qos");
	int64_t limit = member_integer(why->job, "time_limit"),
		greatest = member_integer(partition, "max_time");
	int64_t nodes = member_integer(why->job, "nodes"),
		most = member_integer(partition, "max_nodes");

	accounts = member_text(partition, "allow_accounts");
	qos = member_text(partition, "allow_qos");
	denied = member_text(partition, "deny_accounts");
	why_fact_text(facts, "state", state);
	if (!strcmp(state, "DOWN") || !strcmp(state, "INACTIVE")) {
		snprintf(text, size, "it is %s: it starts no jobs", state);
	} else if (greatest > 0 && limit > greatest) {
		why_fact_number(facts, "limit", greatest);
		why_fact_number(facts, "asked", limit);
		snprintf(text, size,
			 "its longest time is %" PRId64 " minutes, the job asks for %" PRId64
			 " (PartitionTimeLimit)",
			 greatest / 60, limit / 60);
	} else if (most > 0 && nodes > most) {
		why_fact_number(facts, "limit", most);
		why_fact_number(facts, "asked", nodes);
		snprintf(text, size,
			 "it gives a job at most %" PRId64 " nodes, the job asks for %" PRId64
			 " (PartitionNodeLimit)",
			 most, nodes);
	} else if (*accounts && strcasecmp(accounts, "ALL") != 0 && !why_lists(accounts, account)) {
		snprintf(text, size, "it is for the accounts %.200s (AccountNotAllowed)", accounts);
	} else if (*denied && *account && why_lists(denied, account)) {
		snprintf(text, size, "it is not for account %.100s (AccountNotAllowed)", account);
	} else if (*qos && strcasecmp(qos, "ALL") != 0 && !why_lists(qos, own_qos)) {
		snprintf(text, size, "it is for the QOS %.200s (QOSNotAllowed)", qos);
	} else {
		return false;
	}
	return true;
}

static void add(struct why *why, const char *name, const char *state, const char *text,
		struct json_object *facts)
{
	bool down = !strcmp(state, "DOWN") || !strcmp(state, "INACTIVE");

	why_add(why, WHY_CAUSE, "partition", facts, "partition %s: %s", name, text);
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

/* One of several partitions that starts it is enough: then the others are told with the nodes. */
void why_partition(struct why *why)
{
	const char *list = member_text(why->job, "partition");
	bool any_serves = false;

	for (int told = 0; told < 2 && !any_serves; told++) {
		for (const char *at = list; *at;) {
			size_t length = strcspn(at, ",");
			struct json_object *facts = json_object_new_object(), *partition;
			char name[256], text[512];

			snprintf(name, sizeof(name), "%.*s", (int)length, at);
			at += length + (at[length] == ',');
			partition = queue_find(why->queue, "partitions", name);
			why_fact_text(facts, "partition", name);
			if (!partition || !refuses(why, partition, text, sizeof(text), facts)) {
				any_serves = true;
				json_object_put(facts);
			} else if (told) {
				add(why, name, member_text(partition, "state"), text, facts);
			} else {
				json_object_put(facts);
			}
		}
	}
}
