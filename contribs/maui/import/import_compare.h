/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui import --compare: Slurm's priorities of this moment beside a maui.cfg's. */
#ifndef MAUI_IMPORT_COMPARE_H
#define MAUI_IMPORT_COMPARE_H

#include "common/import/import.h"
#include "common/import/import_sprio.h"
#include "common/queue/compare.h"
#include "contribs/maui/lib/command.h"

/* The waiting jobs, as maui_compare() takes them; texts belong to the
 * JSON or the arena. */
struct import_queue {
	struct json_object *queue;
	struct maui_arena *names; /* of partitions, out of lists */
	bool points;              /* sprio was asked */
	struct maui_sprio sprio;
	struct maui_resources machine;
	struct maui_gres_amounts gres; /* of the machine: those of PEGRES */
	struct maui_compare_job *rows;
	size_t count, room;
	size_t held; /* jobs of priority 0, which are left out */
	int64_t now;
};

/*
 * Asks for the queue, and with `points` sprio for the points behind it; GRES
 * have the numbers of this configuration. EXIT_OK, or says what is wrong. Must
 * be cleared in either case.
 */
int import_queue_load(const struct cli *cli, bool points, const struct maui_config *config,
		      struct import_queue *ret_queue);
void import_queue_clear(struct import_queue *queue);

/* Why FSTREEWEIGHT gives no points here; NULL: it does, or the file has none. */
const char *import_compare_tree(const struct import_queue *queue,
				const struct maui_comparison *comparison);

/* file: what to call the maui.cfg; NULL: the import's own. */
void import_compare_print(const struct import_queue *queue,
			  const struct maui_comparison *comparison, const char *file);

/* As maui.import-compare/1. An exit code. */
int import_compare_print_json(const struct import_queue *queue,
			      const struct maui_comparison *comparison, const char *file);

/*
 * Compares with the file, or if it is NULL with the lines of the import. basic:
 * priority/basic, of which sprio has nothing. An exit code.
 */
int import_compare(const struct cli *cli, const struct maui_import *import, bool basic,
		   const char *file);

#endif
