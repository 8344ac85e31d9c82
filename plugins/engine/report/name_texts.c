/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks up the name of a user or group ID. Falls back to the last name found
 * while the service does not answer, else to the number.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/report/name_texts.h"

#include <string.h>

#include "common/report/json.h"
#include "common/util/memory.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/policy/names_kept.h"
#include "plugins/engine/policy/principals_ask.h"
#include "plugins/engine/runtime/lock.h"

static char *last_name(enum maui_credential type, uint32_t number)
{
	const char *last;
	char *name;

	engine_lock();
	last = names_kept_name(type, number);
	if (!last)
		last = maui_principals_name(in_force.principals, type, number);
	name = last ? maui_strdup(last) : NULL;
	engine_unlock();
	return name;
}

char *name_text(enum maui_credential type, uint32_t number, size_t *unanswered)
{
	char *name;

	if (principals_ask_name(type, number, &name) == MAUI_ANSWER_NOT_NOW) {
		(*unanswered)++;
		name = last_name(type, number);
	}
	return name ? name : maui_asprintf("%u", number);
}

void name_texts_add_unanswered(struct json_object *data, size_t unanswered)
{
	if (unanswered)
		json_set_number(data, "names_unanswered", (int64_t)unanswered);
}
