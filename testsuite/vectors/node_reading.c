/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/vectors/node_reading.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testsuite/vectors/lines.h"

#define ON(rule) (rules & RULE_BIT(rule))

static const char *const components[MAUI_NODE_COMPONENTS] = {
	"ADISK",    "AMEM", "APROCS", "ASWAP",    "CDISK",       "CMEM",  "CPROCS", "CSWAP",
	"JOBCOUNT", "LOAD", "PREF",   "PRIORITY", "RESAFFINITY", "SPEED", "USAGE"};

/* ---- lines --------------------------------------------------------------------------------- */

/* One ATTRIBUTE=VALUE; advances *at past it. False at the end. */
static bool next_pair(const char **at, char *pair)
{
	char quote = '\0';
	size_t size = 0;

	*at += strspn(*at, " \t");
	for (; **at && size + 1 < READING_TEXT && (quote || !strchr(" \t", **at)); ++*at) {
		if (!quote && (**at == '\'' || **at == '"'))
			quote = **at;
		else if (quote == **at)
			quote = '\0';
		else
			pair[size++] = **at;
	}
	pair[size] = '\0';
	return size;
}

const char *reading_attribute(struct json_object *cfg, const char *name, const char *attribute,
			      rule_mask rules, char *text)
{
	char head[READING_TEXT], pair[READING_TEXT];
	size_t length = strlen(attribute);
	const char *found = NULL;

	snprintf(head, sizeof(head), "NODECFG[%s]", name);
	for (size_t i = 0; i < lines_count(cfg); i++) {
		const char *at = lines_at(cfg, i);
		bool first = true;

		if (strncmp(at, head, strlen(head)) != 0)
			continue;
		for (at += strlen(head); next_pair(&at, pair); first = false) {
			if (strncmp(pair, attribute, length) != 0 || pair[length] != '=')
				continue;
			if (!first && ON(RULE_QUOTES)) /* cut at the first blank */
				pair[strcspn(pair, " \t")] = '\0';
			snprintf(text, READING_TEXT, "%s", pair + length + 1);
			found = text;
		}
	}
	return found;
}

/* ---- formulas ------------------------------------------------------------------------------ */

/* The component that a text begins with; MAUI_NODE_COMPONENTS if there is none. */
static int find_component(const char *text)
{
	int i = 0;

	while (i < MAUI_NODE_COMPONENTS && strncmp(text, components[i], strlen(components[i])) != 0)
		i++;
	return i;
}

static double read_signs(const char **at)
{
	double sign = 1;

	for (; **at && strchr(" \t+-", **at); ++*at)
		if (**at == '-')
			sign = -sign;
	return sign;
}

/* Any number of "* -2" after a component. */
static double read_trailing(const char **at)
{
	double product = 1;

	for (;;) {
		const char *factor = *at + strspn(*at, " \t");
		char *end;

		if (*factor != '*')
			return product;
		factor++;
		product *= read_signs(&factor);
		product *= strtod(factor, &end);
		*at = end;
	}
}

static void read_term(const char **at, rule_mask rules, struct reading_formula *formula)
{
	double coefficient = read_signs(at);
	bool number = isdigit((unsigned char)**at) || **at == '.';
	int component;
	char *end;

	if (!**at)
		return;
	if (number) {
		coefficient *= strtod(*at, &end);
		*at = end;
	}
	*at += strspn(*at, " \t*");
	component = find_component(*at);
	if (component < MAUI_NODE_COMPONENTS) {
		*at += strlen(components[component]);
		formula->refused = formula->refused || isalnum((unsigned char)**at);
		if (!ON(RULE_FORMULA_TRAILING))
			coefficient *= read_trailing(at);
		if (!ON(RULE_FORMULA_SUM))
			formula->coefficient[component] += coefficient;
		else if (coefficient != 0)
			formula->coefficient[component] = coefficient;
	} else if (isalpha((unsigned char)**at)) {
		formula->refused = true;
		while (isalnum((unsigned char)**at))
			++*at;
	} else if (number) {
		formula->constant += ON(RULE_FORMULA_CONSTANT) ? 0 : coefficient;
	} else if (**at) {
		formula->refused = true;
		++*at;
	}
}

