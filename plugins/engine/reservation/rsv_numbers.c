/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stores an answer of the name service for each interned name.
 * rsv_numbers_ask() compiles the reservations and looks up each of their names
 * at most once.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/rsv_numbers.h"

#include <stdlib.h>
#include <string.h>

#include "common/policy/reservation/sr_settings.h"
#include "common/queue/names.h"
#include "common/util/grow.h"
#include "common/util/intern.h"
#include "common/util/memory.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/policy/principals_ask.h"
#include "plugins/engine/runtime/runtime.h"

struct number {
	enum maui_answer answer;
	uint32_t number;
};

/* MAUI_USER, MAUI_GROUP; numbers by the names' interned IDs. */
ENGINE_GUARDED static struct table {
	struct maui_intern *names;
	struct number *numbers;
	size_t room;
} tables[2];

static bool is_numbered(enum maui_credential type)
{
	return type == MAUI_USER || type == MAUI_GROUP;
}

/* The mutex is held. */
ENGINE_LOCKED static void keep(enum maui_credential type, const char *name, struct number number)
{
	struct table *table = &tables[type];

	if (!table->names)
		table->names = maui_intern_new();
	table->numbers = maui_grow(table->numbers, (size_t)maui_intern_count(table->names) + 2,
				   &table->room, sizeof(*table->numbers));
	table->numbers[maui_intern_add(table->names, name)] = number;
}

ENGINE_LOCKED static const struct number *find(enum maui_credential type, const char *name)
{
	uint32_t id = tables[type].names ? maui_intern_find(tables[type].names, name) : 0;

	return id ? &tables[type].numbers[id] : NULL;
}

/* ---- asking ---- */

struct asking {
	bool again;
	char *unknown;   /* the first */
	bool lacking[2]; /* users, groups that are not known now */
	struct maui_intern *seen[2];
};

/* Whether the name service has been asked before and has found it: *ret_number is its answer. */
static bool is_answered(enum maui_credential type, const char *name, struct number *ret_number)
{
	const struct number *found;

	engine_lock();
	found = find(type, name);
	if (found)
		*ret_number = *found;
	engine_unlock();
	return found && maui_answer_has_number(ret_number->answer);
}

static void note_unknown(struct asking *asking, enum maui_credential type, const char *name,
			 enum maui_answer answer)
{
	const char *which = maui_credential_name(type);

	asking->unknown =
		answer == MAUI_ANSWER_NONE
			? maui_asprintf("there is no %s '%s' on this machine", which, name)
			: maui_asprintf("the name service of this machine does not answer for %s "
					"'%s': ask again later",
					which, name);
}

/* Called for each name in the reservations' lists and owners. */
static uint32_t numbers_ask(void *context, enum maui_credential type, const char *name)
{
	struct asking *asking = context;
	struct number number = {MAUI_ANSWER_NONE, 0};

	if (!is_numbered(type) || maui_intern_find(asking->seen[type], name))
		return 1;
	maui_intern_add(asking->seen[type], name);
	if (asking->again || !is_answered(type, name, &number)) {
		number.answer = principals_ask_number(type, name, &number.number);
		engine_lock();
		keep(type, name, number);
		engine_unlock();
	}
	asking->lacking[type] |= number.answer == MAUI_ANSWER_NOT_NOW;
	if (!maui_answer_has_number(number.answer) && !asking->unknown)
		note_unknown(asking, type, name, number.answer);
	return 1;
}

static void set_lacking(const struct asking *asking)
{
	engine_lock();
	maui_names_set_lacking(in_force.names, MAUI_USER, asking->lacking[MAUI_USER]);
	maui_names_set_lacking(in_force.names, MAUI_GROUP, asking->lacking[MAUI_GROUP]);
	engine_unlock();
}

void rsv_numbers_ask(struct maui_config *config, bool again, char **ret_unknown)
{
	struct asking asking = {.again = again, .seen = {maui_intern_new(), maui_intern_new()}};
	struct maui_limit_names names = {numbers_ask, &asking};

	maui_sr_settings_free(maui_sr_settings_compile(config, &names));
	if (again)
		set_lacking(&asking);
	maui_intern_free(asking.seen[MAUI_USER]);
	maui_intern_free(asking.seen[MAUI_GROUP]);
	if (ret_unknown)
		*ret_unknown = asking.unknown;
	else
		free(asking.unknown);
}

/* ---- lookup ---- */

static uint32_t id_of(void *context, enum maui_credential type, const char *name)
{
	const struct number *found;

	engine_assert_locked();
	if (!is_numbered(type))
		return maui_names_of_configured(context, type, name);
	found = find(type, name);
	return found && maui_answer_has_number(found->answer)
		       ? maui_names_of_number(context, type, found->number)
		       : MAUI_NO_CREDENTIAL;
}

struct maui_limit_names rsv_numbers_names(void)
{
	return (struct maui_limit_names){id_of, in_force_names()};
}
