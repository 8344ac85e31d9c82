/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/vectors/reservation_case.h"

#include <stdio.h>
#include <string.h>

#include "testsuite/vectors/lines.h"

static uint32_t id_of(void *context, enum maui_credential type, const char *name)
{
	struct reservation_core *core = context;

	return maui_intern_add(core->names[type], name);
}

uint32_t reservation_id(struct reservation_core *core, enum maui_credential type, const char *name)
{
	return name ? id_of(core, type, name) : MAUI_NO_CREDENTIAL;
}

bool reservation_core_open(struct check *check, const char *lines, struct reservation_core *ret)
{
	struct maui_limit_names names = {id_of, ret};
	struct maui_error error = {"out of memory"};

	*ret = (struct reservation_core){.config = NULL};
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		ret->names[type] = maui_intern_new();
	if (lines &&
	    !maui_config_parse("maui.cfg", lines, strlen(lines), NULL, &ret->config, &error)) {
		ret->settings = maui_sr_settings_compile(ret->config, &names);
		return true;
	}
	check_fail(check, "cfg", "%s", error.text);
	reservation_core_close(ret);
	return false;
}

void reservation_core_close(struct reservation_core *core)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		maui_intern_free(core->names[type]);
	maui_sr_settings_free(core->settings);
	maui_config_unref(core->config);
}

const char *reservation_affinity(enum maui_affinity affinity)
{
	switch (affinity) {
	case MAUI_AFFINITY_POSITIVE:
		return "+";
	case MAUI_AFFINITY_NEUTRAL:
		return "=";
	case MAUI_AFFINITY_NEGATIVE:
		return "-";
	default:
		return "none";
	}
}

/* The core's, in the original's order. */
void reservation_flags(const struct maui_sr *sr, char *text, size_t size)
{
	static const char *const names[] = {"STANDINGRES", "SINGLEUSE",     "BYNAME",
					    "META",        "PREEMPTEE",     "TIMEFLEX",
					    "SPACEFLEX",   "DEDICATEDNODE", "DEDICATEDRESOURCE",
					    "ADVRES",      "FORCE",         "OWNERPREEMPT"};

	*text = '\0';
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		unsigned int flag = maui_sr_flag_find(names[i]);
		size_t length = strlen(text);

		if (flag & (sr->flags | (sr->dedicated ? MAUI_SR_DEDICATEDRESOURCE : 0u)))
			snprintf(text + length, size - length, "%s%s", length ? "," : "", names[i]);
	}
}

/* ---- items --------------------------------------------------------------------------------- */

static bool has_text(struct json_object *cfg, const char *text)
{
	for (size_t i = 0; i < lines_count(cfg); i++)
		if (strstr(lines_at(cfg, i), text))
			return true;
	return false;
}

/* The original reads an operator in place of '=' as '='. */
static void check_comparison(struct check *check, struct json_object *item,
			     const struct maui_acl_item *ours, struct json_object *cfg)
{
	static const char *const texts[] = {"==", "<", "<=", ">=", ">"};
	const char *text = ours->type <= MAUI_ACL_ATTRIBUTE ? "%=" : texts[ours->comparison];
	struct text_readings readings = {text, text, 0};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char attribute[32];

		snprintf(attribute, sizeof(attribute), "LIMIT%s", texts[i]);
		if (ours->type > MAUI_ACL_ATTRIBUTE && strcmp(text, "<=") != 0 &&
		    !strcmp(texts[i], text) && has_text(cfg, attribute)) {
			readings.original = "<=";
			readings.rules = RULE_BIT(RULE_ACL_OPERATOR);
		}
	}
	check_text_rules(check, "acl.cmp",
			 member_text(item, "cmp") ? member_text(item, "cmp") : "(no text)", text,
			 &readings);
}

/* The original stores no name for MAXTIME, or keeps that of TIMELIMIT, whose value it replaces. */
static void check_name(struct check *check, struct json_object *item,
		       const struct maui_acl_item *ours, struct json_object *cfg)
{
	const char *expected = member_text(item, "name"), *limit;
	char name[80], text[64];

	snprintf(name, sizeof(name), "%.*s", (int)ours->name_size, ours->name);
	if (ours->type != MAUI_ACL_DURATION || !has_text(cfg, "MAXTIME") || !expected ||
	    !strcmp(expected, name)) {
		check_text(check, "acl.name", expected, name);
		return;
	}
	limit = lines_attribute(cfg, "SRCFG", "test", "TIMELIMIT", text);
	if (limit)
		text[strcspn(text, "*")] = '\0';
	check_text_left_out(check, "acl.name", expected, limit ? limit : "", RULE_ACL_MAXTIME);
}

