/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which QOS a job may use: sorted lists of ids, found by the holder's id. */
#include "common/policy/limits/qos_access.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/config/default_name.h"
#include "common/util/idmap.h"
#include "common/util/memory.h"

/* How a list combines with the others. A stronger mark is greater. */
enum mark { OR, AND, ONLY };

/* What one object says. */
struct rule {
	bool has_list, has_default;
	enum mark mark;
	uint32_t *qos; /* ascending; NULL if there is none */
	size_t count;
	uint32_t default_qos;
};

struct holders {
	struct maui_idmap place; /* of an id, in rules */
	struct rule *rules;      /* [0] is DEFAULT's, and the system's */
	uint32_t count;
};

struct maui_qos_access {
	struct holders holders[MAUI_LIMIT_HOLDERS]; /* a QOS's stay empty */
};

/* In the order in which they are consulted. */
static const unsigned int order[] = {MAUI_USER, MAUI_GROUP, MAUI_ACCOUNT, MAUI_CLASS,
				     MAUI_WHOLE_SYSTEM};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- what maui.cfg says -------------------------------------------------------------------- */

struct compiler {
	const struct maui_config *config;
	const struct maui_limit_names *names;
	struct maui_qos_access *access;
	bool any;
};

static enum mark mark_of(char c)
{
	return c == '^' ? ONLY : c == '&' ? AND : OR;
}

static enum mark qos_access_stronger(enum mark first, enum mark second)
{
	return first > second ? first : second;
}

/* An item without its marks, the strongest of which is kept in *mark; *ret_size may be 0. */
static const char *read_item(const char *item, size_t *ret_size, enum mark *mark)
{
	size_t size = strlen(item);

	for (; size && mark_of(item[0]) != OR; item++, size--)
		*mark = qos_access_stronger(*mark, mark_of(item[0]));
	for (; size && mark_of(item[size - 1]) != OR; size--)
		*mark = qos_access_stronger(*mark, mark_of(item[size - 1]));
	*ret_size = size;
	return item;
}

bool maui_qos_list_names(const struct maui_value *list, const char *qos)
{
	enum mark unused = OR;

	for (size_t i = 0; list && i < list->list_size; i++) {
		size_t size;
		const char *name = read_item(list->list[i], &size, &unused);

		if (size && (!qos || (strlen(qos) == size && !memcmp(name, qos, size))))
			return true;
	}
	return false;
}

/* The QOS DEFAULT is 0, as jobs without a QOS have it. */
static uint32_t qos_id(const struct compiler *compiler, const char *name)
{
	return maui_is_default(name)
		       ? MAUI_NO_CREDENTIAL
		       : compiler->names->id(compiler->names->context, MAUI_QOS, name);
}

static int compare_ids(const void *first, const void *second)
{
	uint32_t a = *(const uint32_t *)first, b = *(const uint32_t *)second;

	return a < b ? -1 : a > b;
}

static void add_item(const struct compiler *compiler, const char *item, struct rule *rule)
{
	size_t size;
	const char *start = read_item(item, &size, &rule->mark);
	char *name = maui_strndup(start, size);
	uint32_t id = size ? qos_id(compiler, name) : MAUI_NO_CREDENTIAL;

	if (id)
		rule->qos[rule->count++] = id;
	free(name);
}

static void read_list(const struct compiler *compiler, const struct maui_value *value,
		      struct rule *rule)
{
	if (!value || !maui_qos_list_names(value, NULL))
		return;
	rule->has_list = true;
	rule->qos = maui_calloc(value->list_size, sizeof(*rule->qos));
	for (size_t i = 0; i < value->list_size; i++)
		add_item(compiler, value->list[i], rule);
	qsort(rule->qos, rule->count, sizeof(*rule->qos), compare_ids);
}

