/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/vectors/original.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testsuite/vectors/lines.h"

#define TEXT_SIZE 64
#define ON(rule)  ((rules & RULE_BIT(rule)) != 0)

/* The original's names, in the order of enum maui_component and enum maui_subcomponent. */
static const struct {
	const char *weight, *cap;
	double original_default, documented_default;
	int first, last;
} components[MAUI_COMPONENTS] = {
	[MAUI_CRED] = {"CREDWEIGHT", "CREDCAP", 1, 1, MAUI_CRED_USER, MAUI_CRED_CLASS},
	[MAUI_FS] = {"FSWEIGHT", "FSCAP", 1, 0, MAUI_FS_USER, MAUI_FS_CLASS},
	[MAUI_SERV] = {"SERVICEWEIGHT", "SERVICEWCAP", 1, 1, MAUI_SERV_QUEUETIME, MAUI_SERV_BYPASS},
	[MAUI_TARG] = {"TARGETWEIGHT", "TARGETCAP", 1, 0, MAUI_TARG_QUEUETIME, MAUI_TARG_XFACTOR},
	[MAUI_RES] = {"RESWEIGHT", "RESCAP", 1, 0, MAUI_RES_NODE, MAUI_RES_WALLTIME},
	[MAUI_USAGE] = {"USAGEWEIGHT", "USAGECAP", 1, 0, MAUI_USAGE_CONSUMED, MAUI_USAGE_PERCENT},
};

static const char *const subs[ORIGINAL_SUBS] = {"USER",
						"GROUP",
						"ACCOUNT",
						"QOS",
						"CLASS",
						"FSUSER",
						"FSGROUP",
						"FSACCOUNT",
						"FSQOS",
						"FSCLASS",
						"FSTREE", /* ours: always 0 */
						"QUEUETIME",
						"XFACTOR",
						"SPVIOLATION",
						"BYPASS",
						"TARGETQUEUETIME",
						"TARGETXFACTOR",
						"NODE",
						"PROC",
						"MEM",
						"SWAP",
						"DISK",
						"PS",
						"PE",
						"WALLTIME",
						"GRES", /* ours: always 0 */
						"CONSUMED",
						"REMAINING",
						"USAGEEXECUTIONTIME",
						"PERCENT",
						"UPROC",
						"UJOB"};

static const char *const sections[MAUI_CREDENTIALS] = {"USERCFG", "GROUPCFG", "ACCOUNTCFG",
						       "QOSCFG", "CLASSCFG"};

double original_duration(const char *text, rule_mask rules)
{
	static const double units[4] = {86400, 3600, 60, 1};
	double fields[4], seconds = 0;
	char copy[TEXT_SIZE], *rest, *word;
	int count = 0, first;

	if (!strchr(text, ':'))
		return (double)strtol(text, NULL, 0);
	snprintf(copy, sizeof(copy), "%s", text);
	for (word = strtok_r(copy, ":", &rest); word && count < 4;
	     word = strtok_r(NULL, ":", &rest))
		fields[count++] = (double)strtol(word, NULL, 10);
	first = count == 4 ? 0 : 1; /* left-aligned: hours come first */
	if (!ON(RULE_TWO_FIELDS))
		first = 4 - count;
	for (int i = 0; i < count; i++)
		seconds += fields[i] * units[first + i];
	return seconds;
}

static double integer_parameter(const struct priority_case *input, const char *name,
				double fallback, rule_mask rules)
{
	char text[TEXT_SIZE];
	const char *value = lines_parameter(input->cfg, name, text);
	double number = value ? (double)strtol(value, NULL, 0) : fallback;

	return ON(RULE_MINUS_ONE) && number == -1 ? fallback : number;
}

static double xfactor_minimum(const struct priority_case *input, rule_mask rules)
{
	char text[TEXT_SIZE];
	const char *value = lines_parameter(input->cfg, "XFMINWCLIMIT", text);
	double seconds = ON(RULE_XFMINWCLIMIT_DEFAULT) ? 120 : 0;

	if (value)
		seconds = original_duration(value, rules);
	return seconds > 0 ? seconds : 0;
}

static bool true_parameter(const struct priority_case *input, const char *name)
{
	char text[TEXT_SIZE];
	const char *value = lines_parameter(input->cfg, name, text);

	return value && (!strcmp(value, "TRUE") || !strcmp(value, "1") || !strcmp(value, "ON"));
}

static double attribute(const struct priority_case *input, enum maui_credential type,
			const char *name, const char *which)
{
	char text[TEXT_SIZE];
	const char *value =
		name ? lines_attribute(input->cfg, sections[type], name, which, text) : NULL;

	return value ? (double)strtol(value, NULL, 0) : 0;
}

