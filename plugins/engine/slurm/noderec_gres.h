/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a node has of GRES, and what jobs were given of it: D-GRES-10. A name without a type is of
 * all types.
 */
#ifndef MAUI_ENGINE_NODEREC_GRES_H
#define MAUI_ENGINE_NODEREC_GRES_H

#include "common/policy/nodes/nodealloc.h"
#include "plugins/compat/base.h"
#include "plugins/engine/slurm/gres_id.h"

/* Names as Slurm's records have them: numbers. */
struct noderec_gres {
	uint32_t count;
	struct gres_id names[MAUI_GRES_NAMES];
};

void noderec_gres_bind(const struct maui_node_gres *names, struct noderec_gres *ret_gres);

/* The amounts by the numbers of the names. Node read lock. */
void noderec_gres_look(const node_record_t *node, const struct noderec_gres *gres,
		       struct maui_node_gres_amounts *ret_amounts);

/* Each GRES that the node has: the name with all its types, then each type. Node read lock. */
typedef void (*noderec_gres_found)(void *context, const char *name, uint64_t configured,
				   uint64_t used);
void noderec_gres_each(const node_record_t *node, noderec_gres_found found, void *context);

#endif
