/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the fuzz targets of replays: six bytes for each job. */
#ifndef MAUI_FUZZ_REPLAY_JOBS_H
#define MAUI_FUZZ_REPLAY_JOBS_H

#include "common/replay/trace/trace.h"
#include "testsuite/fuzz/require.h"

#define PROCS    32
#define MAX_JOBS 60
#define JOB_SIZE 6

static inline uint32_t credential(struct maui_replay_trace *trace, enum maui_credential type,
				  unsigned int bits)
{
	static const char *const names[MAUI_CREDENTIALS][4] = {
		[MAUI_USER] = {NULL, "a", "b", "c"},
		[MAUI_GROUP] = {NULL, "g", "h", "i"},
		[MAUI_ACCOUNT] = {NULL, "x", "y", "z"},
		[MAUI_QOS] = {NULL, "high", "low", "q"},
		[MAUI_CLASS] = {NULL, "batch", "long", "p"},
	};
	const char *name = names[type][bits & 3];

	return name ? maui_intern_add(trace->names[type], name) : 0;
}

static inline struct maui_replay_trace *make_trace(const uint8_t *bytes, size_t size,
						   uint32_t procs)
{
	struct maui_replay_trace *trace = maui_replay_trace_new();
	int64_t now = 1000000;

	for (; size >= JOB_SIZE && trace->count < MAX_JOBS; bytes += JOB_SIZE, size -= JOB_SIZE) {
		struct maui_replay_job job = {.number = (int64_t)trace->count + 1,
					      .started = MAUI_REPLAY_UNKNOWN};

		now += (int64_t)bytes[0] * bytes[0];
		job.submitted = now;
		job.estimate = 1 + (int64_t)bytes[1] * bytes[1];
		job.run = 1 + job.estimate * bytes[2] / 256;
		job.memory = bytes[3] >> 6;
		job.nodes = bytes[3] >> 5 & 1;
		job.had_nodes = bytes[5] >> 6;
		job.gres = bytes[5] >> 4 & 1 ? maui_intern_add(trace->gres, "gpu=2") : 0;
		job.constraint = bytes[5] >> 5 & 1 ? maui_intern_add(trace->constraints, "a|b") : 0;
		for (int type = 0; type < MAUI_CREDENTIALS; type++)
			job.credential[type] =
				credential(trace, (enum maui_credential)type,
					   (unsigned int)(bytes[4] | bytes[5] << 8) >> 2 * type);
		maui_replay_trace_add(trace, &job, 1 + (bytes[3] & 31));
	}
	maui_replay_trace_finish(trace, procs);
	return trace;
}

#endif
