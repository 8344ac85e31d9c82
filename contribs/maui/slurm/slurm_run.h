/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One of Slurm's own commands, run as the caller: Slurm decides what is allowed, and prints its own
 * messages. */
#ifndef MAUI_SLURM_RUN_H
#define MAUI_SLURM_RUN_H

/*
 * argv[0] is searched in PATH; argv ends with NULL. Waits for its end, and returns an exit code:
 * EXIT_OK, EXIT_REFUSED if the command failed, after it has said why, or EXIT_UNREACHABLE after
 * saying so.
 */
int slurm_run(char *const *argv);

#endif
