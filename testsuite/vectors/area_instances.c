/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The area sr_instances: standing reservations at the start and after the roll, with their nodes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/policy/reservation/sr_place.h"
#include "common/policy/reservation/sr_plan.h"
#include "testsuite/vectors/instance_reading.h"
#include "testsuite/vectors/lines.h"
#include "testsuite/vectors/reservation_case.h"

/* ---- by the core --------------------------------------------------------------------------- */

struct kept {
	struct maui_sr_existing existing;
	struct maui_sr_placement placement;
};

struct core {
	struct reservation_core reservations;
	const struct instance_case *input;
	const struct maui_sr *list;
	size_t size;
	struct maui_node_names *names;
	struct maui_sr_node nodes[INSTANCE_NODES];
	const char *features[INSTANCE_NODES][16];
	char texts[INSTANCE_NODES][256];
	uint32_t rank[INSTANCE_NODES];
	struct kept kept[INSTANCE_MAX];
	size_t kept_count;
};

static void make_nodes(struct core *core)
{
	const char *names[INSTANCE_NODES];

	for (size_t i = 0; i < core->input->node_count; i++) {
		const struct instance_node *node = &core->input->nodes[i];
		char *rest, *word;

		names[i] = node->name;
		core->nodes[i] = (struct maui_sr_node){.up = true,
						       .procs = (int64_t)node->procs,
						       .memory = (int64_t)node->mem,
						       .features = core->features[i]};
		snprintf(core->texts[i], sizeof(core->texts[i]), "%s", node->features);
		for (word = strtok_r(core->texts[i], ",", &rest);
		     word && core->nodes[i].feature_count < 16; word = strtok_r(NULL, ",", &rest))
			core->features[i][core->nodes[i].feature_count++] = word;
	}
	core->names = maui_node_names_new(names, (uint32_t)core->input->node_count);
}

/* The policy's order of all nodes: there are no jobs. */
static bool make_rank(struct core *core)
{
	struct maui_node_candidate candidates[INSTANCE_NODES];
	const struct maui_nodealloc_need need = {.tasks = 1};
	uint32_t count = (uint32_t)core->input->node_count;
	struct maui_nodealloc_workspace *workspace = maui_nodealloc_workspace_new(count, false);
	int rc;

	for (uint32_t i = 0; i < count; i++)
		candidates[i] = (struct maui_node_candidate){.affinity = MAUI_AFFINITY_NONE,
							     .position = i,
							     .tasks = 1,
							     .available_until = MAUI_NODE_FOREVER,
							     .procs = core->input->nodes[i].procs,
							     .memory = core->input->nodes[i].mem};
	rc = workspace ? maui_nodealloc_rank(
				 maui_nodealloc_policy_of(core->reservations.config, NULL), &need,
				 candidates, count, workspace, core->rank, NULL, NULL)
		       : -1;
	maui_nodealloc_workspace_free(workspace);
	return !rc;
}

static int compare_holds(const void *left, const void *right)
{
	const struct maui_sr_hold *a = left, *b = right;

	return a->node < b->node ? -1 : a->node > b->node;
}

/* What all instances hold, by node. */
static size_t make_holds(const struct core *core, struct maui_sr_hold *holds)
{
	size_t count = 0;

	for (size_t i = 0; i < core->kept_count; i++) {
		const struct kept *kept = &core->kept[i];
		int64_t memory = core->list[kept->existing.sr].task.memory;

		for (size_t s = 0; s < kept->placement.count; s++) {
			const struct maui_sr_share *share = &kept->placement.shares[s];

			holds[count++] = (struct maui_sr_hold){.node = share->node,
							       .sr = kept->existing.sr,
							       .start = kept->existing.start,
							       .end = kept->existing.end,
							       .procs = share->procs,
							       .memory = memory * share->tasks};
		}
	}
	if (count)
		qsort(holds, count, sizeof(*holds), compare_holds);
	return count;
}

static void place(struct core *core, const struct maui_sr_step *step,
		  const struct maui_sr_placement *former, struct maui_sr_placement *ret)
{
	static struct maui_sr_hold holds[INSTANCE_MAX * INSTANCE_NODES];
	const struct maui_sr *sr = &core->list[step->sr];
	bool listed[INSTANCE_NODES];
	struct maui_sr_request request = {.sr = sr,
					  .sr_index = step->sr,
					  .rank = core->rank,
					  .from = step->window.from,
					  .end = step->window.end,
					  .former = former ? former->shares : NULL,
					  .former_count = former ? former->count : 0};

	if (sr->hosts) {
		maui_sr_hosts_match(sr->hosts, core->names, listed, NULL);
		request.listed = listed;
	}
	maui_sr_place(&request, core->nodes, (uint32_t)core->input->node_count, holds,
		      make_holds(core, holds), ret);
}

