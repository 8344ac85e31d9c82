/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks up users and groups in the name service, except digits. Rows of an
 * answer are selected by their members `name` and `unnamed`.
 */
#include "contribs/maui/lib/credential_known.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "common/report/json.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/output.h"

/* squeue accepts any number as a user, too. */
static bool is_number(const char *name)
{
	for (const char *at = name; *at; at++)
		if (!isdigit((unsigned char)*at))
			return false;
	return *name;
}

static const struct {
	const char *type;
	enum name_answer (*ask)(const char *name, uint32_t *ret_id);
} types[] = {{"user", name_service_user}, {"group", name_service_group}};

bool credential_was_known(const char *type, const char *name, enum name_answer answer)
{
	if (answer != NAME_IS_NOT_THERE || is_number(name))
		return true;
	complain("there is no %s %s", type, name);
	return false;
}

bool credential_is_known(const char *type, const char *name)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(types[i].type, type) && !is_number(name))
			return credential_was_known(type, name, types[i].ask(name, NULL));
	return true;
}

bool credential_is_in(struct json_object *jobs, const char *type, const char *name)
{
	for (size_t i = 0; i < array_size(jobs); i++)
		if (!strcmp(member_text(json_object_array_get_idx(jobs, i), type), name))
			return true;
	return credential_is_known(type, name);
}

struct json_object *credential_rows_of(struct json_object *rows, const char *name)
{
	struct json_object *named = json_make_array(), *unnamed = json_make_array();

	for (size_t i = 0; i < array_size(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		if (!strcmp(member_text(row, "name"), name))
			json_append(member_flag(row, "unnamed") ? unnamed : named,
				    json_object_get(row));
	}
	if (array_size(named)) {
		json_object_put(unnamed);
		return named;
	}
	json_object_put(named);
	return unnamed;
}
