/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_CONFIG_KEYTABLE_H
#define MAUI_CONFIG_KEYTABLE_H

#include "common/config/keys/keys.h"

/* Every key, by its number. keys.c finds them by name. */
extern const struct maui_key_info maui_key_table[MAUI_KEYS];

#endif
