/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds an item behind x= in a comment without allocation, compares two, and
 * splits the features of PREF.
 */
#include "common/util/extension.h"

#include <string.h>
#include <strings.h>

#define BLANKS  " \t\r\n"
#define FEATURE "FEATURE"

static bool is_blank(char c)
{
	return c && strchr(BLANKS, c);
}

/* Where the item that begins here ends: at ';', or at a blank outside parentheses. */
static size_t item_size(const char *text)
{
	size_t size = 0;
	int depth = 0;

	for (; text[size]; size++) {
		char c = text[size];

		if (c == '(')
			depth++;
		else if (c == ')' && depth)
			depth--;
		else if (!depth && (c == ';' || is_blank(c)))
			break;
	}
	return size;
}

static bool value_of(const char *item, size_t size, const char *key, struct maui_piece *ret_value)
{
	size_t length = strlen(key), end = size;

	if (size <= length || strncasecmp(item, key, length) != 0)
		return false;
	switch (item[length]) {
	case '(':
		if (item[size - 1] == ')')
			end = size - 1;
		break;
	case ':':
	case '=':
		break;
	default:
		return false;
	}
	*ret_value = (struct maui_piece){item + length + 1, end - length - 1};
	return true;
}

/* Just after the next "x=", or NULL if there is none. */
static const char *next_extension(const char *comment, const char *from)
{
	for (const char *at = from; (at = strpbrk(at, "xX")); at++)
		if (at[1] == '=' && (at == comment || is_blank(at[-1])))
			return at + 2;
	return NULL;
}

bool maui_extension_find(const char *comment, const char *key, struct maui_piece *ret_value)
{
	const char *at = comment;

	if (!comment)
		return false;
	while ((at = next_extension(comment, at)))
		for (;;) {
			size_t size = item_size(at);

			if (value_of(at, size, key, ret_value))
				return true;
			at += size;
			if (*at != ';')
				break;
			at++;
		}
	return false;
}

bool maui_extension_same(const char *one, const char *other, const char *key)
{
	struct maui_piece first, second;
	bool there = maui_extension_find(one, key, &first);

	if (there != maui_extension_find(other, key, &second))
		return false;
	return !there ||
	       (first.size == second.size && !memcmp(first.text, second.text, first.size));
}

static struct maui_piece without_prefix(struct maui_piece word)
{
	size_t prefix = strlen(FEATURE);

	if (word.size > prefix && !strncasecmp(word.text, FEATURE, prefix) &&
	    (word.text[prefix] == ':' || word.text[prefix] == '=')) {
		word.text += prefix + 1;
		word.size -= prefix + 1;
	}
	return word;
}

bool maui_extension_next_feature(struct maui_piece *rest, struct maui_piece *ret_name)
{
	while (rest->size) {
		struct maui_piece word = {rest->text, 0};

		while (word.size < rest->size && word.text[word.size] != ',' &&
		       !is_blank(word.text[word.size]))
			word.size++;
		rest->text += word.size;
		rest->size -= word.size;
		if (rest->size) { /* the comma, or a blank */
			rest->text++;
			rest->size--;
		}
		*ret_name = without_prefix(word);
		if (ret_name->size)
			return true;
	}
	return false;
}
