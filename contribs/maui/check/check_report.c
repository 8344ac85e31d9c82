/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui check --report: what becomes of every line of a maui.cfg here, for those who bring one. Only
 * the file is judged, not the machine: Slurm is not asked, and names are not looked up.
 */
#include "contribs/maui/check/check.h"

#include <stdio.h>
#include <string.h>

#include "contribs/maui/check/report_entry.h"
#include "contribs/maui/lib/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/terminal.h"

static const char *verdict_mark(const char *verdict)
{
	if (!strcmp(verdict, "error"))
		return mark(MARK_BAD);
	return mark(!strcmp(verdict, "honoured") ? MARK_GOOD : MARK_WARN);
}

static void print_entry(struct json_object *entry)
{
	const char *verdict = member_text(entry, "verdict");

	print_clean(member_text(entry, "file"));
	printf(":%d: %s%s%s", (int)member_integer(entry, "line"), verdict_mark(verdict), verdict,
	       mark(MARK_END));
	if (*member_text(entry, "parameter")) {
		printf(": ");
		print_clean(member_text(entry, "parameter"));
	}
	if (*member_text(entry, "text")) {
		printf(": ");
		print_clean(member_text(entry, "text"));
	}
	putchar('\n');
}

static void print_report(const struct report *report)
{
	size_t count = array_size(report->two_readings);

	if (count) {
		printf("Times that the original read differently:\n");
		for (size_t i = 0; i < count; i++)
			print_entry(json_object_array_get_idx(report->two_readings, i));
		printf("\nEvery line:\n");
	}
	count = array_size(report->entries);
	for (size_t i = 0; i < count; i++)
		print_entry(json_object_array_get_idx(report->entries, i));
	printf("%s%zu line%s, %zu parameter%s and attributes: %zu honoured, %zu approximated, "
	       "%zu ignored, %zu error%s\n",
	       count ? "\n" : "", report->lines, report->lines == 1 ? "" : "s", count,
	       count == 1 ? "" : "s", report->counts[REPORT_HONOURED],
	       report->counts[REPORT_APPROXIMATED], report->counts[REPORT_IGNORED],
	       report->counts[REPORT_ERROR], report->counts[REPORT_ERROR] == 1 ? "" : "s");
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
	struct json_object *data = json_make_object();

	json_set_text(data, "file", path);
	json_set_number(data, "lines", (int64_t)report->lines);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		json_set_number(data, counts[i].name, (int64_t)report->counts[counts[i].verdict]);
	json_set(data, "two_readings", json_object_get(report->two_readings));
	json_set(data, "entries", json_object_get(report->entries));
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
