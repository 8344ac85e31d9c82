/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job's submission, start and end. */
#ifndef MAUI_REPLAY_SITE_QUEUE_H
#define MAUI_REPLAY_SITE_QUEUE_H

#include "common/replay/state/site_replay.h"

void site_submit(struct site_replay *replay, uint32_t job);
/* Whether limits, caps and lists let a job begin now. */
bool site_may_start(struct site_replay *replay, uint32_t job);
/* The job at a place of the order begins; the place is empty until site_order_close_up(). */
int site_start(struct site_replay *replay, size_t at, bool backfilled);
/* A job that runs already goes on. 0 or -ERANGE. */
int site_resume(struct site_replay *replay, uint32_t job);
void site_finish(struct site_replay *replay); /* the next that ends */

#endif
