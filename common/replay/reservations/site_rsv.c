/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rolls standing reservations on the replay's nodes: maui_sr_plan_make() makes
 * the steps, maui_sr_placing_step() places each instance.
 */
#include "common/replay/reservations/site_rsv.h"

#include <stdlib.h>
#include <string.h>

#include "common/policy/reservation/job_attributes.h"
#include "common/policy/reservation/sr_placing.h"
#include "common/replay/queue/site_jobs.h"
#include "common/replay/queue/site_policy.h"
#include "common/replay/reservations/site_outages.h"
#include "common/replay/state/site_candidates.h"
#include "common/replay/state/site_holds.h"
#include "common/replay/state/site_nodes_record.h"
#include "common/util/arena.h"
#include "common/util/time/calendar.h"
#include "common/util/grow.h"
#include "common/util/memory.h"

struct instance {
	uint32_t sr;
	int64_t date;
	bool in_use; /* jobs that it has admitted run in it */
	struct maui_rsv_instance access;
	struct maui_sr_part *parts; /* in the order of nodes; malloc'ed */
	size_t count;
};

struct site_rsv {
	struct maui_sr_settings *settings;
	struct maui_job_attributes *attributes; /* NULL: nobody has any */
	const struct maui_sr *list;
	size_t list_size;
	struct instance *instances, *made; /* made: by the roll that is under way */
	size_t count, room, made_count, made_room;
	int64_t next; /* roll */
	bool lacking;
	struct site_rsv_lack *lacks; /* since the last roll */
	size_t lack_count, lack_room;
	/* the machine, as a roll looks at it */
	struct maui_arena *arena;
	struct maui_sr_node *nodes;
	const char **names;
	uint32_t *cores;
	bool *passed;               /* by node: a job that reservations have admitted runs there */
	struct maui_sr_hold *holds; /* of jobs */
	size_t hold_count, hold_room;
};

/* ---- the machine ---- */

static void fill_names(struct site_rsv *rsv, const struct maui_replay_nodes *nodes,
		       const struct maui_replay_node *record, struct maui_sr_node *node)
{
	const char **features =
		maui_arena_alloc(rsv->arena, record->feature_count, sizeof(*features));
	const char **partitions =
		maui_arena_alloc(rsv->arena, nodes->partition_count, sizeof(*partitions));

	for (uint32_t i = 0; i < record->feature_count; i++)
		features[i] = maui_intern_name(nodes->features, record->features[i]);
	node->features = features;
	node->feature_count = record->feature_count;
	node->partitions = partitions;
	for (uint32_t i = 0; i < nodes->partition_count; i++)
		if (maui_replay_has(nodes->partitions[i].members,
				    (uint32_t)(record - nodes->nodes)))
			partitions[node->partition_count++] = nodes->partitions[i].name;
}

static void add_gres(struct maui_sr_gres *list, size_t *count, const char *name, size_t size,
		     uint64_t units)
{
	size_t i = 0;

	if (size >= MAUI_GRES_NAME_SIZE)
		return; /* longer than maui.cfg can name it */
	while (i < *count && (strncmp(list[i].name, name, size) != 0 || list[i].name[size]))
		i++;
	if (i == *count) {
		memcpy(list[i].name, name, size);
		(*count)++;
	}
	list[i].count = maui_gres_within(maui_gres_plus((uint64_t)list[i].count, units));
}

/* Each type, and each name with all its types. */
static void fill_gres(struct site_rsv *rsv, const struct maui_replay_nodes *nodes,
		      const struct maui_replay_node *record, struct maui_sr_node *node)
{
	struct maui_sr_gres *list =
		maui_arena_alloc(rsv->arena, 2 * (size_t)record->gres_count, sizeof(*list));

	node->gres = list;
	for (uint32_t i = 0; i < record->gres_count; i++) {
		const char *name = maui_intern_name(nodes->gres, record->gres[i].gres);
		size_t bare = strcspn(name, ":");

		add_gres(list, &node->gres_count, name, bare, record->gres[i].count);
		if (name[bare])
			add_gres(list, &node->gres_count, name, strlen(name),
				 record->gres[i].count);
	}
}

