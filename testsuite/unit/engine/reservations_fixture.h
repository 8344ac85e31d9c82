/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tests of reservations expect of Slurm's. */
#ifndef MAUI_UNIT_ENGINE_RESERVATIONS_FIXTURE_H
#define MAUI_UNIT_ENGINE_RESERVATIONS_FIXTURE_H

#include "testsuite/unit/engine/drive.h"

#define OPEN  86400000u /* MaxStartDelay of one that is open */
#define FIRST "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n"

static inline void expect_nodes(const char *name, const char *nodes)
{
	const slurmctld_resv_t *there = controller_find_reservation(name);

	cr_expect(there, "%s is not there", name);
	cr_expect(!there || !strcmp(there->node_list, nodes), "%s is on %s, and not on %s", name,
		  there ? there->node_list : "", nodes);
}

static inline void expect_none(const char *name)
{
	cr_expect_null(controller_find_reservation(name), "%s is there", name);
}

#endif
