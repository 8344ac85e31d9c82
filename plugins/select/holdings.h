/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the active jobs hold, for horizon.h: by their ends, as the engine counts it. Suspended jobs
 * and those that share CPUs hold nothing, but are there: cons_tres waits for their ends, too.
 */
#ifndef MAUI_SELECT_HOLDINGS_H
#define MAUI_SELECT_HOLDINGS_H

#include "plugins/compat/select_api.h"

#include "plugins/select/horizon.h"

/* slurm.conf was read. */
void holdings_configure(void);

/* A job has begun, ended or changed: what is known is out of date. */
void holdings_forget(void);

/* Of these jobs; valid until the next call of any of these. NULL without an engine, or where plans
 * go by other times. Job write lock. */
const struct horizon_running *holdings_of(list_t *active);

void holdings_free(void);

#endif
