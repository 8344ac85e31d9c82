/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The attributes of a *CFG line: ATTR=VALUE ATTR=VALUE ... */
#include <stdio.h>
#include <string.h>

#include "common/config/keys/unknown.h"
#include "common/config/parser.h"
#include "common/util/text.h"

/* The words of the line from an offset on. */
struct cursor {
	struct maui_parser *parser;
	struct maui_object *object;
	const char *line;
	size_t size, at; /* at: the offset after the last word used */
};

static bool attributes_peek(const struct cursor *cursor, struct maui_word *ret_word)
{
	return maui_word_next(cursor->line, cursor->size, cursor->at, ret_word);
}

static const char *attributes_excerpt(const struct cursor *cursor, struct maui_span span,
				      char buffer[MAUI_EXCERPT_SIZE])
{
	return maui_excerpt(cursor->line + span.start, maui_span_size(span), buffer);
}

static void begin_record(const struct cursor *cursor, struct maui_span name)
{
	maui_record_begin(cursor->parser->records, cursor->object->section, cursor->object->name,
			  strlen(cursor->object->name), cursor->line + name.start,
			  maui_span_size(name), name.start);
}

/* The key that a word's name means in the object's section; NULL if there is none. */
static const struct maui_key_info *find_key(const struct cursor *cursor,
					    const struct maui_word *word)
{
	char name[64];
	size_t size = maui_span_size(word->name);

	if (size >= sizeof(name))
		return NULL;
	memcpy(name, cursor->line + word->name.start, size);
	name[size] = '\0';
	return maui_key_find(cursor->object->section, name);
}

static void warn_of_unknown(const struct cursor *cursor, const struct maui_word *word)
{
	enum maui_section section = cursor->object->section;
	char name[MAUI_EXCERPT_SIZE], known[MAUI_UNKNOWN_TEXT] = "";
	enum maui_severity severity = MAUI_WARNING;
	struct maui_problem *problem;
	bool foreign;

	attributes_excerpt(cursor, word->name, name);
	foreign = maui_foreign_text(section, name, NULL);
	if (!foreign)
		severity = maui_unknown_severity(cursor->parser);
	/* Looking up what would not be kept is expensive and pointless. */
	if (maui_problems_wanted(&cursor->parser->problems, severity))
		maui_unknown_text(section, name, known);
	problem = maui_line_problem(cursor->parser, severity, word->name.start,
				    "%s has no attribute %s%s%s%s", maui_section_name(section),
				    name, severity == MAUI_WARNING ? "; it is ignored" : "",
				    *known ? ": " : "", known);
	if (!foreign)
		maui_mark_unknown(cursor->parser, problem);
}

/* A problem of a word that does nothing where it stands. */
static void tell_stray(struct cursor *cursor, const struct maui_word *word, const char *text)
{
	struct maui_parser *parser = cursor->parser;

	maui_mark_unknown(parser, maui_line_problem(parser, maui_unknown_severity(parser),
						    word->all.start, "%s", text));
}

/* A word that is not ATTR=VALUE and does not continue a list. */
static void read_stray_word(struct cursor *cursor, const struct maui_word *word)
{
	const struct maui_key_info *key = find_key(cursor, word);
	char shown[MAUI_EXCERPT_SIZE], text[MAUI_EXCERPT_SIZE + 128];
	struct maui_word next;

	cursor->at = word->all.end;
	begin_record(cursor, word->all);
	maui_record_key(cursor->parser->records, key);
	attributes_excerpt(cursor, word->all, shown);
	if (cursor->line[word->all.start] != '=' && attributes_peek(cursor, &next) &&
	    cursor->line[next.all.start] == '=') {
		/* "PRIORITY = 10", "PRIORITY =10" */
		cursor->at = next.all.end;
		if (maui_span_size(next.all) == 1 && attributes_peek(cursor, &next) && !next.pair)
			cursor->at = next.all.end;
		snprintf(text, sizeof(text),
			 "write %s=... without blanks around '=': as in the original; it is "
			 "ignored with them",
			 shown);
		tell_stray(cursor, word, text);
	} else if (key && maui_span_size(word->name) == maui_span_size(word->all)) {
		snprintf(text, sizeof(text), "%s has no value; it is ignored", shown);
		tell_stray(cursor, word, text);
	} else if (key && cursor->line[word->name.end] == '[' && !word->has_dimension) {
		maui_line_problem(cursor->parser, MAUI_ERROR, word->name.end, "%s: ']' is missing",
				  key->name);
	} else {
		snprintf(text, sizeof(text), "'%s' belongs to no attribute; it is ignored", shown);
		tell_stray(cursor, word, text);
	}
}

