/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui keys: the key table, so that nobody has to guess what maui.cfg may say. */
#include "contribs/maui/show/show.h"

#include <stdio.h>
#include <string.h>

#include "common/config/keys.h"
#include "common/report/number.h"
#include "contribs/maui/lib/key_text.h"
#include "contribs/maui/lib/output.h"

/* The section with this name, such as USERCFG, in which case everything it may have is wanted.
 * Otherwise MAUI_SECTIONS. */
static enum maui_section section_named(const char *name)
{
	return *name ? maui_section_find(name) : MAUI_SECTIONS;
}

/* Whether a key of a section is wanted, by any of its names; all are if none is named. */
static bool wanted(const struct maui_key_info *info, enum maui_section in, char **names)
{
	if (!*names)
		return true;
	for (; *names; names++) {
		if (section_named(*names) == in)
			return true;
		for (enum maui_section section = 0; section < MAUI_SECTIONS; section++)
			if (maui_key_find(section, *names) == info)
				return true;
	}
	return false;
}

static bool wanted_anywhere(const struct maui_key_info *info, char **names)
{
	for (enum maui_section section = 0; section < MAUI_SECTIONS; section++)
		if (info->sections & MAUI_IN(section) && wanted(info, section, names))
			return true;
	return false;
}

/* Names separated by blanks. */
static bool add_words(struct json_object *object, const char *name, const char *words)
{
	struct json_object *array = json_object_new_array();

	if (!maui_report_add_new(object, name, array))
		return false;
	while (*(words += strspn(words, " "))) {
		size_t size = strcspn(words, " ");

		if (!maui_report_append(array, json_object_new_string_len(words, (int)size)))
			return false;
		words += size;
	}
	return true;
}

static bool add_sections(struct json_object *object, const struct maui_key_info *info)
{
	struct json_object *array = json_object_new_array();

	if (!maui_report_add_new(object, "sections", array))
		return false;
	for (enum maui_section section = MAUI_SYSCFG; section < MAUI_SECTIONS; section++)
		if (info->sections & MAUI_IN(section) &&
		    !maui_report_append(array, json_object_new_string(maui_section_name(section))))
			return false;
	return true;
}

static bool add_keywords(struct json_object *object, const struct maui_key_info *info)
{
	struct json_object *array;

	if (!info->keywords)
		return maui_report_add(object, "keywords", NULL);
	array = json_object_new_array();
	if (!maui_report_add_new(object, "keywords", array))
		return false;
	for (const char *const *word = info->keywords; *word; word++)
		if (!maui_report_append(array, json_object_new_string(*word)))
			return false;
	return true;
}

static bool add_range(struct json_object *object, const struct maui_key_info *info)
{
	if (!key_has_range(info))
		return maui_report_add(object, "min", NULL) && maui_report_add(object, "max", NULL);
	return maui_report_add_number(object, "min", info->min) &&
	       maui_report_add_number(object, "max", info->max);
}

static bool add_flag(struct json_object *object, const char *name, bool flag)
{
	return maui_report_add_new(object, name, json_object_new_boolean(flag));
}

static struct json_object *render(const struct maui_key_info *info)
{
	struct json_object *object = json_object_new_object();

	if (!object)
		return NULL;
	if (maui_report_add_text(object, "name", info->name) &&
	    add_words(object, "aliases", info->aliases) &&
	    add_flag(object, "parameter", info->sections & MAUI_IN(MAUI_PARAMETERS)) &&
	    add_sections(object, info) && add_flag(object, "indexed", info->indexed) &&
	    add_flag(object, "dimensions", info->dimensions) &&
	    add_flag(object, "cumulative", info->cumulative) &&
	    maui_report_add_text(object, "kind", maui_kind_name(info->kind)) &&
	    maui_report_add_text(object, "default", info->default_text) &&
	    add_range(object, info) && add_keywords(object, info) &&
	    maui_report_add_text(object, "area", maui_area_name(info->area)) &&
	    add_flag(object, "in_force", key_in_force(info)) &&
	    maui_report_add_text(object, "chapter", info->chapter) &&
	    maui_report_add_text(object, "summary", info->summary) &&
	    maui_report_add_text(object, "missing", info->missing))
		return object;
	json_object_put(object);
	return NULL;
}

static int print_keys_json(char **names)
{
	struct json_object *data = json_object_new_object();
	struct json_object *array = json_object_new_array();
	int code = EXIT_ERRORS;

	if (!maui_report_add_new(data, "keys", array)) {
		json_object_put(data);
		return fail_memory();
	}
	for (enum maui_key key = 0; key < MAUI_KEYS; key++) {
		const struct maui_key_info *info = maui_key_info(key);

		if (info && wanted_anywhere(info, names) &&
		    !maui_report_append(array, render(info))) {
			json_object_put(data);
			return fail_memory();
		}
	}
	code = print_json("maui.keys/1", data);
	json_object_put(data);
	return code;
}

