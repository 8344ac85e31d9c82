/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Licenses that others have. For how many there are, see `scontrol show licenses`. */
#include "contribs/maui/why/why.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/list.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"

/* The number of a license in "matlab:2,ansys@server:1"; 1 without a number, 0 if not listed. */
static int64_t number_of(const char *list, const char *name)
{
	struct maui_item item, own;

	while (maui_list_next(&list, ",|", &item)) {
		const char *at = item.text;

		maui_list_next(&at, ":,|", &own);
		if (maui_item_is(own, name))
			return own.size < item.size ? strtoll(own.text + own.size + 1, NULL, 10)
						    : 1;
	}
	return 0;
}

static struct json_object *holders_of(const struct why *why, const char *name, int64_t *held,
				      int64_t *first_end, char *text, size_t room)
{
	struct json_object *jobs = member_array(why->queue, "jobs");
	struct json_object *holders = json_make_array();

	for (size_t i = 0; i < array_size(jobs); i++) {
		struct json_object *job = json_object_array_get_idx(jobs, i), *facts;
		int64_t count = queue_job_is_active(job)
					? number_of(member_text(job, "licenses"), name)
					: 0;
		int64_t end = member_integer(job, "end");

		if (count <= 0)
			continue;
		facts = json_make_object();
		json_set_same(facts, job, "id");
		json_set_same(facts, job, "user");
		json_set_number(facts, "count", count);
		why_fact_time(facts, "end", end);
		why_append(text, room, "%sjob %s of %s (%" PRId64 ")", *held ? ", " : "",
			   member_text(job, "id"), member_text(job, "user"), count);
		*held += count;
		if (end > 0 && (!*first_end || end < *first_end))
			*first_end = end;
		json_append(holders, facts);
	}
	return holders;
}

static void add_one(struct why *why, const char *list, const char *license)
{
	struct json_object *facts = json_make_object(), *holders;
	int64_t held = 0, end = 0, asked = number_of(list, license);
	char text[600] = "", time[TEXT_DATE_SIZE];

	holders = holders_of(why, license, &held, &end, text, sizeof(text));
	why_fact_text(facts, "license", license);
	json_set_number(facts, "asked", asked);
	json_set_number(facts, "seen_in_use", held);
	json_set(facts, "jobs", holders);
	why_add(why, WHY_CAUSE, "license", facts,
		"it asks for %" PRId64 " of license %s, of which too few are free; in use by %s",
		asked, license, *text ? text : "no job that you see");
	why_add(why, WHY_FREES, "license", NULL, "the end of a job that holds license %s", license);
	facts = json_make_object();
	why_fact_time(facts, "time", end);
	if (end)
		why_add(why, WHY_WHEN, "license", facts,
			"the first job that holds license %s ends by %s", license,
			why_time(end, time));
	else
		why_add(why, WHY_WHEN, "license", facts,
			"when license %s is free again is not known", license);
}

void why_license(struct why *why)
{
	const char *list = member_text(why->job, "licenses"), *rest = list;
	struct maui_item item;
	char license[128];

	if (strcmp(member_text(why->job, "reason"), "Licenses") != 0)
		return;
	while (maui_list_next(&rest, ",|", &item)) {
		maui_item_copy(item, license, sizeof(license));
		license[strcspn(license, ":")] = '\0';
		add_one(why, list, license);
	}
}