/* ATTR= with no value: a bare word that follows was probably meant as the value. */
static void read_empty_value(struct cursor *cursor, const struct maui_word *word)
{
	char name[MAUI_EXCERPT_SIZE];
	const struct maui_key_info *key = find_key(cursor, word);
	struct maui_word next;
	bool any = false;

	attributes_excerpt(cursor, word->name, name);
	while ((!any || maui_kind_is_list(key->kind)) && attributes_peek(cursor, &next) &&
	       !next.pair) {
		cursor->at = next.all.end;
		any = true;
	}
	if (any)
		maui_line_problem(cursor->parser, MAUI_WARNING, word->value.start,
				  "write the value of %s without blanks after '=': as in the "
				  "original; it is ignored with them",
				  name);
	else
		maui_line_problem(cursor->parser, MAUI_WARNING, word->value.start,
				  "%s has no value; it is ignored", name);
}

/* Up to the first comma. False: with an error. */
static bool begins_with_gres(struct maui_parser *parser, struct maui_span span,
			     const struct maui_value *value, size_t *ret_size)
{
	const char *text = parser->lexer.line.text + span.start, *key = value->key->name;
	const char *comma = memchr(text, ',', maui_span_size(span));
	size_t size = comma ? (size_t)(comma - text) : maui_span_size(span);
	char shown[MAUI_EXCERPT_SIZE];

	*ret_size = size;
	if (maui_gres_is_name(text, size) &&
	    maui_credential_find(text, strcspn(text, ":,]")) == MAUI_CREDENTIALS)
		return true;
	maui_line_problem(parser, MAUI_ERROR, span.start,
			  "%s: '%s' does not begin with the name of a GRES, as in %s[gpu] or "
			  "%s[gpu:a100]",
			  key, maui_excerpt(text, maui_span_size(span), shown), key, key);
	return false;
}

static void tell_too_many_gres(struct maui_parser *parser, struct maui_span span,
			       const struct maui_value *value)
{
	maui_line_problem(parser, MAUI_ERROR, span.start, "%s: more than %u GRES are named",
			  value->key->name, MAUI_GRES_NAMES);
}

bool maui_parse_gres(struct maui_parser *parser, struct maui_span span, struct maui_value *value,
		     struct maui_span *ret_rest)
{
	const char *text = parser->lexer.line.text + span.start;
	struct maui_config *config = parser->config;
	size_t size;

	if (!begins_with_gres(parser, span, value, &size))
		return false;
	if (maui_config_add_gres(config, text, size, &value->gres)) {
		tell_too_many_gres(parser, span, value);
		return false;
	}
	value->gres_name = config->gres[value->gres - 1];
	if (size < maui_span_size(span))
		size++; /* the comma */
	*ret_rest = (struct maui_span){span.start + size, span.end};
	return true;
}

/*
 * [gpu] of NODECFG's MAXGRES: its number is among those of formulas, which are of nodes, so that jobs'
 * records do not count it. False: with an error.
 */
static bool read_node_gres(const struct cursor *cursor, struct maui_span span,
			   struct maui_value *value)
{
	struct maui_node_gres *gres = &cursor->parser->config->node_gres;
	const char *text = cursor->line + span.start;
	unsigned int number;
	size_t size;

	if (!begins_with_gres(cursor->parser, span, value, &size))
		return false;
	if (size < maui_span_size(span)) {
		maui_line_problem(cursor->parser, MAUI_ERROR, span.start + size,
				  "%s of a node is of all its jobs: it takes no credential",
				  value->key->name);
		return false;
	}
	if (maui_gres_license(text)) {
		maui_line_problem(cursor->parser, MAUI_ERROR, span.start,
				  "%s: licenses do not belong to nodes", value->key->name);
		return false;
	}
	number = maui_node_gres_number(gres, text, size);
	if (number == MAUI_GRES_NAMES) {
		tell_too_many_gres(cursor->parser, span, value);
		return false;
	}
	value->gres = number + 1;
	value->gres_name = gres->name[number];
	return true;
}

/* [USER:bob] of a limit. False if it is not one, with an error. */
static bool read_credential(const struct cursor *cursor, struct maui_span span,
			    struct maui_value *value)
{
	const char *text = cursor->line + span.start;
	const char *colon = memchr(text, ':', maui_span_size(span));
	size_t type_size = colon ? (size_t)(colon - text) : maui_span_size(span);
	char shown[MAUI_EXCERPT_SIZE];

