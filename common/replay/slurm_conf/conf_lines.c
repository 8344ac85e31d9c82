/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Joins continued lines of slurm.conf with each character's place, splits
 * KEY=VALUE words, and reads Include files recursively.
 */
#include "common/replay/slurm_conf/conf_lines.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"
#include "common/util/text.h"

#define INCLUDE "include"

struct where {
	uint32_t line, column;
};

/* A line as a whole, without comments, and where each of its characters stood. */
struct whole {
	char *text; /* ends with NUL */
	struct where *where;
	size_t size, text_room, where_room;
};

struct splitting {
	const struct maui_conf_reader *reader;
	const char *file;
	unsigned int depth, *files; /* files: that have been included so far, by any */
	struct whole whole;
	struct maui_conf_word *words;
	size_t count, room;
};

/* ---- whole lines ---- */

static void conf_add(struct whole *whole, char c, uint32_t line, uint32_t column)
{
	whole->text = maui_grow(whole->text, whole->size + 1, &whole->text_room, 1);
	whole->where =
		maui_grow(whole->where, whole->size + 1, &whole->where_room, sizeof(*whole->where));
	whole->text[whole->size] = c;
	whole->where[whole->size++] = (struct where){line, column};
}

/* Without a comment, and the \ that continues it. */
static size_t conf_strip(const char *text, size_t size, bool *ret_continued)
{
	size_t end = 0, signs = 0;

	for (; end < size && (text[end] != '#' || signs % 2); end++)
		signs = text[end] == '\\' ? signs + 1 : 0;
	size = end;
	while (end && (maui_is_blank(text[end - 1]) || text[end - 1] == '\n'))
		end--;
	for (signs = 0; signs < end && text[end - 1 - signs] == '\\';)
		signs++;
	*ret_continued = signs % 2;
	return signs % 2 ? end - 1 : size;
}

/* From *text on, which moves behind it; *line, too. */
static void conf_join(struct whole *whole, const char **text, const char *end, uint32_t *line)
{
	bool continued = true;

	whole->size = 0;
	while (continued && *text < end) {
		const char *newline = memchr(*text, '\n', (size_t)(end - *text));
		const char *stop = newline ? newline : end;
		size_t size = conf_strip(*text, (size_t)(stop - *text), &continued);

		for (size_t i = 0; i < size; i++) {
			i += (*text)[i] == '\\' && i + 1 < size;
			conf_add(whole, (*text)[i] ? (*text)[i] : ' ', *line, (uint32_t)i + 1);
		}
		*text = newline ? newline + 1 : end;
		(*line)++;
	}
	conf_add(whole, '\0', *line, 1);
}

/* ---- words ---- */

static struct maui_conf_place place_of(const struct splitting *splitting, const char *at)
{
	struct where where = splitting->whole.where[at - splitting->whole.text];

	return (struct maui_conf_place){splitting->file, where.line, where.column};
}

static char *skip_blanks(char *at)
{
	while (maui_is_blank(*at))
		at++;
	return at;
}

static bool conf_complain(const struct splitting *splitting, const char *at, const char *text)
{
	struct maui_conf_place place = place_of(splitting, at);

	splitting->reader->complain(splitting->reader->context, &place, text);
	return false;
}

/* The end of a value, which is not empty; NULL: its quotes do not end. */
static char *value_end(char *value)
{
	char *quote = *value == '"' ? strchr(value + 1, '"') : NULL;

	if (*value == '"' && !quote)
		return NULL;
	if (quote && (!quote[1] || maui_is_blank(quote[1])))
		return quote + 1;
	while (*value && !maui_is_blank(*value))
		value++;
	return value;
}

/* The word at *at, which moves behind it. NULs are put behind key and value. False: there is none,
 * which is said. */
static bool split_word(const struct splitting *splitting, char **at, struct maui_conf_word *word)
{
	char *key = *at, *end = key, *sign, *value;
	bool quoted;

	while (maui_is_name(*end))
		end++;
	sign = skip_blanks(end);
	sign += end > key && *sign && strchr("+-*/", *sign) != NULL;
	if (end == key || *sign != '=')
		return conf_complain(splitting, key, "this is not KEY=VALUE");
	value = skip_blanks(sign + 1);
	if (*value == '=')
		return conf_complain(splitting, value, "a second =");
	if (!*value)
		return conf_complain(splitting, key, "there is no value");
	*at = value_end(value);
	if (!*at)
		return conf_complain(splitting, value, "this quote does not end");
	quoted = *value == '"' && *at - value > 1 && (*at)[-1] == '"';
	*word = (struct maui_conf_word){key, value + quoted, place_of(splitting, key),
					place_of(splitting, value + quoted)};
	*end = '\0';
	if (quoted)
		(*at)[-1] = '\0';
	if (**at)
		*(*at)++ = '\0';
	return true;
}

/* Words of the line that come before something wrong do not count. */
static void take_words(struct splitting *splitting, char *at)
{
	splitting->count = 0;
	while (*at) {
		splitting->words = maui_grow(splitting->words, splitting->count + 1,
					     &splitting->room, sizeof(*splitting->words));
		if (!split_word(splitting, &at, &splitting->words[splitting->count]))
			return;
		splitting->count++;
		at = skip_blanks(at);
	}
	splitting->reader->take(splitting->reader->context, splitting->words, splitting->count);
}

/* ---- files ---- */

static void read_file(const struct maui_conf_reader *reader, const char *path, const char *text,
		      size_t size, unsigned int depth, unsigned int *files);

static void conf_include(const struct splitting *splitting, char *name)
{
	const struct maui_conf_reader *reader = splitting->reader;
	struct maui_conf_place place = place_of(splitting, name);
	const char *path;
	char *text = NULL;
	size_t size;

	name[strcspn(name, " \t\r\v\f")] = '\0';
	if (splitting->depth + 1 == MAUI_CONF_DEPTH || ++*splitting->files > MAUI_CONF_FILES) {
		reader->complain(reader->context, &place, "too many files include each other");
		return;
	}
	if (reader->open(reader->context, &place, name, &path, &text, &size))
		read_file(reader, path, text, size, splitting->depth + 1, splitting->files);
	free(text);
}

static void take_whole(struct splitting *splitting)
{
	char *at = skip_blanks(splitting->whole.text);
	size_t word = strlen(INCLUDE);

	if (strncasecmp(at, INCLUDE, word) != 0 || !maui_is_blank(at[word]) ||
	    *skip_blanks(at + word) == '=')
		take_words(splitting, at);
	else if (*skip_blanks(at + word))
		conf_include(splitting, skip_blanks(at + word));
}

static void read_file(const struct maui_conf_reader *reader, const char *path, const char *text,
		      size_t size, unsigned int depth, unsigned int *files)
{
	struct splitting splitting = {
		.reader = reader, .file = path, .depth = depth, .files = files};
	const char *end = text + size;
	uint32_t line = 1;

	while (text < end) {
		conf_join(&splitting.whole, &text, end, &line);
		take_whole(&splitting);
	}
	free(splitting.whole.text);
	free(splitting.whole.where);
	free(splitting.words);
}

void maui_conf_read(const struct maui_conf_reader *reader, const char *path, const char *text,
		    size_t size)
{
	unsigned int files = 0;

	read_file(reader, maui_arena_text(reader->arena, path, strlen(path)), text, size, 0,
		  &files);
}
