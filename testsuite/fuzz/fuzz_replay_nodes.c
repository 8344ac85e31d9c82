/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any nodes, and a replay on them: each node keeps the promises of nodes.h, nothing of a node is
 * given twice, and a job has all that it asked for.
 *
 * The bytes are nodes as the option has them, after a 0xff a maui.cfg, and after another one six
 * for each job.
 */
#include <stdlib.h>
#include <string.h>

#include "common/policy/policy.h"
#include "common/replay/site/site.h"
#include "testsuite/fuzz/replay_jobs.h"
#include "testsuite/fuzz/replay_machine.h"

#define MOST_NODES 64u
#define TURN       1800

struct run {
	const struct maui_replay_trace *trace;
	const struct maui_replay_nodes *nodes;
	const struct maui_replay_requests *requests;
	struct maui_replay_schedule schedule;
};

/* What a job has on a node is there beside what others have at its start. */
static void check_node(const struct run *run, uint32_t node, int64_t time)
{
	const struct maui_replay_schedule *schedule = &run->schedule;
	uint64_t cpus = 0, memory = 0, gpus = 0, there = 0;

	for (size_t i = 0; i < run->trace->count; i++) {
		const struct maui_replay_request *request =
			maui_replay_request_of(run->requests, (uint32_t)i);

		if (schedule->started[i] == MAUI_REPLAY_UNKNOWN || schedule->started[i] > time ||
		    schedule->started[i] + run->trace->jobs[i].run <= time)
			continue;
		for (uint32_t j = 0; j < schedule->share_count[i]; j++) {
			const struct maui_replay_share *share =
				&schedule->shares[schedule->first_share[i] + j];
			struct maui_replay_amount amount;

			if (share->node != node)
				continue;
			maui_replay_amount_of(request, share, &amount);
			cpus += share->cpus;
			memory += (uint64_t)amount.memory;
			gpus += request->want_count ? amount.units[0] : 0;
		}
	}
	for (uint32_t j = 0; j < run->nodes->nodes[node].gres_count; j++)
		there += run->nodes->nodes[node].gres[j].count;
	REQUIRE(cpus <= run->nodes->nodes[node].cpus);
	REQUIRE(!run->nodes->nodes[node].memory ||
		memory <= (uint64_t)run->nodes->nodes[node].memory);
	REQUIRE(gpus <= there);
}

static void check_job(const struct run *run, size_t job)
{
	const struct maui_replay_schedule *schedule = &run->schedule;
	const struct maui_replay_request *request =
		maui_replay_request_of(run->requests, (uint32_t)job);
	const struct maui_replay_share *share = &schedule->shares[schedule->first_share[job]];
	uint64_t cpus = 0;

	REQUIRE(schedule->started[job] >= run->trace->jobs[job].submitted);
	REQUIRE(schedule->share_count[job] >= request->nodes);
	REQUIRE(!request->sizes || schedule->share_count[job] == request->nodes);
	for (uint32_t i = 0; i < schedule->share_count[job]; i++) {
		REQUIRE(share[i].cpus && (request->sizes || share[i].cpus % request->cpus == 0));
		REQUIRE(maui_replay_has(run->requests->sets[request->set].members, share[i].node));
		cpus += share[i].cpus;
		check_node(run, share[i].node, schedule->started[job]);
	}
	REQUIRE(cpus == run->trace->jobs[job].procs);
}

static void replay(struct run *run, struct maui_policy *policy)
{
	struct maui_replay_site site = {.policy = policy,
					.parameters = maui_replay_default_parameters,
					.procs = (uint32_t)run->nodes->cpus,
					.requests = run->requests};
	struct maui_replay_counts counts;
	struct maui_error error = {""};

	site.parameters.interval = TURN;
	if (!maui_replay_site_run(run->trace, &site, &run->schedule, &counts, &error))
		for (size_t i = 0; i < run->trace->count; i++)
			if (run->schedule.started[i] != MAUI_REPLAY_UNKNOWN)
				check_job(run, i);
	maui_replay_schedule_clear(&run->schedule);
}

static void try(struct maui_replay_nodes *nodes, const uint8_t *data, size_t size)
{
	const uint8_t *end = size ? memchr(data, 0xff, size) : NULL;
	struct maui_replay_requests *requests;
	struct maui_replay_trace *trace;
	struct maui_policy *policy;
	struct maui_error error;
	struct run run = {.nodes = nodes};

	if (!end || nodes->count > MOST_NODES ||
	    maui_policy_of_text("maui.cfg", (const char *)data, (size_t)(end - data), 0, &policy,
				&error))
		return;
	trace = make_trace(end + 1, (size_t)(data + size - end - 1), (uint32_t)nodes->cpus);
	requests = maui_replay_requests_new(trace, nodes);
	run.trace = trace;
	run.requests = requests;
	replay(&run, policy);
	maui_replay_requests_free(requests);
	maui_replay_trace_free(trace);
	maui_policy_unref(policy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size ? memchr(data, 0xff, size) : NULL;
	size_t used = end ? (size_t)(end - data) : size;
	struct maui_replay_nodes *nodes = maui_replay_nodes_new();
	char *text = strndup(size ? (const char *)data : "", used);
	struct maui_error error = {""};
	int rc;

	REQUIRE(text);
	rc = maui_replay_nodes_read(nodes, text, &error);
	REQUIRE(!rc || *error.text);
	if (!rc)
		check_nodes(nodes);
	if (!rc && end)
		try(nodes, end + 1, size - used - 1);
	free(text);
	maui_replay_nodes_free(nodes);
	return 0;
}
