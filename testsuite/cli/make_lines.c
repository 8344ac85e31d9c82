/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a maui.cfg of one line for each name of the tables, in each section that it may stand in:
 * with a right value, none, wrong ones, and words of others. No two lines speak of the same object,
 * so that what is said of a line is said for its own sake.
 */
#include <stdio.h>
#include <string.h>

#include "common/config/keys/keywords.h"
#include "common/config/keys/legacy.h"
#include "common/config/keys/unknown.h"

static const char *const values[] = {"",     "xyzzy", "-7", "99999999999999999999",
				     "8:00", "a,b:c", "ALL"};

static void write_line(enum maui_section section, const char *name, size_t size, const char *value)
{
	static unsigned int number;

	number++;
	if (section == MAUI_PARAMETERS)
		printf("%.*s %s\n", (int)size, name, value);
	else if (section == MAUI_SYSCFG)
		printf("SYSCFG %.*s=%s\n", (int)size, name, value);
	else
		printf("%s[x%u] %.*s=%s\n", maui_section_name(section), number, (int)size, name,
		       value);
}

static void write_name(unsigned int sections, const char *name, size_t size)
{
	for (enum maui_section section = 0; section < MAUI_SECTIONS; section++)
		for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
			if (sections & MAUI_IN(section))
				write_line(section, name, size, values[i]);
}

static void write_words(const struct maui_key_info *key)
{
	enum maui_key whose;
	const char *word;

	for (size_t i = 0; (word = maui_keyword_synonym(i, &whose)); i++)
		if (whose == key->key)
			write_line(key->sections & MAUI_IN(MAUI_PARAMETERS) ? MAUI_PARAMETERS
				   : key->sections & MAUI_IN(MAUI_NODECFG)  ? MAUI_NODECFG
									    : MAUI_SRCFG,
				   key->name, strlen(key->name), word);
	for (size_t i = 0; key->keywords && key->keywords[i]; i++)
		for (enum maui_section section = 0; section < MAUI_SECTIONS; section++)
			if (key->sections & MAUI_IN(section))
				write_line(section, key->name, strlen(key->name), key->keywords[i]);
}

static void write_key(const struct maui_key_info *key)
{
	write_name(key->sections, key->name, strcspn(key->name, "*"));
	for (const char *alias = key->aliases; *(alias += strspn(alias, " "));
	     alias += strcspn(alias, " "))
		write_name(key->sections, alias, strcspn(alias, " "));
	if (key->default_text && *key->default_text)
		for (enum maui_section section = 0; section < MAUI_SECTIONS; section++)
			if (key->sections & MAUI_IN(section))
				write_line(section, key->name, strcspn(key->name, "*"),
					   key->default_text);
	write_words(key);
}

int main(void)
{
	char name[MAUI_LEGACY_NAME_SIZE];
	unsigned int sections;
	const char *foreign;

	for (int key = 0; key < MAUI_KEYS; key++)
		write_key(maui_key_info(key));
	for (size_t i = 0; maui_legacy_name(i, name); i++)
		write_name(MAUI_IN(MAUI_PARAMETERS), name, strlen(name));
	for (size_t i = 0; (foreign = maui_foreign_name(i, &sections)); i++)
		write_name(sections, foreign, strcspn(foreign, "*"));
	for (enum maui_section section = 0; section < MAUI_SECTIONS; section++)
		write_name(MAUI_IN(section), "XYZZYPLUGH", strlen("XYZZYPLUGH"));
	return ferror(stdout) != 0;
}
