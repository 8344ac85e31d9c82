/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fairshare usage while jobs run, and the factors that follow from it. */
#ifndef MAUI_REPLAY_SITE_CHARGE_H
#define MAUI_REPLAY_SITE_CHARGE_H

#include "common/replay/state/site_replay.h"

/* Charge everybody who runs, up to now. */
void site_charge(struct site_replay *replay);
/* The same for one, up to now. */
void site_charge_run(struct site_replay *replay, const struct site_running *run);
/* What the last iteration has left out of the factors of fairshare, before usage changes. */
void site_complete_factors(struct site_replay *replay);

#endif
