/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses GRES items into name, type and count, and adds or subtracts the
 * members `gres` and `gres_used` of a node.
 */
#include "contribs/maui/queue/gres_list.h"

#include <stdio.h>
#include <string.h>

#include "common/util/list.h"
#include "contribs/maui/lib/output.h"

/* Up to the next comma that is in no parentheses: those have numbers of devices. */
static struct maui_item whole_item(const char **list)
{
	struct maui_item item = {*list, 0};
	bool inside = false;

	while (**list && (inside || **list != ',')) {
		inside = **list == '(' || (inside && **list != ')');
		(*list)++;
	}
	item.size = (size_t)(*list - item.text);
	*list += **list != '\0';
	return item;
}

/* "4", "4K"; false: it is a word. */
static bool read_count(struct maui_item text, int64_t *ret_count)
{
	uint64_t count;

	if (!maui_gres_count_parse(text.text, text.size, &count))
		return false;
	*ret_count = maui_gres_within(count);
	return true;
}

/* No more than a count may be. */
static int64_t sum_with(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) || sum > MAUI_GRES_MOST ? MAUI_GRES_MOST : sum;
}

static void read_item(struct maui_item text, struct gres_item *ret_item)
{
	char buffer[2 * MAUI_GRES_NAME_SIZE];
	const char *rest;
	struct maui_item part;

	*ret_item = (struct gres_item){.count = 1};
	text.size = strcspn(maui_item_copy(text, buffer, sizeof(buffer)), "(");
	buffer[text.size] = '\0';
	rest = !strncmp(buffer, "gres:", 5) ? buffer + 5 : buffer;
	if (maui_list_next(&rest, ":", &part))
		maui_item_copy(part, ret_item->name, sizeof(ret_item->name));
	while (maui_list_next(&rest, ":", &part))
		if (!read_count(part, &ret_item->count) && !maui_item_is(part, "no_consume"))
			snprintf(ret_item->typed, sizeof(ret_item->typed), "%s:%.*s",
				 ret_item->name, (int)part.size, part.text);
}

bool gres_next(const char **list, struct gres_item *ret_item)
{
	while (**list) {
		read_item(whole_item(list), ret_item);
		if (*ret_item->name)
			return true;
	}
	return false;
}

int64_t gres_count(const char *list, const char *name)
{
	struct gres_item item;
	int64_t sum = 0;

	while (gres_next(&list, &item))
		if (!strcmp(item.name, name) || !strcmp(item.typed, name))
			sum = sum_with(sum, item.count);
	return sum;
}

static struct gres_sum *sum_of(struct gres_sums *sums, const char *name)
{
	for (size_t i = 0; i < sums->count; i++)
		if (!strcmp(sums->gres[i].name, name))
			return &sums->gres[i];
	if (sums->count == MAUI_GRES_NAMES)
		return NULL;
	snprintf(sums->gres[sums->count].name, MAUI_GRES_NAME_SIZE, "%s", name);
	return &sums->gres[sums->count++];
}

static void gres_list_change(struct gres_sums *sums, struct json_object *node, int sign)
{
	const char *has = member_text(node, "gres"), *used = member_text(node, "gres_used");
	struct gres_item item;
	struct gres_sum *sum;

	while (gres_next(&has, &item))
		if ((sum = sum_of(sums, item.name)))
			sum->up = sum_with(sum->up, sign * item.count);
	while (gres_next(&used, &item))
		if ((sum = sum_of(sums, item.name)))
			sum->active = sum_with(sum->active, sign * item.count);
}

void gres_add_node(struct gres_sums *sums, struct json_object *node)
{
	gres_list_change(sums, node, 1);
}

void gres_take_node(struct gres_sums *sums, struct json_object *node)
{
	gres_list_change(sums, node, -1);
}
