/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A turn of backfill. */
#ifndef MAUI_REPLAY_SITE_BACKFILL_H
#define MAUI_REPLAY_SITE_BACKFILL_H

#include "common/replay/state/site_replay.h"

int site_backfill(struct site_replay *replay);

#endif
