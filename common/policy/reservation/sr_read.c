/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads one SRCFG object attribute by attribute into a struct maui_sr, checks
 * contradictions between attributes, and has the table of FLAGS.
 */
#include "common/policy/reservation/sr_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/reservation/sr_attributes.h"
#include "common/util/memory.h"
#include "common/util/text.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define DAY          INT64_C(86400)
#define WEEK         (7 * DAY)

static const struct maui_value *value_of(const struct sr_reading *reading, enum maui_key key)
{
	return maui_object_get(reading->object, key);
}

static int64_t number_of(const struct sr_reading *reading, enum maui_key key, int64_t fallback)
{
	const struct maui_value *value = value_of(reading, key);

	return value ? value->integer : fallback;
}

static struct maui_origin origin_of(const struct sr_reading *reading, enum maui_key key)
{
	const struct maui_value *value = value_of(reading, key);

	return value ? value->origin : reading->sr->origin;
}

/* ---- plain numbers and texts --------------------------------------------------------------- */

static void read_plain(struct sr_reading *reading, const struct maui_sr_attribute *row)
{
	const struct maui_value *value = value_of(reading, row->key);
	int64_t number = value ? value->integer : maui_sr_attribute_default(row);
	void *field = (char *)reading->sr + row->offset;

	if (row->form == MAUI_SR_IS_NUMBER)
		*(int64_t *)field = number;
	else if (row->form == MAUI_SR_IS_COUNT)
		*(uint32_t *)field = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
	else if (row->form == MAUI_SR_IS_TEXT)
		*(const char **)field = value && *value->text ? value->text : NULL;
}

static void read_all_plain(struct sr_reading *reading)
{
	for (size_t i = 0; i < MAUI_SR_ATTRIBUTES; i++)
		read_plain(reading, maui_sr_attribute_at(i));
}

/* ---- access lists -------------------------------------------------------------------------- */

/* TIMELOGIC=AND is how older releases wrote TIMELIMIT=...* */
static bool time_is_required(const struct sr_reading *reading)
{
	return number_of(reading, MAUI_ATTR_TIMELOGIC, 0) != 0;
}

/* Where an item goes: MAXTIME's replaces the first time limit, if there is one. */
static struct maui_acl_item *place_of(enum maui_key key, struct maui_acl_item *items, size_t *count)
{
	for (size_t i = 0; key == MAUI_ATTR_MAXTIME && i < *count; i++)
		if (items[i].type == MAUI_ACL_DURATION)
			return &items[i];
	return &items[(*count)++];
}

static void add_items(struct sr_reading *reading, const struct maui_value *value,
		      struct maui_acl_item *items, size_t *count)
{
	unsigned int type = maui_sr_attribute_of(value->key->key)->list;

	for (size_t i = 0; i < value->list_size; i++) {
		struct maui_acl_item item;
		struct maui_error error = {""};

		if (maui_acl_item_read(type, value->list[i], strlen(value->list[i]), reading->names,
				       &item, &error)) {
			maui_problem_add(&reading->problems, MAUI_ERROR, value->origin,
					 "%s: %s; it is ignored", value->key->name, error.text);
			continue;
		}
		if (type == MAUI_ACL_DURATION && time_is_required(reading))
			item.required = true;
		if (type == MAUI_ACL_ATTRIBUTE && !item.id)
			maui_problem_add(&reading->problems, MAUI_WARNING, value->origin,
					 "%s: no job has the attribute '%.*s'", value->key->name,
					 (int)item.name_size, item.name);
		*place_of(value->key->key, items, count) = item;
	}
}

static int compare_order(const void *left, const void *right)
{
	const struct maui_value *a = *(const struct maui_value *const *)left;
	const struct maui_value *b = *(const struct maui_value *const *)right;

	return a->order < b->order ? -1 : a->order > b->order;
}

/* The lists in line order: the last item that names a job gives it its affinity. */
static void read_acl(struct sr_reading *reading)
{
	const struct maui_value *values[MAUI_SR_ATTRIBUTES];
	struct maui_error error = {""};
	struct maui_acl_item *items;
	size_t count = 0, room = 0, used = 0;

	for (size_t i = 0; i < MAUI_SR_ATTRIBUTES; i++) {
		const struct maui_sr_attribute *row = maui_sr_attribute_at(i);

		values[used] = row->form == MAUI_SR_IS_LIST ? value_of(reading, row->key) : NULL;
		if (values[used])
			room += values[used++]->list_size;
	}
	if (!room)
		return;
	qsort(values, used, sizeof(values[0]), compare_order);
	items = maui_calloc(room, sizeof(*items));
	for (size_t i = 0; i < used; i++)
		add_items(reading, values[i], items, &count);
	if (count && maui_acl_compile(items, count, &reading->sr->acl, &error))
		maui_problem_add(&reading->problems, MAUI_ERROR, reading->sr->origin,
				 "%s: %s: nobody may use it", reading->sr->name, error.text);
	free(items);
}

