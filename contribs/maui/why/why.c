/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explains one job: what holds it back, who is ahead, what would free it, and when. */
#include "contribs/maui/why/why.h"

#include <stdio.h>
#include <string.h>

#include "common/report/json.h"
#include "contribs/maui/lib/output.h"

void why_causes(struct why *why)
{
	why_hold(why);
	why_dependency(why);
	why_begin(why);
	why_limit(why);
	why_partition(why);
	why_slurm(why);
	why_license(why);
	why_reservation(why);
}

static void explain_waiting(struct why *why)
{
	struct json_object *first;

	why_causes(why);
	why_place(why);
	why_plan(why);
	first = why_first(why, WHY_CAUSE);
	snprintf(why->summary, sizeof(why->summary), "job %s waits: %s",
		 member_text(why->job, "id"),
		 first ? member_text(first, "text") : "the reason cannot be seen");
}

static void explain_ended(struct why *why)
{
	char end[TEXT_DATE_SIZE];

	snprintf(why->summary, sizeof(why->summary),
		 "job %s waits for nothing: it has been %s since %s", member_text(why->job, "id"),
		 member_text(why->job, "state"), why_time(member_integer(why->job, "end"), end));
}

void why_open(struct why *why)
{
	why->now = member_integer(why->queue, "time");
	why->answers = json_make_array();
	why->findings = json_make_array();
}

void why_explain_job(struct why *why)
{
	bool pending = queue_job_is_pending(why->job);

	why_open(why);
	if (!pending && !queue_job_is_active(why->job)) {
		explain_ended(why);
		return;
	}
	why_ask(why);
	if (pending)
		explain_waiting(why);
	else
		why_running(why);
}

void why_clear(struct why *why)
{
	json_object_put(why->answers);
	json_object_put(why->findings);
}

struct json_object *why_explain(const struct engine *engine, struct json_object *queue,
				const struct queue_sorted *sorted, struct json_object *job)
{
	struct why why = {.service = engine,
			  .quiet = true,
			  .last = true,
			  .brief = true,
			  .queue = queue,
			  .sorted = sorted,
			  .job = job};
	struct json_object *data;

	why_explain_job(&why);
	data = why_data(&why);
	why_clear(&why);
	return data;
}
