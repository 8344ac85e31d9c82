/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the engine takes of slurmctld, in a program that is none: four nodes, a partition, two jobs
 * that wait, and reservations that cannot be made. All else is Slurm's own library.
 */
#ifndef MAUI_FUZZ_SMALL_SLURMCTLD_H
#define MAUI_FUZZ_SMALL_SLURMCTLD_H

/* Once, before the engine begins: with this maui.cfg, and state below a directory that is there. */
void small_slurmctld_begin(const char *directory, const char *maui_cfg);

#endif
