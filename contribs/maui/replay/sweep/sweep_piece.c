/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes and reads the members `sweep`, `head`, `number` and `run`; a figure
 * that is not finite or is negative is refused.
 */
#include "contribs/maui/replay/sweep/sweep_piece.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/text.h"
#include "contribs/maui/replay/input/inputs.h"

#define SCHEMA "maui.replay-sweep-run/1"

/* ---- writing ---- */

/* Which of its elements it was makes no other sweep. */
static struct json_object *command_json(const struct sweep *sweep)
{
	struct json_object *list = json_make_array();

	for (char *const *word = sweep->command; *word; word++)
		if (strncmp(*word, SWEEP_ELEMENT_OPTION, strlen(SWEEP_ELEMENT_OPTION)) != 0)
			json_append_text(list, *word);
	return list;
}

/* As the options were: FSWEIGHT=0,10. */
static struct json_object *parameters_json(const struct sweep *sweep)
{
	struct json_object *list = json_make_array();

	for (size_t i = 0; i < sweep->count; i++) {
		const struct sweep_axis *axis = &sweep->axis[i];
		char *text = text_printf("%s=%s", axis->key, axis->values[0]);

		for (size_t k = 1; k < axis->count; k++) {
			char *more = text_printf("%s,%s", text, axis->values[k]);

			free(text);
			text = more;
		}
		json_append_text(list, text);
		free(text);
	}
	return list;
}

static struct json_object *of_json(const struct replay_report *report, const struct sweep *sweep)
{
	struct json_object *of = json_make_object();

	json_set_text(of, "version", MAUI_VERSION);
	json_set(of, "command", command_json(sweep));
	json_set(of, "files", inputs_json(report->inputs));
	json_set(of, "parameters", parameters_json(sweep));
	json_set_text(of, "rank_by", sweep_ranking(sweep)->name);
	json_set_number(of, "elements", sweep->elements);
	return of;
}

struct json_object *sweep_piece_json(const struct replay_report *report, const struct sweep *sweep,
				     const struct sweep_run *run)
{
	struct json_object *piece = json_make_object();

	json_set_text(piece, "schema", SCHEMA);
	json_set(piece, "sweep", of_json(report, sweep));
	json_set(piece, "head", sweep_head_json(report));
	json_set_number(piece, "number", (int64_t)run->number);
	json_set(piece, "run", sweep_run_json(sweep, run));
	return piece;
}

/* ---- reading ---- */

/* A number that is there, and not negative; *sound becomes false otherwise. */
static double real_of(struct json_object *object, const char *name, bool *sound)
{
	struct json_object *member = NULL;
	double value = NAN;

	if (json_object_object_get_ex(object, name, &member) &&
	    (json_object_is_type(member, json_type_double) ||
	     json_object_is_type(member, json_type_int)))
		value = json_object_get_double(member);
	*sound &= isfinite(value) && value >= 0;
	return value;
}

static int64_t count_of(struct json_object *object, const char *name, bool *sound)
{
	double value = real_of(object, name, sound);

	*sound &= value <= (double)MAUI_REPLAY_MAX_TIME;
	return *sound ? (int64_t)value : 0;
}

static struct maui_replay_spread spread_of(struct json_object *run, const char *name, bool *sound)
{
	struct json_object *spread = member_object(run, name);

	return (struct maui_replay_spread){.mean = real_of(spread, "mean", sound),
					   .median = real_of(spread, "median", sound),
					   .p95 = real_of(spread, "p95", sound),
					   .max = real_of(spread, "max", sound)};
}

/* What replay_measures_json() and sweep_run_json() have written. */
static bool read_measures(struct json_object *run, struct maui_replay_measures *ret_measures)
{
	bool sound = true;

	*ret_measures = (struct maui_replay_measures){
		.jobs = (size_t)count_of(run, "jobs", &sound),
		.never = (size_t)count_of(run, "never", &sound),
		.backfilled = (size_t)count_of(run, "backfilled", &sound),
		.wait = spread_of(run, "wait", &sound),
		.slowdown = spread_of(run, "bounded_slowdown", &sound),
		.flow = real_of(run, "flow", &sound),
		.utilisation = real_of(run, "utilisation", &sound),
		.makespan = count_of(run, "makespan", &sound),
		.used = real_of(run, "processor_seconds", &sound)};
	return sound;
}

static const char *sweep_piece_read_all(struct sweep_piece *piece)
{
	struct json_object *run = member_object(piece->document, "run");
	bool sound = true;

	piece->of = member_object(piece->document, "sweep");
	piece->head = member_object(piece->document, "head");
	if (strcmp(member_text(piece->document, "schema"), SCHEMA) != 0)
		return "this is no result of a sweep's combination";
	if (!piece->of || !piece->head || !run)
		return "a part of the result is missing";
	piece->run.number = (size_t)count_of(piece->document, "number", &sound);
	if (!sound || !read_measures(run, &piece->run.measures))
		return "a figure is missing, or cannot be one";
	return NULL;
}

bool sweep_piece_read(const char *text, struct sweep_piece *ret_piece, const char **ret_why)
{
	struct sweep_piece piece = {.document = json_tokener_parse(text)};

	*ret_why = piece.document ? sweep_piece_read_all(&piece) : "this is not JSON";
	if (*ret_why)
		json_object_put(piece.document);
	else
		*ret_piece = piece;
	return !*ret_why;
}

bool sweep_piece_parameters(const struct sweep_piece *piece, const struct cli *cli,
			    struct sweep *ret_sweep)
{
	struct json_object *list = member_array(piece->of, "parameters");
	int64_t elements = member_integer(piece->of, "elements");
	char kept[256];
	int code = EXIT_OK;

	*ret_sweep =
		(struct sweep){.rank_by = replay_figure_find(member_text(piece->of, "rank_by"))};
	complaints_keep(kept, sizeof(kept)); /* which is of an option */
	for (size_t i = 0; code == EXIT_OK && i < array_size(list); i++) {
		const char *text = json_object_get_string(json_object_array_get_idx(list, i));

		code = text ? sweep_add(cli, ret_sweep, text) : EXIT_ERRORS;
	}
	complaints_keep(NULL, 0);
	if (code != EXIT_OK || !ret_sweep->count || !ret_sweep->rank_by || elements < 1 ||
	    elements > (int64_t)sweep_runs(ret_sweep))
		return false;
	ret_sweep->elements = (uint32_t)elements;
	return true;
}
