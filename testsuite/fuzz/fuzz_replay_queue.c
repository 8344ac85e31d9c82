/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as what `maui queue` printed, as the state that a replay begins with: what is read
 * keeps the promises of traces and nodes, and can be replayed.
 */
#include "common/policy/policy.h"
#include "common/replay/site/site.h"
#include "contribs/maui/replay/input/queue_start.h"
#include "testsuite/fuzz/replay_machine.h"

#define MOST 64 /* nodes and jobs that are replayed */

static const char config[] = "RMPOLLINTERVAL 1800\nUSERCFG[DEFAULT] MAXJOB=3 MAXGRES[gpu]=2\n"
			     "SRCFG[x] TASKCOUNT=1 PERIOD=DAY USERLIST=bob\n";

static void check_trace(const struct maui_replay_trace *trace)
{
	REQUIRE(trace->begin > 0);
	for (size_t i = 0; i < trace->count; i++) {
		const struct maui_replay_job *job = &trace->jobs[i];

		REQUIRE(job->procs >= 1 && job->run >= 1 && job->run <= job->estimate);
		REQUIRE(job->estimate <= MAUI_REPLAY_MAX_LENGTH && job->memory >= 0);
		REQUIRE(!job->running || job->submitted == trace->begin);
		REQUIRE((size_t)job->first_place + job->place_count <= trace->place_used);
	}
}

static void replay(const struct maui_replay_trace *trace, const struct replay_machine *machine)
{
	struct maui_replay_site site = {.parameters = maui_replay_default_parameters,
					.procs = trace->procs,
					.requests = machine->requests,
					.outages = &machine->outages};
	struct maui_replay_schedule schedule = {0};
	struct maui_replay_counts counts;
	struct maui_error error;

	site.parameters.interval = 10800;
	REQUIRE(!maui_policy_of_text("maui.cfg", config, sizeof(config) - 1, 0, &site.policy,
				     &error));
	REQUIRE(!maui_replay_site_run(trace, &site, &schedule, &counts, &error));
	for (size_t i = 0; i < trace->count; i++)
		REQUIRE(schedule.started[i] == MAUI_REPLAY_UNKNOWN ||
			schedule.started[i] >= trace->begin);
	maui_replay_schedule_clear(&schedule);
	maui_policy_unref(site.policy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct replay_file file = {
		.path = "queue.json", .bytes = (char *)(uintptr_t)data, .size = size};
	struct replay_machine machine = {0};
	struct maui_replay_trace *trace = maui_replay_trace_new();

	if (queue_start_looks(&file) && queue_start_read(&file, &machine, trace) == EXIT_OK) {
		check_trace(trace);
		check_nodes(machine.nodes);
		trace->procs = machine.procs;
		maui_replay_trace_finish(trace, trace->procs);
		if (trace->count && trace->count <= MOST && machine.nodes->count <= MOST &&
		    machine_match(&machine, trace) == EXIT_OK && trace->count)
			replay(trace, &machine);
	}
	machine_clear_options(&machine);
	maui_replay_trace_free(trace);
	return 0;
}
