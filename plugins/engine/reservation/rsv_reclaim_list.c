/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of reclaims, with their job IDs in atomics for readers without the mutex. */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/rsv_reclaim_list.h"

#include <stdatomic.h>

#include "common/state/reclaims.h"
#include "common/util/grow.h"

ENGINE_GUARDED static struct {
	struct rsv_reclaim *list;
	size_t count, room;
} reclaims;

/*
 * The jobs that wait, for those who ask for each pair of jobs in Slurm's queue: written with the
 * engine's mutex held, read by any thread. A job whose bit (its_bit()) is not set does not wait.
 */
static struct {
	_Atomic uint64_t bits;
	atomic_size_t count;
	_Atomic uint32_t jobs[MAUI_RECLAIMS_MAX]; /* of reclaims.list */
} waiting;

static uint64_t its_bit(uint32_t job_id)
{
	return UINT64_C(1) << job_id % 64;
}

/* The last one moves to its place before the number falls, so that nobody misses it. */
ENGINE_LOCKED static void stop_waiting(size_t at)
{
	uint64_t bits = 0;

	atomic_store(&waiting.jobs[at], reclaims.list[at].job_id);
	atomic_store(&waiting.count, reclaims.count);
	for (size_t i = 0; i < reclaims.count; i++)
		bits |= its_bit(reclaims.list[i].job_id);
	atomic_store(&waiting.bits, bits);
}

ENGINE_LOCKED static void wait_too(uint32_t job_id)
{
	atomic_store(&waiting.jobs[reclaims.count], job_id);
	atomic_store(&waiting.count, reclaims.count + 1);
	atomic_fetch_or(&waiting.bits, its_bit(job_id));
}

size_t rsv_reclaim_list(struct rsv_reclaim **ret_list)
{
	*ret_list = reclaims.list;
	return reclaims.count;
}

struct rsv_reclaim *rsv_reclaim_list_find(uint32_t job_id, enum maui_credential type,
					  uint32_t owner)
{
	for (size_t i = 0; i < reclaims.count; i++)
		if (reclaims.list[i].job_id == job_id && reclaims.list[i].type == type &&
		    reclaims.list[i].owner == owner)
			return &reclaims.list[i];
	return NULL;
}

struct rsv_reclaim *rsv_reclaim_list_add(uint32_t job_id, enum maui_credential type, uint32_t owner)
{
	if (reclaims.count == MAUI_RECLAIMS_MAX)
		return NULL;
	reclaims.list = maui_grow(reclaims.list, reclaims.count + 1, &reclaims.room,
				  sizeof(*reclaims.list));
	reclaims.list[reclaims.count] =
		(struct rsv_reclaim){.job_id = job_id, .type = type, .owner = owner};
	wait_too(job_id);
	return &reclaims.list[reclaims.count++];
}

void rsv_reclaim_list_remove(struct rsv_reclaim *reclaim)
{
	FREE_NULL_BITMAP(reclaim->nodes);
	xfree(reclaim->names);
	*reclaim = reclaims.list[--reclaims.count];
	stop_waiting((size_t)(reclaim - reclaims.list));
}

bool rsv_reclaim_list_is_empty(void)
{
	return !atomic_load(&waiting.count);
}

bool rsv_reclaim_list_has(uint32_t job_id)
{
	if (!(atomic_load_explicit(&waiting.bits, memory_order_acquire) & its_bit(job_id)))
		return false;
	for (size_t i = 0, count = atomic_load(&waiting.count); i < count; i++)
		if (atomic_load_explicit(&waiting.jobs[i], memory_order_acquire) == job_id)
			return true;
	return false;
}
