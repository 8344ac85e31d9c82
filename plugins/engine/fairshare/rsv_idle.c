/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/base.h"

#include "plugins/engine/fairshare/rsv_idle.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/util/grow.h"
#include "plugins/engine/fairshare/fairshare.h"
#include "plugins/engine/fairshare/rsv_idle_private.h"
#include "plugins/engine/nodes/node_order.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/reservation/rsv_policy.h"
#include "plugins/engine/reservation/rsv_view.h"
#include "plugins/engine/reservation/rsv_world.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/noderec.h"
#include "plugins/engine/slurm/resvrec.h"

#define UNWATCHED UINT32_MAX
/* The wall clock and the other one are read at different moments: less than this is no step of the
 * wall clock, seconds. */
#define SMALLEST_STEP 2

struct ranges {
	struct maui_idle_range *list;
	size_t count, room;
	bool memory_short;
};

static struct {
	struct maui_idle *core;
	bool on;      /* somebody answers for a reservation that there is */
	bool wanted;  /* it is to be found out anew */
	bool counted; /* whether counts() said so then */
	/* What was found out last belongs to these: */
	uint64_t generation;
	time_t changed; /* resvrec_updated() */
	time_t looked;
	unsigned int table;
	uint64_t nodes_up;
	/* Whether the settings name anybody who answers. */
	uint64_t named_generation;
	bool named;
	uint32_t *base; /* by node: the slot of its first core; UNWATCHED */
	uint32_t nodes; /* how many that are */
	struct ranges job;
	int64_t wall; /* as both clocks were read last; 0: not yet */
	double clock;
} counting = {.wanted = true};

/* ---- who answers; the mutex is held ---- */

ENGINE_LOCKED static struct maui_idle_payer payer_of(const struct maui_sr *sr)
{
	if (sr->charge_account)
		return (struct maui_idle_payer){
			MAUI_ACCOUNT,
			maui_names_of_configured(in_force.names, MAUI_ACCOUNT, sr->charge_account)};
	if (sr->owner_type < MAUI_CREDENTIALS)
		return (struct maui_idle_payer){sr->owner_type, sr->owner};
	return (struct maui_idle_payer){MAUI_USER, MAUI_NO_CREDENTIAL};
}

/* Most sites have no owners: that is found out once per maui.cfg. */
ENGINE_LOCKED static bool is_anybody_named(void)
{
	const struct maui_sr *list;
	size_t count = rsv_policy_list(&list);

	if (counting.named_generation == rsv_policy_generation())
		return counting.named;
	counting.named = false;
	for (size_t i = 0; i < count && !counting.named; i++)
		counting.named = payer_of(&list[i]).id;
	counting.named_generation = rsv_policy_generation();
	return counting.named;
}

/* Without our select plugin nobody says when jobs begin and end. */
ENGINE_LOCKED static bool counts(void)
{
	enum maui_fs_metric metric = fairshare_metric();

	return (metric == MAUI_FS_DEDICATEDPS || metric == MAUI_FS_DEDICATEDPES) &&
	       rsv_policy_known() && is_anybody_named() && select_is_loaded();
}

const struct maui_idle *rsv_idle_now(void)
{
	return counting.on ? counting.core : NULL;
}

/* ---- time ---- */

/* Seconds that the wall clock was set by were not idle. */
static int64_t read_clocks(void)
{
	int64_t now = time(NULL);
	double clock = monotonic();
	int64_t step = now - counting.wall - llround(clock - counting.clock);

	if (counting.wall && (step >= SMALLEST_STEP || step <= -SMALLEST_STEP))
		maui_idle_step(counting.core, step);
	counting.wall = now;
	counting.clock = clock;
	return now;
}

/* Slurm's time of an event, which is not ahead of us. */
static int64_t time_of(time_t event)
{
	int64_t now = read_clocks();

	return event > 0 && event < now ? event : now;
}

/* ---- cores ---- */

static void add_range(struct ranges *ranges, uint32_t first, uint32_t count)
{
	struct maui_idle_range *last = ranges->count ? &ranges->list[ranges->count - 1] : NULL;
	struct maui_idle_range *grown;

	if (last && last->first + last->count == first) {
		last->count += count;
		return;
	}
	grown = maui_grow(ranges->list, ranges->count + 1, &ranges->room, sizeof(*grown));
	if (!grown) {
		ranges->memory_short = true;
		return;
	}
	ranges->list = grown;
	ranges->list[ranges->count++] = (struct maui_idle_range){first, count};
}

