/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The areas priority and run_priority: every term, and the sums. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "testsuite/vectors/original.h"

/* The original's names of components, where they differ from ours. */
static const struct {
	const char *original, *ours;
} component_names[] = {{"SERVICE", "SERV"}, {"TARGET", "TARG"}};

static int find_component(const char *name)
{
	for (size_t i = 0; i < sizeof(component_names) / sizeof(component_names[0]); i++)
		if (!strcmp(name, component_names[i].original))
			name = component_names[i].ours;
	for (int i = 0; i < MAUI_COMPONENTS; i++)
		if (!strcmp(name, maui_components[i].name))
			return i;
	return -1;
}

static int find_subcomponent(const char *name)
{
	for (int i = 0; i < MAUI_SUBCOMPONENTS; i++)
		if (!strcmp(name, maui_subcomponents[i].name))
			return i;
	return -1;
}

static void compare(struct check *check, const struct original_readings *readings, const char *name,
		    const char *what, double expected, double ours, size_t field)
{
	struct readings both = original_field(readings, field);
	char path[64];

	snprintf(path, sizeof(path), "%s.%s", name, what);
	check_readings(check, path, expected, ours, &both);
}

static void leave_out(struct check *check, const char *name, struct json_object *value,
		      double factor, double weight, enum rule rule)
{
	char path[64];

	snprintf(path, sizeof(path), "%s.f", name);
	check_left_out(check, path, member_number(value, "f", 0), factor, rule);
	snprintf(path, sizeof(path), "%s.w", name);
	check_left_out(check, path, member_number(value, "w", 0), weight, rule);
}

static const char *const pair[] = {"f", "w", NULL};

static void check_components(struct check *check, struct json_object *comp,
			     const struct maui_priority_terms *ours,
			     const struct original_readings *readings)
{
	json_object_object_foreach(comp, name, value)
	{
		int i = find_component(name);

		check_members(check, value, pair);
		if (!strcmp(name, "ATTR")) {
			leave_out(check, name, value, 0, 1, RULE_ATTR);
		} else if (i < 0) {
			check_unknown(check, name);
		} else {
			compare(check, readings, name, "f", member_number(value, "f", 0),
				ours->component[i], ORIGINAL_FIELD(component) + i);
			compare(check, readings, name, "w", member_number(value, "w", 0),
				ours->component_weight[i], ORIGINAL_FIELD(component_weight) + i);
		}
	}
}

/* The vectors omit a subcomponent whose factor and weight are both 0: then ours must be, too. */
static void check_subcomponents(struct check *check, struct json_object *sub,
				const struct maui_priority_terms *ours,
				const struct original_readings *readings)
{
	json_object_object_foreach(sub, name, value)
	{
		check_members(check, value, pair);
		if (!strcmp(name, "UPROC") || !strcmp(name, "UJOB")) {
			int i = strcmp(name, "UJOB") ? ORIGINAL_UPROC : ORIGINAL_UJOB;

			leave_out(check, name, value, readings->original.factor[i],
				  readings->original.weight[i], RULE_UPROC);
		} else if (find_subcomponent(name) < 0) {
			check_unknown(check, name);
		}
	}
	for (int i = 0; i < MAUI_SUBCOMPONENTS; i++) {
		const char *name_of = maui_subcomponents[i].name;
		struct json_object *both = member(sub, name_of);

		compare(check, readings, name_of, "f", member_number(both, "f", 0), ours->factor[i],
			ORIGINAL_FIELD(factor) + i);
		compare(check, readings, name_of, "w", member_number(both, "w", 0), ours->weight[i],
			ORIGINAL_FIELD(weight) + i);
	}
}

static void check_start_priority(struct check *check, struct json_object *expect,
				 const struct priority_case *input,
				 const struct maui_priority_terms *ours,
				 const struct original_readings *readings)
{
	static const char *const known[] = {"job",  "priority", "startpriority",
					    "comp", "sub",      NULL};

	check_members(check, expect, known);
	check_text(check, "job", member_text(expect, "job"), input->job_name);
	check_components(check, member(expect, "comp"), ours, readings);
	check_subcomponents(check, member(expect, "sub"), ours, readings);
	compare(check, readings, "priority", "exact", member_number(expect, "priority", 0),
		ours->exact, ORIGINAL_FIELD(priority));
	compare(check, readings, "priority", "stored", member_number(expect, "startpriority", 0),
		(double)ours->priority, ORIGINAL_FIELD(stored));
}

void check_priority(struct check *check, struct json_object *object)
{
	struct priority_case input;
	struct original_readings readings;
	struct maui_priority_terms ours;

	priority_case_read(check, object, &input);
	if (!priority_case_run(check, &input, &ours, NULL))
		return;
	original_readings(&input, &readings);
	check_number(check, "rc", member_number(object, "rc", -1), 0);
	check_start_priority(check, member(object, "expect"), &input, &ours, &readings);
}

void check_run_priority(struct check *check, struct json_object *object)
{
	static const char *const known[] = {"job", "rc", "runpriority", NULL};
	struct json_object *expect = member(object, "expect"), *run;
	struct priority_case input;
	struct original_readings readings;
	struct maui_priority_terms ours;
	double run_priority;

	if (!json_object_is_type(expect, json_type_array) ||
	    json_object_array_length(expect) != 2) {
		check_fail(check, "expect", "not an array of the start and the run priority");
		return;
	}
	run = json_object_array_get_idx(expect, 1);
	priority_case_read(check, object, &input);
	if (!priority_case_run(check, &input, &ours, &run_priority))
		return;
	original_readings(&input, &readings);
	check_number(check, "rc", member_number(object, "rc", -1), 0);
	check_start_priority(check, json_object_array_get_idx(expect, 0), &input, &ours, &readings);
	check_members(check, run, known);
	check_text(check, "job", member_text(run, "job"), input.job_name);
	check_number(check, "run.rc", member_number(run, "rc", -1), 1);
	compare(check, &readings, "run", "runpriority", member_number(run, "runpriority", 0),
		run_priority, ORIGINAL_FIELD(run_priority));
}
