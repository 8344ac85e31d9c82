/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as a trace in the Standard Workload Format. */
#include "common/replay/swf.h"
#include "testsuite/fuzz/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_trace(data, size, maui_replay_swf_read);
	return 0;
}
