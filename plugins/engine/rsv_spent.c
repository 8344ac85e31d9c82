/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/engine/rsv_spent.h"

static bool is_single_use(const struct maui_sr *sr)
{
	return sr && (sr->flags & MAUI_SR_SINGLEUSE);
}

bool rsv_spent(const struct rsv_known_name *known, const struct maui_sr *sr)
{
	return known && (known->cancelled || (known->spent && is_single_use(sr)));
}

bool rsv_spent_begin(struct rsv_known_name *known, int64_t now)
{
	bool first = !known->used;

	known->used = true;
	known->begun = now;
	return first;
}

bool rsv_spent_see(struct rsv_known_name *known, const struct maui_sr *sr, bool in_use, int64_t now,
		   bool *ret_again)
{
	if (!is_single_use(sr) || known->spent || known->used == in_use)
		return false;
	if (in_use) {
		known->used = true;
	} else if (known->begun < now) {
		known->spent = true;
	} else {
		*ret_again = true;
		return false;
	}
	return true;
}

bool rsv_spent_cancel(struct rsv_known_name *known)
{
	bool first = !known->cancelled;

	known->cancelled = true;
	return first;
}

bool rsv_spent_forget(struct rsv_known_name *known)
{
	bool any = known->used || known->spent || known->cancelled;

	known->used = known->spent = known->cancelled = false;
	return any;
}
