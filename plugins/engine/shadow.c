/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shadow mode: PriorityType is Slurm's own, and job_submit/maui alone has loaded the engine, which
 * computes what it would do, answers the `maui` command, and touches no job, node, reservation or
 * file.
 *
 * No part of it relies on another for that. The engine's thread does nothing but iterations and the
 * plan of reservations; an iteration ends in the engine's own memory; whatever writes to Slurm takes a
 * writer (runtime/slurm_writer.h), which a shadow cannot have; and files are forbidden (statefile.h). If
 * either refuses something, an earlier safeguard has failed: it is logged as an error, and not done.
 *
 * A job_submit plugin is loaded once in slurmctld's life, before the records exist and in backup
 * controllers, too, and is not told of reconfigurations. A thread checks for both once a second:
 * Slurm's state-saving thread exists exactly while a controller is in charge, and the time stamp of
 * slurm.conf changes when it is reread.
 */
#include "plugins/compat/base.h"

#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "plugins/engine/api/engine.h"
#include "plugins/engine/life.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/runtime/slurm_writer.h"
#include "plugins/engine/runtime/statefile.h"
#include "plugins/engine/service/service.h"
#include "plugins/engine/slurm/authority.h"

static struct mutex watch_mutex = {PTHREAD_MUTEX_INITIALIZER}; /* no other is taken under it */

GUARDED_BY(watch_mutex) static struct {
	pthread_cond_t wake;
	bool started, wanted;
} watch = {.wake = PTHREAD_COND_INITIALIZER};

/* Within one second the stamp does not distinguish two readings, so it counts once that second is
 * over. */
static bool has_changed(time_t *seen)
{
	time_t last, now = time(NULL);
	bool changed;

	slurm_conf_lock();
	last = slurm_conf.last_update;
	slurm_conf_unlock();
	changed = last != *seen && (now > last || last > now + 1);
	if (changed)
		*seen = last;
	return changed;
}

static void shadow_end(void)
{
	engine_lock();
	engine_stand_by();
	pthread_cond_broadcast(&engine.idle);
	engine_unlock();
	service_configure();
}

static bool shadow_begin(void)
{
	if (engine_begin(ENGINE_SHADOW) != SLURM_SUCCESS)
		return false;
	info("maui: shadow mode: the engine computes and answers, and Slurm works as it does "
	     "without it");
	return true;
}

/* Whether to go on watching. */
static bool wait_a_second(void)
{
	struct timespec deadline;
	bool wanted;

	mutex_lock(&watch_mutex);
	clock_gettime(CLOCK_MONOTONIC, &deadline);
	deadline.tv_sec++;
	while (watch.wanted &&
	       !pthread_cond_clockwait(&watch.wake, &watch_mutex.mutex, CLOCK_MONOTONIC, &deadline))
		;
	wanted = watch.wanted;
	watch.started = wanted;
	mutex_unlock(&watch_mutex);
	return wanted;
}

/* maui_mode=shadow may be removed from slurm.conf while slurmctld runs; adding it needs the plugin
 * to be loaded. */
static bool still_wanted(void)
{
	struct site site;
	bool wanted;

	site_read(&site);
	wanted = site.shadow;
	site_clear(&site);
	if (!wanted)
		info("maui: shadow mode ends, as slurm.conf no longer asks for it");
	return wanted;
}

static void *watch_thread(void *unused)
{
	bool running = false, wanted = true;
	time_t seen = 0;

	(void)unused;
	prctl(PR_SET_NAME, "maui-shadow", NULL, NULL, NULL);
	while (wait_a_second()) {
		bool charge = authority_in_charge(), changed = charge && has_changed(&seen);

		if (running && changed)
			wanted = still_wanted();
		if (running && (!charge || !wanted)) {
			shadow_end();
			running = false;
		} else if (running && changed) {
			maui_engine_reconfigure();
		} else if (!running && charge && wanted) {
			running = shadow_begin();
		}
	}
	if (running)
		shadow_end();
	return NULL;
}

LOCKED_BY(watch_mutex) static int start_watch(void)
{
	pthread_t thread;

	watch.wanted = true;
	if (watch.started)
		return SLURM_SUCCESS;
	if (pthread_create(&thread, NULL, watch_thread, NULL)) {
		error("maui: shadow mode does not start: no thread");
		return SLURM_SUCCESS; /* slurmctld runs without it */
	}
	pthread_detach(thread);
	watch.started = true;
	return SLURM_SUCCESS;
}

int maui_engine_shadow_start(void)
{
	struct site site;
	bool wanted;
	int rc;

	if (!xstrcmp(slurm_conf.priority_type, SITE_OUR_PRIORITY))
		return SLURM_SUCCESS; /* priority/maui itself reports maui_mode=shadow */
	site_read(&site);
	wanted = site.shadow;
	site_clear(&site);
	if (!wanted)
		return SLURM_SUCCESS;
	engine_become_shadow();
	statefile_forbid(true);
	mutex_lock(&watch_mutex);
	rc = start_watch();
	mutex_unlock(&watch_mutex);
	return rc;
}

bool maui_engine_is_shadow(void)
{
	return engine_is_shadow();
}

void maui_engine_shadow_stop(void)
{
	mutex_lock(&watch_mutex);
	watch.wanted = false;
	pthread_cond_signal(&watch.wake);
	mutex_unlock(&watch_mutex);
}
