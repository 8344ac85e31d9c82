/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queries to a configuration; and everything that is wrong with queries and files. */
#include "config_test.h"

#include <errno.h>
#include <pthread.h>

#include "common/config/faults.h"
#include "common/config/objects.h"
#include "common/config/text/problems.h"
#include "common/config/text/sources.h"

Test(config, a_value_falls_back_from_partition_to_global_to_default)
{
	struct maui_config *config = parse("CREDWEIGHT 2\nCREDWEIGHT[batch] 3");

	cr_expect_eq(maui_config_get(config, MAUI_KEY_CREDWEIGHT, "batch")->real, 3);
	cr_expect_eq(maui_config_get(config, MAUI_KEY_CREDWEIGHT, "debug")->real, 2);
	cr_expect_eq(maui_config_get(config, MAUI_KEY_CREDWEIGHT, NULL)->real, 2);
	cr_expect_eq(maui_config_get(config, MAUI_KEY_CREDWEIGHT, "0")->real, 2);
	cr_expect_eq(maui_config_get(config, MAUI_KEY_CREDWEIGHT, "")->real, 2);
	cr_expect_eq(maui_config_get(config, MAUI_KEY_SERVWEIGHT, "batch")->real, 1);
	cr_expect_not(maui_value_given(maui_config_get(config, MAUI_KEY_SERVWEIGHT, "batch")));
	cr_expect_null(maui_config_get(config, MAUI_KEY_ADMIN1, NULL));
	cr_expect_null(maui_config_get(config, MAUI_KEYS, NULL));
	cr_expect_null(maui_config_get(config, (enum maui_key) - 1, "x"));
	maui_config_unref(config);
}

Test(config, indices_are_the_partitions_that_policies_name)
{
	struct maui_config *config =
		parse("CREDWEIGHT[b] 1\nUSERWEIGHT[a] 2\nCREDWEIGHT[a] 3\nCREDWEIGHT[0] 1\n"
		      "RMCFG[base] TYPE=PBS\nRESERVATIONQOSLIST[3] hi");
	const char *const *names;

	cr_assert_eq(maui_config_indices(config, &names), 2);
	cr_expect_str_eq(names[0], "b");
	cr_expect_str_eq(names[1], "a");
	cr_expect_eq(maui_config_indices(config, NULL), 2);
	maui_config_unref(config);
}

Test(config, an_object_stands_where_it_is_first_spoken_of_whatever_came_of_that_line)
{
	struct maui_config *config =
		parse("CREDWEIGHT 1\n  SRCFG[x] HOSTLST=n1\nSRCFG[x] PERIOD=DAY\nUSERCFG[bob]\n"
		      "SYSCFG \\\n MAXJOB=3\nUSERCFG[amy] MAXJOB=1\nUSERCFG[amy] MAXJOB=2\n");
	static const struct {
		enum maui_section section;
		const char *name;
		unsigned int line, column;
	} cases[] = {{MAUI_SRCFG, "x", 2, 3},
		     {MAUI_USERCFG, "bob", 4, 1},
		     {MAUI_SYSCFG, NULL, 5, 1},
		     {MAUI_USERCFG, "amy", 7, 1}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct maui_object *object =
			maui_config_object(config, cases[i].section, cases[i].name);
		struct maui_origin origin = maui_object_origin(object);

		cr_expect_str_eq(origin.file, "maui.cfg");
		cr_expect_eq(origin.line, cases[i].line, "case %zu: line %u", i, origin.line);
		cr_expect_eq(origin.column, cases[i].column, "case %zu", i);
	}
	maui_config_unref(config);
}

Test(config, built_in_defaults_have_a_place_too)
{
	struct maui_config *config = parse("CREDWEIGHT 2");

	for (int key = 0; key < MAUI_KEYS; key++) {
		const struct maui_value *value = maui_config_get(config, key, NULL);

		if (!value)
			continue;
		cr_expect_eq(maui_value_given(value), key == MAUI_KEY_CREDWEIGHT);
		cr_expect(value->origin.line && value->origin.column);
		if (!maui_value_given(value))
			cr_expect_str_eq(value->origin.file, maui_built_in);
	}
	maui_config_unref(config);
}

