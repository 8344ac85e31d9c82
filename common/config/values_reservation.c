/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Specific to standing reservations: days, dates, access lists, resources, an owner, triggers.
 * Chapter 7.1.5.
 */
#include "common/config/text/words.h"
#include "common/config/values.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/util/time/date.h"
#include "common/util/text.h"

#define ALL_DAYS 255 /* the original's mask of every day */

/* The days in a word, by substring as in the original: "Monday" is Mon. */
static int find_days(const char *word, size_t size)
{
	static const char *const names[] = {"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"};
	int mask = 0;

	for (size_t at = 0; at + 3 <= size; at++) {
		for (int day = 0; day < 7; day++)
			if (maui_equals(word + at, 3, names[day]))
				mask |= 1 << day;
		if (maui_equals(word + at, 3, "ALL"))
			return ALL_DAYS;
	}
	return mask;
}

bool maui_read_days(const struct maui_reading *reading, const char *text, struct maui_value *value)
{
	struct maui_pieces pieces = {.at = text, .delimiters = ",:|;+[] "};
	char shown[MAUI_EXCERPT_SIZE];
	struct maui_list list = {0};
	const char *piece;
	size_t size;

	while (maui_piece_next(&pieces, &piece, &size)) {
		int days = find_days(piece, size);

		if (!days)
			maui_problem_add(reading->problems, MAUI_WARNING,
					 maui_reading_at(reading, piece - text),
					 "%s: '%s' is not a day; it is ignored", reading->key->name,
					 maui_excerpt(piece, size, shown));
		else if (days != ALL_DAYS && memchr(piece, '-', size))
			maui_problem_add(
				reading->problems, MAUI_WARNING,
				maui_reading_at(reading, piece - text),
				"%s: '%s' is not a range; only the days that are named count",
				reading->key->name, maui_excerpt(piece, size, shown));
		value->integer |= days;
		if (days)
			maui_list_add(reading, &list, piece, size);
	}
	if (!value->integer) {
		maui_problem_add(reading->problems, MAUI_ERROR, reading->origin,
				 "%s: no day is named", reading->key->name);
		return false;
	}
	value->list = list.items;
	value->list_size = list.count;
	return true;
}

/* Skips the marks before a name: [cmp][!][^][*]. */
static const char *skip_marks(const char *at, const char *end)
{
	while (at < end && strchr("<>=", *at))
		at++;
	while (at < end && strchr("!^*", *at))
		at++;
	return at;
}

/* Whether an item of an access list is what its kind requires; if not, a problem says so. */
static bool check_acl_item(const struct maui_reading *reading, const char *text, const char *piece,
			   size_t size)
{
	struct maui_reading item = *reading;
	const char *end = piece + size, *start = skip_marks(piece, end), *rest;
	char shown[MAUI_EXCERPT_SIZE];
	int64_t number;
	bool read;

	if (start == end) {
		maui_problem_add(reading->problems, MAUI_ERROR,
				 maui_reading_at(reading, piece - text), "%s: '%s' names nobody",
				 reading->key->name, maui_excerpt(piece, size, shown));
		return false;
	}
	if (reading->key->kind == MAUI_KIND_ACL)
		return true;
	item.origin = maui_reading_at(reading, start - text);
	if (reading->key->kind == MAUI_KIND_TIME_ACL)
		read = maui_read_seconds(&item, start, &number, &rest);
	else
		read = maui_read_integer(&item, start, &number, &rest);
	if (!read)
		return false;
	if (rest < end && strchr("+-=*!^", *rest))
		rest++;
	if (rest < end)
		maui_problem_add(reading->problems, MAUI_WARNING,
				 maui_reading_at(reading, rest - text),
				 "%s: what follows the number in '%s' is ignored",
				 reading->key->name, maui_excerpt(piece, size, shown));
	return true;
}

