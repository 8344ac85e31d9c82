/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compiles the import's lines, or a file, and compares the queue with it. */
#include "contribs/maui/import/import_compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "common/util/memory.h"

#define MAX_SAID 20 /* errors of a file */

static int compare_load_file(const char *file, struct maui_policy **ret_policy)
{
	const struct maui_reader reader = maui_file_reader(NULL);
	struct maui_config *config = NULL;
	struct maui_error error;

	if (maui_config_load(file, &reader, &config, &error))
		return fail(EXIT_ERRORS, "%s", error.text);
	if (maui_config_errors(config)) {
		complain_of_errors(config, MAX_SAID);
		maui_config_unref(config);
		return fail(EXIT_ERRORS, "%s has errors: see `maui check`", file);
	}
	*ret_policy = maui_policy_compile(config, time(NULL));
	return EXIT_OK;
}

/* What import_print() prints, without its comments. */
static int compare_load_import(const struct maui_import *import, struct maui_policy **ret_policy)
{
	struct maui_error error;
	size_t size = 0;
	char *text = NULL;
	FILE *lines = open_memstream(&text, &size);
	int rc;

	if (!lines)
		maui_memory_short(0);
	for (size_t i = 0; i < import->line_count; i++)
		fprintf(lines, "%s %s\n", import->lines[i].key, import->lines[i].value);
	fclose(lines);
	rc = maui_policy_of_text("maui.cfg", text, size, time(NULL), ret_policy, &error);
	free(text);
	return rc ? fail(EXIT_ERRORS, "the import is no maui.cfg: %s", error.text) : EXIT_OK;
}

const char *import_compare_tree(const struct import_queue *queue,
				const struct maui_comparison *comparison)
{
	if (!comparison->tree_unknown)
		return NULL;
	return queue->points
		       ? "sprio has no FairShare above 0, as while PriorityWeightFairshare is 0"
		       : "sprio has no FairShare of a saved queue, and none with priority/basic";
}

int import_compare(const struct cli *cli, const struct maui_import *import, bool basic,
		   const char *file)
{
	struct maui_comparison comparison;
	struct maui_policy *policy = NULL;
	struct import_queue queue;
	int code = file ? compare_load_file(file, &policy) : compare_load_import(import, &policy);

	if (code != EXIT_OK)
		return code;
	code = import_queue_load(cli, !basic && !cli->queue_file, policy->config, &queue);
	if (code == EXIT_OK) {
		maui_compare(policy, &queue.machine, queue.rows, queue.count, queue.now,
			     &comparison);
		if (cli->json)
			code = import_compare_print_json(&queue, &comparison, file);
		else
			import_compare_print(&queue, &comparison, file);
		maui_compare_clear(&comparison);
	}
	import_queue_clear(&queue);
	maui_policy_unref(policy);
	return code;
}
