/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The areas cred_parse, fstarget_parse, time_parse and time_format: texts into values, and back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/time/duration.h"
#include "testsuite/vectors/lines.h"
#include "testsuite/vectors/original.h"

void check_fstarget_parse(struct check *check, struct json_object *object)
{
	static const char *const known[] = {"in", "mode", "target", "show", NULL};
	struct maui_config *config = NULL;
	struct maui_error error = {""};
	const struct maui_value *value;
	char line[128], show[64];

	check_members(check, object, known);
	snprintf(line, sizeof(line), "USERCFG[x] FSTARGET='%s'\n", member_text(object, "in"));
	if (maui_config_parse("maui.cfg", line, strlen(line), NULL, &config, &error)) {
		check_fail(check, "in", "%s", error.text);
		return;
	}
	value = maui_object_get(maui_config_object(config, MAUI_USERCFG, "x"), MAUI_ATTR_FSTARGET);
	if (value) {
		check_number(check, "target", member_number(object, "target", -1), value->real);
		check_number(check, "mode", member_number(object, "mode", -1),
			     maui_fstarget_mode(value->mark));
		snprintf(show, sizeof(show), "%.2f%c", value->real,
			 value->mark ? value->mark : ' ');
		check_text(check, "show", member_text(object, "show"), show);
	} else if (member_number(object, "target", -1) > 0) {
		check_fail(check, "in", "refused");
	} /* else the original has no target either */
	maui_config_unref(config);
}

void check_time_parse(struct check *check, struct json_object *object)
{
	static const char *const known[] = {"in", "sec", NULL};
	const char *text = member_text(object, "in");
	struct readings readings;
	int64_t seconds;

	check_members(check, object, known);
	if (maui_duration_parse(text, &seconds, NULL, NULL)) {
		check_fail(check, "in", "refused");
		return;
	}
	readings = (struct readings){.original = original_duration(text, ALL_RULES),
				     .documented = original_duration(text, 0),
				     .rules = RULE_BIT(RULE_TWO_FIELDS)};
	if (readings.original == readings.documented)
		readings.rules = 0;
	check_readings(check, "sec", member_number(object, "sec", -1), (double)seconds, &readings);
}

void check_time_format(struct check *check, struct json_object *object)
{
	static const char *const known[] = {"sec", "out", NULL};
	char text[MAUI_DURATION_SIZE];

	check_members(check, object, known);
	maui_duration_format(json_object_get_int64(member(object, "sec")), text);
	check_text(check, "out", member_text(object, "out"), text);
}

/* One credential of a configuration, and how the original sees its lines. */
struct credential_case {
	struct json_object *cfg;
	const char *name;
	enum maui_section section;
	const struct maui_object *ours; /* NULL: no line names it */
	bool upper_case;                /* the original only knows upper-case names */
};

/* Whether all names of sections and attributes in the case's lines are in upper case. */
static bool all_upper_case(struct json_object *cfg)
{
	for (size_t i = 0; i < lines_count(cfg); i++) {
		const char *line = lines_at(cfg, i);
		bool name = true; /* up to '[', and from blanks to '=' */

		for (; *line; line++) {
			if (*line == '[' || *line == '=')
				name = false;
			else if (*line == ' ' || *line == '\t')
				name = true;
			else if (name && *line >= 'a' && *line <= 'z')
				return false;
		}
	}
	return true;
}

/*
 * Both readings of a field. The original does not see names that are not in upper case: then the
 * field is 0.
 */
static void check_field(struct check *check, const struct credential_case *input, const char *field,
			double expected, double ours, const struct readings *also)
{
	struct readings readings =
		also ? *also : (struct readings){.original = ours, .documented = ours};

	if (!input->upper_case) {
		readings.original = 0;
		readings.rules |= RULE_BIT(RULE_CASE);
	}
	if (readings.original == readings.documented)
		readings.rules = 0;
	check_readings(check, field, expected, ours, &readings);
}

/* An element of a pair; 0 if there is no such pair. */
static double number_at(struct json_object *pair, int index)
{
	if (!json_object_is_type(pair, json_type_array))
		return 0;
	return json_object_get_double(json_object_array_get_idx(pair, index));
}

/* A limit [soft, hard]. The original reads a time with several fields up to its first ':'. */
static void check_limit(struct check *check, const struct credential_case *input, const char *name,
			struct json_object *expected, const struct maui_value *ours)
{
	int64_t values[2] = {ours ? ours->limit.soft : 0, ours ? ours->limit.hard : 0};
	char text[64], section[32];
	const char *lines_text;

