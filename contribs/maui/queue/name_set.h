/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of nodes from Slurm's list expressions, for look-up. */
#ifndef MAUI_NAME_SET_H
#define MAUI_NAME_SET_H

#include <stdbool.h>
#include <stddef.h>

struct name_set {
	char **names;
	size_t count, room;
};

/* An invalid expression adds nothing: Slurm decides what it means. */
void name_set_add(struct name_set *set, const char *expression);
/* Once, after the last name_set_add(). */
void name_set_close(struct name_set *set);
bool name_set_has(const struct name_set *set, const char *name);
void name_set_clear(struct name_set *set);

#endif
