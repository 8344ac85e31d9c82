/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The factor of each association in Slurm's share tree, from 0 to 1, which
 * sshare shows as FairShare: for FSTREEWEIGHT, D-FS-32.
 */
#ifndef MAUI_ENGINE_SHARE_FACTORS_H
#define MAUI_ENGINE_SHARE_FACTORS_H

#include <stdint.h>

#include "plugins/engine/runtime/lock.h"

/* Of one moment, by the association's number. */
struct share_factors;

/*
 * All of now; NULL: slurmctld knows no association. Takes the association
 * manager's lock on them, so that no other of its locks and no mutex is held.
 */
struct share_factors *share_factors_read(void);
/* Accepts NULL, returns NULL. */
struct share_factors *share_factors_free(struct share_factors *factors);

/* 0: for a job without an association, or one that is not in there. */
double share_factors_find(const struct share_factors *factors, uint32_t association);

/* From now on those of the iteration, which are taken over; NULL: all are 0. */
ENGINE_LOCKED void share_factors_keep(struct share_factors *factors);
ENGINE_LOCKED double share_factors_of(uint32_t association);

#endif
