/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands that change jobs, or make slurmctld read maui.cfg. */
#ifndef MAUI_CHANGE_H
#define MAUI_CHANGE_H

#include "contribs/maui/lib/command.h"

extern const struct command canceljob_command;
extern const struct command releasehold_command;
extern const struct command schedctl_command;
extern const struct command sethold_command;
extern const struct command setspri_command;

#endif
