/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every record, and every problem at its place: one entry each, so that nothing is left out. */
#include "contribs/maui/check/report_entry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"
#include "common/util/search.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/text.h"

#define NOT_LISTED "it has no effect; there are too many names, values or problems to say why"

struct entry {
	struct maui_origin origin;
	size_t file, sequence;
	const struct maui_record *record; /* NULL: a problem that stands alone */
	char *remarks;                    /* what problems say, joined; NULL none */
	bool error, warned, useless, two_readings;
	bool no_effect; /* a warning says what the verdict on the value says */
	bool refused;   /* an error for which slurmctld refuses the file */
};

struct making {
	struct entry *entries; /* first those of records, in their order */
	size_t count, records;
	const char *files[MAUI_RECORD_FILES];
	size_t from[MAUI_RECORD_FILES + 1]; /* each file's first record, and the end */
	size_t file_count;
};

/* ---- problems to their lines ----------------------------------------------------------------- */

static size_t file_number(struct making *making, const char *file)
{
	size_t number = 0;

	while (number < making->file_count && strcmp(making->files[number], file) != 0)
		number++;
	if (number == making->file_count && number < MAUI_RECORD_FILES) {
		making->files[number] = file;
		making->file_count++;
		making->from[making->file_count] = making->from[number];
	}
	return number;
}

static bool report_entry_before(const struct maui_origin *a, const struct maui_origin *b)
{
	return a->line != b->line ? a->line < b->line : a->column < b->column;
}

/*
 * A problem of a whole line is at its beginning, before its first attribute: it belongs to the
 * first attribute on the line that has an entry. NULL: there is none.
 */
static struct entry *entry_of_line(struct entry *first, const struct entry *end, unsigned int line)
{
	for (struct entry *entry = first; entry < end && entry->origin.line == line; entry++)
		if (entry->record->fate == MAUI_RECORD_TAKEN)
			return entry;
	return first < end && first->origin.line == line ? first : NULL;
}

static bool is_include(const struct maui_record *record)
{
	return *record->name == '#';
}

static int compare_to_place(const void *place, const void *entry)
{
	return report_entry_before(place, &((const struct entry *)entry)->origin) ? -1 : 1;
}

/*
 * The entry that a place belongs to: the last one that begins there or before it on its line. Where
 * an #INCLUDE begins, what is not of it is of the entry before, as in "MAXJOB=#INCLUDE x".
 */
static struct entry *entry_at(const struct making *making, size_t file,
			      const struct maui_origin *place, bool of_include)
{
	size_t first, end, behind;

	if (file >= making->file_count)
		return NULL;
	first = making->from[file];
	end = making->from[file + 1];
	behind = first + maui_lower_bound(place, making->entries + first, end - first,
					  sizeof(*making->entries), compare_to_place);
	if (behind > first && !of_include && is_include(making->entries[behind - 1].record) &&
	    !report_entry_before(&making->entries[behind - 1].origin, place))
		behind--;
	if (behind > first && making->entries[behind - 1].record->last_line >= place->line)
		return &making->entries[behind - 1];
	return entry_of_line(making->entries + behind, making->entries + end, place->line);
}

static const char *report_entry_without(const char *text, const char *beginning)
{
	size_t size = strlen(beginning);

	return strncmp(text, beginning, size) != 0 ? text : text + size;
}

/* A text without the names of the object and the key, which the entry begins with anyway. */
static const char *without_name(const struct entry *entry, const char *text)
{
	const struct maui_record *record = entry->record;
	char name[100];

	if (!record)
		return text;
	if (record->section != MAUI_PARAMETERS) {
		snprintf(name, sizeof(name), "%s[%.60s]: ", maui_section_name(record->section),
			 record->object);
		text = report_entry_without(text, name);
	}
	if (!record->key)
		return text;
	snprintf(name, sizeof(name), "%s: ", record->key->name);
	return report_entry_without(text, name);
}

static void report_entry_remark(struct entry *entry, const char *problem)
{
	const char *text = without_name(entry, problem);
	char *joined;

	if (entry->remarks && strstr(entry->remarks, text))
		return;
	joined = text_printf("%s%s%s", entry->remarks ? entry->remarks : "",
			     entry->remarks ? "; " : "", text);
	free(entry->remarks);
	entry->remarks = joined;
}