	if (!value->key->dimensions) {
		maui_line_problem(cursor->parser, MAUI_ERROR, span.start,
				  "%s takes no credential in brackets", value->key->name);
		return false;
	}
	value->has_dimension = true;
	value->dimension = maui_credential_find(text, type_size);
	if (value->dimension == MAUI_CREDENTIALS ||
	    (colon && type_size + 1 == maui_span_size(span))) {
		maui_line_problem(cursor->parser, MAUI_ERROR, span.start,
				  "%s: '%s' is not USER, GROUP, ACCOUNT, QOS or CLASS, or one of "
				  "them with ':' and a name",
				  value->key->name, attributes_excerpt(cursor, span, shown));
		return false;
	}
	if (colon)
		value->dimension_name = maui_arena_text(cursor->parser->config->arena, colon + 1,
							maui_span_size(span) - type_size - 1);
	return true;
}

/* What stands in a word's brackets: [USER:bob], [gpu], [gpu,USER:bob,PERIOD:night]. False as above. */
static bool read_dimension(const struct cursor *cursor, const struct maui_word *word,
			   struct maui_value *value)
{
	struct maui_span span = word->dimension;
	size_t end;

	if (!maui_parse_period(cursor->parser, cursor->object->section, &span, value))
		return false;
	if (value->period && span.end == word->dimension.start && !value->key->gres)
		return true;
	end = span.end;
	if (value->key->gres && cursor->object->section == MAUI_NODECFG)
		return read_node_gres(cursor, span, value);
	if (value->key->gres && !maui_parse_gres(cursor->parser, span, value, &span))
		return false;
	/* [gpu] alone; [gpu,] has a comma too many, which is reported. */
	if (value->key->gres && span.start == span.end && cursor->line[end - 1] != ',')
		return true;
	return read_credential(cursor, span, value);
}

/*
 * The operator between attribute and value, with a problem if it does not do what it suggests.
 * NULL: it is not allowed.
 */
static const char *read_operation(const struct cursor *cursor, const struct maui_word *word,
				  const struct maui_key_info *key)
{
	static const char *const comparisons[] = {"<=", ">=", "<", ">"};
	const char *text = cursor->line + word->operation.start;
	size_t size = maui_span_size(word->operation);
	char shown[MAUI_EXCERPT_SIZE];

	if (maui_equals(text, size, "="))
		return "=";
	attributes_excerpt(cursor, word->operation, shown);
	if (maui_equals(text, size, "!=")) {
		maui_line_problem(cursor->parser, MAUI_ERROR, word->operation.start,
				  "%s: there is no '!=' (access lists have ATTR=!name)", key->name);
		return NULL;
	}
	for (size_t i = 0; i < sizeof(comparisons) / sizeof(comparisons[0]); i++)
		if (maui_equals(text, size, comparisons[i]) &&
		    (key->kind == MAUI_KIND_TIME_ACL || key->kind == MAUI_KIND_COUNT_ACL))
			return comparisons[i];
	if (strpbrk(shown, "+-"))
		maui_line_problem(
			cursor->parser, MAUI_WARNING, word->operation.start,
			"%s: '%s' adds and subtracts nothing: as in the original it is read "
			"as '='",
			key->name, shown);
	else
		maui_line_problem(cursor->parser, MAUI_WARNING, word->operation.start,
				  "%s: '%s' is read as '='", key->name, shown);
	return "=";
}

/* Whether a word continues the list of the attribute before it (D-CFG-4). */
static bool continues_list(const struct cursor *cursor, const struct maui_word *word)
{
	struct maui_word next;

	if (word->unclosed)
		return false;
	if (word->pair) /* "normal=": an item and its mark, if no attribute has the name */
		return !maui_span_size(word->value) && !word->has_dimension &&
		       maui_span_size(word->operation) == 1 && !find_key(cursor, word);
	/* "USERLIST=bob MAXJOB = 3": this is the next attribute, badly written. */
	return !maui_word_next(cursor->line, cursor->size, word->all.end, &next) ||
	       cursor->line[next.all.start] != '=';
}

/*
 * The offset after the last bare word that continues the list; the end of the value if none does.
 */
static size_t list_end(const struct cursor *cursor)
{
	struct cursor ahead = *cursor;
	struct maui_word next;

	while (attributes_peek(&ahead, &next) && continues_list(&ahead, &next))
		ahead.at = next.all.end;
	if (ahead.at > cursor->at)
		maui_line_problem(
			cursor->parser, MAUI_WARNING,
			maui_skip_blanks(cursor->line, cursor->size, cursor->at),
			"blanks do not belong in a list: what follows is read as its next "
			"items; the original ignores it");
	return ahead.at;
}

/*
 * The text of the value without quotes, in the arena, including for a list the bare words that
 * follow. *ret_exact: whether it is the same as in the line.
 */
