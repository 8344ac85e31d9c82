/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/vectors/throttling_reading.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testsuite/vectors/lines.h"

#define ON(rule) (world->rules & RULE_BIT(rule))

enum { METRIC_MEM = 6, METRICS };
static const char *const metrics[METRICS] = {"JOB", "PROC", "NODE", "PS", "PE", "WC", "MEM"};
static const enum maui_credential order[MAUI_CREDENTIALS] = {MAUI_USER, MAUI_GROUP, MAUI_ACCOUNT,
							     MAUI_CLASS, MAUI_QOS};

enum { ACTIVE, IDLE, SYSTEM };

/* ---- reading ------------------------------------------------------------------------------- */

static const char *const sections[MAUI_CREDENTIALS] = {"USERCFG[", "GROUPCFG[", "ACCOUNTCFG[",
						       "QOSCFG[", "CLASSCFG["};

static void read_pair(struct throttling_case *input, enum maui_credential type, const char *index,
		      const char *word)
{
	struct throttling_limit *limit = &input->limits[input->limit_count];
	const char *value = strchr(word, '='), *comma;

	if (!value || input->limit_count == THROTTLING_LINES)
		return;
	input->limit_count++;
	limit->type = type;
	snprintf(limit->index, sizeof(limit->index), "%s", index);
	snprintf(limit->attribute, sizeof(limit->attribute), "%.*s", (int)(value - word), word);
	comma = strchr(value, ',');
	limit->soft = strtod(value + 1, NULL);
	limit->hard = comma ? strtod(comma + 1, NULL) : limit->soft;
}

static void read_line(struct throttling_case *input, const char *text)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		char line[512], *rest, *index, *word;

		if (strncmp(text, sections[type], strlen(sections[type])) != 0)
			continue;
		snprintf(line, sizeof(line), "%s", text + strlen(sections[type]));
		index = strtok_r(line, "]", &rest);
		while (index && (word = strtok_r(NULL, " \t", &rest)))
			read_pair(input, type, index, word);
	}
}

static double parameter(struct json_object *cfg, const char *name)
{
	char text[64];
	double hours, minutes, seconds;

	if (!lines_parameter(cfg, name, text))
		return 0;
	if (sscanf(text, "%lf:%lf:%lf", &hours, &minutes, &seconds) == 3)
		return (hours * 60 + minutes) * 60 + seconds;
	return strtod(text, NULL);
}

static bool read_job(struct check *check, struct json_object *object, struct throttling_job *job)
{
	static const char *const known[] = {"account", "class", "group", "hold",  "mem",
					    "name",    "nodes", "qos",   "start", "state",
					    "submit",  "tasks", "user",  "wc",    NULL};
	const char *state = member_text(object, "state");

	check_members(check, object, known);
	*job = (struct throttling_job){.name = member_text(object, "name"),
				       .tasks = member_number(object, "tasks", 1),
				       .nodes = member_number(object, "nodes", 0),
				       .memory = member_number(object, "mem", 0),
				       .walltime = member_number(object, "wc", 0),
				       .start = member_number(object, "start", 0),
				       .submit = member_number(object, "submit", 0),
				       .running = state != NULL,
				       .held = member_number(object, "hold", 0) != 0};
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		job->credential[type] = member_text(object, maui_credential_name(type));
	if (!job->name || (state && strcmp(state, "Running") != 0)) {
		check_fail(check, "jobs", "a job without a name, or of an unknown state");
		return false;
	}
	return true;
}

bool throttling_case_read(struct check *check, struct json_object *object,
			  struct throttling_case *ret_case)
{
	struct json_object *jobs = member(object, "jobs");
	const char *nodes = member_text(object, "nodes");
	double count, procs, memory;