/* Jobs without a QOS have the QOS DEFAULT. */
static const char *qos_of(const struct priority_case *input)
{
	return input->names[MAUI_QOS] ? input->names[MAUI_QOS] : "DEFAULT";
}

/* A QOS's attribute; except for PRIORITY, that of DEFAULT if the QOS has none. */
static double qos_attribute(const struct priority_case *input, const char *which)
{
	double value = attribute(input, MAUI_QOS, qos_of(input), which);

	return value ? value : attribute(input, MAUI_QOS, "DEFAULT", which);
}

static double credential_priority(const struct priority_case *input, enum maui_credential type,
				  rule_mask rules)
{
	double priority;

	if (type == MAUI_QOS)
		return attribute(input, type, qos_of(input), "PRIORITY");
	priority = attribute(input, type, input->names[type], "PRIORITY");
	if (!priority && !(type == MAUI_CLASS && ON(RULE_CLASS_DEFAULT)))
		priority = attribute(input, type, "DEFAULT", "PRIORITY");
	return priority;
}

/* The target of a credential or its DEFAULT: a number and one mark. */
static double fs_target(const struct priority_case *input, enum maui_credential type,
			rule_mask rules, char *mark)
{
	const char *names[2] = {type == MAUI_QOS ? qos_of(input) : input->names[type], "DEFAULT"};

	if (!names[0] || (type == MAUI_CLASS && ON(RULE_CLASS_DEFAULT)))
		names[1] = NULL;
	for (int i = 0; i < 2; i++) {
		char text[TEXT_SIZE] = "", *end = text;
		const char *value = names[i] ? lines_attribute(input->cfg, sections[type], names[i],
							       "FSTARGET", text)
					     : NULL;
		double target = value ? strtod(value, &end) : 0;

		if (target > 0) {
			*mark = *end;
			return target;
		}
	}
	return 0;
}

static double fs_factor(const struct priority_case *input, enum maui_credential type,
			rule_mask rules)
{
	char text[TEXT_SIZE], mark = '\0';
	const char *policy = lines_parameter(input->cfg, "FSPOLICY", text);
	double target, percent, delta;

	if (!policy || !strcmp(policy, "NONE") || input->fs_total <= 0)
		return 0;
	target = fs_target(input, type, rules, &mark);
	if (target <= 0)
		return 0;
	percent = input->fs_usage[type] / input->fs_total * 100;
	delta = policy[strlen(policy) - 1] == '%' ? 1 - percent / target : target - percent;
	if (mark == '+')
		return fmax(delta, 0);
	if (mark == '-')
		return fmin(delta, 0);
	return mark == '%' || mark == '^' ? 0 : delta;
}

/* Since when the job has been waiting. */
static double queue_start(const struct priority_case *input)
{
	char text[TEXT_SIZE];
	const char *use = lines_parameter(input->cfg, "USESYSTEMQUEUETIME", text);

	if (input->effective_duration > 0)
		return input->now - input->effective_duration;
	return use && (!strcmp(use, "OFF") || !strcmp(use, "FALSE")) ? input->submitted
								     : input->system_queue_time;
}

static double xfactor(const struct priority_case *input, double queued, rule_mask rules)
{
	/* At least a second: without it the original divides by 0, and has no reading. */
	double divisor = fmax(fmax(xfactor_minimum(input, rules), input->walltime), 1);

	if (!ON(RULE_FUTURE_SUBMISSION))
		queued = fmax(queued, 0);
	if (ON(RULE_XFACTOR)) /* unsigned, so that a negative sum is a huge number */
		return (double)((uint64_t)(int64_t)queued + (uint64_t)input->walltime) / divisor;
	return 1 + queued / divisor;
}

/* pow() gives 1e8 minus its last bit at the target, where D-PRI-6 says 1e8. */
static double approach(double left)
{
	double inverse = 1 / fmax(1e-4, left);

	return inverse * inverse;
}

static double target_queuetime(const struct priority_case *input, double queued, rule_mask rules)
{
	char text[TEXT_SIZE];
	const char *value = lines_attribute(input->cfg, "QOSCFG", qos_of(input), "QTTARGET", text);
	double target = 0, left;

	if (!value)
		value = lines_attribute(input->cfg, "QOSCFG", "DEFAULT", "QTTARGET", text);
	if (value)
		target = ON(RULE_QTTARGET_TIME) ? (double)strtol(value, NULL, 0)
						: original_duration(value, rules);
	if (target <= 0)
		return 0;
	if (ON(RULE_TARGET_QUEUETIME))
		return pow(1e-4, -2);
	left = target - fmax(queued, 0);
	return approach(left) + fmax(0, -left);
}

