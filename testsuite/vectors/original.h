/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The formulas of the original, with each departure from them as a switch: with all switches on
 * this is the original's reading of a case, with none the documented one. Independent arithmetic on
 * the case's lines and numbers; calls nothing of the core.
 */
#ifndef MAUI_VECTORS_ORIGINAL_H
#define MAUI_VECTORS_ORIGINAL_H

#include "testsuite/vectors/priority_case.h"

enum { ORIGINAL_UPROC = MAUI_SUBCOMPONENTS, ORIGINAL_UJOB, ORIGINAL_SUBS };

/* Only numbers, so that a field is an index: see ORIGINAL_FIELD. */
struct original {
	double factor[ORIGINAL_SUBS], weight[ORIGINAL_SUBS];
	double component[MAUI_COMPONENTS], component_weight[MAUI_COMPONENTS];
	double priority, stored;
	double run_priority;
	double scale; /* the largest term of any sum */
};
#define ORIGINAL_FIELD(member) (offsetof(struct original, member) / sizeof(double))

/* One reading. rules: those for which the original's side is taken. */
void original_priority(const struct priority_case *input, rule_mask rules, struct original *ret);

/* Everything needed to judge the fields of a case. */
struct original_readings {
	struct original original, documented;
	struct original without[RULES]; /* the original except for one rule */
	struct original with[RULES];    /* the documented reading except for one rule */
};
void original_readings(const struct priority_case *input, struct original_readings *ret);

/* Both readings of a field, and the rules that make them differ. */
struct readings original_field(const struct original_readings *readings, size_t field);

/* Seconds of a duration. */
double original_duration(const char *text, rule_mask rules);

#endif
