/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the words of maui.cfg, from the key table, as a dictionary for libFuzzer and AFL. */
#include <stdio.h>
#include <string.h>

#include "common/config/keys/keys.h"
#include "common/config/keys/legacy.h"

/* libFuzzer rejects a dictionary that contains an empty word. */
static void write_word(const char *word, size_t size, const char *ending)
{
	if (!size)
		return;
	putchar('"');
	for (size_t i = 0; i < size; i++) {
		if (word[i] == '"' || word[i] == '\\')
			putchar('\\');
		putchar(word[i]);
	}
	printf("%s\"\n", ending);
}

static void write_words(const char *words, const char *ending)
{
	for (size_t size; *words; words += size) {
		words += strspn(words, " ");
		size = strcspn(words, " ");
		if (size)
			write_word(words, size, ending);
	}
}

static void write_key(const struct maui_key_info *info)
{
	const char *ending = info->sections & MAUI_IN(MAUI_PARAMETERS) ? " " : "=";

	write_words(info->name, ending);
	write_words(info->aliases, ending);
	if (info->default_text)
		write_word(info->default_text, strlen(info->default_text), "");
	for (size_t i = 0; info->keywords && info->keywords[i]; i++)
		write_word(info->keywords[i], strlen(info->keywords[i]), "");
}

int main(void)
{
	static const char *const others[] = {
		"[DEFAULT]", "[0]",        "[USER:x]=", "[PERIOD:x]=",
		"[CLASS]=",  "#INCLUDE ",  "INFINITY",  "1:00:00*",
		"8:00",      "-1",         "0x10",      "010",
		"1e999",     "PROCS:2",    "MEM=1GB",   "start+5;exec@x",
		"USER:tom",  "Mon,Tue",    "n[1,2-3]",  "!x",
		"x-",        "<=",         "+=",        "10.0+",
		"'",         "\"",         "#",         "ON",
		"OFF",       "2027-06-30", "_18:00:00"};
	char name[MAUI_LEGACY_NAME_SIZE];

	for (int section = MAUI_PARAMETERS + 1; section < MAUI_SECTIONS; section++)
		write_words(maui_section_name(section), "[");
	for (int key = 0; key < MAUI_KEYS; key++)
		write_key(maui_key_info(key));
	for (size_t i = 0; maui_legacy_name(i, name); i++)
		write_words(name, " ");
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		write_word(others[i], strlen(others[i]), "");
	return ferror(stdout) != 0;
}
