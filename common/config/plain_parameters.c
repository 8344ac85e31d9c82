/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plain parameters: NAME VALUE, NAME[partition] VALUE; and those of Maui 3.0 that are attributes
 * now.
 */
#include <string.h>

#include "common/config/keys/unknown.h"
#include "common/config/oldlimits.h"
#include "common/config/parser.h"
#include "common/util/text.h"

/* A parameter's line. */
struct line {
	struct maui_parser *parser;
	const char *name; /* as written, in the arena */
	size_t name_at;   /* offsets in the line */
	struct maui_span index, value;
	bool has_index;
	unsigned int gres; /* of GRESWEIGHT[gpu]; 0: none */
	const char *gres_name;
};

static const char *line_text(const struct line *line)
{
	return line->parser->lexer.line.text;
}

static const char *plain_parameters_excerpt(const struct line *line, struct maui_span span,
					    char buffer[MAUI_EXCERPT_SIZE])
{
	return maui_excerpt(line_text(line) + span.start, maui_span_size(span), buffer);
}

/* The words of the value without quotes, joined by ','. */
static const char *join_words(const struct line *line)
{
	char *text =
		maui_arena_alloc(line->parser->config->arena, 1, maui_span_size(line->value) + 1);
	size_t at = line->value.start, used = 0;
	struct maui_word word;

	while (maui_word_next(line_text(line), line->value.end, at, &word)) {
		if (used)
			text[used++] = ',';
		used += maui_unquote(line_text(line) + word.all.start, maui_span_size(word.all),
				     text + used);
		at = word.all.end;
	}
	return text;
}

/* The value's first word without quotes, with a warning about any more. */
static const char *first_word(const struct line *line)
{
	char shown[MAUI_EXCERPT_SIZE], *text;
	struct maui_word word = {.all = line->value};
	struct maui_span rest;

	maui_word_next(line_text(line), line->value.end, line->value.start, &word);
	rest = maui_span_trim(line_text(line), (struct maui_span){word.all.end, line->value.end});
	if (maui_span_size(rest))
		maui_line_problem(line->parser, MAUI_WARNING, rest.start,
				  "%s takes one value; '%s' is ignored", line->name,
				  plain_parameters_excerpt(line, rest, shown));
	text = maui_arena_alloc(line->parser->config->arena, 1, maui_span_size(word.all) + 1);
	maui_unquote(line_text(line) + word.all.start, maui_span_size(word.all), text);
	return text;
}

/* The value's text for a key. */
static const char *value_text(const struct line *line, const struct maui_key_info *key)
{
	if (key->area == MAUI_AREA_SLURM) /* not ours: kept as it is */
		return maui_arena_text(line->parser->config->arena,
				       line_text(line) + line->value.start,
				       maui_span_size(line->value));
	return maui_kind_is_list(key->kind) ? join_words(line) : first_word(line);
}

static bool check_quotes(const struct line *line)
{
	const struct maui_line *whole = &line->parser->lexer.line;
	struct maui_word word;

	for (size_t at = line->value.start; maui_word_next(whole->text, whole->size, at, &word);
	     at = word.all.end) {
		if (!word.unclosed)
			continue;
		maui_line_problem(
			line->parser, MAUI_ERROR, word.quote, "this quote is not closed%s",
			whole->has_comment ? " (a '#' begins a comment inside quotes, too)" : "");
		return false;
	}
	return true;
}

/* SIM*: one key for all names that begin this way. */
static bool is_family(const struct maui_key_info *key)
{
	return strchr(key->name, '*');
}

/* Read the value of an object's key, and store it. */
static void plain_parameters_store(const struct line *line, enum maui_section section,
				   const char *name, size_t size, const struct maui_key_info *key,
				   const char *text)
{
	struct maui_parser *parser = line->parser;
	struct maui_origin origin = maui_lexer_origin(&parser->lexer, line->name_at);
	struct maui_reading reading = {.arena = parser->config->arena,
				       .problems = &parser->problems,
				       .config = parser->config,
				       .key = key,
				       .origin =
					       maui_lexer_origin(&parser->lexer, line->value.start),
				       .lexer = &parser->lexer,
				       .offset = line->value.start,
				       .exact = strlen(text) == maui_span_size(line->value),
				       .operation = "="};
	struct maui_object *object;
	struct maui_value value;

	if (!maui_value_read(&reading, text, &value))
		return;
	object = maui_parser_object(parser, section, name, size, origin);
	if (!object)
		return;
	value.origin = origin;
	value.gres = line->gres;
	value.gres_name = line->gres_name;
	maui_tell_effect(parser, &value, is_family(key) ? line->name : key->name, section);
	maui_parser_set(parser, object, &value);
}

static bool is_global(const struct line *line)
{
	size_t size = maui_span_size(line->index);

	return !size || maui_equals(line_text(line) + line->index.start, size, "0");
}

/* No weight of one, but what it is: D-GRES-13. */
static bool check_pegres(const struct line *line, struct maui_span index)
{
	if (!maui_span_size(index))
		maui_line_problem(line->parser, MAUI_ERROR, line->name_at,
				  "PEGRES: name the GRES, as in PEGRES[gpu] or PEGRES[gpu:a100]");
	else if (maui_gres_license(line_text(line) + index.start))
		maui_line_problem(line->parser, MAUI_ERROR, index.start,
				  "PEGRES: licenses do not belong to nodes, nor to the machine");
	else
		return true;
	return false;
}

