/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Translates the JSON members of set-reservation into SRCFG attributes, hosts
 * or tasks, and times. Reads the names of release-reservations.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/service/rsv_setres_request.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/policy/reservation/sr_attributes.h"
#include "common/report/json.h"
#include "common/util/memory.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/policy/principals_ask.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/service/rsv_setres_request_private.h"

#define ADMINS_ONLY                                                                                \
	"only root, SlurmUser, ADMIN1 and ADMIN2 may do that, unless maui.cfg has RESCTLPOLICY "   \
	"ANY"
#define MAX_RELEASED 1000
#define MAX_PEOPLE   1000 /* lists of one request */

void rsv_setres_refuse(struct rsv_setres_reading *reading, const char *format, ...)
{
	va_list arguments;

	if (reading->wrong)
		return;
	va_start(arguments, format);
	reading->wrong = maui_vasprintf(format, arguments);
	va_end(arguments);
}

/* ---- members ---- */

/* NULL if there is none of this type; another type is refused. */
static struct json_object *setres_request_member(struct rsv_setres_reading *reading,
						 const char *name, enum json_type type)
{
	struct json_object *found;

	if (!json_object_object_get_ex(reading->arguments, name, &found) || !found)
		return NULL;
	if (json_object_is_type(found, type))
		return found;
	rsv_setres_refuse(reading, "%s is not a JSON %s", name, json_type_to_name(type));
	return NULL;
}

const char *rsv_setres_text(struct rsv_setres_reading *reading, const char *name)
{
	struct json_object *found = setres_request_member(reading, name, json_type_string);

	return found ? json_object_get_string(found) : NULL;
}

/* -1: absent or refused, so that callers never go on with a number out of range. */
static int64_t number_member(struct rsv_setres_reading *reading, const char *name, int64_t max)
{
	struct json_object *found = setres_request_member(reading, name, json_type_int);
	int64_t number = found ? json_object_get_int64(found) : -1;

	if (!found || (number >= 0 && number <= max))
		return number;
	rsv_setres_refuse(reading, "%s is not a number from 0 to %" PRId64, name, max);
	return -1;
}

/* Members that are not attributes of SRCFG. */
static bool is_own_member(const char *name)
{
	static const char *const own[] = {"acl",  "duration", "end",      "end_in", "hosts",
					  "name", "start",    "start_in", "tasks",  "task_limit"};

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (!strcmp(own[i], name))
			return true;
	return false;
}

static bool is_attribute(const char *name)
{
	for (size_t i = 0; i < MAUI_SR_ATTRIBUTES; i++) {
		const struct maui_sr_attribute *row = maui_sr_attribute_at(i);

		if (row->setres == MAUI_SR_SETRES_MEMBER && !strcmp(row->json, name))
			return true;
	}
	return false;
}

/* An unknown member is refused: it might be what matters most. */
static void check_members(struct rsv_setres_reading *reading)
{
	struct json_object_iterator at, end;

	if (!reading->arguments)
		return;
	at = json_object_iter_begin(reading->arguments);
	end = json_object_iter_end(reading->arguments);
	for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
		const char *name = json_object_iter_peek_name(&at);

		if (!is_own_member(name) && !is_attribute(name))
			rsv_setres_refuse(reading, "the engine does not know the argument %.100s",
					  name);
	}
}

/* ---- attributes ---- */

/* Nothing that would end a value in a line of maui.cfg, or begin another. */
static bool is_value(const char *text)
{
	size_t size = strlen(text);

	for (const char *at = text; *at; at++)
		if ((unsigned char)*at <= ' ' || *at == 0x7f || strchr("#\"'", *at))
			return false;
	return size && text[size - 1] != '\\';
}

