/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frees the copied facts, and finds by binary search the allocation that a
 * limit refused to a row's job.
 */
#include "common/queue/whatif_facts.h"

#include <stdlib.h>

void maui_whatif_facts_clear(struct maui_whatif_facts *facts)
{
	maui_snapshot_unref(facts->snapshot);
	maui_gres_table_unref(facts->gres);
	maui_frozen_names_clear(&facts->names);
	maui_fairshare_free(facts->windows);
	free(facts->active);
	free(facts->got);
	free(facts->refused);
	free(facts->tree);
}

static int by_row(const void *key, const void *element)
{
	size_t row = *(const size_t *)key, other = ((const struct maui_whatif_got *)element)->row;

	return (row > other) - (row < other);
}

const struct maui_limit_job *maui_whatif_facts_got(const void *context,
						   const struct maui_snapshot *snapshot,
						   size_t first, size_t row)
{
	const struct maui_whatif_facts *facts = context;
	const struct maui_whatif_got *got =
		bsearch(&row, facts->got, facts->got_count, sizeof(*facts->got), by_row);

	(void)snapshot;
	(void)first;
	return got ? &got->job : NULL;
}
