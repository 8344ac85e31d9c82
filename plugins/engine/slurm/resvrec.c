/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads fields of slurmctld_resv_t in Slurm's resv_list, and counts a
 * reservation's cores on one node by its core_bitmap.
 */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/resvrec.h"

#include "plugins/engine/slurm/noderec.h"

/* A fact that is one expression: not in the header, whose readers see no records. */
#define RESERVATION_FACT(type, fact, value)                                                        \
	type fact(const slurmctld_resv_t *reservation)                                             \
	{                                                                                          \
		return value;                                                                      \
	}

slurmctld_resv_t *resvrec_find(const char *name)
{
	return resv_list ? find_resv_name((char *)name) : NULL;
}

struct walk {
	resvrec_visit_t visit;
	void *context;
};

static int visit_one(void *object, void *context)
{
	const struct walk *walk = context;

	return walk->visit(object, walk->context);
}

int resvrec_each(resvrec_visit_t visit, void *context)
{
	struct walk walk = {visit, context};

	return resv_list ? list_for_each_ro(resv_list, visit_one, &walk) : 0;
}

uint32_t resvrec_count(void)
{
	return resv_list ? (uint32_t)list_count(resv_list) : 0;
}

time_t resvrec_updated(void)
{
	return last_resv_update;
}

RESERVATION_FACT(const char *, resvrec_name, reservation->name)
RESERVATION_FACT(uint32_t, resvrec_id, reservation->resv_id)
RESERVATION_FACT(const char *, resvrec_users, reservation->users)
RESERVATION_FACT(const char *, resvrec_accounts, reservation->accounts)
RESERVATION_FACT(const char *, resvrec_partition, reservation->partition)
RESERVATION_FACT(bool, resvrec_is_maint, (reservation->flags & RESERVE_FLAG_MAINT) != 0)
RESERVATION_FACT(uint64_t, resvrec_flags, reservation->flags)
RESERVATION_FACT(time_t, resvrec_start, reservation->start_time)
RESERVATION_FACT(time_t, resvrec_end, reservation->end_time)
RESERVATION_FACT(bool, resvrec_floats, (reservation->flags & RESERVE_FLAG_TIME_FLOAT) != 0)
RESERVATION_FACT(uint32_t, resvrec_duration, reservation->duration)
RESERVATION_FACT(uint32_t, resvrec_max_start_delay, reservation->max_start_delay)
RESERVATION_FACT(const char *, resvrec_node_list, reservation->node_list)
RESERVATION_FACT(bool, resvrec_holds_parts,
		 reservation->core_bitmap && !(reservation->ctld_flags & RESV_CTLD_FULL_NODE))
RESERVATION_FACT(uint64_t, resvrec_cpus,
		 slurmdb_find_tres_count_in_string(reservation->tres_str, TRES_CPU))
RESERVATION_FACT(uint32_t, resvrec_core_count, reservation->core_cnt)
RESERVATION_FACT(bitstr_t *, resvrec_nodes, reservation->node_bitmap)
RESERVATION_FACT(bitstr_t *, resvrec_cores, reservation->core_bitmap)

uint32_t resvrec_cores_of(const slurmctld_resv_t *reservation, uint32_t node)
{
	uint32_t from = noderec_first_core(node), to = noderec_first_core(node + 1);

	if (!reservation->node_bitmap || !bit_test(reservation->node_bitmap, node))
		return 0;
	if (!reservation->core_bitmap || (uint32_t)bit_size(reservation->core_bitmap) < to)
		return to - from;
	return (uint32_t)bit_set_count_range(reservation->core_bitmap, (int)from, (int)to);
}
