/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's reservations, as `scontrol show reservation` prints them; D-IMP-4. */
#ifndef MAUI_IMPORT_RESV_H
#define MAUI_IMPORT_RESV_H

#include "common/import/import_accounting.h"

/* Values as they are printed; NULL: not there, or (null). */
struct maui_import_resv {
	const char *name, *start, *end, *nodes, *flags, *users, *groups, *accounts, *licenses;
	const char *partitions, *qos; /* whose jobs alone it admits, from Slurm 25.11 on */
	bool cores;                   /* some cores of a node only */
};

struct maui_import_resvs {
	struct maui_arena *arena;
	struct maui_import_resv *list;
	size_t count, room;
};

void maui_import_resvs_begin(struct maui_import_resvs *ret_resvs);
void maui_import_resvs_clear(struct maui_import_resvs *resvs);

/* 0, or -EINVAL if there was something to complain of. No reservation is none. */
int maui_import_read_resvs(struct maui_import_resvs *resvs, const char *path, const char *text,
			   size_t size, const struct maui_import_complaints *complaints);

/* An SRCFG line for each that recurs, and remarks about the others. */
void maui_import_translate_resvs(const struct maui_import_resvs *resvs, struct maui_import *import);

#endif
