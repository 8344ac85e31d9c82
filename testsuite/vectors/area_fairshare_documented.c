/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fairshare's part of documented_examples. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/fairshare/fairshare.h"
#include "testsuite/vectors/check.h"

/* John's share in chapter 6.3.2.3, as windows. */
static void check_usage(struct check *check, struct json_object *object)
{
	static const char *const known[] = {"decay", "depth", "total", "usage", NULL};
	static const unsigned int of[2] = {MAUI_USER, MAUI_FS_TOTAL};
	struct json_object *input = member(object, "input");
	struct json_object *usage[2] = {member(input, "usage"), member(input, "total")};
	struct maui_fairshare_settings settings = {
		.metric = MAUI_FS_DEDICATEDPS,
		.interval = 43200,
		.depth = (uint32_t)member_number(input, "depth", 0),
		.decay = member_number(input, "decay", 0)};
	struct maui_fairshare *fs = maui_fairshare_new(&settings, 0);

	check_members(check, input, known);
	if (!fs || maui_fairshare_reserve(fs, MAUI_USER, 1))
		abort();
	for (int i = 0; i < 2; i++)
		for (uint32_t k = 0; k < settings.depth; k++)
			maui_fairshare_set(
				fs, of[i], of[i] == MAUI_USER, k,
				json_object_get_double(json_object_array_get_idx(usage[i], k)));
	check_number(check, "usage", member_number(object, "expect", -1),
		     maui_fairshare_percent(fs, MAUI_USER, 1) / 100);
	maui_fairshare_free(fs);
}

/*
 * A row of the table in chapter 6.3.2.2: whole percentages, some of them rounded down; and one that
 * is neither.
 */
static void check_decay(struct check *check, struct json_object *object)
{
	static const char *const known[] = {"decay", NULL};
	static const char *const columns[] = {"doc_percent", "exact", NULL};
	struct json_object *input = member(object, "input"), *expect = member(object, "expect");
	struct json_object *percents = member(expect, "doc_percent");
	struct json_object *exact = member(expect, "exact");

	check_members(check, input, known);
	check_members(check, expect, columns);
	for (uint32_t k = 0; k < 8; k++) {
		double ours = maui_fairshare_weight(member_number(input, "decay", -1), k) * 100;
		double printed = json_object_get_double(json_object_array_get_idx(percents, k));
		double given = json_object_get_double(json_object_array_get_idx(exact, k));

		/* Given to four decimals. */
		check_number(check, "exact", given, fabs(ours - given) < 5.1e-5 ? given : ours);
		if (printed == round(ours))
			check_number(check, "doc_percent", printed, round(ours));
		else
			check_left_out(check, "doc_percent", printed,
				       floor(ours) - (floor(ours) == 13), RULE_FS_TABLE);
	}
}

bool check_fairshare_documented(struct check *check, const char *area, struct json_object *object)
{
	if (!strcmp(area, "fairshare_usage"))
		check_usage(check, object);
	else if (!strcmp(area, "fsdecay"))
		check_decay(check, object);
	else
		return false;
	return true;
}
