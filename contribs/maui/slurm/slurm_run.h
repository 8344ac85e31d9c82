/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One of Slurm's own commands, run as the caller: what he may is Slurm's to say, and so is what it
 * tells him. */
#ifndef MAUI_SLURM_RUN_H
#define MAUI_SLURM_RUN_H

/*
 * argv[0] is looked for in PATH; argv ends with NULL. Waits for its end, and returns an exit code:
 * EXIT_OK, EXIT_REFUSED if the command failed, which has said why, or EXIT_UNREACHABLE, which is
 * said.
 */
int slurm_run(char *const *argv);

#endif
