/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets and tests the flags used, spent and cancelled of a reservation's
 * instance.
 */
#include "common/state/rsv_release.h"

static bool is_single_use(const struct maui_sr *sr)
{
	return sr && (sr->flags & MAUI_SR_SINGLEUSE);
}

bool maui_rsv_released(const struct maui_rsv_name *known, const struct maui_sr *sr)
{
	return known && (known->cancelled || (known->spent && is_single_use(sr)));
}

bool maui_rsv_release_begin(struct maui_rsv_name *known, int64_t now)
{
	bool first = !known->used;

	known->used = true;
	known->begun = now;
	return first;
}

bool maui_rsv_release_see(struct maui_rsv_name *known, const struct maui_sr *sr, bool in_use,
			  int64_t now, bool *ret_again)
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

bool maui_rsv_release_cancel(struct maui_rsv_name *known)
{
	bool first = !known->cancelled;

	known->cancelled = true;
	return first;
}

bool maui_rsv_release_forget(struct maui_rsv_name *known)
{
	bool any = known->used || known->spent || known->cancelled;

	known->used = known->spent = known->cancelled = false;
	return any;
}
