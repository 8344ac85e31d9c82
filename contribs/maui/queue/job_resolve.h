/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_JOB_RESOLVE_H
#define MAUI_JOB_RESOLVE_H

#include "contribs/maui/lib/command.h"

/*
 * Jobs by the engine's numbers, of lists as of job_name.h, one by one, and NULL: 18+1 becomes the
 * component's own number, for which Slurm is asked. EXIT_OK: the caller clears them
 * (job_names_clear()). Otherwise says what is wrong.
 */
int job_names_resolve(const struct cli *cli, int count, char *const *lists, char ***ret_names);

#endif