/* What is no longer in the plan goes; the rest keeps its place in the list. */
static void drop(struct core *core, const struct maui_sr_plan *plan)
{
	bool goes[INSTANCE_MAX] = {false};
	size_t count = 0;

	for (size_t i = 0; i < plan->count; i++)
		if (plan->steps[i].action == MAUI_SR_DELETE)
			goes[plan->steps[i].existing] = true;
	for (size_t i = 0; i < core->kept_count; i++)
		if (goes[i])
			maui_sr_placement_clear(&core->kept[i].placement);
		else
			core->kept[count++] = core->kept[i];
	core->kept_count = count;
}

static struct kept *find_kept(struct core *core, const struct maui_sr_step *step)
{
	for (size_t i = 0; i < core->kept_count; i++)
		if (core->kept[i].existing.sr == step->sr &&
		    core->kept[i].existing.date == step->window.date)
			return &core->kept[i];
	return NULL;
}

static bool carry_out(struct core *core, const struct maui_sr_step *step)
{
	struct kept *kept = find_kept(core, step);
	struct maui_sr_placement placement;

	place(core, step, kept ? &kept->placement : NULL, &placement);
	if (kept) {
		maui_sr_placement_clear(&kept->placement);
		kept->placement = placement;
	} else if (placement.tasks && core->kept_count < INSTANCE_MAX) {
		core->kept[core->kept_count++] = (struct kept){{.sr = step->sr,
								.date = step->window.date,
								.start = step->window.from,
								.end = step->window.end},
							       placement};
	} else
		maui_sr_placement_clear(&placement);
	return true;
}

static bool roll(struct core *core, int64_t now)
{
	static struct maui_sr_existing existing[INSTANCE_MAX];
	struct maui_sr_plan plan;
	bool ok = true;

	for (size_t i = 0; i < core->kept_count; i++)
		existing[i] = core->kept[i].existing;
	maui_sr_plan_make(core->list, core->size, existing, core->kept_count, now, &plan);
	drop(core, &plan);
	for (size_t i = 0; ok && i < plan.count; i++)
		if (plan.steps[i].action != MAUI_SR_DELETE)
			ok = carry_out(core, &plan.steps[i]);
	maui_sr_plan_clear(&plan);
	return ok;
}

static void report(const struct core *core, struct step_reading *ret)
{
	char flags[232];

	ret->count = core->kept_count;
	for (size_t i = 0; i < core->kept_count; i++) {
		const struct kept *kept = &core->kept[i];
		const struct maui_sr *sr = &core->list[kept->existing.sr];
		struct instance_reading *one = &ret->instances[i];
		char name[MAUI_SR_INSTANCE_SIZE];

		*one = (struct instance_reading){.start = (double)kept->existing.start,
						 .end = (double)kept->existing.end,
						 .priority = (double)sr->priority,
						 .nodes = (double)kept->placement.count,
						 .total = kept->placement.tasks};
		while (strcmp(core->input->srs[one->sr], sr->name) != 0)
			one->sr++;
		maui_sr_instance_name(sr->name, kept->existing.date, name);
		snprintf(one->name, sizeof(one->name), "%.47s", name);
		reservation_flags(sr, flags, sizeof(flags));
		snprintf(one->flags, sizeof(one->flags), "STANDINGRES%s%s", *flags ? "," : "",
			 flags);
		for (size_t s = 0; s < kept->placement.count; s++) {
			one->tasks[kept->placement.shares[s].node] =
				kept->placement.shares[s].tasks;
			one->procs += (double)kept->placement.shares[s].procs;
		}
	}
	instance_sort(ret);
}

static bool core_read(struct check *check, const struct instance_case *input,
		      struct step_reading ret[INSTANCE_STEPS])
{
	static struct core core;
	char *lines = lines_join(input->cfg);
	bool ok;

	memset(&core, 0, sizeof(core));
	core.input = input;
	ok = reservation_core_open(check, lines, &core.reservations);
	free(lines);
	if (!ok)
		return false;
	core.size = maui_sr_list(core.reservations.settings, &core.list);
	make_nodes(&core);
	ok = core.names && make_rank(&core);
	for (size_t i = 0; ok && i < INSTANCE_STEPS; i++) {
		ok = roll(&core, input->now[i]);
		report(&core, &ret[i]);
	}
	if (!ok)
		check_fail(check, "cfg", "the core cannot");
	for (size_t i = 0; i < core.kept_count; i++)
		maui_sr_placement_clear(&core.kept[i].placement);
	maui_node_names_free(core.names);
	reservation_core_close(&core.reservations);
	return ok;
}