Test(config, objects_are_found_by_name_and_listed_in_order)
{
	struct maui_config *config = parse("USERCFG[zoe] PRIORITY=1\nUSERCFG[DEFAULT] PRIORITY=2\n"
					   "USERCFG[amy] BOGUS=3\nSYSCFG MAXJOB=4");
	const struct maui_object *const *objects;

	cr_assert_eq(maui_config_objects(config, MAUI_USERCFG, &objects), 3);
	cr_expect_str_eq(maui_object_name(objects[0]), "zoe");
	cr_expect_str_eq(maui_object_name(objects[1]), "DEFAULT");
	cr_expect_str_eq(maui_object_name(objects[2]), "amy");
	cr_expect_eq(maui_config_object(config, MAUI_USERCFG, "zoe"), objects[0]);
	cr_expect_null(maui_config_object(config, MAUI_USERCFG, "Zoe"));
	cr_expect_null(maui_config_object(config, MAUI_USERCFG, NULL));
	cr_expect_null(maui_config_object(config, MAUI_USERCFG, ""));
	cr_expect_null(maui_config_object(config, MAUI_PARAMETERS, ""));
	cr_expect_null(maui_config_object(config, MAUI_SECTIONS, "zoe"));
	cr_expect_null(maui_config_object(config, (enum maui_section) - 1, "zoe"));
	cr_expect_not_null(maui_config_object(config, MAUI_SYSCFG, NULL));
	cr_expect_not_null(maui_config_object(config, MAUI_SYSCFG, "whatever"));
	cr_expect_eq(maui_config_objects(config, MAUI_QOSCFG, &objects), 0);
	cr_expect_not_null(objects);
	cr_expect_eq(maui_config_objects(config, MAUI_PARAMETERS, NULL), 0);
	cr_expect_eq(maui_config_objects(config, MAUI_SECTIONS, NULL), 0);
	maui_config_unref(config);
}

Test(config, an_attribute_is_the_objects_own_without_dimension)
{
	struct maui_config *config =
		parse("USERCFG[DEFAULT] PRIORITY=2\nUSERCFG[a] MAXJOB[CLASS]=3\n"
		      "USERCFG[b] MAXJOB[CLASS]=3 MAXJOB=1");
	const struct maui_object *a = maui_config_object(config, MAUI_USERCFG, "a");
	const struct maui_object *b = maui_config_object(config, MAUI_USERCFG, "b");
	const struct maui_value *const *values;

	cr_expect_null(maui_object_get(a, MAUI_ATTR_PRIORITY));
	cr_expect_null(maui_object_get(a, MAUI_ATTR_MAXJOB));
	cr_expect_eq(maui_object_get(b, MAUI_ATTR_MAXJOB)->limit.hard, 1);
	cr_expect_null(maui_object_get(NULL, MAUI_ATTR_MAXJOB));
	cr_expect_null(maui_object_get(a, MAUI_KEYS));
	cr_expect_null(maui_object_get(a, (enum maui_key) - 1));
	cr_assert_eq(maui_object_values(b, &values), 2);
	cr_expect_not(values[0]->has_dimension);
	cr_expect(values[1]->has_dimension);
	cr_expect_eq(values[1]->dimension, MAUI_CLASS);
	cr_expect_null(values[1]->dimension_name);
	cr_expect_eq(maui_object_values(NULL, &values), 0);
	cr_expect_not_null(values);
	cr_expect_str_eq(maui_object_name(NULL), "");
	maui_config_unref(config);
}

Test(config, credentials_have_sections)
{
	cr_expect_eq(maui_credential_section(MAUI_USER), MAUI_USERCFG);
	cr_expect_eq(maui_credential_section(MAUI_GROUP), MAUI_GROUPCFG);
	cr_expect_eq(maui_credential_section(MAUI_ACCOUNT), MAUI_ACCOUNTCFG);
	cr_expect_eq(maui_credential_section(MAUI_QOS), MAUI_QOSCFG);
	cr_expect_eq(maui_credential_section(MAUI_CLASS), MAUI_CLASSCFG);
	cr_expect_eq(maui_credential_section(MAUI_CREDENTIALS), MAUI_SECTIONS);
	cr_expect_eq(maui_credential_section((enum maui_credential) - 1), MAUI_SECTIONS);
}

