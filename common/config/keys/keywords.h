/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The words that a key takes: its own in the key table, and what others write for them: the
 * manual's chapters, the original's sample file, Moab.
 */
#ifndef MAUI_CONFIG_KEYWORDS_H
#define MAUI_CONFIG_KEYWORDS_H

#include <stddef.h>

#include "common/config/keys/keys.h"

/*
 * The index in key->keywords of the size bytes at text, in any case; -1 if the key takes no such
 * word. *ret_remark: what differs if another's word does not mean quite the same; NULL if it does.
 */
int maui_keyword_find(const struct maui_key_info *key, const char *text, size_t size,
		      const char **ret_remark);

#define MAUI_KEYWORDS_TEXT 200

/* All that a key takes: "SHARED, SINGLEJOB or SINGLEUSER". Returns buffer. */
const char *maui_keywords_text(const struct maui_key_info *key, char buffer[MAUI_KEYWORDS_TEXT]);

/* The keyword to write for a misspelt word; NULL if none is near. */
const char *maui_keyword_nearest(const struct maui_key_info *key, const char *text, size_t size);

/* Others' words, by index; NULL past the last. */
const char *maui_keyword_synonym(size_t index, enum maui_key *ret_key);

#endif
