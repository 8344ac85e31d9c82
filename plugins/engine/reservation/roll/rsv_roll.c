/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One roll in order: copies Slurm's records, plans, saves new names, carries
 * out each step, and keeps the outcome for the next roll.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/roll/rsv_roll.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/state/rsv_release.h"
#include "common/util/memory.h"
#include "plugins/engine/policy/policy_read.h"
#include "plugins/engine/reservation/roll/rsv_open.h"
#include "plugins/engine/reservation/roll/rsv_placing.h"
#include "plugins/engine/reservation/roll/rsv_roll_private.h"
#include "plugins/engine/reservation/roll/rsv_unknown.h"
#include "plugins/engine/reservation/roll/rsv_world.h"
#include "plugins/engine/reservation/rsv_gap_cache.h"
#include "plugins/engine/reservation/rsv_name_table.h"
#include "plugins/engine/reservation/rsv_policy.h"
#include "plugins/engine/reservation/rsv_view.h"
#include "plugins/engine/reservation/rsv_when.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/pass.h"
#include "plugins/engine/slurm/slurmctld.h"

/* If Slurm cannot place a reservation yet, as after its start, or has lost it, try again after this
 * many seconds. */
#define BUSY 5

/*
 * Slurm saves a deletion seconds later: killed before that, it brings the reservation back. If its
 * name were forgotten by then, it would be taken for somebody else's and stay for ever.
 */
#define REMEMBERED 60

/* The last roll's outcome; only the engine's thread writes. */
ENGINE_GUARDED static struct {
	struct rsv_rolled *outcome;
	size_t count;
	struct maui_error failure; /* why it did nothing; "": it did its work */
} rolling;

/* ---- other input to a roll ---- */

/* Whether a job that begins or ends on these nodes may end the instance. */
ENGINE_LOCKED static bool is_use(const struct rsv_seen *seen, bitstr_t *nodes, int64_t now)
{
	const struct maui_sr *list;

	if (!seen->ours || !seen->nodes || seen->instance.start > now ||
	    bit_size(seen->nodes) != bit_size(nodes) || !bit_overlap_any(seen->nodes, nodes))
		return false;
	return rsv_policy_list(&list) <= seen->sr || (list[seen->sr].flags & MAUI_SR_SINGLEUSE);
}

ENGINE_LOCKED static void note_begin(const char *name, int64_t now)
{
	struct maui_rsv_name *known = maui_rsv_names_find(rsv_name_table(), name);

	if (known)
		rsv_name_table_changed(maui_rsv_release_begin(known, now));
}

void rsv_roll_job(const job_record_t *job, bool begins)
{
	const struct rsv_seen *list;
	bitstr_t *nodes = jobrec_nodes(job);
	int64_t now = time(NULL);
	size_t count;

	if (!rsv_pass_has(job) || !nodes)
		return;
	engine_lock();
	count = rsv_policy_known() ? rsv_view(&list, now) : 0;
	for (size_t i = 0; i < count; i++) {
		if (!is_use(&list[i], nodes, now))
			continue;
		if (begins)
			note_begin(list[i].name, now);
		rsv_when_now();
	}
	engine_unlock();
}

void rsv_roll_freed(const job_record_t *job)
{
	bitstr_t *nodes = jobrec_nodes(job);

	if (!nodes)
		return;
	engine_lock();
	if (rsv_gap_cache_freed(nodes))
		rsv_when_now();
	engine_unlock();
}

bool rsv_roll_cancel(const char *name)
{
	struct maui_rsv_name *known = maui_rsv_names_find(rsv_name_table(), name);

	if (!known)
		return false;
	rsv_name_table_changed(maui_rsv_release_cancel(known));
	rsv_when_now();
	return true;
}

/* ---- what exists ---- */

/* NULL: maui.cfg no longer has it. */
static const struct maui_sr *sr_at(const struct rsv_roll *roll, uint32_t place)
{
	return place == MAUI_SR_NO_INDEX ? NULL : &roll->list[place];
}

