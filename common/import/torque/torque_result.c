/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lists of lines of an import of a Torque. */
#include "common/import/torque/torque_result.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/memory.h"
#include "common/util/text.h"

void maui_torque_result_begin(struct maui_torque_result *ret_result)
{
	*ret_result = (struct maui_torque_result){0};
	maui_import_begin(&ret_result->import);
}

void maui_torque_result_clear(struct maui_torque_result *result)
{
	for (size_t i = 0; i < MAUI_TORQUE_PARTS; i++)
		free(result->parts[i].list);
	maui_import_clear(&result->import);
	*result = (struct maui_torque_result){0};
}

void maui_torque_line(struct maui_torque_result *result, enum maui_torque_part part,
		      const char *format, ...)
{
	struct maui_torque_lines *lines = &result->parts[part];
	va_list values;
	char *text;

	va_start(values, format);
	text = maui_vasprintf(format, values);
	va_end(values);
	if (part != MAUI_TORQUE_POLICY) /* the site's own lines stay as they are */
		maui_make_printable(text);
	lines->list = maui_grow(lines->list, lines->count + 1, &lines->room, sizeof(*lines->list));
	lines->list[lines->count++] = maui_arena_text(result->import.arena, text, strlen(text));
	free(text);
}

void maui_torque_remark(struct maui_torque_result *result, const struct maui_torque_object *object,
			const struct maui_torque_attribute *attribute, enum maui_import_fate fate,
			const char *effect, ...)
{
	const char *setting =
		maui_import_text(&result->import, "%s:%u: %s%s: %s = %s", attribute->place.file,
				 attribute->place.line, *object->name ? "queue " : "server",
				 object->name, attribute->name, attribute->value);
	va_list values;
	char *text;

	va_start(values, effect);
	text = maui_vasprintf(effect, values);
	va_end(values);
	maui_import_remark(&result->import, fate, setting, "%s", text);
	free(text);
}
