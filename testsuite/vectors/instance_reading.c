/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/vectors/instance_reading.h"

#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- nodes --------------------------------------------------------------------------------- */

struct simulation {
	const struct instance_case *input;
	rule_mask rules;
	struct srcfg_reading srs[INSTANCE_SRS];
	struct step_reading *step;
	int64_t now;
};

static bool original_does(const struct simulation *simulation, enum rule rule)
{
	return simulation->rules & RULE_BIT(rule);
}

static bool has_flag(const struct srcfg_reading *sr, const char *flag)
{
	return strstr(sr->flags, flag) != NULL;
}

static bool is_listed(const struct srcfg_reading *sr, const char *node)
{
	char copy[512], *rest, *word;
	bool listed = !*sr->hosts;

	snprintf(copy, sizeof(copy), "%s", sr->hosts);
	for (word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		regex_t regex;

		if (regcomp(&regex, word, REG_EXTENDED | REG_ICASE | REG_NOSUB))
			continue;
		listed |= !regexec(&regex, node, 0, NULL, 0);
		regfree(&regex);
	}
	return listed;
}

static bool has_feature(const struct instance_node *node, const char *feature)
{
	size_t length = strlen(feature);

	if (!length)
		return true;
	for (const char *at = node->features; (at = strstr(at, feature)); at++)
		if ((at == node->features || at[-1] == ',') && (at[length] == ',' || !at[length]))
			return true;
	return false;
}

static double tasks_of(const struct srcfg_reading *sr, const struct instance_node *node,
		       double procs, double mem)
{
	double tasks = 0;

	if (sr->procs < 0)
		tasks = procs >= node->procs;
	else if (sr->procs > 0)
		tasks = floor(procs / sr->procs);
	if (sr->mem > 0)
		tasks = fmin(tasks, floor(mem / sr->mem));
	return tasks > 0 ? tasks : 0;
}

static double whole(const struct srcfg_reading *sr, double tasks)
{
	return sr->tasks_per_node > 1 ? tasks - fmod(tasks, sr->tasks_per_node) : tasks;
}

/* What a node can give it, as configured. */
static double capacity(const struct simulation *simulation, const struct srcfg_reading *sr,
		       size_t node)
{
	const struct instance_node *one = &simulation->input->nodes[node];
	double tasks = has_feature(one, sr->features) ? tasks_of(sr, one, one->procs, one->mem) : 0;

	/* The original: never more than TASKCOUNT on a node, and TPN of what is left. */
	if (original_does(simulation, RULE_SR_TRIM) && sr->task_count > 0)
		tasks = fmin(tasks, sr->task_count);
	return whole(sr, tasks);
}

static bool own(const struct instance_reading *a, const struct instance_reading *b)
{
	return a->sr == b->sr;
}

/* What other reservations leave of a node at one instant. */
static double left_at(const struct simulation *simulation, const struct instance_reading *mine,
		      size_t node, double when)
{
	const struct instance_node *one = &simulation->input->nodes[node];
	double procs = one->procs, mem = one->mem;

	for (size_t i = 0; i < simulation->step->count; i++) {
		const struct instance_reading *other = &simulation->step->instances[i];
		const struct srcfg_reading *sr = &simulation->srs[other->sr];

		if (own(other, mine) || !(other->start <= when && other->end > when))
			continue;
		procs -= other->tasks[node] * (sr->procs < 0 ? one->procs : sr->procs);
		mem -= other->tasks[node] * (sr->mem > 0 ? sr->mem : 0);
	}
	return whole(&simulation->srs[mine->sr],
		     tasks_of(&simulation->srs[mine->sr], one, procs, mem));
}

/* The least that other reservations leave at any instant of the window. */
static double left(const struct simulation *simulation, const struct instance_reading *mine,
		   size_t node)
{
	double begins = fmax(mine->start, (double)simulation->now);
	double least = left_at(simulation, mine, node, begins);

	for (size_t i = 0; i < simulation->step->count; i++) {
		double start = simulation->step->instances[i].start;

		if (start > begins && start < mine->end)
			least = fmin(least, left_at(simulation, mine, node, start));
	}
	return least;
}

