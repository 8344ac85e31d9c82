/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads fields of slurmctld_resv_t in Slurm's resv_list, and counts a
 * reservation's cores on one node by its core_bitmap.
 */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/resvrec.h"

#include "plugins/engine/slurm/noderec.h"

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

const char *resvrec_name(const slurmctld_resv_t *reservation)
{
	return reservation->name;
}

uint32_t resvrec_id(const slurmctld_resv_t *reservation)
{
	return reservation->resv_id;
}

const char *resvrec_users(const slurmctld_resv_t *reservation)
{
	return reservation->users;
}

const char *resvrec_accounts(const slurmctld_resv_t *reservation)
{
	return reservation->accounts;
}

const char *resvrec_partition(const slurmctld_resv_t *reservation)
{
	return reservation->partition;
}

bool resvrec_is_maint(const slurmctld_resv_t *reservation)
{
	return reservation->flags & RESERVE_FLAG_MAINT;
}

uint64_t resvrec_flags(const slurmctld_resv_t *reservation)
{
	return reservation->flags;
}

time_t resvrec_start(const slurmctld_resv_t *reservation)
{
	return reservation->start_time;
}

time_t resvrec_end(const slurmctld_resv_t *reservation)
{
	return reservation->end_time;
}

bool resvrec_floats(const slurmctld_resv_t *reservation)
{
	return reservation->flags & RESERVE_FLAG_TIME_FLOAT;
}

uint32_t resvrec_duration(const slurmctld_resv_t *reservation)
{
	return reservation->duration;
}

uint32_t resvrec_max_start_delay(const slurmctld_resv_t *reservation)
{
	return reservation->max_start_delay;
}

const char *resvrec_node_list(const slurmctld_resv_t *reservation)
{
	return reservation->node_list;
}

bool resvrec_holds_parts(const slurmctld_resv_t *reservation)
{
	return reservation->core_bitmap && !(reservation->ctld_flags & RESV_CTLD_FULL_NODE);
}

uint64_t resvrec_cpus(const slurmctld_resv_t *reservation)
{
	return slurmdb_find_tres_count_in_string(reservation->tres_str, TRES_CPU);
}

uint32_t resvrec_core_count(const slurmctld_resv_t *reservation)
{
	return reservation->core_cnt;
}

bitstr_t *resvrec_nodes(const slurmctld_resv_t *reservation)
{
	return reservation->node_bitmap;
}

bitstr_t *resvrec_cores(const slurmctld_resv_t *reservation)
{
	return reservation->core_bitmap;
}

uint32_t resvrec_cores_of(const slurmctld_resv_t *reservation, uint32_t node)
{
	uint32_t from = noderec_first_core(node), to = noderec_first_core(node + 1);

	if (!reservation->node_bitmap || !bit_test(reservation->node_bitmap, node))
		return 0;
	if (!reservation->core_bitmap || (uint32_t)bit_size(reservation->core_bitmap) < to)
		return to - from;
	return (uint32_t)bit_set_count_range(reservation->core_bitmap, (int)from, (int)to);
}
