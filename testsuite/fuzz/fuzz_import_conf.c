/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as slurm.conf and the files that it includes, imported: each complaint has a place, and
 * what is made of the rest is a maui.cfg without a problem.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/config/config.h"
#include "common/import/import_read.h"
#include "common/replay/slurm_conf/slurm_conf.h"
#include "testsuite/fuzz/complaints.h"
#include "testsuite/fuzz/memory_files.h"

static size_t complaints;

static int read_file(void *context, const char *path, char **ret_text, size_t *ret_size)
{
	const struct memory_file *file = memory_files_find(path);

	(void)context;
	if (!file)
		return -EINVAL;
	*ret_size = file->size;
	*ret_text = malloc(file->size + 1);
	REQUIRE(*ret_text);
	memcpy(*ret_text, file->text, file->size);
	return 0;
}

static void complain(void *context, const struct maui_conf_place *place, const char *why)
{
	const struct memory_file *file = memory_files_find(place->file);
	struct text text;

	REQUIRE(file);
	text = (struct text){file->size ? file->text : "", file->size};
	bad_line(&text, place->line, place->column, why);
	(void)context;
	complaints++;
}

static void pass_over(void *context, const struct maui_conf_place *place, const char *text)
{
	(void)context;
	(void)place;
	REQUIRE(*text);
}

static void line(void *context, const struct maui_conf_word *words, size_t count)
{
	maui_import_conf_line(context, words, count);
}

static void check_lines(const struct maui_import *import)
{
	struct maui_config *config = NULL;
	struct maui_error error;
	char text[4096];

	for (size_t i = 0; i < import->line_count; i++) {
		const struct maui_import_line *own = &import->lines[i];
		const struct maui_problem *problems;
		int size;

		REQUIRE(*own->why);
		size = snprintf(text, sizeof(text), "%s %s\n", own->key, own->value);
		if (size < 0 || (size_t)size >= sizeof(text))
			continue;
		REQUIRE(!maui_config_parse("maui.cfg", text, (size_t)size, NULL, &config, &error));
		REQUIRE(!maui_config_problems(config, &problems));
		maui_config_unref(config);
	}
	for (size_t i = 0; i < import->remark_count; i++)
		REQUIRE(*import->remarks[i].setting && *import->remarks[i].effect);
}

static int import_conf(struct maui_import_conf *policy, const struct maui_replay_nodes *nodes)
{
	const struct maui_import_complaints told = {complain, NULL};
	struct maui_import_priority priority;
	struct maui_import import;
	int rc = maui_import_read_priority(policy, nodes, &told, &priority);

	if (rc)
		return rc;
	maui_import_begin(&import);
	maui_import_translate_priority(&priority, &import);
	maui_import_tell_conf(policy, &import);
	check_lines(&import);
	maui_import_clear(&import);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct maui_replay_nodes *nodes = maui_replay_nodes_new();
	struct maui_import_conf policy;
	const struct maui_slurm_conf_files files = {.read = read_file,
						    .complain = complain,
						    .warn = pass_over,
						    .line = line,
						    .context = &policy};
	struct maui_slurm_conf conf;
	struct memory_files memory;
	int rc;

	memory_files_split("slurm.conf", data, size, &memory);
	memory_files_use(&memory);
	complaints = 0;
	maui_import_conf_begin(&policy);
	rc = maui_slurm_conf_read(MEMORY_DIRECTORY "slurm.conf", memory.list[0].text,
				  memory.list[0].size, &files, nodes, &conf);
	if (!rc)
		rc = import_conf(&policy, nodes);
	REQUIRE(rc == 0 ? !complaints : rc == -EINVAL && complaints);
	maui_slurm_conf_clear(&conf);
	maui_import_conf_clear(&policy);
	maui_replay_nodes_free(nodes);
	memory_files_use(NULL);
	return 0;
}
