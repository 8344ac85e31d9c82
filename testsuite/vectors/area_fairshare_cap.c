/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The area fairshare_cap: whether a job may start. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/priority/pe.h"
#include "testsuite/vectors/fairshare_case.h"
#include "testsuite/vectors/lines.h"

struct input {
	struct json_object *cfg;
	const char *names[MAUI_CREDENTIALS];
	double usage[MAUI_CREDENTIALS + 1]
		    [2]; /* window 0, and the decayed rest; for the total, too */
	double tasks, memory, walltime;
	double machine_procs, machine_memory;
};

#define ON(rule) (rules & RULE_BIT(rule))

/* ---- by independent arithmetic ------------------------------------------------------------- */

static double request(const struct input *input, const char *policy, rule_mask rules)
{
	double pe = fmax(input->tasks / input->machine_procs,
			 input->tasks * input->memory / input->machine_memory) *
		    input->machine_procs;

	if (strcmp(policy, "DEDICATEDPES"))
		return input->tasks * input->walltime;
	return ON(RULE_FS_CAP_REQUEST) ? trunc(pe) : pe * input->walltime;
}

/* The value and mark in force; 0 if there is none. */
static double target(const struct input *input, int type, rule_mask rules, char *ret_mark)
{
	const char *section = maui_section_name(maui_credential_section(type));
	char text[64], *end = text;
	const char *own =
		lines_attribute(input->cfg, section, input->names[type], "FSTARGET", text);
	double value = own ? strtod(own, &end) : 0;

	if (!(value > 0) && !ON(RULE_FS_CAP_DEFAULT)) {
		own = lines_attribute(input->cfg, section, "DEFAULT", "FSTARGET", text);
		value = own ? strtod(own, &end) : 0;
	}
	*ret_mark = own ? *end : '\0';
	return value > 0 ? value : 0;
}

/* 1: it may start. */
static double verdict(const struct input *input, rule_mask rules)
{
	char policy[64], mark;
	double total = input->usage[MAUI_CREDENTIALS][0] + input->usage[MAUI_CREDENTIALS][1];
	double asked;

	if (!lines_parameter(input->cfg, "FSPOLICY", policy))
		return 1;
	policy[strcspn(policy, "%")] = '\0';
	asked = request(input, policy, rules);
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		double cap = target(input, type, rules, &mark);
		double used = input->usage[type][0] + input->usage[type][1];
		double unit = mark == '%' ? total / 100 : 1;

		if (!(cap > 0) || (mark != '%' && mark != '^') || !(unit > 0))
			continue;
		if ((used + asked) / unit > cap || (!ON(RULE_FS_CAP_REACHED) && used / unit >= cap))
			return 0;
	}
	return 1;
}

static struct readings both(const struct input *input)
{
	struct readings ret = {verdict(input, ALL_RULES), verdict(input, 0), 0, 0};

	if (ret.original == ret.documented)
		return ret;
	for (enum rule rule = 0; rule < RULES; rule++)
		if (verdict(input, ALL_RULES & ~RULE_BIT(rule)) != ret.original)
			ret.rules |= RULE_BIT(rule);
	for (enum rule rule = 0; !ret.rules && rule < RULES; rule++)
		if (verdict(input, RULE_BIT(rule)) != ret.documented)
			ret.rules |= RULE_BIT(rule);
	return ret;
}

/* ---- by the core --------------------------------------------------------------------------- */

static double core_request(const struct input *input, enum maui_fs_metric metric)
{
	struct maui_resources asked = {.procs = input->tasks,
				       .memory = input->tasks * input->memory};
	struct maui_resources machine = {.procs = input->machine_procs,
					 .memory = input->machine_memory};

	const struct maui_fairshare_settings settings = {.metric = metric};

	return maui_fairshare_request(
		maui_fairshare_rate(&settings, input->tasks, maui_pe(&asked, &machine), NULL),
		input->walltime);
}

