/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who gets in: into partitions by Slurm's records, into our reservations by their lists, as the
 * engine gives them. */
#include "contribs/maui/show/window.h"

#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/policy/reservation/acl.h"
#include "common/util/time/duration.h"
#include "common/util/list.h"
#include "common/util/memory.h"
#include "contribs/maui/lib/output.h"

/* ---- partitions ------------------------------------------------------------------------------ */

typedef bool (*matches)(const char *name, const struct window_request *request);

/* A comma-separated list; an empty one leaves nobody out. */
static bool is_listed(const char *list, matches match, const struct window_request *request,
		      bool otherwise)
{
	struct maui_item item;
	char name[256];

	if (!*list || !strcasecmp(list, "ALL"))
		return otherwise;
	while (maui_list_next(&list, ",", &item))
		if (item.size && item.size < sizeof(name) &&
		    match(maui_item_copy(item, name, sizeof(name)), request))
			return true;
	return false;
}

static bool is_account(const char *name, const struct window_request *request)
{
	return request->account && !strcasecmp(name, request->account);
}

static bool is_qos(const char *name, const struct window_request *request)
{
	return request->qos && !strcasecmp(name, request->qos);
}

/* The one asked for, or any that the user is in. */
static bool is_group(const char *name, const struct window_request *request)
{
	const struct passwd *user;
	const struct group *group;

	if (request->group && !strcmp(name, request->group))
		return true;
	group = getgrnam(name);
	for (char **member = group ? group->gr_mem : NULL; member && *member; member++)
		if (request->user && !strcmp(*member, request->user))
			return true;
	user = group && request->user ? getpwnam(request->user) : NULL;
	return user && user->pw_gid == group->gr_gid;
}

/* If account or QOS is not given, it is unknown which one a job would have. */
static bool credentials_admit(struct json_object *partition, const struct window_request *request)
{
	if (member_flag(partition, "root_only") &&
	    (!request->user || strcmp(request->user, "root") != 0))
		return false;
	if (!is_listed(member_text(partition, "allow_groups"), is_group, request, true))
		return false;
	if (request->account &&
	    (!is_listed(member_text(partition, "allow_accounts"), is_account, request, true) ||
	     is_listed(member_text(partition, "deny_accounts"), is_account, request, false)))
		return false;
	return !request->qos ||
	       (is_listed(member_text(partition, "allow_qos"), is_qos, request, true) &&
		!is_listed(member_text(partition, "deny_qos"), is_qos, request, false));
}

bool window_partition_admits(struct json_object *partition, const struct window_request *request)
{
	const char *state = member_text(partition, "state");

	if (strcmp(state, "UP") != 0)
		return false;
	if (request->partition && strcmp(member_text(partition, "name"), request->partition) != 0)
		return false;
	return request->all || credentials_admit(partition, request);
}

/* ---- reservations ---------------------------------------------------------------------------- */

/* The caller's credentials as numbers: their own are OURS, everything else is OTHER. */
enum {
	OURS = 1,
	OTHER = 2,
};

static const char *credential_of(unsigned int type, const struct window_request *request)
{
	switch (type) {
	case MAUI_USER:
		return request->user;
	case MAUI_GROUP:
		return request->group;
	case MAUI_ACCOUNT:
		return request->account;
	case MAUI_QOS:
		return request->qos;
	case MAUI_CLASS:
		return request->partition ? request->partition : request->class;
	default:
		return NULL;
	}
}

static bool is_same(unsigned int type, const char *name, size_t size, const char *own)
{
	if (!own || strlen(own) != size)
		return false;
	return type == MAUI_USER || type == MAUI_GROUP ? !strncmp(name, own, size)
						       : !strncasecmp(name, own, size);
}

static bool read_type(const char **text, struct maui_acl_item *item)
{
	static const char *const comparisons[] = {"==", "<=", ">=", "<", ">"};
	static const enum maui_acl_comparison meanings[] = {
		MAUI_ACL_IS, MAUI_ACL_AT_MOST, MAUI_ACL_AT_LEAST, MAUI_ACL_LESS, MAUI_ACL_MORE};
	size_t size = strcspn(*text, "<>=");

	while (item->type < MAUI_ACL_TYPES &&
	       (strlen(maui_acl_type_name(item->type)) != size ||
		strncmp(maui_acl_type_name(item->type), *text, size) != 0))
		item->type++;
	*text += size;
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++)
		if (!strncmp(*text, comparisons[i], strlen(comparisons[i]))) {
			item->comparison = meanings[i];
			*text += strlen(comparisons[i]);
			return item->type < MAUI_ACL_TYPES;
		}
	return false;
}

/* The marks after the name: the affinity, then what the item is. Returns the name's size. */
static size_t read_marks(const char *name, struct maui_acl_item *item)
{
	size_t size = strlen(name);

	for (; size && strchr("*!^", name[size - 1]); size--) {
		item->required |= name[size - 1] == '*';
		item->deny |= name[size - 1] == '!';
		item->exclude |= name[size - 1] == '^';
	}
	item->affinity = MAUI_AFFINITY_POSITIVE;
	item->affinity_given = true;
	return size ? size - 1 : 0;
}

