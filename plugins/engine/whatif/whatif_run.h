/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_ENGINE_WHATIF_RUN_H
#define MAUI_ENGINE_WHATIF_RUN_H

#include "common/queue/whatif.h"

/* The queue of now under another policy, of which it takes over the caller's reference. NULL, or
 * why not; to be cleared in either case. The service's thread: takes Slurm's read locks and the
 * mutex to copy, asks the name service with none. */
const char *whatif_run(struct maui_whatif *whatif, struct maui_policy *policy);

#endif