/* ---- comparing ----------------------------------------------------------------------------- */

static bool concerns(enum rule rule)
{
	switch (rule) {
	case RULE_CASE:
	case RULE_SR_FLAGS:
	case RULE_SR_ACCESS:
	case RULE_SR_LEGACY:
	case RULE_SR_INFINITE:
	case RULE_SR_WEEK:
	case RULE_SR_CLOCK:
	case RULE_SR_ROLL:
	case RULE_SR_POLICY:
	case RULE_SR_TRIM:
	case RULE_SR_BEYOND:
	case RULE_SR_CONFLICT:
	case RULE_SR_TASKS:
	case RULE_SR_NAMES:
		return true;
	default:
		return false;
	}
}

static const char *const fields[] = {"name",  "start", "end",   "flags", "prio",
				     "alloc", "nodes", "procs", "tasks", NULL};
#define FIELD_TEXT 8192

static void print_field(const struct instance_case *input, const struct instance_reading *one,
			const char *field, char *text, size_t size)
{
	size_t used = 0;

	if (!strcmp(field, "name"))
		snprintf(text, size, "%s", one->name);
	else if (!strcmp(field, "flags"))
		snprintf(text, size, "%s", one->flags);
	else if (!strcmp(field, "alloc")) {
		*text = '\0';
		for (size_t n = 0; n < input->node_count && used < size; n++)
			if (one->tasks[n] > 0)
				used += (size_t)snprintf(text + used, size - used, "%s%s:%.0f",
							 used ? "+" : "", input->nodes[n].name,
							 one->tasks[n]);
	} else
		snprintf(text, size, "%.0f",
			 !strcmp(field, "start")   ? one->start
			 : !strcmp(field, "end")   ? one->end
			 : !strcmp(field, "prio")  ? one->priority
			 : !strcmp(field, "nodes") ? one->nodes
			 : !strcmp(field, "procs") ? one->procs
						   : one->total);
}

/* One field of all the instances of a standing reservation. */
static void print(const struct instance_case *input, const struct step_reading *step, size_t sr,
		  const char *field, char text[FIELD_TEXT])
{
	size_t used = 0;

	*text = '\0';
	for (size_t i = 0; i < step->count; i++) {
		char one[512];

		if (step->instances[i].sr != sr || used >= FIELD_TEXT - 1)
			continue;
		print_field(input, &step->instances[i], field, one, sizeof(one));
		used += (size_t)snprintf(text + used, FIELD_TEXT - used, "%s%s", used ? " " : "",
					 one);
	}
}

struct both {
	struct step_reading original[INSTANCE_STEPS], documented[INSTANCE_STEPS];
	struct step_reading without[RULES][INSTANCE_STEPS], with[RULES][INSTANCE_STEPS];
};

static void read_both(const struct instance_case *input, struct both *both)
{
	instance_read(input, ALL_RULES, both->original);
	instance_read(input, 0, both->documented);
	for (enum rule rule = 0; rule < RULES; rule++)
		if (concerns(rule)) {
			instance_read(input, ALL_RULES & ~RULE_BIT(rule), both->without[rule]);
			instance_read(input, RULE_BIT(rule), both->with[rule]);
		}
}

static rule_mask rules_of(const struct instance_case *input, const struct both *both, size_t step,
			  size_t sr, const char *field, const struct text_readings *readings)
{
	static char text[FIELD_TEXT];
	rule_mask rules = 0, also = 0;

	if (!strcmp(readings->original, readings->documented))
		return 0;
	for (enum rule rule = 0; rule < RULES; rule++) {
		if (!concerns(rule))
			continue;
		print(input, &both->without[rule][step], sr, field, text);
		if (strcmp(text, readings->original) != 0)
			rules |= RULE_BIT(rule);
	}
	for (enum rule rule = 0; !rules && rule < RULES; rule++) {
		if (!concerns(rule))
			continue;
		print(input, &both->with[rule][step], sr, field, text);
		if (strcmp(text, readings->documented) != 0)
			also |= RULE_BIT(rule);
	}
	return rules ? rules : also;
}

static void compare_step(struct check *check, const struct instance_case *input,
			 const struct both *both, size_t step, const struct step_reading *expected,
			 const struct step_reading *ours)
{
	static char texts[4][FIELD_TEXT];

	for (size_t sr = 0; sr < input->sr_count; sr++)
		for (size_t i = 0; fields[i]; i++) {
			struct text_readings readings = {texts[2], texts[3], 0};
			char field[64];

			print(input, expected, sr, fields[i], texts[0]);
			print(input, ours, sr, fields[i], texts[1]);
			print(input, &both->original[step], sr, fields[i], texts[2]);
			print(input, &both->documented[step], sr, fields[i], texts[3]);
			readings.rules = rules_of(input, both, step, sr, fields[i], &readings);
			snprintf(field, sizeof(field), "%s[%zu].%s", input->srs[sr], step,
				 fields[i]);
			check_text_rules(check, field, texts[0], texts[1], &readings);
		}
}

