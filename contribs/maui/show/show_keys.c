/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui keys: the key table, so that nobody has to guess what maui.cfg may say. */
#include "contribs/maui/show/show.h"

#include <stdio.h>
#include <string.h>

#include "common/config/keys/keys.h"
#include "common/report/json.h"
#include "contribs/maui/lib/key_text.h"
#include "contribs/maui/lib/output.h"

/* The section with this name, such as USERCFG, in which case everything it may have is wanted.
 * Otherwise MAUI_SECTIONS. */
static enum maui_section section_named(const char *name)
{
	return *name ? maui_section_find(name) : MAUI_SECTIONS;
}

/* Whether a key of a section is wanted, by any of its names; all are if none is named. */
static bool show_keys_wanted(const struct maui_key_info *info, enum maui_section in, char **names)
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
		if (info->sections & MAUI_IN(section) && show_keys_wanted(info, section, names))
			return true;
	return false;
}

/* Names separated by blanks. */
static struct json_object *words_of(const char *words)
{
	struct json_object *array = json_make_array();

	while (*(words += strspn(words, " "))) {
		size_t size = strcspn(words, " ");

		json_append(array, json_make_part(words, size));
		words += size;
	}
	return array;
}

static struct json_object *sections_of(const struct maui_key_info *info)
{
	struct json_object *array = json_make_array();

	for (enum maui_section section = MAUI_SYSCFG; section < MAUI_SECTIONS; section++)
		if (info->sections & MAUI_IN(section))
			json_append_text(array, maui_section_name(section));
	return array;
}

static struct json_object *keywords_of(const struct maui_key_info *info)
{
	struct json_object *array;

	if (!info->keywords)
		return NULL;
	array = json_make_array();
	for (const char *const *word = info->keywords; *word; word++)
		json_append_text(array, *word);
	return array;
}

static void set_range(struct json_object *object, const struct maui_key_info *info)
{
	if (key_has_range(info)) {
		json_set_decimal(object, "min", info->min);
		json_set_decimal(object, "max", info->max);
	} else {
		json_set(object, "min", NULL);
		json_set(object, "max", NULL);
	}
}

static struct json_object *show_keys_render(const struct maui_key_info *info)
{
	struct json_object *object = json_make_object();

	json_set_text(object, "name", info->name);
	json_set(object, "aliases", words_of(info->aliases));
	json_set_flag(object, "parameter", info->sections & MAUI_IN(MAUI_PARAMETERS));
	json_set(object, "sections", sections_of(info));
	json_set_flag(object, "indexed", info->indexed);
	json_set_flag(object, "dimensions", info->dimensions);
	json_set_flag(object, "gres", info->gres);
	json_set_flag(object, "cumulative", info->cumulative);
	json_set_text(object, "kind", maui_kind_name(info->kind));
	json_set_text(object, "default", info->default_text);
	set_range(object, info);
	json_set(object, "keywords", keywords_of(info));
	json_set_text(object, "area", maui_area_name(info->area));
	json_set_flag(object, "in_force", key_in_force(info));
	json_set_text(object, "chapter", info->chapter);
	json_set_text(object, "summary", info->summary);
	json_set_text(object, "missing", info->missing);
	return object;
}

static int print_keys_json(char **names)
{
	struct json_object *data = json_make_object(), *array = json_make_array();
	int code;

	json_set(data, "keys", array);
	for (enum maui_key key = 0; key < MAUI_KEYS; key++) {
		const struct maui_key_info *info = maui_key_info(key);

		if (info && wanted_anywhere(info, names))
			json_append(array, show_keys_render(info));
	}
	code = print_json("maui.keys/1", data);
	json_object_put(data);
	return code;
}

static void print_key(const struct maui_key_info *info)
{
	char name[128], values[KEY_TEXT_SIZE];

	snprintf(name, sizeof(name), "%s%s%s", info->name, info->indexed ? "[partition]" : "",
		 info->gres && info->dimensions ? "[GRES,credential]"
		 : info->gres                   ? "[GRES]"
		 : info->dimensions             ? "[credential]"
						: "");
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

		if (!info || !(info->sections & MAUI_IN(section)) ||
		    !show_keys_wanted(info, section, names))
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
