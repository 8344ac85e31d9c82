/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as the state file of jobs: rejected with a reason, or records that keep the promises of
 * jobs.h and survive being written and read again.
 */
#include <errno.h>

#include "common/state/jobs.h"
#include "testsuite/fuzz/state_file.h"

static void check_same(const struct maui_jobstate *a, const struct maui_jobstate *b)
{
	REQUIRE(a->counted == b->counted);
	REQUIRE(a->start_count == b->start_count);
	REQUIRE(a->job_count == b->job_count);
	for (size_t i = 0; i < a->start_count; i++) {
		REQUIRE(a->starts[i].job_id == b->starts[i].job_id);
		REQUIRE(a->starts[i].time == b->starts[i].time);
	}
	for (size_t i = 0; i < a->job_count; i++) {
		REQUIRE(a->jobs[i].job_id == b->jobs[i].job_id);
		REQUIRE(a->jobs[i].bypass == b->jobs[i].bypass);
		REQUIRE(a->jobs[i].submitted == b->jobs[i].submitted);
		REQUIRE(a->jobs[i].queued_since == b->jobs[i].queued_since);
	}
}

static void check_state(const struct maui_jobstate *state)
{
	struct maui_jobstate again = {0};
	char *text;
	size_t size;

	REQUIRE(state->counted >= 0);
	for (size_t i = 0; i < state->start_count; i++)
		REQUIRE(state->starts[i].job_id && state->starts[i].time > 0);
	for (size_t i = 0; i < state->job_count; i++)
		REQUIRE(state->jobs[i].job_id && state->jobs[i].submitted >= 0);
	maui_jobstate_format(state, &text, &size);
	REQUIRE(!maui_jobstate_parse(text, size, &again, NULL));
	check_same(state, &again);
	maui_jobstate_clear(&again);
	free(text);
}

static void try(const char *text, size_t size)
{
	struct maui_jobstate state = {0};
	struct maui_error error = {""};
	int rc = maui_jobstate_parse(text, size, &state, &error);

	REQUIRE(is_state_verdict(rc));
	REQUIRE(!rc == !*error.text);
	REQUIRE(!rc || (!state.jobs && !state.starts));
	if (!rc)
		check_state(&state);
	maui_jobstate_clear(&state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_state_file(try, "slurm-maui jobs 2\n", data, size);
	return 0;
}
