/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds, counts and walks the partitions in Slurm's part_list. Before slurmctld
 * has that list there are none.
 */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/partrec.h"

const char *partrec_name(const part_record_t *partition)
{
	return partition->name;
}

bitstr_t *partrec_nodes(const part_record_t *partition)
{
	return partition->node_bitmap;
}

part_record_t *partrec_find(const char *name)
{
	return part_list ? find_part_record((char *)name) : NULL;
}

uint32_t partrec_count(void)
{
	return part_list ? (uint32_t)list_count(part_list) : 0;
}

struct walk {
	partrec_visit_t visit;
	void *context;
};

static int visit_one(void *object, void *context)
{
	const struct walk *walk = context;

	return walk->visit(object, walk->context);
}

int partrec_each(partrec_visit_t visit, void *context)
{
	struct walk walk = {visit, context};

	return part_list ? list_for_each_ro(part_list, visit_one, &walk) : 0;
}