Test(config, values_know_where_they_were_given)
{
	struct maui_config *config =
		parse("\n\n  CREDWEIGHT  5\nUSERCFG[bob] PRIORITY=1 \\\n   FSTARGET='7+'");
	const struct maui_object *bob = maui_config_object(config, MAUI_USERCFG, "bob");
	const struct maui_value *value = maui_config_get(config, MAUI_KEY_CREDWEIGHT, NULL);

	cr_expect_str_eq(value->origin.file, "maui.cfg");
	cr_expect_eq(value->origin.line, 3);
	cr_expect_eq(value->origin.column, 3);
	cr_expect_str_eq(value->text, "5");
	value = maui_object_get(bob, MAUI_ATTR_FSTARGET);
	cr_expect_eq(value->origin.line, 5);
	cr_expect_eq(value->origin.column, 4);
	cr_expect_str_eq(value->text, "7+");
	maui_config_unref(config);
}

Test(config, references_keep_it_alive)
{
	struct maui_config *config = parse("CREDWEIGHT 5");

	cr_expect_eq(maui_config_ref(config), config);
	cr_expect_null(maui_config_unref(config));
	cr_expect_eq(maui_config_get(config, MAUI_KEY_CREDWEIGHT, NULL)->real, 5);
	cr_expect_null(maui_config_unref(config));
	cr_expect_null(maui_config_unref(NULL));
	cr_expect_null(maui_config_ref(NULL));
}

static void *use(void *argument)
{
	struct maui_config *config = argument;

	for (int i = 0; i < 10000; i++) {
		struct maui_config *mine = maui_config_ref(config);

		if (maui_config_get(mine, MAUI_KEY_CREDWEIGHT, "batch")->real != 6 ||
		    !maui_key_find(MAUI_PARAMETERS, "CREDWEIGHT"))
			return argument;
		maui_config_unref(mine);
	}
	return NULL;
}

Test(config, several_threads_may_use_it)
{
	struct maui_config *config = parse("CREDWEIGHT[batch] 6");
	pthread_t threads[4];
	void *result;

	for (size_t i = 0; i < COUNT(threads); i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, use, config), 0);
	for (size_t i = 0; i < COUNT(threads); i++) {
		pthread_join(threads[i], &result);
		cr_expect_null(result);
	}
	maui_config_unref(config);
}

Test(config, questions_without_sense_are_refused)
{
	struct maui_config *config = (struct maui_config *)-1;
	struct maui_error error = {""};

	cr_expect_eq(maui_config_load(NULL, NULL, &config, &error), -EINVAL);
	cr_expect(*error.text);
	cr_expect_eq(maui_config_load("", NULL, &config, &error), -EINVAL);
	cr_expect_eq(maui_config_load("x", NULL, NULL, &error), -EINVAL);
	cr_expect_eq(maui_config_load(NULL, NULL, &config, NULL), -EINVAL);
	cr_expect_eq(maui_config_parse(NULL, "", 0, NULL, &config, &error), -EINVAL);
	cr_expect_eq(maui_config_parse("x", NULL, 1, NULL, &config, &error), -EINVAL);
	cr_expect_eq(maui_config_parse("x", "", 0, NULL, NULL, &error), -EINVAL);
	cr_expect_eq(maui_config_parse("x", "", MAUI_FILE_LIMIT + 1, NULL, &config, &error),
		     -EFBIG);
	cr_expect_eq(config, (struct maui_config *)-1, "outputs are untouched on failure");
	cr_assert_eq(maui_config_parse("x", NULL, 0, NULL, &config, NULL), 0);
	cr_expect_eq(maui_config_problems(config, NULL), 0);
	maui_config_unref(config);
}

Test(config, a_binary_file_is_one_error)
{
	static const struct {
		const char *text;
		size_t size;
		unsigned int line, column;
	} cases[] = {{"\x7f"
		      "ELF\2\1\1\0",
		      8, 1, 1},
		     {"CREDWEIGHT 1\nUSER\0WEIGHT 2", 25, 2, 5},
		     {"CREDWEIGHT 1\n\0", 14, 2, 1},
		     {"\0", 1, 1, 1},
		     {"a\x1b[0m", 5, 1, 2}};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct maui_problem *problems;
		struct maui_config *config;

		cr_assert_eq(
			maui_config_parse("x", cases[i].text, cases[i].size, NULL, &config, NULL),
			0);
		cr_assert_eq(maui_config_problems(config, &problems), 1);
		cr_expect_eq(maui_config_errors(config), 1);
		cr_expect_eq(problems[0].origin.line, cases[i].line);
		cr_expect_eq(problems[0].origin.column, cases[i].column);
		cr_expect(strstr(problems[0].text, "does not belong in a text"));
		cr_expect_not(maui_value_given(maui_config_get(config, MAUI_KEY_CREDWEIGHT, NULL)));
		maui_config_unref(config);
	}
}

