/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job_submit plugin is loaded once in slurmctld's life, before the records are there and in backup controllers, too, and
 * hears of no reconfiguration. A thread looks at both once a second: Slurm's thread that saves its state is there exactly
 * while a controller is in charge, and the time stamp of slurm.conf changes when it is read again.
 */
#include "plugins/compat/compat.h"

#include "plugins/engine/shadow.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "plugins/engine/nodes/node_order.h"
#include "plugins/engine/nodes/node_use.h"
#include "plugins/engine/reservation/rsv_view.h"
#include "plugins/engine/reservation/rsv_world.h"
#include "plugins/engine/service/service.h"
#include "plugins/engine/state.h"
#include "plugins/engine/runtime/statefile.h"

static atomic_bool shadow;

/* Guarded by its mutex, under which no other is taken. */
static struct {
	pthread_mutex_t mutex;
	pthread_cond_t wake;
	bool started, wanted;
} watch = {.mutex = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};

bool engine_is_shadow(void)
{
	return atomic_load_explicit(&shadow, memory_order_relaxed);
}

bool shadow_refuses(const char *what)
{
	static atomic_bool told;

	if (!engine_is_shadow())
		return false;
	if (!atomic_exchange(&told, true))
		error("maui: shadow mode: %s was asked for and is not done; this is a mistake in "
		      "Slurm-Maui",
		      what);
	return true;
}

void shadow_forget_nodes(void)
{
	if (!engine_is_shadow())
		return;
	node_order_look_again();
	node_use_forget();
	pthread_mutex_lock(&engine.mutex);
	rsv_world_nodes_changed();
	rsv_view_forget();
	pthread_mutex_unlock(&engine.mutex);
}

/* ---- the watch ---- */

/* Not while slurmctld goes down: slurm.conf may be gone by then. */
static bool in_charge(void)
{
	return !slurmctld_config.shutdown_time && slurmctld_config.thread_id_save;
}

/* Within its second the stamp does not tell a second reading from the first: it counts when the second is over. */
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

static void end(void)
{
	pthread_mutex_lock(&engine.mutex);
	engine.mode = ENGINE_STANDBY;
	pthread_cond_broadcast(&engine.idle);
	pthread_mutex_unlock(&engine.mutex);
	service_configure();
}

static bool begin(void)
{
	if (engine_begin(ENGINE_SHADOW) != SLURM_SUCCESS)
		return false;
	info("maui: shadow mode: the engine computes and answers, Slurm does as it does without "
	     "it");
	return true;
}

/* Whether to go on watching. */
static bool wait_a_second(void)
{
	struct timespec deadline;
	bool wanted;

	pthread_mutex_lock(&watch.mutex);
	clock_gettime(CLOCK_MONOTONIC, &deadline);
	deadline.tv_sec++;
	while (watch.wanted &&
	       !pthread_cond_clockwait(&watch.wake, &watch.mutex, CLOCK_MONOTONIC, &deadline))
		;
	wanted = watch.wanted;
	watch.started = wanted;
	pthread_mutex_unlock(&watch.mutex);
	return wanted;
}

/* maui_mode=shadow may go out of slurm.conf while slurmctld runs; to come in it has to find the plugin loaded. */
static bool still_wanted(void)
{
	struct site site;
	bool wanted;

	site_read(&site);
	wanted = site.shadow;
	site_clear(&site);
	if (!wanted)
		info("maui: shadow mode ends, as slurm.conf does not ask for it any more");
	return wanted;
}

static void *watch_thread(void *unused)
{
	bool running = false, wanted = true;
	time_t seen = 0;

	(void)unused;
	prctl(PR_SET_NAME, "maui-shadow", NULL, NULL, NULL);
	while (wait_a_second()) {
		bool charge = in_charge(), changed = charge && has_changed(&seen);

		if (running && changed)
			wanted = still_wanted();
		if (running && (!charge || !wanted)) {
			end();
			running = false;
		} else if (running && changed) {
			maui_engine_reconfigure();
		} else if (!running && charge && wanted) {
			running = begin();
		}
	}
	if (running)
		end();
	return NULL;
}

/* The watch's mutex is held. */
static int start_watch(void)
{
	pthread_t thread;

	watch.wanted = true;
	if (watch.started)
		return SLURM_SUCCESS;
	if (pthread_create(&thread, NULL, watch_thread, NULL)) {
		error("maui: shadow mode does not start: no thread");
		return SLURM_SUCCESS; /* slurmctld does without */
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
		return SLURM_SUCCESS; /* it says what it thinks of shadow mode */
	site_read(&site);
	wanted = site.shadow;
	site_clear(&site);
	if (!wanted)
		return SLURM_SUCCESS;
	atomic_store(&shadow, true);
	statefile_forbid(true);
	pthread_mutex_lock(&watch.mutex);
	rc = start_watch();
	pthread_mutex_unlock(&watch.mutex);
	return rc;
}

void maui_engine_shadow_stop(void)
{
	pthread_mutex_lock(&watch.mutex);
	watch.wanted = false;
	pthread_cond_signal(&watch.wake);
	pthread_mutex_unlock(&watch.mutex);
}
