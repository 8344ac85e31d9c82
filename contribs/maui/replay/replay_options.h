/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_REPLAY_OPTIONS_H
#define MAUI_REPLAY_OPTIONS_H

#include "contribs/maui/replay/report/replay_sides.h"

/* Into a report with its defaults: OPTIONS_END, or what stopped it, as for next_option(). */
int replay_take_options(struct cli *cli, int argc, char **argv, struct replay_report *report);

/* Help on them. */
extern const char replay_options_help[];

#endif
