/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits the value of x=GRES at commas: license:NAME goes to licenses, anything
 * else to tres_per_node. Refuses a job whose options request GRES, too.
 */
#include "plugins/job_submit/asked_gres.h"

#include <string.h>

#include "common/util/extension.h"

#define KEY     "GRES"
#define LICENSE "license:"

static int asked_gres_refuse(const char *why, char **ret_error)
{
	if (ret_error)
		xstrfmtcat(*ret_error, "x=GRES in the comment: %s", why);
	return ESLURM_INVALID_GRES;
}

static bool is_asked_by_option(const job_desc_msg_t *job)
{
	const char *const asked[] = {job->tres_per_job, job->tres_per_node, job->tres_per_socket,
				     job->tres_per_task};

	for (size_t i = 0; i < ARRAY_SIZE(asked); i++)
		if (xstrcasestr(asked[i], "gres")) /* tres_per_task has CPUs, too */
			return true;
	return false;
}

static void asked_gres_add(char **list, const char *prefix, const char *item)
{
	xstrfmtcat(*list, "%s%s%s", *list && **list ? "," : "", prefix, item);
}

int asked_gres_translate(job_desc_msg_t *job, const char *comment, char **ret_error)
{
	struct maui_piece value;
	char *items, *item, *rest;
	int rc = SLURM_SUCCESS;

	if (!maui_extension_find(comment, KEY, &value))
		return SLURM_SUCCESS;
	if (is_asked_by_option(job))
		return asked_gres_refuse("options ask for GRES, too: use one of both", ret_error);
	items = rest = xstrndup(value.text, value.size);
	while (rc == SLURM_SUCCESS && (item = strsep(&rest, ",")))
		if (!*item || !strcmp(item, LICENSE))
			rc = asked_gres_refuse("a name is missing", ret_error);
		else if (!strncmp(item, LICENSE, strlen(LICENSE)))
			asked_gres_add(&job->licenses, "", item + strlen(LICENSE));
		else
			asked_gres_add(&job->tres_per_node, COMPAT_GRES_PREFIX, item);
	xfree(items);
	return rc;
}

bool asked_gres_same(const char *one, const char *other)
{
	return maui_extension_same(one, other, KEY);
}
