/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of import_settings.h, and searches in them. */
#include "common/import/import_settings.h"

#include <string.h>
#include <strings.h>

#define ROW(ID, NAME, FATE, PLAIN, EFFECT) {NAME, MAUI_IMPORT_BECOMES_##FATE, PLAIN, EFFECT},

const struct maui_import_row maui_import_settings[] = {MAUI_IMPORT_SETTINGS(ROW)};
const struct maui_import_row maui_import_partition_settings[] = {
	MAUI_IMPORT_PARTITION_SETTINGS(ROW)};
const struct maui_import_row maui_import_flags[] = {MAUI_IMPORT_FLAG_WORDS(ROW)};

size_t maui_import_find(const struct maui_import_row *rows, size_t count, const char *name)
{
	size_t i = 0;

	while (i < count && strcasecmp(rows[i].name, name) != 0)
		i++;
	return i;
}

bool maui_import_is_plain(const struct maui_import_row *row, const char *value)
{
	size_t size = strlen(value);

	for (const char *at = row->plain; *at; at += *at == ',') {
		size_t word = strcspn(at, ",");

		if (word == size && !strncasecmp(at, value, size))
			return true;
		at += word;
	}
	return false;
}
