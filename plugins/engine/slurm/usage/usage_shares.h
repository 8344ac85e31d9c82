/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What sshare derives from usage: NormUsage, EffectvUsage, LevelFS and FairShare of every
 * association, by the algorithm that slurm.conf's PriorityFlags names, Fair Tree or the classic
 * one. FSTREEWEIGHT counts FairShare; Maui's own fairshare is separate.
 */
#ifndef MAUI_ENGINE_USAGE_SHARES_H
#define MAUI_ENGINE_USAGE_SHARES_H

#include "plugins/compat/base.h"
#include "plugins/engine/runtime/slurm_writer.h"

/* Derive the values of all associations. The association manager's assoc lock for writing. */
void usage_shares_derive(struct slurm_writer *writer);

/* Normalised and effective usage of one association. The assoc lock is held. */
void usage_shares_derive_one(struct slurm_writer *writer, slurmdb_assoc_rec_t *assoc);

/*
 * FairShare of a user's association as sshare shows it, also where Slurm's own
 * plugin counts. The assoc lock for reading.
 */
double usage_shares_factor(const slurmdb_assoc_rec_t *assoc);

#endif
