/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Charges runs to windows of fairshare, and looks the factors up that an iteration has left out. */
#include "common/replay/queue/site_charge.h"

void site_charge_run(struct site_replay *replay, const struct site_running *run)
{
	int64_t from = run->began > replay->charged ? run->began : replay->charged;

	maui_fairshare_charge(replay->windows, run->credential, run->rate, from, replay->now);
}

void site_charge(struct site_replay *replay)
{
	if (!replay->windows)
		return;
	maui_fairshare_advance(replay->windows, replay->now);
	for (const struct site_running *run = replay->runs; run; run = run->next)
		site_charge_run(replay, run);
	replay->charged = replay->now;
}

void site_complete_factors(struct site_replay *replay)
{
	if (replay->factors_lack)
		maui_names_fairshare(replay->names, replay->windows);
	replay->factors_lack = false;
}