/* The same line many times. */
static struct maui_config *parse_many(const char *line, size_t count)
{
	size_t size = strlen(line);
	char *text = malloc(size * count + 1);
	struct maui_config *config = NULL;

	for (size_t i = 0; i < count; i++)
		memcpy(text + i * size, line, size);
	cr_assert_eq(maui_config_parse("x", text, size * count, NULL, &config, NULL), 0);
	free(text);
	return config;
}

Test(config, the_number_of_problems_that_are_kept_is_bounded_and_the_rest_is_counted)
{
	struct maui_config *config = parse_many("BOGUS 1\nCREDWEIGHT x\n", MAUI_PROBLEMS_KEPT + 7);
	const struct maui_problem *problems;
	size_t count = maui_config_problems(config, &problems);

	cr_assert_eq(count, 2 * MAUI_PROBLEMS_KEPT + 1);
	cr_expect_eq(maui_config_errors(config), MAUI_PROBLEMS_KEPT + 7);
	cr_expect_eq(problems[count - 1].severity, MAUI_ERROR);
	cr_expect(problems[count - 1].rest && !problems[count - 2].rest);
	cr_expect_eq(problems[count - 1].origin.line, 2 * MAUI_PROBLEMS_KEPT);
	cr_expect_eq(problems[count - 1].origin.column, problems[count - 2].origin.column);
	cr_expect_str_eq(problems[count - 1].origin.file, "x");
	cr_expect_str_eq(problems[count - 1].text,
			 "7 more errors and 7 more warnings are not listed");
	maui_config_unref(config);
	config = parse_many("BOGUS 1\n", MAUI_PROBLEMS_KEPT + 1);
	count = maui_config_problems(config, &problems);
	cr_expect_eq(problems[count - 1].severity, MAUI_WARNING);
	cr_expect_str_eq(problems[count - 1].text,
			 "0 more errors and 1 more warning are not listed");
	maui_config_unref(config);
}

Test(config, errors_are_kept_when_warnings_are_many)
{
	struct maui_config *config = parse_many("BOGUS 1\n", 1000);
	char *text = malloc(20000);
	size_t used = 0;

	maui_config_unref(config);
	for (int i = 0; i < 1000; i++)
		used += sprintf(text + used, "BOGUS 1\n");
	used += sprintf(text + used, "CREDWEIGHT x\n");
	cr_assert_eq(maui_config_parse("x", text, used, NULL, &config, NULL), 0);
	cr_expect(any_problem_says(config, "'x' is not a valid number"));
	maui_config_unref(config);
	free(text);
}

Test(config, a_line_that_is_too_long_is_one_error_and_the_next_one_is_read)
{
	size_t size = MAUI_LINE_LIMIT + 100;
	char *text = malloc(size + 32);
	struct maui_config *config;
	const struct maui_problem *problems;

	memset(text, 'a', size);
	strcpy(text + size, "\nCREDWEIGHT 5\n");
	config = parse(text);
	cr_assert_eq(maui_config_problems(config, &problems), 1);
	cr_expect(strstr(problems[0].text, "longer than"));
	cr_expect_eq(maui_config_get(config, MAUI_KEY_CREDWEIGHT, NULL)->real, 5);
	maui_config_unref(config);
	free(text);
	config = parse_many("a \\\n", MAUI_LINE_LIMIT);
	cr_expect_eq(maui_config_errors(config), 1);
	maui_config_unref(config);
}

Test(config, the_number_of_objects_has_a_limit)
{
	size_t count = MAUI_OBJECTS_LIMIT + 10;
	char *text = malloc(count * 32);
	struct maui_config *config;
	size_t used = 0;

	for (size_t i = 0; i < count; i++)
		used += sprintf(text + used, "USERCFG[u%zu] PRIORITY=1\n", i);
	cr_assert_eq(maui_config_parse("x", text, used, NULL, &config, NULL), 0);
	cr_expect_eq(maui_config_errors(config), 1);
	cr_expect_eq(maui_config_objects(config, MAUI_USERCFG, NULL), MAUI_OBJECTS_LIMIT);
	cr_expect_not_null(maui_config_object(config, MAUI_USERCFG, "u199999"));
	cr_expect_null(maui_config_object(config, MAUI_USERCFG, "u200000"));
	maui_config_unref(config);
	free(text);
}

