/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The attributes of SRCFG: a row for each, which controls how maui.cfg is read, what is reported
 * (diagnose-reservations) and shown (diagnose -r), and what setres may ask for. The syntax, range
 * and default of an attribute are in the key table (common/config).
 */
#ifndef MAUI_POLICY_SR_ATTRIBUTES_H
#define MAUI_POLICY_SR_ATTRIBUTES_H

#include <stddef.h>
#include <stdint.h>

#include "common/config/config.h"
#include "common/policy/reservation/sr.h"
#include "common/util/arena.h"

/* What an attribute is in struct maui_sr. */
enum maui_sr_form {
	MAUI_SR_IS_NOTHING, /* it has no effect */
	MAUI_SR_IS_NUMBER,  /* int64_t; if not given, the key table's default, or 0 */
	MAUI_SR_IS_COUNT,   /* uint32_t; likewise, and anything too large is UINT32_MAX */
	MAUI_SR_IS_TEXT,    /* const char *; NULL: not given or empty */
	MAUI_SR_IS_LIST,    /* items of its access list */
	MAUI_SR_IS_SPECIAL, /* read by code of its own: sr_read.c */
};

/* How diagnose -r shows it. */
enum maui_sr_shown {
	MAUI_SR_NOT_SHOWN,
	MAUI_SR_SHOWN_IF_SET,  /* "  Label: value" after what the original shows */
	MAUI_SR_SHOWN_IN_PLACE /* where the original shows it: diagnose_reservations.c */
};

/* How set-reservation, that is setres, may give it. */
enum maui_sr_setres {
	MAUI_SR_SETRES_NEVER,
	MAUI_SR_SETRES_MEMBER, /* a member with its JSON name and the text that SRCFG would have */
	MAUI_SR_SETRES_LIST,   /* an entry of "acl" */
	MAUI_SR_SETRES_OWN     /* something else that it is derived from: "hosts", "tasks" */
};

struct maui_sr_value;
struct maui_sr_telling;

struct maui_sr_attribute {
	enum maui_key key;
	enum maui_sr_form form;
	size_t offset;       /* in struct maui_sr, for a number, count or text */
	unsigned int list;   /* for an access list: the type of its items, enum maui_acl_type */
	const char *json;    /* its member of a report; rows that share one follow each other;
				 NULL: it is not told */
	const char *why_not; /* why it is not reported; NULL: it is */
	const char *label;   /* in diagnose -r; NULL: not shown */
	enum maui_sr_shown shown;
	enum maui_sr_setres setres;
	const char
		*admins_only; /* for a member: the error for others who give it; NULL: they may */
	/* Reports a special one, or all access lists. */
	void (*tell)(const struct maui_sr_telling *telling, struct maui_sr_value *ret_value);
};

/* How many there are: those of MAUI_SR_KEYS, and PRIORITY. */
#define MAUI_SR_ONE(...) 1
enum { MAUI_SR_ATTRIBUTES = sizeof((char[]){MAUI_SR_KEYS(MAUI_SR_ONE, MAUI_SR_ONE)}) + 1 };

/* The rows, index < MAUI_SR_ATTRIBUTES, in the order of reporting. */
const struct maui_sr_attribute *maui_sr_attribute_at(size_t index);

/* The row of a key, which must be one of SRCFG. */
const struct maui_sr_attribute *maui_sr_attribute_of(enum maui_key key);

/* The name in maui.cfg: "TASKCOUNT". */
const char *maui_sr_attribute_name(const struct maui_sr_attribute *row);

/* The value of a number or count that is not given: the key table's default. */
int64_t maui_sr_attribute_default(const struct maui_sr_attribute *row);

/* ---- what is reported of a reservation ---- */

#define MAUI_SR_VALUE_ITEMS 1000u /* more items of one list are not reported */
#define MAUI_SR_VALUE_TEXT  4096u /* bytes of the list of hosts, and of the owner */

/* One kind of RESOURCES. */
struct maui_sr_resource {
	const char *name, *json, *unit;
	size_t offset; /* of its amount in struct maui_sr_task */
};
#define MAUI_SR_RESOURCES 4u
extern const struct maui_sr_resource maui_sr_resources[MAUI_SR_RESOURCES];

/* Where a task keeps its amount of the index-th one. */
static inline int64_t *maui_sr_resource_amount(struct maui_sr_task *task, size_t index)
{
	return (int64_t *)(void *)((char *)task + maui_sr_resources[index].offset);
}

enum maui_sr_value_kind {
	MAUI_SR_VALUE_NUMBER,
	MAUI_SR_VALUE_STRING, /* NULL: there is none */
	MAUI_SR_VALUE_STRINGS,
	MAUI_SR_VALUE_TASK,
};

struct maui_sr_value {
	enum maui_sr_value_kind kind;
	uint32_t omitted; /* for an access list: how many items are not reported */
	union {
		int64_t number;
		const char *string;
		struct {
			const char *const *items;
			size_t count;
		} strings;
		const struct maui_sr_task *task;
	};
};

/* Whether the row begins a member of reports, so that its value is to be reported. */
bool maui_sr_attribute_is_told(const struct maui_sr_attribute *row);

/*
 * The reservation's value of a reported attribute, with its own texts in the arena. object is what
 * maui.cfg says of the reservation; NULL: nothing.
 */
void maui_sr_attribute_value(const struct maui_sr_attribute *row, const struct maui_sr *sr,
			     const struct maui_object *object, struct maui_arena *arena,
			     struct maui_sr_value *ret_value);

#endif
