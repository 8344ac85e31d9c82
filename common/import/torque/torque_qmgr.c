/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of `qmgr -c 'print server'` and `qmgr -c 'print node @default'`. */
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "common/import/torque/torque_node.h"
#include "common/import/torque/torque_read.h"
#include "common/util/grow.h"
#include "common/util/text.h"

#define QUEUES_LIMIT 4096
#define VALUE_LIMIT  16384 /* bytes */

struct qmgr_reading {
	struct maui_torque_site *site;
	struct maui_import_lines lines;
};

/* The word at *at, which moves behind it and the blanks after it. "" at the end. */
static char *qmgr_word(char **at)
{
	char *word = *at, *end = word;

	while (*end && !maui_is_blank(*end) && *end != '=' && !(*end == '+' && end[1] == '='))
		end++;
	*at = end;
	while (maui_is_blank(**at))
		(*at)++;
	return word;
}

/* Ends the word, whose end is somewhere before at. */
static char *qmgr_cut(struct qmgr_reading *reading, const char *word)
{
	size_t size = 0;

	while (word[size] && !maui_is_blank(word[size]) && word[size] != '=' &&
	       !(word[size] == '+' && word[size + 1] == '='))
		size++;
	return maui_arena_text(reading->site->arena, word, size);
}

static struct maui_torque_object *qmgr_queue(struct maui_torque_site *site, const char *name)
{
	for (size_t i = 0; i < site->queue_count; i++)
		if (!strcmp(site->queues[i].name, name))
			return &site->queues[i];
	return NULL;
}

static struct maui_conf_place qmgr_place(const struct qmgr_reading *reading, const char *at)
{
	return (struct maui_conf_place){reading->lines.path, reading->lines.number,
					(uint32_t)(at - reading->lines.line) + 1};
}

/* Of a queue or node at *at, behind which the line has to end. NULL: it does not. */
static const char *qmgr_new_name(struct qmgr_reading *reading, char *at)
{
	const char *name = qmgr_cut(reading, at);

	qmgr_word(&at);
	if (*at)
		maui_import_complain(&reading->lines, at, "nothing is expected behind the name");
	return *at ? NULL : name;
}

static void qmgr_create_queue(struct qmgr_reading *reading, char *at)
{
	struct maui_torque_site *site = reading->site;
	const char *name = qmgr_new_name(reading, at);

	if (!name)
		return;
	if (!maui_import_is_name(name) || !strcasecmp(name, "DEFAULT"))
		maui_import_complain(&reading->lines, at, "a partition cannot have this name");
	else if (qmgr_queue(site, name))
		maui_import_complain(&reading->lines, at, "this queue is there already");
	else if (site->queue_count == QUEUES_LIMIT)
		maui_import_complain(&reading->lines, at, "there are more than 4096 queues");
	if (reading->lines.wrong)
		return;
	site->queues = maui_grow(site->queues, site->queue_count + 1, &site->queue_room,
				 sizeof(*site->queues));
	site->queues[site->queue_count++] = (struct maui_torque_object){
		.name = name, .place = qmgr_place(reading, reading->lines.line)};
}

static void qmgr_create_node(struct qmgr_reading *reading, char *at)
{
	const char *name = qmgr_new_name(reading, at);

	if (name)
		maui_torque_node_add(reading->site, &reading->lines, at, name);
}

/* The value without blanks around it and without quotes. NULL: a quote does not end. */
static const char *qmgr_value(struct qmgr_reading *reading, char **at)
{
	size_t size = strlen(*at);

	while (size > 0 && maui_is_blank((*at)[size - 1]))
		size--;
	if (**at == '"') {
		if (size < 2 || (*at)[size - 1] != '"') {
			maui_import_complain(&reading->lines, *at, "this quote has no end");
			return NULL;
		}
		(*at)++;
		size -= 2;
	}
	return maui_arena_text(reading->site->arena, *at, size);
}

/* The value, and one more. */
static void qmgr_add(struct qmgr_reading *reading, struct maui_torque_attribute *old,
		     const char *more, const char *at)
{
	size_t size = strlen(old->value), added = strlen(more);
	char *both;

	if (size + added > VALUE_LIMIT) {
		maui_import_complain(&reading->lines, at, "this attribute has too many values");
		return;
	}
	both = maui_arena_alloc(reading->site->arena, size + added + 2, 1);
	memcpy(both, old->value, size);
	both[size] = ',';
	memcpy(both + size + 1, more, added + 1);
	old->value = both;
}

static void qmgr_store(struct qmgr_reading *reading, struct maui_torque_object *object,
		       const struct maui_torque_attribute *new, const char *adds)
{
	struct maui_torque_attribute *old = NULL;

	for (size_t i = 0; i < object->count; i++)
		if (!strcmp(object->attributes[i].name, new->name))
			old = &object->attributes[i];
	if (old && adds) {
		qmgr_add(reading, old, new->value, adds);
		return;
	}
	if (!old) {
		object->attributes = maui_grow(object->attributes, object->count + 1, &object->room,
					       sizeof(*object->attributes));
		old = &object->attributes[object->count++];
	}
	*old = *new;
}

