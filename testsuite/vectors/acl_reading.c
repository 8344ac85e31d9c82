/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/vectors/acl_reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testsuite/vectors/original.h"

/* ---- items --------------------------------------------------------------------------------- */

static bool is_number_type(const char *type)
{
	return !strcmp(type, "DURATION") || !strcmp(type, "PROC") || !strcmp(type, "TASK");
}

static const char *read_comparison(struct acl_reading_item *item, const char *text)
{
	size_t length = strspn(text, "<>=");

	if (!is_number_type(item->type))
		strcpy(item->comparison, "%=");
	else if (length && length < sizeof(item->comparison))
		snprintf(item->comparison, sizeof(item->comparison), "%.*s", (int)length, text);
	else
		strcpy(item->comparison, "<=");
	return text + length;
}

static bool read_item(struct acl_reading_item *item, const char *type, const char *text)
{
	size_t length;
	const char *mark;

	*item = (struct acl_reading_item){.affinity = 2};
	snprintf(item->type, sizeof(item->type), "%s", type);
	text = read_comparison(item, text);
	for (; *text && strchr("!^*", *text); text++) {
		item->deny |= *text == '!';
		item->exclude |= *text == '^';
		item->required |= *text == '*';
	}
	length = strlen(text);
	mark = length > 1 ? strchr("+=-*!^", text[length - 1]) : NULL;
	if (mark) {
		length--;
		if (strchr("+=-", *mark)) {
			item->affinity = *mark == '+' ? 2 : *mark == '=' ? 3 : 4;
			item->affinity_given = true;
		}
		item->deny |= *mark == '!';
		item->exclude |= *mark == '^';
		item->required |= *mark == '*';
	}
	if (!length || length >= sizeof(item->name))
		return false;
	memcpy(item->name, text, length);
	item->name[length] = '\0';
	if (!strcmp(type, "DURATION"))
		item->value = original_duration(item->name, 0);
	else if (is_number_type(type))
		item->value = (double)strtol(item->name, NULL, 0);
	return true;
}

bool acl_reading_add(struct acl_reading *acl, const char *type, const char *list)
{
	const char *delimiters = strcmp(type, "DURATION") ? ",|: " : ",| ";
	char copy[512], *rest, *word;

	snprintf(copy, sizeof(copy), "%s", list);
	for (word = strtok_r(copy, delimiters, &rest); word;
	     word = strtok_r(NULL, delimiters, &rest))
		if (acl->count == ACL_READING_ITEMS ||
		    !read_item(&acl->items[acl->count++], type, word))
			return false;
	return true;
}

/* ---- evaluation ---------------------------------------------------------------------------- */

static bool matches(const struct acl_reading_item *item,
		    const struct acl_reading_credential *credential)
{
	double number;

	if (strcmp(item->type, credential->type) != 0)
		return false;
	if (!strcmp(item->comparison, "%="))
		return !strcmp(item->name, credential->value);
	number = strtod(credential->value, NULL);
	if (!strcmp(item->comparison, "<="))
		return number <= item->value;
	if (!strcmp(item->comparison, ">="))
		return number >= item->value;
	if (!strcmp(item->comparison, "<"))
		return number < item->value;
	if (!strcmp(item->comparison, ">"))
		return number > item->value;
	return number == item->value;
}

struct state {
	rule_mask rules;
	bool plain_needed, plain_found, any_required, any_deny, open_deny, matched;
	int affinity, weak; /* 0: none */
};

static bool original_does(const struct state *state, enum rule rule)
{
	return state->rules & RULE_BIT(rule);
}

/* Which kinds of items there are. The original stops at the first one without a name. */
static void survey(const struct acl_reading *acl, struct state *state)
{
	bool looking = true;

	for (size_t i = 0; i < acl->count; i++) {
		const struct acl_reading_item *item = &acl->items[i];

		if (item->implicit && !original_does(state, RULE_ACL_RES))
			continue;
		if (item->unnamed && original_does(state, RULE_ACL_MAXTIME))
			looking = false;
		if (looking && !item->deny && !item->required && !item->exclude)
			state->plain_needed = true;
		state->any_required |= item->required;
		state->any_deny |= item->deny;
		state->open_deny |= item->deny && !item->required;
	}
}

/* False: the item refuses. */
static bool take_item(const struct acl_reading_item *item,
		      const struct acl_reading_credential *credentials, size_t count,
		      struct state *state)
{
	bool met = item->required && item->deny && !original_does(state, RULE_ACL_NOT);

	for (size_t i = 0; i < count; i++) {
		if (!matches(item, &credentials[i]))
			continue;
		if (item->deny)
			return false;
		if (item->exclude)
			continue;
		state->matched = true;
		if (item->required)
			met = true;
		else
			state->plain_found = true;
		if (is_number_type(item->type) && !item->affinity_given &&
		    !original_does(state, RULE_ACL_LIMIT))
			state->weak = item->affinity;
		else
			state->affinity = item->affinity;
	}
	return !item->required || met;
}

