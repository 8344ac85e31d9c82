/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `maui diagnose -j`. */
#ifndef MAUI_DIAGNOSE_JOBS_H
#define MAUI_DIAGNOSE_JOBS_H

#include "contribs/maui/lib/command.h"

/* The whole queue, or the jobs that words names; returns an exit code. partition and user may be
 * NULL. */
int diagnose_jobs_run(const struct cli *cli, const char *partition, const char *user, char **words);

#endif