/* ---- placement ----------------------------------------------------------------------------- */

struct placing {
	double capacity[INSTANCE_NODES], left[INSTANCE_NODES];
	bool listed[INSTANCE_NODES];
	size_t order[INSTANCE_NODES];
	double wanted;
};

static unsigned int memory_class(double mem)
{
	unsigned int class = 0;

	for (double limit = 64; mem > limit && class < 8; limit *= 2)
		class ++;
	return class;
}

/* From the end of the list; the original after the class of memory. */
static void sort_nodes(const struct simulation *simulation, struct placing *placing)
{
	const struct instance_case *input = simulation->input;

	for (size_t i = 0; i < input->node_count; i++)
		placing->order[i] = input->node_count - 1 - i;
	for (size_t i = 1; original_does(simulation, RULE_SR_POLICY) && i < input->node_count; i++)
		for (size_t j = i;
		     j > 0 && memory_class(input->nodes[placing->order[j]].mem) <
				      memory_class(input->nodes[placing->order[j - 1]].mem);
		     j--) {
			size_t other = placing->order[j];

			placing->order[j] = placing->order[j - 1];
			placing->order[j - 1] = other;
		}
}

static void take(struct placing *placing, struct instance_reading *instance, size_t node,
		 double up_to)
{
	double more = fmin(fmax(up_to - instance->tasks[node], 0), placing->wanted);

	instance->tasks[node] += more;
	placing->wanted -= more;
}

static void pass(const struct simulation *simulation, struct placing *placing,
		 struct instance_reading *instance, bool listed, bool stacked)
{
	for (size_t i = 0; i < simulation->input->node_count; i++) {
		size_t node = placing->order[i];

		if (placing->listed[node] == listed)
			take(placing, instance, node,
			     stacked ? placing->capacity[node] : placing->left[node]);
	}
}

static void place_documented(const struct simulation *simulation, struct placing *placing,
			     struct instance_reading *instance, const double *former)
{
	const struct srcfg_reading *sr = &simulation->srs[instance->sr];
	bool alone = original_does(simulation, RULE_SR_CONFLICT), shared, fixed, beyond;
	double sum = 0;

	for (size_t i = 0; i < simulation->input->node_count; i++)
		sum += placing->listed[i] ? placing->capacity[i] : 0;
	beyond = *sr->hosts && sum < sr->task_count && !original_does(simulation, RULE_SR_BEYOND);
	shared = !has_flag(sr, "DEDICATEDRESOURCE");
	fixed = has_flag(sr, "FORCE") ||
		(*sr->hosts && sum <= sr->task_count && !has_flag(sr, "SPACEFLEX"));
	placing->wanted = sr->task_count;
	for (size_t i = 0; former && i < simulation->input->node_count; i++)
		if (!has_flag(sr, "SPACEFLEX") && (placing->listed[i] || beyond))
			take(placing, instance, i, fmin(former[i], placing->capacity[i]));
	pass(simulation, placing, instance, true, alone);
	if (shared || fixed)
		pass(simulation, placing, instance, true, true);
	if (beyond)
		pass(simulation, placing, instance, false, alone);
	if (beyond && shared)
		pass(simulation, placing, instance, false, true);
}

/*
 * The original: all nodes of a list; otherwise nodes until there are enough tasks, the last one as
 * a whole.
 */
static void place_original(const struct simulation *simulation, struct placing *placing,
			   struct instance_reading *instance)
{
	const struct srcfg_reading *sr = &simulation->srs[instance->sr];
	double sum = 0;

	for (size_t i = 0; i < simulation->input->node_count; i++) {
		size_t node = placing->order[i];

		if (!placing->listed[node] || (!*sr->hosts && sum >= sr->task_count))
			continue;
		instance->tasks[node] = placing->capacity[node];
		sum += placing->capacity[node];
	}
}

/* The reported part of it; false if it has no tasks. */
static bool report(const struct simulation *simulation, struct instance_reading *instance)
{
	const struct srcfg_reading *sr = &simulation->srs[instance->sr];

	instance->nodes = instance->procs = instance->total = 0;
	for (size_t i = 0; i < simulation->input->node_count; i++) {
		double tasks = instance->tasks[i];

		instance->nodes += tasks > 0;
		instance->total += tasks;
		instance->procs +=
			tasks * (sr->procs < 0 ? simulation->input->nodes[i].procs : sr->procs);
	}
	return instance->nodes > 0;
}

