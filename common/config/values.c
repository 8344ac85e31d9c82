/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers, times, booleans, keywords: values of one word. */
#include "common/config/values.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/config/keys/keywords.h"
#include "common/config/node_formula.h"
#include "common/config/objects.h"
#include "common/util/decimal.h"
#include "common/util/time/duration.h"
#include "common/util/slurm/gres.h"
#include "common/util/text.h"

struct maui_origin maui_reading_at(const struct maui_reading *reading, size_t offset)
{
	/* The line may continue after a backslash: only the lexer has the place. */
	if (reading->lexer && (reading->exact || reading->quoted))
		return maui_lexer_origin(reading->lexer,
					 reading->offset + offset + reading->quoted);
	return reading->origin;
}

void maui_warn_of_rest(const struct maui_reading *reading, const char *text, const char *rest)
{
	char shown[MAUI_EXCERPT_SIZE], used[MAUI_EXCERPT_SIZE];

	while (maui_is_blank(*rest))
		rest++;
	if (*rest)
		maui_problem_add(reading->problems, MAUI_WARNING,
				 maui_reading_at(reading, rest - text),
				 "%s: '%s' is read as %s; the rest is ignored", reading->key->name,
				 maui_excerpt(text, strlen(text), shown),
				 maui_excerpt(text, rest - text, used));
}

bool maui_check_range(const struct maui_reading *reading, const char *text, double number)
{
	char shown[MAUI_EXCERPT_SIZE];

	if (number >= reading->key->min && number <= reading->key->max)
		return true;
	/*
	 * The bounds are whole numbers: print no decimal point, which would depend on the locale.
	 */
	maui_problem_add(reading->problems, MAUI_ERROR, reading->origin,
			 "%s: '%s' is out of range (%.0f to %.0f)", reading->key->name,
			 maui_excerpt(text, strlen(text), shown), reading->key->min,
			 reading->key->max);
	return false;
}

/* Why a number could not be read, as a problem. */
static bool refuse_number(const struct maui_reading *reading, const char *text, int rc)
{
	char shown[MAUI_EXCERPT_SIZE];

	maui_excerpt(text, strlen(text), shown);
	if (rc == -ERANGE)
		maui_problem_add(reading->problems, MAUI_ERROR, reading->origin,
				 "%s: '%s' is too large", reading->key->name, shown);
	else
		maui_problem_add(reading->problems, MAUI_ERROR, reading->origin,
				 "%s: '%s' is not a valid %s", reading->key->name, shown,
				 maui_kind_name(reading->key->kind));
	return false;
}

/* 010 is 8: that is what strtol reads, but hardly what was meant. */
static void warn_of_octal(const struct maui_reading *reading, const char *text, int64_t value)
{
	int64_t decimal = 0;
	const char *at = text;

	while (maui_is_blank(*at))
		at++;
	if (*at == '-' || *at == '+')
		at++;
	if (at[0] != '0' || !maui_is_digit(at[1]))
		return;
	for (; maui_is_digit(*at) && decimal < INT64_MAX / 10 - 1; at++)
		decimal = decimal * 10 + (*at - '0');
	if (decimal == value || decimal == -value)
		return;
	maui_problem_add(
		reading->problems, MAUI_WARNING, reading->origin,
		"%s: the leading 0 makes this an octal number, as in the original: %" PRId64,
		reading->key->name, value);
}

bool maui_read_integer(const struct maui_reading *reading, const char *text, int64_t *ret_value,
		       const char **ret_rest)
{
	int rc = maui_integer_parse(text, ret_value, ret_rest);

	if (rc)
		return refuse_number(reading, text, rc);
	warn_of_octal(reading, text, *ret_value);
	return true;
}

/*
 * D-CFG-5: what two fields mean, and what the original makes of them. Fields are counted up to
 * rest.
 */
static void warn_of_fields(const struct maui_reading *reading, const char *text, const char *rest,
			   int64_t seconds)
{
	char shown[MAUI_EXCERPT_SIZE], here[MAUI_DURATION_SIZE], there[MAUI_DURATION_SIZE];
	struct maui_problem *problem;
	bool two = false;

	for (const char *at = text; at < rest && !two; at++)
		two = *at == ':' && at + 1 < rest && maui_is_digit(at[1]) && at > text;
	problem = maui_problem_add(
		reading->problems, MAUI_WARNING, reading->origin,
		"%s: '%s' is read as %s, %s; the original reads it as %s, %s: write all "
		"three fields",
		reading->key->name, maui_excerpt(text, rest - text, shown), two ? "MM:SS" : "SS",
		maui_duration_format(seconds, here), two ? "HH:MM" : "HH",
		maui_duration_format(seconds * (two ? 60 : 3600), there));
	if (problem)
		problem->two_readings = true;
}