static const char *attributes_gather(struct cursor *cursor, const struct maui_word *word,
				     enum maui_kind kind, bool *ret_exact)
{
	size_t (*unquote)(const char *text, size_t size, char *buffer) =
		kind == MAUI_KIND_ACL ? maui_unquote_names : maui_unquote;
	bool list = maui_kind_is_list(kind);
	size_t end = list ? list_end(cursor) : cursor->at, used;
	/* An item and its comma need no more room than the word and the blanks before it. */
	char *text =
		maui_arena_alloc(cursor->parser->config->arena, 1, end - word->value.start + 1);
	struct maui_word next;

	used = unquote(cursor->line + word->value.start, maui_span_size(word->value), text);
	*ret_exact = used == maui_span_size(word->value);
	while (cursor->at < end && attributes_peek(cursor, &next)) {
		text[used++] = ',';
		used += unquote(cursor->line + next.all.start, maui_span_size(next.all),
				text + used);
		cursor->at = next.all.end;
	}
	return text;
}

static void read_value(struct cursor *cursor, const struct maui_word *word,
		       struct maui_value *value)
{
	struct maui_parser *parser = cursor->parser;
	const struct maui_key_info *key = value->key;
	struct maui_reading reading = {.arena = parser->config->arena,
				       .problems = &parser->problems,
				       .node_gres = &parser->config->node_gres,
				       .key = key,
				       .origin =
					       maui_lexer_origin(&parser->lexer, word->value.start),
				       .lexer = &parser->lexer,
				       .offset = word->value.start,
				       .operation = read_operation(cursor, word, key)};
	struct maui_value read;
	const char *text = attributes_gather(cursor, word, key->kind, &reading.exact);
	char quote = cursor->line[word->value.start];

	/*
	 * Two bytes shorter than the word, which begins with a quote: a pair of quotes encloses it.
	 */
	reading.quoted = (quote == '\'' || quote == '"') && !maui_kind_is_list(key->kind) &&
			 strlen(text) + 2 == maui_span_size(word->value) &&
			 cursor->line[word->value.end - 1] == quote;
	if (!reading.operation)
		return;
	if (!*text) {
		maui_line_problem(parser, MAUI_WARNING, word->value.start,
				  "%s has no value; it is ignored", key->name);
		return;
	}
	if (!maui_value_read(&reading, text, &read))
		return;
	read.origin = value->origin;
	read.gres = value->gres;
	read.gres_name = value->gres_name;
	read.period = value->period;
	read.period_name = value->period_name;
	if (value->has_dimension) {
		read.has_dimension = true;
		read.dimension = value->dimension;
		read.dimension_name = value->dimension_name;
	}
	maui_tell_effect(parser, &read, key->name, cursor->object->section);
	maui_parser_set(parser, cursor->object, &read);
}

static void read_pair(struct cursor *cursor, const struct maui_word *word)
{
	struct maui_value value = {
		.key = find_key(cursor, word),
		.origin = maui_lexer_origin(&cursor->parser->lexer, word->name.start)};
	struct maui_word next;

	cursor->at = word->all.end;
	begin_record(cursor, (struct maui_span){word->name.start, word->operation.start});
	maui_record_key(cursor->parser->records, value.key);
	if (!value.key) {
		maui_record_unknown(cursor->parser->records);
		warn_of_unknown(cursor, word);
		/* What may continue an unknown list needs no warning of its own. */
		while (attributes_peek(cursor, &next) && !next.unclosed && !next.pair &&
		       continues_list(cursor, &next))
			cursor->at = next.all.end;
		return;
	}
	if (!maui_span_size(word->value)) {
		read_empty_value(cursor, word);
		return;
	}
	if (word->has_dimension && !read_dimension(cursor, word, &value))
		return;
	if (value.key->gres && !value.gres) {
		maui_line_problem(cursor->parser, MAUI_ERROR, word->name.start,
				  "%s needs the name of a GRES in brackets: %s[gpu]",
				  value.key->name, value.key->name);
		return;
	}
	read_value(cursor, word, &value);
}

void maui_parse_attributes(struct maui_parser *parser, struct maui_object *object, size_t offset)
{
	struct cursor cursor = {.parser = parser,
				.object = object,
				.line = parser->lexer.line.text,
				.size = parser->lexer.line.size,
				.at = offset};
	struct maui_word word;

	while (attributes_peek(&cursor, &word)) {
		if (word.unclosed) {
			begin_record(&cursor, word.all);
			maui_line_problem(parser, MAUI_ERROR, word.quote,
					  "this quote is not closed%s",
					  parser->lexer.line.has_comment
						  ? " (a '#' begins a comment inside quotes, too)"
						  : "");
			break;
		}
		if (word.pair)
			read_pair(&cursor, &word);
		else
			read_stray_word(&cursor, &word);
	}
}
