/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as an workload trace of Maui. */
#include "common/replay/readers/workload.h"
#include "testsuite/fuzz/trace.h"

static int read_workload(struct maui_replay_trace *trace, const char *text, size_t size,
			 const struct maui_replay_complaints *complaints)
{
	maui_replay_workload_read(trace, text, size, complaints);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_trace(data, size, read_workload);
	return 0;
}