/* Store an item, preceded by the comparison that replaced '=': PROCLIMIT<=4 is "<=4". */
static void add_acl_item(const struct maui_reading *reading, struct maui_list *list,
			 const char *piece, size_t size)
{
	char *item;
	size_t length = strlen(reading->operation);

	if (!strcmp(reading->operation, "=")) {
		maui_list_add(reading, list, piece, size);
		return;
	}
	item = maui_arena_alloc(reading->arena, 1, length + size + 1);
	memcpy(item, reading->operation, length);
	memcpy(item + length, piece, size);
	maui_list_add(reading, list, item, length + size);
}

/* The item with the blanks that were in quotes, but for those at its ends. */
static const char *quoted_item(const struct maui_reading *reading, const char *piece, size_t *size)
{
	char *item, *at;

	if (!memchr(piece, MAUI_QUOTED_BLANK, *size))
		return piece;
	for (; *size && piece[*size - 1] == MAUI_QUOTED_BLANK; --*size)
		;
	for (; *size && *piece == MAUI_QUOTED_BLANK; --*size)
		piece++;
	item = maui_arena_text(reading->arena, piece, *size);
	for (at = item; (at = strchr(at, MAUI_QUOTED_BLANK));)
		*at = ' ';
	return item;
}

bool maui_read_acl(const struct maui_reading *reading, const char *text, struct maui_value *value)
{
	/* A time contains colons itself. */
	struct maui_pieces pieces = {
		.at = text,
		.delimiters = reading->key->kind == MAUI_KIND_TIME_ACL ? ",| " : ",|: "};
	struct maui_list list = {0};
	const char *piece;
	bool wrong = false; /* a list that lacks an item may admit jobs that the whole would not */
	size_t size;

	while (maui_piece_next(&pieces, &piece, &size)) {
		const char *item;

		if (!check_acl_item(reading, text, piece, size)) {
			wrong = true;
			continue;
		}
		item = quoted_item(reading, piece, &size);
		add_acl_item(reading, &list, item, size);
	}
	if (wrong)
		return false;
	value->list = list.items;
	value->list_size = list.count;
	if (!list.count)
		maui_problem_add(reading->problems, MAUI_ERROR, reading->origin,
				 "%s: the list is empty", reading->key->name);
	return list.count > 0;
}

/* Without a count, one. The last count behind a name is how many, as in Slurm: 2, 300G. False:
 * with a problem. */
static bool read_gres(const struct maui_reading *reading, const char *text, const char *piece,
		      size_t size, struct maui_list *list)
{
	const char *name = piece + strlen("GRES=");
	size_t length = size > strlen("GRES=") ? size - strlen("GRES=") : 0;
	const char *colon = memrchr(name, ':', length);
	char shown[MAUI_EXCERPT_SIZE], item[MAUI_GRES_NAME_SIZE + 32];
	uint64_t count = 1;

	if (colon && maui_gres_count_parse(colon + 1, length - (size_t)(colon + 1 - name), &count))
		length = (size_t)(colon - name);
	if (!maui_gres_is_name(name, length) || !count || count >= MAUI_GRES_MOST ||
	    (length > strlen("license:") && !memcmp(name, "license:", strlen("license:")))) {
		maui_problem_add(reading->problems, MAUI_ERROR,
				 maui_reading_at(reading, piece - text),
				 "%s: '%s' is not a GRES of nodes with a number, as in GRES=gpu:2 "
				 "or GRES=gpu:a100:2",
				 reading->key->name, maui_excerpt(piece, size, shown));
		return false;
	}
	snprintf(item, sizeof(item), "GRES:%.*s:%" PRIu64, (int)length, name, count);
	maui_list_add(reading, list, item, strlen(item));
	return true;
}

static bool is_gres(const char *item)
{
	return !strncmp(item, "GRES:", strlen("GRES:"));
}

/* Whether there are not too many GRES, and none of them twice. */
static bool check_gres(const struct maui_reading *reading, const struct maui_list *list)
{
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (!is_gres(list->items[i]))
			continue;
		if (++count > MAUI_RESOURCES_GRES) {
			maui_problem_add(reading->problems, MAUI_ERROR, reading->origin,
					 "%s: more than %u GRES are named", reading->key->name,
					 MAUI_RESOURCES_GRES);
			return false;
		}
		for (size_t k = 0; k < i; k++) {
			size_t size = (size_t)(strrchr(list->items[i], ':') - list->items[i]) + 1;

			if (strncmp(list->items[k], list->items[i], size) != 0 ||
			    strrchr(list->items[k], ':') != list->items[k] + size - 1)
				continue;
			maui_problem_add(reading->problems, MAUI_ERROR, reading->origin,
					 "%s: %.*s is named twice", reading->key->name,
					 (int)(size - 1 - strlen("GRES:")),
					 list->items[i] + strlen("GRES:"));
			return false;
		}
	}
	return true;
}

