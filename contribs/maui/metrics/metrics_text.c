/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects metric families and samples as JSON, leaves out samples whose labels
 * exist already, and prints the OpenMetrics text up to # EOF.
 */
#include "contribs/maui/metrics/metrics_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/text.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/text.h"

/* ---- the families --------------------------------------------------------------------------- */

static void make_printable(char *text)
{
	char *line;

	while ((line = strsep(&text, "\n"))) {
		maui_make_printable(line);
		if (text)
			text[-1] = '\n';
	}
}

void metrics_clear(struct metrics *metrics)
{
	json_object_put(metrics->families);
	json_object_put(metrics->seen);
}

void metrics_family(struct metrics *metrics, const char *name, const char *type, const char *unit,
		    const char *help)
{
	struct json_object *family = json_make_object();

	if (!metrics->families)
		metrics->families = json_make_array();
	json_set_text(family, "name", name);
	json_set_text(family, "type", type);
	json_set_text(family, "unit", unit);
	json_set_text(family, "help", help);
	json_set(family, "samples", json_make_array());
	json_append(metrics->families, family);
	json_object_put(metrics->seen);
	metrics->seen = json_make_object();
}

static void add_label(struct json_object *labels, const struct metrics_label *label)
{
	char *text;

	if (!*label->text)
		return;
	text = text_copy(label->text);
	make_printable(text);
	json_set_text(labels, label->name, text);
	free(text);
}

/* Whether the last family has a sample with these labels; remembers them. */
static bool is_there(struct metrics *metrics, struct json_object *labels)
{
	const char *key = json_object_to_json_string_ext(labels, JSON_C_TO_STRING_PLAIN);

	if (json_object_object_get_ex(metrics->seen, key, NULL))
		return true;
	json_set(metrics->seen, key, NULL);
	return false;
}

void metrics_sample(struct metrics *metrics, double value, const struct metrics_label *labels,
		    size_t label_count)
{
	struct json_object *family = json_object_array_get_idx(
		metrics->families, json_object_array_length(metrics->families) - 1);
	struct json_object *sample = json_make_object(), *all = json_make_object();

	for (size_t i = 0; i < label_count; i++)
		add_label(all, &labels[i]);
	if (is_there(metrics, all)) {
		metrics->twins++;
		json_object_put(all);
		json_object_put(sample);
		return;
	}
	json_set(sample, "labels", all);
	json_set_real(sample, "value", value);
	json_append(member_array(family, "samples"), sample);
}

/* ---- their text ----------------------------------------------------------------------------- */

/* A label's text between its quotes, or HELP. */
static void print_escaped(const char *text, FILE *file)
{
	for (; *text; text++)
		if (*text == '\\')
			fputs("\\\\", file);
		else if (*text == '"')
			fputs("\\\"", file);
		else if (*text == '\n')
			fputs("\\n", file);
		else
			fputc(*text, file);
}

/* Whole numbers as such, others in the shortest form that keeps their value. */
static void print_number(double value, FILE *file)
{
	char text[40];

	if (isnan(value))
		snprintf(text, sizeof(text), "NaN");
	else if (isinf(value))
		snprintf(text, sizeof(text), value > 0 ? "+Inf" : "-Inf");
	else if (value == floor(value) && fabs(value) < 1e15)
		snprintf(text, sizeof(text), "%" PRId64, (int64_t)value);
	else
		snprintf(text, sizeof(text), "%.15g", value);
	fputs(text, file);
}

static void print_sample(const char *name, const char *suffix, struct json_object *sample,
			 FILE *file)
{
	struct json_object *labels = member_object(sample, "labels");
	const char *between = "{";

	fprintf(file, "%s%s", name, suffix);
	json_object_object_foreach(labels, label, text)
	{
		fprintf(file, "%s%s=\"", between, label);
		print_escaped(json_object_get_string(text), file);
		fputc('"', file);
		between = ",";
	}
	fputs(*between == ',' ? "} " : " ", file);
	print_number(member_number(sample, "value"), file);
	fputc('\n', file);
}

static void print_family(struct json_object *family, FILE *file)
{
	const char *name = member_text(family, "name"), *type = member_text(family, "type");
	const char *unit = member_text(family, "unit");
	struct json_object *samples = member_array(family, "samples");

	fprintf(file, "# TYPE %s %s\n", name, type);
	if (*unit)
		fprintf(file, "# UNIT %s %s\n", name, unit);
	fprintf(file, "# HELP %s ", name);
	print_escaped(member_text(family, "help"), file);
	fputc('\n', file);
	for (size_t i = 0; i < array_size(samples); i++)
		print_sample(name, strcmp(type, "counter") != 0 ? "" : "_total",
			     json_object_array_get_idx(samples, i), file);
}

void metrics_print(const struct metrics *metrics, FILE *file)
{
	for (size_t i = 0; i < array_size(metrics->families); i++)
		print_family(json_object_array_get_idx(metrics->families, i), file);
	fputs("# EOF\n", file);
}
