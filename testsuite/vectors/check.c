/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/vectors/check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * Sums of some thirty terms in the same order: only the rounding of pow() and of divisions remains.
 */
#define TOLERANCE 1e-13

static const struct {
	const char *decision; /* contribs/doc/decisions.md */
	const char *text;
} rules[RULES] = {
	[RULE_COMPONENT_DEFAULTS] = {"D-CFG-10", "FS, RES, TARG and USAGEWEIGHT default to 0"},
	[RULE_XFMINWCLIMIT_DEFAULT] = {"D-PRI-4", "XFMINWCLIMIT defaults to none"},
	[RULE_XFACTOR] = {"D-PRI-3", "1 + EffQ / max(XFMINWCLIMIT, WCLimit)"},
	[RULE_FUTURE_SUBMISSION] = {"D-PRI-3", "EffQ is not below 0"},
	[RULE_TARGET_QUEUETIME] = {"D-PRI-5", "from the queue time, not its start"},
	[RULE_TARGET_PAST] = {"D-PRI-6", "1e8 at the target, and growth past it"},
	[RULE_CLASS_DEFAULT] = {"D-CFG-9", "CLASSCFG[DEFAULT] counts"},
	[RULE_FLOOR] = {"D-PRI-1", "floor of 1 unless ENABLENEGJOBPRIORITY"},
	[RULE_MINUS_ONE] = {"D-CFG-8", "-1 is a weight like others"},
	[RULE_QTTARGET_TIME] = {"D-PRI-7", "QTTARGET is a time"},
	[RULE_PERCENT] = {"D-PRI-11", "PERCENT is of the limit, with its fraction"},
	[RULE_EXECUTIONTIME] = {"D-PRI-11", "EXECUTIONTIME counts"},
	[RULE_USAGE_CAPS] = {"D-PRI-11", "caps of USAGE's own subfactors"},
	[RULE_TWO_FIELDS] = {"D-CFG-5", "times are right-aligned"},
	[RULE_CASE] = {"D-CFG-1", "names in any case"},
	[RULE_MAXWC_TIME] = {"D-LIM-2", "MAXWC is a time"},
	[RULE_FS_DIALECT] = {"D-FS-1", "FS files in both dialects, in any case"},
	[RULE_FS_EMPTY_WINDOWS] = {"D-FS-3", "an empty window for each interval passed"},
	[RULE_FS_CAP_REQUEST] = {"D-FS-5", "a request in PE is for its time, too"},
	[RULE_FS_CAP_DEFAULT] = {"D-FS-4", "DEFAULT targets are caps, too"},
	[RULE_FS_CAP_REACHED] = {"D-FS-4", "usage that reaches the cap blocks"},
	[RULE_QUOTES] = {"D-CFG-6", "quotes keep blanks in every attribute of a line"},
	[RULE_FORMULA_SUM] = {"D-NODE-8", "a component named twice is added up"},
	[RULE_FORMULA_TRAILING] = {"D-NODE-8", "a factor behind a component counts"},
	[RULE_FORMULA_CONSTANT] = {"D-NODE-8", "a term without component counts"},
	[RULE_RESAFFINITY] = {"D-NODE-9", "+ = - are 1, 0, -1, not codes"},
	[RULE_USAGE_PERCENT] = {"D-NODE-10", "USAGE is a percentage"},
	[RULE_PROCSPEED] = {"D-NODE-11", "PROCSPEED if set, else SPEED"},
	[RULE_FIRSTAVAILABLE] = {"D-NODE-3", "FIRSTAVAILABLE respects affinity"},
	[RULE_CPULOAD_TIERS] = {"D-NODE-4", "CPULOAD takes tiers until satisfied"},
	[RULE_MINRESOURCE] = {"D-NODE-5", "MINRESOURCE looks at processors and disk"},
	[RULE_MEMORY_CLASSES] = {"D-NODE-5", "memory classes do not end at 8192 MB"},
	[RULE_MAXBALANCE] = {"D-NODE-6", "MAXBALANCE takes the smallest span, fastest"},
	[RULE_LIMIT_SOFT] = {"D-LIM-1", "soft limits are min(soft, hard)"},
	[RULE_LIMIT_MEM] = {"D-LIM-3", "MEM counts"},
	[RULE_IDLE_DEFAULT] = {"D-LIM-4", "DEFAULT's idle limits of all types"},
	[RULE_IDLE_SOFT] = {"D-LIM-5", "there are hard idle limits only"},
	[RULE_USAGE_COMPLETE] = {"D-LIM-6", "active usage is complete first"},
	[RULE_PAIR_NAME] = {"D-LIM-7", "the user of a class's limit has a name"},
	[RULE_RESORT] = {"D-LIM-6", "lists of one iteration have one order"},
	[RULE_ACL_NOT] = {"D-RSV-5", "a NOT admits all whom it does not name"},
	[RULE_ACL_LIMIT] = {"D-RSV-6", "limits without a mark leave affinity to names"},
	[RULE_ACL_OPERATOR] = {"D-RSV-7", "operators of limits count"},
	[RULE_BLANKS] = {"D-CFG-4", "bare words continue a list"},
	[RULE_RSV_BASE_NAME] = {"D-RSV-2", "the standing reservation's name will do"},
	[RULE_SR_FLAGS] = {"D-CFG-3", "FLAGS take ':' and '|', too"},
	[RULE_SR_ACCESS] = {"D-RSV-9", "DEDICATED is the default, and stays beside FLAGS"},
	[RULE_SR_LEGACY] = {"D-CFG-16", "old SR... parameters map one to one"},
	[RULE_SR_INFINITE] = {"D-RSV-10", "INFINITE is INFINITY (chapter 7.1.5.2.1)"},
	[RULE_SR_WEEK] = {"D-RSV-11", "STARTTIME and ENDTIME are of the week, too"},
	[RULE_SR_CLOCK] = {"D-RSV-13", "times are what clocks show"},
	[RULE_SR_ROLL] = {"D-RSV-14", "instances are kept by the beginning of their period"},
	[RULE_SR_POLICY] = {"D-RSV-15", "reservations are placed by NODEALLOCATIONPOLICY"},
	[RULE_SR_TRIM] = {"D-RSV-19", "TASKCOUNT tasks are reserved, no more, no less"},
	[RULE_SR_BEYOND] = {"D-RSV-17", "what a HOSTLIST lacks comes from other nodes"},
	[RULE_SR_CONFLICT] = {"D-RSV-20", "what other reservations hold is not to be had"},
	[RULE_SR_TASKS] = {"D-RSV-19", "tasks are counted in tasks, not in nodes"},
	[RULE_FORMULA_REFUSED] = {"D-NODE-8", "garbage is refused"},
	[RULE_UPROC] = {"D-PRI-12", "never added, not computed here"},
	[RULE_ATTR] = {"D-PRI-12", "not implemented"},
	[RULE_FS_TOTAL_NAME] = {"D-FS-1", "the total has no name"},
	[RULE_FS_TABLE] = {"D-FS-6", "FSDECAY^k where the manual's table rounds"},
	[RULE_ACL_RES] = {"D-RSV-4", "no implicit RES entry"},
	[RULE_ACL_MAXTIME] = {"D-RSV-8", "items of MAXTIME are items like others"},
	[RULE_SR_NAMES] = {"D-RSV-1", "names of instances are <sr>.<date>"},
};

