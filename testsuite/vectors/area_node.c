/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The areas node_alloc, node_priority and priorityf_parse: which nodes, and why. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/nodes/nodealloc.h"
#include "testsuite/vectors/lines.h"
#include "testsuite/vectors/node_reading.h"
#include "testsuite/vectors/node_taking.h"

/* Both readings of a number, and the rules that make them differ. */
static struct readings both(double (*read)(const void *input, rule_mask rules), const void *input)
{
	struct readings ret = {.original = read(input, ALL_RULES), .documented = read(input, 0)};
	uint64_t from = 0, to = 0;

	if (check_same(ret.original, ret.documented, 0))
		return ret;
	/*
	 * The rules that change both readings; or else the original's; or else the documented one.
	 */
	for (enum rule rule = 0; rule < RULES; rule++) {
		if (read(input, ALL_RULES & ~RULE_BIT(rule)) != ret.original)
			from |= RULE_BIT(rule);
		if (read(input, RULE_BIT(rule)) != ret.documented)
			to |= RULE_BIT(rule);
	}
	ret.rules = from & to ? from & to : from ? from : to;
	return ret;
}

/* ---- priorityf_parse ----------------------------------------------------------------------- */

struct coefficient {
	const char *text;
	int component;
};

static double read_coefficient(const void *input, rule_mask rules)
{
	const struct coefficient *coefficient = input;
	struct reading_formula formula;

	reading_formula(coefficient->text, rules, &formula);
	return formula.coefficient[coefficient->component];
}

static void check_coefficient(struct check *check, const struct coefficient *coefficient,
			      double expected, const struct maui_node_formula *ours)
{
	const char *name = maui_node_component_name(coefficient->component);
	struct readings readings = both(read_coefficient, coefficient);

	if (ours)
		check_readings(check, name, expected, ours->coefficient[coefficient->component],
			       &readings);
	else /* the formula is refused: there is nothing to compare with the original's */
		check_left_out(check, name, expected, readings.original, RULE_FORMULA_REFUSED);
}

void check_priorityf_parse(struct check *check, struct json_object *object)
{
	static const char *const known[] = {"in", "coef", NULL};
	const char *text = member_text(object, "in");
	struct json_object *expect = member(object, "coef");
	struct maui_node_formula ours;
	struct reading_formula documented;
	bool refused;

	check_members(check, object, known);
	if (!text || !expect) {
		check_fail(check, "in", "no formula, or no coefficients");
		return;
	}
	json_object_object_foreach(expect, name, value)
	{
		int component = 0;

		(void)value;
		while (component < MAUI_NODE_COMPONENTS &&
		       strcmp(maui_node_component_name(component), name) != 0)
			component++;
		if (component == MAUI_NODE_COMPONENTS)
			check_unknown(check, name);
	}
	refused = maui_node_formula_parse(text, NULL, &ours, NULL, NULL) != 0;
	reading_formula(text, 0, &documented);
	if (refused != documented.refused)
		check_fail(check, "in", "%s", refused ? "refused" : "not refused");
	for (int component = 0; component < MAUI_NODE_COMPONENTS; component++) {
		struct coefficient coefficient = {text, component};
		const char *field = maui_node_component_name(component);

		if (!refused || member(expect, field))
			check_coefficient(check, &coefficient, member_number(expect, field, 0),
					  refused ? NULL : &ours);
	}
}

/* ---- nodes --------------------------------------------------------------------------------- */

static void read_node(struct check *check, struct json_object *object, struct reading_node *node)
{
	static const char *const known[] = {
		"adisk", "amem", "aswap",     "disk",   "dprocs", "jobcount", "load", "mem", "name",
		"procs", "slot", "procspeed", "satime", "speed",  "sutime",   "swap", NULL};

	check_members(check, object, known);
	*node = (struct reading_node){
		.name = member_text(object, "name"),
		.procs = member_number(object, "procs", 0),
		.dprocs = member_number(object, "dprocs", 0),
		.mem = member_number(object, "mem", 0),
		.disk = member_number(object, "disk", 0),
		.swap = member_number(object, "swap", 0),
		.adisk = member_number(object, "adisk", 0),
		.amem = member_number(object, "amem", member_number(object, "mem", 0)),
		.aswap = member_number(object, "aswap", 0),
		.load = member_number(object, "load", 0),
		.jobcount = member_number(object, "jobcount", 0),
		.speed = member_number(object, "speed", 1),
		.procspeed = member_number(object, "procspeed", 0),
		.satime = member_number(object, "satime", 0),
		.sutime = member_number(object, "sutime", 0),
		.affinity = 6,
	};
	if (!node->name) {
		check_fail(check, "name", "a node has none");
		node->name = "";
	}
}

