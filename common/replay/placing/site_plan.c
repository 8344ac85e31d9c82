/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When a job could begin on nodes: what is free only grows as jobs reach their time limits, but for
 * what reservations keep and the plan's gaps leave. Each of these is looked at once, in the order of
 * time, with a look at its own nodes alone. As in Slurm, the plan keeps whole nodes, whatever a job
 * needs of them.
 */
#include "common/replay/placing/site_plan.h"

#include <string.h>

#include "common/replay/placing/site_choice.h"
#include "common/replay/placing/site_ends.h"
#include "common/replay/placing/site_nodes.h"
#include "common/replay/plan/site_gaps.h"
#include "common/replay/plan/site_known.h"
#include "common/replay/reservations/site_barred.h"
#include "common/replay/state/site_candidates.h"
#include "common/replay/state/site_holds.h"
#include "common/replay/state/site_nodes_record.h"
#include "common/replay/state/site_room.h"

#define NO_STEP SIZE_MAX

struct sweep {
	struct site_replay *replay;
	struct site_nodes *nodes;
	const struct maui_replay_request *request;
	const uint64_t *members;
	int64_t time, length;
	uint32_t procs;
	const struct site_room *room; /* a step's, or nodes->sweep */
	size_t step;                  /* of the groups that have ended; NO_STEP: many have */
	size_t run;                   /* the first that still runs, by its time limit */
	struct site_group group;
	size_t begins, ends; /* of the holds that stand */
	/* Of the plan: gaps by begin and end that are passed, and up to when. */
	size_t opened, closed;
	int64_t planned;
	const uint64_t *usable; /* a set: the members that the plan leaves to the job */
	/* Too few processors are free for a look at the plan; and at each node. */
	bool early, sums;
	uint64_t all, free; /* of the members; of the usable nodes, without what is kept */
	struct maui_replay_tally tally;
};

/* What the plan keeps from before then on is in the way of a job that begins at this time. In Slurm
 * it also is if it begins in the second in which the job would end. */
static int64_t planned_before(int64_t time, int64_t length)
{
	return time + length + 1;
}

/* ---- now ---- */

/* Whether a reservation stands that lets in some jobs, and others not. */
static bool lets_in_some(const struct site_holds *holds)
{
	for (size_t i = 0; i < holds->count; i++)
		if (holds->holds[i].instance != NO_INSTANCE)
			return true;
	return false;
}

void site_plan_open(struct site_replay *replay)
{
	struct site_nodes *nodes = replay->nodes;

	site_gaps_open(&nodes->gaps, nodes->all, nodes->words, replay->now, nodes->shortest,
		       replay->now + replay->site->parameters.window);
	site_known_open(nodes->known, lets_in_some(&nodes->holds));
	for (uint32_t i = 0; i < nodes->nodes->count; i++)
		nodes->planned[i] = INT64_MAX;
}

bool site_plan_fits_now(struct site_replay *replay, uint32_t job)
{
	int64_t length = replay->trace->jobs[job].estimate;
	struct site_nodes *nodes = replay->nodes;
	uint32_t request = nodes->requests->of[job];

	if (!site_nodes_may_fit(replay, job) || site_known_not_now(nodes->known, request, length))
		return false;
	site_barred_ask(replay, job, replay->now);
	site_barred_mark_now(replay, job);
	if (site_nodes_gather(replay, job, NULL, planned_before(replay->now, length), false))
		return true;
	site_known_misfit(nodes->known, request, length);
	return false;
}

/* ---- later ---- */

static void look_at(struct sweep *sweep, uint32_t node)
{
	struct site_nodes *nodes = sweep->nodes;
	uint32_t now;

	if (!maui_replay_has(sweep->usable, node))
		return;
	now = site_room_capacity(nodes, sweep->room, sweep->request, node, nodes->held[node]);
	maui_replay_tally_drop(&sweep->tally, nodes->could[node]);
	maui_replay_tally_add(&sweep->tally, now);
	nodes->could[node] = now;
}

static uint32_t plan_beyond(uint32_t cpus, uint32_t held)
{
	return cpus > held ? cpus - held : 0;
}

