/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses items of USERLIST, TIMELIMIT and the like, with comparison and marks,
 * and builds an access list with keys sorted by credential.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/config/default_name.h"
#include "common/config/keys/keys.h"
#include "common/policy/reservation/acl_private.h"
#include "common/util/time/duration.h"
#include "common/util/memory.h"
#include "common/util/text.h"

#define MARKS_BEHIND "+-=*!^"

/* ---- one item ------------------------------------------------------------------------------ */

uint32_t maui_acl_attribute(const char *name, size_t size)
{
	const char *const *keywords = maui_key_info(MAUI_ATTR_JOBFLAGS)->keywords;

	for (unsigned int i = 0; i < 32 && keywords[i]; i++)
		if (maui_equals(name, size, keywords[i]))
			return UINT32_C(1) << i;
	return 0;
}

/* The comparison before a number. A single '=' belongs to the attribute: "at most". */
static const char *read_comparison(const char *at, const char *end,
				   enum maui_acl_comparison *comparison)
{
	const char *start = at;
	bool equal;

	while (at < end && strchr("<>=", *at))
		at++;
	equal = at - start > 1 && at[-1] == '=';
	if (at > start && *start == '<')
		*comparison = equal ? MAUI_ACL_AT_MOST : MAUI_ACL_LESS;
	else if (at > start && *start == '>')
		*comparison = equal ? MAUI_ACL_AT_LEAST : MAUI_ACL_MORE;
	else if (equal)
		*comparison = MAUI_ACL_IS;
	return at;
}

/* One mark; false if it is not one. */
static bool set_mark(struct maui_acl_item *item, char mark)
{
	switch (mark) {
	case '*':
		item->required = true;
		return true;
	case '!':
		item->deny = true;
		return true;
	case '^':
		item->exclude = true;
		return true;
	case '+':
		item->affinity = MAUI_AFFINITY_POSITIVE;
		break;
	case '-':
		item->affinity = MAUI_AFFINITY_NEGATIVE;
		break;
	case '=':
		item->affinity = MAUI_AFFINITY_NEUTRAL;
		break;
	default:
		return false;
	}
	item->affinity_given = true;
	return true;
}

/* Numbers have few digits: copy one so that it ends where the item does. */
static bool read_number(const char *text, size_t size, bool duration, int64_t *ret_value)
{
	char copy[64], *rest;

	if (!size || size >= sizeof(copy))
		return false;
	memcpy(copy, text, size);
	copy[size] = '\0';
	if (duration)
		return !maui_duration_parse(copy, ret_value, NULL, NULL);
	errno = 0;
	*ret_value = strtoll(copy, &rest, 0);
	return rest != copy && !errno;
}

static void find_name(const struct maui_limit_names *names, struct maui_acl_item *item)
{
	char *name = maui_strndup(item->name, item->name_size);

	item->id = names->id(names->context, item->type, name);
	item->absent = item->type == MAUI_QOS && maui_is_default(name);
	free(name);
}

int maui_acl_item_read(unsigned int type, const char *text, size_t size,
		       const struct maui_limit_names *names, struct maui_acl_item *ret_item,
		       struct maui_error *error)
{
	struct maui_acl_item item = {.type = type, .affinity = MAUI_AFFINITY_POSITIVE};
	const char *at = text, *end = text + size;
	char shown[MAUI_EXCERPT_SIZE];

	if (type > MAUI_ACL_ATTRIBUTE)
		item.comparison = MAUI_ACL_AT_MOST;
	at = read_comparison(at, end, &item.comparison);
	if (type <= MAUI_ACL_ATTRIBUTE)
		item.comparison = MAUI_ACL_IS;
	while (at < end && strchr("!^*", *at))
		set_mark(&item, *at++);
	if (at < end - 1 && strchr(MARKS_BEHIND, end[-1]))
		set_mark(&item, *--end);
	item.name = at;
	item.name_size = (size_t)(end - at);
	if (at == end)
		return maui_error_set(error, EINVAL, "'%s' names nobody",
				      maui_excerpt(text, size, shown));
	if (type > MAUI_ACL_ATTRIBUTE) {
		if (!read_number(at, item.name_size, type == MAUI_ACL_DURATION, &item.value))
			return maui_error_set(error, EINVAL, "'%s' is not a number",
					      maui_excerpt(text, size, shown));
	} else if (type == MAUI_ACL_ATTRIBUTE)
		item.id = maui_acl_attribute(at, item.name_size);
	else
		find_name(names, &item);
	*ret_item = item;
	return 0;
}