static bool place(const struct simulation *simulation, struct instance_reading *instance,
		  const double *former)
{
	const struct srcfg_reading *sr = &simulation->srs[instance->sr];
	struct placing placing = {.wanted = 0};

	memset(instance->tasks, 0, sizeof(instance->tasks));
	for (size_t i = 0; i < simulation->input->node_count; i++) {
		placing.listed[i] = is_listed(sr, simulation->input->nodes[i].name);
		placing.capacity[i] = capacity(simulation, sr, i);
		placing.left[i] = fmin(placing.capacity[i], left(simulation, instance, i));
	}
	sort_nodes(simulation, &placing);
	if (sr->task_count <= 0)
		for (size_t i = 0; i < simulation->input->node_count; i++)
			instance->tasks[i] = placing.listed[i] ? placing.capacity[i] : 0;
	else if (original_does(simulation, RULE_SR_TRIM))
		place_original(simulation, &placing, instance);
	else
		place_documented(simulation, &placing, instance, former);
	return report(simulation, instance);
}

/* ---- instances ----------------------------------------------------------------------------- */

static int compare(const void *left_side, const void *right_side)
{
	const struct instance_reading *a = left_side, *b = right_side;

	if (a->sr != b->sr)
		return a->sr < b->sr ? -1 : 1;
	if (a->end != b->end)
		return a->end < b->end ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return strcmp(a->name, b->name);
}

void instance_sort(struct step_reading *step)
{
	qsort(step->instances, step->count, sizeof(step->instances[0]), compare);
}

static const struct instance_reading *find(const struct step_reading *step, size_t sr, double end)
{
	for (size_t i = 0; i < step->count; i++)
		if (step->instances[i].sr == sr && step->instances[i].end == end)
			return &step->instances[i];
	return NULL;
}

/* The date on which its period begins. */
static void set_date(const struct simulation *simulation, struct instance_reading *instance)
{
	const struct srcfg_reading *sr = &simulation->srs[instance->sr];
	time_t begins = (time_t)simulation->now;
	int index = (int)instance->index;
	struct tm tm;

	localtime_r(&begins, &tm);
	tm.tm_hour = 12;
	tm.tm_mday += sr->period == 2 ? 7 * index - tm.tm_wday : index;
	begins = timegm(&tm);
	gmtime_r(&begins, &tm);
	if (sr->period == 3)
		snprintf(instance->date, sizeof(instance->date), "inf");
	else
		snprintf(instance->date, sizeof(instance->date), "%04d%02d%02d",
			 (tm.tm_year + 1900) % 10000, (tm.tm_mon + 1) % 100, tm.tm_mday % 100);
}

/* By date; in the original by its index. */
static void set_name(const struct simulation *simulation, struct instance_reading *instance)
{
	const char *base = simulation->input->srs[instance->sr];

	if (original_does(simulation, RULE_SR_NAMES))
		snprintf(instance->name, sizeof(instance->name), "%s.%zu%s", base, instance->index,
			 instance->created ? ".0" : "");
	else
		snprintf(instance->name, sizeof(instance->name), "%s.%s", base, instance->date);
}

/* The instance with this index now, not placed yet; false: there is none. */
static bool make(const struct simulation *simulation, size_t sr, size_t index,
		 struct instance_reading *ret)
{
	const struct srcfg_reading *lines = &simulation->srs[sr];
	struct window_reading window;

	window_read(lines, (int64_t)index, simulation->now, simulation->rules, &window);
	if (!window.created)
		return false;
	*ret = (struct instance_reading){.sr = sr,
					 .index = index,
					 .created = true,
					 .start = window.rsvstart,
					 .end = window.rsvend,
					 .priority = lines->priority};
	snprintf(ret->flags, sizeof(ret->flags), "STANDINGRES%s%.230s", *lines->flags ? "," : "",
		 lines->flags);
	set_date(simulation, ret);
	return true;
}

