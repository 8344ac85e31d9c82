/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of findings, and how it is printed. */
#include "contribs/maui/why/why.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/terminal.h"
#include "contribs/maui/lib/text.h"

static const struct {
	const char *name, *title;
} parts[WHY_PARTS] = {
	[WHY_CAUSE] = {"cause", "What holds it back"},
	[WHY_NODES] = {"nodes", "Nodes"},
	[WHY_AHEAD] = {"ahead", "Who is ahead"},
	[WHY_FREES] = {"frees", "What would free it"},
	[WHY_WHEN] = {"when", "When"},
	[WHY_PLACE] = {"place", "Why these nodes"},
	[WHY_NODE_STATE] = {"state", "State"},
	[WHY_NODE_JOBS] = {"jobs", "Jobs that have it"},
	[WHY_NODE_RESERVED] = {"reserved", "Reservations"},
	[WHY_NODE_PLAN] = {"plan", "Planned starts"},
	[WHY_NODE_WAITING] = {"waiting", "Jobs that wait for its partitions"},
	[WHY_UNSEEN] = {"unseen", "What could not be seen"},
};

const char *why_part_name(enum why_part part)
{
	return parts[part].name;
}

/* ---- facts ---------------------------------------------------------------------------------- */

void why_fact_text(struct json_object *facts, const char *name, const char *text)
{
	json_set(facts, name, text && *text ? json_make_text(text) : NULL);
}

void why_fact_time(struct json_object *facts, const char *name, int64_t time)
{
	json_set(facts, name, time > 0 ? json_make_number(time) : NULL);
}

/* ---- texts ---------------------------------------------------------------------------------- */

const char *why_time(int64_t time, char text[TEXT_DATE_SIZE])
{
	static const char unknown[] = "not known";

	return time > 0 ? text_date(time, unknown, text) : unknown;
}

void why_append(char *buffer, size_t size, const char *format, ...)
{
	size_t length = strlen(buffer);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(buffer + length, size - length, format, arguments);
	va_end(arguments);
}

const char *why_plural(int64_t count, const char *one, const char *many)
{
	return count == 1 ? one : many;
}

/* ---- findings ------------------------------------------------------------------------------- */

void why_add(struct why *why, enum why_part part, const char *kind, struct json_object *facts,
	     const char *format, ...)
{
	struct json_object *finding = json_make_object();
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = text_vprintf(format, arguments);
	va_end(arguments);
	why_fact_text(finding, "part", parts[part].name);
	why_fact_text(finding, "kind", kind);
	why_fact_text(finding, "text", text);
	json_set(finding, "facts", facts ? facts : json_make_object());
	free(text);
	json_append(why->findings, finding);
}

static struct json_object *next_of(const struct why *why, enum why_part part, size_t *at)
{
	while (*at < array_size(why->findings)) {
		struct json_object *finding = json_object_array_get_idx(why->findings, (*at)++);

		if (!strcmp(member_text(finding, "part"), parts[part].name))
			return finding;
	}
	return NULL;
}

struct json_object *why_first(const struct why *why, enum why_part part)
{
	size_t at = 0;

	return next_of(why, part, &at);
}

bool why_has(const struct why *why, enum why_part part)
{
	return why_first(why, part);
}

/* ---- telling -------------------------------------------------------------------------------- */

static void print_part(const struct why *why, enum why_part part)
{
	struct json_object *finding;
	size_t at = 0;
	bool first = true;

	while ((finding = next_of(why, part, &at))) {
		if (first)
			printf("\n%s%s:%s\n", mark(MARK_TITLE), parts[part].title, mark(MARK_END));
		first = false;
		printf("  ");
		print_clean(member_text(finding, "text"));
		putchar('\n');
	}
}

struct json_object *why_in_order(const struct why *why)
{
	struct json_object *sorted = json_make_array(), *finding;

	for (enum why_part part = 0; part < WHY_PARTS; part++)
		for (size_t at = 0; (finding = next_of(why, part, &at));)
			json_append(sorted, json_object_get(finding));
	return sorted;
}

struct json_object *why_data(const struct why *why)
{
	struct json_object *data = json_make_object();

	json_set_number(data, "time", why->now);
	json_set_same(data, why->job, "id");
	json_set_same(data, why->job, "job");
	json_set_same(data, why->job, "user");
	json_set_same(data, why->job, "partition");
	json_set_same(data, why->job, "state");
	json_set_same(data, why->job, "reason");
	json_set_same(data, why->job, "description");
	json_set_same(data, why->job, "priority");
	json_set_flag(data, "engine", why->engine);
	why_fact_text(data, "summary", why->summary);
	json_set(data, "findings", why_in_order(why));
	return data;
}

void why_print(const struct why *why)
{
	print_clean(why->summary);
	putchar('\n');
	for (enum why_part part = 0; part < WHY_PARTS; part++)
		print_part(why, part);
}
