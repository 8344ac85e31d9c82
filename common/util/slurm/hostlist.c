/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses each name into literals and brackets of ranges, checks the whole list,
 * then makes the n-th name from its index.
 */
#include "common/util/slurm/hostlist.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"
#include "common/util/text.h"

#define DIGITS 9 /* of a number: 32 bits hold them all */

struct range {
	uint32_t first, count;
	uint32_t width; /* minimum number of digits */
};

/* One bracket: the text before it, and its ranges. */
struct group {
	const char *literal;
	size_t literal_size;
	size_t range, range_count; /* in struct expression */
	size_t count;              /* how many numbers it holds */
};

/* One name of the list, with all its brackets; the last group has the text after them. */
struct expression {
	struct group groups[MAUI_HOSTLIST_GROUPS + 1];
	size_t group_count; /* without the last one */
	struct range *ranges;
	size_t range_count;
	size_t count; /* names */
};

struct reader {
	const char *text, *at, *place;
	struct maui_error *error;
};

static int hostlist_refuse(struct reader *reader, const char *place, int code, const char *why)
{
	reader->place = place;
	return maui_error_set(reader->error, code, "%s", why);
}

static bool ends_name(char c)
{
	return !c || c == ',' || c == '[' || c == ']';
}

bool maui_hostlist_is_range(const char *text)
{
	return text && strpbrk(text, "[],");
}

/* The digits of a number; *ret_size is 0 if there are none. */
static int read_number(struct reader *reader, uint32_t *ret_number, size_t *ret_size)
{
	const char *start = reader->at;
	uint32_t number = 0;

	for (; maui_is_digit(*reader->at); reader->at++) {
		if (reader->at - start == DIGITS)
			return hostlist_refuse(reader, start, EINVAL,
					       "a number has too many digits");
		number = number * 10 + (uint32_t)(*reader->at - '0');
	}
	if (reader->at == start)
		return hostlist_refuse(reader, start, EINVAL,
				       *start ? "a number belongs here" : "']' is missing");
	*ret_number = number;
	*ret_size = (size_t)(reader->at - start);
	return 0;
}

/* 7, 07, 1-16, 01-16 */
static int read_range(struct reader *reader, struct range *ret_range)
{
	const char *first_text = reader->at, *last_text;
	uint32_t first, last;
	size_t first_size, last_size;
	int rc = read_number(reader, &first, &first_size);

	if (rc)
		return rc;
	*ret_range = (struct range){first, 1, (uint32_t)first_size};
	if (*reader->at != '-')
		return 0;
	last_text = ++reader->at;
	rc = read_number(reader, &last, &last_size);
	if (rc)
		return rc;
	if (last < first)
		return hostlist_refuse(reader, last_text, EINVAL,
				       "the range ends before it begins");
	if (*last_text == '0' && last_size > 1 && last_size != first_size)
		return hostlist_refuse(
			reader, last_text, EINVAL,
			"both ends of a range with leading zeros need the same number of digits");
	ret_range->count = last - first + 1;
	ret_range->width = *first_text == '0' ? (uint32_t)first_size : 1;
	return 0;
}

/* From '[' to ']'. */
static int read_bracket(struct reader *reader, struct expression *expression, struct group *group)
{
	const char *start = reader->at;

	group->range = expression->range_count;
	do {
		struct range *range = &expression->ranges[expression->range_count];
		int rc;

		reader->at++;
		if (expression->range_count == MAUI_HOSTLIST_RANGES)
			return hostlist_refuse(reader, start, E2BIG,
					       "the brackets hold too many ranges");
		rc = read_range(reader, range);
		if (rc)
			return rc;
		expression->range_count++;
		group->range_count++;
		group->count += range->count;
	} while (*reader->at == ',');
	if (*reader->at != ']')
		return hostlist_refuse(reader, reader->at, EINVAL,
				       *reader->at ? "',' '-' or ']' belongs here"
						   : "']' is missing");
	reader->at++;
	if (group->count > MAUI_HOSTLIST_LIMIT ||
	    expression->count * group->count > MAUI_HOSTLIST_LIMIT)
		return hostlist_refuse(reader, start, E2BIG,
				       "there are too many names in this range");
	expression->count *= group->count;
	return 0;
}

