/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/fuzz/cfg_lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/config/keys/keywords.h"
#include "common/config/keys/legacy.h"
#include "common/config/keys/unknown.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

__attribute__((format(printf, 2, 3))) static void add(struct scrap *scrap, const char *format, ...)
{
	size_t room = sizeof(scrap->text) - scrap->size;
	va_list arguments;
	int size;

	va_start(arguments, format);
	size = vsnprintf(scrap->text + scrap->size, room, format, arguments);
	va_end(arguments);
	if (size > 0)
		scrap->size += (size_t)size < room ? (size_t)size : room - 1;
}

/* ---- names ---- */

static const char *some_object(struct dice *dice)
{
	static const char *const objects[] = {
		"DEFAULT", "bob", "alice", "root", "batch",   "n1", "n[1-3]", "0",      "ALL",
		"",        "Bob", "x y",   "hi",   "default", "1",  "system", "[NONE]", "a.0"};

	return objects[roll(dice, COUNT(objects))];
}

const char *some_file(struct dice *dice)
{
	static const char *const files[] = {"a.cfg", "b.cfg", "./a.cfg", "y.cfg", "d/c.cfg"};

	return files[roll(dice, COUNT(files))];
}

/* A key that may occur in the section; one time in eight another section's. */
static const struct maui_key_info *some_key(struct dice *dice, enum maui_section section)
{
	bool any = !roll(dice, 8);

	for (;;) {
		const struct maui_key_info *info = maui_key_info((int)roll(dice, MAUI_KEYS));

		if (any || info->sections & MAUI_IN(section))
			return info;
	}
}

/* One of the words in a blank-separated list. */
static void add_word(struct dice *dice, struct scrap *scrap, const char *words)
{
	size_t skip = roll(dice, 4), size;

	for (size = strcspn(words, " "); skip-- && words[size]; size = strcspn(words, " "))
		words += size + 1;
	add(scrap, "%.*s", (int)size, words);
}

/* Its name or an alias; for SIM* something that begins with it. */
static void add_key_name(struct dice *dice, struct scrap *scrap, const struct maui_key_info *info)
{
	if (*info->aliases && !roll(dice, 3))
		add_word(dice, scrap, info->aliases + strspn(info->aliases, " "));
	else
		add(scrap, "%.*s", (int)strcspn(info->name, "*"), info->name);
}

static void add_foreign(struct dice *dice, struct scrap *scrap)
{
	static size_t count;
	unsigned int sections;
	const char *name;

	while (!count || maui_foreign_name(count, &sections))
		count++;
	name = maui_foreign_name(roll(dice, count), &sections);
	add(scrap, "%.*s", (int)strcspn(name, "*"), name);
}

static void add_legacy(struct dice *dice, struct scrap *scrap)
{
	char name[MAUI_LEGACY_NAME_SIZE] = "";
	static size_t count;

	while (!count || maui_legacy_name(count, name))
		count++;
	maui_legacy_name(roll(dice, count), name);
	add(scrap, "%s", name);
}

/* Changes a letter in what was added since begin. */
static void misspell(struct dice *dice, struct scrap *scrap, size_t begin)
{
	if (scrap->size > begin)
		scrap->text[begin + roll(dice, scrap->size - begin)] =
			(char)('A' + (char)roll(dice, 26));
}

/* ---- values ---- */

static void add_number(struct dice *dice, struct scrap *scrap, const struct maui_key_info *info)
{
	switch (roll(dice, 8)) {
	case 0:
		add(scrap, "%.17g", info->min);
		break;
	case 1:
		add(scrap, "%.17g", info->max);
		break;
	case 2:
		add(scrap, "%.17g", info->min - 1);
		break;
	case 3:
		add(scrap, "%.17g", info->max + 1);
		break;
	default:
		add(scrap, "%d", (int)roll(dice, 1000) - 10);
		break;
	}
}

static const char *others_word(struct dice *dice)
{
	enum maui_key key;
	static size_t count;

	while (!count || maui_keyword_synonym(count, &key))
		count++;
	return maui_keyword_synonym(roll(dice, count), &key);
}

static void add_keyword(struct dice *dice, struct scrap *scrap, const struct maui_key_info *info)
{
	size_t count = 0;

	while (info->keywords && info->keywords[count])
		count++;
	if (count && roll(dice, 8))
		add(scrap, "%s", info->keywords[roll(dice, count)]);
	else
		add(scrap, "%s", others_word(dice));
}

void add_value(struct dice *dice, struct scrap *scrap)
{
	static const char *const values[] = {"",
					     "0",
					     "1",
					     "-1",
					     "-7",
					     "100",
					     "4,8",
					     "4:8",
					     "0,5",
					     "99999999999999999999",
					     "1e308",
					     "nan",
					     "inf",
					     "0x10",
					     "010",
					     "8:00",
					     "1:00:00:00",
					     "00:00:61",
					     "-1:00:00",
					     "INFINITY",
					     "NONE",
					     "ALL",
					     "ANY",
					     "NOBODY",
					     "TRUE",
					     "ON",
					     "off",
					     "a,b:c",
					     "bob",
					     "bob+",
					     "bob-:alice^",
					     "!eve",
					     "*bob",
					     "&hi",
					     "1:00:00*",
					     "<=4",
					     "==4",
					     "4+",
					     "4-",
					     "10.0+",
					     "25%",
					     "50^",
					     "20.5-",
					     "hi,lo",
					     "hi&",
					     "DEFAULT",
					     "DEDICATEDPS%",
					     "UTILIZEDPS",
					     "DEDICATEDGRES[gpu]",
					     "DEDICATEDGRES[gpu:a100]%",
					     "DEDICATEDGRES[license:x",
					     "Mon,Tue-Fri",
					     "2027-06-30",
					     "2027-06-30_18:00:00",
					     "Sat",
					     "DAY",
					     "WEEK",
					     "INFINITE",
					     "n1",
					     "n[1-3]",
					     "n1,n2",
					     "^n[0-9]+$",
					     "(a|b)*",
					     "r:n[1-2]",
					     "PROCS:2;MEM:512MB",
					     "PROCS:-1",
					     "PROCS:1;GRES=gpu:2",
					     "PROCS=1,GRES=gpu:a100",
					     "MEM=1GB",
					     "start+5;exec@/bin/true",
					     "end;exec@x y",
					     "USER:bob",
					     "QOS:hi",
					     "CLASS:batch",
					     "FIFO",
					     "IGNIDLEJOBRSV,PREEMPTEE",
					     "2*(APROCS - 3) + LOAD",
					     "PRIORITY-",
					     "-1.5 * CMEM",
					     "-100*CGRES[gpu]",
					     "AGRES[gpu:a100]+PREF",
					     "CGRES[license:x",
					     "/nonexistent",
					     "stats",
					     "512MB",
					     "1TB",
					     "\"a b\"",
					     "'",
					     "x\"y"};

	add(scrap, "%s", values[roll(dice, COUNT(values))]);
}

