/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine's life: start, stop, reconfigure, and the thread that iterates. The threads are never
 * joined: fini may run while one of them waits for slurmctld's locks (S-ENG-3). They look at the
 * mode whenever they have got a lock, and the library is never unmapped (-z nodelete).
 */
#include "plugins/compat/base.h"

#include <errno.h>
#include <math.h>
#include <sys/prctl.h>
#include <time.h>

#include "plugins/engine/api/engine.h"
#include "plugins/engine/fairshare/fairshare.h"
#include "plugins/engine/iteration.h"
#include "plugins/engine/life.h"
#include "plugins/engine/modules.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/policy/policy_read.h"
#include "plugins/engine/policy/principals_ask.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/resolve.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/service/disable.h"
#include "plugins/engine/service/service.h"
#include "plugins/engine/start/lowered.h"

/* Requested iterations take at most one part in REFRESH_SHARE of the time, and are at least
 * REFRESH_INTERVAL apart. */
#define REFRESH_SHARE    20
#define REFRESH_INTERVAL 0.1 /* seconds */
#define STOP_PATIENCE    2   /* seconds */

/* Whether nothing is lost by taking what is right in a file with errors: only the defaults are in
 * force. */
static bool policy_is_neutral(void)
{
	bool neutral;

	engine_lock();
	neutral = in_force.policy->source == MAUI_POLICY_NEUTRAL;
	engine_unlock();
	return neutral;
}

static void log_in_force(const struct site *site)
{
	info("maui: %s read, its policy is %s", site->config_path, engine_in_force());
}

/* The mutex is held. Takes over policy and principals; either may be NULL: then what is in force
 * stays. */
ENGINE_LOCKED static void take_or_stay(struct maui_policy *policy,
				       struct maui_principals *principals,
				       struct policy_reading *reading)
{
	maui_faults_free(in_force.refused);
	in_force.refused = reading->faults;
	reading->faults = NULL;
	if (policy && principals) {
		if (policy->source != MAUI_POLICY_LAST_GOOD) /* as was said */
			log_in_force(&engine.site);
		resolve_take(policy, principals);
		return;
	}
	error("maui: %s is not used: the policy that was %s stays", engine.site.config_path,
	      engine_in_force());
	maui_principals_free(principals);
	maui_policy_unref(policy);
}

/* Files and the name service are read with no lock held; the results are taken in one step. */
static void engine_reload(void)
{
	struct policy_reading reading;
	struct maui_principals *principals;
	struct maui_policy *policy;
	enum state_answer disabled;
	struct site site;

	site_read(&site);
	modules_configure(&site);
	disabled = disable_read(&site);
	policy_read(&site, engine_is_primary(), &reading);
	policy = maui_policy_ref(reading.policy);
	if (!policy)
		policy = policy_last_good_late(&site);
	if (!policy && policy_is_neutral())
		policy = policy_take_partial(&site, &reading);
	principals =
		policy ? principals_resolve(policy->config, PRINCIPALS_READ, in_force_principals())
		       : NULL;
	modules_resolve();
	engine_lock();
	site_clear(&engine.site);
	engine.site = site;
	take_or_stay(policy, principals, &reading);
	in_force.reading = false;
	in_force.readings++;
	disable_adopt(disabled);
	engine_unlock();
	policy_reading_clear(&reading);
	service_configure();
}

/* The engine has begun, and what has to wait for slurmctld's locks is still to be done. */
ENGINE_GUARDED static bool just_begun;

/*
 * A time in charge that waits for the thread, which has not ended what it did in the one before: it
 * reads what adopt() and bind() would free, and must not find itself in charge again.
 */
struct late_begin {
	enum engine_mode mode; /* ENGINE_STANDBY: none waits */
	uint64_t number;       /* of those that had to wait, from 1 on */
};
ENGINE_GUARDED static struct late_begin late;

/* What the engine's thread was asked to do. */
struct work {
	struct late_begin begin;
	bool begun, reload, disable, iterate;
	uint64_t chores; /* of modules_due() */
};

