/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui diagnose. */
#ifndef MAUI_DIAGNOSE_H
#define MAUI_DIAGNOSE_H

#include "contribs/maui/lib/command.h"

extern const struct command diagnose_command;

#endif
