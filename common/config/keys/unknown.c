/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One answer to all who ask about an unknown name: the reader's warnings, and reports. */
#include <stdio.h>
#include <string.h>

#include "common/config/keys/unknown.h"

/* The sections that have an attribute of this name; false if there is none. */
static bool list_sections(const char *name, char buffer[MAUI_UNKNOWN_TEXT])
{
	size_t used = 0;

	for (enum maui_section section = MAUI_SYSCFG; section < MAUI_SECTIONS; section++)
		if (maui_key_find(section, name))
			used += (size_t)snprintf(buffer + used, MAUI_UNKNOWN_TEXT - used, "%s%s",
						 used ? ", " : "it is an attribute of ",
						 maui_section_name(section));
	return used;
}

const char *maui_unknown_text(enum maui_section section, const char *name,
			      char buffer[MAUI_UNKNOWN_TEXT])
{
	const char *foreign = maui_foreign_text(section, name, NULL), *nearest;

	*buffer = '\0';
	if (foreign) {
		snprintf(buffer, MAUI_UNKNOWN_TEXT, "%s", foreign);
	} else if (!list_sections(name, buffer)) {
		nearest = maui_key_nearest(section, name);
		if (nearest)
			snprintf(buffer, MAUI_UNKNOWN_TEXT, "the nearest is %s", nearest);
	}
	return buffer;
}
