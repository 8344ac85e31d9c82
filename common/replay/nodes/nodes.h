/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The nodes of a machine that a trace is replayed on: processors, memory, features, GRES, and the
 * partitions that they are in. Made by one of the readers, and not changed afterwards.
 */
#ifndef MAUI_REPLAY_NODES_H
#define MAUI_REPLAY_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/arena.h"
#include "common/util/error.h"
#include "common/util/intern.h"

#define MAUI_REPLAY_MAX_NODES    131072u
#define MAUI_REPLAY_MAX_CPUS     65536u             /* of a node */
#define MAUI_REPLAY_MAX_MEMORY   (INT64_C(1) << 40) /* of a node, MB */
#define MAUI_REPLAY_MAX_GRES     64u   /* names with types: gpu:a100, gpu:v100, shard */
#define MAUI_REPLAY_MAX_FEATURES 1024u /* of a node */

/* Sets of nodes are arrays of words, a bit for each node. */
#define MAUI_REPLAY_WORD 64u
static inline size_t maui_replay_words(uint32_t nodes)
{
	return (nodes + MAUI_REPLAY_WORD - 1) / MAUI_REPLAY_WORD;
}
static inline bool maui_replay_has(const uint64_t *set, uint32_t node)
{
	return set[node / MAUI_REPLAY_WORD] >> node % MAUI_REPLAY_WORD & 1;
}
static inline void maui_replay_put(uint64_t *set, uint32_t node)
{
	set[node / MAUI_REPLAY_WORD] |= UINT64_C(1) << node % MAUI_REPLAY_WORD;
}
static inline void maui_replay_drop(uint64_t *set, uint32_t node)
{
	set[node / MAUI_REPLAY_WORD] &= ~(UINT64_C(1) << node % MAUI_REPLAY_WORD);
}

struct maui_replay_units {
	uint32_t gres; /* of nodes->gres */
	uint64_t count;
};

struct maui_replay_node {
	const char *name;
	uint32_t cpus;                        /* at least 1 */
	int64_t memory;                       /* MB; 0: not known, and nobody's is counted */
	const uint32_t *features;             /* of nodes->features */
	const struct maui_replay_units *gres; /* each once */
	uint32_t feature_count, gres_count;
	uint64_t no_consume; /* GRES that jobs need there but do not take: bit n for number n + 1 */
};

struct maui_replay_partition {
	const char *name;
	uint64_t *members; /* a set */
	/* As far as slurm.conf says; 0: no limit. Seconds. */
	int64_t max_time, default_time;
	uint32_t min_nodes, max_nodes;
	bool is_default; /* of jobs that name none */
	bool closed;     /* nobody starts there */
};

struct maui_replay_nodes {
	struct maui_arena *arena;
	struct maui_replay_node *nodes; /* in the order of the list */
	struct maui_replay_partition *partitions;
	struct maui_intern *names; /* of nodes: the number less 1 is the node */
	struct maui_intern *features;
	struct maui_intern *gres; /* "gpu:a100": with the type, if there is one */
	uint32_t count, partition_count;
	size_t node_room, partition_room;
	uint64_t cpus; /* of all */
};

struct maui_replay_nodes *maui_replay_nodes_new(void);
struct maui_replay_nodes *maui_replay_nodes_free(struct maui_replay_nodes *nodes); /* or NULL */

/*
 * Add one node. Its features and GRES are texts as in slurm.conf: `fast,ib` and
 * `gpu:a100:4,shard:8`, where a count that is not given is 1, a size has Slurm's units,
 * no_consume is no type, and what follows in parentheses is left alone. 0, or -EINVAL with the
 * reason: a name that is there already, a number out of range, a text that cannot be read.
 */
int maui_replay_nodes_add(struct maui_replay_nodes *nodes, const char *name, uint32_t cpus,
			  int64_t memory, const char *features, const char *gres,
			  struct maui_error *error);

/* The number of a node; UINT32_MAX: there is none with this name. */
uint32_t maui_replay_nodes_find(const struct maui_replay_nodes *nodes, const char *name);

/* The partition of a name, made if there is none, once all nodes are there. */
struct maui_replay_partition *maui_replay_nodes_partition(struct maui_replay_nodes *nodes,
							  const char *name);
/* NULL: there is none. */
const struct maui_replay_partition *
maui_replay_nodes_find_partition(const struct maui_replay_nodes *nodes, const char *name);

/*
 * Nodes as an option gives them, kinds separated by commas: COUNTxCPUS[:MEMORY][+ITEM]..., which
 * are named n1, n2, ..., or NAMES=CPUS[:MEMORY][+ITEM]..., where NAMES is a range expression. An
 * ITEM is a feature or, as sacct writes it, gres/NAME[:TYPE]=COUNT. MEMORY is in MB.
 *
 *   100x16:64000,gpu[1-4]=64:512000+nvme+gres/gpu:a100=4
 *
 * 0, or -EINVAL with the reason: the nodes are to be freed then.
 */
int maui_replay_nodes_read(struct maui_replay_nodes *nodes, const char *text,
			   struct maui_error *error);

#endif
