/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks the cores of all running jobs, and divides those inside the reservation
 * by the number of its cores.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/trigger/rsv_load.h"

#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/noderec.h"
#include "plugins/engine/slurm/resvrec.h"

/* By core, since several jobs may share one. */
static int note_job(job_record_t *job, void *used)
{
	if (jobrec_is_running(job))
		jobrec_add_cores(job, used);
	return 0;
}

/* The cores that a reservation holds. */
static bitstr_t *cores_of(const slurmctld_resv_t *reservation)
{
	bitstr_t *nodes = resvrec_nodes(reservation), *cores = resvrec_cores(reservation);

	if (cores)
		return bit_copy(cores);
	cores = bit_alloc(noderec_first_core(noderec_count()));
	for (uint32_t i = 0; nodes && i < noderec_count(); i++) {
		uint32_t from = noderec_first_core(i), to = noderec_first_core(i + 1);

		if (bit_test(nodes, i) && to > from)
			bit_nset(cores, from, to - 1);
	}
	return cores;
}

static double load_of(const slurmctld_resv_t *reservation)
{
	bitstr_t *held = cores_of(reservation), *used = bit_alloc(bit_size(held));
	int all = bit_set_count(held);
	double load = -1;

	jobrec_each(note_job, used);
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
	reservation = jobrec_there() ? resvrec_find(name) : NULL;
	if (reservation)
		load = load_of(reservation);
	unlock_slurmctld(records_read);
	return load;
}