/* ---- hosts --------------------------------------------------------------------------------- */

struct refusal {
	struct sr_reading *reading;
	const struct maui_value *value;
	size_t count;
};

static void host_refused(void *context, size_t item, const char *why)
{
	struct refusal *refusal = context;
	const struct maui_value *value = refusal->value;
	const char *text = value->list[item];
	char shown[MAUI_EXCERPT_SIZE];

	refusal->count++;
	maui_problem_add(&refusal->reading->problems, MAUI_ERROR, value->origin,
			 "%s: '%s' is ignored: %s", value->key->name,
			 maui_excerpt(text, strlen(text), shown), why);
}

/* least: how many of the items must be left of those that are not refused. */
static void read_list_of_hosts(struct sr_reading *reading, const struct maui_value *value,
			       size_t least, struct maui_sr_hosts **ret_hosts)
{
	struct refusal refusal = {reading, value, 0};
	struct maui_error error = {""};
	int rc = maui_sr_hosts_compile(value->list, value->list_size, host_refused, &refusal,
				       ret_hosts, &error);

	if (rc || value->list_size - refusal.count < least) {
		maui_problem_add(&reading->problems, MAUI_ERROR, value->origin,
				 "%s: %s; the reservation is not made", value->key->name,
				 rc                                 ? error.text
				 : value->list_size > refusal.count ? "an item is wrong"
								    : "nothing is left of it");
		reading->sr->usable = false;
	}
}

/*
 * A HOSTLIST with nothing left would otherwise mean all nodes. Without an item of EXCLUDEHOSTLIST
 * the reservation would get nodes that it must not have.
 */
static void read_hosts(struct sr_reading *reading)
{
	const struct maui_value *hosts = value_of(reading, MAUI_ATTR_HOSTLIST);
	const struct maui_value *excluded = value_of(reading, MAUI_ATTR_EXCLUDEHOSTLIST);

	if (hosts)
		read_list_of_hosts(reading, hosts, 1, &reading->sr->hosts);
	if (excluded)
		read_list_of_hosts(reading, excluded, excluded->list_size, &reading->sr->excluded);
}

/* ---- resources ----------------------------------------------------------------------------- */

/* "gpu:a100:2" */
static void read_gres(struct maui_sr_task *task, const char *text)
{
	struct maui_sr_gres *gres = &task->gres[task->gres_count];
	const char *number = strrchr(text, ':');

	if (!number || task->gres_count == MAUI_RESOURCES_GRES)
		return;
	snprintf(gres->name, sizeof(gres->name), "%.*s", (int)(number - text), text);
	gres->count = strtoll(number + 1, NULL, 10);
	task->gres_count++;
}

/* "PROCS:4" */
static void read_resource(struct maui_sr_task *task, const char *text)
{
	size_t size = strcspn(text, ":");

	if (text[size] && maui_equals(text, size, "GRES")) {
		read_gres(task, text + size + 1);
		return;
	}

	for (size_t i = 0; text[size] && i < MAUI_SR_RESOURCES; i++)
		if (maui_equals(text, size, maui_sr_resources[i].name))
			*maui_sr_resource_amount(task, i) = strtoll(text + size + 1, NULL, 10);
}

/* A RESOURCES replaces all the defaults, PROCS too. */
static void read_task(struct sr_reading *reading)
{
	const struct maui_value *value = value_of(reading, MAUI_ATTR_RESOURCES);
	struct maui_sr_task task = {0};

	reading->sr->task = (struct maui_sr_task){.procs = MAUI_SR_ALL};
	if (!value)
		return;
	for (size_t i = 0; i < value->list_size; i++)
		read_resource(&task, value->list[i]);
	reading->sr->task = task;
	if (!task.procs) {
		maui_problem_add(&reading->problems, MAUI_ERROR, value->origin,
				 "RESOURCES: a task without processors cannot be reserved, write "
				 "PROCS:1 or more; the reservation is not made");
		reading->sr->usable = false;
	}
	if (task.gres_count)
		maui_problem_add(&reading->problems, MAUI_WARNING, value->origin,
				 "RESOURCES: GRES choose the nodes, which are reserved whole: not "
				 "every Slurm reserves a GRES");
	if (task.memory || task.disk)
		maui_problem_add(&reading->problems, MAUI_WARNING, value->origin,
				 "RESOURCES: MEM and DISK choose the nodes; Slurm reserves "
				 "processors and nodes only");
	if (task.swap)
		maui_problem_add(&reading->problems, MAUI_WARNING, value->origin,
				 "RESOURCES: SWAP has no effect: Slurm has none");
}

