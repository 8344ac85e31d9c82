/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Charges each run to windows of FSINTERVAL, by credential with an FSTARGET,
 * and computes shares in percent with and without FSDECAY.
 */
#include "common/replay/queue/shares.h"

#include <stdlib.h>

#include "common/replay/queue/site_policy.h"
#include "common/util/memory.h"

/* ---- whose share has a target ---- */

/* Usage from before the first window, by how many windows before it; 0: within it. */
struct before {
	double used[MAUI_FS_MAX_DEPTH];
};

struct holder {
	enum maui_credential type;
	uint32_t id; /* of the trace */
	struct maui_fstarget target;
	double used;
	struct before before;
};

struct holders {
	struct holder *all;
	size_t count;
	struct before before;           /* of the total */
	uint32_t *of[MAUI_CREDENTIALS]; /* by id of the trace: its place from 1; 0: no target */
};

static int by_use(const void *a, const void *b)
{
	const struct holder *x = a, *y = b;

	if (x->used != y->used)
		return x->used < y->used ? 1 : -1;
	return x->type != y->type ? (x->type > y->type ? 1 : -1) : x->id > y->id ? 1 : -1;
}

static struct before usage_before(const struct site_replay *replay, enum maui_credential type,
				  uint32_t id)
{
	struct before before = {{0}};

	for (uint32_t k = 0; k < MAUI_FS_MAX_DEPTH; k++)
		before.used[k] = maui_fairshare_usage(replay->windows, type, id, k);
	return before;
}

static void list_holders(struct site_replay *replay, struct holders *holders)
{
	struct maui_priority_tables tables = maui_names_tables(replay->names);
	size_t room = 1;

	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		room += maui_intern_count(replay->trace->names[type]);
	holders->all = maui_calloc(room, sizeof(*holders->all));
	holders->before = usage_before(replay, MAUI_FS_TOTAL, 0);
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		uint32_t count = maui_intern_count(replay->trace->names[type]);

		for (uint32_t id = 1; id <= count; id++) {
			const struct maui_fstarget *target =
				&tables.credential[type][replay->id[type][id]].fs_target;

			if (target->mode != MAUI_FS_NONE)
				holders->all[holders->count++] = (struct holder){
					.type = (enum maui_credential)type,
					.id = id,
					.target = *target,
					.before = usage_before(replay, (enum maui_credential)type,
							       replay->id[type][id])};
		}
	}
}

/* Where the shares of each are, by its place in all. */
static void index_holders(const struct maui_replay_trace *trace, struct holders *holders)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		free(holders->of[type]);
		holders->of[type] = maui_calloc(maui_intern_count(trace->names[type]) + 1,
						sizeof(*holders->of[type]));
	}
	for (size_t i = 0; i < holders->count; i++)
		holders->of[holders->all[i].type][holders->all[i].id] = (uint32_t)i + 1;
}

/* The most usage first. Returns the total. */
static double rank_holders(const struct maui_replay_trace *trace, const int64_t *started,
			   struct holders *holders)
{
	double total = 0;

	index_holders(trace, holders);
	for (size_t i = 0; i < trace->count; i++) {
		const struct maui_replay_job *job = &trace->jobs[i];
		double used = (double)job->run * job->procs;

		if (started[i] == MAUI_REPLAY_UNKNOWN)
			continue;
		total += used;
		for (int type = 0; type < MAUI_CREDENTIALS; type++) {
			uint32_t at = holders->of[type][job->credential[type]];

			if (at)
				holders->all[at - 1].used += used;
		}
	}
	qsort(holders->all, holders->count, sizeof(*holders->all), by_use);
	index_holders(trace, holders);
	return total;
}

/* ---- the windows ---- */

static void shares_charge(const struct maui_replay_shares *shares, double *windows, double rate,
			  int64_t from, int64_t to)
{
	while (from < to) {
		int64_t number = (from - shares->begin) / shares->interval;
		int64_t next = shares->begin + (number + 1) * shares->interval;

		if ((size_t)number >= shares->windows)
			return;
		windows[number] += rate * (double)((next < to ? next : to) - from);
		from = next;
	}
}

/* By window: the sum that targets go by, at its end. */
static double shares_decayed(const struct maui_fairshare_settings *settings, const double *windows,
			     const struct before *before, size_t at)
{
	double sum = 0;

	for (uint32_t k = 0; k < settings->depth; k++)
		sum += (k <= at ? windows[at - k] : before->used[k - at]) *
		       maui_fairshare_weight(settings->decay, k);
	return sum;
}

static double shares_part(double value, double whole)
{
	return whole > 0 ? value / whole * 100 : 0;
}

