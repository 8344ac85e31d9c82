/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a node's record in Slurm says. Node read lock. A node is known by its index in Slurm's
 * table. */
#ifndef MAUI_ENGINE_NODEREC_H
#define MAUI_ENGINE_NODEREC_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "common/util/slurm/node_state.h"

#include "plugins/compat/base.h"

/* How many indexes there are; some may have no node. */
uint32_t noderec_count(void);

/* Counts how often Slurm has built its table, as the engine is told; to tell it, node write lock,
 * or in a shadow the read lock. An index of one table means nothing in another. */
unsigned int noderec_table(void);
void noderec_table_is_new(void);

/* NULL: there is no node with this index (any more). */
const node_record_t *noderec_at(uint32_t index);

/* Not down, drained or draining, failing, rebooting or future. After slurmctld
 * starts, nodes are unknown until they register; those that do not become down. */
bool noderec_is_usable(const node_record_t *node);
/* A number that changes when a node becomes usable, or no longer is. */
uint64_t noderec_up_sum(void);
/* Those that are neither down nor drained; NULL: not known yet. */
bitstr_t *noderec_available(void);

/* What a loop over all nodes looks at. */
struct noderec_facts {
	const char *name; /* the record's */
	uint16_t cpus;
	uint16_t job_cpus; /* of those, for jobs: plugins/compat/node_room.h */
	uint32_t disk;     /* MB */
	uint64_t memory;   /* MB */
	uint64_t job_memory;
	uint32_t weight;
	double load; /* 0: not known */
};
/* False: there is no node with this index (any more). */
bool noderec_look(uint32_t index, struct noderec_facts *ret_facts);

const char *noderec_name(const node_record_t *node);
uint16_t noderec_cpus(const node_record_t *node);
uint16_t noderec_cores(const node_record_t *node);
/* For jobs: plugins/compat/node_room.h. */
uint16_t noderec_job_cpus(const node_record_t *node);
uint16_t noderec_job_cores(const node_record_t *node);
uint64_t noderec_job_memory(const node_record_t *node); /* MB */
uint32_t noderec_disk(const node_record_t *node);       /* MB of --tmp */
/* The features that are active, or all if Slurm does not tell; may be NULL. */
const char *noderec_features(const node_record_t *node);
const char *noderec_active_features(const node_record_t *node); /* may be NULL, as the next three */
const char *noderec_reason(const node_record_t *node);
const char *noderec_os(const node_record_t *node);
const char *noderec_arch(const node_record_t *node);
uint64_t noderec_free_memory(const node_record_t *node); /* MB; NO_VAL64: not known */
time_t noderec_boot(const node_record_t *node);
time_t noderec_slurmd_start(const node_record_t *node);

uint32_t noderec_partitions(const node_record_t *node); /* how many it is in */
const part_record_t *noderec_partition(const node_record_t *node, uint32_t at);

/* ---- its state ---- */

bool noderec_is_up(const node_record_t *node); /* and not powered down for a while */
enum maui_node_use noderec_use(const node_record_t *node);
bool noderec_is_future(const node_record_t *node);
bool noderec_is_completing(const node_record_t *node);
bool noderec_runs_jobs(const node_record_t *node);

/* As sinfo shows it, xmalloc'ed. The record has no MIXED, which is derived on request: an allocated
 * node that has room. */
char *noderec_state(const node_record_t *node, bool has_room);

/* Whether a core of it, counted from 0, is for Slurm itself (CoreSpecCount). */
bool noderec_core_is_special(const node_record_t *node, uint32_t core);

/* Names of nodes in Slurm's range form, xmalloc'ed; and back, without those that do not exist (any
 * more). */
char *noderec_names(bitstr_t *nodes);
bitstr_t *noderec_bits(char *names);

/* Its cores' place in a map of all cores: those of node i begin here, and end where i + 1's
 * begin. */
uint32_t noderec_first_core(uint32_t index);

#endif
