/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a reservation's record in Slurm says, ours or not. Job and node read lock, under which Slurm
 * changes none. Bitmaps are the record's, and must not be changed.
 */
#ifndef MAUI_ENGINE_RESVREC_H
#define MAUI_ENGINE_RESVREC_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "plugins/compat/base.h"

/* NULL: there is none of this name. */
slurmctld_resv_t *resvrec_find(const char *name);

/* Call visit for each; stops when that returns less than 0, and then does so, too. */
typedef int (*resvrec_visit_t)(slurmctld_resv_t *reservation, void *context);
int resvrec_each(resvrec_visit_t visit, void *context);

uint32_t resvrec_count(void);

/* When one was last changed, in whole seconds. */
time_t resvrec_updated(void);

const char *resvrec_name(const slurmctld_resv_t *reservation);
uint32_t resvrec_id(const slurmctld_resv_t *reservation); /* no other has it, whatever its name */
const char *resvrec_users(const slurmctld_resv_t *reservation); /* may be NULL, as the next */
const char *resvrec_accounts(const slurmctld_resv_t *reservation);
const char *resvrec_partition(const slurmctld_resv_t *reservation); /* may be NULL */
uint64_t resvrec_flags(const slurmctld_resv_t *reservation);        /* RESERVE_FLAG_* */
bool resvrec_is_maint(const slurmctld_resv_t *reservation);         /* MAINT is among them */
time_t resvrec_start(const slurmctld_resv_t *reservation);
time_t resvrec_end(const slurmctld_resv_t *reservation);
/* TIME_FLOAT: its start stays this far in the future, so it never begins. */
bool resvrec_floats(const slurmctld_resv_t *reservation);
uint32_t resvrec_duration(const slurmctld_resv_t *reservation); /* minutes, NO_VAL, INFINITE */
uint32_t resvrec_max_start_delay(const slurmctld_resv_t *reservation);

const char *resvrec_node_list(const slurmctld_resv_t *reservation); /* may be NULL */
/* Whether it holds parts of its nodes; the CPUs that it holds in all, INFINITE64: Slurm does not
 * say. */
bool resvrec_holds_parts(const slurmctld_resv_t *reservation);
uint64_t resvrec_cpus(const slurmctld_resv_t *reservation);
uint32_t resvrec_core_count(const slurmctld_resv_t *reservation);

bitstr_t *resvrec_nodes(const slurmctld_resv_t *reservation); /* NULL: none */
bitstr_t *resvrec_cores(const slurmctld_resv_t *reservation); /* NULL: nodes as a whole */
/* How many cores of a node it holds; all of them, if it holds it as a whole. */
uint32_t resvrec_cores_of(const slurmctld_resv_t *reservation, uint32_t node);

#endif
