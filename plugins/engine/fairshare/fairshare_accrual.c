/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The accrual pass: reports job runs to the ledger, ends runs of requeued jobs,
 * and sets when the FS files are written. Between passes it records job and
 * step ends.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/fairshare/fairshare.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/queue/principals.h"
#include "common/util/grow.h"
#include "common/util/memory.h"
#include "plugins/engine/fairshare/fairshare_private.h"
#include "plugins/engine/fairshare/rsv_idle.h"
#include "plugins/engine/nodes/node_state.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/qos_records.h"
#include "plugins/engine/slurm/records.h"

struct fairshare_state fairshare = {.due = INFINITY};

/* Jobs not seen in this pass. The engine's thread alone. */
static uint32_t *gone;
static size_t gone_room;

/* The engine's thread needs no mutex for this: only it writes. */
LOCK_NOT_FOLLOWED const struct fairshare_state *fairshare_to_read(void)
{
	return &fairshare;
}

void fairshare_begin_anew(void)
{
	fairshare.begin_anew = true;
	rsv_idle_drop();
}

const struct maui_fairshare_settings *fairshare_counting(void)
{
	const struct maui_fairshare_settings *settings =
		fairshare.windows ? maui_fairshare_settings_of(fairshare.windows) : NULL;

	return settings && settings->metric != MAUI_FS_OFF ? settings : NULL;
}

enum maui_fs_metric fairshare_metric(void)
{
	return fairshare_counting() ? fairshare_counting()->metric : MAUI_FS_OFF;
}

/* ---- names ---- */

void fairshare_merge(enum maui_credential type, uint32_t other, uint32_t id)
{
	struct maui_fairshare *windows = fairshare.windows;

	if (!windows ||
	    maui_fairshare_reserve(windows, type, maui_names_count(in_force.names, type)))
		return;
	for (uint32_t k = 0; k < maui_fairshare_settings_of(windows)->depth; k++) {
		double usage = maui_fairshare_usage(windows, type, other, k);

		if (usage <= 0)
			continue;
		maui_fairshare_set(windows, type, id, k,
				   maui_fairshare_usage(windows, type, id, k) + usage);
		maui_fairshare_set(windows, type, other, k, 0);
	}
}

/* ---- the pass ---- */

struct maui_run *fairshare_run(void)
{
	fairshare.runs = maui_grow(fairshare.runs, fairshare.run_count + 1, &fairshare.run_room,
				   sizeof(*fairshare.runs));
	return &fairshare.runs[fairshare.run_count];
}

/* By the steady clock; negative: unknown. */
ENGINE_LOCKED static double since_last_pass(double steady)
{
	return fairshare.last_pass >= 0 ? steady - fairshare.last_pass : -1;
}

/* By how much the wall clock was set since the last pass. */
ENGINE_LOCKED static int64_t step_since(struct clocks now)
{
	return maui_fsledger_step(fairshare.ledger, now.wall, since_last_pass(now.steady));
}

/* A run of which something has just been seen. */
ENGINE_LOCKED static void keep_seen(const job_record_t *job, bool ended, bool paused,
				    struct clocks now)
{
	struct maui_run *run = fairshare_counting() ? fairshare_run() : NULL;
	double speed;

	if (!run ||
	    !records_run(job, ended, in_force.names, qos_records_of_job(job, in_force.names),
			 records_class(jobrec_partition(job), in_force.names), fairshare_counting(),
			 &node_state.machine, now.wall, run))
		return;
	speed = fairshare_keep(job);
	run->seen = true;
	run->paused = paused;
	run->elapsed = since_last_pass(now.steady);
	run->step = step_since(now);
	if (ended && fairshare_metric() == MAUI_FS_UTILIZEDPS)
		maui_used_runs_end(&fairshare.used, run, speed);
}

static void report_seen(const job_record_t *job, bool ended, bool paused)
{
	struct clocks now = clocks_read();

	qos_records_lock();
	engine_lock();
	keep_seen(job, ended, paused, now);
	engine_unlock();
	qos_records_unlock();
}

void fairshare_run_ended(const job_record_t *job)
{
	if (!jobrec_is_resizing(job)) /* else it continues with another size */
		report_seen(job, true, false);
}

