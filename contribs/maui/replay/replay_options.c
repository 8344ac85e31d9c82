/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of maui replay. */
#include "contribs/maui/replay/replay_options.h"

#include <string.h>

#include "contribs/maui/replay/report/replay_jitter.h"
#include "contribs/maui/replay/sweep/sweep_array.h"
#include "contribs/maui/replay/usage_option.h"

static const struct {
	const char *name;
	enum maui_replay_preset preset;
} presets[] = {
	{"easy", MAUI_REPLAY_EASY},
	{"fcfs", MAUI_REPLAY_FCFS},
	{"sjbf", MAUI_REPLAY_SJBF},
};

#define MULTIFACTOR "multifactor"

static int add_side(const struct cli *cli, struct replay_report *report,
		    const struct replay_side *side)
{
	if (report->count == MAX_SIDES)
		return fail_usage(cli, "at most %d schedules at a time", MAX_SIDES);
	report->side[report->count++] = *side;
	return EXIT_OK;
}

/* slurmctld takes nodes in their order, but for weights and consecutive ones. */
#define NODES_OF_STOCK "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n"

static int add_multifactor(const struct cli *cli, struct replay_report *report)
{
	struct replay_side side = {.name = MULTIFACTOR, .multifactor = true};
	struct maui_error error;
	int code;

	if (maui_policy_of_text(MULTIFACTOR, NODES_OF_STOCK, strlen(NODES_OF_STOCK), 0,
				&side.policy, &error))
		return fail(EXIT_ERRORS, "%s", error.text);
	code = add_side(cli, report, &side);
	if (code != EXIT_OK)
		maui_policy_unref(side.policy);
	return code;
}

static int add_preset(const struct cli *cli, struct replay_report *report, const char *name)
{
	if (!strcmp(name, MULTIFACTOR))
		return add_multifactor(cli, report);
	for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++)
		if (!strcmp(name, presets[i].name))
			return add_side(cli, report,
					&(struct replay_side){.name = presets[i].name,
							      .preset = presets[i].preset});
	return fail_usage(cli, "--scheduler=%s: there are easy, fcfs, multifactor and sjbf", name);
}

/* It is added even if it cannot be read: whoever clears the report clears it. */
static int add_config(const struct cli *cli, struct replay_report *report, const char *path)
{
	int code = add_side(cli, report, &(struct replay_side){.name = path});

	return code == EXIT_OK ? replay_load_policy(report, &report->side[report->count - 1], "")
			       : code;
}

static void ignored_parameter(void *context, const char *name)
{
	(void)context;
	note("SchedulerParameters: %s has no effect on a replay", name);
}

/* What options say wins, wherever they stand. */
static int read_parameters(const struct cli *cli, struct replay_report *report)
{
	static const struct maui_replay_parameter_notes notes = {.ignored = ignored_parameter};
	struct maui_error error;

	if (report->machine.conf.arena)
		report->parameters = report->machine.conf.parameters;
	for (size_t i = 0; i < report->parameter_count; i++)
		if (maui_replay_parameters_read(report->parameter_lists[i], &report->parameters,
						&notes, &error))
			return fail_usage(cli, "--scheduler-parameters: %s", error.text);
	return EXIT_OK;
}

