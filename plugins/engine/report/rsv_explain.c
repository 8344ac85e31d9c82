/* SPDX-License-Identifier: GPL-2.0-or-later */
/* explain-reservations. */
#include "plugins/compat/base.h"

#include "plugins/engine/report/rsv_explain.h"

#include <string.h>
#include <time.h>

#include "common/policy/reservation/sr_window.h"
#include "plugins/engine/nodes/node_order.h"
#include "plugins/engine/report/name_texts.h"
#include "plugins/engine/report/report_arguments.h"
#include "plugins/engine/report/report_json.h"
#include "plugins/engine/report/report_records.h"
#include "plugins/engine/report/rsv_report.h"
#include "plugins/engine/reservation/rsv_admission.h"
#include "plugins/engine/reservation/rsv_asker.h"
#include "plugins/engine/reservation/rsv_asked.h"
#include "plugins/engine/reservation/rsv_policy.h"
#include "plugins/engine/reservation/rsv_view.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/pass.h"
#include "plugins/engine/slurm/resvrec.h"

#define NO_SUCH_JOB "Slurm has no such job, or it is not yours to see"
#define GONE        "it is no longer in maui.cfg: nobody gets in"

/* How one of our reservations treats the job. */
struct entry {
	const char *name, *nodes, *text;
	int64_t start, end;
	bool open, meets, admitted;
	bool asked; /* the job asks for it by name */
	enum maui_affinity affinity;
};

struct copy {
	struct maui_arena *arena;
	struct report_job job;
	const char *partition, *state, *asks;
	bool pass, ours_is_pass; /* it has a pass; the pass is ours */
	int64_t start, walltime; /* start: now for a pending job */
	struct entry *entries;
	size_t count, room;
};

/* ---- one reservation; Slurm's locks and the mutex are held ---- */

struct walk {
	struct copy *copy;
	const job_record_t *job;
	struct maui_rsv_job who;
	const struct rsv_seen *list;
	size_t count, at;
	int64_t now;
};

/*
 * Judges the job as if it started now; a running job, from its start. If the two do not overlap in
 * time, judges it with its start unknown instead.
 */
ENGINE_LOCKED static void judge(struct walk *walk, const struct rsv_seen *seen, struct entry *entry)
{
	struct maui_rsv_job who = walk->who;
	char text[MAUI_RSV_TEXT_SIZE];
	struct maui_rsv_verdict verdict;

	who.asks = rsv_admission_asks(walk->job, seen);
	entry->asked = who.asks && who.asks == seen->instance.standing;
	if (seen->sr == UINT32_MAX) {
		entry->text = GONE;
		entry->meets =
			maui_rsv_overlap(&seen->instance, who.start, who.walltime, walk->now) > 0;
		return;
	}
	entry->admitted = maui_rsv_admits_at(&seen->instance, &who, walk->now, &verdict);
	entry->meets = verdict.reason != MAUI_RSV_NO_OVERLAP;
	if (!entry->meets) {
		who.start = MAUI_RSV_START_UNKNOWN;
		entry->admitted = maui_rsv_admits_at(&seen->instance, &who, walk->now, &verdict);
	}
	entry->affinity = verdict.affinity;
	maui_rsv_text(&seen->instance, &verdict, text);
	entry->text = report_copy_text(walk->copy->arena, text);
}

/* rsv_view() has one entry for each of Slurm's reservations, in the same order. */
static int rsv_explain_look(slurmctld_resv_t *reservation, void *context)
{
	struct walk *walk = context;
	struct copy *copy = walk->copy;
	const struct rsv_seen *seen;
	struct entry *entry;

	engine_assert_locked();
	if (walk->at == walk->count || copy->count == copy->room)
		return -1;
	seen = &walk->list[walk->at++];
	if (!seen->ours || resvrec_end(reservation) <= walk->now)
		return 0;
	entry = &copy->entries[copy->count++];
	*entry = (struct entry){
		.name = report_copy_text(copy->arena, resvrec_name(reservation)),
		.nodes = report_copy_text(copy->arena, resvrec_node_list(reservation)),
		.start = seen->instance.start,
		.end = seen->instance.end,
		.open = seen->max_start_delay,
		.affinity = MAUI_AFFINITY_NONE,
	};
	judge(walk, seen, entry);
	return 0;
}

/* ---- the job; Slurm's locks are held ---- */

static void look_at_all(struct copy *copy, const job_record_t *job)
{
	struct walk walk = {.copy = copy, .job = job, .now = time(NULL)};
	struct jobrec_facts facts;

	copy->room = resvrec_count();
	copy->entries = maui_arena_alloc(copy->arena, copy->room, sizeof(*copy->entries));
	engine_lock();
	jobrec_facts_read(job, &facts);
	walk.who = rsv_asker(&facts, facts.partition, facts.qos);
	walk.who.start = jobrec_is_pending(job) ? walk.now : jobrec_start(job);
	walk.count = rsv_view(&walk.list, walk.now);
	resvrec_each(rsv_explain_look, &walk);
	engine_unlock();
	copy->start = walk.who.start;
	copy->walltime = walk.who.walltime;
}