void fairshare_run_began(const job_record_t *job)
{
	report_seen(job, false, jobrec_is_suspended(job)); /* slurm.conf was read again */
}

void fairshare_run_pauses(const job_record_t *job, bool suspended)
{
	report_seen(job, false, suspended);
}

bool fairshare_wants_steps(const job_record_t *job)
{
	bool seen = !jobrec_has_stepmgr(job);
	bool wanted, say;

	engine_lock();
	wanted = fairshare_metric() == MAUI_FS_UTILIZEDPS;
	say = wanted && !seen && !fairshare.said_unseen;
	fairshare.said_unseen = fairshare.said_unseen || say;
	engine_unlock();
	if (say)
		info("maui: fairshare: FSPOLICY UTILIZEDPS counts what jobs with --stepmgr hold, "
		     "such as job %u: Slurm does not report to slurmctld what their steps use",
		     jobrec_id(job));
	return wanted && seen;
}

void fairshare_step_ended(uint32_t job_id, int64_t start, double used, double held)
{
	engine_lock();
	if (fairshare_metric() == MAUI_FS_UTILIZEDPS)
		maui_used_runs_add(&fairshare.used, job_id, start, used, held);
	engine_unlock();
}

/* Whether all steps of a run have ended: its nodes are clean. Job read lock. */
static bool cleaned_up(const struct maui_used_run *used)
{
	const job_record_t *job = jobrec_find(used->job_id);

	return !job || jobrec_start(job) != used->start ||
	       (jobrec_is_finished(job) && !jobrec_is_completing(job));
}

void fairshare_collect_used(void)
{
	for (size_t i = 0; i < fairshare.used.count;) {
		const struct maui_used_run *used = &fairshare.used.runs[i];
		bool clean = cleaned_up(used);
		struct maui_run *run = used->ended ? fairshare_run() : NULL;

		if (run) {
			*run = used->run;
			run->used = clean ? used->used * used->scale : 0;
			run->held = clean ? used->held * used->scale : 0;
			fairshare.run_count++;
		}
		if (clean)
			maui_used_runs_drop(&fairshare.used, i);
		else
			i++;
	}
}

int64_t fairshare_counted(void)
{
	return fairshare.ledger ? maui_fsledger_counted(fairshare.ledger) : INT64_MIN;
}

double fairshare_node_speed(const char *name)
{
	return fairshare.by_speed ? maui_node_settings(in_force.policy->nodes, name)->speed : 1;
}

double fairshare_keep(const job_record_t *job)
{
	double speed = fairshare.by_speed ? records_speed(job, in_force.policy->nodes) : 1;

	fairshare.runs[fairshare.run_count++].rate *= speed;
	return speed;
}

/* What happened must not be lost if the machine stops: write it within this many seconds. */
ENGINE_LOCKED static void save_within(double seconds)
{
	fairshare.due = fmin(fairshare.due, monotonic_seconds() + seconds);
}

/* Slurm forgets a job MinJobAge seconds after its end; 0: never. */
static double record_patience(void)
{
	uint32_t age = slurm_conf.min_job_age;

	return age ? age / 2.0 : INFINITY;
}

ENGINE_LOCKED static void report(const struct maui_run *run)
{
	int64_t seconds;
	enum maui_fsledger_event event =
		maui_fsledger_report(fairshare.ledger, fairshare.windows, run, &seconds);

	if (seconds)
		log_flag(PRIO,
			 "maui: fairshare: job %u, start %" PRId64 ", %s %" PRId64 ": %" PRId64
			 " seconds more",
			 run->job_id, run->start,
			 run->over     ? "ended"
			 : run->paused ? "suspended"
				       : "until",
			 run->until, seconds);
	switch (event) {
	case MAUI_FS_IRREGULAR:
		save_within(0);
		break;
	case MAUI_FS_RUN_ENDED:
		save_within(record_patience());
		break;
	case MAUI_FS_REGULAR:
		break;
	}
}

