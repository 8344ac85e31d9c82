/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui schedctl, as far as Slurm has it. The scheduler is slurmctld, which scontrol stops and
 * resumes. */
#include "contribs/maui/change/change.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "contribs/maui/lib/deadline.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/service/engine_request.h"
#include "contribs/maui/service/policy_trouble.h"
#include "contribs/maui/show/show.h"
#include "contribs/maui/slurm/slurm_change.h"

#define POLL_MICROSECONDS 50000

/* What the original has and Slurm does in a different way. */
static const struct {
	int option;
	const char *remedy;
} elsewhere[] = {
	{'f', "there are no failures to be simulated"},
	{'j', "there is no job trace: use sacct"},
	{'k', "the scheduler is slurmctld: use scontrol shutdown"},
	{'m', "change maui.cfg, then use schedctl -R"},
	{'n', "there is no node trace: use scontrol show nodes"},
	{'r', "use scontrol update PartitionName=... State=UP"},
	{'s', "use scontrol update PartitionName=... State=DOWN: no more jobs start there"},
	{'S', "use scontrol update PartitionName=... State=DOWN: no more jobs start there"},
};

static int print_reply(const struct cli *cli)
{
	struct json_object *data;
	int code;

	if (!cli->json) {
		printf("slurmctld has read slurm.conf and maui.cfg again\n");
		return EXIT_OK;
	}
	data = json_make_object();
	json_set_flag(data, "reconfigured", true);
	code = print_json("maui.schedctl/1", data);
	json_object_put(data);
	return code;
}

/* How often the engine has read maui.cfg, and which one counts: from Slurm 23.11 on a new slurmctld
 * reads it. */
struct reading {
	int64_t pid, started, readings;
	bool under_way;
};

static int ask_reading(const struct engine *engine, struct reading *ret_reading,
		       struct json_object **ret_answer)
{
	struct json_object *data, *policy;
	int code = engine_ask(engine, "status", NULL, ret_answer);

	if (code)
		return code;
	data = member_object(*ret_answer, "data");
	policy = member_object(data, "policy");
	ret_reading->pid = member_integer(data, "pid");
	ret_reading->started = member_integer(data, "started");
	ret_reading->readings = member_integer(policy, "readings");
	ret_reading->under_way = member_flag(policy, "reading");
	return EXIT_OK;
}

/* Whether a reading that began after the earlier one has finished. */
static bool is_over(const struct reading *before, const struct reading *now)
{
	return now->pid != before->pid || now->started != before->started ||
	       now->readings > before->readings + before->under_way;
}

static int schedctl_judge(struct json_object *answer)
{
	struct json_object *policy = member_object(member_object(answer, "data"), "policy");
	struct json_object *left_out = member_object(policy, "left_out");
	struct json_object *refused = member_object(policy, "refused");
	struct json_object *unknown = member_object(policy, "unknown");
	char text[1024];

	if (refused)
		return fail(EXIT_REFUSED, "%s was refused, and what was in force stays: %s",
			    member_text(refused, "path"),
			    policy_trouble_text(refused, text, sizeof(text)));
	if (left_out)
		return fail(EXIT_REFUSED, "%s is only partly in force: %s",
			    member_text(left_out, "path"),
			    policy_trouble_text(left_out, text, sizeof(text)));
	if (unknown)
		note("%s: %s", member_text(unknown, "path"),
		     policy_trouble_unknown(unknown, text, sizeof(text)));
	return EXIT_OK;
}

/* A new slurmctld has the pid of the old one if it does not run as a daemon (-D): two engines that
 * began in the same second would look like one. */
static void wait_for_next_second(const struct reading *before)
{
	while (time(NULL) == before->started)
		usleep(POLL_MICROSECONDS);
}

/* Slurm answers before the engine begins to read, and may be unreachable for a moment. */
static int wait_for_reading(const struct engine *engine, const struct reading *before)
{
	const struct deadline deadline = deadline_in(engine->timeout);
	char why[512];
	int code;

	do {
		struct json_object *answer = NULL;
		struct reading now;

		complaints_keep(why, sizeof(why));
		code = ask_reading(engine, &now, &answer);
		complaints_keep(NULL, 0);
		if (!code && is_over(before, &now)) {
			code = schedctl_judge(answer);
			json_object_put(answer);
			return code;
		}
		json_object_put(answer);
		usleep(POLL_MICROSECONDS);
	} while (deadline_left(&deadline) > 0);
	if (code)
		return fail(code, "whether maui.cfg is in force is not known: %s", why);
	return fail(EXIT_UNREACHABLE,
		    "whether maui.cfg is in force is not known: the engine has not read it within "
		    "%d seconds (--timeout)",
		    engine->timeout);
}

static int tell_slurmctld(const struct cli *cli)
{
	struct slurm_change change = {""};
	struct maui_error why = {""};

	if (slurm_read_configuration(cli->timeout, &change, &why))
		return fail(EXIT_UNREACHABLE, "%s", why.text);
	if (*change.text)
		return fail(EXIT_REFUSED, "cannot make slurmctld read its configuration: %s",
			    change.text);
	return EXIT_OK;
}

static int schedctl_reconfigure(const struct cli *cli)
{
	struct json_object *answer = NULL;
	struct reading before = {0};
	struct engine engine;
	char why[512];
	int code, asked;

	complaints_keep(why, sizeof(why));
	asked = engine_find(cli, &engine);
	if (!asked)
		asked = ask_reading(&engine, &before, &answer);
	complaints_keep(NULL, 0);
	json_object_put(answer);
	wait_for_next_second(&before);
	code = tell_slurmctld(cli);
	if (!code && asked)
		code = fail(asked,
			    "slurmctld reads its configuration again; whether maui.cfg is in force "
			    "is not known: %s",
			    why);
	else if (!code)
		code = wait_for_reading(&engine, &before);
	return code ? code : print_reply(cli);
}

static int schedctl_refuse(int option)
{
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++)
		if (elsewhere[i].option == option)
			return fail(EXIT_ERRORS, "schedctl -%c does not exist in Slurm: %s", option,
				    elsewhere[i].remedy);
	return EXIT_ERRORS;
}

static int run_schedctl(struct cli *cli, int argc, char **argv)
{
	bool read = false, list = false;
	int option;

	while ((option = next_option(cli, argc, argv, "Rlf::j::km::nr::s::S::", NULL)) !=
	       OPTIONS_END) {
		if (option == OPTIONS_DONE)
			return EXIT_OK;
		if (option != 'R' && option != 'l')
			return schedctl_refuse(option);
		read |= option == 'R';
		list |= option == 'l';
	}
	if (read == list)
		return fail_usage(cli, "-R or -l?");
	if (argc - optind > list)
		return fail_usage(cli, "unexpected argument %s", argv[optind + list]);
	return read ? schedctl_reconfigure(cli)
		    : showconfig_engine(cli, optind < argc ? argv[optind] : NULL);
}

static const char schedctl_help[] =
	"  -R                      slurmctld reads slurm.conf and maui.cfg again\n"
	"  -l [PARAMETER]          what showconfig shows, or one parameter of it\n"
	"  -f, -j, -k, -m, -n, -r, -s, -S\n"
	"                          do not exist in Slurm, and say what to use instead\n";

const struct command schedctl_command = {
	.name = "schedctl",
	.synopsis = "-R|-l [PARAMETER]",
	.summary = "Reread maui.cfg, or show the policy in force",
	.options = schedctl_help,
	.run = run_schedctl,
};
