/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What to say of names that the key table does not have. */
#ifndef MAUI_CONFIG_UNKNOWN_H
#define MAUI_CONFIG_UNKNOWN_H

#include "common/config/keys/keys.h"

/*
 * What is known of a name that a section of the key table does not have: a parameter of Moab, or an
 * attribute of its sections. NULL: nothing. The text is like a verdict's (verdict.h). *ret_harmless,
 * unless NULL: as in struct maui_key_info, where the name is known.
 */
const char *maui_foreign_text(enum maui_section section, const char *name, bool *ret_harmless);
/*
 * Those names by index, and their sections as a mask of MAUI_IN(); NULL past the last. '*' at the
 * end: all that begin this way.
 */
const char *maui_foreign_name(size_t index, unsigned int *ret_sections);

#define MAUI_UNKNOWN_TEXT 256

/*
 * What to say of a name that a section does not have: what is known of it, or which sections have
 * it, or which of the section's own names is near. "": nothing. Returns buffer.
 */
const char *maui_unknown_text(enum maui_section section, const char *name,
			      char buffer[MAUI_UNKNOWN_TEXT]);

#endif
