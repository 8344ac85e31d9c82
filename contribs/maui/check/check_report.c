/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui check --report: what becomes of every line of a maui.cfg here, for those who bring one. Only
 * the file is judged, not the machine: Slurm is not asked, and names are not looked up.
 */
#include "contribs/maui/check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "contribs/maui/check/report_groups.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/terminal.h"
#include "contribs/maui/lib/text.h"

static const char *verdict_mark(enum report_verdict verdict)
{
	if (verdict == REPORT_ERROR)
		return mark(MARK_BAD);
	return mark(verdict == REPORT_HONOURED ? MARK_GOOD : MARK_WARN);
}

static void print_place(const struct report *report, const struct report_group *group)
{
	const struct maui_origin *first = &report->entries[group->first].origin;
	unsigned int last = report->entries[group->last].origin.line;

	print_clean(first->file);
	printf(":%u", first->line);
	if (last != first->line)
		printf("-%u", last);
}

/* "NODECFG[n[1-42]] PARTITION (42 times)" */
static char *group_name(const struct report_entry *entry, const struct report_group *group)
{
	if (!group->names)
		return text_copy(entry->parameter);
	return text_printf("%s[%s] %s (%zu times)", maui_section_name(entry->record->section),
			   group->names, entry->record->name, group->count);
}

/* With the names of nodes, if it is a line of slurm.conf that has them. */
static char *entry_text(const struct report_entry *entry, const char *names)
{
	const struct maui_record *record = entry->record;
	bool of_nodes = record && record->section == MAUI_NODECFG && *record->object &&
			strcasecmp(record->object, "DEFAULT") != 0;

	if (!of_nodes || strncmp(entry->text, REPORT_CONF, strlen(REPORT_CONF)) != 0)
		return text_copy(entry->text);
	return report_with_names(entry->text, names ? names : record->object);
}

static void print_group(const struct report *report, const struct report_group *group)
{
	const struct report_entry *entry = &report->entries[group->first];
	char *name = group_name(entry, group), *text = entry_text(entry, group->names);

	print_place(report, group);
	printf(": %s%s%s", verdict_mark(entry->verdict), report_verdict_name(entry->verdict),
	       mark(MARK_END));
	if (*name) {
		printf(": ");
		print_clean(name);
	}
	if (*text) {
		printf(": ");
		print_clean(text);
	}
	putchar('\n');
	free(name);
	free(text);
}

static void print_two_readings(const struct report *report, const struct report_group *groups)
{
	if (!report->two_readings)
		return;
	printf("Times that the original read differently:\n");
	for (size_t i = 0; i < report->count; i++)
		if (report->entries[i].two_readings)
			print_group(report, &groups[i]);
	putchar('\n');
}

/* The parts of the report, the last first: those of enum maui_loss, then errors. */
#define PART_ERRORS MAUI_LOSSES

static int part_of(const struct report_entry *entry)
{
	return entry->verdict == REPORT_ERROR ? PART_ERRORS : (int)entry->loss;
}

/* In the order of the file; nothing if there is none. */
static void print_part(const struct report *report, const struct report_group *groups, int part,
		       const char *heading)
{
	size_t count = part == PART_ERRORS ? report->counts[REPORT_ERROR] : report->losses[part];

	if (!count)
		return;
	printf("%s (%zu):\n", heading, count);
	for (size_t i = 0; i < report->count; i++)
		if (groups[i].count && part_of(&report->entries[i]) == part)
			print_group(report, &groups[i]);
	putchar('\n');
}

static void print_report(const struct report *report)
{
	static const char *const headings[] = {
		[MAUI_LOSS_NONE] = "As in the original",
		[MAUI_LOSS_HARMLESS] = "Harmless: nothing about jobs hangs on it",
		[MAUI_LOSS_DIFFERENT] = "Different from the original",
		[MAUI_LOSS_POLICY] = "Lost until somebody acts",
		[PART_ERRORS] = "Errors",
	};
	struct report_group *groups = report_groups(report);
	size_t count = report->count;

	print_two_readings(report, groups);
	for (int part = PART_ERRORS; part >= 0; part--)
		print_part(report, groups, part, headings[part]);
	printf("%zu line%s, %zu parameter%s and attributes: %zu honoured, %zu approximated, "
	       "%zu ignored, %zu error%s\n",
	       report->lines, report->lines == 1 ? "" : "s", count, count == 1 ? "" : "s",
	       report->counts[REPORT_HONOURED], report->counts[REPORT_APPROXIMATED],
	       report->counts[REPORT_IGNORED], report->counts[REPORT_ERROR],
	       report->counts[REPORT_ERROR] == 1 ? "" : "s");
	report_groups_free(groups, count);
}

static struct json_object *make_entry(const struct report_entry *entry)
{
	struct json_object *object = json_make_object();
	char *text = entry_text(entry, NULL);

	json_set_text(object, "file", entry->origin.file);
	json_set_number(object, "line", entry->origin.line);
	json_set_number(object, "column", entry->origin.column);
	json_set_text(object, "parameter", entry->parameter);
	json_set_text(object, "verdict", report_verdict_name(entry->verdict));
	json_set_text(object, "loss", maui_loss_name(entry->loss));
	json_set_text(object, "text", text);
	free(text);
	return object;
}

static void print_report_json(const char *path, const struct report *report)
{
	static const struct {
		const char *name;
		enum report_verdict verdict;
	} counts[] = {{"honoured", REPORT_HONOURED},
		      {"approximated", REPORT_APPROXIMATED},
		      {"ignored", REPORT_IGNORED},
		      {"errors", REPORT_ERROR}};
	struct json_object *data = json_make_object(), *entries = json_make_array();
	struct json_object *two_readings = json_make_array(), *losses = json_make_object();

	for (size_t i = 0; i < report->count; i++) {
		struct json_object *entry = make_entry(&report->entries[i]);

		json_append(entries, entry);
		if (report->entries[i].two_readings)
			json_append(two_readings, json_object_get(entry));
	}
	json_set_text(data, "file", path);
	json_set_number(data, "lines", (int64_t)report->lines);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		json_set_number(data, counts[i].name, (int64_t)report->counts[counts[i].verdict]);
	for (int loss = 0; loss < MAUI_LOSSES; loss++)
		json_set_number(losses, maui_loss_name((enum maui_loss)loss),
				(int64_t)report->losses[loss]);
	json_set(data, "losses", losses);
	json_set(data, "two_readings", two_readings);
	json_set(data, "entries", entries);
	print_json("maui.check-report/1", data);
	json_object_put(data);
}

int check_report(const struct cli *cli, const char *path, const struct maui_config *config,
		 const struct findings *findings)
{
	struct report report;
	int code = EXIT_OK;

	report_make(config, findings, &report);
	if (cli->json)
		print_report_json(path, &report);
	else
		print_report(&report);
	if (report.counts[REPORT_ERROR])
		code = EXIT_ERRORS;
	else if (report.counts[REPORT_APPROXIMATED] || report.counts[REPORT_IGNORED])
		code = EXIT_WARNINGS;
	report_clear(&report);
	return code;
}