/* Besides GRES. */
static const struct {
	const char *name, *proper;
} resources[] = {
	{"PROCS", "PROCS"}, {"PROC", "PROCS"}, {"MEM", "MEM"}, {"DISK", "DISK"}, {"SWAP", "SWAP"}};

/*
 * One NAME:n or NAME=n, in its canonical form "PROCS:4"; memory in MB, -1 for all. False: with
 * a problem.
 */
static bool read_resource(const struct maui_reading *reading, const char *text, const char *piece,
			  size_t size, struct maui_list *list)
{
	struct maui_reading amount = *reading;
	const char *proper = NULL, *number, *rest;
	char shown[MAUI_EXCERPT_SIZE], item[64];
	size_t length = 0;
	int64_t count = -1;
	bool read = true;

	while (length < size && piece[length] != ':' && piece[length] != '=')
		length++;
	if (maui_equals(piece, length, "GRES") && length < size)
		return read_gres(reading, text, piece, size, list);
	for (size_t i = 0; i < sizeof(resources) / sizeof(resources[0]); i++)
		if (maui_equals(piece, length, resources[i].name))
			proper = resources[i].proper;
	if (!proper || length == size) {
		maui_problem_add(reading->problems, MAUI_ERROR,
				 maui_reading_at(reading, piece - text),
				 "%s: '%s' is not PROCS, MEM, DISK, SWAP or GRES with a number",
				 reading->key->name, maui_excerpt(piece, size, shown));
		return false;
	}
	number = piece + length + 1;
	rest = piece + size;
	amount.origin = maui_reading_at(reading, number - text);
	if (!maui_equals(number, rest - number, "ALL"))
		read = strcmp(proper, "PROCS") ? maui_read_megabytes(&amount, number, &count, &rest)
					       : maui_read_integer(&amount, number, &count, &rest);
	if (!read)
		return false;
	if (rest < piece + size)
		maui_problem_add(reading->problems, MAUI_WARNING,
				 maui_reading_at(reading, rest - text),
				 "%s: what follows the number in '%s' is ignored",
				 reading->key->name, maui_excerpt(piece, size, shown));
	snprintf(item, sizeof(item), "%s:%" PRId64, proper, count < 0 ? -1 : count);
	maui_list_add(reading, list, item, strlen(item));
	return true;
}

/* Whether a resource with its number begins here. */
static bool begins_resource(const char *text, const char *end)
{
	size_t size = 0;
	bool found;

	while (text + size < end && text[size] != ':' && text[size] != '=')
		size++;
	found = maui_equals(text, size, "GRES");
	for (size_t i = 0; i < sizeof(resources) / sizeof(resources[0]); i++)
		found = found || maui_equals(text, size, resources[i].name);
	return found && text + size < end;
}

/* Whether a text ends with ':' and a number. */
static bool ends_with_number(const char *text, size_t size)
{
	size_t start = size;

	while (start && maui_is_digit(text[start - 1]))
		start--;
	return start && start < size && text[start - 1] == ':';
}

/*
 * Whether a + or ; behind a GRES separates: gpu:1g.10gb+me:2 has one in its name. A number is before
 * it, or behind it nothing or another resource.
 */
static bool values_reservation_separates(const char *gres, const char *at, const char *end)
{
	return at + 1 == end || strchr("+;", at[1]) || begins_resource(at + 1, end) ||
	       ends_with_number(gres, (size_t)(at - gres));
}