/* What a name may consist of is up to Slurm, but never blanks or control characters. */
static int read_literal(struct reader *reader, struct group *group)
{
	group->literal = reader->at;
	for (; !ends_name(*reader->at); reader->at++)
		if ((unsigned char)*reader->at <= ' ' || *reader->at == 0x7f)
			return hostlist_refuse(reader, reader->at, EINVAL,
					       "there are no blanks in a name");
	group->literal_size = (size_t)(reader->at - group->literal);
	return 0;
}

/* One name of the list. */
static int read_expression(struct reader *reader, struct expression *expression)
{
	const char *start = reader->at;
	size_t size = 0;
	int rc;

	memset(expression->groups, 0, sizeof(expression->groups));
	expression->range_count = expression->group_count = 0;
	expression->count = 1;
	for (;;) {
		struct group *group = &expression->groups[expression->group_count];

		rc = read_literal(reader, group);
		if (rc)
			return rc;
		/* Each group adds at most a number's digits. */
		size += group->literal_size + DIGITS;
		if (size >= MAUI_HOSTLIST_NAME)
			return hostlist_refuse(reader, start, E2BIG, "the name is too long");
		if (*reader->at != '[')
			break;
		if (expression->group_count == MAUI_HOSTLIST_GROUPS)
			return hostlist_refuse(reader, reader->at, E2BIG,
					       "a name has too many brackets");
		rc = read_bracket(reader, expression, group);
		if (rc)
			return rc;
		expression->group_count++;
	}
	if (*reader->at == ']')
		return hostlist_refuse(reader, reader->at, EINVAL, "'[' is missing before ']'");
	if (reader->at == start)
		return hostlist_refuse(reader, start, EINVAL, "a name is missing here");
	return 0;
}

/* The number at this place among all of a bracket's, with its leading zeros. */
static int print_number(const struct expression *expression, const struct group *group,
			size_t place, char *buffer, size_t room)
{
	const struct range *range = &expression->ranges[group->range];

	for (; place >= range->count; range++)
		place -= range->count;
	return snprintf(buffer, room, "%0*" PRIu32, (int)range->width,
			range->first + (uint32_t)place);
}

/* The name at this place among all of an expression's. */
static void print_name(const struct expression *expression, size_t place,
		       char name[MAUI_HOSTLIST_NAME])
{
	size_t at = 0, step = expression->count;

	for (size_t i = 0; i <= expression->group_count; i++) {
		const struct group *group = &expression->groups[i];

		memcpy(name + at, group->literal, group->literal_size);
		at += group->literal_size;
		if (i == expression->group_count)
			break;
		step /= group->count;
		at += (size_t)print_number(expression, group, place / step, name + at,
					   MAUI_HOSTLIST_NAME - at);
		place %= step;
	}
	name[at] = '\0';
}

static int give_names(const struct expression *expression, maui_hostlist_take take, void *context)
{
	char name[MAUI_HOSTLIST_NAME];
	int rc = 0;

	for (size_t i = 0; !rc && i < expression->count; i++) {
		print_name(expression, i, name);
		rc = take(context, name);
	}
	return rc;
}

/* The whole list; its names are passed to take unless that is NULL. */
static int read_list(struct reader *reader, struct expression *expression, maui_hostlist_take take,
		     void *context, size_t *ret_count)
{
	size_t count = 0;
	int rc;

	for (reader->at = reader->text;; reader->at++) {
		const char *start = reader->at;

		rc = read_expression(reader, expression);
		if (rc)
			return rc;
		count += expression->count;
		if (count > MAUI_HOSTLIST_LIMIT)
			return hostlist_refuse(reader, start, E2BIG,
					       "there are too many names in this list");
		if (take)
			rc = give_names(expression, take, context);
		if (rc || !*reader->at)
			break;
	}
	*ret_count = count;
	return rc;
}

int maui_hostlist_expand(const char *text, maui_hostlist_take take, void *context,
			 size_t *ret_count, size_t *ret_column, struct maui_error *error)
{
	struct reader reader = {text, text, text, error};
	struct expression expression;
	size_t count = 0;
	int rc;

	if (!text)
		return maui_error_set(error, EINVAL, "there is no list of nodes");
	expression.ranges = maui_malloc(MAUI_HOSTLIST_RANGES, sizeof(*expression.ranges));
	rc = read_list(&reader, &expression, NULL, NULL, &count);
	if (rc && ret_column)
		*ret_column = (size_t)(reader.place - text) + 1;
	if (!rc && ret_count)
		*ret_count = count;
	if (!rc && take)
		rc = read_list(&reader, &expression, take, context, &count);
	free(expression.ranges);
	return rc;
}
