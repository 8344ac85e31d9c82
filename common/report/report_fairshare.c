/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the table of `diagnose -f`, with a star at names off target, and makes
 * the JSON of diagnose-fairshare.
 */
#include "common/report/report_fairshare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/report/json.h"
#include "common/util/time/duration.h"
#include "common/util/memory.h"

#define NOTHING "-------" /* instead of a number */

void maui_report_fairshare_fill(const struct maui_fairshare *fs,
				struct maui_report_fairshare *ret_fairshare)
{
	struct maui_report_fairshare fairshare = {.settings = *maui_fairshare_settings_of(fs),
						  .start = maui_fairshare_start(fs, 0)};

	fairshare.sum = maui_fairshare_sum(fs, MAUI_FS_TOTAL, 0);
	for (uint32_t k = 0; k < fairshare.settings.depth; k++)
		fairshare.total[k] = maui_fairshare_usage(fs, MAUI_FS_TOTAL, 0, k);
	*ret_fairshare = fairshare;
}

void maui_report_fsrow_fill(const struct maui_fairshare *fs, enum maui_credential type, uint32_t id,
			    const char *name, const struct maui_fstarget *target,
			    struct maui_report_fsrow *ret_row)
{
	struct maui_report_fsrow row = {.name = name,
					.sum = maui_fairshare_sum(fs, type, id),
					.percent = maui_fairshare_percent(fs, type, id)};

	if (target)
		row.target = *target;
	for (uint32_t k = 0; k < MAUI_FS_MAX_DEPTH; k++)
		row.usage[k] = maui_fairshare_usage(fs, type, id, k);
	*ret_row = row;
}

static bool has_target(const struct maui_report_fsrow *row)
{
	return row->target.value > 0;
}

bool maui_report_fsrow_shown(const struct maui_report_fsrow *row)
{
	return has_target(row) || row->sum > 0;
}

bool maui_report_fsrow_off_target(const struct maui_report_fairshare *fairshare,
				  const struct maui_report_fsrow *row)
{
	if (!has_target(row) || !(fairshare->sum > 0))
		return false;
	switch (row->target.mode) {
	case MAUI_FS_TARGET:
		return fabs(row->percent - row->target.value) > 5;
	case MAUI_FS_FLOOR:
		return row->percent < row->target.value;
	case MAUI_FS_CEILING:
		return row->percent > row->target.value;
	default:
		return false;
	}
}

int maui_report_fsrow_compare(const void *a, const void *b)
{
	const struct maui_report_fsrow *left = a, *right = b;
	int last = !strcmp(left->name, "DEFAULT") - !strcmp(right->name, "DEFAULT");

	if (!last)
		last = strcmp(left->name, right->name);
	return last ? last : left->unnamed - right->unnamed;
}

/* ---- text ---------------------------------------------------------------------------------- */

/* Whether the window has a column. */
static bool is_column(const struct maui_report_fairshare *fairshare, uint32_t k)
{
	return k < fairshare->settings.depth && fairshare->total[k] > 0;
}

static void print_head(FILE *file, const struct maui_report_fairshare *fairshare)
{
	const struct maui_fairshare_settings *settings = &fairshare->settings;
	char interval[MAUI_DURATION_SIZE], metric[MAUI_FS_METRIC_SIZE];

	fprintf(file, "FairShare Information\n\n");
	fprintf(file, "Depth: %u intervals   Interval Length: %s   Decay Rate: %.2f\n\n",
		settings->depth, maui_duration_format(settings->interval, interval),
		settings->decay);
	/* The system has no target of its own in this line of Maui. */
	fprintf(file, "FS Policy: %s\nSystem FS Settings:  Target Usage: 0.00    Flags: 0\n\n",
		maui_fairshare_metric_name(settings, metric));
}

static void print_totals(FILE *file, const struct maui_report_fairshare *fairshare)
{
	fprintf(file, "%-14s %7s %7s", "FSInterval", "%   ", "Target");
	for (uint32_t k = 0; k < MAUI_FS_MAX_DEPTH; k++)
		if (is_column(fairshare, k))
			fprintf(file, " %7u", k);
	fprintf(file, "\n%-14s %7s %7s", "FSWeight", NOTHING, NOTHING);
	for (uint32_t k = 0; k < MAUI_FS_MAX_DEPTH; k++)
		if (is_column(fairshare, k))
			fprintf(file, " %7.4f",
				maui_fairshare_weight(fairshare->settings.decay, k));
	fprintf(file, "\n%-14s %7s %7s", "TotalUsage", "100.00", NOTHING);
	for (uint32_t k = 0; k < MAUI_FS_MAX_DEPTH; k++)
		if (is_column(fairshare, k))
			fprintf(file, " %7.1f", fairshare->total[k] / 3600);
	fputc('\n', file);
}

const char *maui_report_fsrow_name(unsigned int type, const struct maui_report_fsrow *row,
				   char text[MAUI_PRINCIPAL_TEXT_SIZE])
{
	if (row->unnamed || (type != MAUI_USER && type != MAUI_GROUP))
		return row->name;
	return maui_principal_text(row->name, UINT32_MAX, text);
}

