/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui schedctl: what there is of it in Slurm. The scheduler is slurmctld, which scontrol stops and resumes. */
#include "contribs/maui/command.h"

#include <stdio.h>
#include <string.h>

#include "contribs/maui/output.h"
#include "contribs/maui/slurm_change.h"

/* What the original has and Slurm does in another way. */
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
	{'s', "use scontrol update PartitionName=... State=DOWN: no job starts there any more"},
	{'S', "use scontrol update PartitionName=... State=DOWN: no job starts there any more"},
};

static int print_reply(const struct cli *cli)
{
	struct json_object *data;
	int code;

	if (!cli->json) {
		printf("slurmctld reads slurm.conf and maui.cfg again\n");
		return EXIT_OK;
	}
	data = json_object_new_object();
	if (!data || json_object_object_add(data, "reconfigured", json_object_new_boolean(true)))
		code = fail_memory();
	else
		code = print_json("maui.schedctl/1", data);
	json_object_put(data);
	return code;
}

static int reconfigure(const struct cli *cli)
{
	struct slurm_change change = {""};
	struct maui_error why = {""};

	if (slurm_read_configuration(cli->timeout, &change, &why))
		return fail(EXIT_UNREACHABLE, "%s", why.text);
	if (*change.text)
		return fail(EXIT_REFUSED, "cannot have slurmctld read its configuration: %s",
			    change.text);
	return print_reply(cli);
}

static int refuse(int option)
{
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++)
		if (elsewhere[i].option == option)
			return fail(EXIT_ERRORS, "schedctl -%c is not there in Slurm: %s", option,
				    elsewhere[i].remedy);
	return EXIT_ERRORS;
}

int run_schedctl(struct cli *cli, int argc, char **argv)
{
	bool read = false, list = false;
	int option;

	while ((option = next_option(cli, argc, argv, "Rlf::j::km::nr::s::S::", NULL)) !=
	       OPTIONS_END) {
		if (option == OPTIONS_DONE)
			return EXIT_OK;
		if (option != 'R' && option != 'l')
			return refuse(option);
		read |= option == 'R';
		list |= option == 'l';
	}
	if (read == list)
		return fail_usage(cli, read ? "-R or -l" : "what is to be done?");
	if (argc - optind > list)
		return fail_usage(cli, "what is %s?", argv[optind + list]);
	return read ? reconfigure(cli)
		    : showconfig_engine(cli, optind < argc ? argv[optind] : NULL);
}