static int add_parameters(const struct cli *cli, struct replay_report *report, const char *text)
{
	if (report->parameter_count == MAX_SIDES)
		return fail_usage(cli, "--scheduler-parameters: at most %d times", MAX_SIDES);
	report->parameter_lists[report->parameter_count++] = text;
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

static int take_format(const struct cli *cli, struct replay_report *report, const char *name)
{
	if (trace_format_find(name, &report->form.format))
		return EXIT_OK;
	return fail_usage(
		cli, "--trace-format=%s: there are swf, sacct, shredder, pbs, workload and queue",
		name);
}

static int take_delimiter(const struct cli *cli, struct replay_report *report, const char *text)
{
	if (!*text || strpbrk(text, "\r\n"))
		return fail_usage(cli, "--delimiter: one or several characters of a line");
	report->form.delimiter = text;
	return EXIT_OK;
}

static int take_of_sweep(const struct cli *cli, int option, struct sweep *sweep)
{
	switch (option) {
	case 'r':
		return sweep_rank_by(cli, sweep, optarg);
	case 'A':
		sweep->array = optarg;
		return EXIT_OK;
	case 'z':
		return read_number(cli, "array-size", "elements are", SWEEP_RUNS,
				   &sweep->array_size);
	case 'E':
		return sweep_take_element(cli, sweep, optarg);
	case 'M':
		sweep->merge = optarg;
		return EXIT_OK;
	default:
		return sweep_add(cli, sweep, optarg);
	}
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
	case 'b':
		report->priorities = optarg;
		return EXIT_OK;
	case 't':
		report->stock.associations = optarg;
		return EXIT_OK;
	case 'q':
		report->stock.qos = optarg;
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
		return add_parameters(cli, report, optarg);
	case 'e':
		report->perfect = true;
		return EXIT_OK;
	case 'n':
		return machine_take_nodes(cli, &report->machine, optarg);
	case 'F':
		return take_format(cli, report, optarg);
	case 'D':
		return take_delimiter(cli, report, optarg);
	case 'o':
		report->machine.outages_path = optarg;
		return EXIT_OK;
	case 'i':
		return machine_take_sinfo(cli, &report->machine, optarg);
	case 'C':
		return machine_take_slurm_conf(cli, &report->machine, optarg);
	case 'f':
		return usage_take(report, optarg);
	case 'p':
		return machine_take_processors(cli, &report->machine, optarg);
	default:
		return take_of_sweep(cli, option, report->sweep);
	}
}

/* What goes with --sweep alone. */
static int check_sweep(const struct cli *cli, const struct replay_report *report)
{
	const struct sweep *sweep = report->sweep;

	if (!sweep->count && sweep->rank_by)
		return fail_usage(cli, "--rank-by is of --sweep");
	if (!sweep->count && (sweep->array || sweep->array_size || sweep->elements))
		return fail_usage(cli, "--as-array, --array-size and --element are of --sweep");
	if (!sweep->array && (sweep->array_size || sweep->elements))
		return fail_usage(cli, "--array-size and --element are of --as-array");
	if (!sweep->count ||
	    (report->count == 1 && report->side[0].policy && !report->side[0].multifactor &&
	     !report->jobs && !report->priorities && !report->html && !report->jitter->runs &&
	     !report->anonymise))
		return EXIT_OK;
	return fail_usage(cli, "--sweep wants one --config, and neither --scheduler, --html, "
			       "--jitter, --jobs, --priorities nor --anonymise");
}

/* Slurm's own policy is read where it is asked for, or where FSTREEWEIGHT can count its shares. */
static int check_stock(const struct cli *cli, struct replay_report *report)
{
	bool needed = report->stock.associations || report->stock.qos;

	for (size_t i = 0; i < report->count; i++)
		needed |= report->side[i].multifactor;
	if (report->priorities && report->count && !report->side[0].policy)
		return fail_usage(cli, "--priorities are of --config or --scheduler=multifactor, "
				       "if it is the first");
	if (!needed)
		return EXIT_OK;
	if (!report->machine.conf.arena)
		return fail_usage(cli, "--scheduler=multifactor, --associations and --qos need "
				       "--slurm-conf");
	return stock_read(&report->stock, &report->machine);
}

/* The results say what they are of. */
static int check_merge(const struct cli *cli, const struct replay_report *report, bool trace)
{
	if (trace || report->count || report->sweep->count || report->sweep->array ||
	    report->machine.nodes || report->machine.procs)
		return fail_usage(cli, "--merge needs nothing else, but for --rank-by and --json");
	return EXIT_OK;
}

static int check_options(const struct cli *cli, struct replay_report *report, int traces)
{
	if (report->sweep->merge)
		return check_merge(cli, report, traces);
	if (traces != 1)
		return fail_usage(cli, traces ? "one trace at a time" : "which trace?");
	if (!report->count && !report->sweep->count)
		add_preset(cli, report, presets[0].name);
	return check_sweep(cli, report) == EXIT_OK ? check_stock(cli, report) : EXIT_ERRORS;
}

