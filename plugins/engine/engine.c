/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine's life: start, stop, reconfigure, and the thread that iterates. The threads are never
 * joined: fini may run while one of them waits for slurmctld's locks (S-ENG-3). They look at the
 * mode whenever they have got a lock, and the library is never unmapped (-z nodelete).
 */
#include "plugins/compat/compat.h"

#include <errno.h>
#include <math.h>
#include <sys/prctl.h>
#include <time.h>

#include "plugins/engine/api/engine.h"
#include "plugins/engine/fairshare/fairshare.h"
#include "plugins/engine/fairshare/rsv_idle.h"
#include "plugins/engine/iteration.h"
#include "plugins/engine/life.h"
#include "plugins/engine/limits/limits.h"
#include "plugins/engine/nodes/node_order.h"
#include "plugins/engine/nodes/node_state.h"
#include "plugins/engine/nodes/node_usage_file.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/queue/job_queue.h"
#include "plugins/engine/queue/jobstate_file.h"
#include "plugins/engine/reservation/rsv_admin.h"
#include "plugins/engine/reservation/rsv_attributes.h"
#include "plugins/engine/reservation/rsv_book.h"
#include "plugins/engine/reservation/rsv_guard.h"
#include "plugins/engine/reservation/rsv_open.h"
#include "plugins/engine/reservation/rsv_owner.h"
#include "plugins/engine/reservation/rsv_policy.h"
#include "plugins/engine/reservation/rsv_roll.h"
#include "plugins/engine/reservation/rsv_setres.h"
#include "plugins/engine/reservation/rsv_trigger.h"
#include "plugins/engine/reservation/rsv_view.h"
#include "plugins/engine/reservation/rsv_when.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/service/disable.h"
#include "plugins/engine/service/service.h"
#include "plugins/engine/slurm/qos.h"
#include "plugins/engine/start/lowered.h"
#include "plugins/engine/start/start.h"
#include "plugins/engine/usage/usage.h"

/* Users come and go; how long a new one may wait for what maui.cfg says of the name. */
#define PRINCIPALS_LIFETIME 600
/* Iterations that are asked for may take at most one part in so many of the time, and are at least
 * so far apart. */
#define REFRESH_SHARE    20
#define REFRESH_INTERVAL 0.1 /* seconds */
#define STOP_PATIENCE    2   /* seconds */

/*
 * The mutex is held. Takes over the caller's reference to policy, and principals, which point into
 * its configuration (NULL: not asked for yet). Names are looked up again before what they pointed
 * to goes.
 */
ENGINE_LOCKED static void take(struct policy *policy, struct principals *principals)
{
	struct policy *old_policy = in_force.policy;
	struct principals *old_principals = in_force.principals;

	in_force.policy = policy;
	in_force.principals = principals;
	in_force.principals_time = principals ? time(NULL) : 0; /* 0: the thread asks at once */
	names_bind(in_force.names, policy, principals);
	qos_bind(policy);
	limits_bind(policy, principals);
	rsv_attributes_bind(policy);
	rsv_policy_bind(policy, principals);
	rsv_owner_bind(policy, principals);
	rsv_view_forget();
	node_order_policy(engine.disabled ? NULL : policy);
	principals_free(old_principals);
	policy_unref(old_policy);
}

/* Ask the name service, with no lock held. The names belong to the policy's configuration, which is
 * held. */
static void resolve_principals(void)
{
	struct principals *principals;
	struct policy *policy;
	bool first; /* names that the machine does not know are said once */

	engine_lock();
	policy = policy_ref(in_force.policy);
	first = !in_force.principals;
	engine_unlock();
	principals = principals_resolve(policy->config, first);
	rsv_admin_ask(true);
	engine_lock();
	if (!principals)
		error("maui: out of memory: users and groups of maui.cfg are as they were");
	else if (in_force.policy == policy)
		take(policy_ref(policy), principals);
	else /* the engine was started anew meanwhile: these names are of yesterday */
		principals_free(principals);
	engine_unlock();
	policy_unref(policy);
}

/* Whether nothing is lost by taking what is right in a file with errors: nobody's policy is in
 * force. */
static bool policy_is_neutral(void)
{
	bool neutral;

	engine_lock();
	neutral = in_force.policy->source == POLICY_NEUTRAL;
	engine_unlock();
	return neutral;
}

/* The mutex is held. Takes over policy and principals; either may be NULL: then what is in force
 * stays. */
ENGINE_LOCKED static void take_or_stay(struct policy *policy, struct principals *principals,
				       struct policy_reading *reading)
{
	faults_free(in_force.refused);
	in_force.refused = reading->faults;
	reading->faults = NULL;
	if (policy && principals) {
		take(policy, principals);
		info("maui: %s read, its policy is in force", engine.site.config_path);
		return;
	}
	error("maui: %s not taken: the policy that was in force stays", engine.site.config_path);
	principals_free(principals);
	policy_unref(policy);
}

