/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui replay: a recorded workload, scheduled anew. The original has no counterpart. */
#ifndef MAUI_REPLAY_H
#define MAUI_REPLAY_H

#include "contribs/maui/lib/command.h"

extern const struct command replay_command;

#endif
