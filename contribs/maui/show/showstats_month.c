/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums the FS files of a calendar month by fs_period_read(), and prints hours
 * and percent of each credential, or maui.showstats-month/1.
 */
#include "contribs/maui/show/showstats_month.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/report/report_fairshare.h"
#include "common/util/arena.h"
#include "common/util/time/calendar.h"
#include "common/util/time/date.h"
#include "common/util/memory.h"
#include "contribs/maui/fs/fs_names.h"
#include "contribs/maui/fs/fs_period.h"
#include "contribs/maui/lib/credential_known.h"
#include "common/report/json.h"
#include "contribs/maui/lib/node_text.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/text.h"

#define HOUR 3600.0

struct month {
	int64_t day;              /* its first */
	struct maui_fs_span span; /* all of it */
	enum maui_credential type;
	const char *directory;
	char metric[MAUI_FS_METRIC_SIZE];
	struct fs_period usage;
	struct maui_report_fsrow *rows; /* sum: in the month */
	size_t count;
	struct maui_arena *names; /* of rows */
};

/* ---- which month --------------------------------------------------------------------------- */

static int find_month(const char *text, int64_t now, struct month *month)
{
	int64_t today = maui_clock_at(now).day;
	struct maui_error error;

	if (!strcmp(text, "this") || !strcmp(text, "last"))
		month->day = maui_month_first(today, !strcmp(text, "last") ? -1 : 0);
	else if (maui_month_parse(text, &month->day, &error))
		return fail(EXIT_ERRORS, "--month: %s, or this, or last", error.text);
	month->span.start = maui_clock_instant(month->day, 0);
	month->span.end = maui_clock_instant(maui_month_first(month->day, 1), 0);
	if (month->span.start >= now)
		return fail(EXIT_ERRORS, "--month=%s has not begun", text);
	return EXIT_OK;
}

/* "2026-11" */
static void print_name(const struct month *month, char text[16])
{
	int64_t date = maui_day_to_date(month->day);

	snprintf(text, 16, "%04d-%02d", (int)(date / 10000), (int)(date / 100 % 100));
}

/* ---- rows ---------------------------------------------------------------------------------- */

static void make_rows(struct month *month, const char *wanted)
{
	const struct maui_intern *names;
	char meant[MAUI_PRINCIPAL_TEXT_SIZE], buffer[MAUI_PRINCIPAL_TEXT_SIZE];
	uint32_t last;

	if (month->type == MAUI_CREDENTIALS)
		return;
	names = month->usage.names[month->type];
	last = maui_intern_count(names);
	if (wanted)
		fs_name_text(month->type, wanted, meant, &wanted);
	month->rows = maui_calloc(last + (size_t)1, sizeof(*month->rows));
	for (uint32_t id = 1; id <= last; id++) {
		const char *text = maui_intern_name(names, id), *name;
		struct maui_report_fsrow *row = &month->rows[month->count];
		double amount = month->usage.amount[month->type][id];

		if (amount <= 0 || (wanted && strcmp(text, wanted) != 0))
			continue;
		name = fs_name_of(month->type, text, buffer, &row->unnamed);
		row->name = maui_arena_text(month->names, name, strlen(name));
		row->sum = amount;
		row->percent = month->usage.total > 0 ? 100 * amount / month->usage.total : 0;
		month->count++;
	}
	if (month->count)
		qsort(month->rows, month->count, sizeof(*month->rows), maui_report_fsrow_compare);
}

/* ---- text ---------------------------------------------------------------------------------- */

static void print_line(const char *name, double amount, double percent)
{
	print_padded(name, -14);
	printf(" %12.2f %6.2f\n", amount / HOUR, percent);
}

static void print_table(const struct month *month)
{
	char name[16], from[TEXT_DATE_SIZE], until[TEXT_DATE_SIZE];
	const struct fs_period *usage = &month->usage;

	print_name(month, name);
	if (usage->until > usage->span.start)
		printf("usage of %s (%s), from %s to %s\n\n", name, month->metric,
		       text_date(usage->span.start, "-", from),
		       text_date(usage->until, "-", until));
	else
		printf("usage of %s (%s): none is counted\n\n", name, month->metric);
	printf("%-14s %12s %6s\n",
	       month->type < MAUI_CREDENTIALS ? maui_credential_name(month->type) : "", "Hours",
	       "%");
	for (size_t i = 0; i < month->count; i++) {
		char text[MAUI_PRINCIPAL_TEXT_SIZE];

		print_line(maui_report_fsrow_name(month->type, &month->rows[i], text),
			   month->rows[i].sum, month->rows[i].percent);
	}
	print_line("TOTAL", usage->total, usage->total > 0 ? 100 : 0);
}

/* ---- what the reader should know ----------------------------------------------------------- */

static void note_lacks(const struct fs_period *usage)
{
	char from[TEXT_DATE_SIZE], until[TEXT_DATE_SIZE];

	for (size_t i = 0; i < usage->lack_count; i++) {
		const struct fs_lack *lack = &usage->lacks[i];

		note("usage is incomplete from %s to %s: %s",
		     text_date(lack->span.start, "-", from), text_date(lack->span.end, "-", until),
		     lack->why);
	}
}