/* ---- the vector ---------------------------------------------------------------------------- */

static bool read_alloc(const struct instance_case *input, struct json_object *alloc,
		       struct instance_reading *ret)
{
	for (size_t i = 0; i < json_object_array_length(alloc); i++) {
		struct json_object *pair = json_object_array_get_idx(alloc, i);
		const char *name = json_object_get_string(json_object_array_get_idx(pair, 0));
		size_t node = 0;

		while (node < input->node_count && name &&
		       strcmp(input->nodes[node].name, name) != 0)
			node++;
		if (!name || node == input->node_count)
			return false;
		ret->tasks[node] = json_object_get_double(json_object_array_get_idx(pair, 1));
	}
	return true;
}

static bool read_instance(struct check *check, const struct instance_case *input,
			  struct json_object *object, struct instance_reading *ret)
{
	static const char *const known[] = {"alloc", "end",   "flags", "name",  "nodes",
					    "prio",  "procs", "start", "tasks", NULL};
	const char *name = member_text(object, "name"), *flags = member_text(object, "flags");
	struct json_object *alloc = member(object, "alloc");

	check_members(check, object, known);
	if (!name || !flags || !json_object_is_type(alloc, json_type_array))
		return false;
	*ret = (struct instance_reading){.start = member_number(object, "start", -1),
					 .end = member_number(object, "end", -1),
					 .priority = member_number(object, "prio", -77),
					 .nodes = member_number(object, "nodes", -1),
					 .procs = member_number(object, "procs", -1),
					 .total = member_number(object, "tasks", -1)};
	snprintf(ret->name, sizeof(ret->name), "%s", name);
	snprintf(ret->flags, sizeof(ret->flags), "%s", flags);
	while (ret->sr < input->sr_count &&
	       (strncmp(input->srs[ret->sr], name, strlen(input->srs[ret->sr])) != 0 ||
		name[strlen(input->srs[ret->sr])] != '.'))
		ret->sr++;
	return ret->sr < input->sr_count && read_alloc(input, alloc, ret);
}

static bool read_step(struct check *check, const struct instance_case *input,
		      struct json_object *object, struct step_reading *ret)
{
	static const char *const known[] = {"now", "rsv", NULL};
	struct json_object *list = member(object, "rsv");

	check_members(check, object, known);
	if (!json_object_is_type(list, json_type_array) ||
	    json_object_array_length(list) > INSTANCE_MAX) {
		check_fail(check, "rsv", "no list of up to %d", INSTANCE_MAX);
		return false;
	}
	ret->count = json_object_array_length(list);
	for (size_t i = 0; i < ret->count; i++)
		if (!read_instance(check, input, json_object_array_get_idx(list, i),
				   &ret->instances[i])) {
			check_fail(check, "rsv", "instance %zu has no known name, or nodes", i);
			return false;
		}
	instance_sort(ret);
	return true;
}

void check_sr_instances(struct check *check, struct json_object *object)
{
	static const char *const known[] = {"cfg", "expect", "id", "nodes",
					    "rc",  "steps",  "tz", NULL};
	static struct step_reading expected[INSTANCE_STEPS], ours[INSTANCE_STEPS];
	static struct instance_case input;
	static struct both both;
	struct json_object *expect = member(object, "expect");
	const char *zone = member_text(object, "tz");

	check_members(check, object, known);
	check_number(check, "rc", member_number(object, "rc", -1), 0);
	setenv("TZ", zone ? zone : "UTC", 1);
	tzset();
	if (!json_object_is_type(expect, json_type_array) ||
	    json_object_array_length(expect) != INSTANCE_STEPS ||
	    !instance_case_read(check, object, &input)) {
		check_fail(check, "expect", "not %d steps", INSTANCE_STEPS);
		return;
	}
	for (size_t i = 0; i < INSTANCE_STEPS; i++) {
		struct json_object *step = json_object_array_get_idx(expect, i);

		if (!read_step(check, &input, step, &expected[i]))
			return;
		check_number(check, "now", member_number(step, "now", -1), (double)input.now[i]);
	}
	if (!core_read(check, &input, ours))
		return;
	read_both(&input, &both);
	for (size_t i = 0; i < INSTANCE_STEPS; i++)
		compare_step(check, &input, &both, i, &expected[i], &ours[i]);
}
