/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The area throttling: which jobs limits let through, and the limits part of documented_examples.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/priority/accrual.h"
#include "common/policy/limits/limits.h"
#include "common/policy/priority/pe.h"
#include "common/util/intern.h"
#include "testsuite/vectors/lines.h"
#include "testsuite/vectors/throttling_reading.h"

/* ---- by the core --------------------------------------------------------------------------- */

struct core {
	struct maui_intern *names[MAUI_CREDENTIALS];
	struct maui_limits *limits;
	struct maui_limit_usage *usage;
	enum maui_accrual_policy accrual;
};

static uint32_t id_of(void *context, enum maui_credential type, const char *name)
{
	struct core *core = context;

	return maui_intern_add(core->names[type], name);
}

static void core_close(struct core *core)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		maui_intern_free(core->names[type]);
	maui_limit_usage_free(core->usage);
	maui_limits_free(core->limits);
}

static bool core_open(struct check *check, const char *lines, int64_t now, struct core *ret_core)
{
	struct maui_limit_names names = {id_of, ret_core};
	struct maui_config *config = NULL;
	struct maui_error error = {"out of memory"};

	*ret_core = (struct core){.limits = NULL};
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		ret_core->names[type] = maui_intern_new();
	if (lines && !maui_config_parse("maui.cfg", lines, strlen(lines), NULL, &config, &error)) {
		ret_core->limits = maui_limits_compile(config, &names, 0);
		ret_core->usage = maui_limit_usage_new(ret_core->limits, now);
		ret_core->accrual = maui_accrual_policy(config);
	}
	maui_config_unref(config);
	if (ret_core->usage)
		return true;
	check_fail(check, "cfg", "%s", error.text);
	core_close(ret_core);
	return false;
}

static struct maui_limit_job core_job(struct core *core, const struct throttling_case *input,
				      const struct throttling_job *job)
{
	struct maui_resources asked = {.procs = job->tasks, .memory = job->tasks * job->memory};
	struct maui_resources machine = {.procs = input->machine_procs,
					 .memory = input->machine_memory};
	struct maui_limit_job ret = {.procs = (int64_t)job->tasks,
				     .nodes = (int64_t)job->nodes,
				     .pe = (int64_t)maui_pe(&asked, &machine),
				     .memory = (int64_t)asked.memory,
				     .walltime = (int64_t)job->walltime};

	for (unsigned int type = 0; type < MAUI_CREDENTIALS; type++)
		if (job->credential[type])
			ret.credential[type] = id_of(core, type, job->credential[type]);
	return ret;
}

static const char *name_of(const struct core *core, unsigned int type, uint32_t id)
{
	return type < MAUI_CREDENTIALS ? maui_intern_name(core->names[type], id) : NULL;
}

/* 1 if it may start, and the original's message with the core's numbers. */
static double core_verdict(const struct core *core, const struct maui_limit_job *job,
			   enum maui_limit_level level, enum maui_limit_mode mode, const char *name,
			   char text[160])
{
	char why[MAUI_LIMIT_TEXT_SIZE];
	struct maui_limit_verdict verdict;

	text[0] = '\0';
	if (!maui_limits_check(core->limits, core->usage, job, level, MAUI_LIMIT_BIT(mode),
			       &verdict))
		return 1;
	maui_limit_original_text(&verdict, name_of(core, verdict.type, verdict.id),
				 name_of(core, verdict.second_type, verdict.second_id), why);
	snprintf(text, 160, "job %.16s %.128s\n", name, why);
	return 0;
}

struct core_jobs {
	struct maui_limit_candidate candidates[THROTTLING_JOBS]; /* by priority */
	size_t of[THROTTLING_JOBS];                              /* the corresponding jobs */
	size_t count;
	struct maui_limit_holding holdings[THROTTLING_JOBS];
};

static double minutes(const struct throttling_case *input, double since)
{
	return fmax(1, trunc((input->now - since) / 60));
}

static bool core_enter(struct check *check, struct core *core, const struct throttling_case *input,
		       struct core_jobs *jobs)
{
	struct maui_arena *verdicts;
	int rc = 0;

	for (size_t i = 0; i < input->job_count; i++) {
		const struct throttling_job *job = &input->jobs[i];
		struct maui_limit_job own = core_job(core, input, job);
		size_t j = jobs->count;

		if (job->running) {
			rc |= maui_limit_usage_add(core->usage, &jobs->holdings[i], &own,
						   (int64_t)(job->start + job->walltime));
			continue;
		}
		for (; j > 0 && minutes(input, input->jobs[jobs->of[j - 1]].submit) <
					minutes(input, job->submit);
		     j--) {
			jobs->candidates[j] = jobs->candidates[j - 1];
			jobs->of[j] = jobs->of[j - 1];
		}
		jobs->candidates[j] = (struct maui_limit_candidate){.job = own, .out = job->held};
		jobs->of[j] = i;
		jobs->count++;
	}
	verdicts = maui_arena_new();
	rc |= maui_limits_select(core->limits, core->usage, jobs->candidates, jobs->count,
				 verdicts);
	maui_arena_free(verdicts);
	if (rc)
		check_fail(check, "jobs", "the core takes them not: %d", rc);
	return !rc;
}

