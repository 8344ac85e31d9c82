/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads `sacctmgr -P show qos`: names of columns, and a line for each QOS with bars between its
 * values. Which columns there are differs by release and by --format.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/import/import_accounting.h"
#include "common/replay/slurm_conf/slurm_conf_values.h"
#include "common/util/grow.h"
#include "common/util/list.h"
#include "common/util/memory.h"

#define COLUMNS 128

struct qos_reading {
	struct maui_import_accounting *accounting;
	struct maui_import_lines lines;
	const char *columns[COLUMNS];
	size_t column_count, name, priority; /* COLUMNS: there is none */
};

/* Cuts a line at its bars; more than most are not counted. */
static size_t qos_split(char *line, const char *fields[], size_t most)
{
	size_t count = 0;

	for (char *at = line; at && count < most;) {
		fields[count++] = at;
		at = strchr(at, '|');
		if (at)
			*at++ = '\0';
	}
	return count;
}

/* sacctmgr -p ends each line with a bar. */
static size_t qos_without_last(const char *const fields[], size_t count)
{
	return count && !*fields[count - 1] ? count - 1 : count;
}

static bool qos_has_column(const struct qos_reading *reading, const struct maui_item *column)
{
	for (size_t i = 0; i < reading->column_count; i++)
		if (strlen(reading->columns[i]) == column->size &&
		    !strncasecmp(reading->columns[i], column->text, column->size))
			return true;
	return false;
}

static void qos_note_missing(struct qos_reading *reading)
{
	const char *columns = MAUI_IMPORT_QOS_COLUMNS;
	struct maui_item column;
	char *missing = NULL;

	while (maui_list_next(&columns, ",", &column)) {
		char *before = missing;

		if (qos_has_column(reading, &column))
			continue;
		missing = maui_asprintf("%s%s%.*s", before ? before : "", before ? ", " : "",
					(int)column.size, column.text);
		free(before);
	}
	if (missing)
		reading->accounting->qos_missing =
			maui_arena_text(reading->accounting->arena, missing, strlen(missing));
	free(missing);
}

static void qos_take_header(struct qos_reading *reading, char *line)
{
	reading->column_count = qos_split(line, reading->columns, COLUMNS);
	reading->column_count = qos_without_last(reading->columns, reading->column_count);
	for (size_t i = 0; i < reading->column_count; i++) {
		if (!strcasecmp(reading->columns[i], "Name"))
			reading->name = i;
		if (!strcasecmp(reading->columns[i], "Priority"))
			reading->priority = i;
	}
	if (reading->name == COLUMNS || reading->priority == COLUMNS)
		maui_import_complain(
			&reading->lines, line,
			"this is not what `sacctmgr -P show qos` prints: it has the columns "
			"Name and Priority");
	qos_note_missing(reading);
}

static void qos_put(struct qos_reading *reading, const char *name, const char *priority)
{
	struct maui_import_accounting *accounting = reading->accounting;
	int64_t number = 0;

	if (!maui_import_is_name(name))
		maui_import_complain(&reading->lines, name, "maui.cfg cannot have this name");
	if (*priority && !maui_conf_parse_number(priority, MAUI_CONF_32, &number))
		maui_import_complain(&reading->lines, priority, "a priority is a whole number");
	for (size_t i = 0; i < accounting->qos_count; i++)
		if (!strcasecmp(accounting->qos[i].name, name))
			maui_import_complain(&reading->lines, name, "this QOS stands here twice");
	accounting->qos = maui_grow(accounting->qos, accounting->qos_count + 1,
				    &accounting->qos_room, sizeof(*accounting->qos));
	accounting->qos[accounting->qos_count++] = (struct maui_import_qos){name, (uint32_t)number};
}

static bool qos_is_limit(const char *column)
{
	static const char *const others[] = {"Name", "Priority", "Description", "Descr", "ID"};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcasecmp(column, others[i]))
			return false;
	return true;
}

static void qos_take_row(struct qos_reading *reading, char *line)
{
	const char *fields[COLUMNS + 1];
	size_t count = qos_split(line, fields, COLUMNS + 1);
	struct maui_import_holder of = {.level = MAUI_IMPORT_OF_QOS};

	if (count == reading->column_count + 1)
		count = qos_without_last(fields, count);
	if (count != reading->column_count) {
		maui_import_complain(&reading->lines, line,
				     "this line has not as many values as there are columns");
		return;
	}
	qos_put(reading, fields[reading->name], fields[reading->priority]);
	of.name = fields[reading->name];
	for (size_t i = 0; i < count; i++)
		if (qos_is_limit(reading->columns[i]))
			maui_import_add_limit(reading->accounting, reading->columns[i], fields[i],
					      &of);
}

static void qos_take_line(void *context, char *line)
{
	struct qos_reading *reading = context;

	line[strcspn(line, "\r")] = '\0';
	if (!*line)
		return;
	if (!reading->column_count)
		qos_take_header(reading, line);
	else if (reading->name < COLUMNS && reading->priority < COLUMNS)
		qos_take_row(reading, line);
}

int maui_import_read_qos(struct maui_import_accounting *accounting, const char *path,
			 const char *text, size_t size,
			 const struct maui_import_complaints *complaints)
{
	struct qos_reading reading = {.accounting = accounting,
				      .lines = {.complaints = complaints, .path = path},
				      .name = COLUMNS,
				      .priority = COLUMNS};

	maui_import_each_line(&reading.lines, accounting->arena, text, size, qos_take_line,
			      &reading);
	if (!accounting->qos_count && !reading.lines.wrong)
		maui_import_complain_of_all(&reading.lines, "there is no QOS");
	return reading.lines.wrong ? -EINVAL : 0;
}