static bool core_verdict(struct check *check, const struct input *input, double *ret_ok)
{
	struct maui_priority_credential credential[MAUI_CREDENTIALS][2] = {{{0}}};
	uint32_t ids[MAUI_CREDENTIALS];
	struct maui_priority_tables tables = {0};
	struct maui_fairshare_verdict blocked;
	struct fairshare_case core;

	if (!fairshare_case_open(check, input->cfg, 0, NULL, &core))
		return false;
	for (unsigned int type = 0; type < MAUI_CREDENTIALS; type++) {
		ids[type] = fairshare_case_id(&core, type, input->names[type]);
		maui_priority_credential(core.policy, type, input->names[type],
					 &credential[type][1]);
		tables.credential[type] = credential[type];
	}
	/* The cases give no decay: the rest is the previous window. */
	for (unsigned int type = 0; type <= MAUI_FS_TOTAL; type++)
		for (uint32_t k = 0; k < 2; k++)
			maui_fairshare_set(core.fs, type, type == MAUI_FS_TOTAL ? 0 : ids[type], k,
					   input->usage[type][k]);
	*ret_ok = !maui_fairshare_cap(core.fs, &tables, ids,
				      core_request(input, core.settings.metric), &blocked);
	fairshare_case_close(&core);
	return true;
}

/* ---- reading ------------------------------------------------------------------------------- */

static bool read_usage(struct check *check, struct json_object *object, struct input *input)
{
	static const char *const known[] = {"total", "user",  "group", "account",
					    "qos",   "class", NULL};
	struct json_object *fs = member(object, "fs");

	check_members(check, fs, known);
	for (unsigned int type = 0; type <= MAUI_FS_TOTAL; type++) {
		const char *name = type == MAUI_FS_TOTAL ? "total" : maui_credential_name(type);
		struct json_object *pair = member(fs, name);

		if (!json_object_is_type(pair, json_type_array) ||
		    json_object_array_length(pair) != 2) {
			check_fail(check, name, "no usage");
			return false;
		}
		for (unsigned int k = 0; k < 2; k++)
			input->usage[type][k] =
				json_object_get_double(json_object_array_get_idx(pair, k));
	}
	return true;
}

static bool read_job(struct check *check, struct json_object *object, struct input *input)
{
	static const char *const known[] = {"account", "class", "group", "mem", "name",
					    "qos",     "tasks", "user",  "wc",  NULL};
	static const char *const machine[] = {"mem", "procs", NULL};
	struct json_object *job = member(object, "job"), *totals = member(object, "totals");

	check_members(check, job, known);
	check_members(check, totals, machine);
	for (unsigned int type = 0; type < MAUI_CREDENTIALS; type++) {
		input->names[type] = member_text(job, maui_credential_name(type));
		if (!input->names[type]) {
			check_fail(check, maui_credential_name(type), "the job has none");
			return false;
		}
	}
	input->tasks = member_number(job, "tasks", 1);
	input->memory = member_number(job, "mem", 0);
	input->walltime = member_number(job, "wc", 0);
	input->machine_procs = member_number(totals, "procs", 0);
	input->machine_memory = member_number(totals, "mem", 0);
	return true;
}

void check_fairshare_cap(struct check *check, struct json_object *object)
{
	static const char *const known[] = {"cfg", "expect", "fs",     "id",
					    "job", "rc",     "totals", NULL};
	static const char *const answer[] = {"job", "ok", NULL};
	struct json_object *expect = member(object, "expect");
	struct input input = {.cfg = member(object, "cfg")};
	struct readings readings;
	double ok;

	check_members(check, object, known);
	check_members(check, expect, answer);
	check_number(check, "rc", member_number(object, "rc", -1), 0);
	if (!read_job(check, object, &input) || !read_usage(check, object, &input) ||
	    !core_verdict(check, &input, &ok))
		return;
	check_text(check, "job", member_text(expect, "job"),
		   member_text(member(object, "job"), "name"));
	readings = both(&input);
	check_readings(check, "ok", member_number(expect, "ok", -1), ok, &readings);
}
