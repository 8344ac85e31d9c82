/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the pass every PriorityCalcPeriod: reset, decay, usage of all jobs,
 * reserved run minutes, shares. Jobs that end are counted in
 * maui_engine_job_end().
 */
#include "plugins/compat/compat.h"

#include <math.h>
#include <time.h>

#include "common/policy/fairshare/usage_decay.h"
#include "plugins/engine/api/engine.h"
#include "plugins/engine/fairshare/fairshare.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/usage/slurm_usage.h"
#include "plugins/engine/slurm/usage/usage_ledger.h"
#include "plugins/engine/slurm/usage/usage_shares.h"
#include "plugins/engine/slurm/usage/usage_state.h"

static struct mutex usage_mutex = {PTHREAD_MUTEX_INITIALIZER}; /* no other lock is taken under it */

GUARDED_BY(usage_mutex) static struct {
	struct usage_times times;
	int64_t reserved_at; /* the last usage_ledger_reserve_all(); 0: slurmctld has begun anew */
	bool reset_now;      /* PriorityUsageResetPeriod=NOW, once */
	double due;
	bool unread;  /* the times are in a file that cannot be read now: no pass until it can */
	double pause; /* seconds between two tries */
} usage = {.due = INFINITY};

/* slurmctld has read slurm.conf, and has counted all running jobs with their whole time limit. */
LOCKED_BY(usage_mutex) static void begin_anew(void)
{
	usage.reserved_at = 0;
	usage.reset_now = slurm_conf.priority_reset_period == PRIORITY_RESET_NOW;
	usage.due = slurm_with_slurmdbd() ? 0 : INFINITY;
}

static void read_times(struct usage_times *times)
{
	char *directory;
	bool read;

	slurm_conf_lock();
	directory = xstrdup(slurm_conf.state_save_location);
	slurm_conf_unlock();
	read = usage_times_load(directory, times);
	xfree(directory);
	mutex_lock(&usage_mutex);
	usage.times = *times;
	usage.unread = !read;
	mutex_unlock(&usage_mutex);
}

/* Whether the times are known. What ran meanwhile is counted from there on. */
static bool know_times(void)
{
	struct usage_times times;
	bool unread;

	mutex_lock(&usage_mutex);
	times = usage.times;
	unread = usage.unread;
	mutex_unlock(&usage_mutex);
	if (unread)
		read_times(&times);
	mutex_lock(&usage_mutex);
	unread = usage.unread;
	usage.pause =
		unread ? fmin(usage.pause * 2 + 1, fmax(slurm_conf.priority_calc_period, 1)) : 0;
	if (unread)
		usage.due = monotonic_seconds() + usage.pause;
	mutex_unlock(&usage_mutex);
	return !unread;
}

/* Where this or another controller left off. Slurm initialises a plugin when it first calls it,
 * which may be during recovery: locks of slurmctld may be held. */
static void usage_start(void)
{
	struct usage_times times = {.last_pass = time(NULL), .last_reset = time(NULL)};

	if (!slurm_with_slurmdbd())
		return;
	read_times(&times);
	mutex_lock(&usage_mutex);
	begin_anew();
	mutex_unlock(&usage_mutex);
}

static double usage_due(double now)
{
	double next;

	(void)now;
	mutex_lock(&usage_mutex);
	next = usage.due;
	mutex_unlock(&usage_mutex);
	return next;
}

static enum maui_usage_reset reset_period(void)
{
	switch (slurm_conf.priority_reset_period) {
	case PRIORITY_RESET_DAILY:
		return MAUI_USAGE_RESET_DAILY;
	case PRIORITY_RESET_WEEKLY:
		return MAUI_USAGE_RESET_WEEKLY;
	case PRIORITY_RESET_MONTHLY:
		return MAUI_USAGE_RESET_MONTHLY;
	case PRIORITY_RESET_QUARTERLY:
		return MAUI_USAGE_RESET_QUARTERLY;
	case PRIORITY_RESET_YEARLY:
		return MAUI_USAGE_RESET_YEARLY;
	default:
		return MAUI_USAGE_RESET_NONE;
	}
}

