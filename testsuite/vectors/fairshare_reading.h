/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fairshare by independent arithmetic, on a case's files and numbers: windows after loading or
 * rolling, by the original's reading or the documented one. Calls nothing of the core.
 */
#ifndef MAUI_VECTORS_FAIRSHARE_READING_H
#define MAUI_VECTORS_FAIRSHARE_READING_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/policy/fairshare/fairshare.h"

#define READING_OBJECTS 48
#define READING_NAME    48
/* The original loads one window more than it counts; it knows the names in it. */
#define READING_WINDOWS (MAUI_FS_MAX_DEPTH + 1)

struct reading_object {
	unsigned int type; /* MAUI_FS_TOTAL: the total, its name is "" */
	char name[READING_NAME];
	double usage[READING_WINDOWS];
};

struct fairshare_reading {
	int64_t interval, now;
	uint32_t depth;
	double decay;
	size_t count;
	struct reading_object objects[READING_OBJECTS];
};

/* Interval, now, depth and decay from the case; nothing used yet. */
void reading_begin(struct json_object *object, struct fairshare_reading *ret_reading);

/* The object of this name, created if there is none; NULL if there are too many. */
struct reading_object *reading_object(struct fairshare_reading *reading, unsigned int type,
				      const char *name);

/* The case's "files", each into the window in its name. */
void reading_load(struct fairshare_reading *reading, struct json_object *files, bool original);

/* This many windows later. */
void reading_roll(struct fairshare_reading *reading, uint32_t windows);

/* SUM over k >= 1, and the sum of all; 0 for NULL. */
double reading_rest(const struct fairshare_reading *reading, const struct reading_object *object);
double reading_sum(const struct fairshare_reading *reading, const struct reading_object *object);
double reading_percent(struct fairshare_reading *reading, const struct reading_object *object);

/*
 * A file's text as the original understands it: without the lines that it ignores. The caller frees
 * it; NULL when memory is short.
 */
char *reading_filter(const char *text);

#endif