int replay_take_options(struct cli *cli, int argc, char **argv, struct replay_report *report)
{
	static const struct option longs[] = {
		{"anonymise", no_argument, NULL, 'a'},
		{"array-size", required_argument, NULL, 'z'},
		{"as-array", required_argument, NULL, 'A'},
		{"associations", required_argument, NULL, 't'},
		{"config", required_argument, NULL, 'c'},
		{"delimiter", required_argument, NULL, 'D'},
		{"element", required_argument, NULL, 'E'},
		{"fairshare", required_argument, NULL, 'f'},
		{"html", required_argument, NULL, 'l'},
		{"jitter", required_argument, NULL, 'J'},
		{"jitter-span", required_argument, NULL, 'S'},
		{"jobs", required_argument, NULL, 'j'},
		{"merge", required_argument, NULL, 'M'},
		{"nodes", required_argument, NULL, 'n'},
		{"outages", required_argument, NULL, 'o'},
		{"perfect-estimates", no_argument, NULL, 'e'},
		{"priorities", required_argument, NULL, 'b'},
		{"processors", required_argument, NULL, 'p'},
		{"progress", no_argument, NULL, 'g'},
		{"qos", required_argument, NULL, 'q'},
		{"rank-by", required_argument, NULL, 'r'},
		{"scheduler", required_argument, NULL, 's'},
		{"scheduler-parameters", required_argument, NULL, 'm'},
		{"seed", required_argument, NULL, 'd'},
		{"sinfo", required_argument, NULL, 'i'},
		{"slurm-conf", required_argument, NULL, 'C'},
		{"sweep", required_argument, NULL, 'w'},
		{"trace-format", required_argument, NULL, 'F'},
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
	if (check_options(cli, report, argc - optind) != EXIT_OK ||
	    read_parameters(cli, report) != EXIT_OK)
		return OPTIONS_BAD;
	report->path = argv[optind];
	report->sweep->command = argv;
	return OPTIONS_END;
}

const char replay_options_help[] =
	"  --config=FILE           under this maui.cfg; several files are compared\n"
	"  --scheduler=NAME        easy (the default), fcfs or sjbf; several are compared;\n"
	"                          multifactor: Slurm's own policy, with --slurm-conf\n"
	"  --scheduler-parameters=LIST   as in slurm.conf, with --config\n"
	"  --perfect-estimates     with --scheduler: as if every time limit were the run time\n"
	"  --trace-format=NAME     swf, sacct, shredder, pbs, workload, or queue, not what it "
	"looks "
	"like\n"
	"  --delimiter=TEXT        between the columns of sacct, instead of |\n"
	"  --processors=N          the machine's, instead of what the trace says\n"
	"  --nodes=KIND,...        the machine's: "
	"COUNTxCPUS[:MEMORY][+FEATURE][+gres/NAME=COUNT]...\n"
	"  --sinfo=FILE            the machine's: what sinfo -a -N -o '%N|%c|%m|%f|%G|%R' prints\n"
	"  --slurm-conf=FILE       the machine's: nodes, partitions and SchedulerParameters, "
	"without Slurm\n"
	"  --associations=FILE     with --slurm-conf: shares and limits, the file of sacctmgr "
	"dump\n"
	"  --qos=FILE              with --slurm-conf: QOS, as sacctmgr -P show qos prints them\n"
	"  --fairshare=DIRECTORY   with --config: the FS files of usage before the first job\n"
	"  --outages=FILE          of nodes: what sacctmgr -P show event, or reservation, prints\n"
	"  --sweep=PARAMETER=VALUE,...   with --config: with each value; several, in all "
	"combinations\n"
	"  --rank-by=FIGURE        of --sweep: slowdown (the default), wait, utilisation, ...\n"
	"  --as-array=DIRECTORY    of --sweep: print a batch script that does it as a job array, "
	"and writes there\n"
	"  --array-size=N          at most so many elements, 1001: slurm.conf's MaxArraySize\n"
	"  --element=I/N           what the script says: run element I of N\n"
	"  --merge=DIRECTORY       of what the array has written there, the report of the sweep\n"
	"  --html=FILE             also write the report as a page with pictures\n"
	"  --jitter=N              as often again, with shaken arrivals: intervals for the "
	"figures\n"
	"  --jitter-span=SECONDS   by how much a submission moves at most: 300\n"
	"  --seed=S                of these arrivals: 1\n"
	"  --progress              say how many runs are done, though standard error is no "
	"terminal\n"
	"  --jobs=FILE             write when each job begins there, in batsim's columns\n"
	"  --priorities=FILE       write each priority of a waiting job there: large\n"
	"  --anonymise             only print the trace, without names and dates\n";
