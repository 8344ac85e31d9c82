/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of active jobs and the usage that limits compare. Job starts and
 * ends update it, and each iteration corrects it from Slurm's records.
 */
#include "plugins/compat/base.h"

#include "common/util/grow.h"
#include "plugins/engine/limits/limits.h"

#include <math.h>
#include <stdlib.h>

#include "common/util/idmap.h"
#include "common/util/memory.h"
#include "plugins/engine/nodes/node_order.h"
#include "plugins/engine/nodes/node_state.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/gres_records.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/qos_records.h"
#include "plugins/engine/slurm/records.h"

/* Seconds until a job that would have got too much is retried, on whatever nodes are free then. */
#define GOT_LIFETIME 5
/*
 * The same for one over a soft limit, which goes behind all others then. Slurm has to try it once
 * more meanwhile: backfill, which alone starts heterogeneous jobs, does so every bf_interval at most,
 * and of several at their turn.
 */
#define GOT_LIFETIME_SOFT  300
#define GOT_LIFETIME_TURNS 10         /* of bf_interval */
#define GOT_IN_ANY_CASE    UINT64_MAX /* though jobs have ended since */

/* An active job. Must not move: the usage points to it. */
struct active {
	struct maui_limit_holding holding;
	uint32_t job_id;
	uint32_t pass; /* of the last recount that saw it */
};

struct limits {
	const struct maui_policy *policy;
	const struct maui_principals *principals;
	int64_t compiled; /* epoch seconds */
	struct maui_limits *table, *older;
	struct maui_limit_usage *usage;
	bool named;   /* the table's credentials are resolved */
	bool counted; /* all active jobs are included */
	bool missed;  /* one of them had no place in the usage in this recount */
	struct active **active;
	uint32_t count, room;
	struct maui_idmap by_job; /* job id -> place in active + 1 */
	uint64_t ends;            /* of active jobs, so far */
	uint32_t pass;
	unsigned int differences; /* found by the recount */
	bool recounting;
	bool seeing; /* iterations count active jobs */
	bool told_unwanted, told_missed, told_passing;
	/* When what refused jobs would have got expires, the first and the last; monotonic seconds,
	 * INFINITY: nothing does. */
	double first_expiry, last_expiry;
};

ENGINE_GUARDED static struct limits *limits_in_use;

static void active_allocate(void)
{
	engine_assert_locked();
	if (limits_in_use)
		return;
	limits_in_use = maui_calloc(1, sizeof(*limits_in_use));
	limits_in_use->first_expiry = INFINITY;
}

/* A job that has no place in the usage must not lift limits. */
static void active_miss(struct limits *limits)
{
	if (!limits->told_missed)
		error("maui: an active job cannot be counted: no job starts until limits can be "
		      "counted again");
	limits->told_missed = limits->missed = true;
	limits->counted = false;
}

static void all_counted(struct limits *limits)
{
	limits->counted = true;
	limits->told_missed = false;
}

/* ---- the table ---- */

ENGINE_LOCKED static struct maui_limits *compile(const struct limits *limits, int64_t now)
{
	struct maui_limit_names names = maui_names_configured(in_force.names);

	return maui_limits_compile(limits->policy->config, &names, now);
}

/* A running iteration may still use the old table: it is freed at the next change. */
static void replace_table(struct limits *limits, struct maui_limits *table)
{
	maui_limits_free(limits->older);
	limits->older = limits->table;
	limits->table = table;
	limits->named = limits->principals || !maui_limits_any(table, MAUI_LIMIT_ALL_MODES);
}

ENGINE_LOCKED static void put_in_force(struct limits *limits, const struct maui_policy *policy,
				       const struct maui_principals *principals)
{
	limits->told_passing = limits->told_passing && limits->policy == policy;
	limits->policy = policy;
	limits->principals = principals;
	limits->compiled = time(NULL);
	replace_table(limits, compile(limits, limits->compiled));
}

static void active_drop(struct limits *limits, uint32_t place)
{
	struct active *gone = limits->active[place], *last = limits->active[--limits->count];

	maui_idmap_remove(&limits->by_job, gone->job_id);
	if (last != gone) {
		limits->active[place] = last;
		maui_idmap_set(&limits->by_job, last->job_id, place + 1);
	}
	free(gone);
}

/* Recounts all active jobs into a new usage, under the limits now in force. */
static void count_again(struct limits *limits)
{
	int64_t now = time(NULL);

	maui_limit_usage_free(limits->usage);
	limits->usage = maui_limit_usage_new(limits->table, now);
	for (uint32_t i = limits->count; i-- > 0;) {
		struct maui_limit_holding *holding = &limits->active[i]->holding;
		struct maui_limit_job job = holding->job;
		int64_t ends = holding->ends;

		*holding = (struct maui_limit_holding){.job = job, .ends = ends};
		if (maui_limit_usage_add(limits->usage, holding, &job, ends)) {
			active_drop(limits, i); /* the usage has no place for it */
			active_miss(limits);
		}
	}
}