	*ret_case = (struct throttling_case){.cfg = member(object, "cfg"),
					     .now = member_number(object, "now", 0)};
	if (!nodes || sscanf(nodes, "%lf x (%lf procs,%lf MB)", &count, &procs, &memory) != 3 ||
	    !json_object_is_type(jobs, json_type_array) ||
	    json_object_array_length(jobs) > THROTTLING_JOBS) {
		check_fail(check, "nodes", "no machine, or no jobs");
		return false;
	}
	ret_case->machine_procs = count * procs;
	ret_case->machine_memory = count * memory;
	for (size_t i = 0; i < lines_count(ret_case->cfg); i++)
		read_line(ret_case, lines_at(ret_case->cfg, i));
	ret_case->system_procs = parameter(ret_case->cfg, "SYSTEMMAXPROCPERJOB");
	ret_case->system_ps = parameter(ret_case->cfg, "SYSTEMMAXPROCSECONDPERJOB");
	ret_case->system_walltime = parameter(ret_case->cfg, "SYSTEMMAXJOBWALLTIME");
	lines_parameter(ret_case->cfg, "JOBPRIOACCRUALPOLICY", ret_case->policy);
	ret_case->job_count = json_object_array_length(jobs);
	for (size_t i = 0; i < ret_case->job_count; i++)
		if (!read_job(check, json_object_array_get_idx(jobs, i), &ret_case->jobs[i]))
			return false;
	return true;
}

/* ---- limits -------------------------------------------------------------------------------- */

struct world {
	const struct throttling_case *input;
	rule_mask rules;
	bool active[THROTTLING_JOBS], idle[THROTTLING_JOBS]; /* counted */
	double queued[THROTTLING_JOBS];                      /* start of the queue time */
};

static const char *holder(const struct throttling_job *job, int type)
{
	return job->credential[type] || type != MAUI_QOS ? job->credential[type] : "DEFAULT";
}

static double amount(const struct world *world, const struct throttling_job *job, int metric)
{
	double walltime = job->walltime - (job->running ? world->input->now - job->start : 0);
	double share = fmax(job->tasks / world->input->machine_procs,
			    job->tasks * job->memory / world->input->machine_memory);
	double amounts[METRICS] = {1,
				   job->tasks,
				   job->nodes,
				   job->tasks * walltime,
				   trunc(share * world->input->machine_procs),
				   walltime,
				   job->tasks * job->memory};

	return amounts[metric];
}

/* What counted jobs of a credential hold; if there is a second credential, only jobs with both. */
static double usage(const struct world *world, const bool *counted, int type, const char *name,
		    const char *user, int metric)
{
	double sum = 0;

	for (size_t i = 0; i < world->input->job_count; i++) {
		const struct throttling_job *job = &world->input->jobs[i];
		const char *own = holder(job, type);

		if (counted[i] && own && !strcmp(own, name) &&
		    (!user || !strcmp(user, job->credential[MAUI_USER])))
			sum += amount(world, job, metric);
	}
	return sum;
}

static const struct throttling_limit *find(const struct world *world, int type, const char *index,
					   const char *attribute)
{
	const struct throttling_limit *found = NULL, *limit = world->input->limits;

	for (size_t i = 0; i < world->input->limit_count; i++, limit++)
		if (limit->type == type && !strcmp(limit->index, index) &&
		    !strcmp(limit->attribute, attribute))
			found = limit;
	return found && found->hard != 0 ? found : NULL;
}

/* Its value at a level. */
static double value_of(const struct world *world, const struct throttling_limit *limit, bool soft)
{
	bool raised = !strcmp(limit->index, "DEFAULT") &&
		      (limit->type == MAUI_USER || limit->type == MAUI_GROUP ||
		       limit->type == MAUI_ACCOUNT);

	if (!ON(RULE_LIMIT_SOFT))
		return soft ? fmin(limit->soft, limit->hard) : limit->hard;
	if (soft)
		return limit->soft;
	return raised ? fmax(limit->soft, limit->hard) : limit->hard;
}

/* Whether the original keeps idle usage of a credential. */
static bool has_idle_record(const struct world *world, int type, const char *name)
{
	bool of_default = type == MAUI_QOS && !strcmp(name, "DEFAULT");

	if (type == MAUI_USER || !ON(RULE_IDLE_DEFAULT))
		return true;
	for (size_t i = 0; i < world->input->limit_count; i++) {
		const struct throttling_limit *limit = &world->input->limits[i];

		if (limit->type == type && !strcmp(limit->index, name) &&
		    (!strncmp(limit->attribute, "MAXI", 4) ||
		     (of_default && !strncmp(limit->attribute, "OMAXI", 5))))
			return true;
	}
	return false;
}