static bool find_node(struct check *check, struct json_object *object, const char *name,
		      struct reading_node *ret_node)
{
	struct json_object *nodes = member(object, "nodes");

	for (size_t i = 0; i < lines_count(nodes); i++) {
		read_node(check, json_object_array_get_idx(nodes, i), ret_node);
		if (!strcmp(ret_node->name, name))
			return true;
	}
	check_fail(check, "nodes", "there is no node %s", name);
	return false;
}

/* The original's codes for affinities, as ours. */
static enum maui_affinity affinity_of(int code)
{
	static const enum maui_affinity affinities[] = {
		MAUI_AFFINITY_NONE,    MAUI_AFFINITY_REQUIRED, MAUI_AFFINITY_POSITIVE,
		MAUI_AFFINITY_NEUTRAL, MAUI_AFFINITY_NEGATIVE, MAUI_AFFINITY_PREEMPTIBLE,
		MAUI_AFFINITY_NONE};

	return affinities[code];
}

/* The core's view of a node. The resource manager's speeds apply if no line gives others. */
static void make_candidate(const struct reading_node *node, struct json_object *cfg,
			   const struct maui_node_policy *policy,
			   struct maui_node_settings *settings,
			   struct maui_node_candidate *ret_candidate)
{
	char text[READING_TEXT];

	*settings = *maui_node_settings(policy, node->name);
	if (!reading_attribute(cfg, node->name, "SPEED", 0, text))
		settings->speed = node->speed;
	if (!reading_attribute(cfg, node->name, "PROCSPEED", 0, text))
		settings->procspeed = node->procspeed;
	*ret_candidate = (struct maui_node_candidate){
		.settings = settings,
		.name = node->name,
		.affinity = affinity_of(node->affinity),
		.tasks = (uint32_t)node->tasks,
		.preferred = node->preferred,
		.available_until = MAUI_NODE_FOREVER,
		.procs = node->procs,
		.memory = node->mem,
		.disk = node->disk,
		.swap = node->swap,
		.dedicated_procs = node->dprocs,
		.available_memory = node->amem,
		.available_disk = node->adisk,
		.available_swap = node->aswap,
		.load = node->load,
		.jobs = node->jobcount,
		.usage = node->sutime > 0 ? node->satime / node->sutime * 100 : 0,
	};
}

/* NULL, with a failure, if the lines cannot be read. */
static struct maui_node_policy *compile(struct check *check, struct json_object *cfg)
{
	struct maui_node_policy *policy = NULL;
	struct maui_config *config = NULL;
	struct maui_error error = {""};
	char *text = lines_join(cfg);

	if (!text || maui_config_parse("maui.cfg", text, strlen(text), NULL, &config, &error))
		check_fail(check, "cfg", "%s", error.text);
	else
		policy = maui_node_policy_compile(config);
	if (policy && maui_config_errors(config))
		check_fail(check, "cfg", "has errors");
	maui_config_unref(config);
	free(text);
	return policy;
}

/* ---- node_priority ------------------------------------------------------------------------- */

struct query {
	struct json_object *cfg;
	struct reading_node node;
	bool immediate;
};

static double read_query(const void *input, rule_mask rules)
{
	const struct query *query = input;

	return reading_value(query->cfg, &query->node, query->immediate, rules);
}

static void check_query(struct check *check, const struct maui_node_policy *policy,
			const struct query *query, double expected)
{
	struct readings readings = both(read_query, query);
	struct maui_node_settings settings;
	struct maui_node_candidate candidate;
	struct maui_node_terms terms;
	char field[80];
	double sum;

	make_candidate(&query->node, query->cfg, policy, &settings, &candidate);
	maui_node_explain(&candidate, query->immediate, &terms);
	snprintf(field, sizeof(field), "%s.value", query->node.name);
	check_readings(check, field, expected, maui_node_value(&candidate, query->immediate),
		       &readings);
	sum = terms.constant;
	for (uint32_t i = 0; i < terms.count; i++)
		sum += terms.terms[i].product;
	if (!check_same(sum, readings.documented, 0) || terms.value != sum)
		check_fail(check, field, "the terms add up to %.17g, not %.17g", sum,
			   readings.documented);
}

