/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/state/known_names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/state/first_lines.h"
#include "common/state/text.h"
#include "common/util/grow.h"
#include "common/util/idmap.h"
#include "common/util/intern.h"

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

/* The first words of lines. */
static const char *const number_words[] = {[MAUI_USER] = "user", [MAUI_GROUP] = "group"};
static const char *const name_words[] = {[MAUI_USER] = "uid", [MAUI_GROUP] = "gid"};

struct maui_known_names *maui_known_names_new(void)
{
	struct maui_known_names *known = calloc(1, sizeof(*known));

	for (int type = MAUI_USER; known && type <= MAUI_GROUP; type++) {
		known->table[type].texts = maui_intern_new();
		if (!known->table[type].texts)
			return maui_known_names_free(known);
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
	uint32_t text, *grown;

	if (!is_writable(name))
		return 0;
	text = maui_intern_find(table->texts, name);
	if (text)
		return text;
	grown = maui_grow(table->number, (size_t)maui_intern_count(table->texts) + 2, &table->room,
			  sizeof(*grown));
	if (!grown)
		return 0;
	table->number = grown;
	text = maui_intern_add(table->texts, name);
	if (text)
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
	    (!before && table->count >= MAUI_KNOWN_NAMES_MAX / 2) ||
	    maui_idmap_set(&table->name, number, text))
		return false;
	table->count += !before;
	if (table->number[text] == NO_NUMBER)
		maui_known_names_set_number(known, type, name, number);
	return true;
}

/* ---- the file ---- */

/* "user NUMBER NAME", "group ...", "uid ...", "gid ..." */
static int parse_line(struct maui_statetext_words words, void *context, const char **why)
{
	struct maui_known_names *known = context;
	char name[MAUI_KNOWN_NAME_SIZE];
	int64_t number;

	(void)why;
	for (int type = MAUI_USER; type <= MAUI_GROUP; type++) {
		bool is_number = maui_statetext_word(&words, number_words[type]);

		if (!is_number && !maui_statetext_word(&words, name_words[type]))
			continue;
		if (!maui_statetext_number(&words, 0, NO_NUMBER - 1, &number) ||
		    !maui_statetext_rest(&words, name, sizeof(name)) || !is_writable(name))
			return -EINVAL;
		if (is_number)
			maui_known_names_set_number(known, (enum maui_credential)type, name,
						    (uint32_t)number);
		else
			maui_known_names_set_name(known, (enum maui_credential)type,
						  (uint32_t)number, name);
		return 0;
	}
	return -EINVAL;
}

int maui_known_names_parse(const char *text, size_t size, struct maui_known_names **ret_known,
			   struct maui_error *error)
{
	struct maui_known_names *known = maui_known_names_new();
	int rc = known ? maui_statetext_parse(text, size, MAUI_FIRST_LINE_NAMES, parse_line, known,
					      error)
		       : maui_error_set(error, ENOMEM, "out of memory");

	if (rc)
		maui_known_names_free(known);
	else
		*ret_known = known;
	return rc;
}

static char *put_line(char *at, const char *word, uint32_t number, const char *name)
{
	return at + sprintf(at, "%s %" PRIu32 " %s\n", word, number, name);
}

/* A name that is its number's needs no line of its own. */
static bool is_given(const struct table *table, uint32_t text)
{
	return maui_idmap_find(&table->name, table->number[text]) == text;
}

static char *put_table(char *at, const struct table *table, enum maui_credential type)
{
	for (uint32_t text = 1; text <= maui_intern_count(table->texts); text++)
		if (table->number[text] != NO_NUMBER && !is_given(table, text))
			at = put_line(at, number_words[type], table->number[text],
				      maui_intern_name(table->texts, text));
	for (uint32_t i = 0; i < table->name.slot_count; i++)
		if (table->name.slots[i].value)
			at = put_line(at, name_words[type], table->name.slots[i].key,
				      maui_intern_name(table->texts, table->name.slots[i].value));
	return at;
}

int maui_known_names_format(const struct maui_known_names *known, char **ret_text, size_t *ret_size)
{
	size_t count = known->table[MAUI_USER].count + known->table[MAUI_GROUP].count;
	char *text = malloc(sizeof(MAUI_FIRST_LINE_NAMES) + count * MAUI_KNOWN_NAMES_LINE +
			    MAUI_STATETEXT_END_SIZE);
	char *at = text;

	if (!text)
		return -ENOMEM;
	at += sprintf(at, "%s", MAUI_FIRST_LINE_NAMES);
	at = put_table(at, &known->table[MAUI_USER], MAUI_USER);
	at = put_table(at, &known->table[MAUI_GROUP], MAUI_GROUP);
	*ret_text = text;
	*ret_size = maui_statetext_seal(text, (size_t)(at - text));
	return 0;
}
