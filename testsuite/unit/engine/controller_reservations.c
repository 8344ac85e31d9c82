/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reservations as slurmctld keeps them, as far as the engine's need it, and others on whole
 * nodes. */
#include "testsuite/unit/engine/controller.h"

#include <time.h>

#include "plugins/engine/api/select.h"
#include "src/common/node_conf.h"
#include "testsuite/unit/engine/controller_private.h"

#define OLDEST_START 600 /* seconds: MAX_RESV_DELAY of slurmctld */

int controller_reservation_error;

static int has_name(void *record, void *key)
{
	return !strcmp(((slurmctld_resv_t *)record)->name, key);
}

slurmctld_resv_t *controller_find_reservation(const char *name)
{
	return list_find_first(resv_list, has_name, (char *)name);
}

uint32_t controller_reservation_count(void)
{
	return (uint32_t)list_count(resv_list);
}

slurmctld_resv_t *find_resv_name(char *resv_name)
{
	controller_wants(NO_LOCK, READ_LOCK, NO_LOCK);
	return controller_find_reservation(resv_name);
}

static void free_reservation(slurmctld_resv_t *reservation)
{
	xfree(reservation->name);
	xfree(reservation->node_list);
	xfree(reservation->users);
	xfree(reservation->accounts);
	xfree(reservation->partition);
	FREE_NULL_BITMAP(reservation->node_bitmap);
	FREE_NULL_BITMAP(reservation->core_bitmap);
	xfree(reservation);
}

static int set_nodes(slurmctld_resv_t *reservation, char *names)
{
	bitstr_t *nodes = NULL;

	if (!controller_nodes(names, &nodes)) {
		FREE_NULL_BITMAP(nodes);
		return ESLURM_INVALID_NODE_NAME;
	}
	FREE_NULL_BITMAP(reservation->node_bitmap);
	reservation->node_bitmap = nodes;
	xfree(reservation->node_list);
	reservation->node_list = bitmap2node_name(nodes);
	reservation->node_cnt = (uint32_t)bit_set_count(nodes);
	return SLURM_SUCCESS;
}

/* For core counts, Slurm asks the select plugin, and that asks the engine. */
static int place_cores(slurmctld_resv_t *reservation, const resv_desc_msg_t *wanted)
{
	uint32_t cores;

	if (!maui_engine_select.place_reservation(&reservation->node_bitmap,
						  &reservation->core_bitmap))
		return ESLURM_NODES_BUSY;
	cores = (uint32_t)bit_set_count(reservation->core_bitmap);
	CONTROLLER_REQUIRE(wanted->node_cnt && compat_resv_cores(wanted) == cores,
			   "other cores than were asked for: %u", cores);
	reservation->node_list = bitmap2node_name(reservation->node_bitmap);
	reservation->core_cnt = cores;
	return SLURM_SUCCESS;
}

static uint32_t next_id;

static int fill(slurmctld_resv_t *reservation, const resv_desc_msg_t *wanted)
{
	reservation->name = xstrdup(wanted->name);
	reservation->resv_id = ++next_id;
	reservation->users = xstrdup(wanted->users);
	reservation->partition = xstrdup(wanted->partition);
	reservation->start_time = wanted->start_time;
	reservation->end_time = wanted->end_time;
	reservation->flags = wanted->flags == NO_VAL64 ? 0 : wanted->flags;
	reservation->max_start_delay = wanted->max_start_delay;
	reservation->purge_comp_time = wanted->purge_comp_time;
	return wanted->node_list ? set_nodes(reservation, wanted->node_list)
				 : place_cores(reservation, wanted);
}

static bool is_refused(void)
{
	controller_counts.refused += controller_reservation_error != SLURM_SUCCESS;
	return controller_reservation_error != SLURM_SUCCESS;
}

int create_resv COMPAT_RESV_PARAMETERS
{
	slurmctld_resv_t *reservation;
	time_t now = time(NULL);
	int rc;

	controller_wants(READ_LOCK, WRITE_LOCK, READ_LOCK);
	if (is_refused())
		return controller_reservation_error;
	if (controller_find_reservation(resv_desc_ptr->name))
		return ESLURM_RESERVATION_NAME_DUP;
	if (resv_desc_ptr->start_time < now - OLDEST_START ||
	    resv_desc_ptr->end_time <= resv_desc_ptr->start_time)
		return ESLURM_INVALID_TIME_VALUE;
	reservation = xmalloc(sizeof(*reservation));
	rc = fill(reservation, resv_desc_ptr);
	if (rc) {
		free_reservation(reservation);
		return rc;
	}
	list_append(resv_list, reservation);
	last_resv_update = now;
	controller_counts.created++;
	return SLURM_SUCCESS;
}