/* Up to a + or ; that separates. */
static size_t resource_size(const char *piece, size_t size)
{
	size_t name = strcspn(piece, ":=");
	bool gres = name < size && maui_equals(piece, name, "GRES");

	for (size_t i = 0; i < size; i++)
		if (strchr("+;", piece[i]) &&
		    (!gres ||
		     values_reservation_separates(piece + name + 1, piece + i, piece + size)))
			return i;
	return size;
}

/* Resources that + or ; separates. False: with a problem. */
static bool read_resources(const struct maui_reading *reading, const char *text, const char *piece,
			   size_t size, struct maui_list *list)
{
	bool wrong = false;

	for (const char *end = piece + size; piece < end; piece++) {
		size_t part = resource_size(piece, (size_t)(end - piece));

		wrong |= part && !read_resource(reading, text, piece, part, list);
		piece += part;
	}
	return !wrong;
}

bool maui_read_resources(const struct maui_reading *reading, const char *text,
			 struct maui_value *value)
{
	struct maui_pieces pieces = {.at = text, .delimiters = ", "};
	struct maui_list list = {0};
	const char *piece;
	bool wrong = false;
	size_t size;

	while (maui_piece_next(&pieces, &piece, &size))
		wrong |= !read_resources(reading, text, piece, size, &list);
	if (wrong || !check_gres(reading, &list))
		return false;
	value->list = list.items;
	value->list_size = list.count;
	if (!list.count)
		maui_problem_add(reading->problems, MAUI_ERROR, reading->origin,
				 "%s: no resource is named", reading->key->name);
	return list.count > 0;
}

enum maui_credential maui_credential_find(const char *name, size_t size)
{
	static const struct {
		const char *name;
		enum maui_credential type;
	} names[] = {{"USER", MAUI_USER},    {"GROUP", MAUI_GROUP}, {"ACCOUNT", MAUI_ACCOUNT},
		     {"ACCT", MAUI_ACCOUNT}, {"QOS", MAUI_QOS},     {"CLASS", MAUI_CLASS}};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (maui_equals(name, size, names[i].name))
			return names[i].type;
	return MAUI_CREDENTIALS;
}

bool maui_read_owner(const struct maui_reading *reading, const char *text, struct maui_value *value)
{
	size_t size = strcspn(text, ":");
	enum maui_credential type = maui_credential_find(text, size);
	char shown[MAUI_EXCERPT_SIZE];

	if (type == MAUI_CREDENTIALS || text[size] != ':' || !text[size + 1]) {
		maui_problem_add(
			reading->problems, MAUI_ERROR, reading->origin,
			"%s: '%s' is not USER, GROUP, ACCOUNT, QOS or CLASS with ':' and a "
			"name",
			reading->key->name, maui_excerpt(text, strlen(text), shown));
		return false;
	}
	value->dimension = type;
	value->dimension_name = text + size + 1;
	return true;
}

static bool begins_with_any(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (maui_begins(text, *words))
			return true;
	return false;
}

/*
 * D-RSV-22: <etype>[+offset][@threshold];<atype>[@data], or ':' before the action. Only the outline
 * is checked.
 */
bool maui_read_trigger(const struct maui_reading *reading, const char *text,
		       struct maui_value *value)
{
	static const char *const events[] = {"create", "start", "end", "minload", NULL};
	static const char *const actions[] = {"cancel", "exec", "submit", NULL};
	const char *action = strchr(text, ';');

	for (const char *at = text; !action && (at = strchr(at, ':')); at++)
		if (begins_with_any(at + 1, actions))
			action = at;
	if (begins_with_any(text, events) && action && begins_with_any(action + 1, actions))
		return true;
	maui_problem_add(reading->problems, MAUI_ERROR, reading->origin,
			 "%s: write create, start, end or minload, then ';' and cancel, exec or "
			 "submit",
			 reading->key->name);
	return false;
}

bool maui_read_date(const struct maui_reading *reading, const char *text, struct maui_value *value)
{
	struct maui_error why = {""};
	struct maui_date date;

	if (maui_date_parse(text, &date, &why)) {
		maui_problem_add(reading->problems, MAUI_ERROR, reading->origin, "%s: %s",
				 reading->key->name, why.text);
		return false;
	}
	value->integer = maui_date_end(&date);
	return true;
}