static void open_machine(struct site_rsv *rsv, const struct maui_replay_nodes *nodes)
{
	size_t count = nodes->count + (size_t)1;

	rsv->arena = maui_arena_new();
	rsv->nodes = maui_calloc(count, sizeof(*rsv->nodes));
	rsv->names = maui_calloc(count, sizeof(*rsv->names));
	rsv->cores = maui_calloc(count, sizeof(*rsv->cores));
	rsv->passed = maui_calloc(count, sizeof(*rsv->passed));
	for (uint32_t i = 0; i < nodes->count; i++) {
		const struct maui_replay_node *record = &nodes->nodes[i];

		rsv->names[i] = record->name;
		rsv->cores[i] = record->cpus;
		rsv->nodes[i] = (struct maui_sr_node){
			.up = true, .procs = record->cpus, .memory = record->memory};
		fill_names(rsv, nodes, record, &rsv->nodes[i]);
		fill_gres(rsv, nodes, record, &rsv->nodes[i]);
	}
}

/* ---- who is admitted ---- */

bool site_rsv_admits(const struct site_replay *replay, uint32_t instance, uint32_t job,
		     int64_t start, enum maui_affinity *ret_affinity)
{
	const struct maui_rsv_instance *access = &replay->rsv->instances[instance].access;
	const struct maui_replay_job *record = &replay->trace->jobs[job];
	struct maui_rsv_job asking = {.walltime = record->estimate, .start = start};
	struct maui_rsv_verdict verdict;
	int64_t overlap = maui_rsv_overlap(access, start, record->estimate, replay->now);

	if (overlap <= 0) /* by then */
		overlap = maui_rsv_overlap(access, MAUI_RSV_START_UNKNOWN, record->estimate,
					   replay->now);
	site_credentials(replay, job, asking.acl.credential);
	asking.acl.attributes =
		maui_job_attributes(replay->rsv->attributes, asking.acl.credential[MAUI_QOS], NULL);
	asking.acl.procs = record->procs;
	asking.acl.tasks = maui_replay_request_of(replay->nodes->requests, job)->tasks;
	maui_rsv_admits(access, &asking, overlap, &verdict);
	*ret_affinity = verdict.affinity;
	return verdict.granted;
}

/* ---- what jobs hold ---- */

static bool is_part(const struct instance *instance, uint32_t node)
{
	size_t low = 0, high = instance->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (instance->parts[middle].node < node)
			low = middle + 1;
		else
			high = middle;
	}
	return low < instance->count && instance->parts[low].node == node;
}

/* A job runs on a node of an instance that has begun, and is admitted to it. */
static void see_use(struct site_replay *replay, uint32_t job, int64_t began, uint32_t node)
{
	struct site_rsv *rsv = replay->rsv;
	enum maui_affinity affinity;

	for (uint32_t i = 0; i < rsv->count; i++)
		if (rsv->instances[i].access.start <= replay->now &&
		    is_part(&rsv->instances[i], node) &&
		    site_rsv_admits(replay, i, job, began, &affinity))
			rsv->instances[i].in_use = rsv->passed[node] = true;
}

static void add_hold(struct site_replay *replay, const struct machine_run *run)
{
	const struct maui_replay_schedule *schedule = replay->schedule;
	const struct maui_replay_request *request =
		maui_replay_request_of(replay->nodes->requests, run->job);
	struct site_rsv *rsv = replay->rsv;
	int64_t began = replay->run_of[run->job]->began;

	if (!schedule->share_count[run->job])
		return; /* of a queue that does not say where it runs */
	rsv->holds = maui_grow(rsv->holds, rsv->hold_count + schedule->share_count[run->job],
			       &rsv->hold_room, sizeof(*rsv->holds));
	for (uint32_t i = 0; i < schedule->share_count[run->job]; i++) {
		const struct maui_replay_share *share =
			&schedule->shares[schedule->first_share[run->job] + i];
		struct maui_replay_amount amount;

		maui_replay_amount_of(request, share, &amount);
		rsv->holds[rsv->hold_count++] = (struct maui_sr_hold){.node = share->node,
								      .job = true,
								      .sr = UINT32_MAX,
								      .start = began,
								      .end = run->expected,
								      .procs = share->cpus,
								      .memory = amount.memory};
		see_use(replay, run->job, began, share->node);
	}
}

