/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace under a maui.cfg: Slurm's main scheduler and backfill, with the priorities, fairshare
 * windows, limits and caps of the engine, by the same code. D-RPL-3.
 *
 * Users, groups, accounts, QOS and classes of maui.cfg are those of the trace by name.
 */
#ifndef MAUI_REPLAY_SITE_H
#define MAUI_REPLAY_SITE_H

#include "common/replay/state/site_terms.h"

/*
 * Replay a trace, where no job asks for more than procs. 0; -ERANGE or, of its usage,
 * -ENOENT, with the reason. The schedule must be cleared in either case.
 */
int maui_replay_site_run(const struct maui_replay_trace *trace, const struct maui_replay_site *site,
			 struct maui_replay_schedule *ret_schedule,
			 struct maui_replay_counts *ret_counts, struct maui_error *error);

#endif
