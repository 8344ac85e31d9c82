/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a whole configuration: files, lines, and problems that only the end shows. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/config/config.h"
#include "common/config/oldlimits.h"
#include "common/config/parser.h"
#include "common/util/memory.h"

static void parse_source(struct maui_parser *parser, size_t number)
{
	struct maui_source *source = &parser->sources.items[number];
	struct maui_lexer *lexer = &parser->lexer;

	parser->problems.files = parser->sources.names;
	parser->problems.file_count = parser->sources.count;
	if (!maui_text_check(source->name, source->text, source->size, &parser->problems))
		return;
	maui_lexer_begin(lexer, source->name, source->text, source->size, &parser->problems);
	while (maui_lexer_next(lexer))
		maui_parse_line(parser);
	for (size_t i = 0; i < lexer->include_count; i++) {
		size_t before = parser->sources.count;

		maui_sources_include(&parser->sources, &parser->problems, number,
				     &lexer->includes[i]);
		maui_record_include(parser->records, lexer->includes[i].path,
				    lexer->includes[i].origin, parser->sources.count > before);
	}
	maui_lexer_end(lexer);
	free(source->text);
	source->text = NULL;
}

/* The built-in defaults, in the same form as what is read. */
static void read_defaults(struct maui_parser *parser)
{
	struct maui_config *config = parser->config;
	struct maui_reading reading = {
		.arena = config->arena, .problems = &parser->problems, .operation = "="};

	for (int key = 0; key < MAUI_KEYS; key++) {
		struct maui_value *value;

		reading.key = maui_key_info(key);
		if (!reading.key->default_text)
			continue;
		value = maui_arena_alloc(config->arena, 1, sizeof(*value));
		reading.origin = (struct maui_origin){maui_built_in, (unsigned int)key + 1, 1};
		maui_value_read(&reading, reading.key->default_text, value);
		value->origin = reading.origin;
		config->defaults[key] = value;
	}
}

static bool names_commands(const struct maui_value *value)
{
	return value->key->kind == MAUI_KIND_TRIGGER ||
	       value->key->key == MAUI_KEY_NODEALLOCATIONLOCAL ||
	       (value->key->key == MAUI_KEY_NODEALLOCATIONPOLICY &&
		!strcmp(value->key->keywords[value->integer], "LOCAL"));
}

/*
 * TRIGGER and LOCAL run what they name, so they are not honoured if others could have written any
 * of the files, or put another one in its place.
 */
static void refuse_commands(struct maui_parser *parser)
{
	struct maui_config *config = parser->config;

	for (size_t i = 0; i < config->entry_slot_count; i++) {
		struct maui_entry *entry = config->entry_slots[i];

		if (!entry || !names_commands(&entry->value))
			continue;
		entry->removed = true;
		maui_record_left(parser->records, entry->record);
		maui_problem_add(
			&parser->problems, MAUI_WARNING, entry->value.origin,
			"%s is refused: %s; all files of the configuration, the directories and "
			"links that lead to them must belong to root or SlurmUser, and not be "
			"writable by group or others",
			entry->value.key->name, config->distrust);
	}
}

static void load_finish(struct maui_parser *parser)
{
	struct maui_config *config = parser->config;
	struct maui_problem *problems;

	maui_old_limits_finish(parser);
	maui_periods_finish(parser);
	config->path = parser->sources.names[0];
	config->distrust = parser->sources.distrust;
	if (config->distrust)
		refuse_commands(parser);
	maui_config_freeze(config);
	maui_records_finish(parser->records, config);
	parser->problems.files = parser->sources.names;
	parser->problems.file_count = parser->sources.count;
	maui_problems_finish(&parser->problems, &problems, &config->problem_count);
	config->problems = problems;
	config->error_count = parser->problems.found[MAUI_ERROR];
}

/* Takes ownership of the text. */
static struct maui_config *load_text(const char *name, char *text, size_t size,
				     const char *distrust, const struct maui_reader *reader)
{
	struct maui_parser *parser = maui_calloc(1, sizeof(*parser));
	struct maui_config *config = maui_config_new();
	struct maui_records records = {.arena = config->arena, .lexer = &parser->lexer};
	struct maui_old_limits old_limits = {.count = 0};

	parser->config = config;
	parser->old_limits = &old_limits;
	parser->problems.arena = config->arena;
	parser->sources.arena = config->arena;
	parser->sources.reader = reader;
	parser->unknown_is_error = reader && reader->unknown_is_error;
	if (reader && reader->record) {
		parser->records = &records;
		parser->problems.kept = MAUI_PROBLEMS_RECORDED;
	}
	maui_sources_begin(&parser->sources, name, text, size, distrust);
	read_defaults(parser);
	/* The list grows while we walk it, by what these files include. */
	for (size_t i = 0; i < parser->sources.count; i++)
		parse_source(parser, i);
	load_finish(parser);
	maui_sources_end(&parser->sources);
	free(records.items);
	free(parser);
	return config;
}

int maui_config_load(const char *path, const struct maui_reader *reader,
		     struct maui_config **ret_config, struct maui_error *error)
{
	struct maui_reader files = maui_file_reader(NULL);
	struct maui_error why = {""};
	bool trusted = false;
	char *text = NULL;
	size_t size = 0;
	int rc;

	if (!path || !*path || !ret_config)
		return maui_error_set(error, EINVAL, "no configuration file is named");
	files.record = reader && reader->record;
	files.unknown_is_error = reader && reader->unknown_is_error;
	if (!reader || !reader->read)
		reader = &files;
	rc = reader->read(reader->context, path, NULL, &text, &size, &trusted, &why);
	if (rc)
		return maui_error_set(error, -rc, "%s", why.text);
	if (size > MAUI_FILE_LIMIT) {
		free(text);
		return maui_error_set(error, EFBIG, "%s: has %zu bytes, more than the limit of %u",
				      path, size, MAUI_FILE_LIMIT);
	}
	*ret_config = load_text(path, text, size, trusted ? NULL : why.text, reader);
	return 0;
}

int maui_config_parse(const char *name, const char *text, size_t size,
		      const struct maui_reader *reader, struct maui_config **ret_config,
		      struct maui_error *error)
{
	char *copy;

	if (!name || (!text && size) || !ret_config)
		return maui_error_set(error, EINVAL, "there is no text to read");
	if (size > MAUI_FILE_LIMIT)
		return maui_error_set(error, EFBIG, "%s: has %zu bytes, more than the limit of %u",
				      name, size, MAUI_FILE_LIMIT);
	copy = maui_malloc(size + 1, 1);
	if (size)
		memcpy(copy, text, size);
	copy[size] = '\0';
	*ret_config = load_text(name, copy, size, NULL, reader);
	return 0;
}
