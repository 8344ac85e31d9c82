/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks names of GRES and licenses, parses counts with units such as 4K or
 * 4KB, and sums one license in a job's list.
 */
#include "common/util/slurm/gres.h"

#include <string.h>

#include "common/util/text.h"

/* Slurm separates with these, ends a name at ( or #, and drops \. It takes all others. */
static bool is_name_character(char c)
{
	return c > ' ' && c < 0x7f && !strchr(",:=(#\\", c);
}

/* Lists of licenses are separated with these, too. */
static bool is_license_character(char c)
{
	return c != ';' && c != '|';
}

bool maui_gres_is_name(const char *text, size_t size)
{
	const char *colon = memchr(text, ':', size);
	size_t first = colon ? (size_t)(colon - text) : size;
	bool license;

	if (!first || first + 1 == size || size >= MAUI_GRES_NAME_SIZE)
		return false;
	license = size > strlen(MAUI_GRES_LICENSE) && maui_gres_license(text);
	for (size_t i = 0; i < size; i++)
		if (i != first &&
		    (!is_name_character(text[i]) || (license && !is_license_character(text[i]))))
			return false;
	return true;
}

/* k, kb or kib at the beginning of text: how many bytes; 0: none of them. */
static size_t unit_size(const char *text)
{
	if (maui_upper(text[1]) == 'I' && maui_upper(text[2]) == 'B')
		return 3;
	return maui_upper(text[1]) == 'B' ? 2 : 1;
}

uint64_t maui_gres_unit(const char *text, size_t *ret_size)
{
	static const char letters[] = "KMGTP";
	const char *letter = *text ? strchr(letters, maui_upper(*text)) : NULL;
	uint64_t multiple = 1;

	*ret_size = letter ? unit_size(text) : 0;
	for (const char *at = letters; letter && at <= letter; at++)
		multiple *= *ret_size == 2 ? 1000 : 1024;
	return multiple;
}

bool maui_gres_count_parse(const char *text, size_t size, uint64_t *ret_count)
{
	uint64_t count = 0;
	char unit[4] = "";
	size_t digits = 0, letters;

	for (; digits < size && maui_is_digit(text[digits]); digits++)
		count = maui_gres_plus(maui_gres_times(count, 10), (uint64_t)(text[digits] - '0'));
	if (!digits || size - digits >= sizeof(unit))
		return false;
	memcpy(unit, text + digits, size - digits);
	count = maui_gres_times(count, maui_gres_unit(unit, &letters));
	if (letters != size - digits)
		return false;
	*ret_count = count;
	return true;
}

const char *maui_gres_license(const char *name)
{
	static const char prefix[] = MAUI_GRES_LICENSE;

	return strncmp(name, prefix, sizeof(prefix) - 1) != 0 ? NULL : name + sizeof(prefix) - 1;
}

/* The number behind an item's name: `matlab:2`, `matlab=2`; 1 if there is none. */
static uint64_t item_count(const char *item, size_t size)
{
	uint64_t count = 0;

	if (!size)
		return 1;
	for (size_t i = 1; i < size && maui_is_digit(item[i]); i++)
		count = maui_gres_plus(maui_gres_times(count, 10), (uint64_t)(item[i] - '0'));
	return count;
}

uint64_t maui_gres_licenses(const char *list, const char *license)
{
	static const char separators[] = ",;|";
	size_t name = strlen(license);
	uint64_t sum = 0;

	for (list += strspn(list, separators); *list; list += strspn(list, separators)) {
		size_t size = strcspn(list, separators);

		if (size >= name && !memcmp(list, license, name) &&
		    (size == name || list[name] == ':' || list[name] == '='))
			sum = maui_gres_plus(sum, item_count(list + name, size - name));
		list += size;
	}
	return sum;
}