void check_node_priority(struct check *check, struct json_object *object)
{
	static const char *const known[] = {"aff_codes", "cfg", "expect",  "id", "nodes",
					    "now",       "rc",  "queries", NULL};
	static const char *const query_members[] = {"aff", "name", "pref", "start", NULL};
	static const char *const answer_members[] = {"node", "value", NULL};
	struct json_object *queries = member(object, "queries"),
			   *answers = member(object, "expect");
	struct query query = {.cfg = member(object, "cfg")};
	struct maui_node_policy *policy = compile(check, query.cfg);
	size_t count = lines_count(queries);

	check_members(check, object, known);
	check_number(check, "rc", member_number(object, "rc", -1), 0);
	if (!count || lines_count(answers) != count)
		check_fail(check, "expect", "not one for each query");
	for (size_t i = 0; policy && i < count && i < lines_count(answers); i++) {
		struct json_object *asked = json_object_array_get_idx(queries, i);
		struct json_object *answer = json_object_array_get_idx(answers, i);
		int code = (int)member_number(asked, "aff", 0);

		check_members(check, asked, query_members);
		check_members(check, answer, answer_members);
		check_text(check, "node", member_text(answer, "node"), member_text(asked, "name"));
		if (code < 1 || code > 6 || !member_text(asked, "name")) {
			check_fail(check, "aff", "no affinity, or no name");
			continue;
		}
		if (!find_node(check, object, member_text(asked, "name"), &query.node))
			continue;
		query.node.affinity = code;
		query.node.preferred = member_number(asked, "pref", 0) != 0;
		query.immediate =
			member_number(asked, "start", 0) <= member_number(object, "now", 0);
		check_query(check, policy, &query, member_number(answer, "value", -1));
	}
	maui_node_policy_free(policy);
}

/* ---- node_alloc ---------------------------------------------------------------------------- */

/* "n0:2,n1:7": the nodes that can run the job, and how many tasks. */
static bool read_feasible(struct check *check, struct json_object *object,
			  struct reading_request *request)
{
	const char *at = member_text(object, "feasible");

	for (; at && *at; at += *at == ',') {
		char name[64];
		size_t size = strcspn(at, ":,");
		struct reading_node *node = &request->node[request->count];
		char *end;

		if (request->count == READING_NODES || size >= sizeof(name) || at[size] != ':')
			return false;
		snprintf(name, sizeof(name), "%.*s", (int)size, at);
		if (!find_node(check, object, name, node))
			return false;
		node->tasks = (int)strtol(at + size + 1, &end, 10);
		request->count++;
		at = end;
	}
	return request->count > 0;
}

/* "n1:+": a reservation's mark. */
static bool read_affinities(struct json_object *object, struct reading_request *request)
{
	static const char marks[] = "?r+=-p";
	struct json_object *list = member(object, "affinity");

	for (size_t i = 0; i < lines_count(list); i++) {
		const char *text = lines_at(list, i);
		size_t size = strcspn(text, ":");
		const char *mark = text[size] ? strchr(marks, text[size + 1]) : NULL;

		if (!mark || !*mark || mark == marks)
			return false;
		for (int n = 0; n < request->count; n++)
			if (strlen(request->node[n].name) == size &&
			    !strncmp(request->node[n].name, text, size))
				request->node[n].affinity = (int)(mark - marks);
	}
	return true;
}

static bool read_request(struct check *check, struct json_object *object,
			 struct reading_request *request)
{
	static const char *const known[] = {"affinity", "cfg", "expect", "feasible", "id",    "job",
					    "nodes",    "now", "policy", "rc",       "start", NULL};
	static const char *const job_members[] = {"group", "name", "nodes", "tasks",
						  "tpn",   "user", NULL};
	struct json_object *job = member(object, "job");

	check_members(check, object, known);
	check_members(check, job, job_members);
	check_number(check, "rc", member_number(object, "rc", -1), 0);
	request->cfg = member(object, "cfg");
	request->policy = member_text(object, "policy");
	request->immediate = member_number(object, "start", 0) <= member_number(object, "now", 0);
	request->tasks = (int)member_number(job, "tasks", 0);
	request->nodes = (int)member_number(job, "nodes", 0);
	request->tpn = (int)member_number(job, "tpn", 0);
	return request->policy && request->tasks > 0 && read_feasible(check, object, request) &&
	       read_affinities(object, request);
}

