/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who may do or see what, as slurmctld itself has it. */
#ifndef MAUI_ENGINE_AUTHORITY_H
#define MAUI_ENGINE_AUTHORITY_H

#include <stdbool.h>
#include <sys/types.h>

/* Whether this controller is the one in charge; not while it shuts down: slurm.conf may be gone by
 * then. No lock. */
bool authority_in_charge(void);

/* Operators and administrators by their AdminLevel, root and SlurmUser. Takes the association
 * manager's locks, as does the next. */
bool authority_is_operator(uid_t uid);
bool authority_coordinates(uid_t uid, const char *account); /* account may be NULL: false */

#endif
