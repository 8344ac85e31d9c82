/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contribs/maui/replay/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/config/config.h"
#include "common/policy/policy.h"
#include "contribs/maui/replay/jobs_csv.h"
#include "contribs/maui/replay/replay_facts.h"
#include "contribs/maui/replay/progress.h"
#include "contribs/maui/replay/replay_jitter.h"
#include "contribs/maui/replay/sweep.h"
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

/* Files, and at the end of the first of them more lines. */
struct longer {
	struct maui_reader files;
	const char *lines;
};

static int read_longer(void *context, const char *path, const char *including, char **ret_text,
		       size_t *ret_size, bool *ret_trusted, struct maui_error *error)
{
	const struct longer *longer = context;
	size_t more = including ? 0 : strlen(longer->lines);
	int rc = longer->files.read(longer->files.context, path, including, ret_text, ret_size,
				    ret_trusted, error);
	char *text;

	if (rc || !more)
		return rc;
	text = realloc(*ret_text, *ret_size + more + 1);
	if (!text)
		exit_out_of_memory();
	memcpy(text + *ret_size, longer->lines, more + 1);
	*ret_text = text;
	*ret_size += more;
	return 0;
}

static int refuse_errors(const char *name, const struct maui_config *config, bool lengthened)
{
	size_t errors = maui_config_errors(config);
	const struct maui_problem *problems;

	if (!errors)
		return EXIT_OK;
	if (!lengthened)
		return fail(EXIT_ERRORS, "%s has %zu error%s: `maui check %s`", name, errors,
			    errors == 1 ? "" : "s", name);
	/* The file itself has none: it was read before. */
	maui_config_problems(config, &problems);
	while (problems->severity != MAUI_ERROR)
		problems++;
	return fail(EXIT_ERRORS, "--sweep: %s", problems->text);
}

int replay_load_policy(struct replay_side *side, const char *lines)
{
	struct longer longer = {maui_file_reader(NULL), lines};
	struct maui_reader reader = {.read = read_longer, .context = &longer};
	struct maui_config *config = NULL;
	struct maui_error error;
	int code;

	if (maui_config_load(side->name, &reader, &config, &error))
		return fail(EXIT_ERRORS, "%s", error.text);
	code = refuse_errors(side->name, config, *lines);
	if (code != EXIT_OK) {
		maui_config_unref(config);
		return code;
	}
	side->policy = maui_policy_compile(config, 0, &error);
	return side->policy ? EXIT_OK : fail(EXIT_ERRORS, "%s: %s", side->name, error.text);
}

/* What progress is told of. */
struct course {
	const char *name;
	size_t count;
	time_t begun;
};

static void tell_progress(const void *context, size_t submitted)
{
	const struct course *course = context;

	progress_tell(course->name, submitted, course->count, course->begun);
}

static int run_site(const struct replay_report *report, struct replay_side *side)
{
	struct course course = {side->name, report->trace->count, time(NULL)};
	struct maui_replay_site site = {.policy = side->policy,
					.parameters = report->parameters,
					.procs = report->trace->procs,
					.requests = report->machine.requests,
					.outages = &report->machine.outages,
					.progress = report->progress ? tell_progress : NULL,
					.context = &course};
	struct maui_error error;
	int rc = maui_replay_site_run(report->trace, &site, &side->schedule, &side->counts, &error);

	if (report->progress)
		progress_end();
	return rc ? fail(EXIT_ERRORS, "%s: %s", side->name, error.text) : EXIT_OK;
}

int replay_schedule(const struct replay_report *report, struct replay_side *side)
{
	const struct maui_replay_trace *trace = report->trace;
	int code = EXIT_OK;

	if (side->policy)
		code = run_site(report, side);
	else if (maui_replay_preset_run(trace, trace->procs, side->preset, report->perfect,
					&side->schedule))
		code = fail_memory();
	if (code != EXIT_OK)
		return code;
	if (maui_replay_measure(trace, side->schedule.started, side->schedule.backfilled,
				trace->procs, &side->measures) ||
	    maui_replay_compare(trace, &side->schedule, &side->near))
		return fail_memory();
	return EXIT_OK;
}

