/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the files that `maui import` is given, and complains of what is wrong in them. */
#include <errno.h>
#include <stdlib.h>

#include "common/replay/slurm_conf/slurm_conf.h"
#include "common/util/files/file.h"
#include "contribs/maui/import/import_command.h"

#define FILE_LIMIT (16u << 20) /* bytes */

static int read_whole(const char *path, char **ret_text, size_t *ret_size)
{
	struct maui_error error;

	if (!maui_file_read(path, FILE_LIMIT, NULL, ret_text, ret_size, NULL, &error))
		return EXIT_OK;
	return fail(EXIT_ERRORS, "%s", error.text);
}

/* ---- slurm.conf ---- */

static int read_included(void *context, const char *path, char **ret_text, size_t *ret_size)
{
	(void)context;
	return read_whole(path, ret_text, ret_size) == EXIT_OK ? 0 : -EINVAL;
}

static void complain_of_place(void *context, const struct maui_conf_place *place, const char *text)
{
	(void)context;
	complain("%s:%u:%u: %s", place->file, place->line, place->column, text);
}

static void note_of_place(void *context, const struct maui_conf_place *place, const char *text)
{
	(void)context;
	note("%s:%u:%u: %s", place->file, place->line, place->column, text);
}

static void take_line(void *context, const struct maui_conf_word *words, size_t count)
{
	maui_import_conf_line(context, words, count);
}

static int translate_conf(struct maui_import_conf *conf, const struct maui_replay_nodes *nodes,
			  const struct maui_import_accounting *accounting,
			  struct maui_import *import)
{
	const struct maui_import_complaints complaints = {complain_of_place, NULL};
	struct maui_import_priority priority;

	if (maui_import_read_priority(conf, nodes, &complaints, &priority))
		return EXIT_ERRORS;
	priority.qos = accounting->qos;
	priority.qos_count = accounting->qos_count;
	priority.assocs = accounting->assocs;
	priority.assoc_count = accounting->assoc_count;
	maui_import_translate_priority(&priority, import);
	maui_import_tell_conf(conf, import);
	maui_import_tell_limits(accounting, import);
	return EXIT_OK;
}

static int import_slurm_conf(const char *path, const struct maui_import_accounting *accounting,
			     struct maui_import *import)
{
	struct maui_replay_nodes *nodes;
	struct maui_import_conf policy;
	struct maui_slurm_conf conf;
	const struct maui_slurm_conf_files files = {.read = read_included,
						    .complain = complain_of_place,
						    .warn = note_of_place,
						    .line = take_line,
						    .context = &policy};
	char *text;
	size_t size;
	int code = read_whole(path, &text, &size);

	if (code != EXIT_OK)
		return code;
	nodes = maui_replay_nodes_new();
	maui_import_conf_begin(&policy);
	code = maui_slurm_conf_read(path, text, size, &files, nodes, &conf)
		       ? EXIT_ERRORS
		       : translate_conf(&policy, nodes, accounting, import);
	maui_slurm_conf_clear(&conf);
	maui_import_conf_clear(&policy);
	maui_replay_nodes_free(nodes);
	free(text);
	return code;
}

/* ---- what sacctmgr prints ---- */

typedef int (*accounting_reader)(struct maui_import_accounting *accounting, const char *path,
				 const char *text, size_t size,
				 const struct maui_import_complaints *complaints);

static int read_accounting(const char *path, accounting_reader reader,
			   struct maui_import_accounting *accounting)
{
	const struct maui_import_complaints complaints = {complain_of_place, NULL};
	char *text;
	size_t size;
	int code;

	if (!path)
		return EXIT_OK;
	code = read_whole(path, &text, &size);
	if (code != EXIT_OK)
		return code;
	code = reader(accounting, path, text, size, &complaints) ? EXIT_ERRORS : EXIT_OK;
	free(text);
	return code;
}

/* ---- what scontrol prints ---- */

static int import_reservations(const char *path, struct maui_import *import)
{
	const struct maui_import_complaints complaints = {complain_of_place, NULL};
	struct maui_import_resvs resvs;
	char *text;
	size_t size;
	int code;

	if (!path)
		return EXIT_OK;
	code = read_whole(path, &text, &size);
	if (code != EXIT_OK)
		return code;
	maui_import_resvs_begin(&resvs);
	if (maui_import_read_resvs(&resvs, path, text, size, &complaints))
		code = EXIT_ERRORS;
	else
		maui_import_translate_resvs(&resvs, import);
	maui_import_resvs_clear(&resvs);
	free(text);
	return code;
}

int import_files(const struct import_paths *paths, struct maui_import *import)
{
	struct maui_import_accounting accounting;
	int code;

	maui_import_accounting_begin(&accounting);
	code = read_accounting(paths->qos, maui_import_read_qos, &accounting);
	if (code == EXIT_OK)
		code = read_accounting(paths->associations, maui_import_read_dump, &accounting);
	if (code == EXIT_OK)
		code = import_slurm_conf(paths->slurm_conf, &accounting, import);
	if (code == EXIT_OK)
		code = import_reservations(paths->reservations, import);
	maui_import_accounting_clear(&accounting);
	return code;
}