static int by_node(const void *first, const void *second)
{
	const struct maui_sr_hold *a = first, *b = second;

	return a->node < b->node ? -1 : a->node > b->node;
}

static void see_jobs(struct site_replay *replay)
{
	struct site_rsv *rsv = replay->rsv;

	rsv->hold_count = 0;
	site_outages_look(replay, rsv->nodes);
	memset(rsv->passed, 0, replay->nodes->nodes->count * sizeof(*rsv->passed));
	for (size_t i = 0; i < rsv->count; i++)
		rsv->instances[i].in_use = false;
	for (size_t i = 0; i < replay->machine.count; i++)
		add_hold(replay, &replay->machine.runs[i]);
	if (rsv->hold_count)
		qsort(rsv->holds, rsv->hold_count, sizeof(*rsv->holds), by_node);
}

/* ---- a roll ---- */

static struct maui_sr_there there_of(const struct instance *instance)
{
	return (struct maui_sr_there){.start = instance->access.start,
				      .end = instance->access.end,
				      .parts = instance->parts,
				      .count = instance->count};
}

static void set_parts(struct instance *instance, const struct site_rsv *rsv,
		      const struct maui_sr_placement *placement, const uint32_t *cores)
{
	instance->parts = maui_calloc(placement->count + 1, sizeof(*instance->parts));
	instance->count = placement->count;
	for (size_t i = 0; i < placement->count; i++) {
		uint32_t node = placement->shares[i].node;

		instance->parts[i] =
			(struct maui_sr_part){node, cores ? cores[node] : rsv->cores[node]};
	}
}

/* The instance of a step as it is from now on, if it has any nodes. */
static void add_instance(struct site_rsv *rsv, const struct maui_sr_step *step,
			 const struct maui_sr_placement *placement, const uint32_t *cores)
{
	const struct maui_sr *sr = &rsv->list[step->sr];
	struct instance instance = {.sr = step->sr,
				    .date = step->window.date,
				    .access = {.by_name = sr->flags & MAUI_SR_BYNAME,
					       .start = step->window.start,
					       .end = step->window.end,
					       .acl = sr->acl}};

	if (!placement->count)
		return;
	rsv->made = maui_grow(rsv->made, rsv->made_count + 1, &rsv->made_room, sizeof(*rsv->made));
	set_parts(&instance, rsv, placement, cores);
	rsv->made[rsv->made_count++] = instance;
}

static void add_lack(struct site_rsv *rsv, const struct maui_sr_step *step)
{
	rsv->lacks =
		maui_grow(rsv->lacks, rsv->lack_count + 1, &rsv->lack_room, sizeof(*rsv->lacks));
	rsv->lacks[rsv->lack_count++] =
		(struct site_rsv_lack){step->sr, step->window.start, step->window.end};
}

static void take_step(struct site_replay *replay, struct maui_sr_placing *placing,
		      const struct maui_sr_step *step)
{
	struct site_rsv *rsv = replay->rsv;
	struct maui_sr_there there = {.count = 0};
	struct maui_sr_placement placement = {0};
	const uint32_t *cores = NULL;

	if (step->action == MAUI_SR_DELETE)
		return;
	if (step->existing != MAUI_SR_NO_INDEX)
		there = there_of(&rsv->instances[step->existing]);
	maui_sr_placing_step(placing, step, &there, &placement, &cores);
	if (placement.missing) {
		rsv->lacking = true;
		add_lack(rsv, step);
	}
	add_instance(rsv, step, &placement, cores);
	maui_sr_placement_clear(&placement);
}

