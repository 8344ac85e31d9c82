/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pass decays all usage, adds what running jobs have used since the last one
 * and ranks associations, in slurmctld's order: S-PRI-12.
 */
#include "common/replay/stock/stock_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/fairshare/share_tree.h"
#include "common/policy/fairshare/usage_decay.h"
#include "common/replay/stock/stock_limits.h"
#include "common/util/grow.h"
#include "common/util/memory.h"

#define DAY         (INT64_C(24) * 3600)
#define HALF_LIVES  16 /* after which usage is as good as gone */
#define LONGEST_TIE (366 * DAY)
#define NO_PLACE    UINT32_MAX

struct stock_running {
	uint32_t job;
	int64_t began;
	int64_t reserved; /* seconds that it may still run, as of the last pass */
};

struct maui_stock_run {
	const struct maui_stock *stock;
	const struct maui_replay_trace *trace;
	struct stock_origins origins;
	struct stock_limits limits;
	struct maui_share_tree *tree; /* NULL: there are no associations */
	uint32_t *parent;             /* by association; of the root 0 */
	long double *usage;           /* by association: of it and all below */
	bool unranked;                /* the tree waits for its pass */
	int64_t passed, reset;
	struct stock_running *running;
	uint32_t *place; /* by job: of ->running; NO_PLACE: it waits */
	size_t count, room;
	/* Those that wait or run, in the order of submission; 0 ends it, a job is its number + 1. */
	uint32_t *after, *before;
	uint32_t oldest, youngest;
};

static const struct stock_origin *run_origin(const struct maui_stock_run *run, uint32_t job)
{
	return &run->origins.list[run->origins.of[job]];
}

/* ---- the tree ---- */

/* The root is the first association: sacctmgr writes the cluster before all accounts. */
static void run_open_tree(struct maui_stock_run *run)
{
	const struct maui_import_priority *priority = &run->stock->priority;
	size_t count = priority->assoc_count;
	struct maui_share *shares;

	if (!count)
		return;
	shares = maui_calloc(count, sizeof(*shares));
	run->parent = maui_calloc(count, sizeof(*run->parent));
	run->usage = maui_calloc(count, sizeof(*run->usage));
	for (size_t i = 0; i < count; i++) {
		size_t parent = maui_stock_parent(run->stock, i);

		run->parent[i] = parent == MAUI_IMPORT_NONE ? 0 : (uint32_t)parent;
		shares[i] = (struct maui_share){run->parent[i], priority->assocs[i].shares,
						priority->assocs[i].user != NULL};
	}
	run->tree = maui_share_tree_new(shares, (uint32_t)count, priority->classic,
					priority->dampening);
	free(shares);
}

/* Fair Tree's pass is put off until somebody needs it: nobody waits most of the time. */
static void run_rank(struct maui_stock_run *run)
{
	if (run->tree && run->unranked)
		maui_share_tree_pass(run->tree, run->usage);
	run->unranked = false;
}

/* ---- usage ---- */

static double run_decay(const struct maui_stock_run *run, int64_t seconds)
{
	return maui_usage_decay_stock((int64_t)run->stock->priority.half_life, seconds);
}

/* As slurmctld does, usage fades as if all of it were from the beginning of the period. */
static void run_charge(struct maui_stock_run *run, struct stock_running *running, int64_t now,
		       int64_t reserved)
{
	const struct stock_origin *origin = run_origin(run, running->job);
	int64_t from = running->began > run->passed ? running->began : run->passed;
	struct stock_asked place;
	struct maui_import_request request = maui_stock_request(run->trace, running->job, &place);
	double factor = origin->usage_factor, seconds = (double)(now - from);
	double faded = seconds * run_decay(run, now - from);
	double billed = faded * maui_stock_billed(run->stock, origin, &request) * factor;

	maui_stock_limits_run(&run->limits, run->origins.of[running->job], &request, faded * factor,
			      seconds * factor, (double)(reserved - running->reserved) * factor);
	running->reserved = reserved;
	for (size_t at = origin->assoc; at != MAUI_IMPORT_NONE;
	     at = at ? run->parent[at] : MAUI_IMPORT_NONE)
		run->usage[at] += billed;
}

static void run_charge_until(struct maui_stock_run *run, struct stock_running *running, int64_t now)
{
	int64_t ends = running->began + run->trace->jobs[running->job].estimate;

	run_charge(run, running, now, ends > now ? ends - now : 0);
}

static void run_charge_all(struct maui_stock_run *run, int64_t now)
{
	for (size_t i = 0; i < run->count; i++)
		run_charge_until(run, &run->running[i], now);
}

/*
 * Without Fair Tree slurmctld looks at each job but once: it charges those that run, and computes
 * the priorities of those that wait from what has been charged so far.
 */
