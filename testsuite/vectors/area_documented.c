/* SPDX-License-Identifier: GPL-2.0-or-later */
/* documented_examples: the manual's own examples. Each entry names the area it belongs to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/priority/pe.h"
#include "common/policy/priority/run_priority.h"
#include "testsuite/vectors/check.h"

#define NOW INT64_C(1700000000)

/* A job under a few lines of maui.cfg, of the user "u", ..., the class "c". */
struct example {
	const char *lines;
	struct maui_priority_job job;
	int64_t started; /* the run that run_priority is of */
	double fs_percent[MAUI_CREDENTIALS];
	bool fairshare;
	/* answers */
	struct maui_priority_terms terms;
	double run_priority;
};

static const char *const names[MAUI_CREDENTIALS] = {"u", "g", "a", "q", "c"};

static void evaluate(struct example *example, struct maui_priority_policy *policy)
{
	struct maui_priority_credential credential[MAUI_CREDENTIALS][2];
	double factor[MAUI_CREDENTIALS][2] = {{0}};
	struct maui_priority_tables tables = {0};

	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		maui_priority_credential(policy, type, NULL, &credential[type][0]);
		maui_priority_credential(policy, type, names[type], &credential[type][1]);
		factor[type][1] = maui_fstarget_factor(&credential[type][1].fs_target,
						       example->fs_percent[type], false);
		tables.credential[type] = credential[type];
		tables.fs_factor[type] = example->fairshare ? factor[type] : NULL;
		example->job.credential[type] = 1;
	}
	example->job.weights = maui_priority_weights(policy, NULL);
	maui_priority_evaluate(policy, &tables, &example->job, NOW, &example->terms);
	example->run_priority = maui_run_priority(&example->job, example->started, 0, NOW, NULL);
}

static bool run(struct check *check, struct example *example)
{
	struct maui_config *config = NULL;
	struct maui_priority_policy *policy = NULL;
	struct maui_error error = {""};

	if (maui_config_parse("maui.cfg", example->lines, strlen(example->lines), NULL, &config,
			      &error)) {
		check_fail(check, "input", "%s", error.text);
	} else {
		policy = maui_priority_compile(config);
		evaluate(example, policy);
	}
	maui_priority_free(policy);
	maui_config_unref(config);
	return policy != NULL;
}

static void check_xfactor(struct check *check, struct json_object *input, double expected)
{
	static const char *const known[] = {"eff_queue_h", "wclimit_h",      "eff_queue_s",
					    "wclimit_s",   "xfminwclimit_s", NULL};
	char lines[64];
	double queued =
		member_number(input, "eff_queue_s", member_number(input, "eff_queue_h", 0) * 3600);
	struct example example = {.lines = lines};

	check_members(check, input, known);
	snprintf(lines, sizeof(lines), "XFMINWCLIMIT %d\n",
		 (int)member_number(input, "xfminwclimit_s", -1));
	example.job.queued_since = NOW - (int64_t)queued;
	example.job.walltime =
		member_number(input, "wclimit_s", member_number(input, "wclimit_h", 0) * 3600);
	if (run(check, &example))
		check_number(check, "xfactor", expected, example.terms.factor[MAUI_SERV_XFACTOR]);
}

static void check_target(struct check *check, struct json_object *input, double expected)
{
	static const char *const known[] = {"effq_s", "target_s", NULL};
	char lines[64];
	struct example example = {.lines = lines};

	check_members(check, input, known);
	snprintf(lines, sizeof(lines), "QOSCFG[q] QTTARGET=%d\n",
		 (int)member_number(input, "target_s", 0));
	example.job.queued_since = NOW - (int64_t)member_number(input, "effq_s", 0);
	if (run(check, &example))
		check_number(check, "target", expected, example.terms.factor[MAUI_TARG_QUEUETIME]);
}

static void check_setspri(struct check *check, struct json_object *input, double expected)
{
	static const char *const known[] = {"absolute", "relative", "computed", NULL};
	char lines[96];
	struct example example = {.lines = lines};

	check_members(check, input, known);
	snprintf(lines, sizeof(lines), "QUEUETIMEWEIGHT 0\nUSERWEIGHT 1\nUSERCFG[u] PRIORITY=%d\n",
		 (int)member_number(input, "computed", 0));
	example.job.queued_since = NOW;
	if (member(input, "relative")) {
		example.job.system_priority_mode = MAUI_RELATIVE_PRIORITY;
		example.job.system_priority = (int64_t)member_number(input, "relative", 0);
	} else {
		example.job.system_priority_mode = MAUI_ABSOLUTE_PRIORITY;
		example.job.system_priority = (int64_t)member_number(input, "absolute", 0);
	}
	if (run(check, &example))
		check_number(check, "priority", expected, (double)example.terms.priority);
}

