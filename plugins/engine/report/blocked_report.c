/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chapter 6.2.3: a job is eligible if nothing holds it, it waits for nothing, and no limit blocks
 * it. What the records say about holds is in the snapshot. Verdicts and the names in them belong to
 * the engine; they are copied a few at a time, as every job start in slurmctld waits for the mutex
 * meanwhile.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/report/blocked_report.h"
#include "plugins/engine/report/limit_period_json.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/policy/priority/accrual.h"
#include "common/queue/refusal.h"
#include "common/util/arena.h"
#include "common/util/memory.h"
#include "plugins/engine/limits/limits.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/queue/job_queue.h"
#include "plugins/engine/report/name_texts.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/gres_records.h"

#define MAX_ANSWER_JOBS 20000 /* about 15 MB of text */
#define COPY_BATCH      500   /* jobs per hold of the mutex */

enum kind {
	KIND_ELIGIBLE,
	KIND_LIMIT,
	KIND_FSCAP,
	KIND_QOS,
	KIND_RESERVATION,
	KIND_UNKNOWN,
	KIND_USER_HOLD,
	KIND_SYSTEM_HOLD,
	KIND_REJECTED,
	KIND_DEPENDENCY,
	KIND_BEGIN,
	KIND_CLASS,
	KINDS
};

/* Texts of the kinds without a verdict; %s is a time or a partition. */
struct kind_texts {
	const char *name, *text, *original;
};

static const struct kind_texts kinds[] = {
	[KIND_ELIGIBLE] = {"eligible", NULL, NULL},
	[KIND_LIMIT] = {"limit", NULL, NULL},
	[KIND_FSCAP] = {"fairshare-cap", NULL, NULL},
	[KIND_QOS] = {"qos", NULL, NULL},
	[KIND_RESERVATION] = {"reservation", NULL, NULL},
	[KIND_UNKNOWN] = {"unknown", NULL, NULL},
	[KIND_USER_HOLD] = {"user-hold", "held by its user", "cannot be selected  (Hold: User)"},
	[KIND_SYSTEM_HOLD] = {"system-hold", "held by an administrator or by Slurm",
			      "cannot be selected  (Hold: System)"},
	[KIND_REJECTED] = {"negative-priority", "held for its negative priority: REJECTNEGPRIOJOBS",
			   "cannot be selected  (Hold: negative priority)"},
	[KIND_DEPENDENCY] = {"dependency", "waits for other jobs",
			     "cannot be selected  (Dependency)"},
	[KIND_BEGIN] = {"begin-time", "begins at %s or later",
			"cannot be selected  (ReleaseTime: %s)"},
	[KIND_CLASS] = {"class", "partition %s starts no jobs", "cannot be selected  (Class: %s)"},
};

/* The same of a dependency that Slurm has found to be lost. */
static const struct kind_texts never = {
	"dependency", "waits for other jobs: its dependency can never be satisfied",
	"cannot be selected  (DependencyNeverSatisfied)"};

/* One job. */
struct blocked {
	size_t row; /* its first row */
	enum kind kind;
	struct maui_limit_verdict limit; /* KIND_LIMIT */
	/* From verdicts, in the arena: */
	const char *text, *original, *holder, *second;
	bool holder_unnamed, second_unnamed; /* a uid or gid without a name */
};

struct list {
	const struct maui_snapshot *snapshot;
	struct blocked_filter filter;
	struct maui_arena *texts;
	struct blocked *jobs;
	size_t count, omitted;
	size_t of_kind[KINDS], soft; /* of all jobs; those over a soft limit apart */
};

const char *blocked_filter_read(struct json_object *arguments, struct blocked_filter *filter)
{
	struct json_object *member;
	const char *level;

	*filter = (struct blocked_filter){.hard_only = false};
	if (!arguments)
		return NULL;
	if (json_object_object_get_ex(arguments, "counts", &member) && member)
		filter->counts_only = json_object_get_boolean(member);
	if (!json_object_object_get_ex(arguments, "level", &member) || !member)
		return NULL;
	level = json_object_get_string(member);
	filter->hard_only = !strcmp(level, "hard");
	return filter->hard_only || !strcmp(level, "soft") ? NULL
							   : "the level is neither soft nor hard";
}

/* ---- why not ---- */

/* The violations that it has in all of its partitions. */
static unsigned int blocked_violations(const struct maui_snapshot *snapshot, size_t first)
{
	unsigned int mask = ~0U;

	for (uint32_t i = 0; i < snapshot->rows[first].parts; i++)
		mask &= snapshot->rows[first + i].violations;
	return mask;
}

/* What the records say. */
static enum kind record_kind(const struct maui_snapshot *snapshot, size_t first)
{
	const struct maui_snapshot_row *row = &snapshot->rows[first];
	unsigned int mask = blocked_violations(snapshot, first);