/* Files and the name service are asked with no lock held; what they said is taken at once. */
static void reload(void)
{
	struct policy_reading reading;
	struct principals *principals;
	struct policy *policy;
	struct site site;
	bool disabled;

	site_read(&site);
	lowered_configure(site.prio_reserve);
	disabled = disable_read(&site);
	policy_read(&site, engine_is_primary(), &reading);
	policy = policy_ref(reading.policy);
	if (!policy && policy_is_neutral())
		policy = policy_take_partial(&site, &reading);
	principals = policy ? principals_resolve(policy->config, true) : NULL;
	rsv_admin_ask(true);
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

/* What the engine's thread was asked to do. */
struct work {
	bool reload, iterate, save, save_fairshare, save_nodes, save_idle, usage, trigger, orders,
		disable;
};

/* RMPOLLINTERVAL; and jobs that have run must be met while Slurm still has their records. */
ENGINE_LOCKED static double iteration_interval(void)
{
	double interval = (double)in_force.policy->interval;

	if (fairshare_metric() != MAUI_FS_OFF && slurm_conf.min_job_age)
		interval = fmin(interval, slurm_conf.min_job_age);
	return interval;
}

/* What is done beside iterations, all of it for the engine that acts. The mutex is held, here and
 * below. */
ENGINE_LOCKED static double next_chore(double now)
{
	double next = fmin(usage_due(), rsv_trigger_due());

	if (engine.mode != ENGINE_PRIMARY)
		return INFINITY;
	next = fmin(next, fmin(jobstate_due(), fairshare_due()));
	next = fmin(next, rsv_when_due(now));
	return fmin(next, fmin(node_usage_due(), rsv_idle_due()));
}

/* Whether there is any now. */
ENGINE_LOCKED static bool chores(double now, struct work *work)
{
	if (engine.mode != ENGINE_PRIMARY)
		return false;
	work->save = now >= jobstate_due();
	work->save_fairshare = now >= fairshare_due();
	work->save_nodes = now >= node_usage_due();
	work->save_idle = now >= rsv_idle_due();
	work->trigger = now >= rsv_trigger_due();
	work->usage = now >= usage_due();
	work->orders = rsv_setres_waits();
	rsv_when_notice();
	return work->save || work->save_fairshare || work->save_nodes || work->save_idle ||
	       work->trigger || work->usage || work->orders;
}

/* Sleep until there is something to do: a reload, a wanted refresh after its earliest time, the
 * next iteration, or the next pass over usage. */
static struct work wait_for_work(double last_begun, double earliest_refresh)
{
	struct work work = {0};

	engine_lock();
	engine.busy = false;
	pthread_cond_broadcast(&engine.idle);
	for (;;) {
		double next_iteration = fmin(last_begun + iteration_interval(), engine.retry);
		double now = monotonic(), until = fmin(next_iteration, next_chore(now));
		bool chore;

		work.save = work.save_fairshare = work.save_nodes = work.save_idle =
			engine.last_save;
		if (work.save)
			break;
		if (engine.mode == ENGINE_STANDBY) {
			engine_wait(&engine.wake);
			continue;
		}
		work.reload = engine.reload_wanted;
		work.disable = disable_waits();
		work.iterate = work.reload || work.disable || now >= next_iteration ||
			       (engine.refresh_wanted && now >= earliest_refresh);
		chore = chores(now, &work);
		if (chore || work.iterate)
			break;
		if (engine.refresh_wanted && earliest_refresh < until)
			until = earliest_refresh;
		engine_wait_until(&engine.wake, until);
	}
	if (work.iterate) {
		in_force.reading = work.reload;
		engine.reload_wanted = engine.refresh_wanted = false;
		if (monotonic() >= engine.retry)
			engine.retry = INFINITY;
	}
	engine.last_save = false;
	engine.busy = true;
	engine_unlock();
	return work;
}

/* All but the iterations. */
static void do_chores(const struct work *work)
{
	if (work->usage)
		usage_run();
	if (work->save)
		jobstate_save();
	if (work->save_fairshare)
		fairshare_save();
	if (work->save_nodes)
		node_usage_save();
	if (work->save_idle) /* after fairshare, which takes over some of it */
		rsv_idle_save();
	if (work->trigger)
		rsv_trigger_run();
	if (work->orders && !work->iterate)
		rsv_setres_run();
}

static bool principals_are_old(void)
{
	bool old;

	engine_lock();
	old = time(NULL) - in_force.principals_time >= PRINCIPALS_LIFETIME;
	engine_unlock();
	return old;
}

static void iterate(const struct work *work)
{
	if (work->reload)
		reload();
	else if (principals_are_old())
		resolve_principals();
	disable_run();
	fairshare_settle();
	iteration_run();
	if (engine_is_shadow()) {
		rsv_roll_run(); /* it plans */
		return;
	}
	rsv_admin_settle();
	rsv_roll_run();
	rsv_setres_run();
	rsv_idle_run();
	rsv_trigger_run();
	disable_done();
}

static void *engine_thread(void *unused)
{
	double begun = -INFINITY, earliest_refresh = 0;

	(void)unused;
	prctl(PR_SET_NAME, "maui", NULL, NULL, NULL);
	for (;;) {
		struct work work = wait_for_work(begun, earliest_refresh);
		double took;

		do_chores(&work);
		if (!work.iterate)
			continue;
		begun = monotonic();
		iterate(&work);
		took = monotonic() - begun;
		engine_lock();
		engine.iteration_seconds = took;
		engine_unlock();
		earliest_refresh = begun + took + fmax(took * REFRESH_SHARE, REFRESH_INTERVAL);
	}
	return NULL;
}

/* The mutex is held. 0, or -ENOMEM. */
ENGINE_LOCKED static int allocate(void)
{
	if (in_force_allocate() || job_queue_allocate() || node_state_allocate() ||
	    limits_allocate())
		return -ENOMEM;
	return 0;
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

/* What the files of an engine that was here before say. */
struct found {
	struct maui_jobstate jobs;
	struct maui_node_usage *nodes;
	struct maui_rsv_names reservations;
	struct maui_admin_rsvs administrative;
	bool reservations_lost, administrative_lost;
};

/* A shadow makes no administrative reservations, and those that are there are Slurm's to it. */
static void look_for(const struct site *site, enum engine_mode mode, struct found *ret_found)
{
	struct maui_jobstate jobs;
	struct maui_rsv_names reservations;
	struct maui_admin_rsvs administrative = {0};
	bool reservations_lost, administrative_lost = false;

	jobstate_load(site, &jobs);
	ret_found->nodes = node_usage_load(site);
	rsv_book_load(site, &reservations, &reservations_lost);
	if (mode == ENGINE_PRIMARY)
		rsv_admin_load(site, &administrative, &administrative_lost);
	ret_found->jobs = jobs;
	ret_found->reservations = reservations;
	ret_found->administrative = administrative;
	ret_found->reservations_lost = reservations_lost;
	ret_found->administrative_lost = administrative_lost;
}

static void clear_found(struct found *found)
{
	maui_jobstate_clear(&found->jobs);
	maui_node_usage_free(found->nodes);
	maui_rsv_names_clear(&found->reservations);
	maui_admin_rsvs_clear(&found->administrative);
}

/* The mutex is held. */
ENGINE_LOCKED static void adopt(struct found *found)
{
	jobstate_adopt(&found->jobs); /* another controller may have been at work */
	node_usage_adopt(found->nodes);
	rsv_book_adopt(&found->reservations, found->reservations_lost);
	rsv_admin_adopt(&found->administrative, found->administrative_lost);
	rsv_guard_begin_anew();
	fairshare_begin_anew();
	rsv_trigger_begin_anew();
	limits_forget();
}

int engine_begin(enum engine_mode mode)
{
	struct policy_reading reading;
	struct found found;
	struct policy *policy;
	struct site site;
	bool disabled;
	int rc;

	site_read(&site);
	lowered_configure(site.prio_reserve);
	disabled = mode == ENGINE_PRIMARY && disable_read(&site);
	look_for(&site, mode, &found);
	policy_read(&site, mode == ENGINE_PRIMARY, &reading);
	policy = reading.policy ? policy_ref(reading.policy) : policy_stand_in(&site, &reading);
	engine_lock();
	if (!policy || allocate()) {
		engine_unlock();
		error("maui: out of memory: the engine does not start");
		policy_reading_clear(&reading);
		clear_found(&found);
		return SLURM_ERROR;
	}
	site_clear(&engine.site);
	engine.site = site;
	adopt(&found);
	take(policy, NULL);
	faults_free(in_force.refused);
	in_force.refused = reading.faults;
	reading.faults = NULL;
	disable_adopt(disabled);
	engine.mode = mode;
	engine.started = time(NULL);
	engine.refresh_wanted = true;
	rc = start_threads();
	if (engine.thread_running)
		pthread_cond_signal(&engine.wake);
	engine_unlock();
	policy_reading_clear(&reading);
	clear_found(&found);
	if (mode == ENGINE_PRIMARY)
		rsv_open_start();
	if (disabled)
		disable_tell();
	if (rc == SLURM_SUCCESS)
		service_configure();
	return rc;
}

int maui_engine_start(void)
{
	usage_start();
	start_recover();
	return engine_begin(ENGINE_PRIMARY);
}

void maui_engine_stop(void)
{
	double until = monotonic() + STOP_PATIENCE;

	engine_lock();
	engine.mode = ENGINE_STANDBY;
	engine.last_save =
		engine.thread_running && (job_queue.jobs_changed || node_state.changed ||
					  fairshare_due() < INFINITY || rsv_idle_due() < INFINITY);
	if (engine.last_save)
		pthread_cond_signal(&engine.wake);
	while (engine.busy || engine.last_save)
		if (!engine_wait_until(&engine.idle, until))
			break;
	engine.last_save = false; /* who was too slow must not overwrite what the next one writes */
	rsv_idle_drop();
	engine_unlock();
	start_leave();
	rsv_open_stop();
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
