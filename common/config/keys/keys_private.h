/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of keys, which keytable.c has and keys.c searches. */
#ifndef MAUI_CONFIG_KEYS_PRIVATE_H
#define MAUI_CONFIG_KEYS_PRIVATE_H

#include "common/config/keys/keys.h"

/* Every key, by its number. */
extern const struct maui_key_info maui_key_table[MAUI_KEYS];

#endif