void reading_formula(const char *text, rule_mask rules, struct reading_formula *ret_formula)
{
	memset(ret_formula, 0, sizeof(*ret_formula));
	while (*text)
		read_term(&text, rules, ret_formula);
	if (ON(RULE_FORMULA_REFUSED))
		ret_formula->refused = false;
}

static double affinity_value(int code, rule_mask rules)
{
	static const double values[] = {0, 1, 1, 0, -1, -1, 0};

	return ON(RULE_RESAFFINITY) ? code : values[code];
}

static double speed_of(struct json_object *cfg, const struct reading_node *node)
{
	char text[READING_TEXT];
	const char *given = reading_attribute(cfg, node->name, "SPEED", 0, text);

	return given ? fmin(strtod(given, NULL), 100) : node->speed;
}

static double procspeed_of(struct json_object *cfg, const struct reading_node *node)
{
	char text[READING_TEXT];
	const char *given = reading_attribute(cfg, node->name, "PROCSPEED", 0, text);

	return given ? strtod(given, NULL) : node->procspeed;
}

static double priority_of(struct json_object *cfg, const char *name)
{
	char text[READING_TEXT];
	const char *given = reading_attribute(cfg, name, "PRIORITY", 0, text);

	if (!given)
		given = reading_attribute(cfg, "DEFAULT", "PRIORITY", 0, text);
	return given ? strtod(given, NULL) : 0;
}

double reading_value(struct json_object *cfg, const struct reading_node *node, bool immediate,
		     rule_mask rules)
{
	double now = immediate ? 1 : 0, procspeed = procspeed_of(cfg, node);
	double usage = node->sutime > 0 ? node->satime / node->sutime : 0, value;
	double factor[MAUI_NODE_COMPONENTS] = {
		[MAUI_NODE_ADISK] = now * node->adisk,
		[MAUI_NODE_AMEM] = now * node->amem,
		[MAUI_NODE_APROCS] = now * (node->procs - node->dprocs),
		[MAUI_NODE_ASWAP] = now * node->aswap,
		[MAUI_NODE_CDISK] = node->disk,
		[MAUI_NODE_CMEM] = node->mem,
		[MAUI_NODE_CPROCS] = node->procs,
		[MAUI_NODE_CSWAP] = node->swap,
		[MAUI_NODE_JOBCOUNT] = now * node->jobcount,
		[MAUI_NODE_LOAD] = now * node->load,
		[MAUI_NODE_PREF] = node->preferred,
		[MAUI_NODE_PRIORITY] = priority_of(cfg, node->name),
		[MAUI_NODE_RESAFFINITY] = affinity_value(node->affinity, rules),
		[MAUI_NODE_SPEED] =
			procspeed > 0 && !ON(RULE_PROCSPEED) ? procspeed : speed_of(cfg, node),
		[MAUI_NODE_USAGE] = now * (ON(RULE_USAGE_PERCENT) ? usage : usage * 100),
	};
	char text[READING_TEXT];
	const char *given = reading_attribute(cfg, node->name, "PRIORITYF", rules, text);
	struct reading_formula formula;

	if (!given)
		given = reading_attribute(cfg, "DEFAULT", "PRIORITYF", rules, text);
	reading_formula(given ? given : "PRIORITY + 100*PREF + 100*RESAFFINITY", rules, &formula);
	value = formula.constant;
	for (int i = 0; i < MAUI_NODE_COMPONENTS; i++)
		value += formula.coefficient[i] * factor[i];
	return value;
}

/* ---- allocation ---------------------------------------------------------------------------- */

struct attempt {
	const struct reading_request *request;
	rule_mask rules;
	const char *policy;
	bool used[READING_NODES];
	int node[READING_NODES], tasks[READING_NODES]; /* chosen; from earlier attempts, too */
	int count, total;
};

static bool done(const struct attempt *attempt)
{
	return attempt->total >= attempt->request->tasks &&
	       (!attempt->request->nodes || attempt->count >= attempt->request->nodes);
}

static int usable(const struct attempt *attempt, int node)
{
	const struct reading_request *request = attempt->request;
	int tasks = request->node[node].tasks;

	if (attempt->used[node] || tasks < request->tpn)
		return 0;
	return tasks < request->tasks ? tasks : request->tasks;
}