void limits_forget(void)
{
	struct limits *limits = limits_in_use;

	while (limits->count)
		active_drop(limits, limits->count - 1);
	limits->counted = false;
	maui_limit_usage_free(limits->usage);
	limits->usage = NULL;
}

/* Whether a period of maui.cfg has begun or ended, or the clock was set back. */
static bool is_outdated(const struct limits *limits, int64_t now)
{
	int64_t until = maui_limits_until(limits->table);

	return until != MAUI_LIMITS_ALWAYS && (now >= until || now < limits->compiled);
}

/*
 * Puts the values of other periods in force: only in the engine's thread, while no iteration uses
 * the table before the last. Active jobs stay counted.
 */
ENGINE_LOCKED static void renew(struct limits *limits)
{
	int64_t now = time(NULL);

	if (!is_outdated(limits, now))
		return;
	limits->compiled = now;
	replace_table(limits, compile(limits, now));
	count_again(limits);
	info("maui: limits: a period has begun or ended, other values are in force");
}

/* What jobs have of GRES is read again from Slurm's records, D-GRES-2. */
static void forget_gres(struct limits *limits)
{
	limits->counted = false;
	limits->ends++; /* what jobs would have got is no longer known, either */
	for (uint32_t i = 0; i < limits->count; i++)
		limits->active[i]->holding.job.gres = NULL;
}

/* In another maui.cfg they may have other numbers. */
ENGINE_LOCKED static void bind_gres(struct limits *limits, const struct maui_config *config)
{
	const char *const *names;
	size_t count = maui_config_gres(config, &names);

	if (gres_records_bind(names, count))
		forget_gres(limits);
}

void limits_bind(const struct maui_policy *policy, const struct maui_principals *principals)
{
	put_in_force(limits_in_use, policy, principals);
	bind_gres(limits_in_use, policy->config);
	if (!maui_limits_any(limits_in_use->table, MAUI_LIMIT_ALL_MODES))
		limits_forget(); /* without limits there is nothing to count */
	else
		count_again(limits_in_use);
}

/* Without bf_min_prio_reserve the main scheduler closes a partition behind the job. Logged once per
 * policy. */
ENGINE_LOCKED static void tell_passing(struct limits *limits)
{
	if (limits->told_passing || engine_is_shadow())
		return;
	limits->told_passing = true;
	if (!engine.site.prio_reserve)
		error("maui: SchedulerParameters lacks bf_min_prio_reserve=2: a job that is found "
		      "to be over a limit holds up its partition for a pass");
}

bool limits_act(void)
{
	struct limits *limits = limits_in_use;

	if (engine.disabled)
		return false;
	if (!maui_limits_any(limits->table, MAUI_LIMIT_ALL_MODES))
		return false;
	if (select_is_loaded()) {
		tell_passing(limits);
		return true;
	}
	if (!limits->told_unwanted)
		error("maui: limits of maui.cfg have no effect: slurmctld has not loaded the "
		      "select plugin of Slurm-Maui (PluginDir, maui-slurm(8))");
	limits->told_unwanted = true;
	return false;
}

const struct maui_limits *limits_table(void)
{
	return limits_in_use->named ? limits_in_use->table : NULL;
}

struct maui_limit_usage *limits_usage(int64_t now)
{
	struct limits *limits = limits_in_use;

	if (!limits->named || !limits->counted || !limits->usage)
		return NULL;
	if (is_outdated(limits, now)) {
		pthread_cond_signal(&engine.wake); /* active_due() renews it */
		return NULL;
	}
	maui_limit_usage_advance(limits->usage, now);
	return limits->usage;
}

static int64_t active_larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* ---- what a job would have got ---- */

ENGINE_LOCKED static void keep_got_soft(struct maui_tracked_job *tracked,
					const struct maui_limit_job *got)
{
	int64_t lifetime = active_larger(GOT_LIFETIME_SOFT,
					 GOT_LIFETIME_TURNS * engine.site.backfill_interval);

	maui_tracked_job_got(tracked, &(struct maui_tracked_got){
					      .job = *got,
					      .ends = GOT_IN_ANY_CASE,
					      .until = time(NULL) + lifetime,
				      });
}

