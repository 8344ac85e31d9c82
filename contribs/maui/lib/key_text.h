/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The key table in words, for `maui keys` and the manual page. */
#ifndef MAUI_KEY_TEXT_H
#define MAUI_KEY_TEXT_H

#include <stdbool.h>

#include "common/config/keys/keys.h"

#define KEY_TEXT_SIZE 1024

/* Whether min and max mean something. */
bool key_has_range(const struct maui_key_info *info);

/* Whether the key has an effect in this release. */
bool key_in_force(const struct maui_key_info *info);

/* The form of a value: "integer, 0 to 7", "ALWAYS, QUEUEPOLICY or FULLPOLICY". Returns text. */
const char *key_value_text(const struct maui_key_info *info, char text[KEY_TEXT_SIZE]);

#endif