static void note_shared(const struct fs_period *usage)
{
	char from[TEXT_DATE_SIZE], until[TEXT_DATE_SIZE];

	for (size_t i = 0; i < usage->shared_count; i++) {
		const struct fs_shared *shared = &usage->shared[i];

		note("of the window from %s to %s, %.2f of %.2f hours count, in proportion to time",
		     text_date(shared->window.start, "-", from),
		     text_date(shared->window.end, "-", until), shared->counted / HOUR,
		     shared->usage / HOUR);
	}
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static struct json_object *span_object(struct maui_fs_span span)
{
	struct json_object *object = json_make_object();

	json_set_number(object, "start", span.start);
	json_set_number(object, "end", span.end);
	return object;
}

static struct json_object *row_object(const struct maui_report_fsrow *row)
{
	struct json_object *object = json_make_object();

	json_set_text(object, "name", row->name);
	if (row->unnamed)
		json_set_flag(object, "unnamed", true);
	json_set(object, "hours", json_make_real(row->sum / HOUR));
	json_set(object, "percent", json_make_real(row->percent));
	return object;
}

static void set_doubts(struct json_object *data, const struct fs_period *usage)
{
	struct json_object *lacks = json_make_array(), *shared = json_make_array();

	for (size_t i = 0; i < usage->lack_count; i++) {
		struct json_object *object = span_object(usage->lacks[i].span);

		json_set_text(object, "text", usage->lacks[i].why);
		json_append(lacks, object);
	}
	for (size_t i = 0; i < usage->shared_count; i++) {
		struct json_object *object = span_object(usage->shared[i].window);

		json_set(object, "hours", json_make_real(usage->shared[i].usage / HOUR));
		json_set(object, "counted_hours", json_make_real(usage->shared[i].counted / HOUR));
		json_append(shared, object);
	}
	json_set_flag(data, "complete", !usage->lack_count);
	json_set(data, "incomplete", lacks);
	json_set(data, "shared", shared);
}

static int print_data(const struct month *month)
{
	struct json_object *data = json_make_object(), *rows = json_make_array();
	const struct fs_period *usage = &month->usage;
	bool any = usage->until > usage->span.start;
	char name[16];
	int code;

	print_name(month, name);
	json_set_text(data, "month", name);
	json_set_number(data, "start", month->span.start);
	json_set_number(data, "end", month->span.end);
	json_set(data, "until", any ? json_make_number(usage->until) : NULL);
	json_set_text(data, "policy", month->metric);
	json_set_text(data, "directory", month->directory);
	set_doubts(data, usage);
	json_set(data, "hours", json_make_real(usage->total / HOUR));
	json_set(data, "type",
		 month->type < MAUI_CREDENTIALS ? json_make_text(maui_credential_name(month->type))
						: NULL);
	for (size_t i = 0; i < month->count; i++)
		json_append(rows, row_object(&month->rows[i]));
	json_set(data, "rows", rows);
	code = print_json("maui.showstats-month/1", data);
	json_object_put(data);
	return code;
}

/* ---- the command --------------------------------------------------------------------------- */

static int showstats_month_report(const struct cli *cli, struct month *month, const char *name)
{
	int code = EXIT_OK;

	make_rows(month, name);
	if (name && !month->count) {
		if (!credential_is_known(maui_credential_name(month->type), name))
			return EXIT_ERRORS;
		note("%s %s has used nothing in this month", maui_credential_name(month->type),
		     name);
	}
	if (cli->json)
		code = print_data(month);
	else
		print_table(month);
	note_shared(&month->usage);
	note_lacks(&month->usage);
	if (code)
		return code;
	return month->usage.failed ? EXIT_ERRORS : EXIT_OK;
}

static int showstats_month_show(const struct cli *cli, const struct fs_site *site, int64_t now,
				struct month *month, const char *name)
{
	struct maui_fs_span span = month->span;
	struct maui_error error;
	int code;

	month->directory = fs_site_directory(site);
	if (!month->directory)
		return EXIT_ERRORS;
	if (span.end > now)
		span.end = now;
	if (fs_period_read(site, month->directory, span, now, &month->usage, &error))
		return fail(EXIT_ERRORS, "%s", error.text);
	maui_fairshare_metric_name(&site->settings, month->metric);
	if (site->settings.metric == MAUI_FS_OFF)
		note("FSPOLICY is not set: the engine counts nothing");
	month->names = maui_arena_new();
	code = showstats_month_report(cli, month, name);
	maui_arena_free(month->names);
	free(month->rows);
	fs_period_clear(&month->usage);
	return code;
}

int showstats_month(const struct cli *cli, const char *text, enum maui_credential type,
		    const char *name)
{
	int64_t now = (int64_t)time(NULL);
	struct month month = {.type = type};
	struct fs_site site;
	int code = find_month(text, now, &month);

	if (code)
		return code;
	code = fs_site_load(cli, true, &site);
	if (code)
		return code;
	code = showstats_month_show(cli, &site, now, &month, name);
	fs_site_clear(&site);
	return code;
}