/* An entry for a problem that belongs to no record. */
static struct entry *stand_alone(struct making *making, size_t file,
				 const struct maui_origin *origin)
{
	struct entry *entry = &making->entries[making->count];

	*entry = (struct entry){.origin = *origin, .file = file, .sequence = making->count++};
	return entry;
}

/* Adds a problem to the entry that it belongs to, which is returned. */
static struct entry *add_problem(struct making *making, const struct maui_origin *origin,
				 bool error, bool of_include)
{
	size_t file = file_number(making, origin->file);
	struct entry *entry = entry_at(making, file, origin, of_include);

	if (!entry)
		entry = stand_alone(making, file, origin);
	entry->error = entry->error || error;
	entry->warned = entry->warned || !error;
	return entry;
}

/* A remark on how many more there are, at the place of the last one listed. */
static void add_rest(struct making *making, const struct maui_origin *origin, bool error,
		     const char *text)
{
	struct entry *entry = stand_alone(making, file_number(making, origin->file), origin);

	entry->error = error;
	entry->warned = !error;
	report_entry_remark(entry, text);
}

static void add_own(struct making *making, const struct maui_problem *problem)
{
	bool error = problem->severity == MAUI_ERROR;
	struct entry *entry;

	if (problem->rest) {
		add_rest(making, &problem->origin, error, problem->text);
		return;
	}
	entry = add_problem(making, &problem->origin, error, problem->of_include);
	entry->no_effect = entry->no_effect || problem->no_effect;
	entry->refused = entry->refused || error;
	entry->two_readings = entry->two_readings || problem->two_readings;
	report_entry_remark(entry, problem->text);
}

static void add_problems(struct making *making, const struct maui_config *config)
{
	const struct maui_problem *problems;
	size_t count = maui_config_problems(config, &problems);

	for (size_t i = 0; i < count; i++)
		add_own(making, &problems[i]);
}

static void add_findings(struct making *making, const struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *problem = &findings->problems[i];
		const struct maui_origin origin = {.file = findings_file(findings, problem),
						   .line = problem->line,
						   .column = problem->column};
		struct entry *entry = add_problem(making, &origin, problem->error, false);

		entry->useless = entry->useless || problem->useless;
		report_entry_remark(entry, problem->text);
	}
}

/* ---- records --------------------------------------------------------------------------------- */

static void add_records(struct making *making, const struct maui_record *records, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t number = making->file_count;

		if (!number || making->files[number - 1] != records[i].origin.file) {
			if (number < MAUI_RECORD_FILES) {
				making->files[number] = records[i].origin.file;
				making->from[number] = i;
				making->file_count++;
			}
		}
		making->entries[i] = (struct entry){.origin = records[i].origin,
						    .file = making->file_count - 1,
						    .sequence = i,
						    .record = &records[i]};
		making->from[making->file_count] = i + 1;
	}
	making->count = making->records = count;
}

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	if (a->origin.line != b->origin.line)
		return a->origin.line < b->origin.line ? -1 : 1;
	if (a->origin.column != b->origin.column)
		return a->origin.column < b->origin.column ? -1 : 1;
	return a->sequence < b->sequence ? -1 : a->sequence > b->sequence;
}

/* ---- an entry's verdict and text ------------------------------------------------------------- */

const char *report_verdict_name(enum report_verdict verdict)
{
	return verdict == REPORT_ERROR ? "error"
				       : maui_verdict_name((enum maui_verdict_kind)verdict);
}

/* "USERCFG[bob] MAXJOB[USER]", "FSWEIGHT[batch]", "#INCLUDE more.cfg" */
static char *name_of(const struct entry *entry)
{
	const struct maui_record *record = entry->record;

	if (!record)
		return text_copy("");
	if (is_include(record))
		return text_printf("%s %s", record->name, record->object);
	if (record->section == MAUI_PARAMETERS)
		return text_printf(*record->object ? "%s[%s]" : "%s", record->name, record->object);
	if (!*record->object)
		return text_printf("%s %s", maui_section_name(record->section), record->name);
	return text_printf("%s[%s] %s", maui_section_name(record->section), record->object,
			   record->name);
}

