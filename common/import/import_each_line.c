/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies each line into the arena, and makes the place of a complaint from the present one. */
#include "common/import/import_each_line.h"

#include <string.h>

void maui_import_each_line(struct maui_import_lines *lines, struct maui_arena *arena,
			   const char *text, size_t size, void (*take)(void *context, char *line),
			   void *context)
{
	const char *end = text + size;

	for (const char *at = text; at < end && !lines->wrong;) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		char *line = maui_arena_text(arena, at, (size_t)((stop ? stop : end) - at));

		lines->number++;
		lines->line = line;
		take(context, line);
		at = stop ? stop + 1 : end;
	}
}

void maui_import_complain(struct maui_import_lines *lines, const char *at, const char *text)
{
	struct maui_conf_place place = {lines->path, lines->number,
					(uint32_t)(at - lines->line) + 1};

	lines->complaints->complain(lines->complaints->context, &place, text);
	lines->wrong = true;
}

void maui_import_complain_of_all(struct maui_import_lines *lines, const char *text)
{
	lines->line = "";
	lines->number = 1;
	maui_import_complain(lines, lines->line, text);
}