static void check_item(struct check *check, struct json_object *item,
		       const struct maui_acl_item *ours, struct json_object *cfg)
{
	static const char *const known[] = {"aff",  "cmp",   "deny", "name", "req",
					    "type", "value", "xor",  NULL};
	static const int affinities[MAUI_AFFINITIES] = {[MAUI_AFFINITY_POSITIVE] = 2,
							[MAUI_AFFINITY_NEUTRAL] = 3,
							[MAUI_AFFINITY_NEGATIVE] = 4};

	check_members(check, item, known);
	check_text(check, "acl.type", member_text(item, "type"), maui_acl_type_name(ours->type));
	check_number(check, "acl.aff", member_number(item, "aff", -1), affinities[ours->affinity]);
	check_number(check, "acl.deny", member_number(item, "deny", -1), ours->deny);
	check_number(check, "acl.req", member_number(item, "req", -1), ours->required);
	check_number(check, "acl.xor", member_number(item, "xor", -1), ours->exclude);
	check_number(check, "acl.value", member_number(item, "value", -1), (double)ours->value);
	check_comparison(check, item, ours, cfg);
	check_name(check, item, ours, cfg);
}

/* Items of access lists on a line; the original drops bare words that continue a list. */
static size_t count_items(const char *line, bool original)
{
	size_t count = 0, limits = 0;
	char copy[512], *rest, *word;
	bool list = false;

	snprintf(copy, sizeof(copy), "%s", line);
	strtok_r(copy, " ", &rest);
	for (word = strtok_r(NULL, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		size_t name = strcspn(word, "=<>");
		bool pair = word[name] != '\0';
		bool maxtime = !strncmp(word, "MAXTIME", 7);
		bool time = maxtime || !strncmp(word, "TIMELIMIT", 9);

		if (pair)
			list = time ||
			       (name > 4 && !strncmp(word + name - 4, "LIST", 4) &&
				strncmp(word, "HOST", 4) != 0) ||
			       (name > 5 && !strncmp(word + name - 5, "LIMIT", 5));
		if (!list || (!pair && original))
			continue;
		word += pair ? name : 0;
		while (*(word += strspn(word, time ? "=,|" : "=,|:"))) {
			/* MAXTIME sets an existing TIMELIMIT. */
			if (!maxtime || !limits)
				count++;
			limits += time;
			word += strcspn(word, time ? ",|" : ",|:");
		}
	}
	return count;
}

static void check_count(struct check *check, struct json_object *cfg, double theirs, double ours)
{
	struct readings readings = {0, 0, 0, 0};

	for (size_t i = 0; i < lines_count(cfg); i++) {
		const char *line = lines_at(cfg, i);

		/* Old parameters have one list, separated by blanks. */
		if (strncmp(line, "SRCFG", 5) != 0) {
			readings.original += ours;
			readings.documented += ours;
			continue;
		}
		readings.original += (double)count_items(line, true);
		readings.documented += (double)count_items(line, false);
	}
	if (readings.original != readings.documented)
		readings.rules = RULE_BIT(RULE_BLANKS);
	else
		readings.original = readings.documented = theirs;
	check_readings(check, "acl.count", theirs, ours, &readings);
}

/* The original's implicit entry is the last one: RES==test.0 */
static bool is_implicit(struct json_object *item)
{
	const char *type = member_text(item, "type");

	return type && !strcmp(type, "RES");
}

void reservation_check_acl(struct check *check, struct json_object *expected,
			   const struct maui_acl *acl, struct json_object *cfg)
{
	const struct maui_acl_item *items;
	size_t count = maui_acl_items(acl, &items), theirs;

	if (!json_object_is_type(expected, json_type_array)) {
		check_fail(check, "acl", "no list");
		return;
	}
	theirs = json_object_array_length(expected);
	if (theirs && is_implicit(json_object_array_get_idx(expected, theirs - 1))) {
		theirs--;
		check_left_out(
			check, "acl.RES",
			member_number(json_object_array_get_idx(expected, theirs), "aff", -1), 3,
			RULE_ACL_RES);
	}
	check_count(check, cfg, (double)theirs, (double)count);
	count = theirs < count ? theirs : count;
	for (size_t i = 0; i < count; i++)
		check_item(check, json_object_array_get_idx(expected, i), &items[i], cfg);
}
