/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An iteration of the engine. */
#ifndef MAUI_REPLAY_SITE_ITERATION_H
#define MAUI_REPLAY_SITE_ITERATION_H

#include "common/replay/state/site_replay.h"

/* If one is due. */
int site_iterate(struct site_replay *replay);

#endif