/* GRESWEIGHT[gpu]: what stands in the brackets is no partition. False: with an error. */
static bool read_gres(struct line *line, const struct maui_key_info *key, struct maui_span *index)
{
	struct maui_value value = {.key = key};
	struct maui_span rest;

	if (key->key == MAUI_KEY_PEGRES && !check_pegres(line, *index))
		return false;
	if (!key->gres || !maui_span_size(*index))
		return true;
	if (!maui_parse_gres(line->parser, *index, &value, &rest))
		return false;
	if (line_text(line)[rest.start - 1] == ',') {
		maui_line_problem(line->parser, MAUI_ERROR, rest.start - 1,
				  "%s takes no credential in brackets", key->name);
		return false;
	}
	line->gres = value.gres;
	line->gres_name = value.gres_name;
	*index = (struct maui_span){0, 0};
	return true;
}

static void parse_plain(struct line *line, const struct maui_key_info *key)
{
	struct maui_span index = is_global(line) ? (struct maui_span){0, 0} : line->index;

	if (!read_gres(line, key, &index))
		return;
	if (maui_span_size(index) && !key->indexed) {
		maui_line_problem(line->parser, MAUI_ERROR, index.start,
				  "%s applies to the whole system, not to a partition", key->name);
		return;
	}
	if (key->area != MAUI_AREA_SLURM && !check_quotes(line))
		return;
	plain_parameters_store(line, MAUI_PARAMETERS, line_text(line) + index.start,
			       maui_span_size(index), key, value_text(line, key));
}

/* SRUSERLIST[a] bob joe */
static void parse_legacy_attribute(const struct line *line, const struct maui_legacy *legacy)
{
	const struct maui_key_info *key = maui_key_info(legacy->key);
	const char *name = line_text(line) + line->index.start, *text;
	size_t size = maui_span_size(line->index);
	char *required;

	if (!check_quotes(line))
		return;
	if (!size) { /* the first of its kind */
		name = "0";
		size = 1;
	}
	text = value_text(line, key);
	if (legacy->form == MAUI_LEGACY_REQUIRED && !strchr(text, '*')) {
		required = maui_arena_alloc(line->parser->config->arena, 1, strlen(text) + 2);
		memcpy(required, text, strlen(text));
		required[strlen(text)] = '*';
		text = required;
	}
	plain_parameters_store(line, legacy->section, name, size, key, text);
}

static void parse_legacy(const struct line *line, const struct maui_legacy *legacy)
{
	struct maui_origin origin = maui_lexer_origin(&line->parser->lexer, line->name_at);

	if (legacy->form == MAUI_LEGACY_ATTRIBUTE || legacy->form == MAUI_LEGACY_REQUIRED) {
		parse_legacy_attribute(line, legacy);
		return;
	}
	if (!is_global(line)) {
		maui_line_problem(line->parser, MAUI_ERROR, line->index.start,
				  "%s applies to the whole system, not to a partition", line->name);
		return;
	}
	if (check_quotes(line))
		maui_old_limit_read(line->parser, legacy, line->name, first_word(line), origin);
}

static void warn_of_unknown(const struct line *line)
{
	const bool foreign = maui_foreign_text(MAUI_PARAMETERS, line->name, NULL);
	char shown[MAUI_EXCERPT_SIZE], known[MAUI_UNKNOWN_TEXT] = "";
	enum maui_severity severity = foreign ? MAUI_WARNING : maui_unknown_severity(line->parser);
	struct maui_problem *problem;

	maui_excerpt(line->name, strlen(line->name), shown);
	/* Looking up what would not be kept is expensive and pointless. */
	if (maui_problems_wanted(&line->parser->problems, severity))
		maui_unknown_text(MAUI_PARAMETERS, line->name, known);
	problem = maui_line_problem(
		line->parser, severity, line->name_at, "there is no parameter %s%s%s%s", shown,
		severity == MAUI_WARNING ? "; the line is ignored" : "", *known ? ": " : "", known);
	if (!foreign)
		maui_mark_unknown(line->parser, problem);
}

void maui_parse_parameter(struct maui_parser *parser, struct maui_span name, bool has_index,
			  struct maui_span index, size_t offset)
{
	struct line line = {.parser = parser,
			    .name_at = name.start,
			    .index = has_index ? index : (struct maui_span){0, 0},
			    .has_index = has_index};
	const struct maui_key_info *key;
	struct maui_legacy legacy;
	bool old;

	line.name = maui_arena_text(parser->config->arena, parser->lexer.line.text + name.start,
				    maui_span_size(name));
	line.value = maui_span_trim(parser->lexer.line.text,
				    (struct maui_span){offset, parser->lexer.line.size});
	key = maui_key_find(MAUI_PARAMETERS, line.name);
	old = !key && maui_legacy_find(line.name, &legacy);
	maui_record_begin(parser->records, MAUI_PARAMETERS, line_text(&line) + line.index.start,
			  maui_span_size(line.index), line.name, strlen(line.name), name.start);
	maui_record_key(parser->records, old ? maui_key_info(legacy.key) : key);
	if (!key && !old) {
		maui_record_unknown(parser->records);
		warn_of_unknown(&line);
		return;
	}
	if (!maui_span_size(line.value)) {
		maui_line_problem(parser, MAUI_ERROR, name.start, "%s has no value", line.name);
		return;
	}
	if (key)
		parse_plain(&line, key);
	else
		parse_legacy(&line, &legacy);
}