/* As NODEALLOCATIONPOLICY orders all nodes, by what is free or, later, by what they have. */
static const uint32_t *rsv_rank(void *context, const struct maui_sr *sr, bool immediate)
{
	struct site_replay *replay = context;
	struct site_nodes *nodes = replay->nodes;
	int64_t procs = sr->task.procs > 0 ? sr->task.procs : 1;
	struct maui_nodealloc_need need = {.tasks = sr->task_count,
					   .tasks_per_node = sr->tasks_per_node,
					   .immediate = immediate};

	nodes->candidate_count = 0;
	for (uint32_t i = 0; i < nodes->nodes->count; i++) {
		uint32_t cpus = immediate ? nodes->room.cpus[i] : nodes->nodes->nodes[i].cpus;

		nodes->affinity[i] = MAUI_AFFINITY_NONE;
		nodes->until[i] = MAUI_NODE_FOREVER;
		site_candidates_offer(nodes, i, (uint32_t)(cpus / procs));
	}
	if (maui_nodealloc_rank(maui_sr_allocation_policy(replay->site->policy->config, sr), &need,
				nodes->candidates, nodes->candidate_count, nodes->workspace,
				nodes->rank, NULL, NULL))
		return NULL;
	return nodes->rank;
}

static struct maui_sr_placing *begin_placing(struct site_replay *replay,
					     const struct maui_sr_world *world)
{
	struct site_rsv *rsv = replay->rsv;
	struct maui_sr_ranker ranker = {rsv_rank, replay};
	struct maui_sr_placing *placing =
		maui_sr_placing_new(world, rsv->list, rsv->list_size, &ranker);

	for (uint32_t i = 0; i < rsv->count; i++) {
		struct maui_sr_there there = there_of(&rsv->instances[i]);

		maui_sr_placing_see(placing, i, &there, rsv->instances[i].sr);
	}
	return placing;
}

static void rsv_drop(struct instance *instances, size_t *count)
{
	for (size_t i = 0; i < *count; i++)
		free(instances[i].parts);
	*count = 0;
}

static void rsv_follow(struct site_replay *replay, const struct maui_sr_plan *plan)
{
	struct site_rsv *rsv = replay->rsv;
	struct maui_sr_world world = {.now = replay->now,
				      .count = replay->nodes->nodes->count,
				      .nodes = rsv->nodes,
				      .names = rsv->names,
				      .passed = rsv->passed,
				      .cores = rsv->cores,
				      .holds = rsv->holds,
				      .hold_count = rsv->hold_count,
				      .existing_count = rsv->count};
	struct maui_sr_placing *placing = begin_placing(replay, &world);
	struct instance *old = rsv->instances;
	size_t old_room = rsv->room;

	rsv->lacking = false;
	rsv->lack_count = 0;
	for (size_t i = 0; i < plan->count; i++)
		take_step(replay, placing, &plan->steps[i]);
	maui_sr_placing_free(placing);
	rsv_drop(rsv->instances, &rsv->count);
	rsv->instances = rsv->made;
	rsv->count = rsv->made_count;
	rsv->room = rsv->made_room;
	rsv->made = old;
	rsv->made_room = old_room;
	rsv->made_count = 0;
}

static int64_t rsv_sooner(int64_t a, int64_t b, int64_t now)
{
	return b > now && b < a ? b : a;
}

/* Instances begin and end, and others are made at midnight. */
static void set_next(struct site_replay *replay)
{
	struct site_rsv *rsv = replay->rsv;

	rsv->next = maui_clock_instant(maui_clock_at(replay->now).day + 1, 0);
	if (rsv->next <= replay->now)
		rsv->next = replay->now + INT64_C(24) * 3600;
	for (size_t i = 0; i < rsv->count; i++) {
		rsv->next = rsv_sooner(rsv->next, rsv->instances[i].access.start, replay->now);
		rsv->next = rsv_sooner(rsv->next, rsv->instances[i].access.end, replay->now);
	}
}