static void read_amounts(struct sr_reading *reading)
{
	struct maui_sr *sr = reading->sr;
	const struct maui_value *features = value_of(reading, MAUI_ATTR_NODEFEATURES);

	if (features) {
		sr->features = features->list;
		sr->feature_count = features->list_size;
	}
	if (sr->partition && (maui_equals(sr->partition, strlen(sr->partition), "ALL") ||
			      maui_equals(sr->partition, strlen(sr->partition), "[ALL]"))) {
		sr->any_partitions = true;
		sr->partition = NULL;
	}
	if (!sr->task_count && !sr->hosts && sr->usable) {
		maui_problem_add(&reading->problems, MAUI_ERROR, sr->origin,
				 "SRCFG[%s]: neither TASKCOUNT nor HOSTLIST says what to reserve; "
				 "the reservation is not made",
				 sr->name);
		sr->usable = false;
	}
}

/* ---- time ---------------------------------------------------------------------------------- */

static void warn_of_days(struct sr_reading *reading)
{
	const struct maui_value *days = value_of(reading, MAUI_ATTR_DAYS);

	if (days && (days->integer & 127) != 127)
		maui_problem_add(&reading->problems, MAUI_WARNING, days->origin,
				 "DAYS has no effect unless PERIOD is DAY");
}

/*
 * Chapter 7.1.5.2: STARTTIME and ENDTIME apply to the week, too; WSTARTTIME and WENDTIME are older.
 */
static void read_week(struct sr_reading *reading)
{
	struct maui_sr *sr = reading->sr;

	if (!sr->start)
		sr->start = sr->week_start;
	if (!sr->end)
		sr->end = sr->week_end;
	sr->week_start = sr->week_end = 0;
	warn_of_days(reading);
}

static void check_window(struct sr_reading *reading)
{
	struct maui_sr *sr = reading->sr;
	int64_t end = sr->end ? sr->end : sr->period == MAUI_SR_WEEK ? WEEK : DAY;

	if (sr->period == MAUI_SR_INFINITY || sr->start < end)
		return;
	maui_problem_add(&reading->problems, MAUI_ERROR,
			 origin_of(reading, sr->start ? MAUI_ATTR_STARTTIME : MAUI_ATTR_ENDTIME),
			 "SRCFG[%s] ends before it starts and is never made: write two "
			 "reservations, one up to midnight and one from midnight",
			 sr->name);
	sr->usable = false;
}

static void read_once(struct sr_reading *reading)
{
	struct maui_sr *sr = reading->sr;

	sr->period = MAUI_SR_ONCE;
	sr->depth = 1;
	sr->days = 127;
	sr->start = reading->once->start;
	sr->end = reading->once->end;
	sr->week_start = sr->week_end = sr->until = 0;
	sr->task_limit = reading->once->task_limit;
	sr->any_feature = reading->once->any_feature;
}

static void read_period(struct sr_reading *reading)
{
	static const enum maui_sr_period periods[] = {MAUI_SR_DAY, MAUI_SR_WEEK, MAUI_SR_INFINITY};
	struct maui_sr *sr = reading->sr;
	int64_t period = number_of(reading, MAUI_ATTR_PERIOD, 0);

	sr->period = periods[period >= 0 && period < (int64_t)COUNT(periods) ? period : 0];
	sr->days = (unsigned int)number_of(reading, MAUI_ATTR_DAYS, 127) & 127;
	switch (sr->period) {
	case MAUI_SR_WEEK:
		read_week(reading);
		break;
	case MAUI_SR_INFINITY:
		sr->depth = 1;
		sr->start = sr->end = sr->week_start = sr->week_end = 0;
		warn_of_days(reading);
		break;
	case MAUI_SR_DAY:
	case MAUI_SR_ONCE:
		break;
	}
	check_window(reading);
}

static void read_time(struct sr_reading *reading)
{
	if (reading->once)
		read_once(reading);
	else
		read_period(reading);
}

/* ---- the rest ------------------------------------------------------------------------------ */

static const struct {
	const char *name;
	unsigned int flag;
} flags[] = {
	{"BYNAME", MAUI_SR_BYNAME},
	{"OWNERPREEMPT", MAUI_SR_OWNERPREEMPT},
	{"SPACEFLEX", MAUI_SR_SPACEFLEX},
	{"FORCE", MAUI_SR_FORCE},
	{"SINGLEUSE", MAUI_SR_SINGLEUSE},
	{"DEDICATEDNODE", MAUI_SR_DEDICATEDNODE},
	{"DEDICATEDRESOURCE", MAUI_SR_DEDICATEDRESOURCE},
	{"STANDINGRES", MAUI_SR_STANDINGRES},
	{"META", MAUI_SR_META},
	{"PREEMPTEE", MAUI_SR_PREEMPTEE},
	{"TIMEFLEX", MAUI_SR_TIMEFLEX},
	{"ADVRES", MAUI_SR_ADVRES},
	{"BESTEFFORT", MAUI_SR_BESTEFFORT},
	{"MAINT", MAUI_SR_MAINT},
};

