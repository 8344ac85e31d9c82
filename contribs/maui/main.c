/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui: what Maui's commands are in Slurm. `maui COMMAND ...`; called by the name of a command (a
 * link to the program, as in the original: diagnose, showconfig) it is that command.
 */
#include "contribs/maui/lib/command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contribs/maui/command_table.h"
#include "contribs/maui/old_names.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/terminal.h"

static const struct command commands[] = {
	{"canceljob", "", "JOB...", "Cancel jobs: scancel", "", run_canceljob},
	{"check", "", "[--offline|--report] [--json] [FILE]",
	 "Check a maui.cfg: every problem with its line and column",
	 "  --offline               do not ask Slurm how it is configured\n"
	 "  --report                what becomes of every line of a maui.cfg or moab.cfg: "
	 "honoured,\n"
	 "                          approximated or ignored, how and why\n",
	 run_check},
	{"checkjob", "", "[-v|-A] [--json] JOB", "Show a job, and why it does not start",
	 "  -v                      also the nodes, and why each of them is not for it\n"
	 "  -A                      a line of NAME=VALUE; for programs\n",
	 run_checkjob},
	{"checknode", "", "[-v] [--json] NODE", "Show what the engine knows of a node",
	 "  -v                      also since when it is up, and what each of its jobs has "
	 "there\n",
	 run_checknode},
	{"diagnose", "mdiag", "-p|-f|-j|-n|-q|-r|-t|-u|-g|-a|-c|-Q [OPTION...] [JOB...|TYPE|NAME]",
	 "Explain what the engine decided: priorities, fairshare, nodes, limits, reservations",
	 "  -p [JOB...]             every term of the priority of the jobs that wait\n"
	 "    -t PARTITION          only in this partition, with its weights\n"
	 "    -u, --user=USER       only jobs of this user\n"
	 "    -v                    also credentials, state, and Slurm's own numbers\n"
	 "  -f [TYPE]               usage and targets: of a user, group, account, class, or qos\n"
	 "    -u, --user=USER       only this user\n"
	 "    -v                    also who has neither, and until when usage is counted\n"
	 "  -j [JOB...]             what the jobs ask for, and since when they are eligible\n"
	 "  -n                      state, resources and load of all nodes\n"
	 "    -t PARTITION          only the nodes of this partition\n"
	 "    -v                    also Slurm's state, usage, and what NODECFG says\n"
	 "  -q [JOB...]             every job that is not eligible, and why not\n"
	 "    -l HARD               without those over a soft limit, which may be backfilled\n"
	 "    -t PARTITION          only jobs that ask for this partition\n"
	 "    -u, --user=USER       only jobs of this user\n"
	 "    -v                    also whose job it is, and more of the reason\n"
	 "  -r [NAME]               reservations: who gets in, what they lack, and why\n"
	 "  -t [NAME]               partitions: what is there, up, and in use of it\n"
	 "  -u|-g|-a|-c|-Q [NAME]   users, groups, accounts, classes, or QOS: what maui.cfg says\n"
	 "                          of them, their limits, what is in use, and what is left\n"
	 "    -v                    also all that is in use\n",
	 run_diagnose},
	{"diff", "", "[-v] [--json]",
	 "Show what would change if an engine in shadow mode were in charge",
	 "  -v                      all jobs, reservations and shares, not the first 20 of each\n",
	 run_diff},
	{"disable", "", "[--json]",
	 "Prepare a removal: nothing of Maui's stays in Slurm but priorities, until enable", "",
	 run_disable},
	{"doctor", "", "[--json]",
	 "Tell what is missing, closed, or built for another Slurm, and what mends it", "",
	 run_doctor},
	{"enable", "", "[--json]", "Put maui.cfg in force again after disable", "", run_enable},
	{"explain-nodes", "", "[--limit=N] [--json] JOB",
	 "Show in which order a job would get nodes now, and why",
	 "  -l, --limit=N           the first N nodes (20; with --json all)\n", run_explain_nodes},
	{"fs", "", "verify [-v] DIR | show [-v] [DIR] | import DIR",
	 "Check, show, and take over files of fairshare usage, FS.<time>",
	 "  verify DIR              whether each file in DIR is sound\n"
	 "    -v                    also which users and groups this machine does not know\n"
	 "  show [DIR]              what diagnose -f would show, from the files; without DIR of\n"
	 "                          the engine's STATDIR\n"
	 "    --at=TIME             seconds since 1970, in place of now\n"
	 "    -v                    also who has neither used anything nor a target\n"
	 "  import DIR              write files of Maui's anew where the engine finds them\n"
	 "    --to=STATDIR          there, in place of the engine's STATDIR\n"
	 "    --recent              only windows that still count\n"
	 "    --force               in place of files that are there already\n"
	 "    --dry-run             write nothing, tell what would be\n",
	 run_fs},
	{"keys", "", "[--json] [NAME...]",
	 "Show the parameters and attributes that maui.cfg may have", "", run_keys},
	{"metrics", "", "[--output=FILE] [-n N] [--json]",
	 "Print the engine's state as OpenMetrics, for node_exporter's textfile collector",
	 "  -o, --output=FILE       replace FILE at once, whole\n"
	 "  -n, --limit=N           N limits, N shares and N reservations at most (200)\n",
	 run_metrics},
	{"priority", "", "[-v] [--json] JOB",
	 "Show how a job's priority adds up, term by term, to squeue's number",
	 "  -v                      also terms without weight\n", run_priority},
	{"queue", "", "",
	 "Print what Slurm tells of jobs, nodes, partitions and reservations, as JSON", "",
	 run_queue},
	{"releasehold", "", "[-a] JOB...", "Release jobs that are held: scontrol release",
	 "  -a                      accepted: whatever hold there is goes\n"
	 "  -b, -s, -u              no call of Slurm's releases one kind of hold only: they say "
	 "so\n",
	 run_releasehold},
	{"releaseres", "", "[--json] NAME...",
	 "Take administrative reservations away, or instances of standing ones for their period",
	 "", run_releaseres},
	{"res", "", "explain [--json] JOB",
	 "Show which standing reservations admit a job, and by which entry", "", run_res},
	{"schedctl", "", "-R|-l [PARAMETER]",
	 "Have maui.cfg read again, or show the policy in force",
	 "  -R                      slurmctld reads slurm.conf and maui.cfg again\n"
	 "  -l [PARAMETER]          what showconfig shows, or of one parameter\n"
	 "  -f, -j, -k, -m, -n, -r, -s, -S\n"
	 "                          are not there in Slurm, and say what is in their place\n",
	 run_schedctl},
	{"sethold", "", "[-a|-b|-s|-u] JOB...", "Hold jobs: scontrol hold",
	 "  -u                      as their user does, who may release them: scontrol uhold\n"
	 "  -a, -b, -s              accepted: Slurm has one hold for all of these\n",
	 run_sethold},
	{"setres", "", "[OPTION...] ALL|TASKS==n|TASKS>=n|HOST...",
	 "Make an administrative reservation; without a list of who gets in, nobody does",
	 "  -u, --user=USERS        users who get in: alice:bob-, with the marks of SRCFG's lists\n"
	 "  -g, --group=GROUPS      groups\n"
	 "  -a, --account=ACCOUNTS  accounts\n"
	 "  -c, -q, --class=CLASSES, --queue=CLASSES\n"
	 "                          classes, that is partitions\n"
	 "  -Q, --qos=QOS           QOS\n"
	 "  -j, --jobattr=LIST      attributes of jobs\n"
	 "  -s, --start=TIME        [HH[:MM[:SS]]][_MO[/DD[/YY]]], or +[[[DD:]HH:]MM:]SS from now "
	 "on\n"
	 "                          (now)\n"
	 "  -e, --end=TIME          the same, or OFF (it does not end)\n"
	 "  -d, --duration=TIME     [[[DD:]HH:]MM:]SS, in place of an end\n"
	 "  -n, --name=NAME         NAME.0, NAME.1, ... (the first one of the lists, or SYSTEM)\n"
	 "  -r, --resources=LIST    what a task is: PROCS=1;MEM=512 (a whole node)\n"
	 "  -t, --maxtasks=N        no more tasks than these\n"
	 "  -f, --features=LIST     of nodes: fast:big for both, fast|big for any\n"
	 "  -p, --partition=PARTITION\n"
	 "                          only its nodes\n"
	 "  -x, --flags=LIST        BYNAME, SINGLEUSE, SPACEFLEX, ...: those of SRCFG\n"
	 "  -o, --owner=TYPE:NAME   as of SRCFG\n"
	 "  -A, --chargeaccount=NAME\n"
	 "                          as of SRCFG\n"
	 "  -E, --exclusive         accepted: reservations share nothing anyway\n",
	 run_setres},
	{"setspri", "", "[-r] [--json] PRIORITY JOB...",
	 "Set the system priority of jobs: 1 to 1000 go before all others, 0 is none",
	 "  -r                      PRIORITY, which may be below 0, is added to Maui's own\n",
	 run_setspri},
	{"showbf", "", "[OPTION...]", "Show what could start now, and for how long",
	 "  -A                      for anybody, not only for who asks\n"
	 "  -a ACCOUNT, -g GROUP, -q QOS, -u USER\n"
	 "                          for jobs of theirs, as access to nodes goes\n"
	 "  -c, -p PARTITION        in this partition\n"
	 "  -d TIME                 only what is there for so long: [[[DD:]HH:]MM:]SS\n"
	 "  -f FEATURE[:FEATURE...] only on nodes that have all of these\n"
	 "  -m [<|<=|==|>=|>]MB     only on nodes with so much memory free (>=)\n"
	 "  -n NODES                only what is there on so many nodes\n"
	 "  -S                      accepted: nothing is left out\n"
	 "  -v                      also what is in the way, node by node\n",
	 run_showbf},
	{"showconfig", "", "[-v] [--json] [FILE]",
	 "Show the policy in force, or what FILE would give, with the origin of each value",
	 "  -v                      also what is 0 or none because nothing sets it\n",
	 run_showconfig},
	{"showq", "", "[-r|-i|-b] [-p PARTITION] [-u USER] [-w TYPE=NAME] [-v] [--json]",
	 "Show the queue: active, idle and blocked jobs",
	 "  -r                      active jobs only, with more of them\n"
	 "  -i                      idle jobs only, which may start, by their priority\n"
	 "  -b                      blocked jobs only, and why each of them is\n"
	 "  -p, --partition=PARTITION\n"
	 "                          only jobs and nodes of this partition\n"
	 "  -u, --user=USER         only jobs of this user\n"
	 "  -w TYPE=NAME            only jobs of this user, group, acct, class, or qos; of several "
	 "-w\n"
	 "                          those for which all hold\n"
	 "  -v                      also partitions, and Slurm's reasons\n",
	 run_showq},
	{"showres", "", "[-n] [--json] [NAME]",
	 "Show the reservations: those of SRCFG and of setres, then Slurm's others",
	 "  -n                      node by node\n"
	 "  -g, -r, -s, -v          accepted: what they ask for is so anyway\n",
	 run_showres},
	{"showstart", "", "[-e WAY] [--json] JOB|PROCS|PROCS@TIME",
	 "Show when a job is expected to start, or one of so many processors would",
	 "  -e WAY                  prio: as backfill has planned it, with all jobs ahead; rsv: "
	 "as\n"
	 "                          Slurm says when asked, by jobs that run and reservations; "
	 "all\n",
	 run_showstart},
	{"showstats", "", "[-u|-g|-a|-c|-q [NAME]] [--json]",
	 "Show what is in use, and what the windows of fairshare have counted",
	 "  -u|-g|-a|-c|-q [NAME]   of users, groups, accounts, classes, or QOS, a line each\n"
	 "  -n                      is not there: it says what is in its place\n"
	 "  -s, -v                  accepted: what they ask for is so anyway\n",
	 run_showstats},
	{"status", "", "[--json]", "Show how the engine is doing", "", run_status},
	{"whatif", "", "[-n N] [--json] FILE",
	 "Compare the queue of this moment with what another maui.cfg would make of it",
	 "  -n, --limit=N           the N jobs that move most, and N of each other kind (20; with\n"
	 "                          --json all)\n",
	 run_whatif},
	{"why", "", "[--json] JOB",
	 "Explain why a job waits, who is ahead, and what would free it; or why it has its nodes",
	 "", run_why},
	{0},
};