bool maui_read_seconds(const struct maui_reading *reading, const char *text, int64_t *ret_value,
		       const char **ret_rest)
{
	bool ambiguous = false;
	int rc = maui_duration_parse(text, ret_value, &ambiguous, ret_rest);

	if (rc)
		return refuse_number(reading, text, rc);
	if (ambiguous)
		warn_of_fields(reading, text, *ret_rest, *ret_value);
	else if (!memchr(text, ':', *ret_rest - text))
		warn_of_octal(reading, text, *ret_value);
	return true;
}

bool maui_read_megabytes(const struct maui_reading *reading, const char *text, int64_t *ret_value,
			 const char **ret_rest)
{
	/* Bytes of a unit; w is a machine word. */
	static const struct {
		char letter;
		int64_t bytes;
	} units[] = {{'B', 1},
		     {'W', 8},
		     {'K', INT64_C(1) << 10},
		     {'M', INT64_C(1) << 20},
		     {'G', INT64_C(1) << 30},
		     {'T', INT64_C(1) << 40}};
	int64_t number, unit = INT64_C(1) << 20, bytes;
	const char *rest = text;

	if (!maui_read_integer(reading, text, &number, &rest))
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (maui_upper(*rest) != units[i].letter)
			continue;
		unit = units[i].bytes;
		rest++;
		if (units[i].letter != 'B' && maui_upper(*rest) == 'B')
			rest++;
		break;
	}
	if (number < 0) { /* unlimited, whatever the unit */
		*ret_value = number;
	} else if (unit >= INT64_C(1) << 20) {
		if (__builtin_mul_overflow(number, unit >> 20, ret_value))
			return refuse_number(reading, text, -ERANGE);
	} else {
		if (__builtin_mul_overflow(number, unit, &bytes))
			return refuse_number(reading, text, -ERANGE);
		*ret_value = bytes >> 20;
		if (bytes & ((INT64_C(1) << 20) - 1))
			maui_problem_add(reading->problems, MAUI_WARNING, reading->origin,
					 "%s: only whole MB count: %" PRId64 " MB",
					 reading->key->name, *ret_value);
	}
	*ret_rest = rest;
	return true;
}

bool maui_read_units(const struct maui_reading *reading, const char *text, int64_t *ret_value,
		     const char **ret_rest)
{
	int64_t number;
	size_t size;
	const char *rest = text;

	if (!maui_read_integer(reading, text, &number, &rest))
		return false;
	if (number < 0) { /* unlimited, whatever the unit */
		maui_gres_unit(rest, &size);
		*ret_value = number;
	} else if (__builtin_mul_overflow(number, maui_gres_unit(rest, &size), ret_value)) {
		return refuse_number(reading, text, -ERANGE);
	}
	*ret_rest = rest + size;
	return true;
}

static bool read_integer(const struct maui_reading *reading, const char *text,
			 struct maui_value *value)
{
	const char *rest = text;

	if (!maui_read_integer(reading, text, &value->integer, &rest) ||
	    !maui_check_range(reading, text, value->integer))
		return false;
	maui_warn_of_rest(reading, text, rest);
	return true;
}

static bool read_memory(const struct maui_reading *reading, const char *text,
			struct maui_value *value)
{
	const char *rest = text;

	if (!maui_read_megabytes(reading, text, &value->integer, &rest) ||
	    !maui_check_range(reading, text, value->integer))
		return false;
	maui_warn_of_rest(reading, text, rest);
	return true;
}

static bool read_duration(const struct maui_reading *reading, const char *text,
			  struct maui_value *value)
{
	const char *rest = text;

	if (!maui_read_seconds(reading, text, &value->integer, &rest) ||
	    !maui_check_range(reading, text, value->integer))
		return false;
	maui_warn_of_rest(reading, text, rest);
	return true;
}