static void setres_request_append(struct rsv_setres_reading *reading, const char *text)
{
	size_t size = strlen(text);

	if (reading->size + size >= MAUI_ADMIN_RSVS_MAX_ATTRIBUTES) {
		rsv_setres_refuse(reading, "the reservation's lists are too long");
		return;
	}
	if (reading->size + size >= reading->room) {
		reading->room = 2 * (reading->size + size + 64);
		reading->attributes = maui_realloc(reading->attributes, reading->room, 1);
	}
	memcpy(reading->attributes + reading->size, text, size + 1);
	reading->size += size;
}

/* option: what the user calls it. */
static void add_attribute(struct rsv_setres_reading *reading, const char *name, const char *value,
			  const char *option)
{
	if (!is_value(value)) {
		rsv_setres_refuse(reading,
				  "%s: '%.100s' has blanks, quotes or other characters that such a "
				  "value cannot have",
				  option, value);
		return;
	}
	setres_request_append(reading, reading->size ? " " : "");
	setres_request_append(reading, name);
	setres_request_append(reading, "=");
	setres_request_append(reading, value);
}

static void add_member(struct rsv_setres_reading *reading, const struct maui_sr_attribute *row)
{
	const char *text = rsv_setres_text(reading, row->json);

	if (text)
		add_attribute(reading, maui_sr_attribute_name(row), text, row->json);
}

/* Members that are passed on as they are; the others need more work. */
static void read_plain(struct rsv_setres_reading *reading)
{
	for (size_t i = 0; i < MAUI_SR_ATTRIBUTES; i++) {
		const struct maui_sr_attribute *row = maui_sr_attribute_at(i);
		bool more = row->key == MAUI_ATTR_NODEFEATURES || row->key == MAUI_ATTR_OWNER;

		if (row->setres == MAUI_SR_SETRES_MEMBER && !more)
			add_member(reading, row);
	}
}

/* ':' or ',' between features that a node must all have, '|' between those of which one is
 * enough. */
static void read_features(struct rsv_setres_reading *reading)
{
	const struct maui_sr_attribute *row = maui_sr_attribute_of(MAUI_ATTR_NODEFEATURES);
	const char *text = rsv_setres_text(reading, row->json);

	if (!text)
		return;
	reading->order->one.any_feature = strchr(text, '|');
	if (strchr(text, '|') && strpbrk(text, ":,"))
		rsv_setres_refuse(reading, "%s: either ':' or '|' goes between them, not both",
				  row->json);
	add_member(reading, row);
}

/* The row of an access list that setres may name; NULL if there is none. */
static const struct maui_sr_attribute *find_list(const char *name)
{
	for (size_t i = 0; i < MAUI_SR_ATTRIBUTES; i++) {
		const struct maui_sr_attribute *row = maui_sr_attribute_at(i);

		if (row->setres == MAUI_SR_SETRES_LIST &&
		    !strcmp(maui_sr_attribute_name(row), name))
			return row;
	}
	return NULL;
}

static void read_people(struct rsv_setres_reading *reading)
{
	struct json_object *array = setres_request_member(reading, "acl", json_type_array);
	size_t count = array ? json_object_array_length(array) : 0;

	if (count > MAX_PEOPLE)
		rsv_setres_refuse(reading, "acl: there are more than %d lists", MAX_PEOPLE);
	for (size_t i = 0; !reading->wrong && i < count; i++) {
		struct json_object *one = json_object_array_get_idx(array, i), *list, *value;
		const struct maui_sr_attribute *row = NULL;

		if (json_object_object_get_ex(one, "list", &list) &&
		    json_object_object_get_ex(one, "value", &value) &&
		    json_object_is_type(list, json_type_string) &&
		    json_object_is_type(value, json_type_string))
			row = find_list(json_object_get_string(list));
		if (row)
			add_attribute(reading, maui_sr_attribute_name(row),
				      json_object_get_string(value), maui_sr_attribute_name(row));
		else
			rsv_setres_refuse(reading, "acl: an entry is not a list with a value");
		reading->people = true;
	}
}

/* ---- what is reserved ---- */

