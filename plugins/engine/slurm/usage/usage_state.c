/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/compat.h"

#include <endian.h>
#include <errno.h>
#include <stdio.h>

#include "plugins/engine/runtime/statefile.h"
#include "plugins/engine/slurm/usage/usage_state.h"

#define FILE_NAME "priority_last_decay_ran"

static int read_words(const char *path, uint64_t *words, size_t count)
{
	FILE *file = fopen(path, "re");
	bool whole;

	if (!file)
		return -errno;
	whole = fread(words, sizeof(*words), count, file) == count;
	fclose(file);
	return whole ? 0 : -EBADMSG;
}

int usage_times_load(const char *state_directory, struct usage_times *ret_times)
{
	char *path = xstrdup_printf("%s/" FILE_NAME, state_directory);
	uint64_t words[2] = {0};
	int rc = read_words(path, words, 2);

	if (!rc) {
		ret_times->last_pass = (int64_t)be64toh(words[0]);
		ret_times->last_reset = (int64_t)be64toh(words[1]);
	}
	xfree(path);
	return rc;
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
