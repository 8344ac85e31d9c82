/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evaluates a compiled access list for a job: required items, then NOTs, then
 * plain items. Writes items and verdicts as text.
 */
#include <stdio.h>
#include <string.h>

#include "common/policy/reservation/acl_private.h"
#include "common/util/search.h"

static bool acl_compares(int64_t ours, const struct maui_acl_item *item)
{
	switch (item->comparison) {
	case MAUI_ACL_IS:
		return ours == item->value;
	case MAUI_ACL_LESS:
		return ours < item->value;
	case MAUI_ACL_AT_MOST:
		return ours <= item->value;
	case MAUI_ACL_AT_LEAST:
		return ours >= item->value;
	case MAUI_ACL_MORE:
		return ours > item->value;
	}
	return false;
}

/* Whether an item names the job. */
static bool names_job(const struct maui_acl_item *item, const struct maui_acl_job *job)
{
	uint32_t id;

	switch (item->type) {
	case MAUI_ACL_ATTRIBUTE:
		return (job->attributes & item->id) != 0;
	case MAUI_ACL_DURATION:
		return acl_compares(job->duration, item);
	case MAUI_ACL_PROCS:
		return acl_compares(job->procs, item);
	case MAUI_ACL_TASKS:
		return acl_compares(job->tasks, item);
	default:
		id = job->credential[item->type];
		return id ? id == item->id : item->absent;
	}
}

/* The items found so far that name the job; MAUI_ACL_NO_ITEM: none. */
struct matches {
	uint32_t stop;             /* the first that refuses: anything after it is ignored */
	uint32_t plain, any, weak; /* the last ones */
};

static void acl_later(uint32_t *last, uint32_t item)
{
	if (*last == MAUI_ACL_NO_ITEM || *last < item)
		*last = item;
}

static void count_match(const struct maui_acl *acl, uint32_t index, struct matches *matches)
{
	const struct maui_acl_item *item = &acl->items[index];

	if (index >= matches->stop || item->exclude || item->deny)
		return;
	if (!item->required)
		acl_later(&matches->plain, index);
	if (item->type > MAUI_ACL_ATTRIBUTE && !item->affinity_given)
		acl_later(&matches->weak, index);
	else
		acl_later(&matches->any, index);
}

static void stop_at_deny(const struct maui_acl *acl, uint32_t index, struct matches *matches)
{
	if (acl->items[index].deny && index < matches->stop)
		matches->stop = index;
}

static int compare_to_id(const void *key, const void *element)
{
	uint32_t id = *(const uint32_t *)key, other = ((const struct acl_key *)element)->id;

	return (id > other) - (id < other);
}

/* Call visit for every item that names the job. */
static void
each_match(const struct maui_acl *acl, const struct maui_acl_job *job, struct matches *matches,
	   void (*visit)(const struct maui_acl *acl, uint32_t index, struct matches *matches))
{
	for (unsigned int type = 0; type < MAUI_CREDENTIALS; type++) {
		uint32_t id = job->credential[type];
		const struct acl_key *key = acl->keys + acl->first[type];
		const struct acl_key *end = acl->keys + acl->first[type + 1];

		key += maui_lower_bound(&id, key, (size_t)(end - key), sizeof(*key), compare_to_id);
		for (; key < end && key->id == id; key++)
			visit(acl, key->item, matches);
	}
	for (uint32_t i = 0; i < acl->other_count; i++)
		if (names_job(&acl->items[acl->others[i]], job))
			visit(acl, acl->others[i], matches);
}

/* A required NOT is met by all jobs that it does not name; those it names are denied anyway. */
static uint32_t first_missing(const struct maui_acl *acl, const struct maui_acl_job *job)
{
	for (uint32_t i = 0; i < acl->required_count; i++) {
		const struct maui_acl_item *item = &acl->items[acl->required[i]];

		if (!item->deny && (item->exclude || !names_job(item, job)))
			return acl->required[i];
	}
	return MAUI_ACL_NO_ITEM;
}

static void acl_decide(const struct maui_acl *acl, const struct matches *matches, uint32_t missing,
		       struct maui_acl_verdict *verdict)
{
	bool granted = true;

	if (matches->stop != MAUI_ACL_NO_ITEM) {
		verdict->reason = matches->stop == missing ? MAUI_ACL_MISSING : MAUI_ACL_DENIED;
		verdict->item = matches->stop;
		granted = false;
	} else if (matches->plain != MAUI_ACL_NO_ITEM) {
		verdict->reason = MAUI_ACL_LISTED;
		verdict->item = matches->plain;
	} else if (acl->first_deny != MAUI_ACL_NO_ITEM) {
		verdict->reason = MAUI_ACL_NOT_DENIED;
		verdict->item = acl->first_deny;
	} else if (!acl->plain && acl->required_count) {
		verdict->reason = MAUI_ACL_REQUIRED;
		verdict->item = acl->required[acl->required_count - 1];
	} else {
		verdict->reason = acl->plain ? MAUI_ACL_UNLISTED : MAUI_ACL_NOBODY;
		granted = false;
	}
	verdict->granted = granted;
}

