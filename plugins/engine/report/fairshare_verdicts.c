/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evaluates maui_fairshare_cap() for each job of the snapshot against the
 * present windows, and lists the jobs over their cap as JSON.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/report/fairshare_verdicts.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/queue/snapshot.h"
#include "common/report/json.h"
#include "common/util/memory.h"
#include "plugins/engine/fairshare/fairshare.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/gres_records.h"

/* Jobs in one answer. */
#define MAX_VERDICTS 20000

struct verdict {
	size_t row;
	struct maui_fairshare_verdict cap;
};

/* PrivateData=jobs leaves users only their own jobs. */
static bool verdict_visible(const struct maui_snapshot *snapshot, size_t at,
			    const struct fairshare_filter *filter)
{
	uint32_t user = snapshot->jobs[at].credential[MAUI_USER];

	return filter->sees_all || !(slurm_conf.private_data & PRIVATE_DATA_JOBS) ||
	       snapshot->names.number[MAUI_USER][user] == filter->uid;
}

/* Uses the present windows, but the snapshot's jobs and targets. The mutex is held. */
ENGINE_LOCKED static size_t judge(const struct maui_snapshot *snapshot,
				  const struct fairshare_filter *filter, struct verdict *verdicts)
{
	const struct maui_fairshare *windows = fairshare_windows(NULL);
	const struct maui_fairshare_settings *counting = fairshare_counting();
	size_t count = 0;

	if (snapshot->gres != gres_records_table())
		return 0; /* its jobs have other numbers of GRES: until the next iteration */
	for (size_t at = 0; counting && at < snapshot->count && count < MAX_VERDICTS; at++) {
		const struct maui_priority_job *job = &snapshot->jobs[at];
		double request = maui_fairshare_request(
			maui_fairshare_rate(counting, job->procs, job->pe, job->gres),
			(double)job->walltime);

		if (!verdict_visible(snapshot, at, filter) ||
		    !maui_fairshare_cap(windows, &snapshot->names.tables, job->credential, request,
					&verdicts[count].cap))
			continue;
		verdicts[count++].row = at;
	}
	return count;
}

static void add_name(struct json_object *object, const struct maui_snapshot *snapshot,
		     enum maui_credential type, uint32_t id)
{
	const char *text = snapshot->names.text[type][id];
	char number[16];

	if (!text)
		snprintf(number, sizeof(number), "%" PRIu32, snapshot->names.number[type][id]);
	json_set_text(object, "name", text ? text : number);
	if (!text) /* another one may have these digits as a name */
		json_set_flag(object, "unnamed", true);
}

static struct json_object *verdict_object(const struct maui_snapshot *snapshot,
					  const struct verdict *verdict)
{
	const struct maui_fairshare_verdict *cap = &verdict->cap;
	const struct maui_priority_job *job = &snapshot->jobs[verdict->row];
	struct json_object *object = json_make_object();

	json_set_number(object, "job", snapshot->rows[verdict->row].job_id);
	json_set_text(object, "partition",
		      snapshot->names.text[MAUI_CLASS][job->credential[MAUI_CLASS]]);
	json_set_text(object, "type", maui_credential_name(cap->type));
	add_name(object, snapshot, cap->type, job->credential[cap->type]);
	json_set_text(object, "mode", cap->mode == MAUI_FS_CAP_RELATIVE ? "cap-percent" : "cap-ps");
	json_set_real(object, "cap", cap->cap);
	json_set_real(object, "usage", cap->usage);
	json_set_real(object, "request", cap->request);
	json_set(object, "until", cap->until == INT64_MAX ? NULL : json_make_number(cap->until));
	return object;
}

struct json_object *fairshare_verdicts(const struct maui_snapshot *snapshot,
				       const struct fairshare_filter *filter)
{
	size_t room = snapshot->count < MAX_VERDICTS ? snapshot->count : MAX_VERDICTS;
	struct verdict *verdicts = maui_calloc(room + 1, sizeof(*verdicts));
	struct json_object *array = json_make_array();
	size_t count;

	engine_lock();
	count = judge(snapshot, filter, verdicts);
	engine_unlock();
	for (size_t i = 0; i < count; i++)
		json_append(array, verdict_object(snapshot, &verdicts[i]));
	free(verdicts);
	return array;
}
