/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_CONFIG_VERDICT_PRIVATE_H
#define MAUI_CONFIG_VERDICT_PRIVATE_H

#include "common/config/verdict.h"

struct maui_verdict_entry {
	enum maui_verdict_kind kind;
	const char *text; /* NULL: there is no entry */
};

/* For the keys that have an effect; the others have no entry. */
extern const struct maui_verdict_entry maui_verdict_table[MAUI_KEYS];

#endif
