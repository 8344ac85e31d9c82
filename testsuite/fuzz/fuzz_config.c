/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as maui.cfg. They may be rejected, with problems, but must never do harm; and the
 * result keeps the promises of config.h. Bytes after a 0xff are the file that every #INCLUDE reads.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/config/config.h"
#include "testsuite/fuzz/require.h"

struct included {
	const uint8_t *data;
	size_t size;
};

static int read_included(void *context, const char *path, const char *including, char **ret_text,
			 size_t *ret_size, bool *ret_trusted, struct maui_error *error)
{
	const struct included *included = context;
	char *text;

	if (!included->data || path[0] == 'x')
		return maui_error_set(error, ENOENT, "%s: no such file", path);
	text = malloc(included->size + 1);
	REQUIRE(text);
	memcpy(text, included->data, included->size);
	text[included->size] = '\0';
	*ret_text = text;
	*ret_size = included->size;
	*ret_trusted = path[0] != 'y';
	if (!*ret_trusted)
		maui_error_set(error, EPERM, "%s belongs to uid 7", path);
	return 0;
}

static void check_number(const struct maui_value *value, double number)
{
	REQUIRE(isfinite(number));
	REQUIRE(number >= value->key->min && number <= value->key->max);
}

static void check_limit(const struct maui_value *value)
{
	int64_t soft = value->limit.soft, hard = value->limit.hard;

	REQUIRE(soft >= -1 && hard >= -1);
	REQUIRE(hard <= 0 || (soft > 0 && soft <= hard));
	REQUIRE(hard != 0 || soft == 0);
}

static void check_kind(const struct maui_value *value)
{
	size_t keywords = 0;

	while (value->key->keywords && value->key->keywords[keywords])
		keywords++;
	switch (value->key->kind) {
	case MAUI_KIND_INTEGER:
	case MAUI_KIND_MEMORY:
	case MAUI_KIND_DURATION:
		check_number(value, value->integer);
		break;
	case MAUI_KIND_REAL:
	case MAUI_KIND_FSTARGET:
		check_number(value, value->real);
		REQUIRE(!value->mark || strchr("+-%^", value->mark));
		break;
	case MAUI_KIND_KEYWORD:
	case MAUI_KIND_FSPOLICY:
		REQUIRE(value->integer >= 0 && (size_t)value->integer < keywords);
		break;
	case MAUI_KIND_FLAGS:
		REQUIRE(value->integer > 0 && !(value->integer >> keywords));
		break;
	case MAUI_KIND_DAYS:
		REQUIRE(value->integer > 0 && value->integer <= 255);
		break;
	case MAUI_KIND_DATE:
		REQUIRE(value->integer > 0);
		break;
	case MAUI_KIND_LIMIT:
	case MAUI_KIND_TIME_LIMIT:
	case MAUI_KIND_MEMORY_LIMIT:
		check_limit(value);
		break;
	case MAUI_KIND_OWNER:
		REQUIRE(value->dimension < MAUI_CREDENTIALS && *value->dimension_name);
		break;
	default:
		break;
	}
}

static void check_value(const struct maui_value *value)
{
	REQUIRE(value->key && value->text);
	REQUIRE(value->origin.file && value->origin.line && value->origin.column);
	REQUIRE(!value->list_size == !value->list);
	for (size_t i = 0; i < value->list_size; i++)
		REQUIRE(*value->list[i]);
	if (value->has_dimension)
		REQUIRE(value->key->dimensions && value->dimension < MAUI_CREDENTIALS);
	check_kind(value);
}

static void check_objects(const struct maui_config *config, enum maui_section section)
{
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(config, section, &objects);

	for (size_t i = 0; i < count; i++) {
		const struct maui_value *const *values;
		size_t value_count = maui_object_values(objects[i], &values);

		REQUIRE(maui_config_object(config, section, maui_object_name(objects[i])) ==
			objects[i]);
		for (size_t j = 0; j < value_count; j++) {
			check_value(values[j]);
			REQUIRE(values[j]->key->sections & MAUI_IN(section));
			REQUIRE(!j || values[j - 1]->key->key <= values[j]->key->key);
			if (!values[j]->has_dimension && !values[j]->gres)
				REQUIRE(maui_object_get(objects[i], values[j]->key->key) ==
					values[j]);
		}
	}
}

static void check_parameters(const struct maui_config *config)
{
	const char *const *indices;
	size_t count = maui_config_indices(config, &indices);

	for (int key = 0; key < MAUI_KEYS; key++) {
		const struct maui_value *value = maui_config_get(config, key, NULL);

		REQUIRE(value || !maui_key_info(key)->default_text);
		if (value)
			check_value(value);
		for (size_t i = 0; i < count && i < 8; i++)
			if ((value = maui_config_get(config, key, indices[i])))
				check_value(value);
	}
}

static void check_problems(const struct maui_config *config)
{
	const struct maui_problem *problems;
	size_t count = maui_config_problems(config, &problems), errors = 0;

	for (size_t i = 0; i < count; i++) {
		REQUIRE(problems[i].origin.file && problems[i].origin.line &&
			problems[i].origin.column && *problems[i].text);
		errors += problems[i].severity == MAUI_ERROR;
		for (const char *c = problems[i].text; *c; c++)
			REQUIRE((unsigned char)*c >= ' ' && *c != 0x7f);
		REQUIRE(!i || problems[i].origin.file != problems[i - 1].origin.file ||
			problems[i].origin.line >= problems[i - 1].origin.line);
	}
	REQUIRE(errors <= maui_config_errors(config));
	REQUIRE(!errors == !maui_config_errors(config));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *split = size ? memchr(data, 0xff, size) : NULL;
	struct included included = {.data = split ? split + 1 : NULL,
				    .size = split ? size - (split + 1 - data) : 0};
	struct maui_reader reader = {.read = read_included, .context = &included, .record = true};
	struct maui_config *config = NULL;
	struct maui_error error = {""};
	int rc = maui_config_parse("/etc/maui.cfg", (const char *)data,
				   split ? (size_t)(split - data) : size, &reader, &config, &error);

	REQUIRE(rc == 0 || rc == -EFBIG);
	if (rc) {
		REQUIRE(*error.text);
		return 0;
	}
	check_parameters(config);
	for (int section = MAUI_PARAMETERS + 1; section < MAUI_SECTIONS; section++)
		check_objects(config, section);
	check_problems(config);
	maui_config_unref(config);
	return 0;
}