/* RMPOLLINTERVAL, or less: finished jobs must be seen while Slurm still has their records. */
ENGINE_LOCKED static double iteration_interval(void)
{
	double interval = (double)in_force.policy->interval;

	if (fairshare_metric() != MAUI_FS_OFF && slurm_conf.min_job_age)
		interval = fmin(interval, slurm_conf.min_job_age);
	return interval;
}

/* Sleep until there is something to do: a begin that had to wait, a reload, a
 * requested refresh once it is allowed, the next iteration, a module's chore,
 * or the last save. */
static struct work wait_for_work(double last_begun, double earliest_refresh)
{
	struct work work = {0};

	engine_lock();
	engine.busy = false;
	pthread_cond_broadcast(&engine.idle);
	for (;;) {
		double now = monotonic_seconds(), next_iteration, next_chore = INFINITY, until;

		if (engine.last_save) {
			work.chores = modules_that_save();
			break;
		}
		work.begin = late;
		if (late.mode != ENGINE_STANDBY)
			break;
		if (engine.mode == ENGINE_STANDBY) {
			engine_wait(&engine.wake);
			continue;
		}
		work.begun = just_begun;
		just_begun = false;
		if (work.begun)
			break;
		next_iteration = fmin(last_begun + iteration_interval(), engine.retry);
		if (engine.mode == ENGINE_PRIMARY)
			work.chores = modules_due(now, &next_chore);
		work.reload = engine.reload_wanted;
		work.disable = disable_waits();
		work.iterate = work.reload || work.disable || now >= next_iteration ||
			       (engine.refresh_wanted && now >= earliest_refresh);
		if (work.chores || work.iterate)
			break;
		until = fmin(next_iteration, next_chore);
		if (engine.refresh_wanted && earliest_refresh < until)
			until = earliest_refresh;
		engine_wait_until(&engine.wake, until);
	}
	if (work.iterate) {
		in_force.reading = work.reload;
		engine.reload_wanted = engine.refresh_wanted = false;
		if (monotonic_seconds() >= engine.retry)
			engine.retry = INFINITY;
	}
	engine.last_save = false;
	engine.busy = true;
	engine_unlock();
	return work;
}

static void engine_iterate(const struct work *work)
{
	if (work->reload)
		engine_reload();
	else if (resolve_is_due())
		resolve_all();
	modules_before();
	iteration_run();
	modules_after();
}

/* ---- a time in charge begins ---- */

/* What has been read for it. */
struct beginning {
	struct site site;
	struct policy_reading reading;
	struct maui_policy *policy;
	enum state_answer disabled;
};

static void read_beginning(enum engine_mode mode, struct beginning *ret_beginning)
{
	struct beginning *beginning = ret_beginning;
	bool primary = mode == ENGINE_PRIMARY;

	site_read(&beginning->site);
	modules_configure(&beginning->site);
	beginning->disabled = primary ? disable_read(&beginning->site) : STATE_ABSENT;
	modules_read(&beginning->site, mode);
	policy_read(&beginning->site, primary, &beginning->reading);
	beginning->policy = beginning->reading.policy
				    ? maui_policy_ref(beginning->reading.policy)
				    : policy_stand_in(&beginning->site, &beginning->reading);
}

/* What has been taken is not cleared. */
static void clear_beginning(struct beginning *beginning)
{
	site_clear(&beginning->site);
	maui_policy_unref(beginning->policy);
	policy_reading_clear(&beginning->reading);
	modules_discard();
}

ENGINE_LOCKED static void take_charge(enum engine_mode mode, struct beginning *beginning)
{
	modules_allocate();
	site_clear(&engine.site);
	engine.site = beginning->site;
	beginning->site = (struct site){0};
	modules_adopt();
	resolve_take(beginning->policy, NULL);
	beginning->policy = NULL;
	if (beginning->reading.policy)
		log_in_force(&engine.site);
	maui_faults_free(in_force.refused);
	in_force.refused = beginning->reading.faults;
	beginning->reading.faults = NULL;
	disable_adopt(beginning->disabled);
	engine.mode = mode;
	just_begun = mode == ENGINE_PRIMARY;
	engine.started = time(NULL);
	engine.refresh_wanted = true;
	pthread_cond_signal(&engine.wake);
}

