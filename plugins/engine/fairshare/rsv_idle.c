/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports job starts, ends and suspensions to maui_idle, lays out cores again
 * when reservations or nodes change, and charges idle spans to fairshare.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/fairshare/rsv_idle.h"

#include <math.h>
#include <time.h>

#include "plugins/engine/fairshare/fairshare.h"
#include "plugins/engine/fairshare/rsv_idle_private.h"
#include "plugins/engine/nodes/node_order.h"
#include "plugins/engine/reservation/rsv_policy.h"
#include "plugins/engine/runtime/clocks.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/noderec.h"
#include "plugins/engine/slurm/resvrec.h"

/* Seconds. The two clocks are read at different moments, so a smaller difference is not a step of
 * the wall clock. */
#define SMALLEST_STEP 2

ENGINE_GUARDED static struct {
	struct maui_idle *core;
	bool on;      /* somebody answers for an existing reservation */
	bool wanted;  /* look again */
	bool counted; /* what counts() returned then */
	/* The state when we last looked: */
	uint64_t generation;
	time_t changed; /* resvrec_updated() */
	time_t looked;
	unsigned int table;
	uint64_t nodes_up;
	struct rsv_idle_ranges job; /* cores of the job that begins */
	struct clocks at;           /* the last reading; 0: none yet */
} counting = {.wanted = true};

/* ---- whether; the mutex is held ---- */

/* Without our select plugin nothing reports when jobs begin and end. */
ENGINE_LOCKED static bool counts(void)
{
	enum maui_fs_metric metric = fairshare_metric();

	return (metric == MAUI_FS_DEDICATEDPS || metric == MAUI_FS_DEDICATEDPES) &&
	       rsv_policy_known() && rsv_idle_is_anybody_named() && select_is_loaded();
}

const struct maui_idle *rsv_idle_now(void)
{
	return counting.on ? counting.core : NULL;
}

/* ---- time ---- */

/* Seconds by which the wall clock was set were not idle. */
ENGINE_LOCKED static int64_t read_clocks(void)
{
	struct clocks now = clocks_read();
	int64_t step = now.wall - counting.at.wall - llround(now.steady - counting.at.steady);

	if (counting.at.wall && (step >= SMALLEST_STEP || step <= -SMALLEST_STEP))
		maui_idle_step(counting.core, step);
	counting.at = now;
	return now.wall;
}

/* Slurm's time of an event, but never later than now. */
ENGINE_LOCKED static int64_t time_of(time_t event)
{
	int64_t now = read_clocks();

	return event > 0 && event < now ? event : now;
}

/* ---- what happens to jobs ---- */

ENGINE_LOCKED static bool is_watched(void)
{
	return counting.on && rsv_idle_laid_out_nodes() == noderec_count();
}

/* The mutex is held. */
ENGINE_LOCKED static void begin(const job_record_t *job, int64_t when)
{
	rsv_idle_cores_of(job, &counting.job);
	maui_idle_begin(counting.core, jobrec_id(job), counting.job.list, counting.job.count, when);
	rsv_idle_changed();
}

void rsv_idle_began(const job_record_t *job)
{
	engine_lock();
	if (is_watched() && jobrec_is_running(job))
		begin(job, time_of(jobrec_start(job)));
	engine_unlock();
}

void rsv_idle_resized(const job_record_t *job)
{
	engine_lock();
	if (is_watched() && jobrec_is_running(job))
		begin(job, time_of(0));
	engine_unlock();
}

ENGINE_LOCKED static void end(const job_record_t *job, int64_t when)
{
	maui_idle_end(counting.core, jobrec_id(job), when);
	rsv_idle_changed();
}

void rsv_idle_ended(const job_record_t *job)
{
	engine_lock();
	if (is_watched()) {
		end(job, time_of(jobrec_end(job)));
		if (jobrec_lost_a_node(job)) /* the rest of its nodes may not be idle */
			engine_want_refresh();
	}
	engine_unlock();
}

void rsv_idle_suspended(const job_record_t *job, bool suspended)
{
	engine_lock();
	if (is_watched()) {
		int64_t now = time_of(0);

		if (suspended)
			end(job, now);
		else
			begin(job, now);
	}
	engine_unlock();
}

/* ---- what is watched; job and node read locks, and the mutex ---- */

static int count_running(job_record_t *job, void *context)
{
	const int64_t *now = context;

	engine_assert_locked();
	if (jobrec_is_running(job))
		begin(job, *now);
	return 0;
}

ENGINE_LOCKED static void note_state(int64_t now)
{
	counting.wanted = false;
	counting.generation = rsv_policy_generation();
	counting.changed = resvrec_updated();
	counting.looked = now;
	counting.table = noderec_table();
	counting.nodes_up = noderec_up_sum();
}

ENGINE_LOCKED static void find_out(void)
{
	int64_t now;

	if (!counting.core)
		counting.core = maui_idle_new();
	now = read_clocks();
	note_state(now);
	counting.counted = counts();
	rsv_idle_lay_out(counting.core, counting.counted, now);
	counting.on = maui_idle_watches(counting.core);
	if (counting.on)
		jobrec_each(count_running, &now);
	rsv_idle_changed();
}

/* ---- when ---- */

/* Slurm's timestamp is in whole seconds: anything may still follow within the same second. */
ENGINE_LOCKED static bool is_other(void)
{
	if (!counts() && !counting.counted)
		return false;
	return counting.wanted || counts() != counting.counted ||
	       counting.generation != rsv_policy_generation() ||
	       counting.changed != resvrec_updated() || counting.changed >= counting.looked;
}

/* Look again if the nodes have changed. */
static void rsv_idle_collected(void)
{
	engine_assert_locked();
	if (counting.counted && !counting.wanted)
		counting.wanted =
			counting.table != noderec_table() || counting.nodes_up != noderec_up_sum();
}

static void rsv_idle_run(void)
{
	slurmctld_lock_t records_read = {.job = READ_LOCK, .node = READ_LOCK};
	bool wanted;

	engine_lock();
	wanted = is_other();
	engine_unlock();
	if (!wanted)
		return;
	lock_slurmctld(records_read);
	if (engine_is_primary() && jobrec_there()) {
		engine_lock();
		find_out();
		engine_unlock();
	}
	unlock_slurmctld(records_read);
}

/* ---- charging ---- */

struct charge {
	struct maui_fairshare *windows;
	int64_t interval;
};

static void idle_charge(const struct maui_idle_span *span, void *context)
{
	struct charge *to = context;
	uint32_t credential[MAUI_CREDENTIALS] = {0};

	engine_assert_locked();
	credential[span->payer.type] = span->payer.id;
	maui_fairshare_charge(to->windows, credential, span->rate, span->from, span->to);
	rsv_idle_charged(span, to->interval);
}

void rsv_idle_charge(struct maui_fairshare *windows, int64_t now)
{
	struct charge to = {windows, maui_fairshare_settings_of(windows)->interval};

	if (!counting.core)
		return;
	read_clocks();
	rsv_idle_pass_begins();
	maui_idle_take(counting.core, now, idle_charge, &to);
}

void rsv_idle_drop(void)
{
	counting.core = maui_idle_free(counting.core);
	counting.on = counting.counted = false;
	counting.wanted = true;
	counting.at.wall = 0;
	rsv_idle_forget();
}

const struct module rsv_idle_module = {
	.collected = rsv_idle_collected,
	.after = rsv_idle_run,
	.end = rsv_idle_drop,
};
