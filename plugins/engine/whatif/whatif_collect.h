/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_ENGINE_WHATIF_COLLECT_H
#define MAUI_ENGINE_WHATIF_COLLECT_H

#include "common/queue/whatif_facts.h"

/* The facts for a question about policy. NULL, or why not. The caller clears the
 * facts in either case. Takes Slurm's read locks on jobs, partitions and QOS for
 * one walk over all jobs, and the mutex, which is released from time to time
 * while what is known of pending ones is copied. Then, if policy has a
 * FSTREEWEIGHT, the lock on associations alone. */
const char *whatif_collect(const struct maui_policy *policy, struct maui_whatif_facts *facts);

#endif
