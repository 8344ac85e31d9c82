/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes slurmctld's passes between the events of a replay. */
#include "common/replay/queue/site_stock.h"

#include "common/replay/queue/site_held.h"

void site_stock_open(struct site_replay *replay)
{
	if (!replay->site->stock)
		return;
	replay->stock = maui_stock_run_new(replay->site->stock, replay->trace, replay->now);
	replay->counts->unknown_jobs = maui_stock_run_unknown(replay->stock);
}

void site_stock_clear(struct site_replay *replay)
{
	replay->stock = maui_stock_run_free(replay->stock);
}

bool site_stock_pass(struct site_replay *replay)
{
	if (!replay->stock || maui_stock_run_due(replay->stock) > replay->now)
		return false;
	replay->stock_passed = maui_stock_run_due(replay->stock);
	maui_stock_run_pass(replay->stock);
	replay->stock_due = true;
	replay->dirty |= maui_stock_run_drifts(replay->stock);
	return true;
}

double site_stock_fairshare(const struct site_replay *replay, uint32_t job)
{
	return replay->stock ? maui_stock_run_fairshare(replay->stock, job) : 0;
}

bool site_stock_refuses(struct site_replay *replay, uint32_t job)
{
	struct maui_stock_refusal refusal;
	bool refused;

	if (!replay->stock)
		return false;
	refused = maui_stock_run_refuses(replay->stock, job, &refusal);
	site_held_set_stock(replay, job, refused ? &refusal : NULL);
	if (!refused)
		return false;
	replay->counts->held += !replay->held[job];
	replay->held[job] = true;
	return true;
}

void site_stock_submitted(struct site_replay *replay, uint32_t job)
{
	if (replay->stock)
		maui_stock_run_submit(replay->stock, job);
}

void site_stock_began(struct site_replay *replay, uint32_t job)
{
	if (replay->stock)
		maui_stock_run_begin(replay->stock, job, replay->now);
}

void site_stock_ended(struct site_replay *replay, uint32_t job)
{
	if (replay->stock)
		maui_stock_run_end(replay->stock, job, replay->now);
}