/* Mostly valid ones. */
static void add_value_of(struct dice *dice, struct scrap *scrap, const struct maui_key_info *info)
{
	if (roll(dice, 3) && info->default_text)
		add(scrap, "%s", info->default_text);
	else if (info->keywords && roll(dice, 4))
		add_keyword(dice, scrap, info);
	else if (info->max > info->min && roll(dice, 4))
		add_number(dice, scrap, info);
	else
		add_value(dice, scrap);
	if (!roll(dice, 8)) {
		add(scrap, "%s", &",\0:\0 \0;"[2 * roll(dice, 4)]);
		add_value(dice, scrap);
	}
}

/* ---- lines ---- */

/* In the brackets of what is of a GRES. */
static void add_gres(struct dice *dice, struct scrap *scrap)
{
	static const char *const gres[] = {"[gpu]",
					   "[gpu:a100]",
					   "[license:matlab]",
					   "[gpu,USER]",
					   "[gpu,USER:bob]",
					   "[gpu,]",
					   "[GPU,CLASS:batch]",
					   "[,USER]",
					   "[gpu,PERIOD:bob]",
					   "[gpu,USER,PERIOD:bob]"};

	add(scrap, "%s", gres[roll(dice, COUNT(gres))]);
}

static void add_attribute(struct dice *dice, struct scrap *scrap, enum maui_section section)
{
	static const char *const signs[] = {"=", "=", "=", "=", "=", "=", "<=", "==", "+=", " "};
	static const char *const dimensions[] = {
		"[USER]", "[USER:bob]", "[GROUP:]",     "[CLASS:batch]",         "[x]",
		"[",      "[0]",        "[PERIOD:bob]", "[USER:bob,PERIOD:bob]", "[PERIOD:]"};
	const struct maui_key_info *info = some_key(dice, section);
	size_t begin = scrap->size;

	if (!roll(dice, 12))
		add_foreign(dice, scrap);
	else
		add_key_name(dice, scrap, info);
	if (!roll(dice, 24))
		misspell(dice, scrap, begin);
	if (info->gres && roll(dice, 8))
		add_gres(dice, scrap);
	else if (!roll(dice, info->dimensions ? 3 : 24))
		add(scrap, "%s", dimensions[roll(dice, COUNT(dimensions))]);
	add(scrap, "%s", signs[roll(dice, COUNT(signs))]);
	add_value_of(dice, scrap, info);
}

void add_pair(struct dice *dice, struct scrap *scrap)
{
	add_attribute(dice, scrap, (enum maui_section)(1 + roll(dice, MAUI_SECTIONS - 1)));
}

static void add_object_line(struct dice *dice, struct scrap *scrap)
{
	enum maui_section section = (enum maui_section)(1 + roll(dice, MAUI_SECTIONS - 1));

	add(scrap, "%s", maui_section_name(section));
	if (section != MAUI_SYSCFG || !roll(dice, 8))
		add(scrap, roll(dice, 24) ? "[%s]" : "[%s", some_object(dice));
	for (size_t count = roll(dice, 4); count; count--) {
		add(scrap, " ");
		add_attribute(dice, scrap, section);
	}
}

static void add_parameter(struct dice *dice, struct scrap *scrap)
{
	const struct maui_key_info *info = some_key(dice, MAUI_PARAMETERS);
	size_t begin = scrap->size, kind = roll(dice, 8);

	if (kind == 0)
		add_legacy(dice, scrap);
	else if (kind == 1)
		add_foreign(dice, scrap);
	else
		add_key_name(dice, scrap, info);
	if (!roll(dice, 24))
		misspell(dice, scrap, begin);
	if (info->gres && roll(dice, 8))
		add_gres(dice, scrap);
	else if (!roll(dice, info->indexed || kind == 0 ? 3 : 12))
		add(scrap, "[%s]", some_object(dice));
	add(scrap, " ");
	add_value_of(dice, scrap, info);
}

void add_line(struct dice *dice, struct scrap *scrap)
{
	switch (roll(dice, 16)) {
	case 0:
		add(scrap, "#INCLUDE %s", some_file(dice));
		break;
	case 1:
		add(scrap, "# ");
		add_value(dice, scrap);
		break;
	case 2:
	case 3:
	case 4:
	case 5:
	case 6:
		add_parameter(dice, scrap);
		break;
	default:
		add_object_line(dice, scrap);
		break;
	}
	if (!roll(dice, 32))
		add(scrap, "\\");
}
