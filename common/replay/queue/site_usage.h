/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Windows of fairshare that are not empty when a replay begins. */
#ifndef MAUI_REPLAY_SITE_USAGE_H
#define MAUI_REPLAY_SITE_USAGE_H

#include "common/replay/state/site_replay.h"

/* 0; -ENOENT with the reason if there is usage, and none of it counts */
int site_usage_load(struct site_replay *replay);

#endif
