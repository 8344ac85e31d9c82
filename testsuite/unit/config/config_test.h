/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A configuration as one line of text, so that a test is a table of what is read and what results
 * from it.
 */
#ifndef MAUI_TEST_CONFIG_H
#define MAUI_TEST_CONFIG_H

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/config/config.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct dump {
	char text[8192];
	size_t used;
};

static __attribute__((format(printf, 2, 3))) void dump_add(struct dump *dump, const char *format,
							   ...)
{
	va_list args;

	va_start(args, format);
	dump->used +=
		vsnprintf(dump->text + dump->used, sizeof(dump->text) - dump->used, format, args);
	va_end(args);
	cr_assert_lt(dump->used, sizeof(dump->text), "the text is too long for this test");
}

static inline void dump_list(struct dump *dump, const struct maui_value *value)
{
	for (size_t i = 0; i < value->list_size; i++)
		dump_add(dump, "%s%s", i ? "|" : "", value->list[i]);
}

static inline void dump_value(struct dump *dump, const struct maui_value *value)
{
	if (value->has_dimension)
		dump_add(dump, "[%s%s%s]", maui_credential_name(value->dimension),
			 value->dimension_name ? ":" : "",
			 value->dimension_name ? value->dimension_name : "");
	if (value->period)
		dump_add(dump, "[%s]", value->period_name);
	dump_add(dump, "=");
	switch (value->key->kind) {
	case MAUI_KIND_INTEGER:
	case MAUI_KIND_MEMORY:
	case MAUI_KIND_DURATION:
		dump_add(dump, "%" PRId64, value->integer);
		break;
	case MAUI_KIND_REAL:
		dump_add(dump, "%.17g", value->real);
		break;
	case MAUI_KIND_BOOLEAN:
		dump_add(dump, "%s", value->boolean ? "TRUE" : "FALSE");
		break;
	case MAUI_KIND_KEYWORD:
	case MAUI_KIND_FSPOLICY:
		dump_add(dump, "%s%s", value->key->keywords[value->integer],
			 value->flag ? "%" : "");
		break;
	case MAUI_KIND_LIMIT:
	case MAUI_KIND_TIME_LIMIT:
	case MAUI_KIND_MEMORY_LIMIT:
		dump_add(dump, "%" PRId64 ",%" PRId64, value->limit.soft, value->limit.hard);
		break;
	case MAUI_KIND_FSTARGET:
		dump_add(dump, "%.17g", value->real);
		if (value->mark)
			dump_add(dump, "%c", value->mark);
		break;
	case MAUI_KIND_DAYS:
	case MAUI_KIND_DATE:
		dump_add(dump, "%" PRId64, value->integer);
		break;
	case MAUI_KIND_OWNER:
		dump_add(dump, "%s:%s", maui_credential_name(value->dimension),
			 value->dimension_name);
		break;
	default:
		if (value->list_size)
			dump_list(dump, value);
		else
			dump_add(dump, "%s", value->text);
		break;
	}
}

static inline void dump_parameter(struct dump *dump, const struct maui_config *config,
				  enum maui_key key, const char *index)
{
	const struct maui_value *value = maui_config_get(config, key, index);
	const struct maui_value *global = maui_config_get(config, key, NULL);

	if (!value || !maui_value_given(value) || (index && value == global))
		return;
	dump_add(dump, "%s%s%s%s%s", dump->used ? " " : "", value->key->name, index ? "[" : "",
		 index ? index : "", index ? "]" : "");
	dump_value(dump, value);
}

static inline void dump_objects(struct dump *dump, const struct maui_config *config,
				enum maui_section section)
{
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(config, section, &objects);

	for (size_t i = 0; i < count; i++) {
		const struct maui_value *const *values;
		size_t value_count = maui_object_values(objects[i], &values);

		dump_add(dump, "%s%s[%s]", dump->used ? " " : "", maui_section_name(section),
			 maui_object_name(objects[i]));
		for (size_t j = 0; j < value_count; j++) {
			dump_add(dump, " %s", values[j]->key->name);
			dump_value(dump, values[j]);
		}
	}
}

/*
 * "FSWEIGHT=10 USERCFG[bob] PRIORITY=10 ! W1:14 E2:3": what the lines set, then the problems.
 * Warnings of valid settings without effect are left out.
 */
static inline void dump_config(struct dump *dump, const struct maui_config *config)
{
	const struct maui_problem *problems;
	const char *const *indices;
	size_t count = maui_config_indices(config, &indices);
	bool any = false;

	dump->used = 0;
	dump->text[0] = '\0';
	for (int key = 0; key < MAUI_KEYS; key++) {
		dump_parameter(dump, config, key, NULL);
		for (size_t i = 0; i < count; i++)
			dump_parameter(dump, config, key, indices[i]);
	}
	for (int section = MAUI_PARAMETERS + 1; section < MAUI_SECTIONS; section++)
		dump_objects(dump, config, section);
	count = maui_config_problems(config, &problems);
	for (size_t i = 0; i < count; i++) {
		if (problems[i].no_effect)
			continue;
		dump_add(dump, "%s%s%c%u:%u", dump->used ? " " : "", any ? "" : "! ",
			 problems[i].severity == MAUI_ERROR ? 'E' : 'W', problems[i].origin.line,
			 problems[i].origin.column);
		any = true;
	}
}

static inline struct maui_config *parse(const char *text)
{
	struct maui_config *config = NULL;
	struct maui_error error = {""};
	int rc = maui_config_parse("maui.cfg", text, strlen(text), NULL, &config, &error);

	cr_assert_eq(rc, 0, "%d: %s", rc, error.text);
	return config;
}

/* One line of a table: the file, its dump, and a part of a problem's text (NULL: any). */
struct case_of {
	const char *text, *expect, *problem;
};

static inline bool any_problem_says(const struct maui_config *config, const char *part)
{
	const struct maui_problem *problems;
	size_t count = maui_config_problems(config, &problems);

	for (size_t i = 0; i < count; i++)
		if (strstr(problems[i].text, part))
			return true;
	return false;
}

static inline void check_cases(const struct case_of *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct maui_config *config = parse(cases[i].text);
		const struct maui_problem *problems;
		struct dump dump;

		dump_config(&dump, config);
		cr_expect_str_eq(dump.text, cases[i].expect, "%s\n  is    %s\n  not   %s",
				 cases[i].text, dump.text, cases[i].expect);
		if (cases[i].problem && !any_problem_says(config, cases[i].problem)) {
			bool any = maui_config_problems(config, &problems);

			cr_expect_fail("%s\n  no problem says '%s', but '%s'", cases[i].text,
				       cases[i].problem, any ? problems[0].text : "nothing");
		}
		maui_config_unref(config);
	}
}

#define CHECK(cases) check_cases(cases, COUNT(cases))

#endif
