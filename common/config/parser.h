/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the functions that read a configuration share. */
#ifndef MAUI_CONFIG_PARSER_H
#define MAUI_CONFIG_PARSER_H

#include "common/config/keys/legacy.h"
#include "common/config/objects.h"
#include "common/config/record.h"
#include "common/config/text/lexer.h"
#include "common/config/text/sources.h"
#include "common/config/text/words.h"
#include "common/config/values.h"

/* All lines with ranges together: node_settings.h keeps something for each name. */
#define MAUI_RANGED_NODES_LIMIT 1000000u

struct maui_old_limits;

struct maui_parser {
	struct maui_config *config;
	struct maui_problems problems;
	struct maui_sources sources;
	struct maui_lexer lexer; /* of the current file; its line is the one being read */
	struct maui_old_limits *old_limits; /* oldlimits.h */
	size_t ranged_nodes;                /* names in the ranges of NODECFG's lines so far */
	struct maui_records *records;       /* NULL: not requested */
	bool unknown_is_error;              /* maui_reader's */
	bool full; /* the bounds on objects or values are reached, and this has been reported */
};

/* Anything wrong with the text is a problem, not a failure. */

/* The attributes of an object, from an offset of the line on. */
void maui_parse_attributes(struct maui_parser *parser, struct maui_object *object, size_t offset);

/*
 * A plain parameter: name and index are known, the value begins at an offset. has_index: there were
 * brackets.
 */
void maui_parse_parameter(struct maui_parser *parser, struct maui_span name, bool has_index,
			  struct maui_span index, size_t offset);

/*
 * The GRES of [gpu,USER:bob], of a value whose key is set; *ret_rest is what follows it. False: with
 * an error.
 */
bool maui_parse_gres(struct maui_parser *parser, struct maui_span span, struct maui_value *value,
		     struct maui_span *ret_rest);

/*
 * The period of [USER:bob,PERIOD:night], which stands last in the brackets, of a value whose key is
 * set: *span becomes what is before it. True also without one. False: with an error.
 */
bool maui_parse_period(struct maui_parser *parser, enum maui_section section,
		       struct maui_span *span, struct maui_value *value);
/* Reads PERIODCFG once all lines are known; a limit of a period that it does not define is an error. */
void maui_periods_finish(struct maui_parser *parser);

/* The current logical line. */
void maui_parse_line(struct maui_parser *parser);

/* Store a value, or report that there are too many. */
void maui_parser_set(struct maui_parser *parser, struct maui_object *object,
		     const struct maui_value *value);
/* The object; NULL, with an error, if there are too many. */
struct maui_object *maui_parser_object(struct maui_parser *parser, enum maui_section section,
				       const char *name, size_t size, struct maui_origin origin);

/* Warn of a value without effect, and of flags without; name: what to call the key. */
void maui_tell_effect(struct maui_parser *parser, const struct maui_value *value, const char *name,
		      enum maui_section section);

/* How bad an unknown name is, and that a problem (NULL: not kept) is about one. */
enum maui_severity maui_unknown_severity(const struct maui_parser *parser);
void maui_mark_unknown(struct maui_parser *parser, struct maui_problem *problem);

/* A problem at an offset of the current line. */
#define maui_line_problem(parser, severity, offset, ...)                                           \
	maui_problem_add(&(parser)->problems, severity,                                            \
			 maui_lexer_origin(&(parser)->lexer, offset), __VA_ARGS__)

#endif