void check_fail(struct check *check, const char *field, const char *format, ...)
{
	va_list args;

	printf("%s:%zu: %s: %s: ", check->file, check->line, check->id, field);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	check->case_failed = true;
}

bool check_same(double a, double b, double scale)
{
	return a == b || fabs(a - b) <= TOLERANCE * fmax(fmax(fabs(a), fabs(b)), scale);
}

void check_readings(struct check *check, const char *field, double expected, double ours,
		    const struct readings *readings)
{
	check->compared++;
	if (check_same(expected, ours, readings->scale))
		return;
	if (!readings->rules)
		check_fail(check, field, "expected %.17g, got %.17g", expected, ours);
	else if (!check_same(expected, readings->original, readings->scale))
		check_fail(check, field,
			   "expected %.17g, got %.17g, the original's formula gives %.17g",
			   expected, ours, readings->original);
	else if (!check_same(ours, readings->documented, readings->scale))
		check_fail(check, field, "the original's %.17g; documented %.17g, got %.17g",
			   expected, readings->documented, ours);
	else {
		check->replaced++;
		for (enum rule rule = 0; rule < RULES; rule++)
			if (readings->rules & RULE_BIT(rule))
				check->by_rule[rule]++;
	}
}

void check_number(struct check *check, const char *field, double expected, double ours)
{
	check_readings(check, field, expected, ours, &(struct readings){0});
}

