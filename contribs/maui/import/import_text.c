/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads files of at most 16 MiB. */
#include "contribs/maui/import/import_text.h"

#include "common/util/files/file.h"
#include "contribs/maui/lib/command.h"

#define FILE_LIMIT (16u << 20) /* bytes */

int import_text_read(const char *path, struct import_text *ret_text)
{
	struct maui_error error;

	ret_text->name = path;
	if (!maui_file_read(path, FILE_LIMIT, NULL, &ret_text->text, &ret_text->size, NULL, &error))
		return EXIT_OK;
	return fail(EXIT_ERRORS, "%s", error.text);
}

static void import_text_complain(void *context, const struct maui_conf_place *place,
				 const char *text)
{
	(void)context;
	complain("%s:%u:%u: %s", place->file, place->line, place->column, text);
}

const struct maui_import_complaints import_complaints = {import_text_complain, NULL};