/* A QDEF that is not a QOS is ignored, except for DEFAULT, which means none. */
static void read_default(const struct compiler *compiler, const struct maui_value *value,
			 struct rule *rule)
{
	if (!value || !*value->text)
		return;
	rule->default_qos = qos_id(compiler, value->text);
	rule->has_default = rule->default_qos || maui_is_default(value->text);
}

/* The place of an object's rule: 0 for DEFAULT, a new one for names with an id. False: it has none. */
static bool find_place(const struct compiler *compiler, unsigned int type, const char *name,
		       uint32_t *ret_place)
{
	struct holders *holders = &compiler->access->holders[type];
	uint32_t id;

	*ret_place = 0;
	if (type == MAUI_WHOLE_SYSTEM || maui_is_default(name))
		return true;
	id = compiler->names->id(compiler->names->context, type, name);
	if (!id)
		return false;
	if (maui_idmap_find(&holders->place, id)) /* another name for the same: the first counts */
		return false;
	*ret_place = holders->count;
	maui_idmap_set(&holders->place, id, holders->count++);
	return true;
}

static void add_object(struct compiler *compiler, unsigned int type,
		       const struct maui_object *object)
{
	const struct maui_value *list = maui_object_get(object, MAUI_ATTR_QLIST);
	const struct maui_value *qos = maui_object_get(object, MAUI_ATTR_QDEF);
	struct rule *rule;
	uint32_t place;

	if ((!list && !qos) || !find_place(compiler, type, maui_object_name(object), &place))
		return;
	rule = &compiler->access->holders[type].rules[place];
	read_default(compiler, qos, rule);
	read_list(compiler, list, rule);
	compiler->any |= rule->has_list || rule->has_default;
}

static void add_holders(struct compiler *compiler, unsigned int type)
{
	bool system = type == MAUI_WHOLE_SYSTEM;
	struct holders *holders = &compiler->access->holders[type];
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(
		compiler->config, system ? MAUI_SYSCFG : maui_credential_section(type), &objects);

	holders->rules = maui_calloc(count + 1, sizeof(*holders->rules));
	holders->count = 1;
	for (size_t i = 0; i < count; i++)
		add_object(compiler, type, objects[i]);
}

struct maui_qos_access *maui_qos_access_compile(const struct maui_config *config,
						const struct maui_limit_names *names)
{
	struct compiler compiler = {config, names, maui_calloc(1, sizeof(struct maui_qos_access)),
				    false};

	for (size_t i = 0; i < COUNT(order); i++)
		add_holders(&compiler, order[i]);
	return compiler.any ? compiler.access : maui_qos_access_free(compiler.access);
}

struct maui_qos_access *maui_qos_access_free(struct maui_qos_access *access)
{
	for (size_t i = 0; access && i < COUNT(order); i++) {
		struct holders *holders = &access->holders[order[i]];

		for (uint32_t place = 0; place < holders->count; place++)
			free(holders->rules[place].qos);
		free(holders->rules);
		maui_idmap_clear(&holders->place);
	}
	free(access);
	return NULL;
}

/* ---- one job ------------------------------------------------------------------------------- */

/* The id of the job's holder of a type; 0: the type's rules do not apply to the job. */
static uint32_t holder_of(unsigned int type, const uint32_t credential[MAUI_CREDENTIALS])
{
	return type == MAUI_WHOLE_SYSTEM ? 1 : credential[type];
}

/* The rule of a holder itself, or DEFAULT's if maui.cfg does not name it. */
static const struct rule *own_rule(const struct holders *holders, uint32_t id)
{
	return &holders->rules[maui_idmap_find(&holders->place, id)];
}

uint32_t maui_qos_default(const struct maui_qos_access *access,
			  const uint32_t credential[MAUI_CREDENTIALS])
{
	for (size_t i = 0; access && i < COUNT(order); i++) {
		const struct holders *holders = &access->holders[order[i]];
		uint32_t id = holder_of(order[i], credential);
		const struct rule *rule = own_rule(holders, id);

		if (!rule->has_default)
			rule = &holders->rules[0];
		if (id && rule->has_default)
			return rule->default_qos;
	}
	return MAUI_NO_CREDENTIAL;
}