const struct command *command_list(void)
{
	return commands;
}

static const struct command *find_in(const struct command *command, const char *name)
{
	for (; command->name; command++)
		if (!strcmp(name, command->name) ||
		    (*command->alias && !strcmp(name, command->alias)))
			return command;
	return NULL;
}

const struct command *command_find(const char *name)
{
	const struct command *command = find_in(commands, name);

	return command ? command : find_in(old_name_list(), name);
}

/* Where complaints go. */
static struct {
	char *buffer; /* NULL: to standard error */
	size_t size;
} complaints;

void complaints_keep(char *buffer, size_t size)
{
	complaints.buffer = buffer;
	complaints.size = size;
	if (buffer)
		*buffer = '\0';
}

/*
 * Texts may come from files and from the network: their control characters stay away from the
 * terminal.
 */
static void say(enum mark level, const char *prefix, const char *format, va_list arguments)
{
	char *text;

	if (vasprintf(&text, format, arguments) < 0)
		return;
	clean_text(text);
	fprintf(stderr, "%s%s%s%s\n", error_mark(level), prefix, error_mark(MARK_END), text);
	free(text);
}

static void say_complaint(const char *format, va_list arguments)
{
	if (complaints.buffer && *complaints.buffer)
		return;
	if (complaints.buffer)
		vsnprintf(complaints.buffer, complaints.size, format, arguments);
	else
		say(MARK_BAD, "ERROR:    ", format, arguments);
}

