/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contribs/maui/replay/replay.h"

#include <stdio.h>
#include <string.h>

#include "contribs/maui/replay/replay_sides.h"
#include "contribs/maui/replay/trace_file.h"

static const struct {
	const char *name;
	enum maui_replay_preset preset;
} presets[] = {
	{"easy", MAUI_REPLAY_EASY},
	{"fcfs", MAUI_REPLAY_FCFS},
	{"sjbf", MAUI_REPLAY_SJBF},
};

/* ---- the schedules ---- */

static int schedule_side(const struct replay_report *report, struct replay_side *side)
{
	const struct maui_replay_trace *trace = report->trace;

	if (maui_replay_preset_run(trace, trace->procs, side->preset, report->perfect,
				   &side->schedule) ||
	    maui_replay_measure(trace, side->schedule.started, side->schedule.backfilled,
				trace->procs, NULL, NULL, &side->measures) ||
	    maui_replay_compare(trace, &side->schedule, &side->near))
		return fail_memory();
	return EXIT_OK;
}

static int measure_recorded(struct replay_report *report)
{
	struct maui_replay_schedule recorded;
	int rc = maui_replay_schedule_open(&recorded, report->trace->count);

	for (size_t i = 0; !rc && i < recorded.count; i++)
		recorded.started[i] = report->trace->jobs[i].started;
	if (!rc)
		rc = maui_replay_measure(report->trace, recorded.started, NULL,
					 report->trace->procs, NULL, NULL, &report->recorded);
	maui_replay_schedule_clear(&recorded);
	return rc ? fail_memory() : EXIT_OK;
}

static int replay(const struct cli *cli, struct replay_report *report)
{
	int code = measure_recorded(report);

	for (size_t i = 0; code == EXIT_OK && i < report->count; i++)
		code = schedule_side(report, &report->side[i]);
	if (code == EXIT_OK && cli->json)
		code = replay_print_json(report);
	else if (code == EXIT_OK)
		replay_print(report);
	for (size_t i = 0; i < report->count; i++)
		maui_replay_schedule_clear(&report->side[i].schedule);
	return code;
}

/* ---- the command ---- */

static int add_preset(const struct cli *cli, struct replay_report *report, const char *name)
{
	if (report->count == MAX_SIDES)
		return fail_usage(cli, "at most %d schedules at a time", MAX_SIDES);
	for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++)
		if (!strcmp(name, presets[i].name)) {
			report->side[report->count++] = (struct replay_side){
				.name = presets[i].name, .preset = presets[i].preset};
			return EXIT_OK;
		}
	return fail_usage(cli, "--scheduler=%s: there are easy, fcfs and sjbf", name);
}

static int take_option(const struct cli *cli, int option, struct replay_report *report,
		       uint32_t *procs)
{
	switch (option) {
	case 's':
		return add_preset(cli, report, optarg);
	case 'e':
		report->perfect = true;
		return EXIT_OK;
	default:
		*procs = parse_count(optarg, MAUI_REPLAY_MAX_PROCS);
		if (*procs)
			return EXIT_OK;
		return fail_usage(cli, "--processors=%s: processors are a number from 1 to %u",
				  optarg, MAUI_REPLAY_MAX_PROCS);
	}
}

static int run_file(const struct cli *cli, uint32_t procs, struct replay_report *report)
{
	struct maui_replay_trace *trace = NULL;
	int code = trace_file_read(report->path, procs, &trace);

	if (code != EXIT_OK)
		return code;
	report->trace = trace;
	code = replay(cli, report);
	maui_replay_trace_free(trace);
	return code;
}

static int run_replay(struct cli *cli, int argc, char **argv)
{
	static const struct option longs[] = {
		{"perfect-estimates", no_argument, NULL, 'e'},
		{"processors", required_argument, NULL, 'p'},
		{"scheduler", required_argument, NULL, 's'},
		{0},
	};
	struct replay_report report = {0};
	uint32_t procs = 0;
	int option, code;

	while ((option = next_option(cli, argc, argv, "", longs)) != OPTIONS_END) {
		if (option == OPTIONS_DONE || option == OPTIONS_BAD)
			return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
		code = take_option(cli, option, &report, &procs);
		if (code != EXIT_OK)
			return code;
	}
	if (optind + 1 != argc)
		return fail_usage(cli, optind < argc ? "one trace at a time" : "which trace?");
	if (!report.count)
		add_preset(cli, &report, "easy");
	report.path = argv[optind];
	return run_file(cli, procs, &report);
}

static const char replay_help[] =
	"  --scheduler=NAME        easy (the default), fcfs or sjbf; several are compared\n"
	"  --perfect-estimates     as if every time limit were the run time\n"
	"  --processors=N          the machine's, instead of what the trace says\n";

const struct command replay_command = {
	.name = "replay",
	.synopsis = "[--scheduler=NAME]... [--perfect-estimates] [--processors=N] [--json] FILE",
	.summary = "Schedule a recorded workload anew, and measure how jobs would have fared",
	.options = replay_help,
	.run = run_replay,
};
