/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits that have values of several periods which are in force at the same time. */
#include "contribs/maui/check/check.h"

#include <string.h>

#include "common/policy/limits/limit_period.h"

static bool are_of_one_limit(const struct maui_value *a, const struct maui_value *b)
{
	if (a->key != b->key || a->gres != b->gres || a->has_dimension != b->has_dimension)
		return false;
	if (!a->has_dimension)
		return true;
	if (a->dimension != b->dimension || !a->dimension_name != !b->dimension_name)
		return false;
	return !a->dimension_name || !strcmp(a->dimension_name, b->dimension_name);
}

static bool is_earlier(const struct maui_value *a, const struct maui_value *b)
{
	return a->order < b->order;
}

/* At the later of the two. */
static void check_pair(const struct maui_period *periods, const struct maui_value *a,
		       const struct maui_value *b, struct findings *findings)
{
	const struct maui_value *first = is_earlier(a, b) ? a : b, *last = first == a ? b : a;
	bool same;

	if ((a->limit.soft == b->limit.soft && a->limit.hard == b->limit.hard) ||
	    !limit_periods_overlap(&periods[a->period - 1], &periods[b->period - 1]))
		return;
	same = !strcmp(first->origin.file, last->origin.file);
	findings_warn(findings, &last->origin,
		      "%s: the periods %.60s (%s%s%u) and %.60s overlap: the lower value counts "
		      "while both are in force",
		      last->key->name, first->period_name, same ? "line " : first->origin.file,
		      same ? "" : ":", first->origin.line, last->period_name);
}

/* The values of one limit follow each other; there is at most one of each period. */
static void check_object(const struct maui_period *periods, const struct maui_object *object,
			 struct findings *findings)
{
	const struct maui_value *const *values;
	size_t count = maui_object_values(object, &values);

	for (size_t i = 0; i < count; i++)
		for (size_t k = i + 1; values[i]->period && k < count; k++) {
			if (!are_of_one_limit(values[i], values[k]))
				break;
			check_pair(periods, values[i], values[k], findings);
		}
}

void check_periods(const struct maui_config *config, struct findings *findings)
{
	const struct maui_period *periods;

	if (!maui_config_periods(config, &periods))
		return;
	for (enum maui_section section = MAUI_SYSCFG; section < MAUI_SECTIONS; section++) {
		const struct maui_object *const *objects;
		size_t count = maui_config_objects(config, section, &objects);

		for (size_t i = 0; i < count; i++)
			check_object(periods, objects[i], findings);
	}
}