int replay_recorded(const struct replay_report *report, struct maui_replay_schedule *ret_schedule)
{
	if (maui_replay_schedule_open(ret_schedule, report->trace->count))
		return fail_memory();
	for (size_t i = 0; i < ret_schedule->count; i++)
		ret_schedule->started[i] = report->trace->jobs[i].started;
	return EXIT_OK;
}

static int measure_recorded(struct replay_report *report)
{
	struct maui_replay_schedule recorded;
	int code = replay_recorded(report, &recorded);

	if (code == EXIT_OK && maui_replay_measure(report->trace, recorded.started, NULL,
						   report->trace->procs, &report->recorded))
		code = fail_memory();
	maui_replay_schedule_clear(&recorded);
	return code;
}

/* Every way of telling of the schedules. Groups, time and shares are in pictures and JSON alone. */
static int tell(const struct cli *cli, const struct replay_report *report)
{
	struct replay_facts *facts = NULL;
	int code = EXIT_OK;

	if (report->jobs)
		code = jobs_csv_write(report->jobs, report->trace, &report->side[0].schedule);
	if (code != EXIT_OK)
		return code;
	if (report->html || cli->json)
		facts = replay_facts_of(report);
	if (report->html)
		code = replay_write_html(report, facts);
	if (code == EXIT_OK && cli->json)
		code = replay_print_json(report, facts);
	else if (code == EXIT_OK)
		replay_print(report);
	replay_facts_free(facts);
	return code;
}

static int replay(const struct cli *cli, struct replay_report *report)
{
	int code = measure_recorded(report);

	if (code == EXIT_OK && report->sweep->count)
		return sweep_all(cli, report, report->sweep);
	for (size_t i = 0; code == EXIT_OK && i < report->count; i++)
		code = replay_schedule(report, &report->side[i]);
	if (code == EXIT_OK && report->jitter->runs)
		code = jitter_run(report, report->jitter);
	if (code == EXIT_OK)
		code = tell(cli, report);
	jitter_clear(report->jitter);
	for (size_t i = 0; i < report->count; i++)
		maui_replay_schedule_clear(&report->side[i].schedule);
	return code;
}

/* ---- the command ---- */

static int add_side(const struct cli *cli, struct replay_report *report,
		    const struct replay_side *side)
{
	if (report->count == MAX_SIDES)
		return fail_usage(cli, "at most %d schedules at a time", MAX_SIDES);
	report->side[report->count++] = *side;
	return EXIT_OK;
}

static int add_preset(const struct cli *cli, struct replay_report *report, const char *name)
{
	for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++)
		if (!strcmp(name, presets[i].name))
			return add_side(cli, report,
					&(struct replay_side){.name = presets[i].name,
							      .preset = presets[i].preset});
	return fail_usage(cli, "--scheduler=%s: there are easy, fcfs and sjbf", name);
}

/* It is added even if it cannot be read: whoever clears the report clears it. */
static int add_config(const struct cli *cli, struct replay_report *report, const char *path)
{
	int code = add_side(cli, report, &(struct replay_side){.name = path});

	return code == EXIT_OK ? replay_load_policy(&report->side[report->count - 1], "") : code;
}

static void ignored_parameter(void *context, const char *name)
{
	(void)context;
	note("SchedulerParameters: %s has no effect on a replay", name);
}

static int read_parameters(const struct cli *cli, struct replay_report *report, const char *text)
{
	struct maui_error error;

	if (maui_replay_parameters_read(text, &report->parameters, ignored_parameter, NULL, &error))
		return fail_usage(cli, "--scheduler-parameters: %s", error.text);
	return EXIT_OK;
}

/* what: `runs are`. */
static int read_number(const struct cli *cli, const char *option, const char *what, uint32_t most,
		       uint32_t *ret_number)
{
	*ret_number = parse_count(optarg, most);
	if (*ret_number)
		return EXIT_OK;
	return fail_usage(cli, "--%s=%s: %s a number from 1 to %u", option, optarg, what, most);
}

