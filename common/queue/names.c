/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table for each type of credential, from uid, gid or name to number, with
 * priority settings and fairshare factor by number.
 */
#include "common/queue/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/queue/names_private.h"
#include "common/util/memory.h"

/* The name by which maui.cfg may know a credential. "" is nobody's name: DEFAULT applies to it. */
static const char *policy_name(const struct maui_names *names, enum maui_credential type,
			       uint32_t id)
{
	const struct name_table *table = &names->table[type];
	const char *name;

	if (id == MAUI_NO_CREDENTIAL)
		return NULL;
	if (!is_numeric(type))
		return maui_intern_name(table->intern, id);
	if (table->number[id] == NO_NUMBER)
		return table->label[id];
	name = maui_principals_name(names->principals, type, table->number[id]);
	return name ? name : "";
}

static double fs_total(const struct maui_names *names)
{
	return names->fairshare ? maui_fairshare_sum(names->fairshare, MAUI_FS_TOTAL, 0) : 0;
}

/* total: fs_total() */
static double fs_factor(const struct maui_names *names, enum maui_credential type, uint32_t id,
			double total)
{
	const struct maui_fstarget *target = &names->table[type].credential[id].fs_target;

	if (!(total > 0) || id == MAUI_NO_CREDENTIAL || target->mode == MAUI_FS_NONE)
		return 0;
	return maui_fstarget_factor(target,
				    maui_fairshare_percent_of(names->fairshare, type, id, total),
				    maui_fairshare_settings_of(names->fairshare)->ratio);
}

/* Look up again what the policy says of one credential. */
static void bind_one(struct maui_names *names, enum maui_credential type, uint32_t id)
{
	const char *name = policy_name(names, type, id);

	if (!names->policy)
		return;
	maui_priority_credential(names->policy->priority, type, name,
				 &names->table[type].credential[id]);
	names->table[type].fs_factor[id] = fs_factor(names, type, id, fs_total(names));
	if (type == MAUI_CLASS)
		names->weights[id] = maui_priority_weights(names->policy->priority, name);
}

/* Room for one more id. */
static void names_reserve(struct maui_names *names, enum maui_credential type)
{
	struct name_table *table = &names->table[type];
	uint32_t room = table->room ? table->room * 2 : 64;

	if (table->count + 1 < table->room)
		return;
	table->credential = maui_realloc(table->credential, room, sizeof(*table->credential));
	table->fs_factor = maui_realloc(table->fs_factor, room, sizeof(*table->fs_factor));
	if (is_numeric(type)) {
		table->number = maui_realloc(table->number, room, sizeof(*table->number));
		table->label = maui_realloc(table->label, room, sizeof(*table->label));
		table->asked = maui_realloc(table->asked, room, sizeof(*table->asked));
	}
	if (type == MAUI_CLASS)
		names->weights = maui_realloc(names->weights, room, sizeof(*names->weights));
	table->room = room;
}

struct maui_names *maui_names_free(struct maui_names *names)
{
	if (!names)
		return NULL;
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		maui_intern_free(names->table[type].intern);
		maui_idmap_clear(&names->table[type].by_number);
		free(names->table[type].number);
		free(names->table[type].label);
		free(names->table[type].asked);
		free(names->table[type].credential);
		free(names->table[type].fs_factor);
		maui_idmap_clear(&names->table[type].by_label);
	}
	maui_idmap_clear(&names->account_of);
	maui_intern_free(names->labels);
	free(names->weights);
	free(names);
	return NULL;
}

struct maui_names *maui_names_new(void)
{
	struct maui_names *names = maui_calloc(1, sizeof(*names));

	names->labels = maui_intern_new();
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		struct name_table *table = &names->table[type];

		if (!is_numeric(type))
			table->intern = maui_intern_new();
		names_reserve(names, type);
		memset(&table->credential[0], 0, sizeof(table->credential[0]));
		table->fs_factor[0] = 0;
		if (is_numeric(type)) {
			table->number[0] = NO_NUMBER;
			table->label[0] = NULL;
			table->asked[0] = (struct name_asked){0};
		}
	}
	return names;
}

void maui_names_bind(struct maui_names *names, const struct maui_policy *policy,
		     const struct maui_principals *principals)
{
	names->policy = policy;
	names->principals = principals;
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		for (uint32_t id = 0; id <= names->table[type].count; id++)
			bind_one(names, type, id);
}

uint32_t maui_names_add(struct maui_names *names, enum maui_credential type, struct maui_idmap *by,
			uint32_t key, uint32_t number, const char *label)
{
	struct name_table *table = &names->table[type];
	uint32_t id;

	names_reserve(names, type);
	maui_idmap_set(by, key, table->count + 1);
	id = ++table->count;
	table->number[id] = number;
	table->label[id] = label;
	table->asked[id] = (struct name_asked){.due = true};
	bind_one(names, type, id);
	return id;
}