static uint32_t core_count(uint32_t node)
{
	return noderec_first_core(node + 1) - noderec_first_core(node);
}

static void add_held(uint32_t node, const bitstr_t *cores, uint32_t first, void *context)
{
	uint32_t base = counting.base[node], count = core_count(node);
	struct ranges *ranges = context;

	if (base == UNWATCHED)
		return;
	for (uint32_t core = 0; core < count; core++)
		if (bit_test((bitstr_t *)cores, first + core))
			add_range(ranges, base + core, 1);
}

/* The cores that a job has on watched nodes. Job and node read lock. */
static void cores_of(const job_record_t *job, struct ranges *ranges)
{
	ranges->count = 0;
	jobrec_each_node_cores(job, add_held, ranges);
}

/* ---- what happens to jobs ---- */

static bool is_watched(void)
{
	return counting.on && counting.nodes == noderec_count();
}

/* The mutex is held. */
static void begin(const job_record_t *job, int64_t when)
{
	cores_of(job, &counting.job);
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

static void end(const job_record_t *job, int64_t when)
{
	maui_idle_end(counting.core, jobrec_id(job), when);
	rsv_idle_changed();
}

void rsv_idle_ended(const job_record_t *job)
{
	engine_lock();
	if (is_watched()) {
		end(job, time_of(jobrec_end(job)));
		if (jobrec_lost_a_node(job)) /* what its nodes have left may not be idle, then */
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

/* ---- the layout; job and node read locks, and the mutex ---- */

/* An instance that somebody answers for. */
struct held {
	const struct rsv_seen *seen;
	struct maui_idle_payer payer;
	struct ranges ranges;
};

struct layout {
	struct held *held; /* by name */
	size_t held_count;
	double *weight; /* by slot */
	uint32_t slots;
	struct maui_idle_hold *holds;
};

static int compare_held(const void *left, const void *right)
{
	return strcmp(((const struct held *)left)->seen->name,
		      ((const struct held *)right)->seen->name);
}

static bool is_of_this_table(const struct rsv_seen *seen)
{
	return seen->nodes && (uint32_t)bit_size(seen->nodes) == noderec_count() &&
	       (!seen->cores ||
		(uint32_t)bit_size(seen->cores) == noderec_first_core(noderec_count()));
}

ENGINE_LOCKED static bool find_held(struct layout *layout, int64_t now)
{
	const struct rsv_seen *list;
	const struct maui_sr *standing;
	size_t count = rsv_view(&list, now), standing_count = rsv_policy_list(&standing);

	layout->held = calloc(count + 1, sizeof(*layout->held));
	if (!layout->held)
		return false;
	for (size_t i = 0; i < count; i++) {
		struct held *one = &layout->held[layout->held_count];

		if (!list[i].ours || list[i].gap || list[i].sr >= standing_count ||
		    !is_of_this_table(&list[i]) || list[i].instance.end <= now)
			continue;
		*one = (struct held){.seen = &list[i], .payer = payer_of(&standing[list[i].sr])};
		layout->held_count += one->payer.id != MAUI_NO_CREDENTIAL;
	}
	if (layout->held_count)
		qsort(layout->held, layout->held_count, sizeof(*layout->held), compare_held);
	return rsv_view_complete();
}

/* How many processors each of its cores counts as. */
ENGINE_LOCKED static void weigh(struct layout *layout, uint32_t node)
{
	const node_record_t *record = noderec_at(node);
	uint32_t cores = core_count(node);
	double each = 0;

	if (record && noderec_is_usable(record) && cores)
		each = (double)noderec_cpus(record) / cores;
	if (each > 0)
		each *= fairshare_node_speed(noderec_name(record));
	for (uint32_t core = 0; core < cores; core++)
		layout->weight[layout->slots++] =
			record && noderec_core_is_special(record, core) ? 0 : each;
}

/* Slots for the cores of every node that one of them has. */
ENGINE_LOCKED static bool watch_nodes(struct layout *layout)
{
	uint32_t count = noderec_count();
	uint32_t *base = calloc((size_t)count + 1, sizeof(*base));

	layout->weight = calloc((size_t)noderec_first_core(count) + 1, sizeof(*layout->weight));
	if (!base || !layout->weight) {
		free(base);
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		bool held = false;

		for (size_t k = 0; k < layout->held_count && !held; k++)
			held = bit_test(layout->held[k].seen->nodes, i);
		base[i] = held ? layout->slots : UNWATCHED;
		if (held)
			weigh(layout, i);
	}
	free(counting.base);
	counting.base = base;
	counting.nodes = count;
	return true;
}

static void add_cores(struct held *held, uint32_t node)
{
	const struct rsv_seen *seen = held->seen;
	uint32_t from = noderec_first_core(node), cores = core_count(node);

	if (!seen->cores)
		add_range(&held->ranges, counting.base[node], cores);
	for (uint32_t core = 0; seen->cores && core < cores; core++)
		if (bit_test(seen->cores, from + core))
			add_range(&held->ranges, counting.base[node] + core, 1);
}

static bool make_holds(struct layout *layout)
{
	layout->holds = calloc(layout->held_count + 1, sizeof(*layout->holds));
	for (size_t i = 0; layout->holds && i < layout->held_count; i++) {
		struct held *held = &layout->held[i];
		int last = bit_fls(held->seen->nodes);

		for (int node = bit_ffs(held->seen->nodes); node >= 0 && node <= last; node++)
			if (bit_test(held->seen->nodes, node))
				add_cores(held, (uint32_t)node);
		if (held->ranges.memory_short)
			return false;
		layout->holds[i] = (struct maui_idle_hold){
			.payer = held->payer,
			.start = held->seen->instance.start,
			.end = held->seen->instance.end,
			.ranges = held->ranges.list,
			.range_count = held->ranges.count,
		};
	}
	return layout->holds;
}

static int count_running(job_record_t *job, void *context)
{
	const int64_t *now = context;

	if (jobrec_is_running(job))
		begin(job, *now);
	return 0;
}

static void clear_layout(struct layout *layout)
{
	for (size_t i = 0; i < layout->held_count; i++)
		free(layout->held[i].ranges.list);
	free(layout->held);
	free(layout->weight);
	free(layout->holds);
}

ENGINE_LOCKED static int lay_out(struct layout *layout, int64_t now)
{
	counting.counted = counts();
	if (counting.counted &&
	    (!find_held(layout, now) || !watch_nodes(layout) || !make_holds(layout)))
		return -ENOMEM;
	return maui_idle_layout(counting.core, now, layout->weight, layout->slots, layout->holds,
				layout->held_count);
}

static void note_state(int64_t now)
{
	counting.wanted = false;
	counting.generation = rsv_policy_generation();
	counting.changed = resvrec_updated();
	counting.looked = now;
	counting.table = noderec_table();
	counting.nodes_up = rsv_world_nodes_up();
}

ENGINE_LOCKED static void find_out(void)
{
	struct layout layout = {0};
	int64_t now;

	if (!counting.core)
		counting.core = maui_idle_new();
	if (!counting.core)
		return;
	now = read_clocks();
	note_state(now);
	if (lay_out(&layout, now)) {
		error("maui: out of memory: idle cycles of reservations are not counted");
		maui_idle_layout(counting.core, now, NULL, 0, NULL, 0);
	}
	counting.on = maui_idle_watches(counting.core);
	if (counting.on)
		jobrec_each(count_running, &now);
	rsv_idle_changed();
	clear_layout(&layout);
}

/* ---- when ---- */

/* Slurm's time stamp has whole seconds: within its own second anything may follow. */
ENGINE_LOCKED static bool is_other(void)
{
	if (!counts() && !counting.counted)
		return false;
	return counting.wanted || counts() != counting.counted ||
	       counting.generation != rsv_policy_generation() ||
	       counting.changed != resvrec_updated() || counting.changed >= counting.looked;
}

/* Whether nodes or reservations are others. */
static void collected(void)
{
	if (counting.counted && !counting.wanted)
		counting.wanted = counting.table != noderec_table() ||
				  counting.nodes_up != rsv_world_nodes_up();
}

static void run(void)
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

static void charge(const struct maui_idle_span *span, void *context)
{
	struct charge *to = context;
	uint32_t credential[MAUI_CREDENTIALS] = {0};

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
	maui_idle_take(counting.core, now, charge, &to);
}

void rsv_idle_drop(void)
{
	counting.core = maui_idle_free(counting.core);
	counting.on = counting.counted = false;
	counting.wanted = true;
	counting.wall = 0;
	rsv_idle_forget();
}

static double due(double now)
{
	(void)now;
	return rsv_idle_file_due();
}

const struct module rsv_idle_module = {
	.due = due,
	.chore = rsv_idle_save,
	.saves = true,
	.collected = collected,
	.after = run,
	.end = rsv_idle_drop,
};
