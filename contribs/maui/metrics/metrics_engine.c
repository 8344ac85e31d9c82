/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine's state, and the waiting jobs; and the requests for all families. */
#include "contribs/maui/metrics/metrics_engine.h"

#include <string.h>

#include "common/report/json.h"
#include "contribs/maui/lib/output.h"

static const char *const credential_types[] = {"user", "group", "account", "class", "qos"};
#define TYPES (sizeof(credential_types) / sizeof(credential_types[0]))

static void add_gauge(struct metrics *metrics, const char *name, const char *unit, const char *help,
		      double value)
{
	metrics_family(metrics, name, "gauge", unit, help);
	metrics_value(metrics, value);
}

/* One of a few states is 1. */
static void add_states(struct metrics *metrics, const char *label, const char *const *states,
		       const char *state)
{
	for (; *states; states++)
		metrics_sample(metrics, !strcmp(*states, state),
			       &(struct metrics_label){label, *states}, 1);
}

static void add_iteration(struct metrics *metrics, struct json_object *data, int64_t now)
{
	int64_t last = member_integer(data, "last_iteration");
	struct json_object *took;

	metrics_family(metrics, "maui_iterations", "counter", "",
		       "Iterations since the engine started.");
	metrics_value(metrics, member_number(data, "iteration"));
	if (json_object_object_get_ex(data, "iteration_seconds", &took) && took)
		add_gauge(metrics, "maui_iteration_seconds", "seconds",
			  "What the last iteration took.", json_object_get_double(took));
	if (last > 0)
		add_gauge(metrics, "maui_iteration_age_seconds", "seconds",
			  "Since the last iteration.", now > last ? (double)(now - last) : 0);
	add_gauge(metrics, "maui_iteration_interval_seconds", "seconds",
		  "RMPOLLINTERVAL: how far iterations are apart where nothing asks for one.",
		  member_number(data, "iteration_interval"));
	add_gauge(metrics, "maui_snapshot_rows", "",
		  "Pending jobs in the last snapshot, counted in each of their partitions.",
		  member_number(data, "jobs"));
}

/* Where the policy comes from: "file" only if it is the file as it is on disk. */
static void add_policy(struct metrics *metrics, struct json_object *policy)
{
	static const char *const sources[] = {"file",    "former-file", "last-good-copy",
					      "partial", "neutral",     NULL};
	struct json_object *refused = member_object(policy, "refused");
	const char *source = member_text(policy, "source");

	if (refused && !strcmp(source, "file"))
		source = "former-file";
	metrics_family(metrics, "maui_policy_source", "gauge", "",
		       "1 for the source of the policy in force.");
	add_states(metrics, "source", sources, source);
	add_gauge(metrics, "maui_policy_refused", "",
		  "1 if a newer maui.cfg was refused and is not in force.", refused != NULL);
	add_gauge(metrics, "maui_policy_left_out_errors", "",
		  "Errors of the maui.cfg in force: what they are about is left out.",
		  member_number(member_object(policy, "left_out"), "errors"));
	add_gauge(metrics, "maui_policy_load_time_seconds", "seconds",
		  "When maui.cfg was read, since 1970.", member_number(policy, "loaded"));
}

void metrics_add_status(struct metrics *metrics, struct json_object *data, int64_t now)
{
	static const char *const modes[] = {"primary", "standby", "shadow", NULL};
	const struct metrics_label versions[] = {
		{"version", member_text(data, "version")},
		{"slurm_version", member_text(data, "slurm_version")},
	};

	metrics_family(metrics, "maui_engine_version", "gauge", "", "1, with the releases.");
	metrics_sample(metrics, 1, versions, 2);
	metrics_family(metrics, "maui_mode", "gauge", "", "1 for the mode that the engine is in.");
	add_states(metrics, "mode", modes, member_text(data, "mode"));
	add_gauge(metrics, "maui_start_time_seconds", "seconds",
		  "When the engine started, since 1970.", member_number(data, "started"));
	add_iteration(metrics, data, now);
	add_policy(metrics, member_object(data, "policy"));
	add_gauge(metrics, "maui_names_unanswered", "",
		  "Users and groups of maui.cfg for which the name service does not answer.",
		  member_number(member_object(data, "names"), "unanswered"));
	add_gauge(metrics, "maui_select_loaded", "",
		  "1 if slurmctld has loaded the select plugin: limits act.",
		  member_flag(data, "select"));
}

