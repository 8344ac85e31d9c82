/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names to small numbers, once and for all, so that hot loops index arrays instead of comparing
 * strings. Numbers start at 1 and are never reused; 0 is "none".
 */
#ifndef MAUI_UTIL_INTERN_H
#define MAUI_UTIL_INTERN_H

#include <stddef.h>
#include <stdint.h>

struct maui_intern;

struct maui_intern *maui_intern_new(void);
struct maui_intern *maui_intern_free(struct maui_intern *intern); /* accepts NULL, returns NULL */

/* The number of a name, 0 if it was never added. O(1). */
uint32_t maui_intern_find(const struct maui_intern *intern, const char *name);

/* The number of a name, assigned now if it has none. O(1) amortised. */
uint32_t maui_intern_add(struct maui_intern *intern, const char *name);

/* The name of a number; NULL for 0 and for unassigned numbers. Valid as long as the table lives. */
const char *maui_intern_name(const struct maui_intern *intern, uint32_t id);

/* The greatest number assigned so far: arrays by id have maui_intern_count() + 1 elements. */
uint32_t maui_intern_count(const struct maui_intern *intern);

#endif
