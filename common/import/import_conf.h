/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The policy of a slurm.conf, as its lines have it: values by the rows of import_settings.h. */
#ifndef MAUI_IMPORT_CONF_H
#define MAUI_IMPORT_CONF_H

#include "common/import/import_settings.h"
#include "common/replay/slurm_conf/conf_lines.h"

struct maui_import_value {
	const char *text; /* NULL: not given */
	struct maui_conf_place place;
};

/* One whose name has no row. */
struct maui_import_unknown {
	const char *name, *value;
	const char *partition; /* NULL: of the whole file */
};

/* With what the DEFAULT lines before it have said. */
struct maui_import_entry {
	struct maui_import_value set[MAUI_IMPORT_PARTITION_COUNT];
};

struct maui_import_conf {
	struct maui_arena *arena;
	struct maui_import_value set[MAUI_IMPORT_GLOBALS]; /* the last of each */
	struct maui_import_entry otherwise;                /* PartitionName=DEFAULT */
	struct maui_import_entry *partitions;
	struct maui_import_unknown *unknown;
	size_t partition_count, partition_room, unknown_count, unknown_room;
};

void maui_import_conf_begin(struct maui_import_conf *ret_conf);
void maui_import_conf_clear(struct maui_import_conf *conf);

/* Whether AccountingStorageEnforce has slurmctld look at limits. */
bool maui_import_enforces_limits(const struct maui_import_conf *conf);

/* A line: struct maui_slurm_conf_files. */
void maui_import_conf_line(struct maui_import_conf *conf, const struct maui_conf_word *words,
			   size_t count);

#endif
