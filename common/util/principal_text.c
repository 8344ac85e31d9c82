/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a user or group as name, number or quoted name, and parses numbers and
 * quoted names.
 */
#include "common/util/principal_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool maui_principal_number(const char *text, uint32_t *ret_number)
{
	unsigned long number;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	number = strtoul(text, &end, 10);
	if (errno || *end || number >= UINT32_MAX)
		return false;
	*ret_number = (uint32_t)number;
	return true;
}

const char *maui_principal_text(const char *name, uint32_t number,
				char text[MAUI_PRINCIPAL_TEXT_SIZE])
{
	uint32_t digits;
	bool is_digits;

	if (!name) {
		snprintf(text, MAUI_PRINCIPAL_TEXT_SIZE, "%" PRIu32, number);
		return text;
	}
	is_digits = maui_principal_number(name, &digits);
	if (is_digits ? digits == number : *name != '"') /* it means the same either way */
		return name;
	if (snprintf(text, MAUI_PRINCIPAL_TEXT_SIZE, "\"%s\"", name) >= MAUI_PRINCIPAL_TEXT_SIZE)
		return name;
	return text;
}

const char *maui_principal_quoted(const char *text, size_t *ret_size)
{
	size_t size = strlen(text);
	char name[MAUI_PRINCIPAL_TEXT_SIZE];
	uint32_t number;

	if (size < 3 || size >= sizeof(name) || *text != '"' || text[size - 1] != '"')
		return NULL;
	memcpy(name, text + 1, size - 2);
	name[size - 2] = '\0';
	if (*name != '"' && !maui_principal_number(name, &number))
		return NULL; /* a name with quotation marks, of an earlier version's file */
	*ret_size = size - 2;
	return text + 1;
}
