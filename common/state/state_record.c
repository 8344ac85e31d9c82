/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes a line of a state file by its table of fields: numbers,
 * flags as one sum, credentials, names, and remaining text.
 */
#include "common/state/state_record.h"

#include <string.h>

#define CREDENTIAL_ROOM 16 /* bytes of a credential's name, at most */

/* ---- members ---- */

static int64_t get_number(const struct maui_field *field, const void *line)
{
	const char *member = (const char *)line + field->offset;
	int64_t number = 0;
	uint32_t narrow;

	if (field->size == sizeof(number)) {
		memcpy(&number, member, sizeof(number));
	} else if (field->size == sizeof(narrow)) {
		memcpy(&narrow, member, sizeof(narrow));
		number = narrow;
	} else {
		number = *(const bool *)member;
	}
	if (number < field->min)
		return field->min;
	return number > field->max ? field->max : number;
}

static void set_number(const struct maui_field *field, void *line, int64_t number)
{
	char *member = (char *)line + field->offset;
	uint32_t narrow = (uint32_t)number;

	if (field->size == sizeof(number))
		memcpy(member, &number, sizeof(number));
	else if (field->size == sizeof(narrow))
		memcpy(member, &narrow, sizeof(narrow));
	else
		*(bool *)member = number;
}

static const char *get_text(const struct maui_field *field, const void *line)
{
	const char *member = (const char *)line + field->offset, *text;

	if (!field->pointer)
		return member;
	memcpy(&text, member, sizeof(text));
	return text;
}

static enum maui_credential get_credential(const struct maui_field *field, const void *line)
{
	enum maui_credential type;

	memcpy(&type, (const char *)line + field->offset, sizeof(type));
	return type;
}

/* How many flags follow one another from here. */
static size_t count_flags(const struct maui_record *record, size_t at)
{
	size_t end = at;

	while (end < record->count && record->fields[end].kind == MAUI_FIELD_FLAG)
		end++;
	return end - at;
}

/* ---- reading ---- */

size_t maui_record_texts(const struct maui_record *record)
{
	size_t size = 0;

	for (size_t i = 0; i < record->count; i++)
		if (record->fields[i].pointer)
			size += (size_t)record->fields[i].max;
	return size;
}

/* The room of the text, from *texts if it has none in the line. */
static char *place_text(const struct maui_field *field, void *line, char **texts)
{
	char *member = (char *)line + field->offset, *text = *texts;

	if (!field->pointer)
		return member;
	memcpy(member, &text, sizeof(text));
	*texts += field->max;
	return text;
}

static bool read_flags(const struct maui_field *flags, size_t count,
		       struct maui_statetext_words *words, void *line)
{
	int64_t all = 0, number;

	for (size_t i = 0; i < count; i++)
		all |= flags[i].max;
	if (!maui_statetext_number(words, 0, all, &number))
		return false;
	for (size_t i = 0; i < count; i++)
		*(bool *)((char *)line + flags[i].offset) = number & flags[i].max;
	return true;
}

static bool read_credential(const struct maui_field *field, struct maui_statetext_words *words,
			    void *line)
{
	enum maui_credential type;

	if (!maui_statetext_word(words, " ") || !maui_statetext_credential(words, &type))
		return false;
	memcpy((char *)line + field->offset, &type, sizeof(type));
	return true;
}

static bool read_rest(struct maui_statetext_words *words, char *text, size_t room)
{
	if (!maui_statetext_rest(words, text, room) || !*text)
		return false;
	words->at = words->end;
	return true;
}

static bool read_field(const struct maui_field *field, struct maui_statetext_words *words,
		       void *line, char **texts)
{
	int64_t number;

	switch (field->kind) {
	case MAUI_FIELD_NUMBER:
		if (!maui_statetext_number(words, field->min, field->max, &number))
			return false;
		set_number(field, line, number);
		return true;
	case MAUI_FIELD_CREDENTIAL:
		return read_credential(field, words, line);
	case MAUI_FIELD_NAME:
		return maui_statetext_name(words, place_text(field, line, texts),
					   (size_t)field->max);
	case MAUI_FIELD_REST:
		return read_rest(words, place_text(field, line, texts), (size_t)field->max);
	case MAUI_FIELD_FLAG: /* read with its neighbours */
		break;
	}
	return false;
}

bool maui_record_begins(const struct maui_record *record, struct maui_statetext_words words)
{
	return maui_statetext_word(&words, record->word) && words.at < words.end &&
	       *words.at == ' ';
}

bool maui_record_read(const struct maui_record *record, struct maui_statetext_words words,
		      void *line, char *texts)
{
	if (!maui_statetext_word(&words, record->word))
		return false;
	for (size_t i = 0, flags; i < record->count; i += flags ? flags : 1) {
		flags = count_flags(record, i);
		if (flags ? !read_flags(&record->fields[i], flags, &words, line)
			  : !read_field(&record->fields[i], &words, line, &texts))
			return false;
	}
	return words.at == words.end;
}

/* ---- writing ---- */

size_t maui_record_room(const struct maui_record *record, const void *line)
{
	size_t room = strlen(record->word) + 1;

	for (size_t i = 0; i < record->count; i++) {
		const struct maui_field *field = &record->fields[i];

		if (field->kind == MAUI_FIELD_NAME || field->kind == MAUI_FIELD_REST)
			room += 1 + strlen(get_text(field, line));
		else
			room += field->kind == MAUI_FIELD_CREDENTIAL ? CREDENTIAL_ROOM
								     : MAUI_STATETEXT_NUMBER;
	}
	return room;
}

static char *write_text(char *at, const char *text)
{
	size_t size = strlen(text);

	*at = ' ';
	memcpy(at + 1, text, size);
	return at + 1 + size;
}

static char *write_flags(const struct maui_field *flags, size_t count, const void *line, char *at)
{
	int64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		if (*(const bool *)((const char *)line + flags[i].offset))
			sum |= flags[i].max;
	return maui_statetext_put_number(at, sum);
}

static char *write_field(const struct maui_field *field, const void *line, char *at)
{
	switch (field->kind) {
	case MAUI_FIELD_NUMBER:
		return maui_statetext_put_number(at, get_number(field, line));
	case MAUI_FIELD_CREDENTIAL:
		return write_text(at, maui_credential_name(get_credential(field, line)));
	case MAUI_FIELD_NAME:
	case MAUI_FIELD_REST:
		return write_text(at, get_text(field, line));
	case MAUI_FIELD_FLAG: /* written with its neighbours */
		break;
	}
	return at;
}

char *maui_record_write(const struct maui_record *record, const void *line, char *at)
{
	size_t size = strlen(record->word);

	memcpy(at, record->word, size);
	at += size;
	for (size_t i = 0, flags; i < record->count; i += flags ? flags : 1) {
		flags = count_flags(record, i);
		at = flags ? write_flags(&record->fields[i], flags, line, at)
			   : write_field(&record->fields[i], line, at);
	}
	*at++ = '\n';
	return at;
}
