/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of SRCFG's attributes, and the functions that convert a setting to
 * a number, text, list or task for reports.
 */
#include "common/policy/reservation/sr_attributes.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct maui_sr_telling {
	const struct maui_sr *sr;
	const struct maui_object *object;
	struct maui_arena *arena;
};

/* ---- how to report those that are not a plain number or text -------------------------------- */

static void tell_text(const struct maui_sr_telling *telling, const char *text,
		      struct maui_sr_value *ret_value)
{
	ret_value->kind = MAUI_SR_VALUE_STRING;
	ret_value->string = text ? maui_arena_text(telling->arena, text, strlen(text)) : NULL;
}

/* Room for that many texts. */
static const char **begin_texts(const struct maui_sr_telling *telling, size_t count,
				struct maui_sr_value *ret_value)
{
	const char **items = maui_arena_alloc(telling->arena, count, sizeof(*items));

	ret_value->kind = MAUI_SR_VALUE_STRINGS;
	ret_value->strings.items = items;
	ret_value->strings.count = 0;
	return items;
}

static void add_text(const struct maui_sr_telling *telling, const char **items, const char *text,
		     struct maui_sr_value *value)
{
	items[value->strings.count++] = maui_arena_text(telling->arena, text, strlen(text));
}

static void tell_period(const struct maui_sr_telling *telling, struct maui_sr_value *ret_value)
{
	enum maui_sr_period period = telling->sr->period;

	tell_text(telling,
		  period == MAUI_SR_ONCE ? "ONCE"
					 : maui_key_info(MAUI_ATTR_PERIOD)->keywords[period],
		  ret_value);
}