bool maui_acl_evaluate(const struct maui_acl *acl, const struct maui_acl_job *job,
		       struct maui_acl_verdict *ret_verdict)
{
	struct matches matches = {MAUI_ACL_NO_ITEM, MAUI_ACL_NO_ITEM, MAUI_ACL_NO_ITEM,
				  MAUI_ACL_NO_ITEM};
	uint32_t missing;

	*ret_verdict = (struct maui_acl_verdict){.affinity = MAUI_AFFINITY_NONE,
						 .reason = MAUI_ACL_NOBODY,
						 .item = MAUI_ACL_NO_ITEM};
	if (!acl)
		return false;
	missing = first_missing(acl, job);
	matches.stop = missing;
	if (acl->denies)
		each_match(acl, job, &matches, stop_at_deny);
	each_match(acl, job, &matches, count_match);
	if (matches.any == MAUI_ACL_NO_ITEM)
		matches.any = matches.weak;
	if (matches.any != MAUI_ACL_NO_ITEM)
		ret_verdict->affinity = acl->items[matches.any].affinity;
	acl_decide(acl, &matches, missing, ret_verdict);
	return ret_verdict->granted;
}

bool maui_acl_has_duration(const struct maui_acl *acl)
{
	return acl && acl->duration;
}

size_t maui_acl_items(const struct maui_acl *acl, const struct maui_acl_item **ret_items)
{
	*ret_items = acl ? acl->items : NULL;
	return acl ? acl->count : 0;
}

/* ---- texts --------------------------------------------------------------------------------- */

const char *maui_acl_type_name(unsigned int type)
{
	static const char *const names[MAUI_ACL_TYPES] = {
		[MAUI_USER] = "USER",
		[MAUI_GROUP] = "GROUP",
		[MAUI_ACCOUNT] = "ACCT",
		[MAUI_QOS] = "QOS",
		[MAUI_CLASS] = "CLASS",
		[MAUI_ACL_ATTRIBUTE] = "JFEATURE",
		[MAUI_ACL_DURATION] = "DURATION",
		[MAUI_ACL_PROCS] = "PROC",
		[MAUI_ACL_TASKS] = "TASK",
	};

	return type < MAUI_ACL_TYPES ? names[type] : "";
}

const char *maui_acl_item_text(const struct maui_acl_item *item, char text[MAUI_ACL_TEXT_SIZE])
{
	static const char *const comparisons[] = {"==", "<", "<=", ">=", ">"};
	static const char marks[MAUI_AFFINITIES] = {[MAUI_AFFINITY_POSITIVE] = '+',
						    [MAUI_AFFINITY_NEUTRAL] = '=',
						    [MAUI_AFFINITY_NEGATIVE] = '-'};
	/* Longer names are truncated. */
	int shown = item->name_size < 100 ? (int)item->name_size : 100;

	snprintf(text, MAUI_ACL_TEXT_SIZE, "%s%s%.*s%c%s%s%s", maui_acl_type_name(item->type),
		 comparisons[item->comparison], shown, item->name, marks[item->affinity],
		 item->required ? "*" : "", item->deny ? "!" : "", item->exclude ? "^" : "");
	return text;
}

const char *maui_acl_text(const struct maui_acl *acl, const struct maui_acl_verdict *verdict,
			  char text[MAUI_ACL_TEXT_SIZE])
{
	static const char *const ends[] = {
		[MAUI_ACL_LISTED] = " gives access",
		[MAUI_ACL_REQUIRED] = " is met",
		[MAUI_ACL_NOT_DENIED] = " does not name the job",
		[MAUI_ACL_DENIED] = " denies access",
		[MAUI_ACL_MISSING] = " is required",
	};
	size_t length;

	if (verdict->item == MAUI_ACL_NO_ITEM) {
		snprintf(text, MAUI_ACL_TEXT_SIZE, "%s",
			 verdict->reason == MAUI_ACL_UNLISTED ? "no list names the job"
							      : "the list admits nobody");
		return text;
	}
	maui_acl_item_text(&acl->items[verdict->item], text);
	length = strlen(text);
	snprintf(text + length, MAUI_ACL_TEXT_SIZE - length, "%s", ends[verdict->reason]);
	return text;
}
