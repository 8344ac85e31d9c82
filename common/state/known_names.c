/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two tables, users and groups, from name to number and from number to name,
 * and their records in the file `names`.
 */
#include "common/state/known_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/idmap.h"
#include "common/util/intern.h"
#include "common/util/memory.h"

#define NO_NUMBER UINT32_MAX

/* Users, or groups. */
struct table {
	struct maui_intern *texts;
	uint32_t *number; /* by text; NO_NUMBER: none */
	size_t room;
	struct maui_idmap name; /* number -> text */
	size_t count;           /* of lines */
};

struct maui_known_names {
	struct table table[2]; /* MAUI_USER, MAUI_GROUP */
};

struct maui_known_names *maui_known_names_new(void)
{
	struct maui_known_names *known = maui_calloc(1, sizeof(*known));

	for (int type = MAUI_USER; known && type <= MAUI_GROUP; type++) {
		known->table[type].texts = maui_intern_new();
	}
	return known;
}

struct maui_known_names *maui_known_names_free(struct maui_known_names *known)
{
	for (int type = MAUI_USER; known && type <= MAUI_GROUP; type++) {
		maui_intern_free(known->table[type].texts);
		free(known->table[type].number);
		maui_idmap_clear(&known->table[type].name);
	}
	free(known);
	return NULL;
}

bool maui_known_names_number(const struct maui_known_names *known, enum maui_credential type,
			     const char *name, uint32_t *ret_number)
{
	uint32_t text = known ? maui_intern_find(known->table[type].texts, name) : 0;

	if (!text || known->table[type].number[text] == NO_NUMBER)
		return false;
	*ret_number = known->table[type].number[text];
	return true;
}

const char *maui_known_names_name(const struct maui_known_names *known, enum maui_credential type,
				  uint32_t number)
{
	return known ? maui_intern_name(known->table[type].texts,
					maui_idmap_find(&known->table[type].name, number))
		     : NULL;
}

/* A line of the file can hold it. */
static bool is_writable(const char *name)
{
	size_t size = strlen(name);

	for (const char *at = name; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 127)
			return false;
	return size && size < MAUI_KNOWN_NAME_SIZE;
}

/* The id of a name; 0: it cannot be kept. */
static uint32_t text_of(struct table *table, const char *name)
{
	uint32_t text;

	if (!is_writable(name))
		return 0;
	text = maui_intern_find(table->texts, name);
	if (text)
		return text;
	table->number = maui_grow(table->number, (size_t)maui_intern_count(table->texts) + 2,
				  &table->room, sizeof(*table->number));
	text = maui_intern_add(table->texts, name);
	table->number[text] = NO_NUMBER;
	return text;
}

bool maui_known_names_set_number(struct maui_known_names *known, enum maui_credential type,
				 const char *name, uint32_t number)
{
	struct table *table = &known->table[type];
	uint32_t text = text_of(table, name);

	if (!text || number == NO_NUMBER || table->number[text] == number)
		return false;
	if (table->number[text] == NO_NUMBER && table->count++ >= MAUI_KNOWN_NAMES_MAX / 2) {
		table->count--;
		return false;
	}
	table->number[text] = number;
	return true;
}

bool maui_known_names_drop_number(struct maui_known_names *known, enum maui_credential type,
				  const char *name)
{
	struct table *table = &known->table[type];
	uint32_t text = maui_intern_find(table->texts, name);

	if (!text || table->number[text] == NO_NUMBER)
		return false;
	table->number[text] = NO_NUMBER;
	table->count--;
	return true;
}

bool maui_known_names_set_name(struct maui_known_names *known, enum maui_credential type,
			       uint32_t number, const char *name)
{
	struct table *table = &known->table[type];
	uint32_t text = text_of(table, name), before = maui_idmap_find(&table->name, number);

	if (!text || text == before || number == NO_NUMBER ||
	    (!before && table->count >= MAUI_KNOWN_NAMES_MAX / 2))
		return false;
	maui_idmap_set(&table->name, number, text);
	table->count += !before;
	if (table->number[text] == NO_NUMBER)
		maui_known_names_set_number(known, type, name, number);
	return true;
}