static void run_charge_and_look(struct maui_stock_run *run, int64_t now)
{
	for (uint32_t at = run->oldest; at; at = run->after[at]) {
		if (run->place[at - 1] == NO_PLACE)
			maui_stock_run_fairshare(run, at - 1);
		else
			run_charge_until(run, &run->running[run->place[at - 1]], now);
	}
}

static void run_scale(struct maui_stock_run *run, double left)
{
	if (left == 1)
		return;
	for (size_t i = 0; run->tree && i < run->stock->priority.assoc_count; i++)
		run->usage[i] *= left;
	maui_stock_limits_decay(&run->limits, left);
}

static void run_reset(struct maui_stock_run *run, int64_t now)
{
	if (now < run->reset)
		return;
	run_scale(run, 0);
	run->reset = maui_usage_next_reset(run->stock->priority.reset, run->reset);
}

/* ---- passes ---- */

int64_t maui_stock_run_due(const struct maui_stock_run *run)
{
	return run->passed + (int64_t)run->stock->priority.calc_period;
}

void maui_stock_run_pass(struct maui_stock_run *run)
{
	int64_t now = maui_stock_run_due(run);
	bool classic = run->stock->priority.classic;

	run_reset(run, now);
	run->unranked = true;
	if (classic)
		run_rank(run);
	run_scale(run, run_decay(run, now - run->passed));
	if (classic)
		run_charge_and_look(run, now);
	else
		run_charge_all(run, now);
	run->passed = now;
	run->unranked = !classic;
}

/* ---- jobs ---- */

void maui_stock_run_submit(struct maui_stock_run *run, uint32_t job)
{
	run->before[job + 1] = run->youngest;
	*(run->youngest ? &run->after[run->youngest] : &run->oldest) = job + 1;
	run->youngest = job + 1;
}

static void run_forget(struct maui_stock_run *run, uint32_t job)
{
	uint32_t before = run->before[job + 1], after = run->after[job + 1];

	*(before ? &run->after[before] : &run->oldest) = after;
	*(after ? &run->before[after] : &run->youngest) = before;
}

void maui_stock_run_begin(struct maui_stock_run *run, uint32_t job, int64_t now)
{
	const struct stock_origin *origin = run_origin(run, job);
	int64_t estimate = run->trace->jobs[job].estimate;
	struct stock_asked place;
	struct maui_import_request request = maui_stock_request(run->trace, job, &place);

	run->running = maui_grow(run->running, run->count + 1, &run->room, sizeof(*run->running));
	run->place[job] = (uint32_t)run->count;
	run->running[run->count++] = (struct stock_running){job, now, estimate};
	maui_stock_limits_hold(&run->limits, run->origins.of[job], &request, 1);
	maui_stock_limits_run(&run->limits, run->origins.of[job], &request, 0, 0,
			      (double)estimate * origin->usage_factor);
}

/* Without limits slurmctld does not count what a job has used since the last pass. */
void maui_stock_run_end(struct maui_stock_run *run, uint32_t job, int64_t now)
{
	uint32_t place = run->place[job];
	struct stock_asked asked;
	struct maui_import_request request = maui_stock_request(run->trace, job, &asked);

	run_rank(run);
	if (run->stock->limits)
		run_charge(run, &run->running[place], now, 0);
	maui_stock_limits_hold(&run->limits, run->origins.of[job], &request, -1);
	run->running[place] = run->running[--run->count];
	run->place[run->running[place].job] = place;
	run_forget(run, job);
}

double maui_stock_run_fairshare(struct maui_stock_run *run, uint32_t job)
{
	const struct stock_origin *origin = run_origin(run, job);

	if (origin->assoc == MAUI_IMPORT_NONE)
		return 0;
	run_rank(run);
	return maui_share_tree_factor(run->tree, run->usage, (uint32_t)origin->assoc);
}

uint32_t maui_stock_run_priority(struct maui_stock_run *run, uint32_t job, int64_t now)
{
	const struct stock_origin *origin = run_origin(run, job);
	const struct maui_stock *stock = run->stock;
	struct stock_asked place;
	struct maui_import_request request = maui_stock_request(run->trace, job, &place);

	request.waited = now - run->trace->jobs[job].submitted;
	if (stock->priority.weight[MAUI_IMPORT_FAIRSHARE])
		request.fairshare = maui_stock_run_fairshare(run, job);
	request.partition = origin->partition;
	request.qos = origin->qos;
	request.assoc = origin->assoc;
	return maui_import_points(&stock->priority, &stock->greatest, &request);
}

/* ---- limits ---- */

bool maui_stock_run_refuses(const struct maui_stock_run *run, uint32_t job,
			    struct maui_stock_refusal *ret_refusal)
{
	uint32_t origin = run->origins.of[job];
	const struct stock_ref *ref;
	struct stock_asked place;
	struct maui_import_request request;