/* ---- the list ------------------------------------------------------------------------------ */

static int compare_keys(const void *left, const void *right)
{
	const struct acl_key *a = left, *b = right;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return a->item < b->item ? -1 : a->item > b->item;
}

/* The keys of one type of name. An item that names nobody has none; id 0 is a job without a QOS. */
static uint32_t add_keys(struct maui_acl *acl, unsigned int type, uint32_t count)
{
	uint32_t start = count;

	for (uint32_t i = 0; i < acl->count; i++) {
		const struct maui_acl_item *item = &acl->items[i];

		if (item->type != type)
			continue;
		if (item->id)
			acl->keys[count++] = (struct acl_key){item->id, i};
		if (item->absent)
			acl->keys[count++] = (struct acl_key){MAUI_NO_CREDENTIAL, i};
	}
	qsort(acl->keys + start, count - start, sizeof(*acl->keys), compare_keys);
	return count;
}

static void make_index(struct maui_acl *acl)
{
	uint32_t count = 0;

	for (unsigned int type = 0; type < MAUI_CREDENTIALS; type++) {
		acl->first[type] = count;
		count = add_keys(acl, type, count);
	}
	acl->first[MAUI_CREDENTIALS] = count;
	for (uint32_t i = 0; i < acl->count; i++) {
		const struct maui_acl_item *item = &acl->items[i];

		if (item->type >= MAUI_CREDENTIALS)
			acl->others[acl->other_count++] = i;
		if (item->required)
			acl->required[acl->required_count++] = i;
		/* A required NOT is a condition, not an item that admits others. */
		if (item->deny && !item->required && acl->first_deny == MAUI_ACL_NO_ITEM)
			acl->first_deny = i;
		acl->denies |= item->deny;
		acl->plain |= !item->required && !item->deny && !item->exclude;
		acl->duration |= item->type == MAUI_ACL_DURATION;
	}
}

static void acl_compile_fill(struct maui_acl *acl, const struct maui_acl_item *items, size_t count)
{
	acl->items = maui_arena_alloc(acl->arena, count, sizeof(*acl->items));
	acl->keys = maui_arena_alloc(acl->arena, 2 * count, sizeof(*acl->keys));
	acl->others = maui_arena_alloc(acl->arena, count, sizeof(*acl->others));
	acl->required = maui_arena_alloc(acl->arena, count, sizeof(*acl->required));
	acl->count = (uint32_t)count;
	for (size_t i = 0; i < count; i++) {
		acl->items[i] = items[i];
		acl->items[i].name = maui_arena_text(acl->arena, items[i].name, items[i].name_size);
	}
	make_index(acl);
}

int maui_acl_compile(const struct maui_acl_item *items, size_t count, struct maui_acl **ret_acl,
		     struct maui_error *error)
{
	struct maui_acl *acl;

	if (count > MAUI_ACL_ITEMS)
		return maui_error_set(error, E2BIG, "an access list of more than %u items",
				      MAUI_ACL_ITEMS);
	acl = maui_calloc(1, sizeof(*acl));
	acl->first_deny = MAUI_ACL_NO_ITEM;
	acl->arena = maui_arena_new();
	acl_compile_fill(acl, items, count);
	*ret_acl = acl;
	return 0;
}

struct maui_acl *maui_acl_free(struct maui_acl *acl)
{
	if (acl)
		maui_arena_free(acl->arena);
	free(acl);
	return NULL;
}