/* The same for the sums, whose loops have no calls: most nodes are looked at by these alone. */
static void mark_sums(struct sweep *sweep, const struct site_hold *hold, bool keeps)
{
	struct site_nodes *nodes = sweep->nodes;
	const uint32_t *list = nodes->holds.nodes, *cpus = sweep->room->cpus;
	uint64_t free = sweep->free;

	for (size_t i = hold->first; i < hold->first + hold->count; i++) {
		uint32_t node = list[i], before = plan_beyond(cpus[node], nodes->held[node]);

		site_hold_mark(nodes, i, keeps);
		if (maui_replay_has(sweep->usable, node))
			free += (uint64_t)plan_beyond(cpus[node], nodes->held[node]) - before;
	}
	sweep->free = free;
}

static void mark_nodes(struct sweep *sweep, const struct site_hold *hold, bool keeps)
{
	struct site_nodes *nodes = sweep->nodes;

	for (size_t i = hold->first; i < hold->first + hold->count; i++) {
		site_hold_mark(nodes, i, keeps);
		look_at(sweep, nodes->holds.nodes[i]);
	}
}

static void plan_mark(struct sweep *sweep, uint32_t number, bool keeps)
{
	const struct site_holds *holds = &sweep->nodes->holds;

	if (!holds->bars[number])
		return;
	if (sweep->sums)
		mark_sums(sweep, &holds->holds[number], keeps);
	else
		mark_nodes(sweep, &holds->holds[number], keeps);
}

/* What begins before a job of that time would end, and what has ended. */
static void pass_holds(struct sweep *sweep)
{
	const struct site_line *line = &sweep->nodes->holds.stand;
	const struct site_hold *holds = sweep->nodes->holds.holds;

	for (; sweep->begins < line->count &&
	       holds[line->begins[sweep->begins]].begin < sweep->time + sweep->length;
	     sweep->begins++)
		plan_mark(sweep, line->begins[sweep->begins], true);
	for (; sweep->ends < line->count && holds[line->ends[sweep->ends]].end <= sweep->time;
	     sweep->ends++)
		plan_mark(sweep, line->ends[sweep->ends], false);
}

/* ---- the plan's gaps ---- */

static uint32_t sum_of(const struct sweep *sweep, uint32_t word, uint64_t bits)
{
	const uint32_t *cpus = sweep->room->cpus, *held = sweep->nodes->held;
	uint32_t sum = 0;

	for (; bits; bits &= bits - 1) {
		uint32_t node = word * MAUI_REPLAY_WORD + (uint32_t)__builtin_ctzll(bits);

		sum += plan_beyond(cpus[node], held[node]);
	}
	return sum;
}

static void open_gap(struct sweep *sweep, const struct site_gap *gap)
{
	struct site_nodes *nodes = sweep->nodes;

	for (size_t i = gap->first; i < gap->first + gap->count; i++) {
		uint32_t at = nodes->gaps.sets.words[i].at;
		uint64_t bits = nodes->gaps.sets.words[i].bits & sweep->members[at];

		nodes->usable[at] |= bits;
		if (sweep->sums)
			sweep->free += sum_of(sweep, at, bits);
		for (; !sweep->sums && bits; bits &= bits - 1)
			look_at(sweep, at * MAUI_REPLAY_WORD + (uint32_t)__builtin_ctzll(bits));
	}
}

static void close_gap(struct sweep *sweep, const struct site_gap *gap)
{
	struct site_nodes *nodes = sweep->nodes;

	for (size_t i = gap->first; i < gap->first + gap->count; i++) {
		uint32_t at = nodes->gaps.sets.words[i].at;
		uint64_t bits = nodes->gaps.sets.words[i].bits & sweep->members[at];

		nodes->usable[at] &= ~bits;
		if (sweep->sums)
			sweep->free -= sum_of(sweep, at, bits);
		for (; !sweep->sums && bits; bits &= bits - 1) {
			uint32_t node = at * MAUI_REPLAY_WORD + (uint32_t)__builtin_ctzll(bits);

			maui_replay_tally_drop(&sweep->tally, nodes->could[node]);
			nodes->could[node] = 0;
		}
	}
}

/* Whether a job finds the nodes of a gap at a time. In Slurm the plan is also in the way if it needs
 * them in the second in which the job would end. */
static bool is_usable(const struct sweep *sweep, const struct site_gap *gap, int64_t time)
{
	return gap->from <= time && gap->until > time + sweep->length;
}

