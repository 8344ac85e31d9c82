/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Usage of associations and QOS over time, as priority/multifactor keeps it: GrpTRESMins, GrpWall
 * and GrpTRESRunMins, and the columns of sshare. Needs slurmdbd. The engine's thread makes a pass
 * every PriorityCalcPeriod: usage fades (PriorityDecayHalfLife) or is cleared
 * (PriorityUsageResetPeriod), and what jobs have used since the last pass is added. A job that ends
 * is counted at once.
 */
#ifndef MAUI_ENGINE_USAGE_H
#define MAUI_ENGINE_USAGE_H

/* Take up where this or another controller left off: reads when the last pass was. Before the
 * engine is primary. Locks of slurmctld may be held: Slurm initialises a plugin when it is first
 * asked, which may be during recovery. */
void usage_start(void);

/* When the next pass is due, on CLOCK_MONOTONIC; INFINITY if there is none. Any lock may be
 * held. */
double usage_due(void);

/* Make the pass that is due. For the engine's thread, no lock held. */
void usage_run(void);

#endif