	if (row->state == MAUI_ROW_HELD)
		return row->user_hold ? KIND_USER_HOLD : KIND_SYSTEM_HOLD;
	if (row->state == MAUI_ROW_REJECTED || (mask & MAUI_VIOLATES_PRIORITY))
		return KIND_REJECTED;
	if ((mask & MAUI_VIOLATES_DEPENDENCY) || row->reason == WAIT_DEP_INVALID)
		return KIND_DEPENDENCY;
	if (row->waits)
		return row->eligible_since > snapshot->time ? KIND_BEGIN : KIND_DEPENDENCY;
	return mask & MAUI_VIOLATES_CLASS ? KIND_CLASS : KIND_ELIGIBLE;
}

static enum kind refusal_kind(const struct maui_refusal *refusal)
{
	static const enum kind kind[] = {
		[MAUI_REFUSAL_NONE] = KIND_ELIGIBLE,
		[MAUI_REFUSAL_LIMIT] = KIND_LIMIT,
		[MAUI_REFUSAL_FSCAP] = KIND_FSCAP,
		[MAUI_REFUSAL_QOS] = KIND_QOS,
		[MAUI_REFUSAL_RESERVATION] = KIND_RESERVATION,
		[MAUI_REFUSAL_UNKNOWN] = KIND_UNKNOWN,
		[MAUI_REFUSAL_NAME] = KIND_UNKNOWN,
	};

	return kind[refusal->kind];
}

/* ---- copies of verdicts; the mutex is held ---- */

static const char *blocked_copy(const struct list *list, const char *text)
{
	return text ? maui_arena_text(list->texts, text, strlen(text)) : NULL;
}

ENGINE_LOCKED static const char *copy_name(const struct list *list, unsigned int type, uint32_t id,
					   bool *ret_unnamed)
{
	char number[MAUI_NAMES_NUMBER_SIZE];
	const char *name;

	if (type >= MAUI_CREDENTIALS)
		return NULL;
	if (type == MAUI_QOS && !id)
		return "DEFAULT";
	name = maui_names_text(in_force.names, type, id, number);
	*ret_unnamed = maui_names_is_unnamed(in_force.names, type, id, name);
	return blocked_copy(list, name);
}

ENGINE_LOCKED static void copy_refusal(const struct list *list, const struct maui_refusal *refusal,
				       struct blocked *blocked)
{
	char text[MAUI_REFUSAL_TEXT_SIZE];

	blocked->text = blocked_copy(list, maui_refusal_text(refusal, in_force.names, text));
	blocked->original =
		blocked_copy(list, maui_refusal_original_text(refusal, in_force.names, text));
	if (refusal->kind != MAUI_REFUSAL_LIMIT)
		return;
	blocked->limit = refusal->limit;
	blocked->holder =
		copy_name(list, refusal->limit.type, refusal->limit.id, &blocked->holder_unnamed);
	if (refusal->limit.pair)
		blocked->second = copy_name(list, refusal->limit.second_type,
					    refusal->limit.second_id, &blocked->second_unnamed);
}

/* Checks soft limits against the present usage: what an iteration found is forgotten once the
 * schedulers have looked at the job. */
ENGINE_LOCKED static bool soft_refusal(const struct maui_snapshot *snapshot, size_t first,
				       const struct maui_tracked_job *tracked,
				       struct maui_refusal *ret_refusal)
{
	const struct maui_limit_usage *usage = limits_act() ? limits_usage(time(NULL)) : NULL;

	if (snapshot->gres != gres_records_table())
		return false; /* by the numbers of another maui.cfg: the next iteration has ours */
	for (uint32_t i = 0; usage && i < snapshot->rows[first].parts; i++) {
		struct maui_limit_job request;

		const struct maui_priority_job *job = &snapshot->jobs[first + i];

		maui_limit_job_asked(job, limits_got(tracked, job->credential[MAUI_CLASS]),
				     &request);
		ret_refusal->kind = MAUI_REFUSAL_LIMIT;
		if (maui_limits_check(limits_table(), usage, &request, MAUI_LIMIT_SOFT,
				      MAUI_LIMIT_START_ONLY, &ret_refusal->limit))
			return true;
	}
	return false;
}

/* What an iteration, or the last attempt to start the job, found; false: it is eligible. */
ENGINE_LOCKED static bool refusal_of(const struct list *list, size_t first,
				     struct maui_refusal *ret_refusal)
{
	const struct maui_snapshot_row *row = &list->snapshot->rows[first];
	const struct maui_tracked_job *tracked =
		maui_jobs_find_at(job_queue.jobs, row->tracked_slot, row->job_id);

