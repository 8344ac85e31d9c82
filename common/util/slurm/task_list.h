/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks of an array, as Slurm writes them: "4-9,12-20:2,31%5", where %5 is how many may run. */
#ifndef MAUI_TASK_LIST_H
#define MAUI_TASK_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define MAUI_TASK_GREATEST INT64_C(4294967293) /* Slurm's numbers have 32 bits */

struct maui_task_range {
	int64_t first, last, step; /* step > 0, first <= last <= MAUI_TASK_GREATEST */
};

/* The next range; advances *list. False at its end, or where it is no list any more: then *list is
 * there. */
bool maui_task_next(const char **list, struct maui_task_range *ret_range);

bool maui_task_list_has(const char *list, int64_t task);
/* Whether both have a task. */
bool maui_task_lists_meet(const char *a, const char *b);
/* At most limit. */
int64_t maui_task_list_count(const char *list, int64_t limit);

/* The list of these tasks, which ascend. */
void maui_task_list_write(const uint32_t *tasks, size_t count, FILE *file);

/* The list, or its first ranges and ",...", as many as fit into size bytes. Returns buffer. */
const char *maui_task_list_cut(const char *list, char *buffer, size_t size);

#endif