static double target_xfactor(const struct priority_case *input, double reached, rule_mask rules)
{
	char text[TEXT_SIZE];
	const char *value = lines_attribute(input->cfg, "QOSCFG", qos_of(input), "XFTARGET", text);
	double target, left;

	if (!value)
		value = lines_attribute(input->cfg, "QOSCFG", "DEFAULT", "XFTARGET", text);
	target = value ? strtod(value, NULL) : 0;
	if (target <= 0)
		return 0;
	left = target - reached;
	if (ON(RULE_TARGET_PAST))
		return pow(fmax(1e-4, left), -2);
	return approach(left) + 1e4 * fmax(0, -left);
}

static double processor_equivalents(const struct priority_case *input)
{
	double asked[3] = {input->memory, input->disk, input->swap};
	double there[3] = {input->machine_memory, input->machine_disk, input->machine_swap};
	double share = input->procs_per_task / input->machine_procs;

	if (input->machine_procs <= 0)
		return 0;
	for (int i = 0; i < 3; i++)
		if (asked[i] > 0 && there[i] > 0)
			share = fmax(share, asked[i] / there[i]);
	return input->tasks * share * input->machine_procs;
}

static void factors(const struct priority_case *input, rule_mask rules, double *factor)
{
	double procs = input->tasks * input->procs_per_task,
	       queued = input->now - queue_start(input);
	double reached = xfactor(input, queued, rules);

	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		factor[MAUI_CRED_USER + type] = credential_priority(input, type, rules);
		factor[MAUI_FS_USER + type] = fs_factor(input, type, rules);
	}
	factor[MAUI_SERV_QUEUETIME] = fmax(queued / 60, 0);
	factor[MAUI_SERV_XFACTOR] = reached;
	factor[MAUI_SERV_SPVIOLATION] = input->sp_violation;
	factor[MAUI_SERV_BYPASS] = input->bypass;
	factor[MAUI_TARG_QUEUETIME] = target_queuetime(input, queued, rules);
	factor[MAUI_TARG_XFACTOR] = target_xfactor(input, reached, rules);
	factor[MAUI_RES_NODE] = input->nodes;
	factor[MAUI_RES_PROC] = procs;
	factor[MAUI_RES_MEM] = input->tasks * input->memory;
	factor[MAUI_RES_SWAP] = input->tasks * input->swap;
	factor[MAUI_RES_DISK] = input->tasks * input->disk;
	factor[MAUI_RES_PS] = procs * input->walltime;
	factor[MAUI_RES_PE] = processor_equivalents(input);
	factor[MAUI_RES_WALLTIME] = input->walltime;
	factor[ORIGINAL_UPROC] = input->active_procs;
	factor[ORIGINAL_UJOB] = input->active_jobs;
}

/* Weights, and the caps of what has been computed. */
static void weigh(const struct priority_case *input, rule_mask rules, struct original *ret)
{
	double class_weight = attribute(input, MAUI_GROUP, input->names[MAUI_GROUP], "CLASSWEIGHT");

	for (int i = 0; i < ORIGINAL_SUBS; i++) {
		char name[TEXT_SIZE];
		double cap;

		snprintf(name, sizeof(name), "%sCAP", subs[i]);
		cap = integer_parameter(input, name, 0, rules);
		if (cap > 0 && (i < MAUI_USAGE_CONSUMED || i > MAUI_USAGE_PERCENT))
			ret->factor[i] = fmin(ret->factor[i], cap);
		snprintf(name, sizeof(name), "%sWEIGHT", subs[i]);
		ret->weight[i] =
			integer_parameter(input, name, i == MAUI_SERV_QUEUETIME ? 1 : 0, rules);
	}
	ret->weight[MAUI_SERV_QUEUETIME] += qos_attribute(input, "QTWEIGHT");
	ret->weight[MAUI_SERV_XFACTOR] += qos_attribute(input, "XFWEIGHT");
	if (class_weight > 0)
		ret->weight[MAUI_CRED_CLASS] = class_weight;
	for (int i = 0; i < MAUI_COMPONENTS; i++)
		ret->component_weight[i] = integer_parameter(
			input, components[i].weight,
			ON(RULE_COMPONENT_DEFAULTS) ? components[i].original_default
						    : components[i].documented_default,
			rules);
}