static void to_percent(const struct maui_replay_shares *shares,
		       const struct maui_fairshare_settings *settings, const double *total,
		       const struct holders *holders, size_t number,
		       struct maui_replay_holder *share)
{
	for (size_t i = 0; i < shares->windows; i++)
		share->counted[i] = shares_part(
			shares_decayed(settings, share->window, &holders->all[number].before, i),
			shares_decayed(settings, total, &holders->before, i));
	for (size_t i = 0; i < shares->windows; i++)
		share->window[i] = shares_part(share->window[i], total[i]);
}

static void set_span(const struct maui_replay_trace *trace, const int64_t *started,
		     int64_t interval, struct maui_replay_shares *shares)
{
	int64_t begin = maui_replay_trace_begin(trace), end = begin;
	size_t windows;

	for (size_t i = 0; i < trace->count; i++)
		if (started[i] != MAUI_REPLAY_UNKNOWN && started[i] + trace->jobs[i].run > end)
			end = started[i] + trace->jobs[i].run;
	shares->interval = interval;
	shares->begin = maui_fairshare_window(interval, begin);
	windows = (size_t)((end - shares->begin) / interval) + 1;
	shares->too_long = windows > MAUI_REPLAY_WINDOWS;
	shares->windows = shares->too_long ? MAUI_REPLAY_WINDOWS : windows;
}

static void open_shares(const struct maui_replay_trace *trace, const struct holders *holders,
			double total, struct maui_replay_shares *shares)
{
	for (size_t i = 0; i < holders->count && i < MAUI_REPLAY_SHARES; i++) {
		const struct holder *holder = &holders->all[i];
		double *values = maui_calloc(2 * shares->windows, sizeof(*values));

		shares->shares[shares->count++] = (struct maui_replay_holder){
			.type = holder->type,
			.name = maui_intern_name(trace->names[holder->type], holder->id),
			.target = holder->target,
			.percent = shares_part(holder->used, total),
			.window = values,
			.counted = values + shares->windows};
	}
	shares->more = holders->count - shares->count;
}

static void shares_fill(const struct maui_replay_trace *trace, const int64_t *started,
			const struct maui_fairshare_settings *settings,
			const struct holders *holders, struct maui_replay_shares *shares)
{
	double *total = maui_calloc(shares->windows, sizeof(*total));

	total[0] = holders->before.used[0];
	for (size_t i = 0; i < shares->count; i++)
		shares->shares[i].window[0] = holders->all[i].before.used[0];
	for (size_t i = 0; i < trace->count; i++) {
		const struct maui_replay_job *job = &trace->jobs[i];
		int64_t end = started[i] + job->run;

		if (started[i] == MAUI_REPLAY_UNKNOWN)
			continue;
		shares_charge(shares, total, job->procs, started[i], end);
		for (int type = 0; type < MAUI_CREDENTIALS; type++) {
			uint32_t at = holders->of[type][job->credential[type]];

			if (at && at <= shares->count)
				shares_charge(shares, shares->shares[at - 1].window, job->procs,
					      started[i], end);
		}
	}
	for (size_t i = 0; i < shares->count; i++)
		to_percent(shares, settings, total, holders, i, &shares->shares[i]);
	free(total);
}

int maui_replay_shares(const struct maui_replay_trace *trace, const struct maui_replay_site *site,
		       const int64_t *started, struct maui_replay_shares *ret_shares,
		       struct maui_error *error)
{
	struct maui_replay_counts counts = {0};
	struct site_replay replay = {
		.trace = trace, .site = site, .counts = &counts, .error = error};
	struct maui_fairshare_settings settings;
	struct holders holders = {0};
	int rc;

	*ret_shares = (struct maui_replay_shares){0};
	maui_fairshare_settings(site->policy->config, &settings);
	if (settings.metric == MAUI_FS_OFF || settings.metric == MAUI_FS_DEDICATEDGRES ||
	    !trace->count)
		return 0;
	replay.now = maui_replay_trace_begin(trace);
	rc = site_policy_open(&replay);
	if (!rc)
		list_holders(&replay, &holders);
	site_policy_clear(&replay);
	if (holders.count) {
		set_span(trace, started, settings.interval, ret_shares);
		open_shares(trace, &holders, rank_holders(trace, started, &holders), ret_shares);
		shares_fill(trace, started, &settings, &holders, ret_shares);
	}
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		free(holders.of[type]);
	free(holders.all);
	return rc;
}

void maui_replay_shares_clear(struct maui_replay_shares *shares)
{
	for (size_t i = 0; i < shares->count; i++)
		free(shares->shares[i].window);
	*shares = (struct maui_replay_shares){0};
}