static void core_allocate(const struct reading_request *request,
			  const struct maui_node_policy *policy, struct reading_answer *ret_answer)
{
	struct maui_node_settings settings[READING_NODES];
	struct maui_node_candidate candidates[READING_NODES];
	struct node_taken nodes[NODE_TAKING_MOST];
	struct maui_nodealloc_need need = {.tasks = (uint32_t)request->tasks,
					   .nodes = (uint32_t)request->nodes,
					   .tasks_per_node = (uint32_t)request->tpn,
					   .immediate = request->immediate};
	struct maui_nodealloc_workspace *workspace =
		maui_nodealloc_workspace_new(READING_NODES, false);
	uint32_t count;
	size_t used = 0;

	for (int i = 0; i < request->count; i++) {
		make_candidate(&request->node[i], request->cfg, policy, &settings[i],
			       &candidates[i]);
		candidates[i].position = (uint32_t)i;
	}
	count = node_take(maui_nodealloc_policy_find(request->policy), &need, candidates,
			  (uint32_t)request->count, workspace, nodes);
	*ret_answer = (struct reading_answer){count > 0, ""};
	for (uint32_t i = 0; i < count && used < READING_TEXT; i++)
		used += (size_t)snprintf(ret_answer->text + used, READING_TEXT - used, "%s%s:%u",
					 i ? " " : "", candidates[nodes[i].candidate].name,
					 nodes[i].tasks);
	maui_nodealloc_workspace_free(workspace);
}

/* [["n3", 4], ...] as "n3:4 ..." */
static void expected_text(struct json_object *list, char text[READING_TEXT])
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < lines_count(list) && used < READING_TEXT; i++) {
		struct json_object *pair = json_object_array_get_idx(list, i);

		if (lines_count(pair) == 2)
			used += (size_t)snprintf(
				text + used, READING_TEXT - used, "%s%s:%d", i ? " " : "",
				json_object_get_string(json_object_array_get_idx(pair, 0)),
				json_object_get_int(json_object_array_get_idx(pair, 1)));
	}
}

static bool same_answer(const struct reading_answer *a, const struct reading_answer *b)
{
	return a->ok == b->ok && !strcmp(a->text, b->text);
}

/*
 * The rules that make the readings differ: each that changes only the original's, or else each that
 * changes only the documented one.
 */
static uint64_t blame(const struct reading_request *request, const struct reading_answer *original,
		      const struct reading_answer *documented)
{
	struct reading_answer answer;
	rule_mask rules = 0;

	if (same_answer(original, documented))
		return 0;
	for (enum rule rule = 0; rule < RULES; rule++) {
		reading_allocate(request, ALL_RULES & ~RULE_BIT(rule), &answer);
		if (!same_answer(&answer, original))
			rules |= RULE_BIT(rule);
	}
	for (enum rule rule = 0; !rules && rule < RULES; rule++) {
		reading_allocate(request, RULE_BIT(rule), &answer);
		if (!same_answer(&answer, documented))
			rules |= RULE_BIT(rule);
	}
	return rules;
}

void check_node_alloc(struct check *check, struct json_object *object)
{
	static const char *const known[] = {"alloc", "policy", "rc", NULL};
	struct reading_request request = {0};
	struct reading_answer original, documented, ours;
	struct json_object *expect = member(object, "expect");
	struct maui_node_policy *policy;
	char expected[READING_TEXT];
	struct readings rc;

	check_members(check, expect, known);
	if (!read_request(check, object, &request)) {
		check_fail(check, "job", "no policy, tasks, or feasible nodes");
		return;
	}
	policy = compile(check, request.cfg);
	if (!policy)
		return;
	reading_allocate(&request, ALL_RULES, &original);
	reading_allocate(&request, 0, &documented);
	core_allocate(&request, policy, &ours);
	rc = (struct readings){original.ok, documented.ok, 0, 0};
	if (original.ok != documented.ok)
		rc.rules = blame(&request, &original, &documented);
	check_readings(check, "expect.rc", member_number(expect, "rc", -1), ours.ok, &rc);
	check_text(check, "expect.policy", member_text(expect, "policy"),
		   maui_nodealloc_policy_name(maui_nodealloc_policy_find(request.policy)));
	expected_text(member(expect, "alloc"), expected);
	check_text_rules(check, "expect.alloc", expected, ours.text,
			 &(struct text_readings){original.text, documented.text,
						 blame(&request, &original, &documented)});
	maui_node_policy_free(policy);
}
