/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/compat.h"

#include "plugins/engine/reservation/rsv_load.h"

#include "src/common/job_resources.h"
#include "src/common/node_conf.h"

/* By cores: several jobs may share one. */
static int note_job(void *object, void *context)
{
	const job_record_t *job = object;
	const job_resources_t *held = job->job_resrcs;
	bitstr_t *used = context;
	int last, at = 0;

	if (!IS_JOB_RUNNING(job) || !held || !held->node_bitmap || !held->core_bitmap)
		return 0;
	last = bit_fls(held->node_bitmap);
	for (int i = bit_ffs(held->node_bitmap); i >= 0 && i <= last; i++) {
		int from = (int)cr_get_coremap_offset(i), to = (int)cr_get_coremap_offset(i + 1);

		if (!bit_test(held->node_bitmap, i))
			continue;
		for (int core = from;
		     core < to && core < bit_size(used) && at < bit_size(held->core_bitmap);
		     core++, at++)
			if (bit_test(held->core_bitmap, at))
				bit_set(used, core);
	}
	return 0;
}

/* The cores that a reservation holds. */
static bitstr_t *cores_of(const slurmctld_resv_t *reservation)
{
	bitstr_t *cores;

	if (reservation->core_bitmap)
		return bit_copy(reservation->core_bitmap);
	cores = bit_alloc(cr_get_coremap_offset(node_record_count));
	for (int i = 0; reservation->node_bitmap && i < node_record_count; i++) {
		int from = (int)cr_get_coremap_offset(i), to = (int)cr_get_coremap_offset(i + 1);

		if (bit_test(reservation->node_bitmap, i) && to > from)
			bit_nset(cores, from, to - 1);
	}
	return cores;
}

static double load_of(const slurmctld_resv_t *reservation)
{
	bitstr_t *held = cores_of(reservation), *used = bit_alloc(bit_size(held));
	int all = bit_set_count(held);
	double load = -1;

	list_for_each_ro(job_list, note_job, used);
	if (all)
		load = (double)bit_overlap(held, used) / all;
	FREE_NULL_BITMAP(used);
	FREE_NULL_BITMAP(held);
	return load;
}

double rsv_load(const char *name)
{
	slurmctld_lock_t records_read = {.job = READ_LOCK, .node = READ_LOCK};
	const slurmctld_resv_t *reservation;
	double load = -1;

	lock_slurmctld(records_read);
	reservation = resv_list && job_list ? find_resv_name((char *)name) : NULL;
	if (reservation)
		load = load_of(reservation);
	unlock_slurmctld(records_read);
	return load;
}
