/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much the machine has of the GRES that PEGRES names, D-GRES-13. The engine's mutex guards
 * it. */
#ifndef MAUI_ENGINE_GRES_MACHINE_H
#define MAUI_ENGINE_GRES_MACHINE_H

#include "common/policy/priority/pe.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/slurm/noderec_gres.h"

struct gres_machine {
	struct noderec_gres names;
	unsigned int number[MAUI_GRES_NAMES]; /* of each name, in amounts of jobs */
	struct maui_gres_amounts amounts;     /* of all nodes together, by these numbers */
};

ENGINE_LOCKED void gres_machine_bind(struct gres_machine *machine,
				     const struct maui_pe_names *names);

/* NULL: PEGRES names none. Node read lock. */
ENGINE_LOCKED const struct maui_gres_amounts *gres_machine_count(struct gres_machine *machine);

#endif
