/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui.cfg, compiled for the names of a trace. */
#ifndef MAUI_REPLAY_SITE_POLICY_H
#define MAUI_REPLAY_SITE_POLICY_H

#include "common/replay/state/site_replay.h"

/* 0 or a negative errno with the reason */
int site_policy_open(struct site_replay *replay);
/* Puts the limits of the present time in force, if a period has begun or ended. */
int site_policy_renew(struct site_replay *replay);
void site_policy_clear(struct site_replay *replay);
/* Names of maui.cfg as the trace's jobs have them. */
struct maui_limit_names site_configured(struct site_replay *replay);

#endif