ENGINE_LOCKED static void add_there(struct rsv_roll *roll, struct rsv_there *there)
{
	struct maui_rsv_name *known = maui_rsv_names_find(rsv_name_table(), there->name);
	struct maui_sr_existing *one = &roll->existing[roll->existing_count++];
	const struct maui_sr *sr;
	uint32_t number;

	/* Before Slurm continues without us, remove all of ours: jobs keep running. */
	*one = (struct maui_sr_existing){.start = there->start,
					 .end = there->end,
					 .in_use = there->in_use && !engine_is_disabled()};
	one->sr = rsv_policy_find(there->name, &one->date);
	one->once = maui_sr_once_parse(there->name, &number);
	sr = sr_at(roll, one->sr);
	there->rolled = known ? known->rolled : 0;
	if (known)
		rsv_name_table_changed(maui_rsv_release_see(known, sr, there->in_use,
							    roll->world.now, &roll->again));
	one->spent = maui_rsv_released(known, sr);
}

ENGINE_LOCKED static bool may_come_back(struct maui_rsv_name *known, int64_t now)
{
	if (!known->gone)
		known->gone = now;
	rsv_name_table_changed(maui_rsv_release_forget(known));
	return now >= known->gone && now - known->gone < REMEMBERED;
}

/* Those no longer in Slurm: spent ones are remembered for their period, others for a while. Both
 * lists are sorted by name. */
ENGINE_LOCKED static void add_gone(struct rsv_roll *roll)
{
	struct maui_rsv_names *table = rsv_name_table();
	size_t there = roll->world.there_count;

	for (size_t i = table->count; i-- > 0;) {
		struct maui_rsv_name *known = table->names[i];
		struct maui_sr_existing one = {.spent = true};
		const struct maui_sr *sr;

		while (there && strcmp(roll->world.there[there - 1].name, known->name) > 0)
			there--;
		if (there && !strcmp(roll->world.there[there - 1].name, known->name)) {
			known->gone = 0;
			continue;
		}
		one.sr = rsv_policy_find(known->name, &one.date);
		sr = sr_at(roll, one.sr);
		if (sr && maui_rsv_released(known, sr) &&
		    maui_sr_index(sr, one.date, roll->world.now) >= 0) {
			roll->existing[roll->existing_count++] = one;
			continue;
		}
		/* What was used up or cancelled must still be so when the engine is enabled
		 * again. */
		if (engine_is_disabled() && (known->spent || known->cancelled))
			continue;
		if (may_come_back(known, roll->world.now))
			continue;
		maui_rsv_names_drop(table, known->name);
		rsv_name_table_changed(true);
	}
}

static void look_at_existing(struct rsv_roll *roll)
{
	size_t room;

	engine_lock();
	room = roll->world.there_count + rsv_name_table()->count + 1;
	roll->existing = maui_calloc(room, sizeof(*roll->existing));
	for (size_t i = 0; i < roll->world.there_count; i++)
		add_there(roll, &roll->world.there[i]);
	add_gone(roll);
	engine_unlock();
}

/* ---- the plan ---- */

const char *rsv_roll_name(const struct rsv_roll *roll, const struct maui_sr_step *step,
			  char text[MAUI_SR_INSTANCE_SIZE])
{
	if (step->existing != MAUI_SR_NO_INDEX)
		return roll->world.there[step->existing].name;
	return maui_sr_name_at(&roll->list[step->sr], step->window.date, text);
}

/* No reservation is made before its name is on disk. */
static int write_names(struct rsv_roll *roll, struct maui_error *why)
{
	char text[MAUI_SR_INSTANCE_SIZE];

	engine_lock();
	for (size_t i = 0; i < roll->plan.count; i++) {
		const struct maui_sr_step *step = &roll->plan.steps[i];
		const char *name = rsv_roll_name(roll, step, text);

		if (step->action != MAUI_SR_CREATE || maui_rsv_names_find(rsv_name_table(), name))
			continue;
		maui_rsv_names_add(rsv_name_table(), name);
		rsv_name_table_changed(true);
	}
	engine_unlock();
	return rsv_name_table_save(why);
}

/* ---- its outcome ---- */

/* By name. Those in the name table are in that order if their places are. */
static int compare_outcomes(const void *left, const void *right)
{
	const struct rsv_rolled *a = left, *b = right;

	if (a->place && b->place)
		return (a->place > b->place) - (a->place < b->place);
	return strcmp(a->name, b->name);
}

