/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a placement got, and why no more, in words. */
#include <inttypes.h>
#include <stdio.h>

#include "common/policy/reservation/sr_place.h"

const char *maui_sr_why_text(enum maui_sr_why why)
{
	static const char *const texts[MAUI_SR_WHYS] = {
		[MAUI_SR_GIVES] = "given",
		[MAUI_SR_UNLISTED] = "not in the HOSTLIST",
		[MAUI_SR_EXCLUDED] = "in the EXCLUDEHOSTLIST",
		[MAUI_SR_PARTITION] = "not in the partition",
		[MAUI_SR_FEATURES] = "without the features",
		[MAUI_SR_SMALL] = "too small",
		[MAUI_SR_DOWN] = "down",
		[MAUI_SR_BUSY] = "held by jobs",
		[MAUI_SR_RESERVED] = "held by other reservations",
	};

	return (unsigned int)why < MAUI_SR_WHYS ? texts[why] : "";
}

const char *maui_sr_placement_text(const struct maui_sr_placement *placement,
				   char text[MAUI_SR_PLACE_TEXT])
{
	size_t used =
		(size_t)snprintf(text, MAUI_SR_PLACE_TEXT, "%" PRIu32 " of %" PRIu64 " tasks",
				 placement->tasks, (uint64_t)placement->tasks + placement->missing);

	for (unsigned int why = MAUI_SR_EXCLUDED; placement->missing && why < MAUI_SR_WHYS; why++)
		if (placement->why[why] && used < MAUI_SR_PLACE_TEXT)
			used += (size_t)snprintf(text + used, MAUI_SR_PLACE_TEXT - used,
						 "; %" PRIu32 " node%s %s", placement->why[why],
						 placement->why[why] == 1 ? "" : "s",
						 maui_sr_why_text(why));
	return text;
}
