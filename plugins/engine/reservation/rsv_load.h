/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of a reservation running jobs use. */
#ifndef MAUI_ENGINE_RSV_LOAD_H
#define MAUI_ENGINE_RSV_LOAD_H

/* Of its cores, from 0 to 1; negative: there is no such reservation, or it has none. Takes
 * slurmctld's read locks. */
double rsv_load(const char *name);

#endif
