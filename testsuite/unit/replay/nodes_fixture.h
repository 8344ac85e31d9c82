/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machines of nodes, and schedules on them as a text that says where each job ran. */
#ifndef MAUI_UNIT_NODES_FIXTURE_H
#define MAUI_UNIT_NODES_FIXTURE_H

#include "testsuite/unit/replay/replay_fixture.h"

#include "common/policy/policy.h"
#include "common/replay/nodes/outages.h"
#include "common/replay/site/site.h"

static inline struct maui_replay_nodes *replay_nodes(const char *text)
{
	struct maui_replay_nodes *nodes = maui_replay_nodes_new();
	struct maui_error error = {""};

	cr_assert_eq(maui_replay_nodes_read(nodes, text, &error), 0, "%s", error.text);
	return nodes;
}

/* "n1:2 n2:1": processors on nodes, in the order of the nodes. */
static inline void replay_places(const struct maui_replay_nodes *nodes,
				 const struct maui_replay_schedule *schedule, size_t job,
				 char *text, size_t size)
{
	size_t used = 0;

	for (uint32_t node = 0; node < nodes->count; node++)
		for (uint32_t i = 0; i < schedule->share_count[job]; i++) {
			const struct maui_replay_share *share =
				&schedule->shares[schedule->first_share[job] + i];

			if (share->node == node)
				used += (size_t)snprintf(text + used, size - used, " %s:%u",
							 nodes->nodes[node].name, share->cpus);
			cr_assert_lt(used, size);
		}
}

/* "1 0 n1:4; 2 100 b n1:2 n2:2; 3 never" */
static inline const char *replay_places_text(const struct maui_replay_trace *trace,
					     const struct maui_replay_nodes *nodes,
					     const struct maui_replay_schedule *schedule,
					     char *text, size_t size)
{
	size_t used = 0;

	*text = '\0';
	for (size_t i = 0; i < trace->count; i++) {
		char when[24] = "never", where[256] = "";

		if (schedule->started[i] != MAUI_REPLAY_UNKNOWN) {
			snprintf(when, sizeof(when), "%" PRId64, schedule->started[i]);
			replay_places(nodes, schedule, i, where, sizeof(where));
		}
		used += (size_t)snprintf(text + used, size - used, "%s%" PRId64 " %s%s%s",
					 i ? "; " : "", trace->jobs[i].number, when,
					 schedule->backfilled[i] ? " b" : "", where);
		cr_assert_lt(used, size);
	}
	return text;
}

struct replay_example {
	const char *name, *nodes, *config, *partitions, *trace, *schedule;
};

/* "x=n1,n2;y=n3/1-2": of y MinNodes is 1 and MaxNodes 2. */
static inline void replay_add_partitions(struct maui_replay_nodes *nodes, const char *text)
{
	char name[16], node[16];
	int used;

	while (sscanf(text, "%15[a-z]=%n", name, &used) == 1) {
		struct maui_replay_partition *partition = maui_replay_nodes_partition(nodes, name);

		for (text += used; sscanf(text, "%15[a-z0-9]%n", node, &used) == 1;) {
			maui_replay_put(partition->members, maui_replay_nodes_find(nodes, node));
			text += used;
			text += *text == ',';
		}
		if (sscanf(text, "/%u-%u%n", &partition->min_nodes, &partition->max_nodes, &used) ==
		    2)
			text += used;
		text += *text == ';';
	}
}

static inline void replay_bad_line(void *context, uint32_t line, uint32_t column, const char *text)
{
	(void)context;
	cr_assert(false, "%u:%u: %s", line, column, text);
}

/* text_of_outages: NULL, there are none. */
static inline void replay_check_example(const struct replay_example *example,
					const char *text_of_outages)
{
	struct maui_replay_complaints complaints = {replay_bad_line, NULL};
	struct maui_replay_outages outages = {0};
	struct maui_replay_nodes *nodes = replay_nodes(example->nodes);
	struct maui_replay_trace *trace = replay_trace(example->trace, (uint32_t)nodes->cpus);
	struct maui_replay_requests *requests;
	struct maui_replay_site site = {.parameters = maui_replay_default_parameters,
					.procs = (uint32_t)nodes->cpus};
	struct maui_replay_schedule schedule;
	struct maui_replay_counts counts;
	struct maui_error error = {""};
	char text[512];

	replay_add_partitions(nodes, example->partitions);
	requests = maui_replay_requests_new(trace, nodes);
	site.requests = requests;
	if (text_of_outages) {
		cr_assert_eq(maui_replay_outages_read(&outages, nodes, text_of_outages,
						      strlen(text_of_outages), &complaints),
			     0);
		site.outages = &outages;
	}
	site.policy = replay_policy(example->name, example->config);
	cr_assert_eq(maui_replay_site_run(trace, &site, &schedule, &counts, &error), 0, "%s: %s",
		     example->name, error.text);
	cr_expect_str_eq(replay_places_text(trace, nodes, &schedule, text, sizeof(text)),
			 example->schedule, "%s: %s", example->name, text);
	maui_replay_schedule_clear(&schedule);
	maui_policy_unref(site.policy);
	maui_replay_outages_clear(&outages);
	maui_replay_requests_free(requests);
	maui_replay_trace_free(trace);
	maui_replay_nodes_free(nodes);
}

#endif
