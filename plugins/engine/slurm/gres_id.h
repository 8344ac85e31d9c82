/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A GRES as Slurm's records of jobs and nodes name it: by numbers. */
#ifndef MAUI_ENGINE_GRES_ID_H
#define MAUI_ENGINE_GRES_ID_H

#include <stdbool.h>
#include <stdint.h>

struct gres_id {
	uint32_t plugin_id, type_id;
	bool typed; /* false: it stands for all types */
};

/* Whether units of this plugin and type are of it. */
static inline bool gres_id_covers(const struct gres_id *id, uint32_t plugin_id, uint32_t type_id)
{
	return id->plugin_id == plugin_id && (!id->typed || id->type_id == type_id);
}

/* Of gpu or gpu:a100, at most MAUI_GRES_NAME_SIZE with its end: D-GRES-1. */
struct gres_id gres_id_of(const char *name);

#endif
