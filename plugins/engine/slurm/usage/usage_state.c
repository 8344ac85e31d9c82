/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes priority_last_decay_ran: two big-endian 64-bit times, of the
 * last pass and the last reset.
 */
#include "plugins/compat/compat.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

#include "plugins/engine/runtime/statefile.h"
#include "plugins/engine/runtime/stateload.h"
#include "plugins/engine/slurm/usage/usage_state.h"

#define FILE_NAME "priority_last_decay_ran"

static int usage_times_parse(const char *text, size_t size, void *result, struct maui_error *why)
{
	struct usage_times *times = result;
	uint64_t words[2];

	if (size < sizeof(words))
		return maui_error_set(why, EINVAL, "it is too short");
	memcpy(words, text, sizeof(words));
	times->last_pass = (int64_t)be64toh(words[0]);
	times->last_reset = (int64_t)be64toh(words[1]);
	return 0;
}

static const struct maui_state_file stored = {
	.name = FILE_NAME,
	.limit = 4096,
	.parse = usage_times_parse,
	.lost = "what running jobs used until now is not counted",
	.kept = "what running jobs used until now is not counted",
	.waits = "the usage of associations and QOS is not brought up to date",
};

bool usage_times_load(const char *state_directory, struct usage_times *ret_times)
{
	return stateload(&stored, state_directory, ret_times) != STATE_NOT_NOW;
}

int usage_times_save(const char *state_directory, const struct usage_times *times)
{
	uint64_t words[] = {htobe64((uint64_t)times->last_pass),
			    htobe64((uint64_t)times->last_reset)};
	struct maui_error problem;
	int rc = statefile_replace(state_directory, FILE_NAME, words, sizeof(words), &problem);

	if (rc)
		error("maui: %s: after a restart usage may be counted twice", problem.text);
	return rc;
}