/* job_submit/maui has put the name of one of ours into the comment. */
static void copy_asks(struct copy *copy, const job_record_t *job)
{
	const char *name = jobrec_reservation(job);
	struct rsv_asked asked = {name, name ? strlen(name) : 0};

	if (!name)
		asked = rsv_asked_by(jobrec_comment(job));
	if (asked.size)
		copy->asks = maui_arena_text(copy->arena, asked.name, asked.size);
}

static const char *copy_job(struct copy *copy, const job_record_t *job)
{
	if (!job)
		return NO_SUCH_JOB;
	report_copy_job(copy->arena, job, &copy->job);
	if (!jobrec_is_pending(job) && !jobrec_is_active(job))
		return "the job has ended";
	if (!jobrec_partition(job) || !jobrec_has_details(job))
		return "the job has no partition";
	copy->partition = report_copy_text(copy->arena, jobrec_class(job));
	copy_asks(copy, job);
	copy->state = jobrec_is_suspended(job) ? "suspended"
		      : jobrec_is_running(job) ? "running"
					       : "pending";
	copy->pass = rsv_pass_has(job);
	copy->ours_is_pass = rsv_pass_given(job);
	look_at_all(copy, job);
	return NULL;
}

/* ---- the answer ---- */

static const char *affinity_name(enum maui_affinity affinity)
{
	switch (affinity) {
	case MAUI_AFFINITY_POSITIVE:
		return "positive";
	case MAUI_AFFINITY_NEUTRAL:
		return "neutral";
	case MAUI_AFFINITY_NEGATIVE:
		return "negative";
	default:
		return NULL;
	}
}

static struct json_object *entry_object(const struct entry *entry)
{
	struct json_object *object = json_make_object();

	json_set_text(object, "name", entry->name);
	report_json_time(object, "start", entry->start);
	report_json_time(object, "end", entry->end < MAUI_SR_FOREVER ? entry->end : 0);
	json_set_text(object, "nodes", entry->nodes);
	json_set_flag(object, "open", entry->open);
	json_set_flag(object, "meets", entry->meets);
	json_set_flag(object, "admitted", entry->admitted);
	json_set_flag(object, "asked", entry->asked);
	json_set_text(object, "affinity", entry->admitted ? affinity_name(entry->affinity) : NULL);
	json_set_text(object, "text", entry->text);
	return object;
}

static struct json_object *rsv_explain_render(const struct copy *copy)
{
	struct json_object *data = json_make_object();
	size_t unanswered = 0;
	struct json_object *array = json_make_array();
	bool limited = copy->walltime < MAUI_INFINITY;

	report_json_job(data, &copy->job, &unanswered);
	name_texts_add_unanswered(data, unanswered);
	json_set_text(data, "account", copy->job.account);
	json_set_text(data, "partition", copy->partition);
	json_set_text(data, "state", copy->state);
	json_set(data, "walltime", limited ? json_make_number(copy->walltime) : NULL);
	report_json_time(data, "start", copy->start);
	json_set_text(data, "pass", copy->ours_is_pass ? "engine" : copy->pass ? "user" : NULL);
	json_set_text(data, "asks", copy->asks);
	json_set_flag(data, "select", select_is_loaded());
	for (size_t i = 0; i < copy->count; i++)
		json_append(array, entry_object(&copy->entries[i]));
	json_set(data, "reservations", array);
	return data;
}

static const char *rsv_explain_ask(struct copy *copy, uint32_t job, uint32_t task)
{
	const char *wrong = REPORT_STANDBY;

	if (!report_records_lock())
		return wrong;
	wrong = copy_job(copy, task == NO_VAL ? jobrec_find(job) : jobrec_find_task(job, task));
	report_records_unlock();
	return wrong;
}

const char *rsv_explain_job(const struct report_asker *asker, struct json_object *arguments,
			    struct json_object **ret_data)
{
	uint32_t job, task;
	const char *wrong = report_job_argument(arguments, &job, &task);
	struct copy copy = {0};

	if (wrong)
		return wrong;
	if (report_asker_is_bound(asker, PRIVATE_DATA_RESERVATIONS))
		return RSV_REPORT_PRIVATE;
	copy.arena = maui_arena_new();
	wrong = rsv_explain_ask(&copy, job, task);
	/* Reveal nothing about a job that the user may not see, not even that it has ended. */
	if (copy.job.id && !report_asker_sees_job(asker, copy.job.uid, copy.job.account))
		wrong = NO_SUCH_JOB;
	if (!wrong)
		*ret_data = rsv_explain_render(&copy);
	maui_arena_free(copy.arena);
	return wrong;
}
