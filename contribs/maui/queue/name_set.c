/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sorted array of node names, filled by maui_hostlist_expand() and searched
 * by bsearch().
 */
#include "contribs/maui/queue/name_set.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/slurm/hostlist.h"
#include "common/util/memory.h"

static int name_set_take(void *context, const char *name)
{
	struct name_set *set = context;

	set->names = maui_grow(set->names, set->count + 1, &set->room, sizeof(*set->names));
	set->names[set->count++] = maui_strdup(name);
	return 0;
}

void name_set_add(struct name_set *set, const char *expression)
{
	if (*expression)
		maui_hostlist_expand(expression, name_set_take, set, NULL, NULL, NULL);
}

static int name_set_compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void name_set_close(struct name_set *set)
{
	if (set->count)
		qsort(set->names, set->count, sizeof(*set->names), name_set_compare);
}

bool name_set_has(const struct name_set *set, const char *name)
{
	return set->count && bsearch((void *)&name, set->names, set->count, sizeof(*set->names),
				     name_set_compare);
}

void name_set_clear(struct name_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		free(set->names[i]);
	free(set->names);
	*set = (struct name_set){0};
}
