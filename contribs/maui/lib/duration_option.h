/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Durations on the command line. */
#ifndef MAUI_DURATION_OPTION_H
#define MAUI_DURATION_OPTION_H

#include <stdint.h>

#include "contribs/maui/lib/command.h"

/*
 * "1:00:00", as common/util/time/duration.h reads it, of at least so many seconds. Two fields are minutes
 * and seconds, unlike the original's, which a NOTE says; label: what stands before it there, "-d "
 * or "". Wrong usage is explained. Returns an exit code.
 */
int duration_read(const struct cli *cli, const char *label, const char *text, int64_t least,
		  int64_t *ret_seconds);

#endif