static void check_pe(struct check *check, struct json_object *input, double expected)
{
	static const char *const known[] = {"proc_pct", "mem_pct", "total_procs", NULL};
	double procs = member_number(input, "total_procs", 0), memory = 1000;
	struct maui_resources machine = {.procs = procs, .memory = memory};
	struct maui_resources request = {.procs = procs * member_number(input, "proc_pct", 0) / 100,
					 .memory =
						 memory * member_number(input, "mem_pct", 0) / 100};

	check_members(check, input, known);
	check_number(check, "pe", expected, maui_pe(&request, &machine));
}

static void check_usage(struct check *check, struct json_object *input, double expected)
{
	static const char *const known[] = {"USAGEWEIGHT", "consumed_w", "elapsed",
					    "exec_w",      "percent_w",  "procs",
					    "remaining_w", "wclimit",    NULL};
	char lines[256];
	struct example example = {.lines = lines};

	check_members(check, input, known);
	snprintf(lines, sizeof(lines),
		 "USAGEWEIGHT %g\nUSAGECONSUMEDWEIGHT %g\nUSAGEREMAININGWEIGHT %g\n"
		 "USAGEEXECUTIONTIMEWEIGHT %g\nUSAGEPERCENTWEIGHT %g\n",
		 member_number(input, "USAGEWEIGHT", 0), member_number(input, "consumed_w", 0),
		 member_number(input, "remaining_w", 0), member_number(input, "exec_w", 0),
		 member_number(input, "percent_w", 0));
	example.job.procs = member_number(input, "procs", 0);
	example.job.walltime = member_number(input, "wclimit", 0);
	example.started = NOW - (int64_t)member_number(input, "elapsed", 0);
	example.job.queued_since = example.started;
	if (run(check, &example))
		check_number(check, "usage", expected, example.run_priority);
}

/* Target (a number, a text with its mark, or none) and usage of each credential. */
static void check_fs_factor(struct check *check, struct json_object *input, double expected)
{
	static const char *const known[] = {
		"FSWEIGHT",    "FSUSERWEIGHT",  "FSGROUPWEIGHT", "FSACCOUNTWEIGHT",
		"FSQOSWEIGHT", "FSCLASSWEIGHT", "user",          "group",
		"account",     "qos",           "cls",           NULL};
	static const char *const members[MAUI_CREDENTIALS] = {"user", "group", "account", "qos",
							      "cls"};
	char lines[512];
	int length = snprintf(lines, sizeof(lines), "FSPOLICY DEDICATEDPS\n");
	struct example example = {.lines = lines, .fairshare = true};

	check_members(check, input, known);
	for (int i = 0; i < 6; i++)
		length += snprintf(lines + length, sizeof(lines) - length, "%s %g\n", known[i],
				   member_number(input, known[i], 0));
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		struct json_object *both = member(input, members[type]), *target;

		if (!json_object_is_type(both, json_type_array))
			continue;
		target = json_object_array_get_idx(both, 0);
		example.fs_percent[type] =
			json_object_get_double(json_object_array_get_idx(both, 1));
		if (target)
			length += snprintf(lines + length, sizeof(lines) - length,
					   "%s[%s] FSTARGET=%s\n",
					   maui_section_name(maui_credential_section(type)),
					   names[type], json_object_get_string(target));
	}
	example.job.queued_since = NOW;
	if (run(check, &example))
		check_number(check, "fs_factor", expected,
			     example.terms.component_weight[MAUI_FS] *
				     example.terms.component[MAUI_FS]);
}

static const struct {
	const char *area;
	void (*check)(struct check *check, struct json_object *input, double expected);
} areas[] = {
	{"xfactor", check_xfactor},
	{"xfactor_min", check_xfactor},
	{"target", check_target},
	{"setspri", check_setspri},
	{"pe", check_pe},
	{"usage", check_usage},
	{"fs_factor", check_fs_factor},
};

/* Entries of areas that are not compared yet are counted and named, neither passed nor failed. */
static void count_other(struct check *check, const char *area)
{
	size_t length = strlen(check->other_areas);

	check->other++;
	if (!strstr(check->other_areas, area) &&
	    length + strlen(area) + 2 < sizeof(check->other_areas))
		snprintf(check->other_areas + length, sizeof(check->other_areas) - length, "%s%s",
			 length ? " " : "", area);
}

void check_documented(struct check *check, struct json_object *object)
{
	static const char *const known[] = {"area", "derived_from", "expect", "input",
					    "note", "status",       NULL};
	const char *area = member_text(object, "area");

	check_members(check, object, known);
	if (!area) {
		check_fail(check, "area", "missing");
		return;
	}
	if (check_fairshare_documented(check, area, object) ||
	    check_throttling_documented(check, area, object) ||
	    check_reservation_documented(check, area, object))
		return;
	for (size_t i = 0; i < sizeof(areas) / sizeof(areas[0]); i++)
		if (!strcmp(area, areas[i].area)) {
			areas[i].check(check, member(object, "input"),
				       member_number(object, "expect", -1));
			return;
		}
	count_other(check, area);
}