/* Some can be set and cleared, others only set. */
static uint64_t change_flags(uint64_t flags, uint64_t asked)
{
	static const uint64_t pairs[][2] = {
		{RESERVE_FLAG_MAINT, RESERVE_FLAG_NO_MAINT},
		{RESERVE_FLAG_FLEX, RESERVE_FLAG_NO_FLEX},
		{RESERVE_FLAG_PURGE_COMP, RESERVE_FLAG_NO_PURGE_COMP},
		{RESERVE_FLAG_IGN_JOBS, RESERVE_FLAG_NO_IGN_JOB},
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		flags |= asked & pairs[i][0];
		if (asked & pairs[i][1])
			flags &= ~pairs[i][0];
	}
	return flags | (asked & (RESERVE_FLAG_OVERLAP | RESERVE_FLAG_NO_HOLD_JOBS));
}

int update_resv COMPAT_RESV_PARAMETERS
{
	slurmctld_resv_t *reservation = controller_find_reservation(resv_desc_ptr->name);
	int rc = SLURM_SUCCESS;

	controller_wants(READ_LOCK, WRITE_LOCK, READ_LOCK);
	if (is_refused())
		return controller_reservation_error;
	if (!reservation)
		return ESLURM_RESERVATION_INVALID;
	if (resv_desc_ptr->node_list)
		rc = set_nodes(reservation, resv_desc_ptr->node_list);
	if (rc)
		return rc;
	if (resv_desc_ptr->users) {
		xfree(reservation->users);
		reservation->users = xstrdup(resv_desc_ptr->users);
	}
	if (resv_desc_ptr->flags != NO_VAL64)
		reservation->flags = change_flags(reservation->flags, resv_desc_ptr->flags);
	if (resv_desc_ptr->purge_comp_time != NO_VAL)
		reservation->purge_comp_time = resv_desc_ptr->purge_comp_time;
	if (resv_desc_ptr->start_time != (time_t)NO_VAL)
		reservation->start_time = resv_desc_ptr->start_time;
	if (resv_desc_ptr->end_time != (time_t)NO_VAL)
		reservation->end_time = resv_desc_ptr->end_time;
	if (resv_desc_ptr->max_start_delay != NO_VAL)
		reservation->max_start_delay = resv_desc_ptr->max_start_delay;
	last_resv_update = time(NULL);
	controller_counts.updated++;
	return SLURM_SUCCESS;
}

int delete_resv(reservation_name_msg_t *resv_desc_ptr)
{
	slurmctld_resv_t *reservation = controller_find_reservation(resv_desc_ptr->name);

	controller_wants(READ_LOCK, WRITE_LOCK, NO_LOCK);
	if (!reservation)
		return ESLURM_RESERVATION_INVALID;
	list_delete_ptr(resv_list, reservation);
	free_reservation(reservation);
	last_resv_update = time(NULL);
	controller_counts.deleted++;
	return SLURM_SUCCESS;
}

slurmctld_resv_t *controller_reservation(const char *name, const char *nodes, int64_t start,
					 int64_t end, const char *users)
{
	slurmctld_resv_t *reservation = xmalloc(sizeof(*reservation));

	reservation->name = xstrdup(name);
	reservation->resv_id = ++next_id;
	reservation->users = xstrdup(users);
	reservation->start_time = start;
	reservation->end_time = end;
	CONTROLLER_REQUIRE(!set_nodes(reservation, (char *)nodes), "%s", nodes);
	list_append(resv_list, reservation);
	last_resv_update = time(NULL);
	return reservation;
}

/* ---- who is kept out ---- */

struct keeping {
	const job_record_t *job;
	time_t until;
	bitstr_t *nodes, **cores;
};

/* Slurm lets in a job that a reservation can preempt in time. */
static int keep_out(void *object, void *context)
{
	const slurmctld_resv_t *reservation = object;
	struct keeping *keeping = context;
	const job_record_t *job = keeping->job;

	if (reservation->start_time >= keeping->until || reservation->end_time <= time(NULL) ||
	    ((job->warn_flags & KILL_JOB_RESV) && job->warn_time <= reservation->max_start_delay))
		return 0;
	if (!reservation->core_bitmap)
		bit_and_not(keeping->nodes, reservation->node_bitmap);
	else if (*keeping->cores)
		bit_or(*keeping->cores, reservation->core_bitmap);
	else
		*keeping->cores = bit_copy(reservation->core_bitmap);
	return 0;
}

void controller_keep_out(const job_record_t *job, bitstr_t *nodes, bitstr_t **cores)
{
	struct keeping keeping = {.job = job,
				  .until = time(NULL) + (time_t)job->time_limit * 60,
				  .nodes = nodes,
				  .cores = cores};

	list_for_each(resv_list, keep_out, &keeping);
}
