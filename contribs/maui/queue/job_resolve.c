/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads a maui.queue/1 at the first name such as 18+1, and replaces each
 * component by the `job` number of its record.
 */
#include "contribs/maui/queue/job_resolve.h"

#include <inttypes.h>
#include <stdlib.h>

#include "contribs/maui/lib/job_name.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/text.h"
#include "contribs/maui/queue/queue.h"

/* *queue: loaded once. */
static int resolve_component(const struct cli *cli, struct json_object **queue, char **name)
{
	struct json_object *job;
	int code = *queue ? EXIT_OK : queue_load(cli, QUEUE_JOBS, queue);

	if (code)
		return code;
	job = queue_job(*queue, *name);
	if (!job)
		return fail(EXIT_REFUSED, "there is no job %s, or it is not yours to see", *name);
	free(*name);
	*name = text_printf("%" PRId64, member_integer(job, "job"));
	return EXIT_OK;
}

int job_names_resolve(const struct cli *cli, int count, char *const *lists, char ***ret_names)
{
	char **names = job_names_split(count, lists);
	struct json_object *queue = NULL;
	int code = EXIT_OK;

	for (char **one = names; !code && *one; one++) {
		struct job_name name;

		if (!job_name_read(*one, &name))
			code = fail_usage(cli, "%s " JOB_NAME_WANTED, *one);
		else if (name.part == JOB_COMPONENT)
			code = resolve_component(cli, &queue, one);
	}
	json_object_put(queue);
	if (code)
		job_names_clear(names);
	else
		*ret_names = names;
	return code;
}
