/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as rows of sacct without names of columns, with a delimiter of their own. */
#include "common/replay/readers/sacct.h"
#include "testsuite/fuzz/trace.h"

static int read_rows(struct maui_replay_trace *trace, const char *text, size_t size,
		     const struct maui_replay_complaints *complaints)
{
	static const struct maui_replay_sacct_form form = {.delimiter = "||", .shredder = true};

	return maui_replay_sacct_read_form(trace, text, size, &form, complaints);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_trace(data, size, read_rows);
	return 0;
}