uint32_t maui_names_of_number(struct maui_names *names, enum maui_credential type, uint32_t number)
{
	struct maui_idmap *by_number = &names->table[type].by_number;
	uint32_t id = maui_idmap_find(by_number, number);

	return id ? id : maui_names_add(names, type, by_number, number, number, NULL);
}

uint32_t maui_names_of_text(struct maui_names *names, enum maui_credential type, const char *text)
{
	struct name_table *table = &names->table[type];
	uint32_t id;

	if (!text || !*text)
		return MAUI_NO_CREDENTIAL;
	id = maui_intern_find(table->intern, text);
	if (id)
		return id;
	names_reserve(names, type);
	id = maui_intern_add(table->intern, text);
	table->count = id;
	bind_one(names, type, id);
	return id;
}

uint32_t maui_names_of_association(const struct maui_names *names, uint32_t association)
{
	return association ? maui_idmap_find(&names->account_of, association) : 0;
}

uint32_t maui_names_of_account(struct maui_names *names, uint32_t association, const char *account)
{
	uint32_t id = maui_names_of_association(names, association);

	if (id)
		return id;
	id = maui_names_of_text(names, MAUI_ACCOUNT, account);
	if (association && id)
		maui_idmap_set(&names->account_of, association, id);
	return id;
}

char *names_small(const char *name)
{
	char *small = maui_strdup(name);

	for (char *at = small; *at; at++)
		*at = (char)tolower((unsigned char)*at);
	return small;
}

/* Slurm has accounts and QOS in lower case only, however a job or an administrator writes them. */
static uint32_t id_of_small(struct maui_names *names, enum maui_credential type, const char *name)
{
	char *small = names_small(name);
	uint32_t id = maui_names_of_text(names, type, small);

	free(small);
	return id;
}

uint32_t maui_names_of_configured(struct maui_names *names, enum maui_credential type,
				  const char *name)
{
	uint32_t number;

	if (type == MAUI_ACCOUNT || type == MAUI_QOS)
		return id_of_small(names, type, name);
	if (!is_numeric(type))
		return maui_names_of_text(names, type, name);
	if (!maui_answer_has_number(maui_principals_number(names->principals, type, name, &number)))
		return MAUI_NO_CREDENTIAL;
	return maui_names_of_number(names, type, number);
}

static uint32_t id_of_configured(void *context, enum maui_credential type, const char *name)
{
	return maui_names_of_configured(context, type, name);
}

struct maui_limit_names maui_names_configured(struct maui_names *names)
{
	return (struct maui_limit_names){id_of_configured, names};
}

uint32_t maui_names_count(const struct maui_names *names, enum maui_credential type)
{
	return names->table[type].count;
}

void maui_names_fairshare(struct maui_names *names, const struct maui_fairshare *fairshare)
{
	double total;

	names->fairshare = fairshare;
	total = fs_total(names);
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		for (uint32_t id = 0; id <= names->table[type].count; id++)
			names->table[type].fs_factor[id] = fs_factor(names, type, id, total);
}

void maui_names_fairshare_of(struct maui_names *names, const uint32_t credential[MAUI_CREDENTIALS])
{
	double total = fs_total(names);

	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		names->table[type].fs_factor[credential[type]] =
			fs_factor(names, type, credential[type], total);
}

const struct maui_priority_weights *maui_names_weights(const struct maui_names *names,
						       uint32_t class_id)
{
	return names->weights[class_id];
}

struct maui_priority_tables maui_names_tables(const struct maui_names *names)
{
	struct maui_priority_tables tables = {0};

	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		tables.credential[type] = names->table[type].credential;
		if (names->fairshare)
			tables.fs_factor[type] = names->table[type].fs_factor;
	}
	return tables;
}

void maui_names_freeze(const struct maui_names *names, struct maui_frozen_names *ret_frozen)
{
	struct maui_frozen_names frozen = {0};

	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		const struct name_table *table = &names->table[type];
		uint32_t size = table->count + 1;

		frozen.count[type] = table->count;
		frozen.credential[type] = maui_calloc(size, sizeof(*table->credential));
		frozen.fs_factor[type] = maui_calloc(size, sizeof(double));
		frozen.number[type] = maui_calloc(size, sizeof(uint32_t));
		frozen.text[type] = maui_calloc(size, sizeof(char *));
		memcpy(frozen.credential[type], table->credential,
		       size * sizeof(*table->credential));
		frozen.tables.credential[type] = frozen.credential[type];
		memcpy(frozen.fs_factor[type], table->fs_factor, size * sizeof(double));
		if (names->fairshare)
			frozen.tables.fs_factor[type] = frozen.fs_factor[type];
		for (uint32_t id = 1; id < size; id++) {
			if (is_numeric(type))
				frozen.number[type][id] = table->number[id];
			frozen.text[type][id] = maui_names_label(names, type, id);
		}
	}
	*ret_frozen = frozen;
}

void maui_frozen_names_clear(struct maui_frozen_names *frozen)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		free(frozen->credential[type]);
		free(frozen->fs_factor[type]);
		free(frozen->number[type]);
		free(frozen->text[type]);
	}
	memset(frozen, 0, sizeof(*frozen));
}