static void print_row(FILE *file, const struct maui_report_fairshare *fairshare, unsigned int type,
		      const struct maui_report_fsrow *row)
{
	char text[MAUI_PRINCIPAL_TEXT_SIZE];
	const char *name = maui_report_fsrow_name(type, row, text);
	char target[64] = NOTHING, mark = maui_fstarget_mark(row->target.mode);
	bool star = maui_report_fsrow_off_target(fairshare, row);
	size_t width = 14 - star;

	if (has_target(row))
		snprintf(target, sizeof(target), "%.2f%c", row->target.value, mark ? mark : ' ');
	/* The star directly follows the name. */
	fprintf(file, "%s%-*s %7.2f %7.7s", name, (int)(14 - strnlen(name, width)), star ? "*" : "",
		row->percent, target);
	for (uint32_t k = 0; k < MAUI_FS_MAX_DEPTH; k++) {
		if (!is_column(fairshare, k))
			continue;
		if (row->usage[k] > 0)
			fprintf(file, " %7.2f", row->usage[k] / fairshare->total[k] * 100);
		else
			fprintf(file, " " NOTHING);
	}
	fputc('\n', file);
}

char *maui_report_fairshare_text(const struct maui_report_fairshare *fairshare)
{
	static const char *const titles[MAUI_CREDENTIALS] = {"USER", "GROUP", "ACCT", "QOS",
							     "CLASS"};
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);

	if (!file)
		maui_memory_short(0);
	print_head(file, fairshare);
	print_totals(file, fairshare);
	for (unsigned int type = 0; type < MAUI_CREDENTIALS; type++) {
		if (!fairshare->count[type])
			continue;
		fprintf(file, "\n%s\n-------------\n", titles[type]);
		for (size_t i = 0; i < fairshare->count[type]; i++)
			print_row(file, fairshare, type, &fairshare->rows[type][i]);
	}
	if (ferror(file) || fclose(file))
		maui_memory_short(0);
	return text;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static struct json_object *render_windows(const struct maui_report_fairshare *fairshare)
{
	struct json_object *windows = json_make_array();

	for (uint32_t k = 0; k < fairshare->settings.depth; k++) {
		struct json_object *window = json_make_object();

		json_add(window, "start",
			 json_make_number(fairshare->start -
					  (int64_t)k * fairshare->settings.interval));
		json_add(window, "weight",
			 json_make_decimal(maui_fairshare_weight(fairshare->settings.decay, k)));
		json_add(window, "usage", json_make_decimal(fairshare->total[k]));
		json_append(windows, window);
	}
	return windows;
}

static void add_target(struct json_object *object, const struct maui_report_fsrow *row)
{
	static const char *const modes[] = {
		[MAUI_FS_TARGET] = "target",       [MAUI_FS_FLOOR] = "floor",
		[MAUI_FS_CEILING] = "ceiling",     [MAUI_FS_CAP_RELATIVE] = "cap-percent",
		[MAUI_FS_CAP_ABSOLUTE] = "cap-ps",
	};
	char mark[2] = {maui_fstarget_mark(row->target.mode), '\0'};

	if (!has_target(row)) {
		json_add(object, "target", NULL);
		json_add(object, "mode", NULL);
		json_add(object, "mark", json_make_text(""));
		return;
	}
	json_add(object, "target", json_make_decimal(row->target.value));
	json_add(object, "mode",
		 json_make_text(row->target.mode <= MAUI_FS_CAP_ABSOLUTE ? modes[row->target.mode]
									 : NULL));
	json_add(object, "mark", json_make_text(mark));
}

static struct json_object *render_row(const struct maui_report_fairshare *fairshare,
				      const struct maui_report_fsrow *row)
{
	struct json_object *object = json_make_object(), *windows = json_make_array();

	json_add(object, "name", json_make_text(row->name));
	json_add(object, "usage", json_make_decimal(row->sum));
	json_add(object, "percent", json_make_decimal(row->percent));
	add_target(object, row);
	json_add(object, "off_target",
		 json_make_flag(maui_report_fsrow_off_target(fairshare, row)));
	json_add(object, "windows", windows);
	for (uint32_t k = 0; k < fairshare->settings.depth; k++)
		json_append(windows, json_make_decimal(row->usage[k]));
	if (row->unnamed)
		json_add(object, "unnamed", json_make_flag(true));
	return object;
}

static struct json_object *render_credentials(const struct maui_report_fairshare *fairshare)
{
	struct json_object *object = json_make_object();

	for (unsigned int type = 0; type < MAUI_CREDENTIALS; type++) {
		struct json_object *array = json_make_array();

		json_add(object, maui_credential_name(type), array);
		for (size_t i = 0; i < fairshare->count[type]; i++)
			json_append(array, render_row(fairshare, &fairshare->rows[type][i]));
	}
	return object;
}

struct json_object *maui_report_fairshare(const struct maui_report_fairshare *fairshare)
{
	const struct maui_fairshare_settings *settings = &fairshare->settings;
	struct json_object *object = json_make_object();
	char metric[MAUI_FS_METRIC_SIZE];

	json_add(object, "policy", json_make_text(maui_fairshare_metric_name(settings, metric)));
	json_add(object, "ratio", json_make_flag(settings->ratio));
	json_add(object, "interval", json_make_number(settings->interval));
	json_add(object, "depth", json_make_number(settings->depth));
	json_add(object, "decay", json_make_decimal(settings->decay));
	json_add(object, "usage", json_make_decimal(fairshare->sum));
	json_add(object, "windows", render_windows(fairshare));
	json_add(object, "credentials", render_credentials(fairshare));
	return object;
}
