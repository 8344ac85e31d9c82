/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine as slurm.conf describes it: nodes, partitions, and what SchedulerParameters say; read
 * as text, so that no Slurm is needed. D-RPL-13.
 */
#ifndef MAUI_REPLAY_SLURM_CONF_H
#define MAUI_REPLAY_SLURM_CONF_H

#include "common/replay/nodes/nodes.h"
#include "common/replay/slurm_conf/conf_lines.h"
#include "common/replay/slurm_conf/parameters.h"
#include "common/util/slurm/node_state.h"

/* What has no effect on a replay, and would have one in Slurm. */
struct maui_slurm_conf_ignored {
	const char *name; /* PriorityTier */
	size_t count;     /* of places */
};

struct maui_slurm_conf {
	struct maui_replay_parameters parameters; /* with Slurm's defaults */
	uint32_t max_array_size;                  /* 0: it does not say */
	struct maui_node_timeouts timeouts;       /* with Slurm's defaults */
	uint32_t *away;                           /* nodes that are down, drained or failing */
	struct maui_slurm_conf_ignored *ignored;  /* each once */
	size_t away_count, ignored_count, away_room, ignored_room;
	struct maui_arena *arena;
};

struct maui_slurm_conf_files {
	/* The text of a file, malloc'ed. 0; -EINVAL if it cannot be read, which has been said. */
	int (*read)(void *context, const char *path, char **ret_text, size_t *ret_size);
	void (*complain)(void *context, const struct maui_conf_place *place, const char *text);
	/* A value that slurmctld replaces by another, and so does the reader. */
	void (*warn)(void *context, const struct maui_conf_place *place, const char *text);
	/* Each line, before it is taken; NULL: nobody wants them. The words are valid in the call. */
	void (*line)(void *context, const struct maui_conf_word *words, size_t count);
	void *context;
};

/*
 * Add the nodes and partitions of a text, which need not end with NUL; path says where others are
 * that it includes. 0, or -EINVAL if there was something to complain about. Must be cleared in
 * either case.
 */
int maui_slurm_conf_read(const char *path, const char *text, size_t size,
			 const struct maui_slurm_conf_files *files, struct maui_replay_nodes *nodes,
			 struct maui_slurm_conf *ret_conf);
void maui_slurm_conf_clear(struct maui_slurm_conf *conf);

#endif
