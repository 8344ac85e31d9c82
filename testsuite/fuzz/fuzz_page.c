/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as what `maui queue` saved, after a 0xff as the engine's answer, and after another as
 * what `maui replay` printed, on a page: the elements close in the order in which they were opened,
 * and none is a script. So no name of the input has become markup.
 */
#include <string.h>

#include "contribs/maui/lib/command.h"
#include "testsuite/fuzz/answer.h"
#include "testsuite/fuzz/in_process.h"
#include "testsuite/fuzz/memory_files.h"
#include "testsuite/fuzz/require.h"

#define QUEUE  MEMORY_DIRECTORY "queue.json"
#define REPORT MEMORY_DIRECTORY "replay.json"

#define DEEPEST 32

static bool is_element(const char *tag, const char *name)
{
	size_t size = strlen(name);

	return !strncmp(tag, name, size) && strchr(" />", tag[size]);
}

/* From behind a '<' to behind its '>'. Attributes are quoted, and have neither. */
static const char *pass_tag(const char *tag)
{
	size_t quotes = 0;

	for (; *tag && *tag != '>'; tag++) {
		REQUIRE(*tag != '<');
		quotes += *tag == '"';
	}
	REQUIRE(*tag == '>' && quotes % 2 == 0);
	return tag + 1;
}

static void check_elements(const char *text)
{
	const char *open[DEEPEST];
	size_t depth = 0;

	while ((text = strchr(text, '<'))) {
		const char *tag = text + 1;

		text = pass_tag(tag);
		REQUIRE(!is_element(tag, "script"));
		if (*tag == '!' || text[-2] == '/')
			continue;
		if (*tag != '/') {
			REQUIRE(depth < DEEPEST);
			open[depth++] = tag;
			continue;
		}
		REQUIRE(depth > 0);
		depth--;
		REQUIRE(!strncmp(open[depth], tag + 1, strcspn(tag + 1, ">")));
	}
	REQUIRE(depth == 0);
}

static void run(const char *words)
{
	struct printed out;

	REQUIRE(run_command(words, &out, NULL) == EXIT_OK);
	check_elements(out.text);
	for (size_t i = 0; i < out.size; i++)
		REQUIRE((unsigned char)out.text[i] >= ' ' || out.text[i] == '\n');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_files files;

	memory_files_split("queue.json", data, size, &files);
	memory_files_use(&files);
	answer = files.count > 1 ? &files.list[1] : NULL;
	engine_is(engine);
	run(memory_files_find(REPORT) ? "page --user=bob --queue-file=" QUEUE " --replay=" REPORT
				      : "page --user=bob --queue-file=" QUEUE);
	engine_is(NULL);
	memory_files_use(NULL);
	return 0;
}
