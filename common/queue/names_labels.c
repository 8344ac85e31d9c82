/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of users and groups, which Slurm knows by number. A number's name comes after the
 * number, and a name in a file may come before its number: then each has an id of its own, until
 * maui_names_set_label().
 */
#include "common/queue/names_private.h"

#include <stdio.h>
#include <string.h>

uint32_t maui_names_unlabeled(const struct maui_names *names, enum maui_credential type,
			      uint32_t *at)
{
	const struct name_table *table = &names->table[type];

	while (*at < table->count)
		if (!table->label[++*at] && table->asked[*at].due)
			return table->number[*at];
	return UINT32_MAX;
}

const char *maui_names_label(const struct maui_names *names, enum maui_credential type, uint32_t id)
{
	const struct name_table *table = &names->table[type];

	return is_numeric(type) ? table->label[id] : maui_intern_name(table->intern, id);
}

const char *maui_names_name(const struct maui_names *names, enum maui_credential type, uint32_t id)
{
	const char *label = maui_names_label(names, type, id);

	return label || !is_numeric(type) ? label
					  : maui_principals_name(names->principals, type,
								 names->table[type].number[id]);
}

const char *maui_names_text(const struct maui_names *names, enum maui_credential type, uint32_t id,
			    char number[MAUI_NAMES_NUMBER_SIZE])
{
	const char *name = id == MAUI_NO_CREDENTIAL ? NULL : maui_names_name(names, type, id);

	if (name || id == MAUI_NO_CREDENTIAL)
		return name;
	snprintf(number, MAUI_NAMES_NUMBER_SIZE, "%u", maui_names_number(names, type, id));
	return number;
}

bool maui_names_is_unnamed(const struct maui_names *names, unsigned int type, uint32_t id,
			   const char *text)
{
	uint32_t number;

	return (type == MAUI_USER || type == MAUI_GROUP) && id != MAUI_NO_CREDENTIAL &&
	       !maui_names_label(names, type, id) && maui_principal_number(text, &number) &&
	       number == maui_names_number(names, type, id);
}

uint32_t maui_names_number(const struct maui_names *names, enum maui_credential type, uint32_t id)
{
	return is_numeric(type) ? names->table[type].number[id] : NO_NUMBER;
}

uint32_t maui_names_of_name(struct maui_names *names, enum maui_credential type, const char *name)
{
	struct maui_idmap *by_label = &names->table[type].by_label;
	uint32_t text, id;

	if (!is_numeric(type))
		return maui_names_of_text(names, type, name);
	text = maui_intern_add(names->labels, name);
	id = maui_idmap_find(by_label, text);
	if (id)
		return id;
	return maui_names_add(names, type, by_label, text, NO_NUMBER,
			      maui_intern_name(names->labels, text));
}

uint32_t maui_names_of_written(struct maui_names *names, enum maui_credential type,
			       const char *text)
{
	char name[MAUI_PRINCIPAL_TEXT_SIZE];
	const char *quoted;
	uint32_t number;
	size_t size;

	if (!is_numeric(type))
		return maui_names_of_text(names, type, text);
	if (maui_principal_number(text, &number))
		return maui_names_of_number(names, type, number);
	quoted = maui_principal_quoted(text, &size);
	if (!quoted)
		return maui_names_of_name(names, type, text);
	memcpy(name, quoted, size);
	name[size] = '\0';
	return maui_names_of_name(names, type, name);
}

const char *maui_names_written(const struct maui_names *names, enum maui_credential type,
			       uint32_t id, char text[MAUI_PRINCIPAL_TEXT_SIZE])
{
	const char *name = id == MAUI_NO_CREDENTIAL ? NULL : maui_names_name(names, type, id);

	if (id == MAUI_NO_CREDENTIAL || !is_numeric(type))
		return name;
	return maui_principal_text(name, maui_names_number(names, type, id), text);
}

const char *maui_frozen_names_written(const struct maui_frozen_names *names,
				      enum maui_credential type, uint32_t id,
				      char text[MAUI_PRINCIPAL_TEXT_SIZE])
{
	const char *name = names->text[type][id];

	if (id == MAUI_NO_CREDENTIAL || !is_numeric(type))
		return name;
	return maui_principal_text(name, names->number[type][id], text);
}

uint32_t maui_names_set_label(struct maui_names *names, enum maui_credential type, uint32_t number,
			      const char *name, uint32_t *ret_id)
{
	struct name_table *table = &names->table[type];
	uint32_t id = maui_idmap_find(&table->by_number, number);
	uint32_t text = maui_intern_add(names->labels, name);
	uint32_t other = maui_idmap_find(&table->by_label, text);

	*ret_id = id;
	if (!id)
		return MAUI_NO_CREDENTIAL;
	maui_idmap_set(&table->by_label, text, id);
	table->label[id] = maui_intern_name(names->labels, text);
	table->asked[id].due = false;
	return other == id ? MAUI_NO_CREDENTIAL : other;
}

/* ---- who could be somebody whom the policy names ---- */

void maui_names_set_nobody(struct maui_names *names, enum maui_credential type, uint32_t number,
			   int64_t asked)
{
	struct name_table *table = &names->table[type];
	uint32_t id = maui_idmap_find(&table->by_number, number);

	if (id)
		table->asked[id] = (struct name_asked){.nobody = asked};
}

void maui_names_ask_again(struct maui_names *names, enum maui_credential type)
{
	struct name_table *table = &names->table[type];

	for (uint32_t id = 1; id <= table->count; id++)
		table->asked[id].due = !table->label[id];
}

void maui_names_set_lacking(struct maui_names *names, enum maui_credential type, bool lacking)
{
	names->table[type].lacking = lacking;
}

static bool names_labels_lacks(const struct maui_names *names, enum maui_credential type)
{
	return names->table[type].lacking || maui_principals_lack(names->principals, type);
}

bool maui_names_lack(const struct maui_names *names)
{
	return names_labels_lacks(names, MAUI_USER) || names_labels_lacks(names, MAUI_GROUP);
}

bool maui_names_unidentified(struct maui_names *names, enum maui_credential type, uint32_t id,
			     int64_t submitted)
{
	struct name_table *table = &names->table[type];

	if (id == MAUI_NO_CREDENTIAL || table->label[id] || !names_labels_lacks(names, type) ||
	    table->asked[id].nobody > submitted ||
	    maui_principals_name(names->principals, type, table->number[id]))
		return false;
	table->asked[id].due = true;
	return true;
}

enum maui_credential maui_names_first_unidentified(struct maui_names *names,
						   const uint32_t credential[MAUI_CREDENTIALS],
						   int64_t submitted)
{
	static const enum maui_credential types[] = {MAUI_USER, MAUI_GROUP};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (maui_names_unidentified(names, types[i], credential[types[i]], submitted))
			return types[i];
	return MAUI_CREDENTIALS;
}