static double system_priority(const struct priority_case *input, double priority)
{
	if (input->system_priority > 1e9)
		return priority + (input->system_priority - 2e9);
	return input->system_priority > 0 ? 1e9 + input->system_priority : priority;
}

static double run_priority(const struct priority_case *input, rule_mask rules,
			   const struct original *weights)
{
	double elapsed = fmax(input->now - input->started, 0),
	       procs = input->tasks * input->procs_per_task;
	double left = input->walltime - elapsed;
	double factor[4] = {procs * elapsed, procs * left, elapsed, 0}, sum = 0;

	factor[3] = ON(RULE_PERCENT) ? floor(elapsed * 100 / fmax(1, left))
				     : 100 * elapsed / fmax(1, input->walltime);
	if (ON(RULE_EXECUTIONTIME))
		factor[2] = 0;
	for (int i = 0; i < 4; i++) {
		char name[TEXT_SIZE];
		double cap;

		snprintf(name, sizeof(name), "%sCAP", subs[MAUI_USAGE_CONSUMED + i]);
		cap = integer_parameter(input, name, 0, rules);
		if (cap > 0 && !ON(RULE_USAGE_CAPS))
			factor[i] = fmin(factor[i], cap);
		sum += weights->weight[MAUI_USAGE_CONSUMED + i] * factor[i];
	}
	return weights->component_weight[MAUI_USAGE] * sum;
}

void original_priority(const struct priority_case *input, rule_mask rules, struct original *ret)
{
	/* The order in which the original adds. */
	static const enum maui_component order[] = {MAUI_SERV, MAUI_TARG, MAUI_CRED, MAUI_FS,
						    MAUI_RES};
	bool negatives = true_parameter(input, "ENABLENEGJOBPRIORITY");
	double sum = 0;

	memset(ret, 0, sizeof(*ret));
	factors(input, rules, ret->factor);
	weigh(input, rules, ret);
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		enum maui_component c = order[i];
		double cap = integer_parameter(input, components[c].cap, 0, rules);

		for (int sub = components[c].first; sub <= components[c].last; sub++) {
			double term = ret->weight[sub] * ret->factor[sub];

			ret->component[c] += term;
			ret->scale = fmax(ret->scale,
					  fabs(term) * fmax(1, fabs(ret->component_weight[c])));
		}
		if (cap > 0)
			ret->component[c] = fmin(ret->component[c], cap);
		sum += ret->component_weight[c] * ret->component[c];
	}
	if (ON(RULE_FLOOR) && true_parameter(input, "REJECTNEGPRIOJOBS"))
		negatives = true;
	ret->priority = system_priority(input, fmin(negatives ? sum : fmax(sum, 1), 1e9));
	ret->stored = trunc(ret->priority);
	if (input->started > 0)
		ret->run_priority = run_priority(input, rules, ret);
}

void original_readings(const struct priority_case *input, struct original_readings *ret)
{
	original_priority(input, ALL_RULES, &ret->original);
	original_priority(input, 0, &ret->documented);
	for (enum rule rule = 0; rule < RULES; rule++) {
		original_priority(input, ALL_RULES & ~RULE_BIT(rule), &ret->without[rule]);
		original_priority(input, RULE_BIT(rule), &ret->with[rule]);
	}
}

static double at(const struct original *reading, size_t field)
{
	return ((const double *)reading)[field];
}

/*
 * Whether rounding of the terms shows in a field. Not in the stored priority, which is a whole
 * number.
 */
static bool is_sum(size_t field)
{
	return (field >= ORIGINAL_FIELD(component) && field < ORIGINAL_FIELD(component_weight)) ||
	       field == ORIGINAL_FIELD(priority) || field == ORIGINAL_FIELD(run_priority);
}

struct readings original_field(const struct original_readings *readings, size_t field)
{
	struct readings ret = {.original = at(&readings->original, field),
			       .documented = at(&readings->documented, field)};

	if (is_sum(field))
		ret.scale = fmax(readings->original.scale, readings->documented.scale);
	if (check_same(ret.original, ret.documented, ret.scale))
		return ret;
	for (enum rule rule = 0; rule < RULES; rule++)
		if (at(&readings->without[rule], field) != ret.original)
			ret.rules |= RULE_BIT(rule);
	for (enum rule rule = 0; !ret.rules && rule < RULES; rule++)
		if (at(&readings->with[rule], field) != ret.documented)
			ret.rules |= RULE_BIT(rule);
	if (!ret.rules) /* several together: all of them, none alone */
		ret.rules = ALL_RULES;
	return ret;
}