unsigned int maui_sr_flag_find(const char *name)
{
	for (size_t i = 0; i < COUNT(flags); i++)
		if (maui_equals(name, strlen(name), flags[i].name))
			return flags[i].flag;
	return 0;
}

const char *maui_sr_flag_name(unsigned int flag)
{
	for (size_t i = 0; i < COUNT(flags); i++)
		if (flags[i].flag == flag)
			return flags[i].name;
	return NULL;
}

/* Slurm marks whole nodes as in maintenance, also where a reservation holds some of their cores. */
static void check_maint(struct sr_reading *reading, const struct maui_value *value)
{
	struct maui_sr *sr = reading->sr;

	if (!value || !(sr->flags & MAUI_SR_MAINT) || sr->task.procs == MAUI_SR_ALL ||
	    sr->task.gres_count)
		return;
	maui_problem_add(&reading->problems, MAUI_ERROR, value->origin,
			 "FLAGS: MAINT needs whole nodes: leave out RESOURCES; the reservation is "
			 "not made");
	sr->usable = false;
}

static void read_flags(struct sr_reading *reading)
{
	const struct maui_value *value = value_of(reading, MAUI_ATTR_FLAGS);
	const struct maui_value *owner = value_of(reading, MAUI_ATTR_OWNER);
	struct maui_sr *sr = reading->sr;

	for (size_t i = 0; value && i < value->list_size; i++)
		sr->flags |= maui_sr_flag_find(value->list[i]);
	/* Keyword 0 of ACCESS, and the default, is DEDICATED. */
	sr->dedicated = number_of(reading, MAUI_ATTR_ACCESS, 0) == 0 ||
			(sr->flags & MAUI_SR_DEDICATEDRESOURCE);
	if (value && (sr->flags & MAUI_SR_OWNERPREEMPT) && !owner)
		maui_problem_add(&reading->problems, MAUI_WARNING, value->origin,
				 "FLAGS: OWNERPREEMPT has no effect without OWNER");
	check_maint(reading, value);
}

static void read_owner(struct sr_reading *reading)
{
	const struct maui_value *owner = value_of(reading, MAUI_ATTR_OWNER);
	struct maui_sr *sr = reading->sr;

	sr->owner_type = MAUI_CREDENTIALS;
	if (owner) {
		sr->owner_type = owner->dimension;
		sr->owner_name = owner->dimension_name;
		sr->owner = reading->names->id(reading->names->context, owner->dimension,
					       owner->dimension_name);
	}
}

static void read_trigger(struct sr_reading *reading)
{
	const struct maui_value *value = value_of(reading, MAUI_ATTR_TRIGGER);
	struct maui_error why = {""};
	size_t at;

	if (!value || !maui_config_trusted(reading->config))
		return;
	reading->sr->trigger = value->text;
	if (maui_sr_trigger_parse(value->text, &reading->sr->on, &at, &why))
		maui_problem_add(&reading->problems, MAUI_ERROR, value->origin,
				 "TRIGGER, character %zu: %s; nothing is triggered", at + 1,
				 why.text);
}

static void check_access(struct sr_reading *reading)
{
	struct maui_sr *sr = reading->sr;

	if (!sr->acl && !reading->once) /* otherwise it is a SYSTEM reservation, on purpose */
		maui_problem_add(&reading->problems, MAUI_WARNING, sr->origin,
				 "SRCFG[%s] has no access list: no job may use it", sr->name);
}

static void check_name(struct sr_reading *reading)
{
	struct maui_sr *sr = reading->sr;
	const char *why = NULL;

	if (strlen(sr->name) > MAUI_SR_NAME_MAX)
		why = "is too long for a reservation in Slurm";
	for (const char *at = sr->name; !why && *at; at++)
		if ((unsigned char)*at <= ' ' || strchr(",=\"'/\\", *at))
			why = "has characters that --reservation does not take";
	if (!why && *sr->name)
		return;
	maui_problem_add(&reading->problems, MAUI_ERROR, sr->origin,
			 "SRCFG[%.100s]: the name %s; the reservation is not made", sr->name,
			 why ? why : "is missing");
	sr->usable = false;
}

void sr_read(struct sr_reading *reading)
{
	struct maui_sr *sr = reading->sr;

	sr->name = maui_object_name(reading->object);
	sr->origin = maui_object_origin(reading->object);
	sr->usable = true;
	check_name(reading);
	read_all_plain(reading);
	read_time(reading);
	read_task(reading);
	read_hosts(reading);
	read_amounts(reading);
	read_flags(reading);
	read_owner(reading);
	read_trigger(reading);
	read_acl(reading);
	check_access(reading);
}
