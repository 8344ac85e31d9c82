/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report of maui replay, as maui.replay/1. */
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/replay/report/replay_facts.h"
#include "contribs/maui/replay/report/replay_jitter.h"

static struct json_object *replay_json_spread(const struct maui_replay_spread *spread)
{
	struct json_object *object = json_make_object();

	json_set_real(object, "mean", spread->mean);
	json_set_real(object, "median", spread->median);
	json_set_real(object, "p95", spread->p95);
	json_set_real(object, "max", spread->max);
	return object;
}

struct json_object *replay_measures_json(const struct maui_replay_measures *measures)
{
	struct json_object *object = json_make_object();

	json_set_number(object, "jobs", (int64_t)measures->jobs);
	json_set(object, "wait", replay_json_spread(&measures->wait));
	json_set(object, "bounded_slowdown", replay_json_spread(&measures->slowdown));
	json_set_real(object, "flow", measures->flow);
	json_set_real(object, "utilisation", measures->utilisation);
	json_set_number(object, "makespan", measures->makespan);
	json_set_real(object, "processor_seconds", measures->used);
	return object;
}

static struct json_object *replay_json_nearness(const struct maui_replay_nearness *near)
{
	struct json_object *object = json_make_object();

	json_set_number(object, "jobs", (int64_t)near->jobs);
	json_set_real(object, "recorded_wait", near->recorded);
	json_set_real(object, "replayed_wait", near->replayed);
	json_set_real(object, "mean_difference", near->difference);
	json_set_real(object, "median_difference", near->median);
	json_set_number(object, "within_minute", (int64_t)near->minute);
	json_set_number(object, "within_hour", (int64_t)near->hour);
	return object;
}

static struct json_object *replay_json_counts(const struct maui_replay_counts *counts)
{
	struct json_object *object = json_make_object();

	json_set_number(object, "iterations", (int64_t)counts->iterations);
	json_set_number(object, "main_passes", (int64_t)counts->main);
	json_set_number(object, "backfill_passes", (int64_t)counts->backfill);
	json_set_number(object, "held_back", (int64_t)counts->held);
	json_set_number(object, "usage_windows", (int64_t)counts->usage_windows);
	json_set_number(object, "unassociated", (int64_t)counts->unknown_jobs);
	json_set_number(object, "unknown_names", (int64_t)counts->unknown);
	json_set_number(object, "most_waiting", counts->most_waiting);
	return object;
}

static struct json_object *replay_json_schedule(const struct replay_report *report,
						const struct replay_facts *facts, size_t number)
{
	const struct replay_side *side = &report->side[number];
	struct json_object *object = replay_measures_json(&side->measures);

	json_set_text(object, "name", side->name);
	json_set(object, "same_as", side->same_as ? json_make_text(side->same_as) : NULL);
	json_set_number(object, "backfilled", (int64_t)side->measures.backfilled);
	json_set_number(object, "apart", (int64_t)side->measures.apart);
	json_set_number(object, "never", (int64_t)side->measures.never);
	json_set(object, "policy", side->policy ? replay_json_counts(&side->counts) : NULL);
	json_set(object, "recorded", side->near.jobs ? replay_json_nearness(&side->near) : NULL);
	replay_details_json(report, facts, number, object);
	return object;
}

static struct json_object *replay_json_lacking(const struct maui_replay_trace *trace)
{
	struct json_object *object = json_make_object();

	for (int lack = 0; lack < MAUI_REPLAY_LACKS; lack++)
		json_set_number(object, maui_replay_lack_name((enum maui_replay_lack)lack),
				(int64_t)trace->lacking[lack]);
	json_set_number(object, "bad_lines", (int64_t)trace->bad_lines);
	return object;
}

/* Jobs that run when the replay begins. */
static int64_t replay_json_running(const struct maui_replay_trace *trace)
{
	int64_t count = 0;

	for (size_t i = 0; i < trace->count; i++)
		count += trace->jobs[i].running;
	return count;
}

struct json_object *replay_head_json(const struct replay_report *report)
{
	struct json_object *data = json_make_object();

	json_set_text(data, "trace", report->path);
	json_set_number(data, "jobs", (int64_t)report->trace->count);
	json_set_number(data, "running", replay_json_running(report->trace));
	json_set_number(data, "processors", report->trace->procs);
	json_set_number(data, "nodes", report->machine.nodes ? report->machine.nodes->count : 0);
	json_set_flag(data, "perfect_estimates", report->perfect);
	json_set(data, "lacking", replay_json_lacking(report->trace));
	json_set(data, "recorded",
		 report->recorded.jobs ? replay_measures_json(&report->recorded) : NULL);
	return data;
}

void replay_not_modelled_json(const struct replay_report *report, struct json_object *data)
{
	struct json_object *missing = json_make_array();

	for (const char *const *what = replay_not_modelled(report); *what; what++)
		json_append_text(missing, *what);
	json_set(data, "not_included", missing);
}

int replay_print_json(const struct replay_report *report, const struct replay_facts *facts)
{
	struct json_object *data = replay_head_json(report), *list = json_make_array();
	struct json_object *recorded = member_object(data, "recorded");
	int code;

	for (size_t i = 0; i < report->count; i++)
		json_append(list, replay_json_schedule(report, facts, i));
	if (recorded)
		replay_recorded_json(facts, recorded);
	json_set(data, "schedules", list);
	json_set(data, "jitter", jitter_json(report));
	replay_not_modelled_json(report, data);
	code = print_json("maui.replay/1", data);
	json_object_put(data);
	return code;
}
