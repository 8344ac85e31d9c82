/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waiting jobs by kind: D-RPL-4. */
#ifndef MAUI_REPLAY_SITE_KINDS_H
#define MAUI_REPLAY_SITE_KINDS_H

#include "common/replay/state/site_replay.h"

void site_kinds_open(struct site_replay *replay);
void site_kinds_clear(struct site_replay *replay);
/* Newcomers join their kinds, once those that are blocked have begun to wait anew. */
void site_kinds_settle(struct site_replay *replay);
/* A job of a kind, or a newcomer, no longer waits. */
void site_kinds_leave(struct site_replay *replay, uint32_t job);
/* All jobs of a kind have been held. */
void site_kinds_hold(struct site_replay *replay, struct site_kind *kind);
/* When a job of a kind began to wait. */
static inline int64_t site_queued_since(const struct site_kind *kind,
					const struct maui_replay_job *record)
{
	return kind->resumed > record->submitted ? kind->resumed : record->submitted;
}
/* What a waiting job asks for, as priorities see it. */
void site_request(const struct site_replay *replay, uint32_t job,
		  struct maui_priority_job *ret_request);

#endif
