/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the request's maui.cfg and limit, calls whatif_run(), and writes the
 * changed ranks and the blocked and freed jobs as JSON.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/whatif/whatif_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/queue/whatif_changes.h"
#include "common/report/whatif_notes.h"
#include "common/util/memory.h"
#include "plugins/engine/report/job_query.h"
#include "plugins/engine/report/name_texts.h"
#include "plugins/engine/whatif/whatif_run.h"

#define MAX_TEXT      ((size_t)1 << 20) /* more than a munge credential holds */
#define MAX_JOBS      20000             /* in each list of an answer */
#define DEFAULT_LIMIT 20
#define PRIORITY_TEXT "held for its negative priority: REJECTNEGPRIOJOBS"

struct report {
	const struct maui_whatif *whatif;
	size_t limit;
	struct maui_whatif_changes changes;
	struct job_labels labels;
};

/* ---- one job ---- */

/* An id's name as in other answers, from the frozen names of the other side, which include
 * today's. */
static const char *name_of(const void *context, unsigned int type, uint32_t id, char number[16])
{
	const struct maui_whatif *whatif = context;
	const struct maui_frozen_names *names = &whatif->then.snapshot->names;
	const char *name = id <= names->count[type] ? names->text[type][id] : NULL;

	if (name || type > MAUI_GROUP)
		return name;
	name = maui_principals_name(whatif->names.principals, type, names->number[type][id]);
	snprintf(number, 16, "%u", names->number[type][id]);
	return name ? name : number;
}

static void add_pair(struct json_object *object, const char *name, struct json_object *today,
		     struct json_object *then)
{
	struct json_object *pair = json_make_object();

	json_set(pair, "today", today);
	json_set(pair, "then", then);
	json_set(object, name, pair);
}

static struct json_object *job_object(struct report *report, uint32_t job)
{
	const struct maui_whatif *whatif = report->whatif;
	const struct maui_snapshot *snapshot = whatif->then.snapshot;
	const struct maui_waiting *waiting = maui_whatif_waiting(&whatif->then, job);
	const struct maui_snapshot_row *row = &snapshot->rows[waiting->best];
	const uint32_t *credential = snapshot->jobs[waiting->best].credential;
	struct json_object *object = json_make_object();

	job_json(object, &report->labels, waiting->best);
	json_set_text(object, "partition",
		      snapshot->names.text[MAUI_CLASS][credential[MAUI_CLASS]]);
	add_pair(object, "rank", json_make_number(whatif->today.rank[job]),
		 json_make_number(whatif->then.rank[job]));
	add_pair(object, "priority",
		 json_make_number(maui_whatif_row(&whatif->today, job)->priority),
		 json_make_number(row->priority));
	return object;
}

/* What each component contributes, and which has changed most. */
static void add_components(struct json_object *object, const struct maui_whatif *whatif,
			   uint32_t job)
{
	const struct maui_priority_result *today =
		&whatif->today.results[maui_whatif_waiting(&whatif->today, job)->best];
	const struct maui_priority_result *then =
		&whatif->then.results[maui_whatif_waiting(&whatif->then, job)->best];
	struct json_object *components = json_make_object();
	const char *most = NULL;
	double change = 0;

	for (int i = 0; i < MAUI_COMPONENTS; i++) {
		double by = then->weighted[i] - today->weighted[i];

		add_pair(components, maui_components[i].name, json_make_real(today->weighted[i]),
			 json_make_real(then->weighted[i]));
		by = by < 0 ? -by : by;
		if (by > change) {
			change = by;
			most = maui_components[i].name;
		}
	}
	json_set(object, "components", components);
	json_set_text(object, "most", most);
}

static void add_reason(struct json_object *object, const struct maui_whatif *whatif,
		       const struct maui_whatif_side *side, uint32_t job)
{
	static const char *const kinds[] = {
		[MAUI_REFUSAL_NONE] = "unknown",
		[MAUI_REFUSAL_LIMIT] = "limit",
		[MAUI_REFUSAL_FSCAP] = "fairshare-cap",
		[MAUI_REFUSAL_QOS] = "qos",
		[MAUI_REFUSAL_RESERVATION] = "reservation",
		[MAUI_REFUSAL_UNKNOWN] = "unknown",
		[MAUI_REFUSAL_NAME] = "unknown",
	};
	const struct maui_refusal *refusal = maui_whatif_waiting(side, job)->refusal;
	const struct maui_refusal_namer namer = {name_of, whatif};
	char text[MAUI_REFUSAL_TEXT_SIZE];

	if (maui_whatif_rejected(side, job)) {
		json_set_text(object, "kind", "negative-priority");
		json_set_text(object, "level", NULL);
		json_set_text(object, "text", PRIORITY_TEXT);
		json_set_text(object, "message", "cannot be selected  (Hold: negative priority)");
		return;
	}
	json_set_text(object, "kind", kinds[refusal->kind]);
	json_set_text(object, "level",
		      refusal->kind != MAUI_REFUSAL_LIMIT ? NULL
		      : maui_refusal_is_soft(refusal)     ? "soft"
							  : "hard");
	json_set_text(object, "text", maui_refusal_text_by(refusal, &namer, text));
	json_set_text(object, "message", maui_refusal_original_text_by(refusal, &namer, text));
}