static void plan_and_follow(struct site_replay *replay)
{
	struct site_rsv *rsv = replay->rsv;
	struct maui_sr_existing *existing = maui_calloc(rsv->count + 1, sizeof(*existing));
	struct maui_sr_plan plan = {0};

	for (size_t i = 0; i < rsv->count; i++) {
		const struct instance *instance = &rsv->instances[i];

		existing[i] = (struct maui_sr_existing){.date = instance->date,
							.start = instance->access.start,
							.end = instance->access.end,
							.sr = instance->sr,
							.in_use = instance->in_use};
	}
	maui_sr_plan_make(rsv->list, rsv->list_size, existing, rsv->count, replay->now, &plan);
	rsv_follow(replay, &plan);
	maui_sr_plan_clear(&plan);
	free(existing);
}

void site_rsv_roll(struct site_replay *replay)
{
	see_jobs(replay);
	plan_and_follow(replay);
	set_next(replay);
}

void site_rsv_hold(struct site_replay *replay)
{
	const struct site_rsv *rsv = replay->rsv;
	struct site_holds *holds = &replay->nodes->holds;

	for (uint32_t i = 0; rsv && i < rsv->count; i++) {
		const struct instance *instance = &rsv->instances[i];

		site_hold_add(holds, instance->access.start, instance->access.end, i);
		for (size_t j = 0; j < instance->count; j++) {
			const struct maui_sr_part *part = &instance->parts[j];

			site_hold_node(holds, part->node,
				       part->cores == rsv->cores[part->node] ? WHOLE_NODE
									     : part->cores);
		}
	}
}

uint32_t site_rsv_standing(const struct site_replay *replay)
{
	return replay->rsv ? (uint32_t)replay->rsv->list_size : 0;
}

const char *site_rsv_name(const struct site_replay *replay, uint32_t standing)
{
	return replay->rsv->list[standing].name;
}

uint32_t site_rsv_instances(const struct site_replay *replay)
{
	return replay->rsv ? (uint32_t)replay->rsv->count : 0;
}

const struct maui_sr_part *site_rsv_parts(const struct site_replay *replay, uint32_t instance,
					  uint32_t *ret_standing, size_t *ret_count)
{
	const struct instance *found = &replay->rsv->instances[instance];

	*ret_standing = found->sr;
	*ret_count = found->access.start > replay->now || found->access.end <= replay->now
			     ? 0
			     : found->count;
	return found->parts;
}

size_t site_rsv_lacking(const struct site_replay *replay, const struct site_rsv_lack **ret_lacks)
{
	if (!replay->rsv)
		return 0;
	*ret_lacks = replay->rsv->lacks;
	return replay->rsv->lack_count;
}

int64_t site_rsv_next(const struct site_replay *replay)
{
	return replay->rsv ? replay->rsv->next : INT64_MAX;
}

bool site_rsv_lacks(const struct site_replay *replay)
{
	return replay->rsv && replay->rsv->lacking;
}

/* ---- all of it ---- */

void site_rsv_open(struct site_replay *replay)
{
	struct maui_config *config = replay->site->policy->config;
	struct maui_limit_names names = site_configured(replay);
	struct site_rsv *rsv;

	if (!replay->nodes)
		return;
	rsv = replay->rsv = maui_calloc(1, sizeof(*rsv));
	rsv->settings = maui_sr_settings_compile(config, &names);
	rsv->attributes = maui_job_attributes_compile(config, &names);
	rsv->list_size = maui_sr_list(rsv->settings, &rsv->list);
	if (!rsv->list_size) {
		site_rsv_clear(replay);
		return;
	}
	open_machine(rsv, replay->nodes->nodes);
}

void site_rsv_clear(struct site_replay *replay)
{
	struct site_rsv *rsv = replay->rsv;

	if (!rsv)
		return;
	rsv_drop(rsv->instances, &rsv->count);
	rsv_drop(rsv->made, &rsv->made_count);
	free(rsv->instances);
	free(rsv->made);
	free(rsv->holds);
	free(rsv->lacks);
	free(rsv->nodes);
	free(rsv->names);
	free(rsv->cores);
	free(rsv->passed);
	maui_arena_free(rsv->arena);
	maui_job_attributes_free(rsv->attributes);
	maui_sr_settings_free(rsv->settings);
	free(rsv);
	replay->rsv = NULL;
}
