/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A maui.cfg of a hundred thousand wrong lines must not fill slurmctld's log. */
#ifndef MAUI_ENGINE_LOGGED_H
#define MAUI_ENGINE_LOGGED_H

#define MAX_PROBLEMS_LOGGED 50 /* of one kind at once: the others are counted */

#endif
