/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Describes the values of a key from struct maui_key_info: its keywords, or its
 * kind with minimum, maximum and unit.
 */
#include "contribs/maui/lib/key_text.h"

#include <stdio.h>
#include <string.h>

#define UNBOUNDED 1e9 /* from here on no reader would care about the bound */

bool key_has_range(const struct maui_key_info *info)
{
	switch (info->kind) {
	case MAUI_KIND_INTEGER:
	case MAUI_KIND_MEMORY:
	case MAUI_KIND_DURATION:
	case MAUI_KIND_REAL:
	case MAUI_KIND_LIMIT:
	case MAUI_KIND_TIME_LIMIT:
	case MAUI_KIND_MEMORY_LIMIT:
		return info->min < info->max;
	default:
		return false;
	}
}

bool key_in_force(const struct maui_key_info *info)
{
	return info->area != MAUI_AREA_SLURM && !info->missing;
}

static void key_text_append(char *text, const char *more)
{
	size_t used = strlen(text);

	snprintf(text + used, KEY_TEXT_SIZE - used, "%s", more);
}

static const char *key_text_unit(enum maui_kind kind)
{
	switch (kind) {
	case MAUI_KIND_DURATION:
	case MAUI_KIND_TIME_LIMIT:
		return " seconds";
	case MAUI_KIND_MEMORY:
	case MAUI_KIND_MEMORY_LIMIT:
		return " MB";
	default:
		return "";
	}
}

static void append_range(const struct maui_key_info *info, char *text)
{
	bool low = info->min > -UNBOUNDED, high = info->max < UNBOUNDED;
	char range[128] = "";

	if (low && high)
		snprintf(range, sizeof(range), ", %.10g to %.10g%s", info->min, info->max,
			 key_text_unit(info->kind));
	else if (low)
		snprintf(range, sizeof(range), ", %.10g%s or more", info->min,
			 key_text_unit(info->kind));
	else if (high)
		snprintf(range, sizeof(range), ", up to %.10g%s", info->max,
			 key_text_unit(info->kind));
	key_text_append(text, range);
}

static void append_keywords(const struct maui_key_info *info, char *text)
{
	for (const char *const *word = info->keywords; *word; word++) {
		if (word != info->keywords)
			key_text_append(text, word[1] ? ", " : " or ");
		key_text_append(text, *word);
	}
}

const char *key_value_text(const struct maui_key_info *info, char text[KEY_TEXT_SIZE])
{
	*text = '\0';
	if (info->keywords) {
		if (info->kind == MAUI_KIND_FLAGS)
			key_text_append(text, "flags of ");
		append_keywords(info, text);
		return text;
	}
	key_text_append(text, maui_kind_name(info->kind));
	if (key_has_range(info))
		append_range(info, text);
	return text;
}
