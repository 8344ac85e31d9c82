/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One logical line: NAME VALUE, NAME[index] VALUE, or SECTION[name] with attributes. */
#include <errno.h>
#include <string.h>

#include "common/config/parser.h"
#include "common/util/slurm/hostlist.h"
#include "common/util/text.h"

void maui_parser_set(struct maui_parser *parser, struct maui_object *object,
		     const struct maui_value *value)
{
	struct maui_entry *entry;

	if (maui_config_set(parser->config, object, value, &entry)) {
		if (!parser->full)
			maui_problem_add(&parser->problems, MAUI_ERROR, value->origin,
					 "more than %u values", MAUI_VALUES_LIMIT);
		parser->full = true;
		return;
	}
	/*
	 * A value without effect here has not lost it to a later line, and a family such as
	 * SIM* is one key.
	 */
	if (!value->key->cumulative && value->key->area != MAUI_AREA_SLURM)
		maui_record_replaced(parser->records, entry->record, value->origin);
	maui_record_taken(parser->records, value, &entry->record);
}

struct maui_object *maui_parser_object(struct maui_parser *parser, enum maui_section section,
				       const char *name, size_t size, struct maui_origin origin)
{
	struct maui_object *object;

	if (!maui_config_add_object(parser->config, section, name, size, origin, &object))
		return object;
	if (!parser->full)
		maui_problem_add(&parser->problems, MAUI_ERROR, origin, "more than %u names",
				 MAUI_OBJECTS_LIMIT);
	parser->full = true;
	return NULL;
}

/* The beginning of a line: NAME or NAME[index]. */
struct head {
	struct maui_span name, index;
	bool has_index;
	bool far_index; /* blanks precede the bracket */
	size_t far_end; /* if so: after the closing bracket, 0 without one */
	size_t end;     /* after it */
};

static enum maui_section find_section(const struct maui_line *line, struct maui_span name)
{
	char text[32];
	size_t size = maui_span_size(name);

	if (!size || size >= sizeof(text))
		return MAUI_SECTIONS;
	memcpy(text, line->text + name.start, size);
	text[size] = '\0';
	return maui_section_find(text);
}

/*
 * The bracket that closes the one at an offset, behind a name: NODECFG[node[01-16]] has brackets
 * inside. If they are unbalanced, the first closing one. A parameter may be of a GRES, whose name
 * may have brackets. NULL if there is none.
 */
static const char *find_close(const struct maui_line *line, struct maui_span name, size_t bracket)
{
	size_t depth = 0, last = SIZE_MAX;

	if (find_section(line, name) == MAUI_SECTIONS)
		last = maui_bracket_end(line->text, line->size, bracket);
	if (last != SIZE_MAX)
		return line->text + last;
	for (size_t at = bracket; at < line->size; at++) {
		if (line->text[at] == '[')
			depth++;
		else if (line->text[at] == ']' && !--depth)
			return line->text + at;
	}
	return memchr(line->text + bracket, ']', line->size - bracket);
}

static void read_head(const struct maui_line *line, size_t start, struct head *head)
{
	size_t at = start, bracket;
	const char *close;

	while (at < line->size && maui_is_name(line->text[at]))
		at++;
	*head = (struct head){.name = {start, at}, .end = at};
	bracket = maui_skip_blanks(line->text, line->size, at);
	if (bracket == line->size || line->text[bracket] != '[')
		return;
	close = find_close(line, head->name, bracket);
	head->index =
		(struct maui_span){bracket + 1, close ? (size_t)(close - line->text) : line->size};
	head->index = maui_span_trim(line->text, head->index);
	if (bracket > at) {
		head->far_index = true;
		head->far_end = close ? (size_t)(close - line->text) + 1 : 0;
	} else if (close) {
		head->has_index = true;
		head->end = close + 1 - line->text;
	}
}

/* The name of the section's object; false if it has none, with a problem. */
static bool read_name(struct maui_parser *parser, enum maui_section section,
		      const struct head *head, struct maui_span *ret_name)
{
	const struct maui_line *line = &parser->lexer.line;
	const char *name = maui_section_name(section);
	struct maui_span index = head->index;

	*ret_name = index;
	if (head->far_index) {
		maui_line_problem(
			parser, MAUI_ERROR, head->name.end,
			"write %s[...] without a blank before '[': the original skips such a line",
			name);
		return false;
	}
	if (head->end < line->size && line->text[head->end] == '[') {
		maui_line_problem(parser, MAUI_ERROR, head->end, "']' is missing");
		return false;
	}
	if (section == MAUI_SYSCFG) { /* there is only one system */
		if (head->has_index && maui_span_size(index) &&
		    !maui_equals(line->text + index.start, maui_span_size(index), "0") &&
		    !maui_equals(line->text + index.start, maui_span_size(index), "DEFAULT"))
			maui_line_problem(parser, MAUI_WARNING, index.start,
					  "%s takes no name: the brackets are ignored, and what "
					  "follows is read",
					  name);
		*ret_name = (struct maui_span){0, 0};
		return true;
	}
	if (!maui_span_size(index)) {
		maui_line_problem(parser, MAUI_ERROR, head->name.end,
				  "%s needs a name in brackets, as in %s[DEFAULT]", name, name);
		return false;
	}
	return true;
}

