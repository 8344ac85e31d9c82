/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reclaims of this process: which job has claimed which nodes for which owner (rsv_reclaim.h
 * says what holds meanwhile). Changed by rsv_reclaim and rsv_reclaim_file alone.
 */
#ifndef MAUI_ENGINE_RSV_RECLAIM_LIST_H
#define MAUI_ENGINE_RSV_RECLAIM_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "common/util/credential.h"
#include "plugins/compat/base.h"
#include "plugins/engine/runtime/lock.h"

struct rsv_reclaim {
	uint32_t job_id; /* for an array: of its pending record */
	enum maui_credential type;
	uint32_t owner;
	bitstr_t *nodes; /* NULL: rebuild from names */
	char *names;
	time_t made, until;
	bool acted_upon; /* Slurm has preempted for the job, which is known only later */
	bool settled;    /* a task of the array has begun: the others wait for what is left */
};

/* All of them, valid until one is added. The mutex is held. */
ENGINE_LOCKED size_t rsv_reclaim_list(struct rsv_reclaim **ret_list);

/* One; NULL: there is none. The mutex is held. */
ENGINE_LOCKED struct rsv_reclaim *rsv_reclaim_list_find(uint32_t job_id, enum maui_credential type,
							uint32_t owner);

/* A new one, without nodes. NULL: there are MAUI_RECLAIMS_MAX, as many as the file holds. The mutex
 * is held. */
ENGINE_LOCKED struct rsv_reclaim *rsv_reclaim_list_add(uint32_t job_id, enum maui_credential type,
						       uint32_t owner);

/* Frees it. The last one takes its place. The mutex is held. */
ENGINE_LOCKED void rsv_reclaim_list_remove(struct rsv_reclaim *reclaim);

/* Whether there are none, and whether the job has one. Any thread, no lock at all. O(number of
 * reclaims) for one job in 64 besides those that have one, else O(1). */
bool rsv_reclaim_list_is_empty(void);
bool rsv_reclaim_list_has(uint32_t job_id);

#endif