/* The engine's thread needs no mutex for this: only it writes. */
LOCK_NOT_FOLLOWED const struct rsv_rolled *
rsv_roll_before(const struct rsv_roll *roll, const struct maui_sr_step *step, const char *name)
{
	uint32_t rolled;
	struct rsv_rolled key = {.place = 0};

	if (!rolling.count)
		return NULL;
	if (step->existing != MAUI_SR_NO_INDEX) {
		rolled = roll->world.there[step->existing].rolled;
		return rolled ? &rolling.outcome[rolled - 1] : NULL;
	}
	snprintf(key.name, sizeof(key.name), "%s", name);
	return bsearch(&key, rolling.outcome, rolling.count, sizeof(key), compare_outcomes);
}

static bool same_outcome(const struct rsv_rolled *a, const struct rsv_rolled *b)
{
	return a->there == b->there && a->returns == b->returns && a->start == b->start &&
	       a->end == b->end && !xstrcmp(a->nodes, b->nodes) && !xstrcmp(a->waits, b->waits) &&
	       !strcmp(a->name, b->name);
}

/* Whether the roll left all as the one before did. Both are sorted; the mutex is held. */
ENGINE_LOCKED static bool nothing_new(const struct rsv_roll *roll)
{
	bool same = !roll->changed && roll->outcome_count == rolling.count;

	for (size_t i = 0; same && i < rolling.count; i++)
		same = same_outcome(&roll->outcome[i], &rolling.outcome[i]);
	return same;
}

/* Sorted by name, and found by it from now on. */
ENGINE_LOCKED static void sort_outcome(struct rsv_rolled *outcome, size_t count)
{
	struct maui_rsv_names *table = rsv_name_table();

	for (size_t i = 0; i < count; i++)
		outcome[i].place = maui_rsv_names_place(table, outcome[i].name);
	if (count)
		qsort(outcome, count, sizeof(*outcome), compare_outcomes);
	for (size_t i = 0; i < table->count; i++)
		table->names[i]->rolled = 0;
	for (size_t i = 0; i < count; i++)
		if (outcome[i].place)
			table->names[outcome[i].place - 1]->rolled = (uint32_t)i + 1;
}

/* ---- existing reservations ---- */

/* They are not in the plan, but still in Slurm. */
static void remove_spent(struct rsv_roll *roll)
{
	for (size_t i = 0; i < roll->world.there_count; i++)
		if (roll->existing[i].spent)
			rsv_roll_remove(roll, roll->world.there[i].name);
}

static void see_existing(struct rsv_roll *roll)
{
	for (size_t i = 0; i < roll->world.there_count; i++)
		if (!roll->existing[i].spent)
			rsv_placing_see(roll->placing, i, roll->existing[i].sr);
}

/* ---- the whole roll ---- */

/* False if the engine is no longer in charge. */
static bool roll_prepare(struct rsv_roll *roll)
{
	if (rsv_world_look(&roll->world))
		return false;
	engine_lock();
	roll->list_size = rsv_policy_list(&roll->list);
	engine_unlock();
	rsv_unknown_tell(&roll->world, roll->list, roll->list_size);
	look_at_existing(roll);
	maui_sr_plan_make(roll->list, roll->list_size, roll->existing, roll->existing_count,
			  roll->world.now, &roll->plan);
	roll->placing = rsv_placing_new(&roll->world, roll->list, roll->list_size);
	roll->outcome = maui_calloc(roll->plan.count + 1, sizeof(*roll->outcome));
	roll->named = maui_calloc(roll->list_size + 1, sizeof(*roll->named));
	see_existing(roll);
	return true;
}

static void carry_out(struct rsv_roll *roll)
{
	if (!engine_is_shadow()) {
		roll->open = rsv_open_wanted();
		rsv_open_all(&roll->world, roll->open);
		remove_spent(roll);
	}
	for (size_t i = 0; i < roll->plan.count && engine_may_look(); i++)
		rsv_roll_step(roll, &roll->plan.steps[i]);
	if (roll->plan.left_out)
		error("maui: %zu instances of standing reservations are not made: there would be "
		      "more than "
		      "%u",
		      roll->plan.left_out, MAUI_SR_INSTANCES);
}

static void clear_outcome(struct rsv_rolled *outcome, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		xfree(outcome[i].nodes);
		xfree(outcome[i].waits);
	}
	free(outcome);
}

