/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_ENGINE_WHATIF_COLLECT_H
#define MAUI_ENGINE_WHATIF_COLLECT_H

#include "common/queue/whatif_facts.h"

/* NULL, or why not. The caller clears the facts in either case. Takes Slurm's read locks on jobs
 * and partitions for one walk over the active jobs, and the mutex, which is released from time to
 * time while the pending ones are copied. */
const char *whatif_collect(struct maui_whatif_facts *facts);

#endif