static void pass_plan(struct sweep *sweep)
{
	const struct site_gap_list *begins = &sweep->nodes->gaps.begins;
	const struct site_gap_list *ends = &sweep->nodes->gaps.ends;

	for (; sweep->closed < ends->count &&
	       ends->gaps[sweep->closed].until <= sweep->time + sweep->length;
	     sweep->closed++)
		if (is_usable(sweep, &ends->gaps[sweep->closed], sweep->planned))
			close_gap(sweep, &ends->gaps[sweep->closed]);
	for (; sweep->opened < begins->count && begins->gaps[sweep->opened].from <= sweep->time;
	     sweep->opened++)
		if (is_usable(sweep, &begins->gaps[sweep->opened], sweep->time))
			open_gap(sweep, &begins->gaps[sweep->opened]);
	sweep->planned = sweep->time;
}

/* When the next gap begins that is long enough. */
static int64_t next_gap(struct sweep *sweep)
{
	const struct site_gap_list *begins = &sweep->nodes->gaps.begins;

	for (; sweep->opened < begins->count; sweep->opened++) {
		const struct site_gap *gap = &begins->gaps[sweep->opened];

		if (is_usable(sweep, gap, gap->from))
			return gap->from;
	}
	return INT64_MAX;
}

/* ---- what running jobs give back ---- */

static bool holds_member(const struct sweep *sweep, size_t run)
{
	struct site_end end = site_ends_of(sweep->nodes->ends, run);

	for (size_t i = 0; i < end.share_count; i++)
		if (maui_replay_has(sweep->members, end.shares[i].node))
			return true;
	return false;
}

/*
 * cons_tres does not look again after each job that ends, but after those whose ends are in a
 * window, which is wider for each look (S-SEL-15). What the first of them gives back counts only
 * from the end of the last on.
 */
static void find_group(struct sweep *sweep)
{
	const struct machine *machine = &sweep->replay->machine;
	struct site_group *group = &sweep->group;

	group->end = INT64_MAX;
	for (group->past = sweep->run; group->past < machine->count;) {
		const struct machine_run *run = &machine->runs[group->past++];

		if (!holds_member(sweep, group->past - 1))
			continue;
		group->end = run->expected;
		if (!group->windows.window || group->past == machine->count)
			return;
		maui_end_windows_see(&group->windows, run->expected);
		if (maui_end_windows_hold(&group->windows, run[1].expected))
			continue;
		maui_end_windows_widen(&group->windows, run[1].expected);
		return;
	}
}

static void give_back(struct sweep *sweep, size_t run, struct site_room *room)
{
	struct site_end end = site_ends_of(sweep->nodes->ends, run);

	for (size_t i = 0; i < end.unit_count; i++)
		room->units[end.units[i].at] += end.units[i].count;
	for (size_t i = 0; i < end.share_count; i++) {
		room->cpus[end.shares[i].node] += end.shares[i].cpus;
		room->memory[end.shares[i].node] += end.shares[i].memory;
		if (maui_replay_has(sweep->members, end.shares[i].node))
			sweep->all += end.shares[i].cpus;
	}
}

static uint64_t sum_of_all(const struct sweep *sweep)
{
	uint64_t sum = 0;

	for (uint32_t word = 0; word < sweep->nodes->words; word++)
		sum += sum_of(sweep, word, sweep->usable[word]);
	return sum;
}

/* The same of what jobs have given back, where no reservation keeps a part of it. */
static uint64_t sum_of_runs(const struct sweep *sweep, size_t first)
{
	uint64_t sum = 0;

	for (size_t run = first; run < sweep->run; run++) {
		struct site_end end = site_ends_of(sweep->nodes->ends, run);

		for (size_t i = 0; i < end.share_count; i++)
			if (maui_replay_has(sweep->usable, end.shares[i].node))
				sum += end.shares[i].cpus;
	}
	return sum;
}

/* The group ends in a room that has all before it. */
static void end_group(struct sweep *sweep, struct site_room *room)
{
	for (; sweep->run < sweep->group.past; sweep->run++)
		give_back(sweep, sweep->run, room);
	sweep->room = room;
	find_group(sweep);
}

