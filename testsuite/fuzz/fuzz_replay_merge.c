/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as the results of a sweep's job array, to `maui replay --merge`: what it ranks is in
 * order, and no more than there are files.
 */
#include <math.h>
#include <string.h>

#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/output.h"
#include "testsuite/fuzz/in_process.h"
#include "testsuite/fuzz/memory_files.h"
#include "testsuite/fuzz/require.h"

#define MERGE "replay --merge=" MEMORY_DIRECTORY

static double wait_of(struct json_object *runs, size_t index)
{
	struct json_object *run = json_object_array_get_idx(runs, index);

	REQUIRE(member_integer(run, "rank") == (int64_t)index + 1);
	return member_number(member_object(run, "wait"), "mean");
}

static void check_runs(struct json_object *merged)
{
	struct json_object *runs = member_array(merged, "runs");

	REQUIRE(!strcmp(member_text(merged, "rank_by"), "wait"));
	REQUIRE(array_size(runs) >= 1 && array_size(runs) <= MEMORY_FILES);
	for (size_t i = 0; i < array_size(runs); i++)
		REQUIRE(isfinite(wait_of(runs, i)) &&
			(!i || wait_of(runs, i) >= wait_of(runs, i - 1)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_files files;
	struct json_object *merged;
	int code;

	memory_files_split("0.json", data, size, &files);
	memory_files_use(&files);
	engine_is(NULL);
	code = run_json(MERGE " --rank-by=wait", &merged);
	REQUIRE(code == EXIT_OK || code == EXIT_ERRORS);
	REQUIRE(merged || code == EXIT_ERRORS);
	if (merged)
		check_runs(merged);
	REQUIRE((run_command(MERGE, NULL, NULL) == EXIT_OK) == (code == EXIT_OK));
	json_object_put(merged);
	memory_files_use(NULL);
	return 0;
}