void metrics_add_pending(struct metrics *metrics, struct json_object *data)
{
	struct json_object *counts = member_object(data, "counts");

	metrics_family(metrics, "maui_pending_jobs", "gauge", "",
		       "Pending jobs by what holds them back; an array that waits is one.");
	if (!counts)
		return;
	json_object_object_foreach(counts, reason, count)
		metrics_sample(metrics, json_object_get_double(count),
			       &(struct metrics_label){"reason", reason}, 1);
}

/* ---- asking --------------------------------------------------------------------------------- */

/* The data of an answer, which the caller puts; NULL, after saying so, if there is none. */
static struct json_object *metrics_engine_ask(struct metrics_source *source, const char *command,
					      struct json_object *arguments, int64_t *ret_time)
{
	struct json_object *answer, *data;
	int code;

	if (!source->engine) {
		json_object_put(arguments);
		return NULL;
	}
	code = engine_ask(source->engine, command, arguments, &answer);
	if (code) {
		source->code = source->code ? source->code : code;
		return NULL;
	}
	data = json_object_get(member_object(answer, "data"));
	*ret_time = member_integer(answer, "time");
	json_object_put(answer);
	return data;
}

/* The last snapshot is enough: a scrape does not justify an iteration. */
static struct json_object *last_snapshot(const char *name, struct json_object *value)
{
	struct json_object *arguments = json_make_object();

	json_set_flag(arguments, "last", true);
	if (name)
		json_set(arguments, name, value);
	return arguments;
}

static void collect_limits(struct metrics_source *source)
{
	struct json_object *data[TYPES];
	size_t count = 0;
	int64_t now;

	for (size_t i = 0; i < TYPES; i++) {
		data[count] = metrics_engine_ask(
			source, "diagnose-credentials",
			last_snapshot("type", json_make_text(credential_types[i])), &now);
		count += data[count] != NULL;
	}
	metrics_add_limits(source, data, count);
	for (size_t i = 0; i < count; i++)
		json_object_put(data[i]);
}

static void collect_omitted(struct metrics_source *source)
{
	const struct {
		const char *of;
		size_t count;
	} omitted[] = {
		{"limits", source->omitted_limits},
		{"fairshare", source->omitted_fairshare},
		{"reservations", source->omitted_reservations},
		{"twins", source->metrics->twins},
	};

	metrics_family(source->metrics, "maui_omitted_rows", "gauge", "",
		       "Rows beyond the bound, which have no series.");
	for (size_t i = 0; i < sizeof(omitted) / sizeof(omitted[0]); i++)
		metrics_sample(source->metrics, (double)omitted[i].count,
			       &(struct metrics_label){"of", omitted[i].of}, 1);
}

void metrics_collect(struct metrics_source *source)
{
	struct metrics *metrics = source->metrics;
	int64_t now = 0;
	struct json_object *data = metrics_engine_ask(source, "status", NULL, &now);

	add_gauge(metrics, "maui_up", "", "1 if the engine answers.", data != NULL);
	if (!data)
		return;
	metrics_add_status(metrics, data, now);
	json_object_put(data);
	data = metrics_engine_ask(source, "diagnose-blocked",
				  last_snapshot("counts", json_make_flag(true)), &now);
	metrics_add_pending(metrics, data);
	json_object_put(data);
	collect_limits(source);
	data = metrics_engine_ask(source, "diagnose-fairshare", last_snapshot(NULL, NULL), &now);
	metrics_add_fairshare(source, data);
	json_object_put(data);
	data = metrics_engine_ask(source, "diagnose-reservations", NULL, &now);
	metrics_add_reservations(source, data, now);
	json_object_put(data);
	collect_omitted(source);
	add_gauge(metrics, "maui_scrape_complete", "",
		  "1 if the engine has answered every question.", !source->code);
}
