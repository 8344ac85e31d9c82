/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of each GRES a job asks for, or has, D-GRES-4: immutable, kept once however many jobs
 * have the same, and referred to by a pointer, so that a job record has eight bytes of it. NULL is
 * none: a job without GRES costs one comparison. Of one table, equal amounts are the same pointer.
 *
 * Any thread may add to a table without a lock. What it returns lives as long as the table does:
 * who keeps a pointer keeps a reference to the table, or has one kept.
 */
#ifndef MAUI_UTIL_GRES_TABLE_H
#define MAUI_UTIL_GRES_TABLE_H

#include "common/util/slurm/gres.h"

struct maui_gres_table;

struct maui_gres {
	struct maui_gres_amounts amounts; /* its mask is not 0 */
	struct maui_gres_table *table;    /* NULL: maui_gres_most */
	const struct maui_gres *next;
	uint32_t hash;
};

/*
 * When memory is short: more of everything than anybody has. So a limit holds the job back, and no
 * shortage lets one over it. It is no amount to reckon with: a priority counts it as none.
 */
extern const struct maui_gres maui_gres_most;

struct maui_gres_table *maui_gres_table_new(void);
/* Both accept NULL. unref returns NULL. */
struct maui_gres_table *maui_gres_table_ref(struct maui_gres_table *table);
struct maui_gres_table *maui_gres_table_unref(struct maui_gres_table *table);

/* How many different amounts it has: they stay until the last reference is gone. */
uint32_t maui_gres_table_count(const struct maui_gres_table *table);

/* NULL if all are 0; maui_gres_most without a table. O(1). */
const struct maui_gres *maui_gres_intern(struct maui_gres_table *table,
					 const struct maui_gres_amounts *amounts);

/* Of each GRES the larger, and the sum: one of the two, or of the first one's table. */
const struct maui_gres *maui_gres_larger(const struct maui_gres *a, const struct maui_gres *b);
const struct maui_gres *maui_gres_sum(const struct maui_gres *a, const struct maui_gres *b);

/* NULL: 0. */
static inline uint32_t maui_gres_mask(const struct maui_gres *gres)
{
	return gres ? gres->amounts.mask : 0;
}

#endif