/*
 * ATTRIBUTE = VALUE, or += for one more, at the value when it ends. False: complained of. ret_adds
 * is set to whether one is added.
 */
static bool qmgr_read(struct qmgr_reading *reading, enum maui_torque_of of, char **at,
		      struct maui_torque_attribute *ret_new, bool *ret_adds)
{
	struct maui_torque_attribute new = {.name = qmgr_cut(reading, *at),
					    .place = qmgr_place(reading, *at)};
	const char *why;

	if (!*new.name) {
		maui_import_complain(&reading->lines, *at, "an attribute is expected");
		return false;
	}
	qmgr_word(at);
	*ret_adds = **at == '+';
	*at += *ret_adds;
	if (**at != '=') {
		maui_import_complain(&reading->lines, *at, "= or += and a value are expected");
		return false;
	}
	for ((*at)++; maui_is_blank(**at);)
		(*at)++;
	new.known = maui_torque_find(new.name, of);
	if (new.known)
		new.name = new.known->name;
	new.value = qmgr_value(reading, at);
	if (!new.value)
		return false;
	why = maui_torque_check(new.known ? new.known->kind : MAUI_TORQUE_TEXT, new.value);
	if (!why && *ret_adds && new.known &&new.known->kind != MAUI_TORQUE_LIST)
		why = "this attribute has one value: =";
	if (why)
		maui_import_complain(&reading->lines, *at, why);
	*ret_new = new;
	return !why;
}

static void qmgr_set(struct qmgr_reading *reading, enum maui_torque_of of,
		     struct maui_torque_object *object, char *at)
{
	struct maui_torque_attribute new;
	bool adds;

	if (qmgr_read(reading, of, &at, &new, &adds))
		qmgr_store(reading, object, &new, adds ? at : NULL);
}

static void qmgr_set_queue(struct qmgr_reading *reading, char *at)
{
	struct maui_torque_object *queue = qmgr_queue(reading->site, qmgr_cut(reading, at));

	if (!queue) {
		maui_import_complain(&reading->lines, at, "no line before creates this queue");
		return;
	}
	qmgr_word(&at);
	qmgr_set(reading, MAUI_TORQUE_OF_QUEUE, queue, at);
}

static void qmgr_set_node(struct qmgr_reading *reading, char *at)
{
	struct maui_torque_node *node = maui_torque_node_find(reading->site, qmgr_cut(reading, at));
	struct maui_torque_attribute new;
	bool adds;

	if (!node) {
		maui_import_complain(&reading->lines, at, "no line before creates this node");
		return;
	}
	qmgr_word(&at);
	if (qmgr_read(reading, MAUI_TORQUE_OF_NODE, &at, &new, &adds))
		maui_torque_node_set(reading->site, &reading->lines, node, &new, at);
}

static void qmgr_set_object(struct qmgr_reading *reading, char *at)
{
	const char *kind = qmgr_cut(reading, at);
	char *start = at;

	qmgr_word(&at);
	if (!strcasecmp(kind, "server"))
		qmgr_set(reading, MAUI_TORQUE_OF_SERVER, &reading->site->server, at);
	else if (!strcasecmp(kind, "queue"))
		qmgr_set_queue(reading, at);
	else if (!strcasecmp(kind, "node"))
		qmgr_set_node(reading, at);
	else
		maui_import_complain(&reading->lines, start, "this is server, queue or node");
}

static void qmgr_take_line(void *context, char *line)
{
	struct qmgr_reading *reading = context;
	char *at = line, *start;
	const char *verb, *kind;

	while (maui_is_blank(*at))
		at++;
	if (!*at || *at == '#')
		return;
	start = at;
	verb = qmgr_cut(reading, qmgr_word(&at));
	kind = qmgr_cut(reading, at);
	if (!strcasecmp(verb, "set")) {
		qmgr_set_object(reading, at);
	} else if (!strcasecmp(verb, "create") && !strcasecmp(kind, "queue")) {
		qmgr_word(&at);
		qmgr_create_queue(reading, at);
	} else if (!strcasecmp(verb, "create") && !strcasecmp(kind, "node")) {
		qmgr_word(&at);
		qmgr_create_node(reading, at);
	} else {
		maui_import_complain(&reading->lines, start,
				     "this is not a line that qmgr prints: create or set, and "
				     "server, queue or node");
	}
}

int maui_torque_read_qmgr(struct maui_torque_site *site, const char *path, const char *text,
			  size_t size, const struct maui_import_complaints *complaints)
{
	struct qmgr_reading reading = {
		.site = site,
		.lines = {.complaints = complaints,
			  .path = maui_arena_text(site->arena, path, strlen(path))}};

	maui_import_each_line(&reading.lines, site->arena, text, size, qmgr_take_line, &reading);
	return reading.lines.wrong ? -EINVAL : 0;
}
