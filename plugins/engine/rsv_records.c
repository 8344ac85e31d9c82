/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/engine/rsv_records.h"

#include <time.h>

#include "src/slurmctld/state_save.h"

#define FLAGS                                                                                      \
	(RESERVE_FLAG_SPEC_NODES | RESERVE_FLAG_IGN_JOBS | RESERVE_FLAG_OVERLAP |                  \
	 RESERVE_FLAG_NO_HOLD_JOBS)
#define USERS "root"

/* More than any job's warn_time, which has 16 bits: 1000 days, as nobody sets it by chance. */
#define OPEN   UINT32_C(86400000)
#define CLOSED 0

/* That the pass is ours: a bit that Slurm has no use for, and saves with the job. */
#define OUR_PASS (UINT16_C(1) << 14)

/* ---- reservations ---- */

bool rsv_record_looks_ours(const slurmctld_resv_t *reservation)
{
	return (reservation->flags & FLAGS) == FLAGS && !reservation->accounts &&
	       !xstrcmp(reservation->users, USERS) &&
	       (reservation->max_start_delay == OPEN || reservation->max_start_delay == CLOSED);
}

void rsv_record_open(slurmctld_resv_t *reservation, bool open)
{
	uint32_t delay = open ? OPEN : CLOSED;

	if (reservation->max_start_delay == delay)
		return;
	reservation->max_start_delay = delay;
	last_resv_update = time(NULL);
	schedule_resv_save();
}

static resv_desc_msg_t *description(const struct rsv_wanted *wanted)
{
	resv_desc_msg_t *text = xmalloc(sizeof(*text));

	slurm_init_resv_desc_msg(text);
	text->name = xstrdup(wanted->name);
	text->end_time = wanted->end;
	text->max_start_delay = wanted->open ? OPEN : CLOSED;
	return text;
}

int rsv_record_create(const struct rsv_wanted *wanted)
{
	slurmctld_lock_t locks = {
		.conf = READ_LOCK, .job = READ_LOCK, .node = WRITE_LOCK, .part = READ_LOCK};
	resv_desc_msg_t *text = description(wanted);
	int rc;

	text->start_time = wanted->start;
	text->flags = FLAGS;
	text->users = xstrdup(USERS);
	lock_slurmctld(locks);
	text->node_list = bitmap2node_name(wanted->nodes);
	rc = compat_create_resv(text);
	unlock_slurmctld(locks);
	slurm_free_resv_desc_msg(text);
	return rc;
}

/* What has begun has begun: its start stays. */
static void fill_differences(resv_desc_msg_t *text, const struct rsv_wanted *wanted,
			     const slurmctld_resv_t *reservation)
{
	time_t now = time(NULL);

	if (reservation->start_time > now && reservation->start_time != wanted->start)
		text->start_time = MAX(wanted->start, now);
	if (!reservation->node_bitmap || !bit_equal(reservation->node_bitmap, wanted->nodes))
		text->node_list = bitmap2node_name(wanted->nodes);
}

int rsv_record_update(const struct rsv_wanted *wanted)
{
	slurmctld_lock_t locks = {
		.conf = READ_LOCK, .job = READ_LOCK, .node = WRITE_LOCK, .part = READ_LOCK};
	resv_desc_msg_t *text = description(wanted);
	slurmctld_resv_t *reservation;
	int rc = ESLURM_RESERVATION_INVALID;

	lock_slurmctld(locks);
	reservation = find_resv_name(text->name);
	if (reservation && bit_size(wanted->nodes) == node_record_count) {
		fill_differences(text, wanted, reservation);
		rc = compat_update_resv(text);
	}
	unlock_slurmctld(locks);
	slurm_free_resv_desc_msg(text);
	return rc;
}

int rsv_record_delete(const char *name)
{
	slurmctld_lock_t locks = {.job = WRITE_LOCK, .node = WRITE_LOCK};
	reservation_name_msg_t message = {.name = (char *)name};
	int rc;

	lock_slurmctld(locks);
	rc = delete_resv(&message);
	unlock_slurmctld(locks);
	return rc;
}

/* ---- the pass ---- */

bool rsv_pass_given(const job_record_t *job)
{
	return job->warn_flags & OUR_PASS;
}

bool rsv_pass_has(const job_record_t *job)
{
	return job->warn_flags & KILL_JOB_RESV;
}

/* Before 23.11 Slurm lets a job with warn_time 0 into any reservation. */
static void close_loophole(job_record_t *job)
{
	if (!job->warn_time)
		job->warn_time = 1;
}

void rsv_pass_give(job_record_t *job)
{
	if (!rsv_pass_has(job))
		job->warn_flags |= KILL_JOB_RESV | OUR_PASS;
	close_loophole(job);
}

void rsv_pass_take(job_record_t *job)
{
	if (rsv_pass_given(job))
		job->warn_flags &= ~(KILL_JOB_RESV | OUR_PASS);
	if (rsv_pass_has(job))
		close_loophole(job);
}