/* number: of a begin that had to wait, and is void if there was an end or another begin since; 0: it
 * did not have to. */
static void engine_begin_mode(enum engine_mode mode, uint64_t number)
{
	struct beginning beginning = {.disabled = STATE_ABSENT};
	bool is_void;

	read_beginning(mode, &beginning);
	engine_lock();
	is_void = number && (late.mode == ENGINE_STANDBY || late.number != number);
	if (!is_void) {
		late.mode = ENGINE_STANDBY;
		take_charge(mode, &beginning);
	}
	engine_unlock();
	if (!is_void && beginning.disabled == STATE_READ)
		disable_tell();
	clear_beginning(&beginning);
	service_configure();
}

/* ---- the thread ---- */

static void *engine_thread(void *unused)
{
	double begun = -INFINITY, earliest_refresh = 0;

	(void)unused;
	prctl(PR_SET_NAME, "maui", NULL, NULL, NULL);
	for (;;) {
		struct work work = wait_for_work(begun, earliest_refresh);
		double took;

		if (work.begin.mode != ENGINE_STANDBY) {
			engine_begin_mode(work.begin.mode, work.begin.number);
			continue;
		}
		if (work.begun)
			modules_begun();
		modules_do_chores(work.chores, work.iterate);
		if (!work.iterate)
			continue;
		begun = monotonic_seconds();
		engine_iterate(&work);
		took = monotonic_seconds() - begun;
		engine_lock();
		engine.iteration_seconds = took;
		engine_unlock();
		earliest_refresh = begun + took + fmax(took * REFRESH_SHARE, REFRESH_INTERVAL);
	}
	return NULL;
}

/* The mutex is held. */
ENGINE_LOCKED static int start_threads(void)
{
	pthread_t thread;

	if (!engine.thread_running) {
		if (pthread_create(&thread, NULL, engine_thread, NULL))
			return SLURM_ERROR;
		pthread_detach(thread);
		engine.thread_running = true;
	}
	return lowered_start_thread();
}

int engine_begin(enum engine_mode mode)
{
	bool busy = false;
	int rc;

	engine_lock();
	rc = start_threads();
	if (rc == SLURM_SUCCESS && engine.busy) {
		busy = true;
		late.mode = mode;
		late.number++;
	}
	engine_unlock();
	if (busy)
		info("maui: the engine has not ended the work of its last time in charge: until "
		     "then it does not begin, and no job starts");
	if (rc != SLURM_SUCCESS)
		engine_await_no_more();
	if (rc == SLURM_SUCCESS && !busy)
		engine_begin_mode(mode, 0);
	return rc;
}

void engine_stand_by(void)
{
	late.mode = ENGINE_STANDBY;
	engine.mode = ENGINE_STANDBY;
	just_begun = false;
}

int maui_engine_start(void)
{
	modules_start();
	return engine_begin(ENGINE_PRIMARY);
}

void maui_engine_stop(void)
{
	double until = monotonic_seconds() + STOP_PATIENCE;
	bool began;

	engine_lock();
	began = engine.mode != ENGINE_STANDBY;
	engine_stand_by();
	pthread_cond_broadcast(&engine.idle); /* nobody waits for an iteration any more */
	engine.last_save = began && modules_are_unsaved();
	if (engine.last_save)
		pthread_cond_signal(&engine.wake);
	while (engine.busy || engine.last_save)
		if (!engine_wait_until(&engine.idle, until))
			break;
	engine.last_save = false; /* a late save must not overwrite what the next one writes */
	modules_end();
	engine_unlock();
	modules_leave();
	service_configure();
}

void maui_engine_reconfigure(void)
{
	engine_lock();
	if (engine.thread_running) {
		engine.reload_wanted = true;
		pthread_cond_signal(&engine.wake);
	}
	engine_unlock();
}