static void tell_days(const struct maui_sr_telling *telling, struct maui_sr_value *ret_value)
{
	static const char *const names[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
	const char **items = begin_texts(telling, COUNT(names), ret_value);

	for (size_t i = 0; i < COUNT(names); i++)
		if (telling->sr->days & (1u << i))
			add_text(telling, items, names[i], ret_value);
}

static void tell_task(const struct maui_sr_telling *telling, struct maui_sr_value *ret_value)
{
	struct maui_sr_task *task = maui_arena_alloc(telling->arena, 1, sizeof(*task));

	*task = telling->sr->task;
	ret_value->kind = MAUI_SR_VALUE_TASK;
	ret_value->task = task;
}

static void tell_features(const struct maui_sr_telling *telling, struct maui_sr_value *ret_value)
{
	const struct maui_sr *sr = telling->sr;
	size_t count =
		sr->feature_count < MAUI_SR_VALUE_ITEMS ? sr->feature_count : MAUI_SR_VALUE_ITEMS;
	const char **items = begin_texts(telling, count, ret_value);

	for (size_t i = 0; i < count; i++)
		add_text(telling, items, sr->features[i], ret_value);
}

/* As it was written. */
static void tell_list(const struct maui_sr_telling *telling, enum maui_key key,
		      struct maui_sr_value *ret_value)
{
	const struct maui_value *value = maui_object_get(telling->object, key);
	char text[MAUI_SR_VALUE_TEXT];
	size_t length = 0;

	for (size_t i = 0; value && i < value->list_size && length < sizeof(text); i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%s",
					   i ? "," : "", value->list[i]);
	tell_text(telling, length ? text : NULL, ret_value);
}

static void tell_hosts(const struct maui_sr_telling *telling, struct maui_sr_value *ret_value)
{
	tell_list(telling, MAUI_ATTR_HOSTLIST, ret_value);
}

static void tell_excluded(const struct maui_sr_telling *telling, struct maui_sr_value *ret_value)
{
	tell_list(telling, MAUI_ATTR_EXCLUDEHOSTLIST, ret_value);
}

static void tell_access(const struct maui_sr_telling *telling, struct maui_sr_value *ret_value)
{
	const char *const *words = maui_key_info(MAUI_ATTR_ACCESS)->keywords;

	tell_text(telling, words[!telling->sr->dedicated], ret_value);
}

static void tell_flags(const struct maui_sr_telling *telling, struct maui_sr_value *ret_value)
{
	unsigned int flags = telling->sr->flags;
	const char **items = begin_texts(telling, sizeof(flags) * 8, ret_value);

	for (unsigned int bit = 1; bit && bit <= flags; bit <<= 1)
		if ((flags & bit) && maui_sr_flag_name(bit))
			add_text(telling, items, maui_sr_flag_name(bit), ret_value);
}

static void tell_owner(const struct maui_sr_telling *telling, struct maui_sr_value *ret_value)
{
	const struct maui_sr *sr = telling->sr;
	char text[MAUI_SR_VALUE_TEXT];

	if (sr->owner_type != MAUI_CREDENTIALS)
		snprintf(text, sizeof(text), "%s==%s", maui_acl_type_name(sr->owner_type),
			 sr->owner_name);
	tell_text(telling, sr->owner_type != MAUI_CREDENTIALS ? text : NULL, ret_value);
}

static void tell_trigger(const struct maui_sr_telling *telling, struct maui_sr_value *ret_value)
{
	const struct maui_sr *sr = telling->sr;

	tell_text(telling, sr->on.event != MAUI_SR_ON_NOTHING ? sr->trigger : NULL, ret_value);
}

/* All lists together, in file order: the last item that names a job counts. */
static void tell_acl(const struct maui_sr_telling *telling, struct maui_sr_value *ret_value)
{
	const struct maui_acl_item *all;
	size_t count = maui_acl_items(telling->sr->acl, &all);
	size_t told = count < MAUI_SR_VALUE_ITEMS ? count : MAUI_SR_VALUE_ITEMS;
	const char **items = begin_texts(telling, told, ret_value);
	char text[MAUI_ACL_TEXT_SIZE];

	ret_value->omitted = (uint32_t)(count - told);
	for (size_t i = 0; i < told; i++)
		add_text(telling, items, maui_acl_item_text(&all[i], text), ret_value);
}

/* ---- the rows ------------------------------------------------------------------------------ */

/* NOLINTBEGIN(bugprone-macro-parentheses): they make initializers. */
/* clang-format off */
#define ROW(NAME, FORM, IN_REPORTS, IN_DIAGNOSE, IN_SETRES)                                   \
	{.key = MAUI_ATTR_##NAME, FORM, IN_REPORTS, IN_DIAGNOSE, IN_SETRES}
#define FIELD(MEMBER)                                                                         \
	.form = _Generic(((struct maui_sr *)0)->MEMBER, int64_t: MAUI_SR_IS_NUMBER,           \
			 uint32_t: MAUI_SR_IS_COUNT, const char *: MAUI_SR_IS_TEXT),          \
	.offset = offsetof(struct maui_sr, MEMBER)
#define SPECIAL(TELL)    .form = MAUI_SR_IS_SPECIAL, .tell = (TELL)
#define TOLD(JSON)       .json = JSON
#define NOT_TOLD(WHY)    .why_not = WHY
#define IF_SET(LABEL)    .shown = MAUI_SR_SHOWN_IF_SET, .label = LABEL
#define IN_PLACE(LABEL)  .shown = MAUI_SR_SHOWN_IN_PLACE, .label = LABEL
#define NOT_SHOWN        .shown = MAUI_SR_NOT_SHOWN
#define SETRES(HOW)      .setres = MAUI_SR_SETRES_##HOW
#define SETRES_BY_ALL    SETRES(MEMBER)
#define SETRES_BY_ADMINS(WHY)                                                                 \
	SETRES(MEMBER), .admins_only = WHY
#define ITEMS_OF(TYPE)   .form = MAUI_SR_IS_LIST, .list = TYPE, .tell = tell_acl
#define LIST(NAME, TYPE, IN_SETRES)                                                           \
	ROW(NAME, ITEMS_OF(TYPE), TOLD("acl"), IN_PLACE("ACL"), IN_SETRES)
#define WITHOUT_EFFECT(NAME)                                                                  \
	ROW(NAME, .form = MAUI_SR_IS_NOTHING, NOT_TOLD("it has no effect"), NOT_SHOWN,        \
	    SETRES(NEVER))
/* clang-format on */
/* NOLINTEND(bugprone-macro-parentheses) */

static const struct maui_sr_attribute rows[] = {
	ROW(PERIOD, SPECIAL(tell_period), TOLD("period"), IN_PLACE("Period"), SETRES(NEVER)),
	ROW(DAYS, SPECIAL(tell_days), TOLD("days"), IN_PLACE("Days"), SETRES(NEVER)),
	ROW(DEPTH, FIELD(depth), TOLD("depth"), IN_PLACE("Depth"), SETRES(NEVER)),
	ROW(STARTTIME, FIELD(start), TOLD("starttime"), IN_PLACE("StartTime"), SETRES(NEVER)),
	ROW(ENDTIME, FIELD(end), TOLD("endtime"), IN_PLACE("EndTime"), SETRES(NEVER)),
	ROW(WSTARTTIME, FIELD(week_start), NOT_TOLD("starttime has what WEEK takes of it"),
	    NOT_SHOWN, SETRES(NEVER)),
	ROW(WENDTIME, FIELD(week_end), NOT_TOLD("endtime has what WEEK takes of it"), NOT_SHOWN,
	    SETRES(NEVER)),
	ROW(UNTIL, FIELD(until), TOLD("until"), IN_PLACE("Until"), SETRES(NEVER)),
	ROW(TASKCOUNT, FIELD(task_count), TOLD("taskcount"), IN_PLACE("TaskCount"), SETRES(OWN)),
	ROW(TPN, FIELD(tasks_per_node), TOLD("tpn"), IF_SET("TPN"), SETRES(NEVER)),
	ROW(RESOURCES, SPECIAL(tell_task), TOLD("resources"), IN_PLACE("Task Resources"),
	    SETRES_BY_ALL),
	ROW(PARTITION, FIELD(partition), TOLD("partition"), IN_PLACE("Partition"), SETRES_BY_ALL),
	ROW(NODEFEATURES, SPECIAL(tell_features), TOLD("features"), IN_PLACE("Features"),
	    SETRES_BY_ALL),
	ROW(HOSTLIST, SPECIAL(tell_hosts), TOLD("hostlist"), IN_PLACE("HostList"), SETRES(OWN)),
	ROW(EXCLUDEHOSTLIST, SPECIAL(tell_excluded), TOLD("excludehostlist"),
	    IF_SET("ExcludeHostList"), SETRES(NEVER)),
	ROW(ACCESS, SPECIAL(tell_access), TOLD("access"), IN_PLACE("Access"), SETRES(NEVER)),
	ROW(PRIORITY, FIELD(priority), TOLD("priority"), IN_PLACE("Priority"), SETRES(NEVER)),
	ROW(FLAGS, SPECIAL(tell_flags), TOLD("flags"), IN_PLACE("Flags"), SETRES_BY_ALL),
	ROW(OWNER, SPECIAL(tell_owner), TOLD("owner"), IF_SET("Owner"),
	    SETRES_BY_ADMINS("only administrators name an owner: yours is your own")),
	ROW(CHARGEACCOUNT, FIELD(charge_account), TOLD("chargeaccount"), IF_SET("ChargeAccount"),
	    SETRES_BY_ADMINS("only administrators say which account is charged")),
	ROW(TRIGGER, SPECIAL(tell_trigger), TOLD("trigger"), IN_PLACE("Trigger"), SETRES(NEVER)),
	LIST(USERLIST, MAUI_USER, SETRES(LIST)),
	LIST(GROUPLIST, MAUI_GROUP, SETRES(LIST)),
	LIST(ACCOUNTLIST, MAUI_ACCOUNT, SETRES(LIST)),
	LIST(QOSLIST, MAUI_QOS, SETRES(LIST)),
	LIST(CLASSLIST, MAUI_CLASS, SETRES(LIST)),
	LIST(JOBATTRLIST, MAUI_ACL_ATTRIBUTE, SETRES(LIST)),
	LIST(TIMELIMIT, MAUI_ACL_DURATION, SETRES(NEVER)),
	LIST(MAXTIME, MAUI_ACL_DURATION, SETRES(NEVER)),
	LIST(PROCLIMIT, MAUI_ACL_PROCS, SETRES(NEVER)),
	LIST(TASKLIMIT, MAUI_ACL_TASKS, SETRES(NEVER)),
	ROW(TIMELOGIC, SPECIAL(NULL), NOT_TOLD("it is a mark of TIMELIMIT's items"), NOT_SHOWN,
	    SETRES(NEVER)),
	WITHOUT_EFFECT(IDLETIME),
	WITHOUT_EFFECT(STIDLETIME),
	WITHOUT_EFFECT(STTOTALTIME),
	WITHOUT_EFFECT(NAME),
};

static_assert(COUNT(rows) == MAUI_SR_ATTRIBUTES, "every attribute of SRCFG has a row");

const struct maui_sr_resource maui_sr_resources[MAUI_SR_RESOURCES] = {
	{"PROCS", "procs", "", offsetof(struct maui_sr_task, procs)},
	{"MEM", "memory", "M", offsetof(struct maui_sr_task, memory)},
	{"DISK", "disk", "M", offsetof(struct maui_sr_task, disk)},
	{"SWAP", "swap", "M", offsetof(struct maui_sr_task, swap)},
};

const struct maui_sr_attribute *maui_sr_attribute_at(size_t index)
{
	return &rows[index];
}

const struct maui_sr_attribute *maui_sr_attribute_of(enum maui_key key)
{
	size_t i = 0;

	while (i + 1 < COUNT(rows) && rows[i].key != key)
		i++;
	return &rows[i];
}

const char *maui_sr_attribute_name(const struct maui_sr_attribute *row)
{
	return maui_key_info(row->key)->name;
}

int64_t maui_sr_attribute_default(const struct maui_sr_attribute *row)
{
	const char *text = maui_key_info(row->key)->default_text;

	return text ? strtoll(text, NULL, 10) : 0;
}

bool maui_sr_attribute_is_told(const struct maui_sr_attribute *row)
{
	return row->json && (row == rows || !row[-1].json || strcmp(row[-1].json, row->json) != 0);
}

void maui_sr_attribute_value(const struct maui_sr_attribute *row, const struct maui_sr *sr,
			     const struct maui_object *object, struct maui_arena *arena,
			     struct maui_sr_value *ret_value)
{
	const struct maui_sr_telling telling = {sr, object, arena};
	const void *field = (const char *)sr + row->offset;

	*ret_value = (struct maui_sr_value){.kind = MAUI_SR_VALUE_NUMBER};
	if (row->tell)
		row->tell(&telling, ret_value);
	else if (row->form == MAUI_SR_IS_NUMBER)
		ret_value->number = *(const int64_t *)field;
	else if (row->form == MAUI_SR_IS_COUNT)
		ret_value->number = *(const uint32_t *)field;
	else
		tell_text(&telling, *(const char *const *)field, ret_value);
}