/* The next time that a window begins or ends. */
static int64_t next_boundary(const struct rsv_roll *roll)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < roll->outcome_count; i++) {
		int64_t start = roll->outcome[i].start, end = roll->outcome[i].end;

		if (start > roll->world.now && start < next)
			next = start;
		if (end > roll->world.now && end < next)
			next = end;
	}
	return next;
}

/* The mutex is held. Returns whether anything is missing. */
ENGINE_LOCKED static bool keep(struct rsv_roll *roll, uint64_t generation)
{
	bool partial = roll->again;

	sort_outcome(roll->outcome, roll->outcome_count);
	roll->same = nothing_new(roll);
	clear_outcome(rolling.outcome, rolling.count);
	rolling.outcome = roll->outcome;
	rolling.count = roll->outcome_count;
	rolling.failure.text[0] = '\0';
	for (size_t i = 0; i < rolling.count; i++) {
		partial |= rolling.outcome[i].missing || rolling.outcome[i].status;
		roll->soon |= rolling.outcome[i].status == ESLURM_NODES_BUSY;
	}
	rsv_when_end(generation, next_boundary(roll), partial);
	if (roll->soon)
		engine.retry = fmin(engine.retry, monotonic_seconds() + BUSY);
	roll->outcome = NULL;
	roll->outcome_count = 0;
	if (!roll->same)
		rsv_view_forget();
	return partial;
}

static void roll_clear(struct rsv_roll *roll)
{
	clear_outcome(roll->outcome, roll->outcome_count);
	maui_sr_plan_clear(&roll->plan);
	rsv_placing_free(roll->placing);
	for (size_t i = 0; roll->named && i < roll->list_size; i++) {
		FREE_NULL_BITMAP(roll->named[i].nodes);
		xfree(roll->named[i].text);
	}
	free(roll->named);
	FREE_NULL_BITMAP(roll->lacked);
	free(roll->existing);
	rsv_world_clear(&roll->world);
}

/* What cannot be rolled yet stays as it is, and nobody waits for it. */
static bool roll_begin(uint64_t *ret_generation)
{
	bool wanted;

	engine_lock();
	wanted = rsv_when_begin(ret_generation);
	if (wanted && (rsv_name_table_is_unread() || policy_waits() || engine.disabled_unread)) {
		rsv_gap_cache_settle();
		wanted = false;
	}
	engine_unlock();
	return wanted;
}

/* Returns whether jobs have been kept off nodes for this roll. No lock held. */
static bool fill_gap_cache(struct rsv_roll *roll, bool partial)
{
	slurmctld_lock_t node_read = {.node = READ_LOCK};
	bool kept_off;

	if (engine_is_shadow())
		return false;
	lock_slurmctld(node_read);
	engine_lock();
	if (!rsv_gap_cache_keep(rolling.outcome, rolling.count, roll->same,
				partial ? rsv_world_down(&roll->world) : NULL))
		rsv_view_forget();
	kept_off = rsv_gap_cache_lack(roll->lacked);
	roll->lacked = NULL;
	rsv_view_settle(time(NULL));
	engine_unlock();
	unlock_slurmctld(node_read);
	return kept_off;
}

/* Reservations stay as they are, and nobody waits any longer. */
static void fail_roll(const struct maui_error *why)
{
	engine_lock();
	rsv_gap_cache_settle();
	rolling.failure = *why;
	engine_unlock();
}

void rsv_roll_run(void)
{
	struct maui_error why = {""};
	struct rsv_roll roll = {.open = false};
	uint64_t generation;
	bool ready, partial;

	if (!roll_begin(&generation))
		return;
	ready = roll_prepare(&roll);
	if (ready && (engine_is_shadow() || !write_names(&roll, &why))) {
		carry_out(&roll);
		engine_lock();
		partial = keep(&roll, generation);
		engine_unlock();
		if (fill_gap_cache(&roll, partial) || roll.changed)
			slurmctld_schedule();
	} else if (ready) {
		fail_roll(&why);
	}
	roll_clear(&roll);
}

size_t rsv_roll_outcome(const struct rsv_rolled **ret_list)
{
	*ret_list = rolling.outcome;
	return rolling.count;
}

const char *rsv_roll_failure(void)
{
	return rolling.failure.text;
}

const struct module rsv_roll_module = {.after = rsv_roll_run, .plans = true};
