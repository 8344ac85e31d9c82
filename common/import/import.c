/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lists of lines and remarks that an import fills. */
#include "common/import/import.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/memory.h"
#include "common/util/text.h"

void maui_import_begin(struct maui_import *ret_import)
{
	*ret_import = (struct maui_import){.arena = maui_arena_new()};
}

void maui_import_clear(struct maui_import *import)
{
	maui_arena_free(import->arena);
	free(import->lines);
	free(import->remarks);
	free(import->commands);
	*import = (struct maui_import){0};
}

__attribute__((format(printf, 2, 0))) static const char *
import_vtext(struct maui_import *import, const char *format, va_list values)
{
	char *text = maui_vasprintf(format, values);
	const char *kept = maui_arena_text(import->arena, text, strlen(text));

	free(text);
	return kept;
}

const char *maui_import_text(struct maui_import *import, const char *format, ...)
{
	const char *text;
	va_list values;

	va_start(values, format);
	text = import_vtext(import, format, values);
	va_end(values);
	return text;
}

bool maui_import_is_name(const char *name)
{
	for (const char *at = name; *at; at++)
		if (!maui_is_name(*at) && !strchr("-+:/@", *at))
			return false;
	return *name != '\0';
}

void maui_import_line(struct maui_import *import, const char *key, const char *value,
		      const char *why, ...)
{
	struct maui_import_line *line;
	va_list values;

	import->lines = maui_grow(import->lines, import->line_count + 1, &import->line_room,
				  sizeof(*import->lines));
	line = &import->lines[import->line_count++];
	va_start(values, why);
	*line = (struct maui_import_line){key, value, import_vtext(import, why, values)};
	va_end(values);
}

void maui_import_remark(struct maui_import *import, enum maui_import_fate fate, const char *setting,
			const char *effect, ...)
{
	struct maui_import_remark *remark;
	va_list values;

	import->remarks = maui_grow(import->remarks, import->remark_count + 1, &import->remark_room,
				    sizeof(*import->remarks));
	remark = &import->remarks[import->remark_count++];
	va_start(values, effect);
	*remark = (struct maui_import_remark){fate, setting, import_vtext(import, effect, values)};
	va_end(values);
	import->count[fate]++;
}

void maui_import_command(struct maui_import *import, const char *command)
{
	import->commands = maui_grow(import->commands, import->command_count + 1,
				     &import->command_room, sizeof(*import->commands));
	import->commands[import->command_count++] = command;
}
