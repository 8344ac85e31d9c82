/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Usage of associations and QOS over time, as priority/multifactor keeps it: GrpTRESMins, GrpWall
 * and GrpTRESRunMins, and the columns of sshare. Needs slurmdbd. The engine's thread makes a pass
 * every PriorityCalcPeriod: usage fades (PriorityDecayHalfLife) or is cleared
 * (PriorityUsageResetPeriod), and what jobs have used since the last pass is added. A job that ends
 * is counted at once.
 */
#ifndef MAUI_ENGINE_SLURM_USAGE_H
#define MAUI_ENGINE_SLURM_USAGE_H

#include "plugins/engine/runtime/module.h"

extern const struct module usage_module;

#endif