void limits_keep_got(struct maui_tracked_job *tracked, const struct maui_limit_job *got,
		     enum maui_limit_level level)
{
	if (level == MAUI_LIMIT_SOFT) {
		keep_got_soft(tracked, got);
		return;
	}
	maui_tracked_job_got(tracked, &(struct maui_tracked_got){
					      .job = *got,
					      .ends = limits_in_use->ends,
					      .until = time(NULL) + GOT_LIFETIME,
				      });
	limits_in_use->last_expiry = monotonic_seconds() + GOT_LIFETIME + 1;
	limits_in_use->first_expiry = fmin(limits_in_use->first_expiry, limits_in_use->last_expiry);
	pthread_cond_signal(&engine.wake);
}

/* Seconds, so that a clock that is set is noticed, too. */
#define LOOK_AT_CLOCK 1

/* Jobs that would have got too much are tried once more. When a period begins
 * or ends, an iteration judges by the new values. */
static double active_due(double now)
{
	struct limits *limits;

	engine_assert_locked();
	limits = limits_in_use;
	if (now >= limits->first_expiry) {
		limits->first_expiry = now < limits->last_expiry ? limits->last_expiry : INFINITY;
		engine_want_refresh();
	}
	if (maui_limits_until(limits->table) == MAUI_LIMITS_ALWAYS)
		return limits->first_expiry;
	if (is_outdated(limits, time(NULL))) {
		renew(limits);
		engine_want_refresh();
	}
	return fmin(limits->first_expiry, now + LOOK_AT_CLOCK);
}

const struct maui_limit_job *limits_got(const struct maui_tracked_job *tracked, uint32_t class)
{
	const struct maui_tracked_got *got =
		tracked && tracked->got ? maui_tracked_job_got_in(tracked, class) : NULL;

	if (!got || time(NULL) > got->until ||
	    (got->ends != GOT_IN_ANY_CASE && got->ends != limits_in_use->ends))
		return NULL;
	return &got->job;
}

/* ---- active jobs ---- */

static struct active *active_find(const struct limits *limits, uint32_t job_id)
{
	uint32_t place = maui_idmap_find(&limits->by_job, job_id);

	return place ? limits->active[place - 1] : NULL;
}

static struct active *active_add(struct limits *limits, uint32_t job_id)
{
	struct active *active;

	if (limits->count == limits->room) {
		limits->room = limits->room ? limits->room * 2 : 256;
		limits->active =
			maui_realloc(limits->active, limits->room, sizeof(*limits->active));
	}
	active = maui_calloc(1, sizeof(*active));
	maui_idmap_set(&limits->by_job, job_id, limits->count + 1);
	active->job_id = job_id;
	limits->active[limits->count++] = active;
	return active;
}

static int64_t end_of(const job_record_t *job)
{
	return jobrec_is_suspended(job) ? MAUI_LIMIT_SUSPENDED : (int64_t)jobrec_end(job);
}

static void active_hold(struct limits *limits, const job_record_t *job,
			const struct maui_limit_job *held, int64_t ends)
{
	uint32_t job_id = jobrec_id(job);
	struct active *active = active_find(limits, job_id);
	bool known = active;

	if (known && maui_limit_job_same(&active->holding.job, held) &&
	    active->holding.ends == ends) {
		active->pass = limits->pass;
		return;
	}
	if (limits->recounting && !known) {
		limits->differences++;
		debug("maui: limits: %pJ is active, but not counted", job);
	}
	if (known)
		maui_limit_usage_take(limits->usage, &active->holding);
	else
		active = active_add(limits, job_id);
	if (maui_limit_usage_add(limits->usage, &active->holding, held, ends)) {
		active_drop(limits, maui_idmap_find(&limits->by_job, job_id) - 1);
		active_miss(limits);
		return;
	}
	active->pass = limits->pass;
}

static bool is_active(const job_record_t *job)
{
	return jobrec_is_active(job) && jobrec_has_got(job);
}

/* What the job holds now, according to its record. */
ENGINE_LOCKED static void held_now(const job_record_t *job, uint32_t qos, uint32_t class,
				   struct maui_limit_job *ret_held)
{
	struct maui_priority_job row;
	struct jobrec_facts facts;

	jobrec_facts_read(job, &facts);
	records_job(&facts, facts.partition, in_force.names, qos, class, &node_state.machine, &row);
	limits_held(job, &row, ret_held);
}

void limits_begin(const job_record_t *job, uint32_t qos, uint32_t class, int64_t walltime)
{
	struct maui_limit_job held;
	int64_t ends;

	if (!limits_in_use->usage)
		return;
	if (!is_active(job)) {
		limits_end(jobrec_id(job));
		return;
	}
	held_now(job, qos, class, &held);
	ends = end_of(job);
	if (walltime > held.walltime && ends != MAUI_LIMIT_SUSPENDED) {
		held.walltime = walltime;
		ends = active_larger(ends, (int64_t)jobrec_start(job) + walltime);
	}
	active_hold(limits_in_use, job, &held, ends);
}

