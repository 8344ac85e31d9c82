/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the trace, replays its jobs under each maui.cfg or --scheduler,
 * measures the results, and calls the reports, --sweep or --jitter.
 */
#include "contribs/maui/replay/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/config/config.h"
#include "common/policy/policy.h"
#include "common/util/memory.h"
#include "contribs/maui/replay/input/inputs.h"
#include "contribs/maui/replay/input/trace_file.h"
#include "contribs/maui/replay/processes/progress.h"
#include "contribs/maui/replay/replay_options.h"
#include "contribs/maui/replay/report/jobs_csv.h"
#include "contribs/maui/replay/report/priorities_csv.h"
#include "contribs/maui/replay/report/replay_facts.h"
#include "contribs/maui/replay/report/replay_jitter.h"
#include "contribs/maui/replay/same_files.h"
#include "contribs/maui/replay/sweep/sweep_all.h"
#include "contribs/maui/replay/sweep/sweep_merge.h"
#include "contribs/maui/replay/usage_option.h"

/* ---- the schedules ---- */

/* Files, and at the end of the first of them more lines. */
struct longer {
	struct maui_reader files;
	const char *lines;
	struct replay_inputs *inputs;
};

static int read_longer(void *context, const char *path, const char *including, char **ret_text,
		       size_t *ret_size, bool *ret_trusted, struct maui_error *error)
{
	const struct longer *longer = context;
	size_t more = including ? 0 : strlen(longer->lines);
	int rc = longer->files.read(longer->files.context, path, including, ret_text, ret_size,
				    ret_trusted, error);
	char *text;

	if (!rc)
		inputs_add(longer->inputs, path, *ret_text, *ret_size);
	if (rc || !more)
		return rc;
	text = maui_realloc(*ret_text, *ret_size + more + 1, 1);
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

int replay_load_policy(const struct replay_report *report, struct replay_side *side,
		       const char *lines)
{
	struct longer longer = {maui_file_reader(NULL), lines, report->inputs};
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
	side->policy = maui_policy_compile(config, 0);
	return EXIT_OK;
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
					.usage = report->usage.count ? &report->usage : NULL,
					.stock = stock_policy(&report->stock),
					.multifactor = side->multifactor,
					.progress = report->progress ? tell_progress : NULL,
					.context = &course};
	struct priorities_csv *csv = NULL;
	struct maui_error error;
	int rc, code = EXIT_OK;

	if (report->priorities && side == &report->side[0]) {
		code = priorities_csv_open(report->priorities, report->trace, &csv);
		if (code != EXIT_OK)
			return code;
		site.ranked = priorities_csv_add;
		site.ranked_context = csv;
	}
	rc = maui_replay_site_run(report->trace, &site, &side->schedule, &side->counts, &error);
	if (report->progress)
		progress_end();
	if (csv)
		code = priorities_csv_close(csv);
	return rc ? fail(EXIT_ERRORS, "%s: %s", side->name, error.text) : code;
}

static void measure_side(const struct replay_report *report, struct replay_side *side)
{
	maui_replay_measure(report->trace, side->schedule.started, side->schedule.backfilled,
			    report->compared, report->trace->procs, &side->measures);
}

int replay_schedule(const struct replay_report *report, struct replay_side *side)
{
	const struct maui_replay_trace *trace = report->trace;
	int code = EXIT_OK;

	if (side->policy)
		code = run_site(report, side);
	else
		maui_replay_preset_run(trace, trace->procs, side->preset, report->perfect,
				       &side->schedule);
	if (code != EXIT_OK)
		return code;
	measure_side(report, side);
	maui_replay_compare(trace, &side->schedule, &side->near);
	return EXIT_OK;
}

void replay_recorded(const struct replay_report *report, struct maui_replay_schedule *ret_schedule)
{
	maui_replay_schedule_open(ret_schedule, report->trace->count);
	for (size_t i = 0; i < ret_schedule->count; i++)
		ret_schedule->started[i] = report->trace->jobs[i].started;
}

static void measure_recorded(struct replay_report *report)
{
	struct maui_replay_schedule recorded;

	replay_recorded(report, &recorded);
	maui_replay_measure(report->trace, recorded.started, NULL, report->compared,
			    report->trace->procs, &report->recorded);
	maui_replay_schedule_clear(&recorded);
}

static bool begins_under_all(const struct replay_report *report, size_t job)
{
	for (size_t i = 0; i < report->count; i++)
		if (report->side[i].schedule.started[job] == MAUI_REPLAY_UNKNOWN)
			return false;
	return true;
}

/* If some jobs do not begin under some side, all figures are of the others. */
static void compare_sides(struct replay_report *report)
{
	size_t count = report->trace->count, begin = 0;
	bool *compared = maui_calloc(count + 1, sizeof(*compared));

	for (size_t i = 0; i < count; i++)
		begin += compared[i] = begins_under_all(report, i);
	if (begin == count) {
		free(compared);
		return;
	}
	report->compared = compared;
	for (size_t i = 0; i < report->count; i++)
		measure_side(report, &report->side[i]);
	measure_recorded(report);
}