/* The reverse of maui_acl_item_text(). False: it comes from a release that this program does not
 * know. */
static bool read_item(const char *text, const struct window_request *request,
		      struct maui_acl_item *ret_item)
{
	struct maui_acl_item item = {0};
	bool ambiguous;
	const char *rest;

	if (!read_type(&text, &item))
		return false;
	item.name = text;
	item.name_size = read_marks(text, &item);
	if (item.type == MAUI_ACL_DURATION) {
		if (maui_duration_parse(text, &item.value, &ambiguous, &rest))
			return false;
	} else if (item.type > MAUI_ACL_DURATION) {
		item.value = strtoll(text, NULL, 10);
	} else if (item.type == MAUI_ACL_ATTRIBUTE) {
		item.id = maui_acl_attribute(text, item.name_size);
	} else {
		item.id =
			is_same(item.type, text, item.name_size, credential_of(item.type, request))
				? OURS
				: OTHER;
		item.absent = item.type == MAUI_QOS && item.name_size == strlen("DEFAULT") &&
			      !strncasecmp(text, "DEFAULT", item.name_size);
	}
	*ret_item = item;
	return true;
}

static bool lets_in(const struct maui_acl *acl, const struct window_request *request,
		    int64_t duration)
{
	struct maui_acl_job job = {.duration = duration, .procs = 1, .tasks = 1};
	struct maui_acl_verdict verdict;

	for (unsigned int type = 0; type < MAUI_CREDENTIALS; type++)
		job.credential[type] = credential_of(type, request) ? OURS : MAUI_NO_CREDENTIAL;
	return maui_acl_evaluate(acl, &job, &verdict);
}

/* The longest time for which the list admits the job: forever, or what a TIMELIMIT says. */
static int64_t window_access_longest(const struct maui_acl *acl,
				     const struct window_request *request)
{
	const struct maui_acl_item *items;
	size_t count = maui_acl_items(acl, &items);
	int64_t best = 0;

	if (lets_in(acl, request, WINDOW_FOREVER))
		return WINDOW_FOREVER;
	for (size_t i = 0; i < count; i++) {
		int64_t limit = items[i].value - (items[i].comparison == MAUI_ACL_LESS);

		if (items[i].type == MAUI_ACL_DURATION && limit > best &&
		    lets_in(acl, request, limit))
			best = limit;
	}
	return best;
}

/* "" for what is no text: it comes from a release that this program does not know. */
static const char *text_at(struct json_object *array, size_t index)
{
	struct json_object *value = json_object_array_get_idx(array, index);

	return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
}

static int64_t window_access_evaluate(struct json_object *list,
				      const struct window_request *request)
{
	size_t count = array_size(list), known = 0;
	struct maui_acl_item *items = maui_calloc(count ? count : 1, sizeof(*items));
	struct maui_acl *acl = NULL;
	struct maui_error why = {""};
	int64_t admitted = 0;

	while (known < count && read_item(text_at(list, known), request, &items[known]))
		known++;
	if (known == count && !maui_acl_compile(items, count, &acl, &why))
		admitted = window_access_longest(acl, request);
	maui_acl_free(acl);
	free(items);
	return admitted;
}

static struct json_object *window_access_named(struct json_object *array, const char *name,
					       bool administrative)
{
	for (size_t i = 0; i < array_size(array); i++) {
		struct json_object *one = json_object_array_get_idx(array, i);

		if (!strcmp(member_text(one, "name"), name) &&
		    member_flag(one, "administrative") == administrative)
			return one;
	}
	return NULL;
}

/* Whether only those get in who ask for it. */
static bool is_by_name(struct json_object *standing)
{
	struct json_object *flags = member_array(standing, "flags");

	for (size_t i = 0; i < array_size(flags); i++)
		if (!strcmp(text_at(flags, i), "BYNAME"))
			return true;
	return false;
}

int64_t window_reservation_admits(const char *name, struct json_object *access,
				  const struct window_request *request)
{
	struct json_object *rows = member_array(access, "reservations");
	struct json_object *row = window_access_named(rows, name, false), *standing;

	if (!row)
		row = window_access_named(rows, name, true);
	if (!row || !member_flag(row, "ours") || !member_flag(row, "open"))
		return 0;
	standing =
		window_access_named(member_array(access, "standing"), member_text(row, "standing"),
				    member_flag(row, "administrative"));
	/* An incomplete list might end with a denial. */
	if (!standing || is_by_name(standing) || member_integer(standing, "acl_omitted"))
		return 0;
	if (request->all)
		return array_size(member_array(standing, "acl")) ? WINDOW_FOREVER : 0;
	return window_access_evaluate(member_array(standing, "acl"), request);
}
