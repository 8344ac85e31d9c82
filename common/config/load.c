/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a whole configuration: files, lines, and what can only be said at the end. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/config/parser.h"

static int parse_source(struct maui_parser *parser, size_t number)
{
	struct maui_source *source = &parser->sources.items[number];
	struct maui_lexer *lexer = &parser->lexer;
	int rc = 0;

	parser->problems.files = parser->sources.names;
	parser->problems.file_count = parser->sources.count;
	if (!maui_text_check(source->name, source->text, source->size, &parser->problems))
		return 0;
	maui_lexer_begin(lexer, source->name, source->text, source->size, &parser->problems);
	while (!rc && (rc = maui_lexer_next(lexer)) > 0)
		rc = maui_parse_line(parser);
	for (size_t i = 0; !rc && i < lexer->include_count; i++) {
		size_t before = parser->sources.count;

		rc = maui_sources_include(&parser->sources, &parser->problems, number,
					  &lexer->includes[i]);
		maui_record_include(parser, lexer->includes[i].path, lexer->includes[i].origin,
				    parser->sources.count > before);
	}
	maui_lexer_end(lexer);
	free(source->text);
	source->text = NULL;
	return rc;
}

/* The built-in defaults, in the same form as what is read. */
static int read_defaults(struct maui_parser *parser)
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
		if (!value ||
		    maui_value_read(&reading, reading.key->default_text, value) == -ENOMEM)
			return -ENOMEM;
		value->origin = reading.origin;
		config->defaults[key] = value;
	}
	return 0;
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
		maui_record_left(parser, entry->record);
		maui_problem_add(
			&parser->problems, MAUI_WARNING, entry->value.origin,
			"%s is refused: %s; all files of the configuration, the directories and "
			"links that lead to them must belong to root or SlurmUser, and not be "
			"writable by group or others",
			entry->value.key->name, config->distrust);
	}
}

static int finish(struct maui_parser *parser)
{
	struct maui_config *config = parser->config;
	struct maui_problem *problems;
	int rc = maui_old_limits_finish(parser);

	if (!rc)
		rc = maui_periods_finish(parser);
	if (rc)
		return rc;
	config->path = parser->sources.names[0];
	config->distrust = parser->sources.distrust;
	if (config->distrust)
		refuse_commands(parser);
	rc = maui_config_freeze(config);
	if (!rc)
		rc = maui_records_finish(parser);
	if (rc)
		return rc;
	parser->problems.files = parser->sources.names;
	parser->problems.file_count = parser->sources.count;
	rc = maui_problems_finish(&parser->problems, &problems, &config->problem_count);
	if (rc)
		return rc;
	config->problems = problems;
	config->error_count = parser->problems.found[MAUI_ERROR];
	return 0;
}

/* Takes ownership of the text. */
static int parse_all(struct maui_parser *parser, const char *name, char *text, size_t size,
		     const char *distrust)
{
	int rc = maui_sources_begin(&parser->sources, name, text, size, distrust);

	if (!rc)
		rc = read_defaults(parser);
	/* The list grows while we walk it, by what these files include. */
	for (size_t i = 0; !rc && i < parser->sources.count; i++)
		rc = parse_source(parser, i);
	if (!rc)
		rc = finish(parser);
	maui_sources_end(&parser->sources);
	free(parser->problems.items);
	return rc;
}

/* Takes ownership of the text. */
static int load_text(const char *name, char *text, size_t size, const char *distrust,
		     const struct maui_reader *reader, struct maui_config **ret_config,
		     struct maui_error *error)
{
	struct maui_parser *parser = calloc(1, sizeof(*parser));
	struct maui_records records = {0};
	int rc = -ENOMEM;

	if (parser)
		parser->config = maui_config_new();
	if (parser && parser->config) {
		parser->problems.arena = parser->config->arena;
		parser->sources.arena = parser->config->arena;
		parser->sources.reader = reader;
		parser->unknown_is_error = reader && reader->unknown_is_error;
		if (reader && reader->record) {
			parser->records = &records;
			parser->problems.kept = MAUI_PROBLEMS_RECORDED;
		}
		rc = parse_all(parser, name, text, size, distrust);
	} else {
		free(text);
	}
	if (!rc)
		*ret_config = parser->config;
	else if (parser)
		maui_config_unref(parser->config);
	free(records.items);
	free(parser);
	return rc ? maui_error_set(error, ENOMEM, "%s: no memory to read it", name) : 0;
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
	return load_text(path, text, size, trusted ? NULL : why.text, reader, ret_config, error);
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
	copy = malloc(size + 1);
	if (!copy)
		return maui_error_set(error, ENOMEM, "%s: no memory to read it", name);
	if (size)
		memcpy(copy, text, size);
	copy[size] = '\0';
	return load_text(name, copy, size, NULL, reader, ret_config, error);
}