static void take(struct attempt *attempt, int node)
{
	int tasks = usable(attempt, node);

	if (!strcmp(attempt->policy, "MINRESOURCE") && attempt->request->tpn > 0)
		tasks -= tasks % attempt->request->tpn;
	attempt->used[node] = true;
	attempt->node[attempt->count] = node;
	attempt->tasks[attempt->count++] = tasks;
	attempt->total += tasks;
}

static double idle(const struct reading_node *node)
{
	return node->procs - fmax(node->dprocs, node->load);
}

static bool same_speeds(const struct reading_request *request)
{
	for (int i = 1; i < request->count; i++)
		if (speed_of(request->cfg, &request->node[i]) !=
		    speed_of(request->cfg, &request->node[0]))
			return false;
	return true;
}

static double balance_speed(const struct reading_request *request, int node)
{
	return same_speeds(request) ? procspeed_of(request->cfg, &request->node[node])
				    : speed_of(request->cfg, &request->node[node]);
}

static double memory_class(double memory, rule_mask rules)
{
	double most = 64;

	while (memory > most && !(most >= 8192 && ON(RULE_MEMORY_CLASSES)))
		most *= 2;
	return most;
}

/* Whether the candidates with speeds from..to are enough for what is still wanted. */
static bool enough(const struct attempt *attempt, const int *candidates, int count, double from,
		   double to)
{
	const struct reading_request *request = attempt->request;
	int tasks = attempt->total, nodes = attempt->count;

	for (int i = 0; i < count; i++) {
		double speed = balance_speed(request, candidates[i]);

		if (speed < from || speed > to)
			continue;
		tasks += usable(attempt, candidates[i]);
		nodes++;
	}
	return tasks >= request->tasks && (!request->nodes || nodes >= request->nodes);
}

/* The window of speeds: tries all pairs. */
static void find_window(const struct attempt *attempt, const int *candidates, int count,
			double *from, double *to)
{
	double span = INFINITY;

	*from = -INFINITY;
	*to = INFINITY;
	for (int i = 0; i < count; i++) {
		for (int j = 0; j < count; j++) {
			double low = balance_speed(attempt->request, candidates[i]);
			double high = balance_speed(attempt->request, candidates[j]);

			if (low > high || !enough(attempt, candidates, count, low, high))
				continue;
			if (high - low > span || (high - low == span && high < *to))
				continue;
			span = high - low;
			*from = low;
			*to = high;
		}
	}
}

/* What puts one candidate before another: smaller keys, in this order. */
#define KEYS 3
struct keyed {
	int node;
	double key[KEYS];
};

static void key_node(const struct attempt *attempt, struct keyed *keyed)
{
	const struct reading_request *request = attempt->request;
	const struct reading_node *node = &request->node[keyed->node];
	const char *policy = attempt->policy;
	rule_mask rules = attempt->rules;
	double *key = keyed->key;

	if (!strcmp(policy, "PRIORITY")) {
		key[0] = -reading_value(request->cfg, node, request->immediate, rules);
	} else if (!strcmp(policy, "FASTEST")) {
		key[0] = -balance_speed(request, keyed->node);
	} else if (!strcmp(policy, "MINRESOURCE")) {
		key[0] = memory_class(node->mem, rules);
		key[1] = ON(RULE_MINRESOURCE) ? 0 : node->procs;
		key[2] = ON(RULE_MINRESOURCE) ? 0 : node->disk;
	} else if (!strcmp(policy, "MAXBALANCE")) {
		key[0] = ON(RULE_MAXBALANCE) ? procspeed_of(request->cfg, node)
					     : -balance_speed(request, keyed->node);
	}
}

static bool comes_before(const struct keyed *a, const struct keyed *b)
{
	for (int i = 0; i < KEYS; i++)
		if (a->key[i] != b->key[i])
			return a->key[i] < b->key[i];
	return false;
}

static void sort(struct keyed *keyed, int count)
{
	for (int i = 1; i < count; i++) {
		struct keyed moved = keyed[i];
		int at = i;

		for (; at && comes_before(&moved, &keyed[at - 1]); at--)
			keyed[at] = keyed[at - 1];
		keyed[at] = moved;
	}
}

