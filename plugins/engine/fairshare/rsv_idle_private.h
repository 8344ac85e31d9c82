/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between rsv_idle.c, which knows what is idle, and rsv_idle_file.c, which keeps what it costs. The
 * mutex is held. */
#ifndef MAUI_ENGINE_RSV_IDLE_PRIVATE_H
#define MAUI_ENGINE_RSV_IDLE_PRIVATE_H

#include "common/policy/fairshare/idle.h"

/* What is idle now; NULL: nothing is counted. */
const struct maui_idle *rsv_idle_now(void);

/* What is idle is another now: the file is to say so. */
void rsv_idle_changed(void);

/* A pass over the windows charges so much; what one pass charges is in their files as a whole or
 * not at all. */
void rsv_idle_pass_begins(void);
void rsv_idle_charged(const struct maui_idle_span *span, int64_t interval);

/* Forget what has been charged. */
void rsv_idle_forget(void);

/* When the file is to be written next, monotonic seconds; INFINITY. The mutex is held. */
double rsv_idle_file_due(void);

#endif