	*ret_refusal = (struct maui_refusal){.kind = MAUI_REFUSAL_NONE};
	if (!tracked || tracked->submitted != row->submitted)
		return false;
	if (tracked->standing == MAUI_STANDING_SECOND)
		return !list->filter.hard_only &&
		       soft_refusal(list->snapshot, first, tracked, ret_refusal);
	if (tracked->standing == MAUI_STANDING_FREE && tracked->judged &&
	    tracked->refusal->kind != MAUI_REFUSAL_UNKNOWN &&
	    tracked->refusal->kind != MAUI_REFUSAL_NAME)
		return false;
	*ret_refusal = *tracked->refusal;
	return true;
}

ENGINE_LOCKED static void see(struct list *list, size_t first)
{
	enum kind kind = record_kind(list->snapshot, first);
	struct blocked *blocked = &list->jobs[list->count];
	struct maui_refusal refusal;
	bool refused = kind == KIND_ELIGIBLE && refusal_of(list, first, &refusal);

	if (refused)
		kind = refusal_kind(&refusal);
	if (refused && maui_refusal_is_soft(&refusal))
		list->soft++;
	else
		list->of_kind[kind]++;
	if (kind == KIND_ELIGIBLE || list->filter.counts_only)
		return;
	if (list->count == MAX_ANSWER_JOBS) {
		list->omitted++;
		return;
	}
	*blocked = (struct blocked){.row = first, .kind = kind};
	if (refused)
		copy_refusal(list, &refusal, blocked);
	list->count++;
}

/* ---- which jobs; no lock held ---- */

static bool asked_for(const struct maui_snapshot *snapshot, size_t first,
		      const struct job_query *query)
{
	for (uint32_t i = 0; i < snapshot->rows[first].parts; i++)
		if (job_query_asks_for(snapshot, first + i, query))
			return true;
	return false;
}

/* The first rows of all requested jobs that the user may see. */
static size_t blocked_choose(const struct maui_snapshot *snapshot, const struct job_query *query,
			     size_t *chosen)
{
	struct job_privacy privacy = job_privacy_for(snapshot, query);
	size_t count = 0;

	for (size_t at = 0; at < snapshot->count; at += snapshot->rows[at].parts)
		if (asked_for(snapshot, at, query) && job_privacy_lets(&privacy, snapshot, at))
			chosen[count++] = at;
	free(privacy.coordinator);
	return count;
}

static void blocked_see_all(struct list *list, const size_t *chosen, size_t count)
{
	for (size_t i = 0; i < count;) {
		size_t end = i + COPY_BATCH < count ? i + COPY_BATCH : count;

		engine_lock();
		for (; i < end; i++)
			see(list, chosen[i]);
		engine_unlock();
	}
}

/* ---- one job ---- */

static const char *class_name(const struct maui_snapshot *snapshot, size_t at)
{
	return snapshot->names.text[MAUI_CLASS][snapshot->jobs[at].credential[MAUI_CLASS]];
}

static struct json_object *blocked_partitions(const struct maui_snapshot *snapshot, size_t first)
{
	struct json_object *array = json_make_array();

	for (uint32_t i = 0; i < snapshot->rows[first].parts; i++) {
		const char *name = class_name(snapshot, first + i);

		if (name && maui_snapshot_is_first(snapshot, first + i, MAUI_CLASS))
			json_append_text(array, name);
	}
	return array;
}

static void add_unnamed(struct json_object *object, const char *name, bool unnamed)
{
	if (unnamed)
		json_set_flag(object, name, true);
}

/* {"name": "MAXJOB", ...} or null. */
static struct json_object *limit_object(const struct blocked *blocked)
{
	const struct maui_limit_verdict *limit = &blocked->limit;
	struct json_object *object;
	char name[MAUI_LIMIT_NAME_SIZE];

	if (blocked->kind != KIND_LIMIT)
		return NULL;
	object = json_make_object();
	json_set_text(object, "name", maui_limit_verdict_name(limit, name));
	json_set_text(object, "mode", maui_limit_mode_name(limit->mode));
	json_set_text(object, "metric", maui_limit_metric_info(limit->metric)->json);
	json_set_text(object, "gres", *limit->gres ? limit->gres : NULL);
	limit_period_json(object, *limit->period ? limit->period : NULL, limit->until);
	json_set_text(object, "type",
		      limit->type == MAUI_WHOLE_SYSTEM ? "system"
						       : maui_credential_name(limit->type));
	json_set_text(object, "holder", blocked->holder);
	add_unnamed(object, "holder_unnamed", blocked->holder_unnamed);
	json_set_text(object, "second_type",
		      limit->pair ? maui_credential_name(limit->second_type) : NULL);
	json_set_text(object, "second", blocked->second);
	add_unnamed(object, "second_unnamed", blocked->second_unnamed);
	json_set_number(object, "limit", limit->limit);
	json_set_number(object, "usage", limit->usage);
	json_set_number(object, "request", limit->request);
	return object;
}

