/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a directory of FS files beside a maui.cfg, to `maui fs`: files that verify calls
 * sound are those that show loads, and that import would take over. Nothing is written: what import
 * writes is tested by fuzz_fairshare.
 */
#include <string.h>

#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/output.h"
#include "testsuite/fuzz/in_process.h"
#include "testsuite/fuzz/memory_files.h"
#include "testsuite/fuzz/require.h"

#define DIRECTORY MEMORY_DIRECTORY
#define CONFIG    " --configfile=" MEMORY_DIRECTORY "maui.cfg"

static void check_problems(struct json_object *found, int code)
{
	struct json_object *problems = member_array(found, "problems");
	int64_t errors = 0;

	for (size_t i = 0; i < array_size(problems); i++) {
		struct json_object *problem = json_object_array_get_idx(problems, i);
		int64_t line = member_integer(problem, "line");
		int64_t column = member_integer(problem, "column");

		/* 0:0 means the file as a whole. */
		REQUIRE(*member_text(problem, "file") && *member_text(problem, "text"));
		REQUIRE((line >= 1 && column >= 1) || (!line && !column));
		errors += !strcmp(member_text(problem, "severity"), "error");
	}
	REQUIRE(member_integer(found, "errors") == errors);
	REQUIRE((code == EXIT_ERRORS) == (errors > 0));
}

/* How many of the files are sound. */
static int64_t sound(struct json_object *verified)
{
	struct json_object *files = member_array(verified, "files");
	int64_t count = 0;

	for (size_t i = 0; i < array_size(files); i++)
		count +=
			!strcmp(member_text(json_object_array_get_idx(files, i), "state"), "sound");
	return count;
}

/* No file is lost, and none that verify calls damaged is taken over. */
static void check_import(struct json_object *verified, struct json_object *imported)
{
	int64_t all = member_integer(imported, "imported") + member_integer(imported, "skipped") +
		      member_integer(imported, "damaged");

	REQUIRE(all == (int64_t)array_size(member_array(verified, "files")));
	REQUIRE(member_integer(imported, "imported") <= sound(verified));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_files files;
	struct json_object *verified, *shown, *imported;
	int code;

	memory_files_split("maui.cfg", data, size, &files);
	memory_files_use(&files);
	engine_is(NULL);
	code = run_json("fs verify " DIRECTORY, &verified);
	if (verified)
		check_problems(verified, code);
	run_json("fs show" CONFIG " --at=1700140000 " DIRECTORY, &shown);
	run_json("fs import" CONFIG
		 " --dry-run --to=/nonexistent --host=127.0.0.1 --port=1 " DIRECTORY,
		 &imported);
	if (imported)
		check_import(verified, imported);
	if (size % 4 == 0) {
		REQUIRE(run_command("fs verify -v " DIRECTORY, NULL, NULL) == code);
		run_command("fs show -v" CONFIG " --at=1700140000 " DIRECTORY, NULL, NULL);
	}
	json_object_put(verified);
	json_object_put(shown);
	json_object_put(imported);
	memory_files_use(NULL);
	return 0;
}
