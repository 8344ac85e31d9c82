/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_ENGINE_WHATIF_RUN_H
#define MAUI_ENGINE_WHATIF_RUN_H

#include "common/queue/whatif.h"

/* The present queue under another policy, whose reference it takes over from
 * the caller. NULL, or why not; the caller clears it in either case. A thread
 * of the service: takes Slurm's read locks and the mutex to copy, and queries
 * the name service with none held. */
const char *whatif_run(struct maui_whatif *whatif, struct maui_policy *policy);

#endif
