/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sweep as a job array: the batch script, and what an element of it does. */
#ifndef MAUI_REPLAY_SWEEP_ARRAY_H
#define MAUI_REPLAY_SWEEP_ARRAY_H

#include "contribs/maui/replay/sweep/sweep.h"

/* Slurm's default MaxArraySize: elements are numbered from 0 to one less. */
#define SWEEP_ARRAY_SIZE 1001

/* What --element has: I/N. EXIT_OK, or says what is wrong. */
int sweep_take_element(const struct cli *cli, struct sweep *sweep, const char *text);

/* Prints the script on standard output. An exit code. */
int sweep_print_array(const struct replay_report *report, const struct sweep *sweep);

/* Replays the combinations I, I + N, I + 2N, ..., and writes each into a file of the directory as
 * soon as it is there. An exit code. */
int sweep_run_element(const struct replay_report *report, const struct sweep *sweep);

#endif
