/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui metrics. */
#ifndef MAUI_METRICS_H
#define MAUI_METRICS_H

#include "contribs/maui/lib/command.h"

extern const struct command metrics_command;

#endif