/* ---- the check ----------------------------------------------------------------------------- */

static bool exceeds(const struct world *world, const struct throttling_job *job, int mode,
		    bool soft, int metric, double limit, double used, const char *whose, char *text)
{
	static const char *const modes[] = {"active", "idle", "system"};
	double request = amount(world, job, metric);

	if (!(limit > 0) || request + used <= limit)
		return false;
	snprintf(text, 160, "job %s violates %s %s MAX%s limit of %.0f for %s (R: %.0f, U: %.0f)\n",
		 job->name, modes[mode], soft ? "SOFT" : "HARD", metrics[metric], limit, whose,
		 request, used);
	return true;
}

static bool holder_exceeds(const struct world *world, const struct throttling_job *job, int mode,
			   bool soft, int type, int metric, char *text)
{
	static const char *const words[] = {"user", "group", "acct", "qos", "class"};
	const char *name = holder(job, type);
	const struct throttling_limit *limit;
	char attribute[24], whose[64];

	if (!name || (mode == IDLE && !has_idle_record(world, type, name)))
		return false;
	snprintf(attribute, sizeof(attribute), "OMAX%s%s", mode == IDLE ? "I" : "",
		 metrics[metric]);
	limit = find(world, MAUI_QOS, holder(job, MAUI_QOS), attribute);
	if (!limit)
		limit = find(world, type, name, attribute + 1);
	if (!limit && !(type == MAUI_CLASS && ON(RULE_CLASS_DEFAULT)))
		limit = find(world, type, "DEFAULT", attribute + 1);
	if (!limit)
		return false;
	if (mode == IDLE && !ON(RULE_IDLE_SOFT))
		soft = false;
	snprintf(whose, sizeof(whose), "%s %s ", words[type], name);
	return exceeds(
		world, job, mode, soft, metric, value_of(world, limit, soft),
		usage(world, mode == IDLE ? world->idle : world->active, type, name, NULL, metric),
		whose, text);
}

/* MAXJOBPERUSER and its kin, and MAXJOB[USER]. */
static bool user_in_class_exceeds(const struct world *world, const struct throttling_job *job,
				  bool soft, int metric, char *text)
{
	const char *name = job->credential[MAUI_CLASS], *user = job->credential[MAUI_USER];
	const struct throttling_limit *limit, *override;
	char attribute[24], whose[64];

	if (!name || !user)
		return false;
	snprintf(attribute, sizeof(attribute), "MAX%sPERUSER", metrics[metric]);
	limit = find(world, MAUI_CLASS, name, attribute);
	snprintf(attribute, sizeof(attribute), "MAX%s[USER]", metrics[metric]);
	if (find(world, MAUI_CLASS, name, attribute))
		limit = find(world, MAUI_CLASS, name, attribute);
	snprintf(attribute, sizeof(attribute), "OMAX%s", metrics[metric]);
	override = find(world, MAUI_QOS, holder(job, MAUI_QOS), attribute);
	if (!limit)
		return false;
	snprintf(whose, sizeof(whose), "class %s %s", name, ON(RULE_PAIR_NAME) ? "user" : user);
	return exceeds(world, job, ACTIVE, soft, metric,
		       value_of(world, override ? override : limit, soft),
		       usage(world, world->active, MAUI_CLASS, name, user, metric), whose, text);
}

static bool system_exceeds(const struct world *world, const struct throttling_job *job, char *text)
{
	const struct {
		int metric;
		double limit;
	} limits[] = {{1, world->input->system_procs},
		      {3, world->input->system_ps},
		      {5, world->input->system_walltime}};

	for (int i = 0; i < 3; i++)
		if (exceeds(world, job, SYSTEM, false, limits[i].metric, limits[i].limit, 0,
			    "par ALL ", text))
			return true;
	return false;
}

