/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui showstats --month */
#ifndef MAUI_SHOWSTATS_MONTH_H
#define MAUI_SHOWSTATS_MONTH_H

#include "common/util/credential.h"
#include "contribs/maui/lib/command.h"

/*
 * What credentials of a type have used in a month: "this", "last" or "YYYY-MM". MAUI_CREDENTIALS:
 * all together; name NULL: each of them. Returns an exit code.
 */
int showstats_month(const struct cli *cli, const char *month, enum maui_credential type,
		    const char *name);

#endif