LOCKED_BY(usage_mutex) static void reset_if_due(struct slurm_writer *writer, int64_t now)
{
	if (!usage.reset_now && now < maui_usage_next_reset(reset_period(), usage.times.last_reset))
		return;
	usage_ledger_reset(writer);
	usage.reset_now = false;
	usage.times.last_reset = now;
	info("maui: the usage of all associations and QOS is reset (PriorityUsageResetPeriod)");
}

/*
 * The mutex and the locks of Slurm are held, so that no job starts or ends meanwhile: each second
 * of each job is in exactly one pass, or in its job_end().
 */
LOCKED_BY(usage_mutex) static void bring_up_to_date(struct slurm_writer *writer, int64_t now)
{
	int64_t last = usage.times.last_pass, half_life = slurm_conf.priority_decay_hl;

	reset_if_due(writer, now);
	if (now > last) {
		usage_ledger_decay(writer, half_life, now - last);
		usage_ledger_add_all(writer, last, now, half_life);
	}
	usage_ledger_reserve_all(writer, now);
	usage_shares_derive(writer);
	usage.times.last_pass = usage.reserved_at = now;
}

/* The records are locked for reading. False if there are no associations (slurmdbd has not answered
 * yet). */
static bool make_pass(struct slurm_writer *writer, struct usage_times *ret_times)
{
	assoc_mgr_lock_t locks = {.assoc = WRITE_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK};
	bool there;

	assoc_mgr_lock(&locks);
	there = assoc_mgr_root_assoc && assoc_mgr_assoc_list && assoc_mgr_qos_list;
	mutex_lock(&usage_mutex);
	if (there) {
		bring_up_to_date(writer, time(NULL));
		*ret_times = usage.times;
	}
	mutex_unlock(&usage_mutex);
	assoc_mgr_unlock(&locks);
	return there;
}

static void usage_run(void)
{
	slurmctld_lock_t records = {.conf = READ_LOCK, .job = READ_LOCK, .part = READ_LOCK};
	struct usage_times times;
	char *directory = NULL;
	struct slurm_writer *writer;

	if (!know_times())
		return;
	writer = slurm_writer_begin(records);
	mutex_lock(&usage_mutex);
	usage.due = monotonic_seconds() + fmax(slurm_conf.priority_calc_period, 1);
	mutex_unlock(&usage_mutex);
	if (!writer)
		return;
	if (make_pass(writer, &times))
		directory = xstrdup(slurm_conf.state_save_location);
	slurm_writer_end(writer, records);
	if (directory)
		usage_times_save(directory, &times);
	xfree(directory);
}

void maui_engine_usage_cleared(void)
{
	mutex_lock(&usage_mutex);
	begin_anew();
	mutex_unlock(&usage_mutex);
}

void maui_engine_job_end(job_record_t *job)
{
	assoc_mgr_lock_t locks = {.assoc = WRITE_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK};
	struct slurm_writer *writer = slurm_writer_of_call();

	if (!writer || job->end_time_exp == (time_t)NO_VAL)
		return;
	fairshare_run_ended(job);
	assoc_mgr_lock(&locks);
	mutex_lock(&usage_mutex);
	if (slurm_with_slurmdbd())
		usage_ledger_add(writer, job, usage.times.last_pass, time(NULL),
				 slurm_conf.priority_decay_hl);
	usage_ledger_release(writer, job, usage.reserved_at);
	mutex_unlock(&usage_mutex);
	assoc_mgr_unlock(&locks);
	job->end_time_exp = (time_t)NO_VAL; /* Slurm's sign that this has been done */
}

void maui_engine_set_assoc_usage(slurmdb_assoc_rec_t *assoc)
{
	struct slurm_writer *writer = slurm_writer_of_call();

	if (writer)
		usage_shares_derive_one(writer, assoc);
}

const struct module usage_module = {.start = usage_start, .due = usage_due, .chore = usage_run};
