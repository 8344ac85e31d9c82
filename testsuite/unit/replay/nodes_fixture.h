/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machines of nodes, and schedules on them as a text that says where each job ran. */
#ifndef MAUI_UNIT_NODES_FIXTURE_H
#define MAUI_UNIT_NODES_FIXTURE_H

#include "testsuite/unit/replay/replay_fixture.h"

#include "common/policy/policy.h"
#include "common/replay/site.h"

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

#endif
