/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the files of a Torque, and complains of what is wrong in them. */
#include "contribs/maui/import/import_torque.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/config/record.h"
#include "common/import/torque/torque_read.h"
#include "contribs/maui/import/import_text.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/text.h"

typedef int (*torque_reader)(struct maui_torque_site *site, const char *path, const char *text,
			     size_t size, const struct maui_import_complaints *complaints);

/* The path of the one file that is there; NULL: none. Both are an error, and *ret_code says so. */
static char *torque_find(const char *directory, const char *name, const char *other, int *ret_code)
{
	char *first = text_printf("%s/%s", directory, name);
	char *second = text_printf("%s/%s", directory, other);
	bool has_first = !access(first, F_OK), has_second = !access(second, F_OK);

	if (has_first && has_second)
		*ret_code = fail(EXIT_ERRORS, "%s has both %s and %s: move one of them away",
				 directory, name, other);
	if (!has_first || has_second) {
		free(first);
		first = NULL;
	}
	if (!has_second || has_first) {
		free(second);
		second = NULL;
	}
	return first ? first : second;
}

static int torque_read(struct maui_torque_site *site, const char *path, torque_reader read)
{
	struct import_text text;
	int rc;

	if (import_text_read(path, &text) != EXIT_OK)
		return EXIT_ERRORS;
	rc = read(site, path, text.text, text.size, &import_complaints);
	free(text.text);
	return rc ? EXIT_ERRORS : EXIT_OK;
}

/* A site whose qmgr has printed its nodes needs no other file of them. */
static int torque_read_nodes(struct maui_torque_site *site, const char *directory)
{
	char *nodes = text_printf("%s/nodes", directory);
	int code = EXIT_OK;

	if (!site->node_count || !access(nodes, F_OK))
		code = torque_read(site, nodes, maui_torque_read_nodes);
	free(nodes);
	return code;
}

static int torque_read_policy(const char *path, struct maui_config **ret_config,
			      struct import_text *ret_text)
{
	struct maui_reader reader = maui_file_reader(NULL);
	struct maui_error error;

	reader.record = true;
	if (import_text_read(path, ret_text) != EXIT_OK)
		return EXIT_ERRORS;
	if (maui_config_parse(path, ret_text->text, ret_text->size, &reader, ret_config, &error))
		return fail(EXIT_ERRORS, "%s", error.text);
	complain_of_errors(*ret_config, SIZE_MAX);
	return maui_config_errors(*ret_config) ? EXIT_ERRORS : EXIT_OK;
}

static int torque_read_site(struct maui_torque_site *site, const char *directory,
			    struct maui_config **ret_config, struct import_text *ret_text)
{
	int code = EXIT_OK;
	char *qmgr = torque_find(directory, "qmgr", "server", &code);
	char *cfg = torque_find(directory, "maui.cfg", "moab.cfg", &code);

	if (code == EXIT_OK && !qmgr)
		code = fail(EXIT_ERRORS,
			    "%s has neither qmgr nor server, the output of `qmgr -c 'print "
			    "server'`",
			    directory);
	if (code == EXIT_OK)
		code = torque_read(site, qmgr, maui_torque_read_qmgr);
	if (code == EXIT_OK)
		code = torque_read_nodes(site, directory);
	if (code == EXIT_OK && cfg)
		code = torque_read_policy(cfg, ret_config, ret_text);
	free(qmgr);
	free(cfg);
	return code;
}

/* 0, 1 and 2, as `maui check` has them. */
int import_torque(const char *directory, const char *output)
{
	struct maui_torque_site site;
	struct maui_torque_result result;
	struct maui_config *config = NULL;
	struct import_text text = {0};
	int code;

	maui_torque_site_begin(&site);
	maui_torque_result_begin(&result);
	code = torque_read_site(&site, directory, &config, &text);
	if (code == EXIT_OK) {
		const struct maui_torque_policy policy = {config, text.text, text.size};
		const size_t *count = result.import.count;

		maui_torque_translate(&site, &policy, &result);
		code = import_torque_write(directory, output, &result);
		if (code == EXIT_OK && (count[MAUI_IMPORT_LOST] || count[MAUI_IMPORT_OTHER]))
			code = EXIT_WARNINGS;
	}
	maui_torque_result_clear(&result);
	maui_torque_site_clear(&site);
	maui_config_unref(config);
	free(text.text);
	return code;
}
