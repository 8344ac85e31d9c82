/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of slurm.conf's reader share. */
#ifndef MAUI_REPLAY_SLURM_CONF_PRIVATE_H
#define MAUI_REPLAY_SLURM_CONF_PRIVATE_H

#include "common/replay/slurm_conf/slurm_conf.h"
#include "common/replay/slurm_conf/slurm_conf_values.h"
#include "common/util/slurm/hostlist.h"
#include "common/util/intern.h"

#define MAUI_SLURM_CONF_SETTINGS 13 /* that a kind of line can have */

/* What a key of a line says; no text: nothing. */
struct maui_conf_setting {
	const char *text;
	struct maui_conf_place place;
};

/* Keys of a kind of line; a name of NULL ends them. Others are told of as ignored. */
struct maui_conf_key {
	const char *name;
	int setting; /* -1: it changes nothing about who runs when and where */
};

/* A line, with what its DEFAULT lines have said: the first setting is its own name. */
struct maui_conf_entry {
	struct maui_conf_setting set[MAUI_SLURM_CONF_SETTINGS];
};

struct maui_conf_entries {
	struct maui_conf_entry *list;
	size_t count, room;
};

struct maui_slurm_conf_reading {
	const char *path;
	const struct maui_slurm_conf_files *files;
	struct maui_replay_nodes *nodes;
	struct maui_slurm_conf *conf;
	struct maui_conf_entry node, partition; /* the DEFAULT ones */
	struct maui_conf_entries partitions, sets, down;
	struct maui_conf_setting parameters, array_size, cluster, select;
	struct maui_conf_setting resume_timeout, suspend_timeout;
	struct maui_intern *future; /* nodes that are not there yet */
	bool wrong;                 /* something has been complained about */
};

/* Counts as wrong. Reading goes on. */
void maui_conf_complain(struct maui_slurm_conf_reading *reading,
			const struct maui_conf_place *place, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Does not: slurmctld corrects it, and so does the reader. */
void maui_conf_warn(struct maui_slurm_conf_reading *reading, const struct maui_conf_place *place,
		    const char *format, ...) __attribute__((format(printf, 3, 4)));

void maui_conf_ignore(struct maui_slurm_conf_reading *reading, const char *name);
void maui_conf_keep(struct maui_slurm_conf_reading *reading, const struct maui_conf_word *word,
		    struct maui_conf_setting *ret_setting);
/* All words of a line into an entry. */
void maui_conf_fill(struct maui_slurm_conf_reading *reading, const struct maui_conf_key *keys,
		    const struct maui_conf_word *words, size_t count,
		    struct maui_conf_entry *entry);

/*
 * A number of slurm_conf_values.h; otherwise if it is not set. False: it is none, which has been
 * said.
 */
bool maui_conf_number(struct maui_slurm_conf_reading *reading,
		      const struct maui_conf_setting *setting, enum maui_conf_width width,
		      int64_t otherwise, int64_t *ret_number);
/* One of 16 bits, of which slurmctld takes 0 for 1. */
bool maui_conf_positive(struct maui_slurm_conf_reading *reading,
			const struct maui_conf_setting *setting, int64_t otherwise,
			int64_t *ret_number);

/* The names of a range expression, one after another; a wrong one is complained about. take()
 * returns 0, or more if it has complained itself, which ends them. */
void maui_conf_expand(struct maui_slurm_conf_reading *reading,
		      const struct maui_conf_setting *setting, maui_hostlist_take take,
		      void *context);

/* A line that begins with NodeName. */
void maui_conf_take_node(struct maui_slurm_conf_reading *reading,
			 const struct maui_conf_word *words, size_t count);
/* Those with PartitionName, NodeSet and DownNodes: they wait until all nodes are there. */
void maui_conf_take_partition(struct maui_slurm_conf_reading *reading,
			      const struct maui_conf_word *words, size_t count);
void maui_conf_take_set(struct maui_slurm_conf_reading *reading, const struct maui_conf_word *words,
			size_t count);
void maui_conf_take_down(struct maui_slurm_conf_reading *reading,
			 const struct maui_conf_word *words, size_t count);
void maui_conf_make_partitions(struct maui_slurm_conf_reading *reading);
void maui_conf_take_away(struct maui_slurm_conf_reading *reading);

/* Whether a State keeps a node from jobs, until somebody changes it. */
bool maui_conf_is_away(const char *state);
void maui_conf_add_away(struct maui_slurm_conf_reading *reading, uint32_t node);

#endif
