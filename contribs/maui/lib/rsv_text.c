/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formats a reservation's start, end, duration and access list (ACL), and
 * counts the cores of a list such as 0-3,8.
 */
#include "contribs/maui/lib/rsv_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/policy/reservation/sr_window.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/output.h"

/* No known end; a larger value in an answer makes no sense. */
#define FOREVER (INT64_C(1) << 40)

static int64_t rsv_text_bounded(int64_t seconds)
{
	return seconds < 0 ? 0 : seconds > FOREVER ? FOREVER : seconds;
}

const char *rsv_date(int64_t time, char text[RSV_DATE_SIZE])
{
	time_t seconds = rsv_text_bounded(time);
	struct tm local;

	if (!localtime_r(&seconds, &local) ||
	    !strftime(text, RSV_DATE_SIZE, "%a %b %e %H:%M:%S", &local))
		snprintf(text, RSV_DATE_SIZE, "-");
	return text;
}

int64_t rsv_end(struct json_object *reservation)
{
	int64_t end = member_integer(reservation, "end");

	return end > 0 && end < MAUI_SR_FOREVER ? end : 0;
}

void rsv_times(struct json_object *reservation, int64_t now, struct rsv_times *ret_times)
{
	int64_t start = rsv_text_bounded(member_integer(reservation, "start"));
	int64_t end = rsv_end(reservation);

	now = rsv_text_bounded(now);
	ret_times->ends = end > 0;
	maui_duration_format(start - now, ret_times->start);
	maui_duration_format(ret_times->ends ? end - now : FOREVER, ret_times->end);
	maui_duration_format(ret_times->ends ? end - start : FOREVER, ret_times->duration);
	rsv_date(start, ret_times->date);
}

static const char *text_at(struct json_object *array, size_t index)
{
	struct json_object *value = json_object_array_get_idx(array, index);

	return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
}

/* Consecutive entries of one type show it once. */
void rsv_print_acl(struct json_object *object)
{
	struct json_object *acl = member_array(object, "acl");
	int64_t omitted = member_integer(object, "acl_omitted");
	const char *before = "";
	size_t before_size = 0;

	printf("ACL: ");
	for (size_t i = 0; i < array_size(acl); i++) {
		const char *item = text_at(acl, i);
		size_t size = strcspn(item, "<>=");
		bool same = i && size == before_size && !strncmp(item, before, size);

		if (i)
			putchar(same ? ':' : ' ');
		print_clean(same ? item + size : item);
		before = item;
		before_size = size;
	}
	if (!array_size(acl))
		printf("[NONE]");
	if (omitted > 0)
		printf(" and %" PRId64 " more", omitted);
	printf(" \n");
}

const char *rsv_type(struct json_object *reservation)
{
	return member_flag(reservation, "ours") ? "User" : "Slurm";
}

int64_t rsv_cores(const char *list)
{
	int64_t count = 0;

	while (*list >= '0' && *list <= '9') {
		char *end;
		long long first = strtoll(list, &end, 10), last = first;

		if (*end == '-')
			last = strtoll(end + 1, &end, 10);
		count += last >= first ? last - first + 1 : 0;
		list = *end == ',' ? end + 1 : "";
	}
	return count;
}

static bool any_of_ours(struct json_object *rows)
{
	for (size_t i = 0; i < array_size(rows); i++)
		if (member_flag(json_object_array_get_idx(rows, i), "ours"))
			return true;
	return false;
}

void rsv_notes(struct json_object *data)
{
	int64_t omitted = member_integer(data, "omitted");

	if (!member_flag(data, "known"))
		note("the engine does not know yet which standing reservations there are");
	else if (!member_flag(data, "select") && any_of_ours(member_array(data, "reservations")))
		note("nobody gets into standing reservations: slurmctld has not loaded the select "
		     "plugin of Slurm-Maui");
	if (omitted > 0)
		note("%" PRId64 " more are not shown: ask for one by name", omitted);
}
