/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads logical lines byte by byte into a struct maui_line, whose segments map
 * each offset to the line and column in the file.
 */
#include "common/config/text/lexer.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/search.h"
#include "common/util/text.h"

bool maui_text_check(const char *file, const char *text, size_t size,
		     struct maui_problems *problems)
{
	struct maui_origin origin = {.file = file, .line = 1, .column = 1};

	for (size_t i = 0; i < size; i++, origin.column++) {
		unsigned char c = text[i];

		if (c == '\n') {
			origin.line++;
			origin.column = 0;
		} else if ((c < ' ' && !maui_is_blank(c)) || c == 0x7f) {
			maui_problem_add(problems, MAUI_ERROR, origin,
					 "the byte 0x%02x does not belong in a text file: nothing "
					 "of this file is read",
					 c);
			return false;
		}
	}
	return true;
}

void maui_lexer_begin(struct maui_lexer *lexer, const char *file, const char *text, size_t size,
		      struct maui_problems *problems)
{
	static const char byte_order_mark[] = "\xef\xbb\xbf";

	*lexer = (struct maui_lexer){
		.file = file, .text = text, .size = size, .line_number = 1, .problems = problems};
	if (size >= 3 && !memcmp(text, byte_order_mark, 3))
		lexer->at = lexer->line_start = 3;
}

void maui_lexer_end(struct maui_lexer *lexer)
{
	free(lexer->line.text);
	free(lexer->line.segments);
	free(lexer->includes);
	*lexer = (struct maui_lexer){0};
}

static void lexer_push(struct maui_lexer *lexer, char c)
{
	struct maui_line *line = &lexer->line;

	if (line->size >= MAUI_LINE_LIMIT) {
		line->too_long = true;
		return;
	}
	line->text = maui_grow(line->text, line->size + 1, &line->room, 1);
	line->text[line->size++] = c;
}

static void begin_segment(struct maui_lexer *lexer)
{
	struct maui_line *line = &lexer->line;

	if (line->too_long) /* it is not used, so it needs no more origins */
		return;
	line->segments = maui_grow(line->segments, line->segment_count + 1, &line->segment_room,
				   sizeof(*line->segments));
	line->segments[line->segment_count++] =
		(struct maui_segment){.offset = line->size,
				      .line = lexer->line_number,
				      .column = lexer->at - lexer->line_start + 1};
}

/* The origin of a byte of the text on the current physical line. */
static struct maui_origin lexer_place(const struct maui_lexer *lexer, size_t at)
{
	return (struct maui_origin){.file = lexer->file,
				    .line = lexer->line_number,
				    .column = at - lexer->line_start + 1};
}

/* The first byte from the offset on, before the end of the line, that is not a blank. */
static size_t skip_blanks(const struct maui_lexer *lexer, size_t at)
{
	while (at < lexer->size && lexer->text[at] != '\n' && maui_is_blank(lexer->text[at]))
		at++;
	return at;
}

static size_t line_end(const struct maui_lexer *lexer, size_t at)
{
	const char *end = memchr(lexer->text + at, '\n', lexer->size - at);

	return end ? (size_t)(end - lexer->text) : lexer->size;
}

static void add_include(struct maui_lexer *lexer, size_t start, size_t at, size_t end)
{
	size_t from = skip_blanks(lexer, at), to = from, next;
	char quote = from < end ? lexer->text[from] : '\0';
	const char *path;

	if (quote == '"' || quote == '\'') {
		for (to = ++from; to < end && lexer->text[to] != quote; to++)
			;
		next = to < end ? to + 1 : to;
	} else {
		while (to < end && !maui_is_blank(lexer->text[to]))
			to++;
		next = to;
	}
	if (to == from) {
		maui_problem_add(lexer->problems, MAUI_ERROR, lexer_place(lexer, start),
				 "#INCLUDE names no file");
		return;
	}
	next = skip_blanks(lexer, next);
	if (next < end && lexer->text[next] != '#')
		maui_problem_add(lexer->problems, MAUI_WARNING, lexer_place(lexer, next),
				 "what follows the name of the file to include is ignored");
	path = maui_arena_text(lexer->problems->arena, lexer->text + from, to - from);
	lexer->includes = maui_grow(lexer->includes, lexer->include_count + 1, &lexer->include_room,
				    sizeof(*lexer->includes));
	lexer->includes[lexer->include_count++] =
		(struct maui_include){.path = path, .origin = lexer_place(lexer, start)};
}

