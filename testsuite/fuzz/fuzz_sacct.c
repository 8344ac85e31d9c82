/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as a trace that sacct has printed. */
#include "common/replay/readers/sacct.h"
#include "testsuite/fuzz/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_trace(data, size, maui_replay_sacct_read);
	return 0;
}