static void core_answer(const struct core *core, const struct throttling_case *input,
			const struct maui_limit_candidate *candidate,
			const struct throttling_job *job, struct throttling_answer *answer)
{
	unsigned int violations = job->held         ? MAUI_VIOLATES_HOLD
				  : candidate->hard ? 0
						    : MAUI_VIOLATES_LIMIT;
	const struct maui_limit_job *own = &candidate->job;

	answer->job = job->name;
	answer->prio =
		minutes(input, (double)maui_accrual_since(core->accrual, (int64_t)job->submit,
							  (int64_t)job->submit, violations,
							  (int64_t)input->now));
	answer->hard = core_verdict(core, own, MAUI_LIMIT_HARD, MAUI_LIMIT_ACTIVE, job->name,
				    answer->hmsg);
	answer->soft = core_verdict(core, own, MAUI_LIMIT_SOFT, MAUI_LIMIT_ACTIVE, job->name,
				    answer->smsg);
	answer->sys = core_verdict(core, own, MAUI_LIMIT_HARD, MAUI_LIMIT_SYSTEM, job->name,
				   answer->ymsg);
}

static void append(char *list, size_t size, bool wanted, const char *name)
{
	size_t length = strlen(list);

	if (wanted)
		snprintf(list + length, size - length, "%s%s", length ? " " : "", name);
}

static bool core_read(struct check *check, const struct throttling_case *input,
		      struct throttling_reading *ret)
{
	static struct core_jobs jobs;
	char *lines = lines_join(input->cfg);
	struct core core;
	bool ok;

	jobs.count = 0;
	*ret = (struct throttling_reading){.count = 0};
	ok = core_open(check, lines, (int64_t)input->now, &core);
	free(lines);
	if (!ok)
		return false;
	ok = core_enter(check, &core, input, &jobs);
	for (size_t k = 0; ok && k < jobs.count; k++) {
		const char *name = input->jobs[jobs.of[k]].name;

		append(ret->hardq, sizeof(ret->hardq), jobs.candidates[k].hard, name);
		append(ret->softq, sizeof(ret->softq), jobs.candidates[k].soft, name);
	}
	for (size_t i = 0; ok && i < input->job_count; i++)
		for (size_t k = 0; k < jobs.count; k++)
			if (jobs.of[k] == i)
				core_answer(&core, input, &jobs.candidates[k], &input->jobs[i],
					    &ret->answers[ret->count++]);
	core_close(&core);
	return ok;
}

/* ---- comparing ----------------------------------------------------------------------------- */

#define FIRST_RULE RULE_LIMIT_SOFT
#define LAST_RULE  RULE_RESORT

/*
 * The original's reading and the documented one; if they differ, also those with one rule changed.
 */
struct both {
	struct throttling_reading original, documented;
	struct throttling_reading without[RULES], with[RULES];
};

static bool concerns(enum rule rule)
{
	return rule == RULE_CLASS_DEFAULT || (rule >= FIRST_RULE && rule <= LAST_RULE);
}

static void read_both(const struct throttling_case *input, struct both *both)
{
	throttling_read(input, ALL_RULES, &both->original);
	throttling_read(input, 0, &both->documented);
	for (enum rule rule = 0; rule < RULES; rule++)
		if (concerns(rule)) {
			throttling_read(input, ALL_RULES & ~RULE_BIT(rule), &both->without[rule]);
			throttling_read(input, RULE_BIT(rule), &both->with[rule]);
		}
}

/* A field, by its offset in the reading. */
static double number_at(const struct throttling_reading *reading, size_t offset)
{
	return *(const double *)((const char *)reading + offset);
}

static const char *text_at(const struct throttling_reading *reading, size_t offset)
{
	return (const char *)reading + offset;
}

static void compare_number(struct check *check, const struct both *both, const char *field,
			   double expected, const struct throttling_reading *ours, size_t offset)
{
	struct readings readings = {number_at(&both->original, offset),
				    number_at(&both->documented, offset), 0, 0};
	bool differ = readings.original != readings.documented;

	for (enum rule rule = 0; differ && rule < RULES; rule++)
		if (concerns(rule) && number_at(&both->without[rule], offset) != readings.original)
			readings.rules |= RULE_BIT(rule);
	for (enum rule rule = 0; differ && !readings.rules && rule < RULES; rule++)
		if (concerns(rule) && number_at(&both->with[rule], offset) != readings.documented)
			readings.rules |= RULE_BIT(rule);
	check_readings(check, field, expected, number_at(ours, offset), &readings);
}

