/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/vectors/priority_case.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/policy/priority/pe.h"
#include "common/policy/priority/run_priority.h"
#include "testsuite/vectors/lines.h"

#define MACHINE_PROCS   1024 /* if a case names no machine: anything larger than its job */
#define RELATIVE_STORED 2e9
#define GREATEST_ADDED  1e9 /* stored system priorities up to here are absolute */

static void read_job(struct check *check, struct json_object *job, struct priority_case *input)
{
	static const char *const known[] = {
		"name",   "user",    "group", "account", "class", "qos",    "tasks", "ppt",
		"mem",    "swap",    "disk",  "nodes",   "wc",    "submit", "sysq",  "effqd",
		"bypass", "sysprio", "spv",   "start",   "state", NULL};

	check_members(check, job, known);
	input->job_name = member_text(job, "name");
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		input->names[type] = member_text(job, maui_credential_name(type));
	input->tasks = member_number(job, "tasks", 1);
	input->procs_per_task = member_number(job, "ppt", 1);
	input->memory = member_number(job, "mem", 0);
	input->swap = member_number(job, "swap", 0);
	input->disk = member_number(job, "disk", 0);
	input->nodes = member_number(job, "nodes", 0);
	input->walltime = member_number(job, "wc", 0);
	input->submitted = member_number(job, "submit", 0);
	input->system_queue_time = member_number(job, "sysq", input->submitted);
	input->effective_duration = member_number(job, "effqd", 0);
	input->bypass = member_number(job, "bypass", 0);
	input->sp_violation = member_number(job, "spv", 0);
	input->system_priority = member_number(job, "sysprio", 0);
	input->started = member_number(job, "start", 0);
}

static void read_machine(struct check *check, struct json_object *totals,
			 struct priority_case *input)
{
	static const char *const known[] = {"procs", "mem", "swap", "disk", NULL};

	if (totals)
		check_members(check, totals, known);
	input->machine_procs = member_number(totals, "procs", MACHINE_PROCS);
	input->machine_memory = member_number(totals, "mem", 0);
	input->machine_swap = member_number(totals, "swap", 0);
	input->machine_disk = member_number(totals, "disk", 0);
}

/* Window 0 plus the decayed rest. */
static double usage_of(struct json_object *fs, const char *name)
{
	struct json_object *pair = member(fs, name);

	if (!json_object_is_type(pair, json_type_array) || json_object_array_length(pair) != 2)
		return 0;
	return json_object_get_double(json_object_array_get_idx(pair, 0)) +
	       json_object_get_double(json_object_array_get_idx(pair, 1));
}

static void read_fairshare(struct check *check, struct json_object *fs, struct priority_case *input)
{
	static const char *const known[] = {"total", "user",  "group", "account",
					    "qos",   "class", NULL};

	if (fs)
		check_members(check, fs, known);
	input->fs_total = usage_of(fs, "total");
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		if (input->names[type]) /* the usage is that of the job's own credentials */
			input->fs_usage[type] = usage_of(fs, maui_credential_name(type));
}

void priority_case_read(struct check *check, struct json_object *object,
			struct priority_case *ret_case)
{
	static const char *const known[] = {
		"cfg",  "expect", "fs", "id", "job", "now", "rc", "totals", "user_active_usage",
		"note", NULL};
	struct json_object *active = member(object, "user_active_usage");

	memset(ret_case, 0, sizeof(*ret_case));
	check_members(check, object, known);
	ret_case->cfg = member(object, "cfg");
	ret_case->now = member_number(object, "now", 0);
	ret_case->active_jobs = member_number(active, "job", 0);
	ret_case->active_procs = member_number(active, "proc", 0);
	read_job(check, member(object, "job"), ret_case);
	read_machine(check, member(object, "totals"), ret_case);
	read_fairshare(check, member(object, "fs"), ret_case);
}

/* Since when the case's job waits; the checks are in the original's order. */
static int64_t queued_since(const struct priority_case *input)
{
	char text[64];
	const char *use = lines_parameter(input->cfg, "USESYSTEMQUEUETIME", text);

	if (input->effective_duration > 0)
		return (int64_t)(input->now - input->effective_duration);
	if (use && (!strcmp(use, "OFF") || !strcmp(use, "FALSE")))
		return (int64_t)input->submitted;
	return (int64_t)input->system_queue_time;
}