static bool add(struct step_reading *step, const struct instance_reading *instance)
{
	if (step->count == INSTANCE_MAX)
		return false;
	step->instances[step->count++] = *instance;
	return true;
}

/* By the time from which it counts, then in line order. */
static int compare_due(const void *left_side, const void *right_side)
{
	const struct instance_reading *a = left_side, *b = right_side;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->sr != b->sr)
		return a->sr < b->sr ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

/* Those that should exist now; former ones among them stay. */
static void roll_documented(struct simulation *simulation, const struct step_reading *before,
			    struct step_reading *step)
{
	static struct step_reading due;
	struct instance_reading one;

	due.count = 0;
	for (size_t sr = 0; sr < simulation->input->sr_count; sr++)
		for (size_t index = 0; index < (size_t)simulation->srs[sr].depth; index++)
			if (make(simulation, sr, index, &one))
				add(&due, &one);
	qsort(due.instances, due.count, sizeof(due.instances[0]), compare_due);
	/* What exists counts as soon as anything is placed. */
	step->count = 0;
	for (size_t i = 0; before && i < due.count; i++) {
		const struct instance_reading *old =
			find(before, due.instances[i].sr, due.instances[i].end);

		if (old)
			add(step, old);
	}
	simulation->step = step;
	for (size_t i = 0; i < due.count; i++) {
		struct instance_reading *there = (struct instance_reading *)find(
			step, due.instances[i].sr, due.instances[i].end);

		if (there) {
			double former[INSTANCE_NODES];

			memcpy(former, there->tasks, sizeof(former));
			place(simulation, there, former);
		} else if (place(simulation, &due.instances[i], NULL))
			add(step, &due.instances[i]);
	}
}

/* The original: a place per index; all move down by one if the first is missing or over. */
static void roll_original(struct simulation *simulation, const struct step_reading *before,
			  size_t sr, struct step_reading *step)
{
	struct instance_reading one;
	bool shift = true;

	for (size_t i = 0; i < before->count; i++)
		if (before->instances[i].sr == sr && before->instances[i].index == 0 &&
		    before->instances[i].end > (double)simulation->now)
			shift = false;
	for (size_t i = 0; i < before->count; i++) {
		one = before->instances[i];
		if (one.sr != sr || (shift && one.index == 0))
			continue;
		if (shift) {
			one.index--;
			one.created = false;
		}
		add(step, &one);
	}
	if (shift && make(simulation, sr, (size_t)simulation->srs[sr].depth - 1, &one) &&
	    place(simulation, &one, NULL))
		add(step, &one);
}

/* What is reported at the end. The original counts tasks in nodes. */
static void finish(const struct simulation *simulation, struct step_reading *step)
{
	for (size_t i = 0; i < step->count; i++) {
		struct instance_reading *one = &step->instances[i];

		set_name(simulation, one);
		if (!original_does(simulation, RULE_SR_TASKS))
			continue;
		one->total = one->nodes;
		for (size_t n = 0; n < INSTANCE_NODES; n++)
			one->tasks[n] = one->tasks[n] > 0;
	}
	instance_sort(step);
}

void instance_read(const struct instance_case *input, rule_mask rules,
		   struct step_reading ret[INSTANCE_STEPS])
{
	struct simulation simulation = {.input = input, .rules = rules};
	static struct step_reading none;

	for (size_t sr = 0; sr < input->sr_count; sr++)
		srcfg_read(input->cfg, input->srs[sr], rules, &simulation.srs[sr]);
	simulation.now = input->now[0];
	roll_documented(&simulation, NULL, &ret[0]);
	simulation.now = input->now[1];
	ret[1].count = none.count = 0;
	if (original_does(&simulation, RULE_SR_ROLL)) {
		simulation.step = original_does(&simulation, RULE_SR_CONFLICT) ? &none : &ret[1];
		for (size_t sr = 0; sr < input->sr_count; sr++)
			roll_original(&simulation, &ret[0], sr, &ret[1]);
	} else
		roll_documented(&simulation, &ret[0], &ret[1]);
	for (size_t i = 0; i < INSTANCE_STEPS; i++)
		finish(&simulation, &ret[i]);
}