/* A list that applies to the job, and the verdict if it refuses. */
struct holding {
	const struct rule *rule;
	struct maui_qos_verdict refusal;
	bool names_qos;
};

static bool names_qos(const struct rule *rule, uint32_t qos)
{
	return rule->count &&
	       bsearch(&qos, rule->qos, rule->count, sizeof(*rule->qos), compare_ids);
}

static bool find_list(const struct maui_qos_access *access, unsigned int type, uint32_t id,
		      struct holding *ret_holding)
{
	const struct holders *holders = &access->holders[type];
	const struct rule *rule = own_rule(holders, id);

	if (!rule->has_list)
		rule = &holders->rules[0];
	if (!id || !rule->has_list)
		return false;
	ret_holding->rule = rule;
	ret_holding->refusal = (struct maui_qos_verdict){
		.refused = true,
		.fallback = rule == &holders->rules[0] && type != MAUI_WHOLE_SYSTEM,
		.type = type,
		.id = id,
	};
	return true;
}

/* The refusal by the lists that apply, in order; NULL if they allow the QOS. */
static const struct maui_qos_verdict *qos_access_judge(const struct holding *lists, size_t count)
{
	const struct maui_qos_verdict *missing = NULL, *narrowed = NULL;
	bool in_or = false;

	for (size_t i = 0; i < count; i++)
		if (lists[i].rule->mark == ONLY)
			return lists[i].names_qos ? NULL : &lists[i].refusal;
	for (size_t i = 0; i < count; i++) {
		bool is_or = lists[i].rule->mark == OR;

		in_or |= is_or && lists[i].names_qos;
		if (!lists[i].names_qos && !missing)
			missing = &lists[i].refusal;
		if (!lists[i].names_qos && !is_or && !narrowed)
			narrowed = &lists[i].refusal;
	}
	/* If all have &, the two are the same. */
	return in_or ? narrowed : missing;
}

bool maui_qos_allowed(const struct maui_qos_access *access,
		      const uint32_t credential[MAUI_CREDENTIALS], uint32_t qos,
		      struct maui_qos_verdict *ret_verdict)
{
	const struct maui_qos_verdict *refusal;
	struct holding lists[COUNT(order)];
	size_t count = 0;

	if (ret_verdict)
		*ret_verdict = (struct maui_qos_verdict){0};
	if (!access || !qos)
		return true;
	for (size_t i = 0; i < COUNT(order); i++)
		if (find_list(access, order[i], holder_of(order[i], credential), &lists[count])) {
			lists[count].names_qos = names_qos(lists[count].rule, qos);
			count++;
		}
	refusal = qos_access_judge(lists, count);
	if (!refusal || qos == maui_qos_default(access, credential))
		return true;
	if (ret_verdict)
		*ret_verdict = *refusal;
	return false;
}

/* ---- texts --------------------------------------------------------------------------------- */

const char *maui_qos_access_text(const struct maui_qos_verdict *verdict, const char *qos,
				 const char *holder, char text[MAUI_QOS_ACCESS_TEXT_SIZE])
{
	text[0] = '\0';
	if (!verdict->refused)
		return text;
	if (!qos)
		qos = "?";
	if (verdict->type == MAUI_WHOLE_SYSTEM)
		snprintf(text, MAUI_QOS_ACCESS_TEXT_SIZE, "QOS %.60s is not in QLIST of the system",
			 qos);
	else
		snprintf(text, MAUI_QOS_ACCESS_TEXT_SIZE,
			 "QOS %.60s is not in QLIST of %s %.60s%s%s%s", qos,
			 maui_credential_name(verdict->type), holder ? holder : "?",
			 verdict->fallback ? " (" : "",
			 verdict->fallback
				 ? maui_section_name(maui_credential_section(verdict->type))
				 : "",
			 verdict->fallback ? "[DEFAULT])" : "");
	return text;
}
