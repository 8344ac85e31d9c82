/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frees the account of who held jobs back. */
#include "common/replay/schedule/held.h"

#include <stdlib.h>

void maui_replay_held_clear(struct maui_replay_held *held)
{
	free(held->holds);
	free(held->seconds);
	*held = (struct maui_replay_held){0};
}