/* What holds if no item refuses. */
static void conclude(const struct state *state, struct acl_answer *answer)
{
	if (original_does(state, RULE_ACL_NOT)) {
		if (state->plain_needed && !state->plain_found)
			return;
		answer->rc = 1;
		answer->inclusive = state->matched || state->any_deny;
		return;
	}
	answer->inclusive = state->plain_found || state->open_deny ||
			    (!state->plain_needed && state->any_required);
	answer->rc = answer->inclusive || !state->plain_needed;
}

void acl_reading_evaluate(const struct acl_reading *acl,
			  const struct acl_reading_credential *credentials, size_t count,
			  rule_mask rules, struct acl_answer *ret_answer)
{
	static const char *const names[] = {"none", "none", "+", "=", "-"};
	struct state state = {.rules = rules};
	bool refused = false;

	*ret_answer = (struct acl_answer){.affinity = "none"};
	survey(acl, &state);
	for (size_t i = 0; i < acl->count && !refused; i++) {
		if (acl->items[i].implicit && !original_does(&state, RULE_ACL_RES))
			continue;
		refused = !take_item(&acl->items[i], credentials, count, &state);
	}
	ret_answer->affinity = names[state.affinity ? state.affinity : state.weak];
	if (!refused)
		conclude(&state, ret_answer);
}

/* ---- both readings ------------------------------------------------------------------------- */

static bool concerns(enum rule rule)
{
	return rule == RULE_ACL_RES || rule == RULE_ACL_NOT || rule == RULE_ACL_MAXTIME ||
	       rule == RULE_ACL_LIMIT || rule == RULE_ACL_OPERATOR || rule == RULE_RSV_BASE_NAME ||
	       rule == RULE_SR_FLAGS;
}

void acl_both_read(acl_reader reader, const void *input, struct acl_both *ret_both)
{
	reader(input, ALL_RULES, &ret_both->original);
	reader(input, 0, &ret_both->documented);
	for (enum rule rule = 0; rule < RULES; rule++)
		if (concerns(rule)) {
			reader(input, ALL_RULES & ~RULE_BIT(rule), &ret_both->without[rule]);
			reader(input, RULE_BIT(rule), &ret_both->with[rule]);
		}
}

static double number_at(const struct acl_answer *answer, size_t offset)
{
	return *(const double *)((const char *)answer + offset);
}

static void check_one(struct check *check, const struct acl_both *both, const char *field,
		      double expected, const struct acl_answer *ours, size_t offset)
{
	struct readings readings = {number_at(&both->original, offset),
				    number_at(&both->documented, offset), 0, 0};
	bool differ = readings.original != readings.documented;

	for (enum rule rule = 0; differ && rule < RULES; rule++)
		if (concerns(rule) && number_at(&both->without[rule], offset) != readings.original)
			readings.rules |= RULE_BIT(rule);
	for (enum rule rule = 0; differ && !readings.rules && rule < RULES; rule++)
		if (concerns(rule) && number_at(&both->with[rule], offset) != readings.documented)
			readings.rules |= RULE_BIT(rule);
	check_readings(check, field, expected, number_at(ours, offset), &readings);
}

static void check_affinity(struct check *check, const struct acl_both *both,
			   struct json_object *expect, const struct acl_answer *ours)
{
	struct text_readings readings = {both->original.affinity, both->documented.affinity, 0};
	const char *expected = member_text(expect, "affinity");
	bool differ = strcmp(readings.original, readings.documented) != 0;

	for (enum rule rule = 0; differ && rule < RULES; rule++)
		if (concerns(rule) && strcmp(both->without[rule].affinity, readings.original) != 0)
			readings.rules |= RULE_BIT(rule);
	for (enum rule rule = 0; differ && !readings.rules && rule < RULES; rule++)
		if (concerns(rule) && strcmp(both->with[rule].affinity, readings.documented) != 0)
			readings.rules |= RULE_BIT(rule);
	check_text_rules(check, "affinity", expected ? expected : "(no text)", ours->affinity,
			 &readings);
}

void acl_both_check(struct check *check, const struct acl_both *both, struct json_object *expect,
		    const char *granted, bool with_rc, const struct acl_answer *ours)
{
	check_one(check, both, granted, member_number(expect, granted, -1), ours,
		  offsetof(struct acl_answer, inclusive));
	if (with_rc)
		check_one(check, both, "rc", member_number(expect, "rc", -1), ours,
			  offsetof(struct acl_answer, rc));
	check_affinity(check, both, expect, ours);
}