/* Whether a job exceeds a limit of a mode, and the message. */
static bool over(const struct world *world, const struct throttling_job *job, int mode, bool soft,
		 char *text)
{
	int count = ON(RULE_LIMIT_MEM) ? METRIC_MEM : METRICS;

	text[0] = '\0';
	if (mode == SYSTEM)
		return system_exceeds(world, job, text);
	for (int i = 0; i < MAUI_CREDENTIALS; i++)
		for (int metric = 0; metric < count; metric++)
			if (holder_exceeds(world, job, mode, soft, order[i], metric, text))
				return true;
	for (int metric = 0; mode == ACTIVE && metric < 3; metric++)
		if (user_in_class_exceeds(world, job, soft, metric, text))
			return true;
	return false;
}

static bool over_any(const struct world *world, const struct throttling_job *job, bool soft)
{
	char text[160];

	return over(world, job, ACTIVE, soft, text) || over(world, job, IDLE, soft, text) ||
	       over(world, job, SYSTEM, soft, text);
}

/* ---- the lists ----------------------------------------------------------------------------- */

static double priority(const struct world *world, size_t i)
{
	return fmax(1, trunc((world->input->now - world->queued[i]) / 60));
}

/* Indices by priority; ties in the order of arrival. */
static void sort(const struct world *world, size_t sorted[THROTTLING_JOBS])
{
	for (size_t i = 0; i < world->input->job_count; i++) {
		size_t j = i;

		for (; j > 0 && priority(world, sorted[j - 1]) < priority(world, i); j--)
			sorted[j] = sorted[j - 1];
		sorted[j] = i;
	}
}

static void append(char *list, size_t size, const char *name)
{
	size_t length = strlen(list);

	snprintf(list + length, size - length, "%s%s", length ? " " : "", name);
}

static void hard_list(struct world *world, const size_t *sorted, struct throttling_reading *ret)
{
	bool always = !strcmp(world->input->policy, "ALWAYS");
	bool full = !strcmp(world->input->policy, "FULLPOLICY");

	for (size_t i = 0; i < world->input->job_count; i++)
		world->active[i] = !ON(RULE_USAGE_COMPLETE) && world->input->jobs[i].running;
	for (size_t k = 0; k < world->input->job_count; k++) {
		size_t i = sorted[k];
		const struct throttling_job *job = &world->input->jobs[i];
		bool resets = false;

		if (job->running)
			world->active[i] = true;
		else if (job->held)
			resets = full;
		else if (over_any(world, job, false))
			resets = !always;
		else {
			world->idle[i] = true;
			append(ret->hardq, sizeof(ret->hardq), job->name);
		}
		if (resets)
			world->queued[i] = world->input->now;
	}
}

static void soft_list(struct world *world, const size_t *sorted, struct throttling_reading *ret)
{
	memset(world->idle, 0, sizeof(world->idle));
	for (size_t k = 0; k < world->input->job_count; k++) {
		size_t i = sorted[k];
		const struct throttling_job *job = &world->input->jobs[i];

		if (job->running || job->held || over_any(world, job, true))
			continue;
		world->idle[i] = true;
		append(ret->softq, sizeof(ret->softq), job->name);
	}
}

void throttling_read(const struct throttling_case *input, rule_mask rules,
		     struct throttling_reading *ret)
{
	struct world it = {.input = input, .rules = rules}, *world = &it;
	size_t sorted[THROTTLING_JOBS];

	*ret = (struct throttling_reading){.count = 0};
	for (size_t i = 0; i < input->job_count; i++)
		world->queued[i] = input->jobs[i].submit;
	sort(world, sorted);
	hard_list(world, sorted, ret);
	if (ON(RULE_RESORT))
		sort(world, sorted);
	soft_list(world, sorted, ret);
	for (size_t i = 0; i < input->job_count; i++) {
		const struct throttling_job *job = &input->jobs[i];
		struct throttling_answer *answer = &ret->answers[ret->count];

		if (job->running)
			continue;
		ret->count++;
		answer->job = job->name;
		answer->prio = priority(world, i);
		answer->hard = !over(world, job, ACTIVE, false, answer->hmsg);
		answer->soft = !over(world, job, ACTIVE, true, answer->smsg);
		answer->sys = !over(world, job, SYSTEM, false, answer->ymsg);
	}
}