static void add_table(struct maui_known_names *known, enum maui_credential type,
		      const struct table *from)
{
	uint32_t number;

	for (uint32_t i = 0; i < from->name.slot_count; i++)
		if (from->name.slots[i].value &&
		    !maui_known_names_name(known, type, from->name.slots[i].key))
			maui_known_names_set_name(
				known, type, from->name.slots[i].key,
				maui_intern_name(from->texts, from->name.slots[i].value));
	for (uint32_t text = 1; text <= maui_intern_count(from->texts); text++) {
		const char *name = maui_intern_name(from->texts, text);

		if (from->number[text] != NO_NUMBER &&
		    !maui_known_names_number(known, type, name, &number))
			maui_known_names_set_number(known, type, name, from->number[text]);
	}
}

void maui_known_names_add(struct maui_known_names *known, const struct maui_known_names *from)
{
	for (int type = MAUI_USER; from && type <= MAUI_GROUP; type++)
		add_table(known, (enum maui_credential)type, &from->table[type]);
}

/* ---- the file ---- */

struct name_line {
	uint32_t number;
	char name[MAUI_KNOWN_NAME_SIZE];
};

static const struct maui_field name_fields[] = {
	MAUI_NUMBER("NUMBER", struct name_line, number, 0, NO_NUMBER - 1),
	MAUI_TEXT("NAME", REST, struct name_line, name),
};

/* By what they are of: the number of a name, or the name of a number. */
static const struct maui_record records[] = {
	[MAUI_USER] = MAUI_RECORD("user", name_fields),
	[MAUI_GROUP] = MAUI_RECORD("group", name_fields),
	[2 + MAUI_USER] = MAUI_RECORD("uid", name_fields),
	[2 + MAUI_GROUP] = MAUI_RECORD("gid", name_fields),
};

static void make_names(void *state, size_t lines)
{
	struct maui_known_names **known = state;

	(void)lines;
	*known = maui_known_names_new();
}

static int take_name(void *state, struct maui_state_line *line)
{
	struct maui_known_names *known = *(struct maui_known_names **)state;
	const struct name_line *one = line->members;
	int which = (int)(line->record - records);

	if (!is_writable(one->name))
		return -EINVAL;
	if (which < 2)
		maui_known_names_set_number(known, (enum maui_credential)which, one->name,
					    one->number);
	else
		maui_known_names_set_name(known, (enum maui_credential)(which - 2), one->number,
					  one->name);
	return 0;
}

static void put_name(struct maui_state_writer *writer, const struct maui_record *record,
		     uint32_t number, const char *name)
{
	struct name_line line = {.number = number};

	memcpy(line.name, name, strlen(name) + 1); /* it is writable */
	maui_state_put(writer, record, &line);
}

/* A name that is its number's needs no line of its own. */
static bool is_given(const struct table *table, uint32_t text)
{
	return maui_idmap_find(&table->name, table->number[text]) == text;
}

static void each_of_table(const struct table *table, int type, struct maui_state_writer *writer)
{
	for (uint32_t text = 1; text <= maui_intern_count(table->texts); text++)
		if (table->number[text] != NO_NUMBER && !is_given(table, text))
			put_name(writer, &records[type], table->number[text],
				 maui_intern_name(table->texts, text));
	for (uint32_t i = 0; i < table->name.slot_count; i++)
		if (table->name.slots[i].value)
			put_name(writer, &records[2 + type], table->name.slots[i].key,
				 maui_intern_name(table->texts, table->name.slots[i].value));
}

static void each_name(const void *state, struct maui_state_writer *writer)
{
	const struct maui_known_names *known = *(struct maui_known_names *const *)state;

	for (int type = MAUI_USER; type <= MAUI_GROUP; type++)
		each_of_table(&known->table[type], type, writer);
}

static void clear_names(void *state)
{
	struct maui_known_names **known = state;

	*known = maui_known_names_free(*known);
}

const struct maui_state_file maui_known_names_file = {
	.name = "names",
	.version = 1,
	.limit = MAUI_KNOWN_NAMES_MAX_SIZE,
	MAUI_STATE_RECORDS(records),
	.state_size = sizeof(struct maui_known_names *),
	.line_size = sizeof(struct name_line),
	.begin = make_names,
	.take = take_name,
	.each = each_name,
	.clear = clear_names,
	.lost = "until the name service answers, jobs of users that it has not named wait",
	.kept = "until the name service answers, jobs of users that it has not named wait",
	.waits = "until the name service answers, jobs of users that it has not named wait",
	.forgets = "the numbers of users and groups, which are needed if the name service is down",
};
