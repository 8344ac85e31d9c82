/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_REPLAY_USAGE_OPTION_H
#define MAUI_REPLAY_USAGE_OPTION_H

#include "contribs/maui/replay/report/replay_sides.h"

/* --fairshare: adds the FS files of a directory. EXIT_OK, or says what is wrong. */
int usage_take(struct replay_report *report, const char *directory);

/* Once the trace is there. */
int usage_check(const struct replay_report *report);

#endif