void check_text(struct check *check, const char *field, const char *expected, const char *ours)
{
	check->compared++;
	if (!expected || !ours || strcmp(expected, ours))
		check_fail(check, field, "expected '%s', got '%s'",
			   expected ? expected : "(no text)", ours ? ours : "(no text)");
}

void check_left_out(struct check *check, const char *field, double expected, double original,
		    enum rule rule)
{
	check->left_out++;
	check->by_rule[rule]++;
	if (!check_same(expected, original, 0))
		check_fail(check, field, "expected %.17g, the original's formula gives %.17g",
			   expected, original);
}

void check_text_left_out(struct check *check, const char *field, const char *expected,
			 const char *original, enum rule rule)
{
	check->left_out++;
	check->by_rule[rule]++;
	if (!expected || strcmp(expected, original))
		check_fail(check, field, "expected '%s', the original's formula gives '%s'",
			   expected ? expected : "(no text)", original);
}

void check_text_readings(struct check *check, const char *field, const char *expected,
			 const char *original, const char *documented, enum rule rule)
{
	bool replaced = expected && strcmp(expected, documented) && !strcmp(expected, original);

	check_text(check, field, expected, replaced ? original : documented);
	if (replaced) {
		check->replaced++;
		check->by_rule[rule]++;
	}
}

void check_text_rules(struct check *check, const char *field, const char *expected,
		      const char *ours, const struct text_readings *readings)
{
	check->compared++;
	if (!strcmp(ours, readings->documented) && !strcmp(expected, ours))
		return;
	if (strcmp(ours, readings->documented) != 0)
		check_fail(check, field, "documented '%s', got '%s'", readings->documented, ours);
	else if (!readings->rules || strcmp(expected, readings->original) != 0)
		check_fail(check, field,
			   "expected '%s', got '%s', the original's formula gives '%s'", expected,
			   ours, readings->original);
	else {
		check->replaced++;
		for (enum rule rule = 0; rule < RULES; rule++)
			if (readings->rules & RULE_BIT(rule))
				check->by_rule[rule]++;
	}
}

void check_unknown(struct check *check, const char *field)
{
	check_fail(check, field, "not known to vector-check, so not compared");
}

void check_members(struct check *check, struct json_object *object, const char *const known[])
{
	if (!json_object_is_type(object, json_type_object)) {
		check_fail(check, known[0], "no object around it");
		return;
	}
	json_object_object_foreach(object, name, value)
	{
		size_t i = 0;

		(void)value;
		while (known[i] && strcmp(known[i], name))
			i++;
		if (!known[i])
			check_unknown(check, name);
	}
}

void check_summary(const struct check *check)
{
	printf("%zu fields compared, %zu of them replaced by the original's formula; %zu left "
	       "out\n",
	       check->compared, check->replaced, check->left_out);
	for (enum rule rule = 0; rule < RULES; rule++)
		if (check->by_rule[rule])
			printf("  %6zu by rule: %s (%s)\n", check->by_rule[rule], rules[rule].text,
			       rules[rule].decision);
	if (check->other)
		printf("other area: %zu (%s)\n", check->other, check->other_areas);
	printf("%zu passed, %zu failed\n", check->passed, check->failed);
}

struct json_object *member(struct json_object *object, const char *name)
{
	struct json_object *value = NULL;

	return json_object_object_get_ex(object, name, &value) ? value : NULL;
}

double member_number(struct json_object *object, const char *name, double fallback)
{
	struct json_object *value = member(object, name);

	return value ? json_object_get_double(value) : fallback;
}

const char *member_text(struct json_object *object, const char *name)
{
	struct json_object *value = member(object, name);

	return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : NULL;
}
