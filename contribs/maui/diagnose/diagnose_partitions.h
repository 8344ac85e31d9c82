/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_DIAGNOSE_PARTITIONS_H
#define MAUI_DIAGNOSE_PARTITIONS_H

#include "contribs/maui/lib/command.h"

/* diagnose -t: name NULL: all partitions. Returns an exit code. */
int diagnose_partitions_run(const struct cli *cli, const char *name);

#endif