	if (run->limits.first[origin] == run->limits.first[origin + 1])
		return false;
	request = maui_stock_request(run->trace, job, &place);
	ref = maui_stock_limits_check(&run->limits, origin, &request,
				      run->origins.list[origin].usage_factor);
	if (!ref)
		return false;
	*ret_refusal = (struct maui_stock_refusal){ref->limit, ref->whom};
	return true;
}

static void run_name_second(const struct maui_stock_run *run, const struct stock_limit *limit,
			    uint32_t whom, struct maui_replay_hold *hold)
{
	const struct maui_import_assoc *assocs = run->stock->priority.assocs;
	const char *name = NULL;

	if (limit->rule->each == STOCK_EACH_USER) {
		hold->second_type = maui_credential_name(MAUI_USER);
		name = maui_intern_name(run->trace->names[MAUI_USER], whom);
	} else if (limit->rule->each == STOCK_EACH_ACCOUNT) {
		hold->second_type = maui_credential_name(MAUI_ACCOUNT);
		name = assocs[whom].account;
	} else if (limit->rule->each == STOCK_EACH_ASSOC && !limit->from->of.user) {
		hold->second_type = maui_credential_name(MAUI_USER);
		name = assocs[whom].user;
	} else if (limit->from->of.user) {
		hold->second_type = maui_credential_name(MAUI_ACCOUNT);
		name = limit->from->of.name;
	}
	if (hold->second_type)
		snprintf(hold->second, sizeof(hold->second), "%s", name ? name : "-");
}

void maui_stock_run_name(const struct maui_stock_run *run, const struct maui_stock_refusal *refusal,
			 struct maui_replay_hold *hold)
{
	const struct stock_limit *limit = &run->limits.list[refusal->limit];
	const struct maui_import_holder *of = &limit->from->of;
	const char *gres = limit->tres.kind == MAUI_IMPORT_GRES ? "gres/" : "";

	snprintf(hold->rule, sizeof(hold->rule), "%s%s%s%s", limit->from->setting,
		 *limit->tres.name ? " " : "", gres, limit->tres.name);
	hold->holder_type = maui_credential_name(of->level == MAUI_IMPORT_OF_QOS ? MAUI_QOS
						 : of->user                      ? MAUI_USER
										 : MAUI_ACCOUNT);
	snprintf(hold->holder, sizeof(hold->holder), "%s", of->user ? of->user : of->name);
	run_name_second(run, limit, refusal->whom, hold);
}

bool maui_stock_run_drifts(const struct maui_stock_run *run)
{
	return run->limits.drifts;
}

int64_t maui_stock_run_patience(const struct maui_stock_run *run)
{
	const struct maui_import_priority *priority = &run->stock->priority;
	int64_t lives = HALF_LIVES * (int64_t)priority->half_life;

	if (!run->limits.drifts)
		return 0;
	return priority->reset == MAUI_USAGE_RESET_NONE && lives < LONGEST_TIE ? lives
									       : LONGEST_TIE;
}

bool maui_stock_run_by_time(const struct maui_stock_run *run)
{
	return run->limits.by_time || run->stock->priority.relative;
}

size_t maui_stock_run_unknown(const struct maui_stock_run *run)
{
	return run->origins.unknown;
}

/* ---- all of it ---- */

struct maui_stock_run *maui_stock_run_new(const struct maui_stock *stock,
					  const struct maui_replay_trace *trace, int64_t now)
{
	struct maui_stock_run *run = maui_calloc(1, sizeof(*run));

	run->stock = stock;
	run->trace = trace;
	run->passed = now;
	run->reset = maui_usage_next_reset(stock->priority.reset, now);
	run->place = maui_malloc(trace->count, sizeof(*run->place));
	memset(run->place, 0xff, trace->count * sizeof(*run->place)); /* NO_PLACE */
	run->after = maui_calloc(trace->count + 1, sizeof(*run->after));
	run->before = maui_calloc(trace->count + 1, sizeof(*run->before));
	maui_stock_origins_open(stock, trace, &run->origins);
	maui_stock_limits_open(stock, &run->origins, maui_intern_count(trace->names[MAUI_USER]),
			       &run->limits);
	run_open_tree(run);
	run->unranked = true;
	run_rank(run);
	return run;
}

struct maui_stock_run *maui_stock_run_free(struct maui_stock_run *run)
{
	if (!run)
		return NULL;
	maui_share_tree_free(run->tree);
	maui_stock_limits_clear(&run->limits);
	maui_stock_origins_clear(&run->origins);
	free(run->parent);
	free(run->usage);
	free(run->running);
	free(run->place);
	free(run->after);
	free(run->before);
	free(run);
	return NULL;
}