/* Where the next step is, which others may have come to. False: there are too many. */
static bool take_step(struct sweep *sweep)
{
	const struct site_nodes *nodes = sweep->nodes;
	uint32_t set = sweep->request->set;
	const struct site_step *known;
	struct site_step *step;

	if (sweep->step == NO_STEP)
		return false;
	known = site_ends_step(nodes->ends, set, sweep->step + 1);
	if (known) {
		sweep->run = known->run;
		sweep->room = &known->room;
		sweep->group = known->next;
		sweep->all = known->free;
	} else {
		step = site_ends_add_step(nodes->ends, nodes, set);
		if (!step)
			return false;
		site_room_copy(nodes, sweep->room, &step->room);
		end_group(sweep, &step->room);
		step->run = sweep->run;
		step->next = sweep->group;
		step->free = sweep->all;
	}
	sweep->step++;
	return true;
}

static void look_at_runs(struct sweep *sweep, size_t first)
{
	for (size_t run = first; run < sweep->run; run++) {
		struct site_end end = site_ends_of(sweep->nodes->ends, run);

		for (size_t i = 0; i < end.share_count; i++)
			look_at(sweep, end.shares[i].node);
	}
}

static void pass_group(struct sweep *sweep)
{
	struct site_nodes *nodes = sweep->nodes;
	size_t first = sweep->run;

	if (!take_step(sweep)) {
		if (sweep->step != NO_STEP)
			site_room_copy(nodes, sweep->room, &nodes->sweep);
		sweep->step = NO_STEP;
		end_group(sweep, &nodes->sweep);
	}
	if (sweep->early)
		return;
	if (!sweep->sums)
		look_at_runs(sweep, first);
	else if (nodes->holds.count)
		sweep->free = sum_of_all(sweep);
	else
		sweep->free += sum_of_runs(sweep, first);
}

static void pass_runs(struct sweep *sweep)
{
	while (sweep->group.end <= sweep->time)
		pass_group(sweep);
}

/* The first step: no group has ended. */
static void begin_runs(struct sweep *sweep)
{
	const struct site_nodes *nodes = sweep->nodes;
	uint32_t set = sweep->request->set;
	const struct site_step *known = site_ends_step(nodes->ends, set, 0);
	struct site_step *step;

	sweep->all = nodes->set_free[set];
	if (known) {
		sweep->room = &known->room;
		sweep->group = known->next;
		return;
	}
	find_group(sweep);
	step = site_ends_add_step(nodes->ends, nodes, set);
	site_room_copy(nodes, &nodes->room, &step->room);
	sweep->room = &step->room;
	*step = (struct site_step){.next = sweep->group, .free = sweep->all, .room = step->room};
}

/* When something is given back next; INT64_MAX: never. */
static int64_t next_time(struct sweep *sweep)
{
	const struct site_holds *holds = &sweep->nodes->holds;
	int64_t next = sweep->group.end, gap = next_gap(sweep);

	if (gap < next)
		next = gap;
	if (sweep->ends < holds->count && holds->holds[holds->stand.ends[sweep->ends]].end < next)
		next = holds->holds[holds->stand.ends[sweep->ends]].end;
	return next;
}

/* The first look at each node: before a job has ended, at those that have something free. */
static void look_at_all(struct sweep *sweep)
{
	const struct site_nodes *nodes = sweep->nodes;

	memset(nodes->could, 0, nodes->nodes->count * sizeof(*nodes->could));
	for (size_t word = 0; word < nodes->words; word++)
		for (uint64_t left =
			     sweep->usable[word] & (sweep->run ? UINT64_MAX : nodes->open[word]);
		     left; left &= left - 1)
			look_at(sweep, (uint32_t)(word * MAUI_REPLAY_WORD) +
					       (uint32_t)__builtin_ctzll(left));
}

static void plan_offer_all(const struct sweep *sweep)
{
	struct site_nodes *nodes = sweep->nodes;

	nodes->candidate_count = 0;
	for (uint32_t word = 0; word < nodes->words; word++)
		for (uint64_t left = sweep->usable[word]; left; left &= left - 1) {
			uint32_t node = word * MAUI_REPLAY_WORD + (uint32_t)__builtin_ctzll(left);

			if (nodes->could[node])
				site_candidates_offer_to(nodes, sweep->request, node,
							 nodes->could[node]);
		}
}

/* What ends and begins up to its time. */
static void plan_pass_all(struct sweep *sweep)
{
	pass_runs(sweep);
	pass_plan(sweep);
	pass_holds(sweep);
}

