/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses a TRIGGER from left to right: event, offset, threshold, action and
 * data. An error states the character where parsing stopped.
 */
#include "common/policy/reservation/sr_trigger.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "common/util/text.h"

static const char *const events[MAUI_SR_EVENTS] = {
	[MAUI_SR_ON_NOTHING] = "none",    [MAUI_SR_ON_CREATE] = "create",
	[MAUI_SR_ON_START] = "start",     [MAUI_SR_ON_END] = "end",
	[MAUI_SR_ON_MINLOAD] = "minload",
};

static const char *const actions[] = {"cancel", "exec", "submit"};

#define ACTIONS (sizeof(actions) / sizeof(actions[0]))

const char *maui_sr_event_name(enum maui_sr_event event)
{
	return event < MAUI_SR_EVENTS ? events[event] : events[MAUI_SR_ON_NOTHING];
}

const char *maui_sr_trigger_action_name(enum maui_sr_trigger_action action)
{
	return actions[action];
}

struct parse {
	const char *text, *at;
	struct maui_sr_trigger trigger;
	struct maui_error *error;
};

/* Whether this word comes next, as a whole. */
static bool is_word(const char *at, const char *word)
{
	size_t size = strlen(word);

	return !strncasecmp(at, word, size) && !isalnum((unsigned char)at[size]) && at[size] != '_';
}

static int take_event(struct parse *parse)
{
	for (int i = MAUI_SR_ON_CREATE; i < MAUI_SR_EVENTS; i++) {
		if (!is_word(parse->at, events[i]))
			continue;
		parse->trigger.event = i;
		parse->at += strlen(events[i]);
		return 0;
	}
	return maui_error_set(parse->error, EINVAL,
			      "it does not begin with create, start, end or minload");
}

/* One field of digits. -1: there is none, or it is too large. */
static int64_t take_field(struct parse *parse)
{
	const char *begin = parse->at;
	int64_t value = 0;

	for (; maui_is_digit(*parse->at) && value <= MAUI_SR_TRIGGER_MAX_OFFSET; parse->at++)
		value = value * 10 + (*parse->at - '0');
	return parse->at == begin || maui_is_digit(*parse->at) ? -1 : value;
}

/* A ':' followed by a digit continues the offset; any other one begins the action. */
static int take_offset(struct parse *parse)
{
	int64_t seconds = 0;
	int fields = 0;

	if (*parse->at != '+')
		return 0;
	do {
		int64_t field;

		parse->at++;
		field = take_field(parse);
		seconds = seconds * 60 + field;
		if (field < 0 || ++fields > 3 || seconds > MAUI_SR_TRIGGER_MAX_OFFSET)
			return maui_error_set(parse->error, EINVAL,
					      "the offset is not [[HH:]MM:]SS of a year at most");
	} while (*parse->at == ':' && maui_is_digit(parse->at[1]));
	parse->trigger.offset = seconds;
	return 0;
}

/* Digits and one point, whatever the locale. */
static bool take_decimal(struct parse *parse, double *ret_value)
{
	double value = 0, scale = 1;
	bool any = false;

	for (; maui_is_digit(*parse->at); parse->at++, any = true)
		value = value * 10 + (*parse->at - '0');
	if (*parse->at == '.')
		parse->at++;
	for (; maui_is_digit(*parse->at); parse->at++, any = true) {
		scale /= 10;
		value += (*parse->at - '0') * scale;
	}
	*ret_value = value;
	return any;
}

static int take_threshold(struct parse *parse)
{
	bool minload = parse->trigger.event == MAUI_SR_ON_MINLOAD;
	double value;

	if (*parse->at != '@')
		return minload ? maui_error_set(parse->error, EINVAL,
						"minload has no threshold (minload@0.5)")
			       : 0;
	if (!minload)
		return maui_error_set(parse->error, EINVAL, "%s has no threshold, only minload has",
				      events[parse->trigger.event]);
	parse->at++;
	if (!take_decimal(parse, &value))
		return maui_error_set(parse->error, EINVAL, "the threshold is not a number");
	if (*parse->at == '%' || value > 1)
		value /= 100;
	if (*parse->at == '%')
		parse->at++;
	if (!(value <= 1))
		return maui_error_set(parse->error, EINVAL,
				      "the threshold is more than 100 percent");
	parse->trigger.threshold = value;
	return 0;
}

static int take_action(struct parse *parse)
{
	if (*parse->at != ';' && *parse->at != ':')
		return maui_error_set(parse->error, EINVAL,
				      "';' or ':' and an action are expected here");
	parse->at++;
	for (size_t i = 0; i < ACTIONS; i++) {
		if (!is_word(parse->at, actions[i]))
			continue;
		parse->trigger.action = i;
		parse->at += strlen(actions[i]);
		return 0;
	}
	return maui_error_set(parse->error, EINVAL, "the action is not cancel, exec or submit");
}

const char *maui_sr_trigger_word(const char **at, size_t *ret_size)
{
	const char *begin = *at + strspn(*at, " \t");

	*ret_size = strcspn(begin, " \t");
	*at = begin + *ret_size;
	return *ret_size ? begin : NULL;
}

static int check_words(struct parse *parse)
{
	const char *at = parse->trigger.data;
	size_t words = 0, size;

	while (maui_sr_trigger_word(&at, &size))
		words++;
	return words > MAUI_SR_TRIGGER_MAX_WORDS
		       ? maui_error_set(parse->error, EINVAL, "there are more than %d words",
					MAUI_SR_TRIGGER_MAX_WORDS)
		       : 0;
}

static int take_data(struct parse *parse)
{
	enum maui_sr_trigger_action action = parse->trigger.action;

	if (action == MAUI_SR_DO_CANCEL) {
		parse->trigger.data = "";
		return *parse->at
			       ? maui_error_set(parse->error, EINVAL, "nothing may follow cancel")
			       : 0;
	}
	if (*parse->at != '@' || parse->at[1] != '/')
		return maui_error_set(parse->error, EINVAL,
				      "'@' and an absolute path are expected after %s",
				      actions[action]);
	parse->trigger.data = ++parse->at;
	return action == MAUI_SR_DO_EXEC ? check_words(parse) : 0;
}

int maui_sr_trigger_parse(const char *text, struct maui_sr_trigger *ret_trigger, size_t *ret_at,
			  struct maui_error *error)
{
	struct parse parse = {.text = text, .at = text, .error = error};
	int rc = strlen(text) <= MAUI_SR_TRIGGER_MAX_TEXT
			 ? 0
			 : maui_error_set(error, EINVAL, "it is longer than %d bytes",
					  MAUI_SR_TRIGGER_MAX_TEXT);

	if (!rc)
		rc = take_event(&parse);
	if (!rc)
		rc = take_offset(&parse);
	if (!rc)
		rc = take_threshold(&parse);
	if (!rc)
		rc = take_action(&parse);
	if (!rc)
		rc = take_data(&parse);
	if (rc)
		*ret_at = (size_t)(parse.at - parse.text);
	else
		*ret_trigger = parse.trigger;
	return rc;
}