static void read_hosts(struct rsv_setres_reading *reading, struct json_object *array)
{
	size_t count = json_object_array_length(array);

	if (!count || count > MAUI_SR_HOSTS_ITEMS)
		rsv_setres_refuse(reading, "hosts: there are none, or more than %u",
				  MAUI_SR_HOSTS_ITEMS);
	for (size_t i = 0; !reading->wrong && i < count; i++) {
		const char *text = json_object_get_string(json_object_array_get_idx(array, i));

		if (!text || !is_value(text)) {
			rsv_setres_refuse(reading, "'%.100s' is not a host expression",
					  text ? text : "");
			return;
		}
		setres_request_append(reading,
				      !i ? reading->size ? " HOSTLIST=" : "HOSTLIST=" : ",");
		setres_request_append(reading, text);
	}
}

static void read_resources(struct rsv_setres_reading *reading)
{
	struct json_object *hosts = setres_request_member(reading, "hosts", json_type_array);
	int64_t tasks = number_member(reading, "tasks", UINT32_MAX - 1);
	int64_t limit = number_member(reading, "task_limit", UINT32_MAX - 1);
	char text[24];

	if ((tasks >= 0) == (hosts != NULL) || !tasks)
		rsv_setres_refuse(reading,
				  "what is to be reserved: ALL, TASKS==n, TASKS>=n, or hosts?");
	if (hosts)
		read_hosts(reading, hosts);
	if (tasks > 0) {
		snprintf(text, sizeof(text), "%" PRId64, tasks);
		add_attribute(reading, "TASKCOUNT", text, "tasks");
	}
	if (limit == 0 || (limit > 0 && limit < tasks))
		rsv_setres_refuse(reading,
				  "task_limit: it is less than the number of tasks asked for");
	reading->order->one.task_limit = limit > 0 ? (uint32_t)limit : 0;
}

/* ---- when ---- */

/* Epoch seconds from a pair of members such as "start" and "start_in"; -1: neither is given. */
static int64_t read_time(struct rsv_setres_reading *reading, const char *at, const char *in,
			 int64_t now)
{
	int64_t instant = number_member(reading, at, MAUI_SR_FOREVER);
	int64_t seconds = number_member(reading, in, MAUI_SR_FOREVER);

	if (instant >= 0 && seconds >= 0)
		rsv_setres_refuse(reading, "either %s or %s, not both", at, in);
	return seconds >= 0 ? now + seconds : instant;
}

static void read_times(struct rsv_setres_reading *reading)
{
	struct maui_admin_rsv *one = &reading->order->one;
	int64_t now = time(NULL), start = read_time(reading, "start", "start_in", now);
	int64_t end = read_time(reading, "end", "end_in", now);
	int64_t duration = number_member(reading, "duration", MAUI_SR_FOREVER);

	one->made = now;
	one->start = start > now ? start : now;
	one->end = MAUI_SR_FOREVER;
	if (end >= 0 && duration >= 0)
		rsv_setres_refuse(reading, "either an end or a duration, not both");
	if (end >= 0)
		one->end = end;
	if (duration >= 0)
		one->end = (start >= 0 ? start : now) + duration;
	if (one->end > MAUI_SR_FOREVER)
		one->end = MAUI_SR_FOREVER;
	if (one->start >= one->end)
		rsv_setres_refuse(reading, "cannot create reservation (invalid timeframe)");
}

/* ---- RESCTLPOLICY ANY ---- */