void complain(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say_complaint(format, arguments);
	va_end(arguments);
}

void note(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(MARK_WARN, "NOTE:     ", format, arguments);
	va_end(arguments);
}

void complain_usage(const struct cli *cli, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say_complaint(format, arguments);
	va_end(arguments);
	if (complaints.buffer)
		return;
	fprintf(stderr, "`maui %s%s--help` shows how it is used.\n",
		cli->command ? cli->command->name : "", cli->command ? " " : "");
}

/*
 * Global options may stand before the command, too. Returns the index of the command, 0 when there
 * is nothing to do.
 */
static int find_command(struct cli *cli, int argc, char **argv, int *ret_code)
{
	int option = next_option(cli, argc, argv, "+h", NULL);

	*ret_code = EXIT_ERRORS;
	if (option == 'h')
		print_help(NULL);
	if (option == OPTIONS_DONE || option == 'h')
		*ret_code = EXIT_OK;
	if (option != OPTIONS_END)
		return 0;
	if (optind >= argc) {
		complain_usage(cli, "which command?");
		return 0;
	}
	if (!strcmp(argv[optind], "help") && optind + 1 < argc &&
	    !strcmp(argv[optind + 1], "--commands")) {
		print_command_table();
		*ret_code = EXIT_OK;
		return 0;
	}
	if (!strcmp(argv[optind], "help")) {
		if (optind + 1 < argc)
			cli->command = command_find(argv[optind + 1]);
		print_help(cli->command);
		*ret_code = EXIT_OK;
		return 0;
	}
	cli->command = command_find(argv[optind]);
	if (!cli->command) {
		complain_usage(cli, "there is no command %s", argv[optind]);
		return 0;
	}
	return optind;
}

static int run(struct cli *cli, int argc, char **argv)
{
	int first = 0, code;

	if (argc < 1)
		return EXIT_ERRORS;
	cli->command = command_find(program_invocation_short_name);
	if (!cli->command) {
		first = find_command(cli, argc, argv, &code);
		if (!first)
			return code;
	}
	optind = 0; /* glibc: start anew, at another argv */
	return cli->command->run(cli, argc - first, argv + first);
}

int main(int argc, char **argv)
{
	struct cli cli = {.timeout = DEFAULT_TIMEOUT};
	int code;

	terminal_begin();
	code = run(&cli, argc, argv);
	if (terminal_end())
		return fail(EXIT_ERRORS, "cannot write the output: %s", strerror(errno));
	return code;
}