/* Jobs that ran at the last pass and were not seen in this one. */
ENGINE_LOCKED static size_t find_gone(void)
{
	size_t at = 0, count = 0;
	uint32_t job_id;

	while ((job_id = maui_fsledger_missing(fairshare.ledger, &at))) {
		gone = maui_grow(gone, count + 1, &gone_room, sizeof(*gone));
		gone[count++] = job_id;
	}
	return count;
}

/* When their runs ended; 0: Slurm no longer has the job. Called without the mutex, because
 * Slurm's lock comes first. */
static void ask_ends(const uint32_t *job_ids, size_t count, int64_t now, int64_t *ret_ends)
{
	slurmctld_lock_t records_read = {.job = READ_LOCK};
	int64_t since = maui_fsledger_counted(fairshare_to_read()->ledger);

	lock_slurmctld(records_read);
	for (size_t i = 0; i < count; i++) {
		const job_record_t *job = jobrec_find(job_ids[i]);

		ret_ends[i] = job ? records_requeued(job, since, now) : 0;
	}
	unlock_slurmctld(records_read);
}

/* End the runs of requeued jobs. The mutex is held, but released while Slurm is asked. */
ENGINE_LOCKED static void end_gone(int64_t now)
{
	size_t count = find_gone();
	int64_t *ends;

	if (!count)
		return;
	ends = maui_calloc(count, sizeof(*ends));
	engine_unlock();
	ask_ends(gone, count, now, ends);
	engine_lock();
	for (size_t i = 0; i < count; i++)
		if (ends[i])
			maui_fsledger_ended(fairshare.ledger, fairshare.windows, gone[i], ends[i]);
	save_within(0);
	free(ends);
}

ENGINE_LOCKED static void reserve_names(void)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		maui_fairshare_reserve(fairshare.windows, type,
				       maui_names_count(in_force.names, type));
}

/* From now on records have times of two clocks: a new process must find what has been charged. */
ENGINE_LOCKED static void allow_for_step(struct clocks now)
{
	int64_t step = step_since(now);

	if (!step)
		return;
	info("maui: fairshare: the clock was set %s by %" PRId64
	     " seconds: jobs are charged for the time that passed by the machine's steady clock",
	     step > 0 ? "forward" : "back", step > 0 ? step : -step);
	maui_fairshare_soil(fairshare.windows, 0);
	save_within(0);
}

/* Ends by a clock that was ahead: the files count on, until they are beyond these. */
ENGINE_LOCKED static void keep_up_with_ends(int64_t now)
{
	int64_t latest = maui_fsledger_latest(fairshare.ledger);

	if (latest <= maui_fsledger_counted(fairshare.ledger))
		return;
	maui_fairshare_soil(fairshare.windows, 0);
	if (latest <= now)
		save_within(0);
}

void fairshare_pass(struct clocks now)
{
	uint32_t rolled;

	if (!fairshare.windows)
		return;
	reserve_names();
	allow_for_step(now);
	rolled = maui_fsledger_begin(fairshare.ledger, fairshare.windows, now.wall,
				     since_last_pass(now.steady));
	for (size_t i = 0; i < fairshare.run_count; i++)
		report(&fairshare.runs[i]);
	fairshare.run_count = 0;
	end_gone(now.wall);
	keep_up_with_ends(now.wall);
	maui_fsledger_end(fairshare.ledger);
	rsv_idle_charge(fairshare.windows, now.wall);
	fairshare.last_pass = now.steady;
	for (uint32_t k = 0; rolled && k <= rolled; k++)
		maui_fairshare_soil(fairshare.windows, k);
	if (rolled)
		save_within(0);
	else if (maui_fairshare_dirty(fairshare.windows))
		save_within((double)maui_config_get(in_force.policy->config,
						    MAUI_KEY_CHECKPOINTINTERVAL, NULL)
				    ->integer);
	maui_names_fairshare(in_force.names, fairshare.windows);
}

const struct maui_fairshare *fairshare_windows(char **ret_directory)
{
	if (ret_directory)
		*ret_directory =
			fairshare.place.directory ? maui_strdup(fairshare.place.directory) : NULL;
	return fairshare.windows;
}

const char *fairshare_missing(void)
{
	return fairshare.place.missing;
}
