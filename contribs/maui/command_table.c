/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The array of all commands, in alphabetical order. command_find() compares
 * names and aliases in it, then in the list of old_names.c.
 */
#include "contribs/maui/command_table.h"

#include <string.h>

#include "contribs/maui/change/change.h"
#include "contribs/maui/check/check.h"
#include "contribs/maui/diagnose/diagnose.h"
#include "contribs/maui/doctor/doctor.h"
#include "contribs/maui/explain/explain.h"
#include "contribs/maui/fs/fs.h"
#include "contribs/maui/import/import_command.h"
#include "contribs/maui/metrics/metrics.h"
#include "contribs/maui/old_names.h"
#include "contribs/maui/page/page.h"
#include "contribs/maui/queue/queue.h"
#include "contribs/maui/replay/replay.h"
#include "contribs/maui/reservation/reservation.h"
#include "contribs/maui/serve/serve.h"
#include "contribs/maui/show/show.h"
#include "contribs/maui/why/why_command.h"

/* One a line. */
/* clang-format off */
static const struct command *const commands[] = {
	&canceljob_command,
	&check_command,
	&checkjob_command,
	&checknode_command,
	&diagnose_command,
	&diff_command,
	&disable_command,
	&doctor_command,
	&enable_command,
	&explain_nodes_command,
	&fs_command,
	&import_command,
	&keys_command,
	&metrics_command,
	&page_command,
	&priority_command,
	&queue_command,
	&releasehold_command,
	&releaseres_command,
	&replay_command,
	&res_command,
	&schedctl_command,
	&serve_command,
	&sethold_command,
	&setres_command,
	&setspri_command,
	&showbf_command,
	&showconfig_command,
	&showq_command,
	&showres_command,
	&showstart_command,
	&showstats_command,
	&status_command,
	&upcoming_command,
	&whatif_command,
	&why_command,
	NULL,
};
/* clang-format on */

const struct command *const *command_list(void)
{
	return commands;
}

static const struct command *find_in(const struct command *const *list, const char *name)
{
	for (; *list; list++)
		if (!strcmp(name, (*list)->name) ||
		    ((*list)->alias && !strcmp(name, (*list)->alias)))
			return *list;
	return NULL;
}

const struct command *command_find(const char *name)
{
	const struct command *command = find_in(commands, name);

	return command ? command : find_in(old_name_list(), name);
}
