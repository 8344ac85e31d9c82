/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the engine needs of slurmctld, in a program that is not slurmctld: four nodes, a partition,
 * two waiting jobs, and reservations that cannot be made. Everything else is Slurm's own library.
 */
#ifndef MAUI_FUZZ_SMALL_SLURMCTLD_H
#define MAUI_FUZZ_SMALL_SLURMCTLD_H

/* Call once, before the engine begins: with this maui.cfg, and state in an existing directory. */
void small_slurmctld_begin(const char *directory, const char *maui_cfg);

#endif