Test(config, messages_are_printable_whatever_is_in_the_file)
{
	struct maui_config *config =
		parse("USERCFG[\xff\xfe] \xc3\xa4\xc3=\x80 PRIORITY=\xc3\xa4\xff\n\xe2\x82 5");
	const struct maui_problem *problems;
	size_t count = maui_config_problems(config, &problems);

	cr_expect_geq(count, 3);
	for (size_t i = 0; i < count; i++) {
		cr_expect_null(strchr(problems[i].text, '\xff'), "%s", problems[i].text);
		cr_expect_null(strchr(problems[i].text, '\x80'), "%s", problems[i].text);
	}
	cr_expect(any_problem_says(config, "\xc3\xa4?"), "valid UTF-8 is shown");
	cr_expect_not_null(maui_config_object(config, MAUI_USERCFG, "\xff\xfe"));
	maui_config_unref(config);
}

/* What nobody knows is counted, and an error where a site wants that. */
Test(config, names_that_nobody_knows)
{
	static const struct {
		const char *text, *first;
		size_t count;
	} cases[] = {
		{"FSUSERWIEGHT 10",
		 "there is no parameter FSUSERWIEGHT; the line is ignored: the "
		 "nearest is FSUSERWEIGHT",
		 1},
		{"QUEUETIMEWEIGHT 1\nUSERCFG[bob] MAXJOBS=8 PRIORITY=1",
		 "USERCFG has no attribute MAXJOBS; it is ignored: the nearest is MAXJOB", 1},
		{"USERCFG[bob] HOSTLIST=n1",
		 "USERCFG has no attribute HOSTLIST; it is ignored: it is an attribute of SRCFG",
		 1},
		{"USERCFG[bob] PRIORITY = 10",
		 "write PRIORITY=... without blanks around '=': as in the original; it is ignored "
		 "with them",
		 1},
		{"USERCFG[bob] often\nBOGUS 1\nBOGUS 2",
		 "'often' belongs to no attribute; it is ignored", 3},
		/* Known, and ignored for a reason that is said. */
		{"EVENTSERVER x", NULL, 0},
		{"USERCFG[bob] JOBTRIGGER=x", NULL, 0},
		{"SIMTIME x", NULL, 0},
		{"USERCFG[bob] PRIORITY=1", NULL, 0},
	};
	const struct maui_reader strict = {.unknown_is_error = true};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *text = cases[i].text;
		struct maui_config *config = NULL, *refused = NULL;
		struct maui_faults *faults;
		char expected[300];

		cr_assert_eq(maui_config_parse("f", text, strlen(text), NULL, &config, NULL), 0);
		cr_expect_eq(maui_config_errors(config), 0, "%s", text);
		cr_expect_eq(maui_config_unknown(config), cases[i].count, "%s", text);
		faults = maui_faults_of_unknown(config, 7);
		cr_expect_eq(faults->errors, cases[i].count);
		cr_expect_eq(faults->count, cases[i].count, "%s", text);
		snprintf(expected, sizeof(expected), ": %s", cases[i].first ? cases[i].first : "");
		if (faults->count)
			cr_expect(strstr(faults->texts[0], expected), "%s", faults->texts[0]);
		maui_faults_free(faults);
		maui_config_unref(config);

		cr_assert_eq(maui_config_parse("f", text, strlen(text), &strict, &refused, NULL),
			     0);
		cr_expect_eq(maui_config_errors(refused), cases[i].count, "%s", text);
		cr_expect_eq(maui_config_unknown(refused), 0, "%s", text);
		maui_config_unref(refused);
	}
}

/* More than are listed are counted, too. */
Test(config, many_names_that_nobody_knows)
{
	char text[300 * 12 + 1];
	struct maui_config *config = NULL;
	struct maui_faults *faults;

	for (size_t i = 0; i < 300; i++)
		snprintf(text + i * 12, 13, "BOGUS%04zu 1\n", i);
	cr_assert_eq(maui_config_parse("f", text, strlen(text), NULL, &config, NULL), 0);
	cr_expect_eq(maui_config_unknown(config), 300);
	faults = maui_faults_of_unknown(config, 7);
	cr_expect_eq(faults->errors, 300);
	cr_expect_eq(faults->count, MAUI_FAULTS_LISTED);
	maui_faults_free(faults);
	maui_config_unref(config);
}