/* The holds and the plan at its time, for the first time. */
static void begin_holds(struct sweep *sweep)
{
	memset(sweep->nodes->usable, 0, sweep->nodes->words * sizeof(*sweep->nodes->usable));
	sweep->usable = sweep->nodes->usable;
	sweep->free = 0;
	pass_plan(sweep);
	pass_holds(sweep);
}

/* Up to when enough processors would be free if nothing were kept. */
static void pass_early(struct sweep *sweep, int64_t last)
{
	sweep->early = true;
	begin_runs(sweep);
	pass_runs(sweep);
	while (sweep->all < sweep->procs && sweep->group.end <= last) {
		sweep->time = sweep->group.end;
		pass_runs(sweep);
	}
	sweep->early = false;
}

/* Then of those that are not kept. Only from then on is it worth while to look at what is free on
 * each node. */
static void pass_sums(struct sweep *sweep, int64_t last)
{
	sweep->sums = true;
	pass_early(sweep, last);
	begin_holds(sweep);
	while (sweep->free < sweep->procs && sweep->time <= last) {
		sweep->time = next_time(sweep);
		if (sweep->time <= last)
			plan_pass_all(sweep);
	}
	sweep->sums = false;
}

/* Until they are enough. INT64_MAX: not within bf_window. */
static int64_t sweep_on(struct sweep *sweep)
{
	int64_t last = sweep->replay->now + sweep->replay->site->parameters.window;

	pass_sums(sweep, last);
	if (sweep->time > last)
		return INT64_MAX;
	look_at_all(sweep);
	while (!maui_replay_tally_enough(&sweep->tally)) {
		sweep->time = next_time(sweep);
		if (sweep->time > last)
			return INT64_MAX;
		plan_pass_all(sweep);
	}
	return sweep->time;
}

int64_t site_plan_earliest(struct site_replay *replay, uint32_t job)
{
	struct site_nodes *nodes = replay->nodes;
	const struct maui_replay_request *request = maui_replay_request_of(nodes->requests, job);
	const struct maui_replay_parameters *parameters = &replay->site->parameters;
	struct sweep sweep = {.replay = replay,
			      .nodes = nodes,
			      .request = request,
			      .members = nodes->requests->sets[request->set].members,
			      .group.windows = {.window = parameters->first_window,
						.step = parameters->window_linear},
			      .usable = nodes->requests->sets[request->set].members,
			      .planned = INT64_MIN / 2,
			      .length = replay->trace->jobs[job].estimate,
			      .procs = replay->trace->jobs[job].procs};
	uint32_t number = nodes->requests->of[job];
	int64_t begin;

	sweep.time = site_known_earliest(nodes->known, number, sweep.length, replay->now);
	if (sweep.time == INT64_MAX)
		return INT64_MAX;
	site_barred_ask(replay, job, replay->now);
	site_ends_know(replay);
	if (nodes->holds.count)
		memset(nodes->held, 0, nodes->nodes->count * sizeof(*nodes->held));
	maui_replay_tally_open(&sweep.tally, request, nodes->requests->most_cpus, nodes->have);
	begin = sweep_on(&sweep);
	site_known_see(nodes->known, number, sweep.length, begin);
	if (nodes->holds.count)
		memset(nodes->held, 0, nodes->nodes->count * sizeof(*nodes->held));
	if (begin == INT64_MAX)
		return begin;
	nodes->found = sweep.room;
	plan_offer_all(&sweep);
	site_choice_make(replay, job, begin <= replay->now);
	return begin;
}

size_t site_plan_reserve(struct site_replay *replay, int64_t begin, int64_t end)
{
	struct site_nodes *nodes = replay->nodes;
	bool first = begin > replay->now && site_gaps_change(&nodes->gaps, begin);
	bool last = site_gaps_change(&nodes->gaps, end);

	memset(nodes->wanted, 0, nodes->words * sizeof(*nodes->wanted));
	for (uint32_t i = 0; i < nodes->chosen_count; i++) {
		uint32_t node = nodes->chosen[i].node;

		maui_replay_put(nodes->wanted, node);
		if (begin < nodes->planned[node])
			nodes->planned[node] = begin;
	}
	site_gaps_keep(&nodes->gaps, nodes->wanted, begin, end);
	return (size_t)first + last;
}