/* A number, either whole in strtol's forms or decimal. */
static bool read_number(const struct maui_reading *reading, const char *text, double *ret_value,
			const char **ret_rest)
{
	const char *real_rest = text, *rest = text;
	int real_rc, rc;
	int64_t whole;
	double real;

	real_rc = maui_real_parse(text, &real, &real_rest);
	if (!real_rc) {
		size_t decimal = strcspn(text, ".eE");

		/* A point or an exponent in what was read: not a whole number. */
		if (text[decimal] && text + decimal < real_rest) {
			*ret_value = real;
			*ret_rest = real_rest;
			return true;
		}
	}
	rc = real_rc == -ERANGE ? real_rc : maui_integer_parse(text, &whole, &rest);
	if (rc)
		return refuse_number(reading, text, rc);
	warn_of_octal(reading, text, whole);
	*ret_value = whole;
	*ret_rest = rest;
	return true;
}

static bool read_real(const struct maui_reading *reading, const char *text,
		      struct maui_value *value)
{
	const char *rest = text;

	if (!read_number(reading, text, &value->real, &rest) ||
	    !maui_check_range(reading, text, value->real))
		return false;
	if (rest[0] == '%' && !rest[1])
		maui_problem_add(reading->problems, MAUI_WARNING,
				 maui_reading_at(reading, rest - text),
				 "%s: the percent sign has no meaning here, as in the original",
				 reading->key->name);
	else
		maui_warn_of_rest(reading, text, rest);
	return true;
}

static int find_boolean(const char *text)
{
	static const char *const words[2][4] = {{"0", "FALSE", "OFF", "NO"},
						{"1", "TRUE", "ON", "YES"}};

	for (int value = 0; value < 2; value++)
		for (int i = 0; i < 4; i++)
			if (maui_equals(text, strlen(text), words[value][i]))
				return value;
	return -1;
}

static bool read_boolean(const struct maui_reading *reading, const char *text,
			 struct maui_value *value)
{
	char shown[MAUI_EXCERPT_SIZE];
	int found = find_boolean(text);

	if (found < 0) {
		maui_problem_add(reading->problems, MAUI_WARNING, reading->origin,
				 "%s: '%s' is neither TRUE nor FALSE; the default of %s applies",
				 reading->key->name, maui_excerpt(text, strlen(text), shown),
				 reading->key->default_text);
		return false;
	}
	value->boolean = found;
	return true;
}

static bool read_string(const struct maui_reading *reading, const char *text,
			struct maui_value *value)
{
	return true;
}

/*
 * The index of the size bytes at text among the key's keywords; -1 with an error if there is none.
 */
static int find_keyword(const struct maui_reading *reading, const char *text, size_t size)
{
	char shown[MAUI_EXCERPT_SIZE], all[MAUI_KEYWORDS_TEXT];
	const struct maui_key_info *key = reading->key;
	const char *remark, *nearest;
	int found = maui_keyword_find(key, text, size, &remark);

	maui_excerpt(text, size, shown);
	if (found < 0) {
		nearest = maui_keyword_nearest(key, text, size);
		maui_problem_add(reading->problems, MAUI_ERROR, reading->origin,
				 "%s: '%s' is not known: write %s%s%s", key->name, shown,
				 maui_keywords_text(key, all), nearest ? "; the nearest is " : "",
				 nearest ? nearest : "");
	} else if (remark) {
		maui_problem_add(reading->problems, MAUI_WARNING, reading->origin,
				 "%s: %s is read as %s: %s", key->name, shown, key->keywords[found],
				 remark);
	}
	return found;
}

static bool read_keyword(const struct maui_reading *reading, const char *text,
			 struct maui_value *value)
{
	value->integer = find_keyword(reading, text, strlen(text));
	return value->integer >= 0;
}

/* DEDICATEDGRES[gpu]: the name is the value's list. Any other keyword has none. */
static bool read_fs_gres(const struct maui_reading *reading, const char *text, size_t size,
			 struct maui_value *value)
{
	const char *name = text + strcspn(text, "["), *end = text + size;
	char shown[MAUI_EXCERPT_SIZE];
	struct maui_list list = {0};
	unsigned int number;

	if (end - name < 2 || end[-1] != ']' || !maui_gres_is_name(name + 1, end - name - 2)) {
		maui_problem_add(reading->problems, MAUI_ERROR,
				 maui_reading_at(reading, name - text),
				 "%s: '%s' names no GRES, as in DEDICATEDGRES[gpu]",
				 reading->key->name, maui_excerpt(text, size, shown));
		return false;
	}
	if (maui_config_add_gres(reading->config, name + 1, end - name - 2, &number)) {
		maui_problem_add(
			reading->problems, MAUI_ERROR, maui_reading_at(reading, name - text),
			"%s: more than %u GRES are named", reading->key->name, MAUI_GRES_NAMES);
		return false;
	}
	maui_list_add(reading, &list, name + 1, end - name - 2);
	value->list = list.items;
	value->list_size = list.count;
	return true;
}