/* From the candidates those of the most idle tier; as many tiers as there are, or one. */
static void take_tiers(struct attempt *attempt, const int *candidates, int count)
{
	const struct reading_node *nodes = attempt->request->node;
	rule_mask rules = attempt->rules;
	bool any = true;

	for (int tier = 0; any && !(tier && ON(RULE_CPULOAD_TIERS)); tier++) {
		double most = ON(RULE_CPULOAD_TIERS) ? 0 : -INFINITY;

		any = false;
		for (int i = 0; i < count; i++)
			if (!attempt->used[candidates[i]])
				most = fmax(most, idle(&nodes[candidates[i]]));
		if (ON(RULE_CPULOAD_TIERS) && most <= 0)
			return;
		for (int i = count - 1; i >= 0 && !done(attempt); i--) {
			if (attempt->used[candidates[i]] ||
			    idle(&nodes[candidates[i]]) < most - 0.1)
				continue;
			take(attempt, candidates[i]);
			any = true;
		}
	}
}

static void take_pass(struct attempt *attempt, const int *candidates, int count)
{
	static const char *const reversed[] = {"LASTAVAILABLE", "MINRESOURCE"};
	bool reverse =
		!strcmp(attempt->policy, reversed[0]) || !strcmp(attempt->policy, reversed[1]);
	bool balance = !strcmp(attempt->policy, "MAXBALANCE");
	struct keyed keyed[READING_NODES] = {{0}};
	double from = -INFINITY, to = INFINITY;
	rule_mask rules = attempt->rules;

	if (!strcmp(attempt->policy, "CPULOAD")) {
		take_tiers(attempt, candidates, count);
		return;
	}
	if (balance && !ON(RULE_MAXBALANCE))
		find_window(attempt, candidates, count, &from, &to);
	for (int i = 0; i < count; i++) {
		keyed[i].node = candidates[reverse ? count - 1 - i : i];
		key_node(attempt, &keyed[i]);
	}
	sort(keyed, count);
	for (int i = 0; i < count; i++) {
		double speed = balance ? balance_speed(attempt->request, keyed[i].node) : 0;

		if (balance && ON(RULE_MAXBALANCE) ? attempt->total >= attempt->request->tasks
						   : done(attempt))
			break;
		if (speed >= from && speed <= to)
			take(attempt, keyed[i].node);
	}
}

static void try_once(struct attempt *attempt)
{
	static const int order[] = {1, 2, 3, 6, 4, 5};
	const struct reading_request *request = attempt->request;
	rule_mask rules = attempt->rules;
	bool inverted = !strcmp(attempt->policy, "FIRSTAVAILABLE") && ON(RULE_FIRSTAVAILABLE);

	attempt->count = attempt->total = 0;
	for (size_t pass = 0; pass < 6 && !done(attempt); pass++) {
		int candidates[READING_NODES], count = 0;

		for (int i = 0; i < request->count; i++)
			if ((request->node[i].affinity == order[pass]) != inverted &&
			    usable(attempt, i))
				candidates[count++] = i;
		take_pass(attempt, candidates, count);
	}
}

void reading_allocate(const struct reading_request *request, rule_mask rules,
		      struct reading_answer *ret_answer)
{
	struct attempt attempt = {.request = request, .rules = rules, .policy = request->policy};
	int tasks = 0, shown = 0;
	size_t used = 0;

	*ret_answer = (struct reading_answer){false, ""};
	for (int i = 0; i < request->count; i++)
		tasks += request->node[i].tasks;
	if (tasks < request->tasks || request->count < request->nodes)
		return;
	if (!strcmp(attempt.policy, "CPULOAD") && !request->immediate)
		attempt.policy = "MINRESOURCE";
	try_once(&attempt);
	shown = attempt.count;
	if (!done(&attempt) && ON(RULE_CPULOAD_TIERS)) { /* what is marked stays marked */
		try_once(&attempt);
		shown = attempt.count > shown || done(&attempt) ? attempt.count : shown;
	}
	ret_answer->ok = done(&attempt);
	if (!ret_answer->ok && !ON(RULE_CPULOAD_TIERS))
		return;
	for (int i = 0; i < shown && used < READING_TEXT; i++)
		used += (size_t)snprintf(ret_answer->text + used, READING_TEXT - used, "%s%s:%d",
					 i ? " " : "", request->node[attempt.node[i]].name,
					 attempt.tasks[i]);
}
