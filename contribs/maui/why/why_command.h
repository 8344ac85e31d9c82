/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command maui why. */
#ifndef MAUI_WHY_COMMAND_H
#define MAUI_WHY_COMMAND_H

#include "contribs/maui/lib/command.h"

extern const struct command why_command;

#endif
