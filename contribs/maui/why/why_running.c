/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job that has its nodes: why these. */
#include "contribs/maui/why/why.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/report/json.h"
#include "contribs/maui/lib/output.h"

static void terms_text(struct json_object *node, char *text, size_t size)
{
	struct json_object *terms = member_array(node, "terms");
	double constant = member_number(node, "constant");

	*text = '\0';
	for (size_t i = 0; i < array_size(terms); i++) {
		struct json_object *term = json_object_array_get_idx(terms, i);

		why_append(text, size, "%s%.10g*%s(%.10g)", i ? " + " : "",
			   member_number(term, "coefficient"), member_text(term, "component"),
			   member_number(term, "factor"));
	}
	if (constant != 0 || !array_size(terms))
		why_append(text, size, "%s%.10g", array_size(terms) ? " + " : "", constant);
}

static void add_node(struct why *why, struct json_object *node)
{
	static const char *const members[] = {"name",     "rank",  "value",   "preferred",
					      "required", "terms", "constant"};
	bool by_formula = !strcmp(member_text(why->order, "policy"), "PRIORITY");
	struct json_object *facts = json_make_object();
	char terms[500], value[600] = "";

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		json_set_same(facts, node, members[i]);
	terms_text(node, terms, sizeof(terms));
	if (by_formula)
		snprintf(value, sizeof(value), ", PRIORITYF %.10g = %s",
			 member_number(node, "value"), terms);
	why_add(why, WHY_PLACE, "node", facts,
		"node %s: of rank %" PRId64 " if it started now%s%s%s", member_text(node, "name"),
		member_integer(node, "rank"),
		member_flag(node, "required") ? ", named by --nodelist" : "",
		member_flag(node, "preferred") ? ", with a feature that it prefers" : "", value);
}

static void add_order(struct why *why)
{
	struct json_object *nodes = member_array(why->order, "nodes");
	struct json_object *facts = json_make_object();

	json_set_same(facts, why->order, "policy");
	json_set_same(facts, why->order, "policy_asked");
	json_set_same(facts, why->order, "policy_by_job");
	why_add(why, WHY_PLACE, "policy", facts, "node allocation policy %s, of %s",
		member_text(why->order, "policy"),
		member_flag(why->order, "policy_by_job") ? "the job's comment"
							 : "NODEALLOCATIONPOLICY");
	for (size_t i = 0; i < array_size(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);

		if (member_flag(node, "allocated"))
			add_node(why, node);
	}
}

static bool any_in(struct json_object *job, struct json_object *set)
{
	struct json_object *allocated = member_array(job, "allocated");

	for (size_t i = 0; i < array_size(allocated); i++)
		if (why_in_set(set, member_text(json_object_array_get_idx(allocated, i), "node")))
			return true;
	return false;
}

static void add_reservation(struct why *why, struct json_object *entry)
{
	struct json_object *set = why_node_set(member_text(entry, "nodes")), *facts;

	if (member_flag(entry, "meets") && member_flag(entry, "admitted") &&
	    any_in(why->job, set)) {
		facts = json_make_object();
		why_fact_text(facts, "reservation", member_text(entry, "name"));
		json_set_same(facts, entry, "affinity");
		why_fact_text(facts, "entry", member_text(entry, "text"));
		why_add(why, WHY_PLACE, "reservation", facts, "reservation %s lets it in: %s",
			member_text(entry, "name"), member_text(entry, "text"));
	}
	json_object_put(set);
}

void why_running(struct why *why)
{
	struct json_object *entries = member_array(why->admission, "reservations");
	const char *asks = why->asks;
	char start[TEXT_DATE_SIZE], end[TEXT_DATE_SIZE];
	int64_t until = member_integer(why->job, "end");
	struct json_object *facts;

	snprintf(why->summary, sizeof(why->summary), "job %s runs on %s since %s",
		 member_text(why->job, "id"), member_text(why->job, "node_list"),
		 why_time(member_integer(why->job, "start"), start));
	if (!strcmp(member_text(why->job, "state"), "SUSPENDED"))
		why_append(why->summary, sizeof(why->summary), ", and is suspended");
	if (why->order)
		add_order(why);
	for (size_t i = 0; i < array_size(entries); i++)
		add_reservation(why, json_object_array_get_idx(entries, i));
	if (*asks)
		why_add(why, WHY_PLACE, "reservation", NULL, "it asked for reservation %s", asks);
	facts = json_make_object();
	why_fact_time(facts, "time", until);
	if (until > 0)
		why_add(why, WHY_WHEN, "end", facts, "it ends by %s", why_time(until, end));
	else
		why_add(why, WHY_WHEN, "end", facts,
			"when it ends is not known: it has no time limit");
}
