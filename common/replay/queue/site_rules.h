/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists and caps that hold jobs back. */
#ifndef MAUI_REPLAY_SITE_RULES_H
#define MAUI_REPLAY_SITE_RULES_H

#include "common/replay/state/site_replay.h"

/* Whether a list or a cap holds a request back, and then which. */
bool site_off_list(const struct site_replay *replay, const struct maui_limit_job *request,
		   struct maui_refusal *ret_refusal);
bool site_over_cap(const struct site_replay *replay, const struct maui_limit_job *request,
		   struct maui_refusal *ret_refusal);

#endif
