/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds a record for each parameter, attribute, unknown word and #INCLUDE, marks
 * replaced ones, and sorts the records of each file by place.
 */
#include "common/config/record.h"

#include <stdlib.h>
#include <string.h>

#include "common/config/objects.h"
#include "common/config/text/sources.h"
#include "common/config/text/words.h"
#include "common/util/grow.h"
#include "common/util/text.h"

_Static_assert(MAUI_RECORD_FILES >= MAUI_SOURCES_LIMIT, "records of every file");

size_t maui_config_records(const struct maui_config *config, const struct maui_record **ret_records,
			   size_t *ret_lost)
{
	if (ret_records)
		*ret_records = config->records;
	if (ret_lost)
		*ret_lost = config->records_lost;
	return config->record_count;
}

static struct maui_record *record_of(const struct maui_records *records, uint32_t number)
{
	return records && number ? &records->items[number - 1] : NULL;
}

/* A new record; NULL if it is not kept but only counted. */
static struct maui_record *record_add(struct maui_records *records)
{
	records->current = 0;
	if (records->count == MAUI_RECORDS_LIMIT) {
		records->lost++;
		return NULL;
	}
	records->items = maui_grow(records->items, records->count + 1, &records->room,
				   sizeof(*records->items));
	records->current = ++records->count;
	return &records->items[records->count - 1];
}

void maui_record_begin(struct maui_records *records, enum maui_section section, const char *object,
		       size_t object_size, const char *text, size_t size, size_t offset)
{
	struct maui_record *record = records ? record_add(records) : NULL;

	if (!record)
		return;
	*record = (struct maui_record){
		.origin = maui_lexer_origin(records->lexer, offset),
		.section = section,
		.object = maui_arena_text(records->arena, object ? object : "", object_size),
		.name = maui_arena_text(records->arena, text, size),
	};
	record->last_line = record->origin.line;
}

static struct maui_record *record_current(const struct maui_records *records)
{
	return records ? record_of(records, records->current) : NULL;
}

void maui_record_key(struct maui_records *records, const struct maui_key_info *key)
{
	struct maui_record *record = record_current(records);

	if (record)
		record->key = key;
}

void maui_record_unknown(struct maui_records *records)
{
	struct maui_record *record = record_current(records);

	if (record)
		record->fate = MAUI_RECORD_UNKNOWN;
}

void maui_record_taken(struct maui_records *records, const struct maui_value *value,
		       uint32_t *entry_record)
{
	struct maui_record *record = record_current(records);
	struct maui_value *copy;

	if (!record)
		return;
	*entry_record = records->current;
	record->fate = MAUI_RECORD_TAKEN;
	if (!value)
		return;
	copy = maui_arena_alloc(records->arena, 1, sizeof(*copy));
	*copy = *value;
	record->value = copy;
}

void maui_record_replaced(struct maui_records *records, uint32_t number, struct maui_origin by)
{
	struct maui_record *record = record_of(records, number);

	if (!record)
		return;
	record->fate = MAUI_RECORD_REPLACED;
	record->replaced_by = by;
}

void maui_record_left(struct maui_records *records, uint32_t number)
{
	struct maui_record *record = record_of(records, number);

	if (record)
		record->fate = MAUI_RECORD_LEFT;
}

void maui_record_line(struct maui_records *records)
{
	if (!records)
		return;
	records->line = records->count + records->lost;
	records->current = 0;
}

void maui_record_line_end(struct maui_records *records)
{
	const struct maui_line *line;
	size_t start, end;

	if (!records)
		return;
	line = &records->lexer->line;
	if (records->count + records->lost == records->line) {
		start = maui_skip_blanks(line->text, line->size, 0);
		for (end = start; end < line->size && !maui_is_blank(line->text[end]); end++)
			;
		if (end - start > MAUI_EXCERPT_SIZE)
			end = start + MAUI_EXCERPT_SIZE;
		if (start < line->size)
			maui_record_begin(records, MAUI_PARAMETERS, NULL, 0, line->text + start,
					  end - start, start);
	}
	for (size_t i = records->line; i < records->count; i++)
		records->items[i].last_line = line->segments[line->segment_count - 1].line;
	records->current = 0;
}

void maui_record_include(struct maui_records *records, const char *path, struct maui_origin origin,
			 bool included)
{
	struct maui_record *record = records ? record_add(records) : NULL;

	if (!record)
		return;
	*record = (struct maui_record){.origin = origin,
				       .last_line = origin.line,
				       .object = path,
				       .name = "#INCLUDE",
				       .fate = included ? MAUI_RECORD_INCLUDED : MAUI_RECORD_LEFT};
	records->current = 0;
}

/* --- at the end ------------------------------------------------------------------------------- */

static int record_compare(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

/* Within one file: includes were added after the lines among which they stand. */
static int compare_places(const void *left, const void *right)
{
	const struct maui_record *a = left, *b = right;
	int order = record_compare(a->origin.line, b->origin.line);

	return order ? order : record_compare(a->origin.column, b->origin.column);
}

/* Files are read one after another, so the records of one are adjacent. */
static void record_sort(struct maui_record *items, size_t count)
{
	for (size_t from = 0, to; from < count; from = to) {
		for (to = from; to < count && items[to].origin.file == items[from].origin.file;
		     to++)
			;
		qsort(items + from, to - from, sizeof(*items), compare_places);
	}
}

void maui_records_finish(struct maui_records *records, struct maui_config *config)
{
	struct maui_record *items;

	if (!records)
		return;
	items = maui_arena_alloc(config->arena, records->count, sizeof(*items));
	if (records->count) {
		record_sort(records->items, records->count);
		memcpy(items, records->items, records->count * sizeof(*items));
	}
	config->records = items;
	config->record_count = records->count;
	config->records_lost = records->lost;
}