/* At '#': skip the comment up to the end of the line, unless it is an #INCLUDE. */
static void read_comment(struct maui_lexer *lexer)
{
	static const char word[] = "INCLUDE";
	const size_t length = sizeof(word) - 1;
	size_t start = lexer->at, end = line_end(lexer, start), behind = start + 1 + length;

	lexer->at = end;
	if (behind <= end && maui_equals(lexer->text + start + 1, length, word) &&
	    (behind == end || maui_is_blank(lexer->text[behind]))) {
		if (!memcmp(lexer->text + start + 1, word, length)) {
			add_include(lexer, start, behind, end);
			return;
		}
		maui_problem_add(lexer->problems, MAUI_WARNING, lexer_place(lexer, start),
				 "this is a comment: only #INCLUDE in upper case includes a file");
	}
	lexer->line.has_comment = true;
}

static void next_physical_line(struct maui_lexer *lexer)
{
	if (lexer->at < lexer->size)
		lexer->at++;
	lexer->line_start = lexer->at;
	lexer->line_number++;
}

/* At a backslash: skip it. Returns whether it continues the line. */
static bool read_backslash(struct maui_lexer *lexer)
{
	size_t start = lexer->at++, behind = skip_blanks(lexer, lexer->at);

	if (behind == lexer->size || lexer->text[behind] == '\n') {
		lexer_push(lexer, ' ');
		lexer->at = behind;
		return true;
	}
	if (lexer->text[behind] == '#') {
		lexer_push(lexer, ' ');
		if (behind > start + 1)
			return true; /* a comment after it does not matter */
		maui_problem_add(lexer->problems, MAUI_WARNING, lexer_place(lexer, behind),
				 "'#' begins a comment: a backslash does not change that");
		return false;
	}
	if (behind > start + 1) {
		lexer_push(lexer, ' ');
		return false;
	}
	maui_problem_add(lexer->problems, MAUI_WARNING, lexer_place(lexer, start),
			 "this backslash is read as it stands; the original reads it as a blank");
	lexer_push(lexer, '\\');
	return false;
}

bool maui_lexer_next(struct maui_lexer *lexer)
{
	struct maui_line *line = &lexer->line;
	bool continued = false;

	if (lexer->at >= lexer->size)
		return false;
	line->size = line->segment_count = 0;
	line->too_long = line->has_comment = false;
	begin_segment(lexer);
	while (lexer->at < lexer->size) {
		char c = lexer->text[lexer->at];

		if (c == '\n') {
			next_physical_line(lexer);
			if (!continued)
				break;
			continued = false;
			begin_segment(lexer);
		} else if (c == '#') {
			read_comment(lexer);
		} else if (c == '\\') {
			/* "\ # ..." stays continued: only the comment follows. */
			continued = read_backslash(lexer);
		} else {
			lexer_push(lexer, c);
			lexer->at++;
		}
	}
	line->text = maui_grow(line->text, line->size + 1, &line->room, 1);
	line->text[line->size] = '\0';
	return true;
}

static int by_offset(const void *key, const void *element)
{
	size_t a = *(const size_t *)key, b = ((const struct maui_segment *)element)->offset;

	return a < b ? -1 : a > b;
}

struct maui_origin maui_lexer_origin(const struct maui_lexer *lexer, size_t offset)
{
	const struct maui_line *line = &lexer->line;
	size_t next = offset + 1;
	size_t behind = maui_lower_bound(&next, line->segments, line->segment_count,
					 sizeof(*line->segments), by_offset);
	/* The last one that begins at or before the offset. */
	const struct maui_segment *segment = &line->segments[behind ? behind - 1 : 0];

	return (struct maui_origin){.file = lexer->file,
				    .line = segment->line,
				    .column = segment->column + (offset - segment->offset)};
}