static void make_job(const struct priority_case *input, struct maui_priority_job *job)
{
	struct maui_resources request = {.procs = input->tasks * input->procs_per_task,
					 .memory = input->tasks * input->memory,
					 .swap = input->tasks * input->swap,
					 .disk = input->tasks * input->disk};
	struct maui_resources machine = {.procs = input->machine_procs,
					 .memory = input->machine_memory,
					 .swap = input->machine_swap,
					 .disk = input->machine_disk};

	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		job->credential[type] = input->names[type] ? 1 : MAUI_NO_CREDENTIAL;
	job->queued_since = queued_since(input);
	job->walltime = input->walltime;
	job->nodes = input->nodes;
	job->procs = request.procs;
	job->memory = request.memory;
	job->swap = request.swap;
	job->disk = request.disk;
	job->pe = maui_pe(&request, &machine);
	job->bypass = input->bypass;
	job->sp_violation = input->sp_violation;
	if (input->system_priority > GREATEST_ADDED) {
		job->system_priority_mode = MAUI_RELATIVE_PRIORITY;
		job->system_priority = (int64_t)(input->system_priority - RELATIVE_STORED);
	} else if (input->system_priority > 0) {
		job->system_priority_mode = MAUI_ABSOLUTE_PRIORITY;
		job->system_priority = (int64_t)input->system_priority;
	}
}

/* FSPOLICY: whether it is on, and whether in ratio mode. */
static bool fairshare_is_on(const struct maui_config *config, bool *ret_ratio)
{
	const struct maui_value *value = maui_config_get(config, MAUI_KEY_FSPOLICY, NULL);

	*ret_ratio = value && value->flag;
	return value && value->key->keywords &&
	       strcasecmp(value->key->keywords[value->integer], "[NONE]") &&
	       strcasecmp(value->key->keywords[value->integer], "NONE");
}

static void evaluate(const struct priority_case *input, struct maui_config *config,
		     struct maui_priority_policy *policy, struct maui_priority_terms *ret_terms,
		     double *ret_run_priority)
{
	struct maui_priority_credential credential[MAUI_CREDENTIALS][2];
	double fs_factor[MAUI_CREDENTIALS][2];
	struct maui_priority_tables tables = {0};
	struct maui_priority_job job = {0};
	bool ratio, fairshare = fairshare_is_on(config, &ratio) && input->fs_total > 0;

	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		maui_priority_credential(policy, type, NULL, &credential[type][0]);
		maui_priority_credential(policy, type, input->names[type], &credential[type][1]);
		fs_factor[type][0] = maui_fstarget_factor(&credential[type][0].fs_target, 0, ratio);
		fs_factor[type][1] =
			maui_fstarget_factor(&credential[type][1].fs_target,
					     input->fs_usage[type] / input->fs_total * 100, ratio);
		tables.credential[type] = credential[type];
		tables.fs_factor[type] = fairshare ? fs_factor[type] : NULL;
	}
	make_job(input, &job);
	job.weights = maui_priority_weights(policy, NULL);
	maui_priority_evaluate(policy, &tables, &job, (int64_t)input->now, ret_terms);
	if (ret_run_priority) /* the original's harness has a start priority of 0 here */
		*ret_run_priority = maui_run_priority(&job, (int64_t)input->started, 0,
						      (int64_t)input->now, NULL);
}

bool priority_case_run(struct check *check, const struct priority_case *input,
		       struct maui_priority_terms *ret_terms, double *ret_run_priority)
{
	struct maui_error error = {""};
	struct maui_config *config = NULL;
	struct maui_priority_policy *policy = NULL;
	char *text = lines_join(input->cfg);

	if (!text || maui_config_parse("maui.cfg", text, strlen(text), NULL, &config, &error)) {
		check_fail(check, "cfg", "%s", *error.text ? error.text : "out of memory");
	} else {
		policy = maui_priority_compile(config);
		evaluate(input, config, policy, ret_terms, ret_run_priority);
	}
	maui_priority_free(policy);
	maui_config_unref(config);
	free(text);
	return policy != NULL;
}
