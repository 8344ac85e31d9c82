/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of words, flags and hosts; and limits, which are lists of two. */
#include "common/config/values.h"

#include <inttypes.h>
#include <string.h>

#include "common/util/nearest.h"
#include "common/util/text.h"

/* Whether a byte separates pieces. NUL does not, although strchr would find it. */
static bool is_delimiter(const struct maui_pieces *pieces, char c, int depth)
{
	return c && strchr(pieces->delimiters, c) && !(pieces->nesting && depth > 0);
}

bool maui_piece_next(struct maui_pieces *pieces, const char **ret_piece, size_t *ret_size)
{
	const char *start = pieces->at, *end;
	int depth = 0;

	while (is_delimiter(pieces, *start, 0))
		start++;
	for (end = start; *end && !is_delimiter(pieces, *end, depth); end++) {
		if (*end == '[')
			depth++;
		else if (*end == ']' && depth > 0)
			depth--;
	}
	pieces->at = end;
	*ret_piece = start;
	*ret_size = end - start;
	return end > start;
}

void maui_list_add(const struct maui_reading *reading, struct maui_list *list, const char *text,
		   size_t size)
{
	if (list->count == list->room) {
		size_t room = list->room ? list->room * 2 : 4;
		const char **items = maui_arena_alloc(reading->arena, room, sizeof(*items));

		if (list->count)
			memcpy(items, list->items, list->count * sizeof(*items));
		list->items = items;
		list->room = room;
	}
	list->items[list->count++] = maui_arena_text(reading->arena, text, size);
}

/* A list that lost all its items is not a value. */
static bool keep_list(const struct maui_reading *reading, const struct maui_list *list,
		      struct maui_value *value)
{
	if (!list->count) {
		maui_problem_add(reading->problems, MAUI_WARNING, reading->origin,
				 "%s: the list is empty; the line has no effect",
				 reading->key->name);
		return false;
	}
	value->list = list->items;
	value->list_size = list->count;
	return true;
}

static bool values_list_split(const struct maui_reading *reading, const char *text,
			      const char *delimiters, bool nesting, struct maui_value *value)
{
	struct maui_pieces pieces = {.at = text, .delimiters = delimiters, .nesting = nesting};
	struct maui_list list = {0};
	const char *piece;
	size_t size;

	while (maui_piece_next(&pieces, &piece, &size))
		maui_list_add(reading, &list, piece, size);
	return keep_list(reading, &list, value);
}

bool maui_read_list(const struct maui_reading *reading, const char *text, struct maui_value *value)
{
	return values_list_split(reading, text, reading->key->delimiters, false, value);
}

/* D-RSV-16: a comma inside brackets is part of the item. */
bool maui_read_hostlist(const struct maui_reading *reading, const char *text,
			struct maui_value *value)
{
	return values_list_split(reading, text, ",", true, value);
}

/* The index of a flag; -1 with a warning if there is no such flag. */
static int find_flag(const struct maui_reading *reading, const char *text, const char *piece,
		     size_t size)
{
	const char *const *flags = reading->key->keywords;
	char shown[MAUI_EXCERPT_SIZE];
	const char *nearest;

	for (int i = 0; flags[i]; i++)
		if (maui_equals(piece, size, flags[i]))
			return i;
	nearest = maui_nearest_of(piece, size, flags);
	maui_problem_add(reading->problems, MAUI_WARNING, maui_reading_at(reading, piece - text),
			 "%s: there is no flag '%s'%s%s; it is ignored", reading->key->name,
			 maui_excerpt(piece, size, shown), nearest ? "; the nearest is " : "",
			 nearest ? nearest : "");
	return -1;
}

bool maui_read_flags(const struct maui_reading *reading, const char *text, struct maui_value *value)
{
	struct maui_pieces pieces = {.at = text, .delimiters = ",:|[] "};
	struct maui_list list = {0};
	const char *piece;
	size_t size;

	while (maui_piece_next(&pieces, &piece, &size)) {
		int flag = find_flag(reading, text, piece, size);
		const char *name = flag < 0 ? NULL : reading->key->keywords[flag];

		if (flag < 0 || value->integer & INT64_C(1) << flag)
			continue;
		value->integer |= INT64_C(1) << flag;
		maui_list_add(reading, &list, name, strlen(name));
	}
	return keep_list(reading, &list, value);
}

/* One side of a limit: any negative number is -1, unlimited. */
static bool read_side(const struct maui_reading *reading, const char *text, int64_t *ret_side,
		      const char **ret_rest)
{
	int64_t number;
	bool read;

	switch (reading->key->kind) {
	case MAUI_KIND_TIME_LIMIT:
		read = maui_read_seconds(reading, text, &number, ret_rest);
		break;
	case MAUI_KIND_MEMORY_LIMIT:
		read = maui_read_megabytes(reading, text, &number, ret_rest);
		break;
	default:
		read = reading->key->gres ? maui_read_units(reading, text, &number, ret_rest)
					  : maui_read_integer(reading, text, &number, ret_rest);
		break;
	}
	if (!read || !maui_check_range(reading, text, number))
		return false;
	if (reading->key->kind == MAUI_KIND_TIME_LIMIT && number >= MAUI_INFINITY)
		number = -1;
	*ret_side = number < 0 ? -1 : number;
	return true;
}

/*
 * Chapter 6.2.4: a soft limit that is missing or less strict than the hard one equals the hard one.
 */
static void repair_limit(const struct maui_reading *reading, struct maui_value *value)
{
	int64_t soft = value->limit.soft, hard = value->limit.hard;

	if (hard == 0 && soft != 0)
		maui_problem_add(reading->problems, MAUI_WARNING, reading->origin,
				 "%s: a hard limit of 0 is no limit, and neither is the soft one",
				 reading->key->name);
	else if (soft != 0 && hard > 0 && (soft < 0 || soft > hard))
		maui_problem_add(reading->problems, MAUI_WARNING, reading->origin,
				 "%s: the soft limit is above the hard limit of %" PRId64
				 ", which holds for both",
				 reading->key->name, hard);
	if (soft == 0 || hard == 0 || (hard > 0 && (soft < 0 || soft > hard)))
		value->limit.soft = hard;
}

bool maui_read_limit(const struct maui_reading *reading, const char *text, struct maui_value *value)
{
	int64_t first, second;
	const char *rest = text;

	if (!read_side(reading, text, &first, &rest))
		return false;
	value->limit.soft = value->limit.hard = first;
	if (*rest == ',') {
		const char *start = rest + 1;
		struct maui_reading side = *reading;

		/* "3,MAXPROC=5": the second is not a number, the first holds. */
		if (!*start || !strchr("+-0123456789iI", *start)) {
			maui_warn_of_rest(reading, text, rest);
			return true;
		}
		side.origin = maui_reading_at(reading, start - text);
		if (!read_side(&side, start, &second, &rest))
			return false;
		value->limit.hard = second;
		repair_limit(reading, value);
	}
	maui_warn_of_rest(reading, text, rest);
	return true;
}