static int take_option(const struct cli *cli, int option, struct replay_report *report)
{
	switch (option) {
	case 'J':
		return read_number(cli, "jitter", "runs are", JITTER_RUNS, &report->jitter->runs);
	case 'S':
		return read_number(cli, "jitter-span", "seconds are", MAX_JITTER_SPAN,
				   &report->jitter->span);
	case 'd':
		return read_number(cli, "seed", "a seed is", INT32_MAX, &report->jitter->seed);
	case 'g':
		report->progress = true;
		return EXIT_OK;
	case 'a':
		report->anonymise = true;
		return EXIT_OK;
	case 'j':
		report->jobs = optarg;
		return EXIT_OK;
	case 'l':
		report->html = optarg;
		return EXIT_OK;
	case 'c':
		return add_config(cli, report, optarg);
	case 's':
		return add_preset(cli, report, optarg);
	case 'm':
		return read_parameters(cli, report, optarg);
	case 'e':
		report->perfect = true;
		return EXIT_OK;
	case 'n':
		return machine_take_nodes(cli, &report->machine, optarg);
	case 'o':
		report->machine.outages_path = optarg;
		return EXIT_OK;
	case 'i':
		return machine_take_sinfo(cli, &report->machine, optarg);
	case 'w':
		return sweep_add(cli, report->sweep, optarg);
	case 'r':
		return sweep_rank_by(cli, report->sweep, optarg);
	default:
		return machine_take_processors(cli, &report->machine, optarg);
	}
}

/* A shaken trace is in another order, while nodes and a queue go by the jobs of the first. */
static int check_jitter(const struct cli *cli, const struct replay_report *report)
{
	if (!report->jitter->runs || (!report->machine.nodes && report->trace->begin == INT64_MIN))
		return EXIT_OK;
	return fail_usage(cli, "--jitter is of a pool of processors: neither of nodes nor of a "
			       "queue to begin with");
}

/* Only Slurm's own schedulers go on from a state. */
static int check_queue(const struct cli *cli, const struct replay_report *report)
{
	for (size_t i = 0; i < report->count; i++)
		if (!report->side[i].policy || report->anonymise)
			return fail_usage(cli, "a queue to begin with wants --config, and neither "
					       "--scheduler nor --anonymise");
	return EXIT_OK;
}

static int run_file(const struct cli *cli, struct replay_report *report)
{
	struct maui_replay_trace *trace = NULL;
	int code = trace_file_read(report->path, &report->machine, &trace);

	if (code == EXIT_OK)
		code = machine_match(&report->machine, report->path, trace);
	report->trace = trace;
	if (code == EXIT_OK && trace->begin != INT64_MIN)
		code = check_queue(cli, report);
	if (code == EXIT_OK)
		code = check_jitter(cli, report);
	if (code == EXIT_OK && report->anonymise)
		replay_print_anonymous(trace);
	else if (code == EXIT_OK)
		code = replay(cli, report);
	maui_replay_trace_free(trace);
	return code;
}

static bool fits_sweep(const struct cli *cli, const struct replay_report *report)
{
	if (!report->sweep->count) {
		if (!report->sweep->rank_by)
			return true;
		complain_usage(cli, "--rank-by is of --sweep");
		return false;
	}
	if (report->count == 1 && report->side[0].policy && !report->jobs && !report->html &&
	    !report->jitter->runs && !report->anonymise)
		return true;
	complain_usage(cli,
		       "--sweep wants one --config, and neither --scheduler, --html, --jitter, "
		       "--jobs nor --anonymise");
	return false;
}

