/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui replay --merge: the results of a sweep's job array, put together. */
#ifndef MAUI_REPLAY_SWEEP_MERGE_H
#define MAUI_REPLAY_SWEEP_MERGE_H

#include "contribs/maui/replay/sweep/sweep.h"

/*
 * Ranks what sweep->merge, a directory, holds of one sweep, and prints the report that the sweep
 * itself would. EXIT_OK only if that is all of it, and nothing else is there: each file that is left
 * out and each combination that is missing is complained about.
 */
int sweep_merge(const struct cli *cli, const struct sweep *sweep);

#endif