/* The lists and owner for a user who is no administrator. NULL if the user's name is unknown. */
static char *add_user(struct rsv_setres_reading *reading)
{
	const struct maui_sr_attribute *row = maui_sr_attribute_of(MAUI_ATTR_OWNER);
	char *user, *owner;

	if (principals_ask_name(MAUI_USER, reading->order->asker.uid, &user) ==
	    MAUI_ANSWER_NOT_NOW) {
		rsv_setres_refuse(reading, "the name service of this machine does not answer: ask "
					   "again later");
		return NULL;
	}
	if (!user) {
		rsv_setres_refuse(reading, "there is no user with your uid on this machine");
		return NULL;
	}
	if (rsv_setres_text(reading, row->json))
		rsv_setres_refuse(reading, "%s", row->admins_only);
	if (!reading->people)
		add_attribute(reading, "USERLIST", user, "user");
	owner = maui_asprintf("USER:%s", user);
	add_attribute(reading, maui_sr_attribute_name(row), owner, row->json);
	free(owner);
	return user;
}

/* ---- all of it ---- */

static void setres_request_read_all(struct rsv_setres_reading *reading)
{
	struct rsv_order *order = reading->order;
	char *user = NULL;

	check_members(reading);
	read_times(reading);
	read_people(reading);
	read_resources(reading);
	read_features(reading);
	read_plain(reading);
	if (order->asker.admin)
		add_member(reading, maui_sr_attribute_of(MAUI_ATTR_OWNER));
	else
		user = add_user(reading);
	order->one.attributes = reading->attributes;
	snprintf(order->one.name, sizeof(order->one.name), "reservation.0"); /* until it has one */
	if (!reading->wrong)
		rsv_setres_judge(reading, user);
	free(user);
}

/* Whether the asking user may do so at all. */
static bool may_ask(const struct rsv_asker *asker)
{
	const struct maui_value *policy;
	bool any;

	if (asker->admin)
		return true;
	engine_lock();
	policy = maui_config_get(in_force.policy->config, MAUI_KEY_RESCTLPOLICY, NULL);
	any = policy && !strcmp(policy->key->keywords[policy->integer], "ANY");
	engine_unlock();
	return any;
}

const char *rsv_setres_make(const struct rsv_asker *asker, struct json_object *arguments,
			    struct json_object **ret_data, char **ret_text)
{
	struct rsv_setres_reading reading = {.arguments = arguments, .order = NULL};

	if (!may_ask(asker))
		return ADMINS_ONLY;
	reading.order = rsv_order_new(asker);
	reading.order->make = true;
	reading.order->one.uid = asker->uid;
	reading.order->data = json_make_object();
	json_set(reading.order->data, "notes", json_make_array());
	setres_request_read_all(&reading);
	if (!reading.wrong)
		return rsv_setres_order(reading.order, ret_data, ret_text);
	rsv_order_free(reading.order);
	*ret_text = reading.wrong;
	return *ret_text;
}

/* ---- releaseres ---- */

static const char *read_names(struct json_object *arguments, struct rsv_order *order)
{
	struct json_object *array;
	size_t count;

	if (!arguments || !json_object_object_get_ex(arguments, "names", &array) ||
	    !json_object_is_type(array, json_type_array) || !json_object_array_length(array))
		return "the request names no reservation";
	count = json_object_array_length(array);
	if (count > MAX_RELEASED)
		return "the request names more than 1000 reservations";
	order->names = maui_calloc(count, sizeof(*order->names));
	for (size_t i = 0; i < count; i++) {
		struct json_object *one = json_object_array_get_idx(array, i);
		const char *name = json_object_get_string(one);

		if (!json_object_is_type(one, json_type_string) ||
		    strlen(name) >= MAUI_SR_INSTANCE_SIZE)
			return "the request has a name that no reservation can have";
		order->names[order->name_count++] = maui_strdup(name);
	}
	return NULL;
}

const char *rsv_setres_release(const struct rsv_asker *asker, struct json_object *arguments,
			       struct json_object **ret_data, char **ret_text)
{
	struct rsv_order *order;
	const char *wrong;

	if (!may_ask(asker))
		return ADMINS_ONLY;
	order = rsv_order_new(asker);
	wrong = read_names(arguments, order);
	if (!wrong)
		return rsv_setres_order(order, ret_data, ret_text);
	rsv_order_free(order);
	return wrong;
}
