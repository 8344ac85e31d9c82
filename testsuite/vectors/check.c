/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/vectors/check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Sums of some thirty terms in the same order: only the rounding of pow() and of divisions is left.
 */
#define TOLERANCE 1e-13

static const struct {
	unsigned int line; /* of semantics.md */
	const char *place; /* what it is about there */
	const char *text;
} rules[RULES] = {
	[RULE_COMPONENT_DEFAULTS] = {37, "decision 23",
				     "FS, RES, TARG and USAGEWEIGHT default to 0"},
	[RULE_XFMINWCLIMIT_DEFAULT] = {38, "decision 24", "XFMINWCLIMIT defaults to none"},
	[RULE_XFACTOR] = {167, "XFACTOR", "1 + EffQ / max(XFMINWCLIMIT, WCLimit)"},
	[RULE_FUTURE_SUBMISSION] = {167, "XFACTOR", "EffQ is not below 0"},
	[RULE_TARGET_QUEUETIME] = {170, "TARGETQUEUETIME", "from the queue time, not its start"},
	[RULE_TARGET_PAST] = {15, "decision 1", "1e8 at the target, and growth past it"},
	[RULE_CLASS_DEFAULT] = {77, "DEFAULT credential", "CLASSCFG[DEFAULT] counts"},
	[RULE_FLOOR] = {148, "Structure", "floor of 1 unless ENABLENEGJOBPRIORITY"},
	[RULE_MINUS_ONE] = {62, "Bad number", "-1 is a weight like others"},
	[RULE_QTTARGET_TIME] = {185, "QOS attributes", "QTTARGET is a time"},
	[RULE_PERCENT] = {191, "USAGE", "PERCENT is of the limit, with its fraction"},
	[RULE_EXECUTIONTIME] = {191, "USAGE", "EXECUTIONTIME counts"},
	[RULE_USAGE_CAPS] = {192, "USAGE", "caps of USAGE's own subfactors"},
	[RULE_TWO_FIELDS] = {19, "decision 5", "times are right-aligned"},
	[RULE_CASE] = {54, "Case", "names in any case"},
	[RULE_MAXWC_TIME] = {256, "Limit names", "MAXWC is a time"},
	[RULE_FS_DIALECT] = {250, "File format", "FS files in both dialects, in any case"},
	[RULE_FS_EMPTY_WINDOWS] = {214, "Windows", "an empty window for each interval passed"},
	[RULE_FS_CAP_REQUEST] = {236, "Hard caps", "a request in PE is for its time, too"},
	[RULE_FS_CAP_DEFAULT] = {22, "decision 8", "DEFAULT targets are caps, too"},
	[RULE_FS_CAP_REACHED] = {22, "decision 8", "usage that reaches the cap blocks"},
	[RULE_QUOTES] = {56, "Quotes", "quotes keep blanks in every attribute of a line"},
	[RULE_FORMULA_SUM] = {327, "PRIORITYF grammar", "a component named twice is added up"},
	[RULE_FORMULA_TRAILING] = {327, "PRIORITYF grammar", "a factor behind a component counts"},
	[RULE_FORMULA_CONSTANT] = {327, "PRIORITYF grammar", "a term without component counts"},
	[RULE_RESAFFINITY] = {312, "Node priority value", "+ = - are 1, 0, -1, not codes"},
	[RULE_USAGE_PERCENT] = {320, "USAGE", "USAGE is a percentage"},
	[RULE_PROCSPEED] = {317, "SPEED", "PROCSPEED if set, else SPEED"},
	[RULE_FIRSTAVAILABLE] = {26, "decision 12", "FIRSTAVAILABLE respects affinity"},
	[RULE_CPULOAD_TIERS] = {26, "decision 12", "CPULOAD takes tiers until satisfied"},
	[RULE_MINRESOURCE] = {25, "decision 11", "MINRESOURCE looks at processors and disk"},
	[RULE_MEMORY_CLASSES] = {25, "decision 11", "memory classes do not end at 8192 MB"},
	[RULE_MAXBALANCE] = {26, "decision 12", "MAXBALANCE takes the smallest span, fastest"},
	[RULE_LIMIT_SOFT] = {256, "Limit names", "soft limits are min(soft, hard)"},
	[RULE_LIMIT_MEM] = {260, "Usage metrics per job", "MEM counts"},
	[RULE_IDLE_DEFAULT] = {271, "Idle limits", "DEFAULT's idle limits of all types"},
	[RULE_IDLE_SOFT] = {271, "Idle limits", "there are hard idle limits only"},
	[RULE_USAGE_COMPLETE] = {280, "Scheduling order", "active usage is complete first"},
	[RULE_PAIR_NAME] = {281, "Block message", "the user of a class's limit has a name"},
	[RULE_RESORT] = {252, "Throttling policies", "lists of one iteration have one order"},
	[RULE_ACL_NOT] = {419, "ACL evaluation", "a NOT admits all whom it does not name"},
	[RULE_ACL_LIMIT] = {421, "First vs last", "limits without a mark leave affinity to names"},
	[RULE_ACL_OPERATOR] = {337, "SRCFG attributes", "operators of limits count"},
	[RULE_BLANKS] = {31, "decision 17", "bare words continue a list"},
	[RULE_RSV_BASE_NAME] = {401, "Access of a job", "the standing reservation's name will do"},
	[RULE_SR_FLAGS] = {57, "List delimiters", "FLAGS take ':' and '|', too"},
	[RULE_SR_ACCESS] = {340, "ACCESS", "DEDICATED is the default, and stays beside FLAGS"},
	[RULE_SR_LEGACY] = {129, "SRCFG", "old SR... parameters map one to one"},
	[RULE_SR_INFINITE] = {354, "PERIOD", "INFINITE is INFINITY (chapter 7.1.5.2.1)"},
	[RULE_SR_WEEK] = {380, "WEEK", "STARTTIME and ENDTIME are of the week, too"},
	[RULE_SR_CLOCK] = {377, "DST", "times are what clocks show"},
	[RULE_SR_ROLL] = {385, "rolling", "instances are kept by the beginning of their period"},
	[RULE_SR_POLICY] = {27, "decision 13", "reservations are placed by NODEALLOCATIONPOLICY"},
	[RULE_SR_TRIM] = {393, "Tasks reserved", "TASKCOUNT tasks are reserved, no more, no less"},
	[RULE_SR_BEYOND] = {29, "decision 15", "what a HOSTLIST lacks comes from other nodes"},
	[RULE_SR_CONFLICT] = {392, "floating", "what other reservations hold is not to be had"},
	[RULE_SR_TASKS] = {393, "Tasks reserved", "tasks are counted in tasks, not in nodes"},
	[RULE_FORMULA_REFUSED] = {327, "PRIORITYF grammar", "garbage is refused"},
	[RULE_UPROC] = {181, "UPROC/UJOB", "never added, not computed here"},
	[RULE_ATTR] = {90, "ATTRWEIGHT", "not implemented"},
	[RULE_FS_TOTAL_NAME] = {250, "File format", "the total has no name"},
	[RULE_FS_TABLE] = {219, "Usage and percent", "FSDECAY^k where the manual's table rounds"},
	[RULE_ACL_RES] = {40, "decision 26", "no implicit RES entry"},
	[RULE_ACL_MAXTIME] = {410, "needPlain", "items of MAXTIME are items like others"},
	[RULE_SR_NAMES] = {33, "decision 19", "names of instances are <sr>.<date>"},
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
			printf("  %6zu by rule: %s (semantics.md:%u, %s)\n", check->by_rule[rule],
			       rules[rule].text, rules[rule].line, rules[rule].place);
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
