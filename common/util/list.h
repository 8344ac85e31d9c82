/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists in a text: "a,b,c". An item may be empty: "a,,b" has three; "a," has one, "" and NULL have
 * none. Nothing is copied or changed: an item is a part of the list's text.
 */
#ifndef MAUI_UTIL_LIST_H
#define MAUI_UTIL_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct maui_item {
	const char *text; /* not NUL-terminated */
	size_t size;
};

/*
 * The next item of *list, up to any of the separators; advances *list past it. False if there is
 * none.
 */
static inline bool maui_list_next(const char **list, const char *separators, struct maui_item *item)
{
	if (!*list || !**list)
		return false;
	*item = (struct maui_item){*list, strcspn(*list, separators)};
	*list += item->size;
	*list += **list != '\0';
	return true;
}

static inline bool maui_item_is(struct maui_item item, const char *word)
{
	return strlen(word) == item.size && !memcmp(item.text, word, item.size);
}

/* The item with a NUL after it, truncated to fit. Returns buffer. */
static inline const char *maui_item_copy(struct maui_item item, char *buffer, size_t room)
{
	snprintf(buffer, room, "%.*s", (int)item.size, item.text);
	return buffer;
}

/* Whether a word is one of the comma-separated items. */
static inline bool maui_list_has(const char *list, const char *word)
{
	struct maui_item item;

	while (maui_list_next(&list, ",", &item))
		if (maui_item_is(item, word))
			return true;
	return false;
}

/*
 * The text after key= (in any case) in "a=1,key=value"; the first match counts. False if there is
 * none.
 */
static inline bool maui_list_value(const char *list, const char *key, struct maui_item *value)
{
	size_t size = strlen(key);
	struct maui_item item;

	while (maui_list_next(&list, ",", &item))
		if (item.size > size && !strncasecmp(item.text, key, size) &&
		    item.text[size] == '=') {
			*value = (struct maui_item){item.text + size + 1, item.size - size - 1};
			return true;
		}
	return false;
}

/* Append an item to the list in a buffer of room bytes, truncated to fit. */
static inline void maui_list_add(char *list, size_t room, const char *between, const char *item)
{
	size_t used = strlen(list);

	snprintf(list + used, room - used, "%s%s", used ? between : "", item);
}

#endif