static int take_options(struct cli *cli, int argc, char **argv, struct replay_report *report)
{
	static const struct option longs[] = {
		{"anonymise", no_argument, NULL, 'a'},
		{"config", required_argument, NULL, 'c'},
		{"html", required_argument, NULL, 'l'},
		{"jitter", required_argument, NULL, 'J'},
		{"jitter-span", required_argument, NULL, 'S'},
		{"jobs", required_argument, NULL, 'j'},
		{"nodes", required_argument, NULL, 'n'},
		{"outages", required_argument, NULL, 'o'},
		{"perfect-estimates", no_argument, NULL, 'e'},
		{"processors", required_argument, NULL, 'p'},
		{"progress", no_argument, NULL, 'g'},
		{"rank-by", required_argument, NULL, 'r'},
		{"scheduler", required_argument, NULL, 's'},
		{"scheduler-parameters", required_argument, NULL, 'm'},
		{"seed", required_argument, NULL, 'd'},
		{"sinfo", required_argument, NULL, 'i'},
		{"sweep", required_argument, NULL, 'w'},
		{0},
	};
	int option, code;

	while ((option = next_option(cli, argc, argv, "", longs)) != OPTIONS_END) {
		if (option == OPTIONS_DONE || option == OPTIONS_BAD)
			return option;
		code = take_option(cli, option, report);
		if (code != EXIT_OK)
			return OPTIONS_BAD;
	}
	if (optind + 1 != argc) {
		complain_usage(cli, optind < argc ? "one trace at a time" : "which trace?");
		return OPTIONS_BAD;
	}
	report->path = argv[optind];
	if (!fits_sweep(cli, report))
		return OPTIONS_BAD;
	if (!report->count)
		add_preset(cli, report, presets[0].name);
	return OPTIONS_END;
}

static int run_replay(struct cli *cli, int argc, char **argv)
{
	struct sweep sweep = {0};
	struct replay_jitter jitter = {.span = JITTER_SPAN, .seed = 1};
	struct replay_report report = {.parameters = maui_replay_default_parameters,
				       .progress = isatty(STDERR_FILENO),
				       .jitter = &jitter,
				       .sweep = &sweep};
	int code, done = take_options(cli, argc, argv, &report);

	if (done == OPTIONS_END)
		code = run_file(cli, &report);
	else
		code = done == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
	for (size_t i = 0; i < report.count; i++)
		maui_policy_unref(report.side[i].policy);
	machine_clear_options(&report.machine);
	sweep_clear(&sweep);
	return code;
}

static const char replay_help[] =
	"  --config=FILE           under this maui.cfg; several files are compared\n"
	"  --scheduler=NAME        easy (the default), fcfs or sjbf; several are compared\n"
	"  --scheduler-parameters=LIST   as in slurm.conf, with --config\n"
	"  --perfect-estimates     with --scheduler: as if every time limit were the run time\n"
	"  --processors=N          the machine's, instead of what the trace says\n"
	"  --nodes=KIND,...        the machine's: "
	"COUNTxCPUS[:MEMORY][+FEATURE][+gres/NAME=COUNT]...\n"
	"  --sinfo=FILE            the machine's: what sinfo -a -N -o '%N|%c|%m|%f|%G|%R' prints\n"
	"  --outages=FILE          of nodes: what sacctmgr -P show event, or reservation, prints\n"
	"  --sweep=PARAMETER=VALUE,...   with --config: with each value; several, in all "
	"combinations\n"
	"  --rank-by=FIGURE        of --sweep: slowdown (the default), wait, utilisation, ...\n"
	"  --html=FILE             also write the report as a page with pictures\n"
	"  --jitter=N              as often again, with shaken arrivals: intervals for the "
	"figures\n"
	"  --jitter-span=SECONDS   by how much a submission moves at most: 300\n"
	"  --seed=S                of these arrivals: 1\n"
	"  --progress              say how many runs are done, though standard error is no "
	"terminal\n"
	"  --jobs=FILE             write when each job begins there, in batsim's columns\n"
	"  --anonymise             only print the trace, without names and dates\n";

const struct command replay_command = {
	.name = "replay",
	.synopsis = "[--config=FILE]... [--scheduler=NAME]... [--scheduler-parameters=LIST]\n"
		    "       [--perfect-estimates] [--sweep=PARAMETER=VALUE,...]... "
		    "[--rank-by=FIGURE]\n"
		    "       [--jitter=N] [--jitter-span=SECONDS] [--seed=S] [--progress]\n"
		    "       [--processors=N | --nodes=KIND,... | --sinfo=FILE] [--outages=FILE]\n"
		    "       [--html=FILE] [--jobs=FILE] [--anonymise] [--json] FILE",
	.summary = "Schedule a recorded workload anew, and measure how jobs would have fared",
	.options = replay_help,
	.run = run_replay,
};
