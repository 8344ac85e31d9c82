/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs sacctmgr, which translates the numbers of TRES and QOS that slurmdbd
 * sends, and decides who may see them.
 */
#include <stdio.h>

#include "contribs/maui/slurm/slurm_policy.h"
#include "contribs/maui/slurm/slurm_program.h"

int slurm_policy_qos(const char *columns, int timeout, char **ret_text, size_t *ret_size,
		     struct maui_error *error)
{
	static char program[] = "sacctmgr", parsable[] = "-P", show[] = "show", qos[] = "qos";
	char format[1024];
	char *const words[] = {program, parsable, show, qos, format, NULL};

	snprintf(format, sizeof(format), "format=%s", columns);
	return slurm_program(words, timeout, "QOS", ret_text, ret_size, error);
}

int slurm_policy_associations(const char *cluster, int timeout, char **ret_text, size_t *ret_size,
			      struct maui_error *error)
{
	static char program[] = "sacctmgr", dump[] = "dump", file[] = "file=/dev/stdout";
	char name[256];
	char *const words[] = {program, dump, name, file, NULL};

	snprintf(name, sizeof(name), "cluster=%s", cluster);
	return slurm_program(words, timeout, "associations", ret_text, ret_size, error);
}