	snprintf(section, sizeof(section), "%s", maui_section_name(input->section));
	lines_text = lines_attribute(input->cfg, section, input->name, name, text);
	for (int i = 0; i < 2; i++) {
		struct readings readings = {.original = values[i], .documented = values[i]};
		const char *part = lines_text;
		char path[64];

		snprintf(path, sizeof(path), "limits.%s.%s", name, i ? "hard" : "soft");
		if (part && i && strchr(part, ','))
			part = strchr(part, ',') + 1;
		if (part && ours && ours->key->kind == MAUI_KIND_TIME_LIMIT) {
			readings.original = (double)strtol(part, NULL, 0);
			readings.documented = original_duration(part, 0);
			readings.rules = RULE_BIT(RULE_MAXWC_TIME);
		}
		check_field(check, input, path, number_at(expected, i), (double)values[i],
			    &readings);
	}
}

static bool is_limit(const struct maui_value *value)
{
	switch (value->key->kind) {
	case MAUI_KIND_LIMIT:
	case MAUI_KIND_TIME_LIMIT:
	case MAUI_KIND_MEMORY_LIMIT:
		return !value->has_dimension && (value->limit.soft || value->limit.hard);
	default:
		return false;
	}
}

/* The vector's limits against ours, then ours against the vector's: neither may have extra ones. */
static void check_limits(struct check *check, const struct credential_case *input,
			 struct json_object *limits)
{
	const struct maui_value *const *values = NULL;
	size_t count = input->ours ? maui_object_values(input->ours, &values) : 0;

	if (limits) {
		json_object_object_foreach(limits, name, expected)
		{
			const struct maui_value *found = NULL;

			for (size_t i = 0; i < count; i++)
				if (is_limit(values[i]) && !strcmp(values[i]->key->name, name))
					found = values[i];
			check_limit(check, input, name, expected, found);
		}
	}
	for (size_t i = 0; i < count; i++)
		if (is_limit(values[i]) && !member(limits, values[i]->key->name))
			check_limit(check, input, values[i]->key->name, NULL, values[i]);
}

static void check_values(struct check *check, const struct credential_case *input,
			 struct json_object *expect)
{
	const struct maui_value *priority = maui_object_get(input->ours, MAUI_ATTR_PRIORITY);
	const struct maui_value *target = maui_object_get(input->ours, MAUI_ATTR_FSTARGET);
	double number = 0;

	if (priority)
		number = priority->key->kind == MAUI_KIND_REAL ? priority->real
							       : (double)priority->integer;
	check_field(check, input, "priority", member_number(expect, "priority", -1), number, NULL);
	check_field(check, input, "fstarget", member_number(expect, "fstarget", -1),
		    target ? target->real : 0, NULL);
	check_field(check, input, "fsmode", member_number(expect, "fsmode", -1),
		    target ? maui_fstarget_mode(target->mark) : MAUI_FS_NONE, NULL);
	check_limits(check, input, member(expect, "limits"));
}

void check_cred_parse(struct check *check, struct json_object *object)
{
	static const char *const known[] = {"cfg", "expect", "rc", "id", NULL};
	static const char *const fields[] = {"name",   "type",   "priority", "fstarget",
					     "fsmode", "limits", NULL};
	struct json_object *expect = member(object, "expect");
	struct credential_case input = {.cfg = member(object, "cfg")};
	char *text = lines_join(input.cfg);
	struct maui_config *config = NULL;
	struct maui_error error = {""};

	check_members(check, object, known);
	check_members(check, expect, fields);
	input.name = member_text(expect, "name");
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		if (member_text(expect, "type") &&
		    !strcmp(member_text(expect, "type"), maui_credential_name(type)))
			input.section = maui_credential_section(type);
	if (!text || !input.name || !input.section) {
		check_fail(check, "expect", "no credential is named");
	} else if (maui_config_parse("maui.cfg", text, strlen(text), NULL, &config, &error)) {
		check_fail(check, "cfg", "%s", error.text);
	} else {
		input.ours = maui_config_object(config, input.section, input.name);
		input.upper_case = all_upper_case(input.cfg);
		check_number(check, "rc", member_number(object, "rc", -1), 0);
		check_values(check, &input, expect);
	}
	maui_config_unref(config);
	free(text);
}
