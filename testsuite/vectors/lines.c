/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/vectors/lines.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_SIZE  64
#define LINE_SIZE  512
#define SEPARATORS " \t\r\n"

const char *lines_at(struct json_object *cfg, size_t index)
{
	const char *line = json_object_get_string(json_object_array_get_idx(cfg, index));

	return line ? line : "";
}

size_t lines_count(struct json_object *cfg)
{
	return json_object_is_type(cfg, json_type_array) ? json_object_array_length(cfg) : 0;
}

/* Whether a line is worth reading word by word. */
static bool begins_with(const char *line, const char *text)
{
	return !strncmp(line + strspn(line, SEPARATORS), text, strlen(text));
}

const char *lines_parameter(struct json_object *cfg, const char *name, char *text)
{
	const char *found = NULL;

	for (size_t i = 0; i < lines_count(cfg); i++) {
		char line[LINE_SIZE], *rest, *word, *value;

		if (!begins_with(lines_at(cfg, i), name))
			continue;
		snprintf(line, sizeof(line), "%s", lines_at(cfg, i));
		word = strtok_r(line, SEPARATORS, &rest);
		value = strtok_r(NULL, SEPARATORS, &rest);
		if (word && value && !strcmp(word, name)) {
			snprintf(text, TEXT_SIZE, "%s", value);
			found = text;
		}
	}
	return found;
}

const char *lines_attribute(struct json_object *cfg, const char *section, const char *index,
			    const char *attribute, char *text)
{
	char head[LINE_SIZE];
	size_t length = strlen(attribute);
	const char *found = NULL;

	snprintf(head, sizeof(head), "%s[%s]", section, index);
	for (size_t i = 0; i < lines_count(cfg); i++) {
		char line[LINE_SIZE], *rest, *word;

		if (!begins_with(lines_at(cfg, i), head))
			continue;
		snprintf(line, sizeof(line), "%s", lines_at(cfg, i));
		word = strtok_r(line, SEPARATORS, &rest);
		if (!word || strcmp(word, head))
			continue;
		while ((word = strtok_r(NULL, SEPARATORS, &rest)))
			if (!strncmp(word, attribute, length) && word[length] == '=') {
				snprintf(text, TEXT_SIZE, "%s", word + length + 1);
				found = text;
			}
	}
	return found;
}

char *lines_join(struct json_object *cfg)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	if (!stream)
		return NULL;
	for (size_t i = 0; i < lines_count(cfg); i++)
		fprintf(stream, "%s\n", lines_at(cfg, i));
	return fclose(stream) ? NULL : text;
}