static void compare_text(struct check *check, const struct both *both, const char *field,
			 const char *expected, const struct throttling_reading *ours, size_t offset)
{
	struct text_readings readings = {text_at(&both->original, offset),
					 text_at(&both->documented, offset), 0};
	bool differ = strcmp(readings.original, readings.documented) != 0;

	for (enum rule rule = 0; differ && rule < RULES; rule++)
		if (concerns(rule) &&
		    strcmp(text_at(&both->without[rule], offset), readings.original) != 0)
			readings.rules |= RULE_BIT(rule);
	for (enum rule rule = 0; differ && !readings.rules && rule < RULES; rule++)
		if (concerns(rule) &&
		    strcmp(text_at(&both->with[rule], offset), readings.documented) != 0)
			readings.rules |= RULE_BIT(rule);
	check_text_rules(check, field, expected ? expected : "(no text)", text_at(ours, offset),
			 &readings);
}

static void compare_answer(struct check *check, const struct both *both,
			   const struct throttling_reading *ours, struct json_object *expect,
			   size_t i)
{
	static const char *const known[] = {"hard", "hmsg", "job",  "prio", "smsg",
					    "soft", "sys",  "ymsg", NULL};
#define PLACE(field)                                                                               \
	(offsetof(struct throttling_reading, answers) + i * sizeof(struct throttling_answer) +     \
	 offsetof(struct throttling_answer, field))
#define NUMBER(field)                                                                              \
	compare_number(check, both, #field, member_number(expect, #field, -1), ours, PLACE(field))
#define TEXT(field)                                                                                \
	compare_text(check, both, #field, member_text(expect, #field), ours, PLACE(field))
	check_members(check, expect, known);
	check_text(check, "job", member_text(expect, "job"), ours->answers[i].job);
	NUMBER(hard);
	NUMBER(soft);
	NUMBER(sys);
	NUMBER(prio);
	TEXT(hmsg);
	TEXT(smsg);
	TEXT(ymsg);
}

static void compare_list(struct check *check, const struct both *both, const char *field,
			 struct json_object *expect, const struct throttling_reading *ours,
			 size_t offset)
{
	struct json_object *list = member(expect, field);
	char text[320] = "";

	if (!json_object_is_type(list, json_type_array)) {
		check_fail(check, field, "no list");
		return;
	}
	for (size_t i = 0; i < json_object_array_length(list); i++)
		append(text, sizeof(text), true,
		       json_object_get_string(json_object_array_get_idx(list, i)));
	compare_text(check, both, field, text, ours, offset);
}

void check_throttling(struct check *check, struct json_object *object)
{
	static const char *const known[] = {"cfg",   "expect", "id", "jobs",
					    "nodes", "now",    "rc", NULL};
	static const char *const answer[] = {"checks", "hardq", "softq", NULL};
	struct json_object *expect = member(object, "expect"), *checks;
	static struct both both;
	static struct throttling_reading ours;
	static struct throttling_case input;

	check_members(check, object, known);
	check_members(check, expect, answer);
	check_number(check, "rc", member_number(object, "rc", -1), 0);
	if (!throttling_case_read(check, object, &input) || !core_read(check, &input, &ours))
		return;
	read_both(&input, &both);
	checks = member(expect, "checks");
	if (!json_object_is_type(checks, json_type_array) ||
	    json_object_array_length(checks) != ours.count) {
		check_fail(check, "checks", "not one for each of the %zu idle jobs", ours.count);
		return;
	}
	for (size_t i = 0; i < ours.count; i++)
		compare_answer(check, &both, &ours, json_object_array_get_idx(checks, i), i);
	compare_list(check, &both, "hardq", expect, &ours,
		     offsetof(struct throttling_reading, hardq));
	compare_list(check, &both, "softq", expect, &ours,
		     offsetof(struct throttling_reading, softq));
}

/* ---- documented_examples ------------------------------------------------------------------- */

#define NOW INT64_C(1700000000)

/* Outstanding processor-seconds of jobs: [processors, seconds]. */
static void check_maxps(struct check *check, struct json_object *input, double expected)
{
	static const char *const known[] = {"jobs", NULL};
	struct json_object *jobs = member(input, "jobs");
	struct maui_limit_holding holdings[THROTTLING_JOBS];
	struct core core;

	check_members(check, input, known);
	if (!core_open(check, "", NOW, &core))
		return;
	for (size_t i = 0; i < json_object_array_length(jobs) && i < THROTTLING_JOBS; i++) {
		struct json_object *pair = json_object_array_get_idx(jobs, i);
		struct maui_limit_job job = {
			.procs = json_object_get_int64(json_object_array_get_idx(pair, 0)),
			.walltime = json_object_get_int64(json_object_array_get_idx(pair, 1))};

		job.credential[MAUI_USER] = id_of(&core, MAUI_USER, "u");
		if (maui_limit_usage_add(core.usage, &holdings[i], &job, NOW + job.walltime))
			check_fail(check, "jobs", "the core takes them not");
	}
	check_number(check, "maxps", expected,
		     (double)maui_limit_usage_get(core.usage, MAUI_USER, 1, MAUI_LIMIT_ACTIVE,
						  MAUI_LIMIT_PS));
	core_close(&core);
}

/*
 * How much of a metric one credential can have: its other jobs (for nodes a single job) grow until
 * a limit blocks the job in question.
 */
static double room(struct core *core, const struct maui_limit_job *asked, enum maui_credential type,
		   enum maui_limit_metric metric)
{
	static struct maui_limit_holding holdings[256];
	bool nodes = metric == MAUI_LIMIT_NODE;
	struct maui_limit_job job = *asked, other = {.procs = 1, .walltime = 1};
	struct maui_limit_verdict verdict = {0};
	size_t count = 0, held = 0;

	job.nodes = nodes;
	other.credential[type] = job.credential[type];
	while (count < 256 && !maui_limits_check(core->limits, core->usage, &job, MAUI_LIMIT_HARD,
						 MAUI_LIMIT_ALL_MODES, &verdict)) {
		if (nodes && held)
			maui_limit_usage_take(core->usage, &holdings[--held]);
		other.nodes = nodes ? (int64_t)++count : 0;
		if (!nodes)
			count++;
		if (maui_limit_usage_add(core->usage, &holdings[held++], &other, NOW + 1))
			break;
	}
	while (held)
		maui_limit_usage_take(core->usage, &holdings[--held]);
	return verdict.type == (unsigned int)type && verdict.metric == metric ? (double)count : -1;
}

/* The example's own lines, with D-LIM-8's. */
static void check_override(struct check *check, struct json_object *input,
			   struct json_object *expect)
{
	static const char *const known[] = {"cls", "group", "qos", "user", NULL};
	static const char lines[] = "USERCFG[steve] MAXJOB=2 MAXNODE=30\nGROUPCFG[staff] MAXJOB=5\n"
				    "CLASSCFG[DEFAULT] MAXNODE=16\nCLASSCFG[batch] MAXNODE=32\n"
				    "QOSCFG[hiprio] MAXJOB=3 OMAXNODE=64\n";
	static const struct {
		const char *field;
		enum maui_credential type;
		enum maui_limit_metric metric;
	} bullets[] = {{"user_nodes", MAUI_USER, MAUI_LIMIT_NODE},
		       {"user_jobs", MAUI_USER, MAUI_LIMIT_JOB},
		       {"group_jobs", MAUI_GROUP, MAUI_LIMIT_JOB},
		       {"class_nodes", MAUI_CLASS, MAUI_LIMIT_NODE},
		       {"qos_jobs", MAUI_QOS, MAUI_LIMIT_JOB}};
	static const char *const answers[] = {"class_nodes", "group_jobs", "qos_jobs",
					      "user_jobs",   "user_nodes", NULL};
	struct maui_limit_job job = {.procs = 1, .walltime = 1};
	struct core core;

	check_members(check, input, known);
	check_members(check, expect, answers);
	if (!core_open(check, lines, NOW, &core))
		return;
	for (unsigned int type = 0; type < MAUI_CREDENTIALS; type++) {
		const char *member_name = type == MAUI_CLASS ? "cls" : maui_credential_name(type);
		const char *name = member_text(input, member_name);

		job.credential[type] = name ? id_of(&core, type, name) : 0;
	}
	for (size_t i = 0; i < sizeof(bullets) / sizeof(bullets[0]); i++)
		check_number(check, bullets[i].field, member_number(expect, bullets[i].field, -1),
			     room(&core, &job, bullets[i].type, bullets[i].metric));
	core_close(&core);
}

bool check_throttling_documented(struct check *check, const char *area, struct json_object *object)
{
	struct json_object *input = member(object, "input");

	if (!strcmp(area, "maxps"))
		check_maxps(check, input, member_number(object, "expect", -1));
	else if (!strcmp(area, "throttle_override"))
		check_override(check, input, member(object, "expect"));
	else
		return false;
	return true;
}
