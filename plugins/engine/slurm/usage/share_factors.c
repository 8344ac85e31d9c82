/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies the factors of assoc_mgr_assoc_list into an array by association id,
 * once per iteration, so that no job needs the lock.
 */
#include "plugins/compat/compat.h"

#include <stdlib.h>

#include "common/util/memory.h"
#include "plugins/engine/slurm/usage/share_factors.h"
#include "plugins/engine/slurm/usage/usage_shares.h"

struct share_factors {
	double *factor;
	uint32_t size;
};

ENGINE_GUARDED static struct share_factors *kept;

static int share_factors_highest(void *object, void *context)
{
	const slurmdb_assoc_rec_t *assoc = object;
	uint32_t *highest = context;

	if (assoc->id > *highest)
		*highest = assoc->id;
	return 0;
}

/* Jobs have associations of users, never of accounts. */
static int share_factors_note(void *object, void *context)
{
	const slurmdb_assoc_rec_t *assoc = object;
	struct share_factors *factors = context;

	if (assoc->user && assoc->usage && assoc->id < factors->size)
		factors->factor[assoc->id] = usage_shares_factor(assoc);
	return 0;
}

/* Pages of numbers without an association are never touched. */
static struct share_factors *share_factors_copy(void)
{
	struct share_factors *factors;
	uint32_t highest = 0;

	list_for_each_ro(assoc_mgr_assoc_list, share_factors_highest, &highest);
	factors = maui_calloc(1, sizeof(*factors));
	factors->size = highest + 1;
	factors->factor = maui_calloc(factors->size, sizeof(*factors->factor));
	list_for_each_ro(assoc_mgr_assoc_list, share_factors_note, factors);
	return factors;
}

struct share_factors *share_factors_read(void)
{
	assoc_mgr_lock_t assoc_read = {.assoc = READ_LOCK};
	struct share_factors *factors = NULL;

	assoc_mgr_lock(&assoc_read);
	if (assoc_mgr_root_assoc && assoc_mgr_assoc_list)
		factors = share_factors_copy();
	assoc_mgr_unlock(&assoc_read);
	return factors;
}

struct share_factors *share_factors_free(struct share_factors *factors)
{
	if (factors)
		free(factors->factor);
	free(factors);
	return NULL;
}

double share_factors_find(const struct share_factors *factors, uint32_t association)
{
	return factors && association < factors->size ? factors->factor[association] : 0;
}

void share_factors_keep(struct share_factors *factors)
{
	share_factors_free(kept);
	kept = factors;
}

double share_factors_of(uint32_t association)
{
	return share_factors_find(kept, association);
}
