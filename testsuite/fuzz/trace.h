/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the fuzz targets of traces: each job keeps the promises of trace.h, each complaint has a place
 * in the text, and whatever was read can be replayed.
 */
#ifndef MAUI_FUZZ_TRACE_H
#define MAUI_FUZZ_TRACE_H

#include <string.h>

#include "common/replay/figures/measures.h"
#include "testsuite/fuzz/complaints.h"
#include "testsuite/fuzz/require.h"

#define PROCS 64

static inline void check_jobs(const struct maui_replay_trace *trace)
{
	for (size_t i = 0; i < trace->count; i++) {
		const struct maui_replay_job *job = &trace->jobs[i];

		REQUIRE(job->procs >= 1 && job->procs <= PROCS);
		REQUIRE(job->run >= 1 && job->run <= job->estimate);
		REQUIRE(job->estimate <= MAUI_REPLAY_MAX_LENGTH);
		REQUIRE(job->memory >= 0);
		REQUIRE(!i || trace->jobs[i - 1].submitted <= job->submitted);
		for (int type = 0; type < MAUI_CREDENTIALS; type++)
			REQUIRE(job->credential[type] <= maui_intern_count(trace->names[type]));
	}
}

static inline void check_schedule(const struct maui_replay_trace *trace,
				  enum maui_replay_preset preset)
{
	struct maui_replay_schedule schedule;
	struct maui_replay_measures measures;

	maui_replay_preset_run(trace, PROCS, preset, false, &schedule);
	for (size_t i = 0; i < trace->count; i++)
		REQUIRE(schedule.started[i] >= trace->jobs[i].submitted);
	maui_replay_measure(trace, schedule.started, schedule.backfilled, NULL, PROCS, &measures);
	REQUIRE(measures.jobs == trace->count);
	REQUIRE(measures.utilisation >= 0 && measures.utilisation <= 1.0000001);
	maui_replay_schedule_clear(&schedule);
}

static inline void try_trace(const uint8_t *data, size_t size,
			     int (*read)(struct maui_replay_trace *trace, const char *text,
					 size_t size,
					 const struct maui_replay_complaints *complaints))
{
	struct text text = {size ? (const char *)data : "", size};
	struct maui_replay_complaints complaints = {bad_line, &text};
	struct maui_replay_trace *trace = maui_replay_trace_new();

	if (!read(trace, text.bytes, text.size, &complaints)) {
		maui_replay_trace_finish(trace, PROCS);
		check_jobs(trace);
		for (int preset = MAUI_REPLAY_FCFS; preset <= MAUI_REPLAY_SJBF; preset++)
			check_schedule(trace, (enum maui_replay_preset)preset);
	} else {
		REQUIRE(trace->bad_lines == 1);
	}
	maui_replay_trace_free(trace);
}

#endif