/* ---- all of them ---- */

static size_t whatif_report_told(const struct report *report, const struct maui_whatif_list *found)
{
	return found->count < report->limit ? found->count : report->limit;
}

static void add_movers(struct json_object *data, struct report *report)
{
	size_t count = whatif_report_told(report, &report->changes.movers);
	struct json_object *array = json_make_array();

	for (size_t i = 0; i < count; i++) {
		uint32_t job = report->changes.movers.jobs[i].job;
		struct json_object *object = job_object(report, job);

		add_components(object, report->whatif, job);
		json_append(array, object);
	}
	json_set(data, "movers", array);
}

static void add_blocked(struct json_object *data, const char *name, struct report *report,
			const struct maui_whatif_list *found, const struct maui_whatif_side *side)
{
	size_t count = whatif_report_told(report, found);
	struct json_object *array = json_make_array();

	for (size_t i = 0; i < count; i++) {
		struct json_object *object = job_object(report, found->jobs[i].job);

		add_reason(object, report->whatif, side, found->jobs[i].job);
		json_append(array, object);
	}
	json_set(data, name, array);
}

static struct json_object *whatif_report_render(struct report *report)
{
	const struct maui_whatif *whatif = report->whatif;
	struct json_object *data = json_make_object();

	json_set_number(data, "time", whatif->facts.snapshot->time);
	json_set_number(data, "jobs", (int64_t)whatif->today.judgement.count);
	json_set_number(data, "ranks_changed", (int64_t)report->changes.movers.count);
	json_set_number(data, "priorities_changed", (int64_t)report->changes.priorities);
	json_set_number(data, "newly_blocked", (int64_t)report->changes.blocked.count);
	json_set_number(data, "freed", (int64_t)report->changes.freed.count);
	json_set_number(data, "blocked_otherwise", (int64_t)report->changes.otherwise.count);
	add_pair(data, "blocked", json_make_number((int64_t)report->changes.blocked_today),
		 json_make_number((int64_t)report->changes.blocked_then));
	json_set_number(data, "limit", (int64_t)report->limit);
	add_movers(data, report);
	add_blocked(data, "newly_blocked_jobs", report, &report->changes.blocked, &whatif->then);
	add_blocked(data, "freed_jobs", report, &report->changes.freed, &whatif->today);
	add_blocked(data, "blocked_otherwise_jobs", report, &report->changes.otherwise,
		    &whatif->then);
	json_set(data, "notes", maui_report_whatif_notes(whatif));
	return data;
}

static struct json_object *whatif_report_tell(const struct maui_whatif *whatif, size_t limit)
{
	struct report report = {.whatif = whatif,
				.limit = limit,
				.labels = job_labels_make(whatif->then.snapshot, false)};
	struct json_object *data;

	maui_whatif_changes_find(whatif, &report.changes);
	data = whatif_report_render(&report);
	name_texts_add_unanswered(data, report.labels.unanswered);
	job_labels_clear(&report.labels);
	maui_whatif_changes_clear(&report.changes);
	return data;
}

/* ---- the request ---- */

static struct json_object *whatif_report_argument(struct json_object *arguments, const char *name,
						  json_type type)
{
	struct json_object *member;

	return arguments && json_object_object_get_ex(arguments, name, &member) &&
			       json_object_is_type(member, type)
		       ? member
		       : NULL;
}

static const char *read_limit(struct json_object *arguments, size_t *ret_limit)
{
	struct json_object *member = whatif_report_argument(arguments, "limit", json_type_int);
	int64_t limit = member ? json_object_get_int64(member) : DEFAULT_LIMIT;

	if (limit < 1 || limit > MAX_JOBS)
		return "the limit is not between 1 and 20000";
	*ret_limit = (size_t)limit;
	return NULL;
}

static const char *read_policy(struct json_object *arguments, struct maui_policy **ret_policy,
			       struct maui_error *why)
{
	struct json_object *text = whatif_report_argument(arguments, "text", json_type_string);
	struct json_object *path = whatif_report_argument(arguments, "path", json_type_string);
	size_t size = text ? (size_t)json_object_get_string_len(text) : 0;

	if (!text || !path)
		return "the request has no text or no path of a maui.cfg";
	if (size > MAX_TEXT)
		return "the text is longer than 1 MiB";
	return maui_policy_of_text(json_object_get_string(path), json_object_get_string(text), size,
				   time(NULL), ret_policy, why)
		       ? why->text
		       : NULL;
}

const char *whatif_report(struct json_object *arguments, struct json_object **ret_data,
			  struct maui_error *why)
{
	struct maui_policy *policy = NULL;
	struct maui_whatif whatif;
	size_t limit;
	const char *wrong = read_limit(arguments, &limit);

	if (!wrong)
		wrong = read_policy(arguments, &policy, why);
	if (wrong)
		return wrong;
	wrong = whatif_run(&whatif, policy);
	if (!wrong)
		*ret_data = whatif_report_tell(&whatif, limit);
	maui_whatif_clear(&whatif);
	return wrong;
}
