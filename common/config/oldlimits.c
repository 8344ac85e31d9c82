/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects the COUNT and POLICY lines of each limit. At the end sets
 * USERCFG[DEFAULT] MAXJOB and the like, unless maui.cfg has them too.
 */
#include "common/config/oldlimits.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/config/parser.h"
#include "common/util/text.h"

static struct maui_old_limit *oldlimits_find(struct maui_old_limits *limits,
					     const struct maui_legacy *legacy, const char *name,
					     struct maui_origin origin)
{
	struct maui_old_limit *limit = limits->items;

	for (size_t i = 0; i < limits->count; i++, limit++)
		if (limit->section == legacy->section && limit->key->key == legacy->key)
			return limit;
	if (limits->count == MAUI_OLD_LIMITS)
		return NULL;
	limits->count++;
	*limit = (struct maui_old_limit){.section = legacy->section,
					 .key = maui_key_info(legacy->key),
					 .origin = origin,
					 .name = name};
	return limit;
}

/* ON, OFF and the like. 1 or 0; -1 with a problem. */
static int read_switch(struct maui_parser *parser, const char *name, const char *text,
		       struct maui_origin origin)
{
	static const struct maui_key_info key = {.kind = MAUI_KIND_BOOLEAN, .default_text = "ON"};
	struct maui_key_info named = key;
	struct maui_reading reading = {.arena = parser->config->arena,
				       .problems = &parser->problems,
				       .key = &named,
				       .origin = origin,
				       .operation = "="};
	struct maui_value value;

	named.name = name;
	return maui_value_read(&reading, text, &value) ? value.boolean : -1;
}

/* A limit's line replaces an earlier one of the same name. */
static void oldlimits_record(struct maui_parser *parser, uint32_t *place,
			     const struct maui_value *value, struct maui_origin origin)
{
	maui_record_replaced(parser->records, *place, origin);
	maui_record_taken(parser->records, value, place);
}

void maui_old_limit_read(struct maui_parser *parser, const struct maui_legacy *legacy,
			 const char *name, const char *text, struct maui_origin origin)
{
	struct maui_old_limit *limit = oldlimits_find(parser->old_limits, legacy, name, origin);
	struct maui_reading reading = {.arena = parser->config->arena,
				       .problems = &parser->problems,
				       .key = maui_key_info(legacy->key),
				       .origin = origin,
				       .operation = "="};
	bool soft = legacy->form == MAUI_LEGACY_SOFT || legacy->form == MAUI_LEGACY_SOFT_POLICY;
	struct maui_value value;

	if (!limit)
		return;
	if (legacy->form == MAUI_LEGACY_HARD_POLICY || legacy->form == MAUI_LEGACY_SOFT_POLICY) {
		int on = read_switch(parser, name, text, origin);

		if (on < 0)
			return;
		*(soft ? &limit->soft_off : &limit->hard_off) = !on;
		oldlimits_record(parser, &limit->records[soft ? 3 : 2], NULL, origin);
		return;
	}
	if (!maui_value_read(&reading, text, &value))
		return;
	*(soft ? &limit->soft : &limit->hard) = value.limit.hard;
	oldlimits_record(parser, &limit->records[soft], &value, origin);
}

static void oldlimits_finish(struct maui_parser *parser, const struct maui_old_limit *limit)
{
	int64_t hard = limit->hard_off ? 0 : limit->hard, soft = limit->soft_off ? 0 : limit->soft;
	struct maui_value value = {.key = limit->key, .origin = limit->origin};
	struct maui_object *object;
	struct maui_entry *entry;
	char text[64];

	if (!hard) /* a soft limit alone is a limit, too */
		hard = soft;
	if (!soft || (hard > 0 && (soft < 0 || soft > hard)))
		soft = hard;
	if (!hard)
		return;
	object = maui_parser_object(parser, limit->section, "DEFAULT", strlen("DEFAULT"),
				    limit->origin);
	if (!object)
		return;
	entry = maui_object_entry(parser->config, object, limit->key->key);
	if (entry) {
		for (size_t i = 0; i < sizeof(limit->records) / sizeof(limit->records[0]); i++)
			maui_record_replaced(parser->records, limit->records[i],
					     entry->value.origin);
		maui_problem_add(&parser->problems, MAUI_WARNING, limit->origin,
				 "%s: %s[DEFAULT] %s is given too, and takes precedence",
				 limit->name, maui_section_name(limit->section), limit->key->name);
		return;
	}
	snprintf(text, sizeof(text), "%" PRId64 ",%" PRId64, soft, hard);
	value.text = maui_arena_text(parser->config->arena, text, strlen(text));
	value.limit.soft = soft;
	value.limit.hard = hard;
	maui_parser_set(parser, object, &value);
}

void maui_old_limits_finish(struct maui_parser *parser)
{
	for (size_t i = 0; i < parser->old_limits->count; i++)
		oldlimits_finish(parser, &parser->old_limits->items[i]);
}
