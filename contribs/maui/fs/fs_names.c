/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks up digits by name_service_user() or name_service_group(): a name gets
 * quotation marks, a number stays as it is.
 */
#include "contribs/maui/fs/fs_names.h"

#include <string.h>

static bool has_numbers(enum maui_credential type)
{
	return type == MAUI_USER || type == MAUI_GROUP;
}

enum name_answer fs_name_text(enum maui_credential type, const char *name,
			      char text[MAUI_PRINCIPAL_TEXT_SIZE], const char **ret_text)
{
	enum name_answer answer = NAME_IS_THERE;
	uint32_t digits, number = UINT32_MAX;

	*ret_text = name;
	if (!has_numbers(type))
		return answer;
	if (maui_principal_number(name, &digits))
		answer = type == MAUI_USER ? name_service_user(name, &number)
					   : name_service_group(name, &number);
	if (answer == NAME_IS_THERE)
		*ret_text = maui_principal_text(name, number, text);
	return answer;
}

const char *fs_name_of(enum maui_credential type, const char *text,
		       char name[MAUI_PRINCIPAL_TEXT_SIZE], bool *ret_number)
{
	const char *quoted = NULL;
	uint32_t number;
	size_t size;

	*ret_number = has_numbers(type) && maui_principal_number(text, &number);
	if (has_numbers(type))
		quoted = maui_principal_quoted(text, &size);
	if (!quoted)
		return text;
	memcpy(name, quoted, size);
	name[size] = '\0';
	return name;
}
