/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds a reservation in the account of another schedule, and frees accounts. */
#include "common/replay/schedule/reserved.h"

#include <stdlib.h>
#include <string.h>

const struct maui_replay_reserved *
maui_replay_reserved_like(const struct maui_replay_reservations *reservations,
			  const struct maui_replay_reserved *like)
{
	static const struct maui_replay_reserved nothing;

	for (size_t i = 0; i < reservations->count; i++) {
		const struct maui_replay_reserved *each = &reservations->list[i];

		if (each->maintenance == like->maintenance && !strcmp(each->name, like->name))
			return each;
	}
	return &nothing;
}

void maui_replay_reservations_clear(struct maui_replay_reservations *reservations)
{
	free(reservations->list);
	*reservations = (struct maui_replay_reservations){0};
}