/* Every way of telling of the schedules. Groups, time and shares are in pictures and JSON alone. */
static int replay_tell(const struct cli *cli, const struct replay_report *report)
{
	struct replay_facts *facts = NULL;
	int code = EXIT_OK;

	if (report->jobs)
		code = jobs_csv_write(report->jobs, report->trace, report->machine.nodes,
				      &report->side[0].schedule);
	if (code != EXIT_OK)
		return code;
	if (report->html || cli->json)
		code = replay_facts_of(report, &facts);
	if (code == EXIT_OK && report->html)
		code = replay_write_html(report, facts);
	if (code == EXIT_OK && cli->json)
		code = replay_print_json(report, facts);
	else if (code == EXIT_OK)
		replay_print(report);
	replay_facts_free(facts);
	return code;
}

/* Each run has a policy of its own beside the file's. */
static bool replay_sweeps_tree(const struct replay_report *report)
{
	const struct maui_policy *policy = report->side[0].policy;

	return sweep_sets(report->sweep, "FSTREEWEIGHT") ||
	       (sweep_sets(report->sweep, "FSWEIGHT") && policy &&
		maui_priority_weights(policy->priority, NULL)->sub[MAUI_FS_TREE] != 0);
}

static int replay_run(const struct cli *cli, struct replay_report *report)
{
	int code = EXIT_OK;

	measure_recorded(report);
	report->sweeps_tree = replay_sweeps_tree(report);
	if (report->sweep->count)
		return sweep_all(cli, report, report->sweep);
	same_files_find(report);
	for (size_t i = 0; code == EXIT_OK && i < report->count; i++)
		code = replay_schedule(report, &report->side[i]);
	if (code == EXIT_OK)
		compare_sides(report);
	if (code == EXIT_OK && report->jitter->runs)
		code = jitter_run(report, report->jitter);
	if (code == EXIT_OK)
		code = replay_tell(cli, report);
	jitter_clear(report->jitter);
	free(report->compared);
	for (size_t i = 0; i < report->count; i++)
		maui_replay_schedule_clear(&report->side[i].schedule);
	return code;
}

/* ---- the command ---- */

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
	int code = trace_file_read(report->path, &report->form, &report->machine, &trace);

	if (code == EXIT_OK)
		code = machine_match(&report->machine, trace);
	if (code == EXIT_OK && !trace->count)
		code = trace_fail_empty(report->path, trace);
	report->trace = trace;
	if (code == EXIT_OK)
		code = usage_check(report);
	if (code == EXIT_OK && trace->begin != INT64_MIN)
		code = check_queue(cli, report);
	if (code == EXIT_OK)
		code = check_jitter(cli, report);
	if (code == EXIT_OK && report->anonymise)
		replay_print_anonymous(trace);
	else if (code == EXIT_OK)
		code = replay_run(cli, report);
	maui_replay_trace_free(trace);
	return code;
}

static int run_replay(struct cli *cli, int argc, char **argv)
{
	struct sweep sweep = {0};
	struct replay_jitter jitter = {.span = JITTER_SPAN, .seed = 1};
	struct replay_inputs inputs = {0};
	struct replay_report report = {.parameters = maui_replay_default_parameters,
				       .progress = isatty(STDERR_FILENO),
				       .machine.inputs = &inputs,
				       .inputs = &inputs,
				       .jitter = &jitter,
				       .sweep = &sweep};
	int code, done = replay_take_options(cli, argc, argv, &report);

	if (done != OPTIONS_END)
		code = done == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
	else if (sweep.merge)
		code = sweep_merge(cli, &sweep);
	else
		code = run_file(cli, &report);
	for (size_t i = 0; i < report.count; i++)
		maui_policy_unref(report.side[i].policy);
	stock_clear_options(&report.stock);
	machine_clear_options(&report.machine);
	maui_replay_usage_clear(&report.usage);
	sweep_clear(&sweep);
	inputs_clear(&inputs);
	return code;
}

const struct command replay_command = {
	.name = "replay",
	.synopsis =
		"[--config=FILE]... [--scheduler=NAME]... [--scheduler-parameters=LIST]\n"
		"       [--perfect-estimates] [--sweep=PARAMETER=VALUE,...]... "
		"[--rank-by=FIGURE]\n"
		"       [--as-array=DIRECTORY] [--array-size=N] [--element=I/N]\n"
		"       [--jitter=N] [--jitter-span=SECONDS] [--seed=S] [--progress]\n"
		"       [--trace-format=NAME] [--delimiter=TEXT]\n"
		"       [--processors=N | --nodes=KIND,... | --sinfo=FILE | --slurm-conf=FILE]\n"
		"       [--associations=FILE] [--qos=FILE] [--outages=FILE] "
		"[--fairshare=DIRECTORY]\n"
		"       [--html=FILE] [--jobs=FILE] [--priorities=FILE] [--anonymise] [--json] "
		"FILE\n"
		"       maui replay --merge=DIRECTORY [--rank-by=FIGURE] [--json]",
	.summary = "Schedule a recorded workload anew, and measure how jobs would have fared",
	.options = replay_options_help,
	.run = run_replay,
};
