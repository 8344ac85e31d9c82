/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as a trace in the Standard Workload Format. */
#include "common/replay/readers/swf.h"
#include "testsuite/fuzz/trace.h"

static int read_swf(struct maui_replay_trace *trace, const char *text, size_t size,
		    const struct maui_replay_complaints *complaints)
{
	maui_replay_swf_read(trace, text, size, complaints);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_trace(data, size, read_swf);
	return 0;
}
