/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses a file line by line by its table of records, and writes first line,
 * records, and last line with checksum.
 */
#include "common/state/state_file.h"

#include <assert.h>
#include <errno.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/memory.h"

#define MAX_STATE 128 /* bytes of the structs of states, and of lines */
#define MAX_LINE  1024

const char *maui_state_first_line(const struct maui_state_file *file,
				  char line[MAUI_STATE_FIRST_LINE])
{
	snprintf(line, MAUI_STATE_FIRST_LINE, "slurm-maui %s %u\n", file->name, file->version);
	return line;
}

/* ---- reading ---- */

struct reading {
	const struct maui_state_file *file;
	void *state;
	char *texts; /* those of one line */
};

static int read_line(struct maui_statetext_words words, void *context, const char **why)
{
	const struct reading *reading = context;
	const struct maui_state_file *file = reading->file;
	alignas(max_align_t) char members[MAX_LINE];

	for (size_t i = 0; i < file->record_count; i++) {
		const struct maui_record *record = &file->records[i];
		struct maui_state_line line = {record, members, *why};
		int rc;

		if (!maui_record_begins(record, words))
			continue;
		memset(members, 0, file->line_size);
		if (!maui_record_read(record, words, members, reading->texts))
			return -EINVAL;
		rc = file->take(reading->state, &line);
		*why = line.why;
		return rc;
	}
	return -EINVAL;
}

static char *make_texts(const struct maui_state_file *file)
{
	size_t size = 1;

	for (size_t i = 0; i < file->record_count; i++)
		if (maui_record_texts(&file->records[i]) > size)
			size = maui_record_texts(&file->records[i]);
	return maui_malloc(size, 1);
}

static int read_lines(const struct maui_state_file *file, const struct maui_statetext *content,
		      void *state, struct maui_error *error)
{
	struct reading reading = {file, state, make_texts(file)};
	int rc;

	if (file->begin)
		file->begin(state, content->lines);
	rc = maui_statetext_lines(content, read_line, &reading, error);
	free(reading.texts);
	return rc;
}

int maui_state_parse(const struct maui_state_file *file, const char *text, size_t size,
		     void *ret_state, struct maui_error *error)
{
	alignas(max_align_t) char state[MAX_STATE] = {0};
	char first[MAUI_STATE_FIRST_LINE];
	struct maui_statetext content;
	int rc;

	if (file->parse)
		return file->parse(text, size, ret_state, error);
	assert(file->state_size <= sizeof(state) && file->line_size <= MAX_LINE);
	rc = maui_statetext_open(text, size, maui_state_first_line(file, first), &content, error);
	if (rc)
		return rc;
	rc = read_lines(file, &content, state, error);
	if (!rc && file->check)
		rc = file->check(state, error);
	if (rc)
		file->clear(state);
	else
		memcpy(ret_state, state, file->state_size);
	return rc;
}

/* ---- writing ---- */

struct maui_state_writer {
	char *text;
	size_t size, room;
	struct maui_statetext_sum sum;
};

static char *writer_room(struct maui_state_writer *writer, size_t size)
{
	writer->text = maui_grow(writer->text, writer->size + size, &writer->room, 1);
	return writer->text + writer->size;
}

static void writer_advance(struct maui_state_writer *writer, const char *line, const char *end)
{
	maui_statetext_add(&writer->sum, line, end);
	writer->size += (size_t)(end - line);
}

void maui_state_put(struct maui_state_writer *writer, const struct maui_record *record,
		    const void *line)
{
	char *at = writer_room(writer, maui_record_room(record, line));

	writer_advance(writer, at, maui_record_write(record, line, at));
}

static void put_list(const struct maui_state_file *file, const char *state,
		     struct maui_state_writer *writer)
{
	const char *list;
	size_t count;

	memcpy(&list, state + file->list, sizeof(list));
	memcpy(&count, state + file->count, sizeof(count));
	for (size_t i = 0; i < count; i++) {
		const void *line = list + i * file->line_size;

		if (file->by_pointer)
			memcpy(&line, list + i * sizeof(line), sizeof(line));
		maui_state_put(writer, file->records, line);
	}
}

void maui_state_format(const struct maui_state_file *file, const void *state, char **ret_text,
		       size_t *ret_size)
{
	struct maui_state_writer writer = {.sum = MAUI_STATETEXT_NOTHING};
	char first[MAUI_STATE_FIRST_LINE], *at;
	size_t size = strlen(maui_state_first_line(file, first));

	if (file->format) {
		file->format(state, ret_text, ret_size);
		return;
	}
	at = writer_room(&writer, size);
	memcpy(at, first, size);
	writer_advance(&writer, at, at + size);
	if (file->each)
		file->each(state, &writer);
	else
		put_list(file, state, &writer);
	at = writer_room(&writer, MAUI_STATETEXT_END_SIZE);
	*ret_text = writer.text;
	*ret_size = (size_t)(maui_statetext_seal_added(at, &writer.sum) - writer.text);
}
