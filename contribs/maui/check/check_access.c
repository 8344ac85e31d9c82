/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Access lists of SRCFG that admit nobody, whoever asks. */
#include "contribs/maui/check/check.h"

#include <stdio.h>
#include <string.h>

#include "common/policy/reservation/sr_attributes.h"

#define WHY_SIZE 400

static bool is_name(const struct maui_acl_item *item)
{
	return item->type < MAUI_CREDENTIALS;
}

static bool same_name(const struct maui_acl_item *a, const struct maui_acl_item *b)
{
	return a->type == b->type && a->name_size == b->name_size &&
	       !memcmp(a->name, b->name, a->name_size);
}

/* A range that no job is in: 0 processors, or less than 1. */
static bool is_empty_range(const struct maui_acl_item *item)
{
	int64_t least = item->type == MAUI_ACL_DURATION ? 0 : 1;

	if (is_name(item) || item->type == MAUI_ACL_ATTRIBUTE)
		return false;
	return (item->comparison == MAUI_ACL_AT_MOST && item->value < least) ||
	       (item->comparison == MAUI_ACL_LESS && item->value <= least);
}

static bool check_access_denied(const struct maui_acl_item *items, size_t count,
				const struct maui_acl_item *item)
{
	for (size_t i = 0; i < count; i++)
		if (items[i].deny && is_name(&items[i]) && same_name(&items[i], item))
			return true;
	return false;
}

/* Whether an item lets anybody in whom the list does not deny. */
static bool gives_access(const struct maui_acl_item *items, size_t count,
			 const struct maui_acl_item *item)
{
	if (item->exclude || item->required)
		return false;
	if (item->deny)
		return true;
	return !is_empty_range(item) && !(is_name(item) && check_access_denied(items, count, item));
}

/* A job has one user, one group, ...: two of them cannot be required. Returns the clash. */
static const struct maui_acl_item *check_access_clash(const struct maui_acl_item *items,
						      size_t count,
						      const struct maui_acl_item *item)
{
	if (!item->required || item->deny || item->exclude)
		return NULL;
	if (is_empty_range(item))
		return item;
	for (size_t i = 0; i < count && is_name(item); i++) {
		bool required = items[i].required && !items[i].deny && !items[i].exclude;

		if (required && items[i].type == item->type && !same_name(&items[i], item))
			return &items[i];
		if (items[i].deny && same_name(&items[i], item))
			return &items[i];
	}
	return NULL;
}

/* Why nobody gets in, in why; false if somebody may. */
static bool admits_nobody(const struct maui_acl *acl, char why[WHY_SIZE])
{
	char first[MAUI_ACL_TEXT_SIZE], second[MAUI_ACL_TEXT_SIZE];
	const struct maui_acl_item *items;
	size_t count = maui_acl_items(acl, &items), required = 0, other = 0;
	bool access = false;

	for (size_t i = 0; i < count; i++) {
		const struct maui_acl_item *against = check_access_clash(items, count, &items[i]);

		if (against == &items[i]) {
			snprintf(why, WHY_SIZE, "no job meets %s",
				 maui_acl_item_text(&items[i], first));
			return true;
		}
		if (against) {
			snprintf(why, WHY_SIZE, "%s is required, and %s does not go with it",
				 maui_acl_item_text(&items[i], first),
				 maui_acl_item_text(against, second));
			return true;
		}
		access = access || gives_access(items, count, &items[i]);
		required += items[i].required;
		other += !items[i].required && !items[i].exclude;
	}
	if (!count || access || (required && !other))
		return false; /* an empty list is reported elsewhere */
	snprintf(why, WHY_SIZE, "no item of its lists gives anybody access");
	return true;
}

/* The last of the lines that set its lists. */
static const struct maui_value *list_of(const struct maui_config *config, const struct maui_sr *sr)
{
	const struct maui_object *object = maui_config_object(config, MAUI_SRCFG, sr->name);
	const struct maui_value *found = NULL;

	for (size_t i = 0; i < MAUI_SR_ATTRIBUTES; i++) {
		const struct maui_sr_attribute *row = maui_sr_attribute_at(i);
		const struct maui_value *value = maui_object_get(object, row->key);

		if (row->form == MAUI_SR_IS_LIST && value &&
		    (!found || value->order > found->order))
			found = value;
	}
	return found;
}

void check_access(const struct maui_config *config, const struct maui_sr *sr,
		  struct findings *findings)
{
	const struct maui_value *list = list_of(config, sr);
	char why[WHY_SIZE];

	if (sr->usable && admits_nobody(sr->acl, why))
		findings_warn(findings, list ? &list->origin : &sr->origin,
			      "SRCFG[%.60s] never admits a job: %s; take that out, or name who may "
			      "use it",
			      sr->name, why);
}
