/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A whole sweep. */
#ifndef MAUI_REPLAY_SWEEP_ALL_H
#define MAUI_REPLAY_SWEEP_ALL_H

#include "contribs/maui/replay/sweep/sweep.h"

/*
 * Replays report->side[0], which is a maui.cfg's, once for each combination, on all cores, and
 * prints the combinations, the best first. Returns an exit code.
 */
int sweep_all(const struct cli *cli, const struct replay_report *report, const struct sweep *sweep);

#endif