static bool read_fspolicy(const struct maui_reading *reading, const char *text,
			  struct maui_value *value)
{
	static const char of_gres[] = "DEDICATEDGRES";
	size_t size = strlen(text), length = sizeof(of_gres) - 1;
	int boolean = find_boolean(text);

	if (boolean >= 0) { /* TRUE is DEDICATEDPS */
		value->integer = boolean;
		return true;
	}
	value->flag = size && text[size - 1] == '%';
	size -= value->flag;
	if (reading->config && size >= length && maui_equals(text, length, of_gres)) {
		value->integer = find_keyword(reading, text, length);
		return read_fs_gres(reading, text, size, value);
	}
	value->integer = find_keyword(reading, text, size);
	return value->integer >= 0;
}

/* A number and at most one mark: exactly one character after the number counts. */
static bool read_fstarget(const struct maui_reading *reading, const char *text,
			  struct maui_value *value)
{
	const char *rest = text;
	int rc = maui_real_parse(text, &value->real, &rest);

	if (rc)
		return refuse_number(reading, text, rc);
	if (!maui_check_range(reading, text, value->real))
		return false;
	if (*rest && strchr("+-%^", *rest))
		value->mark = *rest++;
	maui_warn_of_rest(reading, text, rest);
	return true;
}

/* The node allocation policy compiles it; here we only check that it can. */
static bool read_formula(const struct maui_reading *reading, const char *text,
			 struct maui_value *value)
{
	struct maui_node_formula formula;
	struct maui_error error = {""};
	size_t column = 1;
	int rc = maui_node_formula_parse(text, reading->node_gres, &formula, &column, &error);

	if (rc)
		maui_problem_add(reading->problems, MAUI_ERROR,
				 maui_reading_at(reading, column - 1),
				 "%s: %s (column %zu of the formula)", reading->key->name,
				 error.text, column);
	return !rc;
}

static const maui_value_reader readers[MAUI_KINDS] = {
	[MAUI_KIND_INTEGER] = read_integer,
	[MAUI_KIND_MEMORY] = read_memory,
	[MAUI_KIND_DURATION] = read_duration,
	[MAUI_KIND_REAL] = read_real,
	[MAUI_KIND_BOOLEAN] = read_boolean,
	[MAUI_KIND_STRING] = read_string,
	[MAUI_KIND_KEYWORD] = read_keyword,
	[MAUI_KIND_FSPOLICY] = read_fspolicy,
	[MAUI_KIND_LIST] = maui_read_list,
	[MAUI_KIND_FLAGS] = maui_read_flags,
	[MAUI_KIND_DAYS] = maui_read_days,
	[MAUI_KIND_HOSTLIST] = maui_read_hostlist,
	[MAUI_KIND_ACL] = maui_read_acl,
	[MAUI_KIND_TIME_ACL] = maui_read_acl,
	[MAUI_KIND_COUNT_ACL] = maui_read_acl,
	[MAUI_KIND_RESOURCES] = maui_read_resources,
	[MAUI_KIND_LIMIT] = maui_read_limit,
	[MAUI_KIND_TIME_LIMIT] = maui_read_limit,
	[MAUI_KIND_MEMORY_LIMIT] = maui_read_limit,
	[MAUI_KIND_FSTARGET] = read_fstarget,
	[MAUI_KIND_FORMULA] = read_formula,
	[MAUI_KIND_TRIGGER] = maui_read_trigger,
	[MAUI_KIND_OWNER] = maui_read_owner,
	[MAUI_KIND_DATE] = maui_read_date,
};

bool maui_value_read(const struct maui_reading *reading, const char *text,
		     struct maui_value *ret_value)
{
	struct maui_value value = {.key = reading->key, .text = text};

	if (!readers[reading->key->kind](reading, text, &value))
		return false;
	*ret_value = value;
	return true;
}

bool maui_kind_is_list(enum maui_kind kind)
{
	switch (kind) {
	case MAUI_KIND_LIST:
	case MAUI_KIND_FLAGS:
	case MAUI_KIND_DAYS:
	case MAUI_KIND_HOSTLIST:
	case MAUI_KIND_ACL:
	case MAUI_KIND_TIME_ACL:
	case MAUI_KIND_COUNT_ACL:
	case MAUI_KIND_RESOURCES:
		return true;
	default:
		return false;
	}
}