/* What replaces %s in a kind's texts. */
static const char *blocked_detail(const struct maui_snapshot *snapshot,
				  const struct blocked *blocked, char *buffer, size_t size)
{
	time_t begin = (time_t)snapshot->rows[blocked->row].eligible_since;
	const char *class = class_name(snapshot, blocked->row);
	struct tm local;

	if (blocked->kind == KIND_CLASS)
		return class ? class : "?";
	if (!localtime_r(&begin, &local) || !strftime(buffer, size, "%Y-%m-%dT%H:%M:%S", &local))
		return "?";
	return buffer;
}

/* A text with %s filled in. */
static void add_filled(struct json_object *object, const char *name, const char *format,
		       const char *text)
{
	const char *gap = strstr(format, "%s");
	char filled[300];

	snprintf(filled, sizeof(filled), "%.*s%.200s%s",
		 (int)(gap ? (size_t)(gap - format) : strlen(format)), format, gap ? text : "",
		 gap ? gap + 2 : "");
	json_set_text(object, name, filled);
}

static void add_texts(struct json_object *object, const struct maui_snapshot *snapshot,
		      const struct blocked *blocked)
{
	bool lost = blocked->kind == KIND_DEPENDENCY &&
		    snapshot->rows[blocked->row].reason == WAIT_DEP_INVALID;
	const struct kind_texts *own = lost ? &never : &kinds[blocked->kind];
	const char *text;
	char buffer[40];

	if (own->text) {
		text = blocked_detail(snapshot, blocked, buffer, sizeof(buffer));
		add_filled(object, "text", own->text, text);
		add_filled(object, "message", own->original, text);
		return;
	}
	json_set_text(object, "text", blocked->text);
	json_set_text(object, "message", blocked->original);
}

static const char *level_name(const struct blocked *blocked)
{
	if (blocked->kind != KIND_LIMIT)
		return NULL;
	return blocked->limit.level == MAUI_LIMIT_SOFT ? "soft" : "hard";
}

static struct json_object *job_object(const struct maui_snapshot *snapshot,
				      const struct blocked *blocked, struct job_labels *labels)
{
	const struct maui_snapshot_row *row = &snapshot->rows[blocked->row];
	struct json_object *object = json_make_object();

	job_json(object, labels, blocked->row);
	json_set(object, "partitions", blocked_partitions(snapshot, blocked->row));
	json_set_text(object, "kind", kinds[blocked->kind].name);
	json_set_text(object, "level", level_name(blocked));
	add_texts(object, snapshot, blocked);
	json_set(object, "limit", limit_object(blocked));
	json_set(object, "begin",
		 blocked->kind == KIND_BEGIN ? json_make_number(row->eligible_since) : NULL);
	return object;
}

/* ---- all of them ---- */

static struct json_object *blocked_counts(const struct list *list)
{
	struct json_object *object = json_make_object();

	for (int kind = 0; kind < KINDS; kind++)
		json_set_number(object, kinds[kind].name, (int64_t)list->of_kind[kind]);
	json_set_number(object, "soft-limit", (int64_t)list->soft);
	return object;
}

static struct json_object *blocked_render(const struct list *list, const struct job_query *query,
					  struct job_labels *labels)
{
	struct json_object *data = json_make_object();
	struct json_object *jobs = json_make_array();

	json_set_text(data, "level", list->filter.hard_only ? "hard" : "soft");
	json_set_text(data, "partition", query->partition ? query->partition : "ALL");
	for (size_t i = 0; i < list->count; i++)
		json_append(jobs, job_object(list->snapshot, &list->jobs[i], labels));
	json_set(data, "jobs", jobs);
	json_set_number(data, "omitted", (int64_t)list->omitted);
	json_set(data, "counts", blocked_counts(list));
	name_texts_add_unanswered(data, labels->unanswered + query->unanswered);
	return data;
}

struct json_object *blocked_report(const struct maui_snapshot *snapshot,
				   const struct job_query *query,
				   const struct blocked_filter *filter)
{
	size_t room = snapshot->count < MAX_ANSWER_JOBS ? snapshot->count : MAX_ANSWER_JOBS;
	struct list list = {.snapshot = snapshot,
			    .filter = *filter,
			    .texts = maui_arena_new(),
			    .jobs = maui_calloc(room + 1, sizeof(*list.jobs))};
	struct job_labels labels = job_labels_make(snapshot, true);
	size_t *chosen = maui_calloc(snapshot->count + 1, sizeof(*chosen));
	struct json_object *data;

	blocked_see_all(&list, chosen, blocked_choose(snapshot, query, chosen));
	data = blocked_render(&list, query, &labels);
	job_labels_clear(&labels);
	free(chosen);
	free(list.jobs);
	maui_arena_free(list.texts);
	return data;
}