void limits_see(const job_record_t *job, uint32_t qos, uint32_t class)
{
	limits_begin(job, qos, class, 0);
}

void limits_end(uint32_t job_id)
{
	struct limits *limits = limits_in_use;
	struct active *active = active_find(limits, job_id);

	if (!active)
		return;
	limits->ends++;
	if (limits->usage)
		maui_limit_usage_take(limits->usage, &active->holding);
	active_drop(limits, maui_idmap_find(&limits->by_job, job_id) - 1);
}

/* ---- a copy ---- */

ENGINE_LOCKED static uint32_t class_of(const job_record_t *job)
{
	return records_class(jobrec_partition(job), in_force.names);
}

struct active_copy {
	struct maui_limit_active *active;
	size_t count, room;
};

static int copy_active(job_record_t *job, void *context)
{
	struct active_copy *copy = context;
	struct maui_limit_active *active;
	uint32_t qos;

	engine_assert_locked();
	if (!is_active(job))
		return 0;
	copy->active = maui_grow(copy->active, copy->count + 1, &copy->room, sizeof(*copy->active));
	active = &copy->active[copy->count++];
	qos = qos_records_of_job(job, in_force.names);
	held_now(job, qos, class_of(job), &active->job);
	active->ends = end_of(job);
	active->qos_missing = !qos;
	return 0;
}

void limits_copy_active(struct maui_limit_active **ret_active, size_t *ret_count)
{
	struct active_copy copy = {0};

	jobrec_each(copy_active, &copy);
	*ret_active = copy.active;
	*ret_count = copy.count;
}

/* ---- counting all ---- */

static int see_active(job_record_t *job, void *context)
{
	engine_assert_locked();
	(void)context;
	if (is_active(job))
		limits_see(job, qos_records_of_job(job, in_force.names), class_of(job));
	return 0;
}

void limits_count(void)
{
	struct limits *limits = limits_in_use;

	if (limits->counted || !jobrec_there())
		return;
	count_again(limits);
	limits->missed = false;
	jobrec_each(see_active, NULL);
	if (!limits->missed)
		all_counted(limits);
}

/*
 * The recount of an iteration: every active job is seen between active_collect() and active_collected(). Jobs
 * that were counted but are not active, or are active but were not counted, are logged and
 * corrected. Changed amounts are no error: an administrator may change a running job. With
 * DebugFlags=Priority the sums are compared, too.
 */
static void active_collect(void)
{
	engine_assert_locked();
	if (gres_records_renew()) {
		forget_gres(limits_in_use);
		if (limits_in_use->usage)
			count_again(limits_in_use);
	}
	renew(limits_in_use);
	limits_in_use->pass++;
	limits_in_use->missed = false;
	limits_in_use->differences = 0;
	/* A shadow is not told of starts and ends: it counts only in iterations. */
	limits_in_use->recounting = limits_in_use->counted && !engine_is_shadow();
	limits_in_use->seeing = limits_act();
}

/* With DebugFlags=Priority: checks the sums against the active jobs, added up one by one. */
static void compare_sums(const struct limits *limits)
{
	const struct maui_limit_holding **holdings;
	struct maui_error why = {""};

	if (!(slurm_conf.debug_flags & DEBUG_FLAG_PRIO) || !limits->usage)
		return;
	holdings = maui_calloc(limits->count + 1, sizeof(*holdings));
	for (uint32_t i = 0; i < limits->count; i++)
		holdings[i] = &limits->active[i]->holding;
	if (maui_limit_usage_recount(limits->usage, holdings, limits->count, &why))
		error("maui: limits: %s", why.text);
	free(holdings);
}

static void active_collected(void)
{
	struct limits *limits;

	engine_assert_locked();
	limits = limits_in_use;
	if (!limits->seeing)
		return;
	for (uint32_t i = limits->count; i-- > 0;) {
		uint32_t job_id = limits->active[i]->job_id;

		if (limits->active[i]->pass == limits->pass)
			continue;
		limits->differences += limits->recounting;
		debug("maui: limits: JobId=%u is counted, but not active", job_id);
		limits_end(job_id);
	}
	if (limits->usage && !limits->missed)
		all_counted(limits);
	limits->recounting = false;
	if (limits->differences)
		error("maui: limits: %u jobs had been counted wrongly, and are corrected",
		      limits->differences);
	compare_sums(limits);
}

static void bind_policy(struct maui_policy *policy, const struct maui_principals *principals)
{
	engine_assert_locked();
	limits_bind(policy, principals);
}

const struct module limits_module = {
	.allocate = active_allocate,
	.adopt = limits_forget, /* count anew */
	.bind = bind_policy,
	.due = active_due,
	.collect = active_collect,
	.collected = active_collected,
};