/* NODECFG[node[01-16]]: whether its name is valid; if not, a problem says why. */
static bool check_nodes(struct maui_parser *parser, struct maui_span index)
{
	char *name = maui_arena_text(parser->config->arena, parser->lexer.line.text + index.start,
				     maui_span_size(index));
	struct maui_error error = {""};
	size_t column = 1, count = 0;
	int rc;

	if (!maui_hostlist_is_range(name))
		return true;
	rc = maui_hostlist_expand(name, NULL, NULL, &count, &column, &error);
	if (!rc && parser->ranged_nodes + count > MAUI_RANGED_NODES_LIMIT)
		rc = maui_error_set(&error, E2BIG, "the ranges of NODECFG have more than %u names",
				    MAUI_RANGED_NODES_LIMIT);
	if (rc)
		maui_line_problem(parser, MAUI_ERROR, index.start + column - 1, "%s", error.text);
	else
		parser->ranged_nodes += count;
	return !rc;
}

static void parse_section(struct maui_parser *parser, enum maui_section section,
			  const struct head *head)
{
	const struct maui_line *line = &parser->lexer.line;
	size_t at = head->end;
	struct maui_object *object;
	struct maui_span name;
	struct maui_word word;

	if (!read_name(parser, section, head, &name) ||
	    (section == MAUI_NODECFG && !check_nodes(parser, name)))
		return;
	if (at < line->size && !maui_is_blank(line->text[at])) {
		/*
		 * USERCFG[bob]PRIORITY=10 loses what is attached to the bracket, but not the rest.
		 */
		maui_line_problem(parser, MAUI_ERROR, at,
				  "a blank is missing here: the original skips what follows up to "
				  "the next one");
		if (maui_word_next(line->text, line->size, at, &word)) {
			maui_record_begin(parser->records, section, line->text + name.start,
					  maui_span_size(name), line->text + word.all.start,
					  maui_span_size(word.all), word.all.start);
			at = word.all.end;
		}
	} else if (maui_skip_blanks(line->text, line->size, at) == line->size) {
		maui_line_problem(parser, MAUI_WARNING, head->name.start,
				  "the line gives %s no attribute", maui_section_name(section));
	}
	object = maui_parser_object(parser, section, line->text + name.start, maui_span_size(name),
				    maui_lexer_origin(&parser->lexer, head->name.start));
	if (object)
		maui_parse_attributes(parser, object, at);
}

static void parse_parameter(struct maui_parser *parser, const struct head *head)
{
	const struct maui_line *line = &parser->lexer.line;
	size_t at = head->end;
	char shown[MAUI_EXCERPT_SIZE];

	if (!maui_span_size(head->name)) {
		at = head->name.start;
		maui_line_problem(parser, MAUI_ERROR, at,
				  "a line begins with the name of a parameter, not with '%s'",
				  maui_excerpt(line->text + at, 1, shown));
		return;
	}
	if (at < line->size && line->text[at] == '[') {
		maui_line_problem(parser, MAUI_ERROR, at, "']' is missing");
		return;
	}
	if (at < line->size && !maui_is_blank(line->text[at]) && line->text[at] != '=') {
		maui_line_problem(parser, MAUI_ERROR, at, "a blank belongs here, not '%s'",
				  maui_excerpt(line->text + at, 1, shown));
		return;
	}
	/* "FSPOLICY [NONE]" is a value, "FSWEIGHT [batch] 10" is not. */
	if (head->far_end && maui_skip_blanks(line->text, line->size, head->far_end) < line->size) {
		maui_line_problem(parser, MAUI_ERROR, at,
				  "write an index without a blank before '['");
		return;
	}
	/* "PARAM=VALUE": a '=' before the value counts as a blank. */
	while (at < line->size && (maui_is_blank(line->text[at]) || line->text[at] == '='))
		at++;
	maui_parse_parameter(parser, head->name, head->has_index, head->index, at);
}

static void parse_line(struct maui_parser *parser)
{
	const struct maui_line *line = &parser->lexer.line;
	size_t start = maui_skip_blanks(line->text, line->size, 0);
	enum maui_section section;
	struct head head;

	if (line->too_long) {
		maui_line_problem(parser, MAUI_ERROR, 0,
				  "the line is longer than %u bytes with the lines joined to it",
				  MAUI_LINE_LIMIT);
		return;
	}
	if (start == line->size)
		return;
	read_head(line, start, &head);
	section = find_section(line, head.name);
	if (section == MAUI_SECTIONS)
		parse_parameter(parser, &head);
	else
		parse_section(parser, section, &head);
}

void maui_parse_line(struct maui_parser *parser)
{
	maui_record_line(parser->records);
	parse_line(parser);
	maui_record_line_end(parser->records);
}