/* The result is malloc'ed and the caller's. */
static char *report_entry_judge(const struct entry *entry, struct report_entry *written)
{
	struct maui_verdict verdict = {MAUI_IGNORED, MAUI_LOSS_POLICY, NULL};
	const char *remarks = entry->remarks ? entry->remarks : "";
	char *own =
		entry->record ? report_describe(entry->record, remarks, &verdict) : text_copy("");
	char *text;
	bool left = !entry->record || entry->record->fate == MAUI_RECORD_LEFT;

	written->verdict = (enum report_verdict)verdict.kind;
	written->loss = verdict.loss;
	if (entry->error) {
		written->verdict = REPORT_ERROR;
		written->loss = MAUI_LOSS_POLICY;
	} else if (verdict.kind == MAUI_IGNORED) {
		if (!left && *own) /* why is said already, and other warnings no longer matter */
			return own;
		if (!*remarks)
			remarks = NOT_LISTED;
	} else if (entry->useless) {
		written->verdict = REPORT_IGNORED;
		written->loss = MAUI_LOSS_POLICY;
	} else if (entry->warned) {
		written->verdict = REPORT_APPROXIMATED;
		if (verdict.loss < MAUI_LOSS_DIFFERENT && !entry->no_effect)
			written->loss = MAUI_LOSS_DIFFERENT;
	}
	if (!*remarks)
		return own;
	text = text_printf("%s%s%s%s", remarks, *own && !entry->error ? "; " : "",
			   entry->error ? "" : own, entry->refused ? MAUI_FILE_REFUSED : "");
	free(own);
	return text;
}

static void write_entry(const struct entry *entry, struct report *report)
{
	struct report_entry *written = &report->entries[report->count++];

	*written = (struct report_entry){.origin = entry->origin,
					 .parameter = name_of(entry),
					 .record = entry->record,
					 .two_readings = entry->two_readings};
	written->text = report_entry_judge(entry, written);
	report->two_readings += written->two_readings;
	report->counts[written->verdict]++;
	if (written->verdict != REPORT_ERROR)
		report->losses[written->loss]++;
}

static void write_entries(struct making *making, struct report *report)
{
	const struct entry *last = NULL;

	report->entries = maui_calloc(making->count + 1, sizeof(*report->entries));
	qsort(making->entries, making->count, sizeof(*making->entries), compare_entries);
	for (size_t i = 0; i < making->count; i++) {
		const struct entry *entry = &making->entries[i];

		if (!last || last->file != entry->file || last->origin.line != entry->origin.line)
			report->lines++;
		last = entry;
		write_entry(entry, report);
	}
}

/* More lines than are kept: they must not go unreported. */
static void add_lost(struct making *making, const struct maui_record *records, size_t count,
		     size_t lost)
{
	char text[100];

	if (!lost)
		return;
	snprintf(text, sizeof(text),
		 "the report has no room for %zu more parameters and attributes", lost);
	add_rest(making, &records[count - 1].origin, true, text);
}

void report_make(const struct maui_config *config, const struct findings *findings,
		 struct report *report)
{
	const struct maui_record *records;
	size_t lost, count = maui_config_records(config, &records, &lost);
	size_t problems = maui_config_problems(config, NULL) + findings->count + 1;
	struct making making = {.entries = maui_calloc(count + problems, sizeof(*making.entries))};

	*report = (struct report){0};
	add_records(&making, records, count);
	add_problems(&making, config);
	add_findings(&making, findings);
	add_lost(&making, records, count, lost);
	write_entries(&making, report);
	for (size_t i = 0; i < making.count; i++)
		free(making.entries[i].remarks);
	free(making.entries);
}

void report_clear(struct report *report)
{
	for (size_t i = 0; i < report->count; i++) {
		free(report->entries[i].parameter);
		free(report->entries[i].text);
	}
	free(report->entries);
	*report = (struct report){0};
}
