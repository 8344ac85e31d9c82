/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making, removing and showing reservations. */
#ifndef MAUI_RESERVATION_H
#define MAUI_RESERVATION_H

#include "contribs/maui/lib/command.h"

extern const struct command releaseres_command;
extern const struct command res_command;
extern const struct command setres_command;
extern const struct command showres_command;

#endif
