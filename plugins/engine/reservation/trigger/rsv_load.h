/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of a reservation is used by running jobs. */
#ifndef MAUI_ENGINE_RSV_LOAD_H
#define MAUI_ENGINE_RSV_LOAD_H

/* The used share of its cores, from 0 to 1; negative: there is no such reservation, or it has no
 * cores. Takes slurmctld's read locks. */
double rsv_load(const char *name);

#endif