static void print_key(const struct maui_key_info *info)
{
	char name[128], values[KEY_TEXT_SIZE];

	snprintf(name, sizeof(name), "%s%s%s", info->name, info->indexed ? "[partition]" : "",
		 info->dimensions ? "[credential]" : "");
	printf("%-34s  %-24s  %-15s  %s", name, key_value_text(info, values),
	       info->default_text ? info->default_text : "-", info->summary);
	if (!key_in_force(info))
		printf("; no effect%s%s", info->missing ? ": " : "",
		       info->missing ? info->missing : "");
	if (*info->chapter)
		printf(" (%s)", info->chapter);
	putchar('\n');
}

/* A section's keys under its name, parameters by area. */
static void print_group(enum maui_section section, enum maui_area area, char **names)
{
	bool first = true;

	for (enum maui_key key = 0; key < MAUI_KEYS; key++) {
		const struct maui_key_info *info = maui_key_info(key);

		if (!info || !(info->sections & MAUI_IN(section)) || !wanted(info, section, names))
			continue;
		if (section == MAUI_PARAMETERS && info->area != area)
			continue;
		if (first && section == MAUI_PARAMETERS)
			printf("# parameters: %s\n", maui_area_name(area));
		else if (first)
			printf("# attributes: %s\n", maui_section_name(section));
		first = false;
		print_key(info);
	}
	if (!first)
		putchar('\n');
}

/* "# attributes: USERCFG GROUPCFG" */
static void print_sections(unsigned int sections)
{
	printf("# attributes:");
	for (enum maui_section section = MAUI_SYSCFG; section < MAUI_SECTIONS; section++)
		if (sections & MAUI_IN(section))
			printf(" %s", maui_section_name(section));
	putchar('\n');
}

static bool is_named(const struct maui_key_info *info, char **names)
{
	for (; *names; names++)
		for (enum maui_section section = MAUI_SYSCFG; section < MAUI_SECTIONS; section++)
			if (section_named(*names) == MAUI_SECTIONS &&
			    maui_key_find(section, *names) == info)
				return true;
	return false;
}

/* Attributes requested by name, each once, with the names of all its sections. */
static void print_named(char **names)
{
	unsigned int sections = 0;

	for (enum maui_key key = 0; key < MAUI_KEYS; key++) {
		const struct maui_key_info *info = maui_key_info(key);
		unsigned int own;

		if (!info || !is_named(info, names))
			continue;
		own = info->sections & ~(unsigned int)MAUI_IN(MAUI_PARAMETERS);
		if (sections && own != sections)
			putchar('\n');
		if (own != sections)
			print_sections(own);
		sections = own;
		print_key(info);
	}
	if (sections)
		putchar('\n');
}

static bool is_section_named(enum maui_section section, char **names)
{
	for (; *names; names++)
		if (section_named(*names) == section)
			return true;
	return false;
}

/* False after reporting the first unknown name. */
static bool all_known(char **names)
{
	for (; *names; names++) {
		bool known = section_named(*names) != MAUI_SECTIONS;

		for (enum maui_section section = 0; section < MAUI_SECTIONS; section++)
			known |= maui_key_find(section, *names) != NULL;
		if (!known) {
			const char *near = maui_key_nearest(MAUI_PARAMETERS, *names);

			complain("there is no parameter or attribute %s%s%s%s", *names,
				 near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
			return false;
		}
	}
	return true;
}

static int run_keys(struct cli *cli, int argc, char **argv)
{
	int option = next_option(cli, argc, argv, "", NULL);

	if (option != OPTIONS_END)
		return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
	if (!all_known(argv + optind))
		return EXIT_ERRORS;
	if (cli->json)
		return print_keys_json(argv + optind);
	for (enum maui_area area = 0; area < MAUI_AREAS; area++)
		print_group(MAUI_PARAMETERS, area, argv + optind);
	for (enum maui_section section = MAUI_SYSCFG; section < MAUI_SECTIONS; section++)
		if (optind == argc || is_section_named(section, argv + optind))
			print_group(section, MAUI_AREAS, argv + optind);
	print_named(argv + optind);
	return EXIT_OK;
}

const struct command keys_command = {
	.name = "keys",
	.synopsis = "[--json] [NAME...]",
	.summary = "Show the parameters and attributes that maui.cfg may have",
	.run = run_keys,
};
