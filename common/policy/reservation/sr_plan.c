/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pairs wanted windows with existing instances by reservation and date, and
 * makes steps in order: deletions, then the earliest windows.
 */
#include "common/policy/reservation/sr_plan.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"
#include "common/util/search.h"

/* An existing instance by its standing reservation and date. */
struct entry {
	uint32_t sr, existing;
	int64_t date;
	bool taken; /* a step covers it */
};

/* A window that has been worked out: most reservations have the times of many others. */
struct known_window {
	const struct maui_sr *sr; /* NULL: none has */
	int64_t index;
	enum maui_sr_need need;
	struct maui_sr_window window;
};
#define KNOWN_WINDOWS 64

struct planner {
	const struct maui_sr *list;
	size_t list_size;
	const struct maui_sr_existing *existing;
	struct entry *entries; /* sorted */
	size_t count;
	int64_t now;
	struct maui_sr_plan *plan;
	struct known_window known[KNOWN_WINDOWS]; /* by index, the last one */
};

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	if (a->sr != b->sr)
		return a->sr < b->sr ? -1 : 1;
	if (a->date != b->date)
		return a->date < b->date ? -1 : 1;
	return a->existing < b->existing ? -1 : a->existing > b->existing;
}

static int by_date(const void *key, const void *element)
{
	const struct entry *a = key, *b = element;

	if (a->sr != b->sr)
		return a->sr < b->sr ? -1 : 1;
	return a->date < b->date ? -1 : a->date > b->date;
}

/* The first one of a reservation and a date; NULL if there is none. */
static struct entry *sr_plan_find(const struct planner *planner, uint32_t sr, int64_t date)
{
	const struct entry key = {.sr = sr, .date = date};
	size_t at = maui_lower_bound(&key, planner->entries, planner->count, sizeof(key), by_date);

	if (at == planner->count || planner->entries[at].sr != sr ||
	    planner->entries[at].date != date)
		return NULL;
	return &planner->entries[at];
}

static void add_step(struct planner *planner, const struct maui_sr_step *step)
{
	planner->plan->steps[planner->plan->count++] = *step;
}

/* Starts that are both in the past are the same: what has begun has begun. */
static bool same_window(const struct planner *planner, const struct maui_sr_existing *existing,
			const struct maui_sr_window *window)
{
	bool begun = existing->start <= planner->now && window->start <= planner->now;

	return existing->end == window->end && (begun || existing->start == window->start);
}

static void sr_plan_keep(struct planner *planner, struct entry *entry, int64_t index,
			 const struct maui_sr_window *window)
{
	const struct maui_sr_existing *existing = &planner->existing[entry->existing];
	struct maui_sr_step step = {MAUI_SR_KEEP, entry->sr, entry->existing, index, *window};

	entry->taken = true;
	if (existing->spent)
		return;
	if (!same_window(planner, existing, window) &&
	    (!existing->in_use || (existing->start <= planner->now && existing->end < window->end)))
		step.action = MAUI_SR_RETIME;
	add_step(planner, &step);
}

static bool same_times(const struct maui_sr *a, const struct maui_sr *b)
{
	return a->period == b->period && a->start == b->start && a->end == b->end &&
	       a->week_end == b->week_end && a->until == b->until && a->days == b->days;
}

/* As maui_sr_window(). */
static enum maui_sr_need window_of(struct planner *planner, const struct maui_sr *sr,
				   uint32_t index, struct maui_sr_window *ret_window)
{
	struct known_window *known = &planner->known[index % KNOWN_WINDOWS];

	if (!known->sr || known->index != index || !same_times(known->sr, sr)) {
		known->sr = sr;
		known->index = index;
		known->need = maui_sr_window(sr, index, planner->now, &known->window);
	}
	*ret_window = known->window;
	return known->need;
}

/* The periods that are wanted, from the present one on. */
static void plan_wanted(struct planner *planner, uint32_t sr)
{
	const struct maui_sr *one = &planner->list[sr];
	struct maui_sr_window window;

	for (uint32_t index = 0; one->usable && index < one->depth; index++) {
		struct entry *entry;

		if (window_of(planner, one, index, &window) != MAUI_SR_WANTED)
			continue;
		entry = sr_plan_find(planner, sr, window.date);
		if (entry)
			sr_plan_keep(planner, entry, index, &window);
		else
			add_step(planner, &(struct maui_sr_step){MAUI_SR_CREATE, sr,
								 MAUI_SR_NO_INDEX, index, window});
	}
}

/* Whether an instance of a past period is still open by the present maui.cfg. */
static bool still_open(const struct planner *planner, const struct entry *entry, int64_t *ret_index,
		       struct maui_sr_window *ret_window)
{
	const struct maui_sr *sr = &planner->list[entry->sr];

	if (!sr->usable)
		return false;
	*ret_index = maui_sr_index(sr, entry->date, planner->now);
	return *ret_index < 0 && *ret_index != INT64_MIN &&
	       maui_sr_window(sr, *ret_index, planner->now, ret_window) == MAUI_SR_WANTED;
}

/* Those that no period asks for. */
static void plan_rest(struct planner *planner, struct entry *entry)
{
	const struct maui_sr_existing *existing = &planner->existing[entry->existing];
	struct maui_sr_step step = {
		.action = MAUI_SR_DELETE, .sr = entry->sr, .existing = entry->existing};
	bool first = entry == planner->entries || entry[-1].sr != entry->sr ||
		     entry[-1].date != entry->date;

	if (existing->spent)
		return;
	if (first && entry->sr < planner->list_size &&
	    still_open(planner, entry, &step.index, &step.window)) {
		sr_plan_keep(planner, entry, step.index, &step.window);
		return;
	}
	if (existing->in_use && !existing->once && existing->end > planner->now) {
		step.action = MAUI_SR_KEEP;
		step.window = (struct maui_sr_window){
			entry->date, existing->start, existing->end,
			existing->start > planner->now ? existing->start : planner->now};
	}
	add_step(planner, &step);
}

/* Deletions first; then the earliest windows. */
static int compare_steps(const void *left, const void *right)
{
	const struct maui_sr_step *a = left, *b = right;
	bool goes = a->action == MAUI_SR_DELETE;

	if (goes != (b->action == MAUI_SR_DELETE))
		return goes ? -1 : 1;
	if (goes)
		return a->existing < b->existing ? -1 : a->existing > b->existing;
	if (a->window.from != b->window.from)
		return a->window.from < b->window.from ? -1 : 1;
	if (a->sr != b->sr)
		return a->sr < b->sr ? -1 : 1;
	return a->window.date < b->window.date ? -1 : a->window.date > b->window.date;
}

/* Existing ones count first: a new one is made only if there is room besides them. */
static void count_steps(struct maui_sr_plan *plan)
{
	size_t kept = 0, used = 0;

	for (size_t i = 0; i < plan->count; i++) {
		plan->to_keep += plan->steps[i].action == MAUI_SR_KEEP;
		plan->to_retime += plan->steps[i].action == MAUI_SR_RETIME;
		plan->to_delete += plan->steps[i].action == MAUI_SR_DELETE;
	}
	used = plan->to_keep + plan->to_retime;
	for (size_t i = 0; i < plan->count; i++) {
		if (plan->steps[i].action == MAUI_SR_CREATE) {
			if (used + plan->to_create >= MAUI_SR_INSTANCES) {
				plan->left_out++;
				continue;
			}
			plan->to_create++;
		}
		plan->steps[kept++] = plan->steps[i];
	}
	plan->count = kept;
}

static void sr_plan_make(struct planner *planner)
{
	for (size_t i = 0; i < planner->count; i++) {
		const struct maui_sr_existing *existing = &planner->existing[i];
		uint32_t sr = existing->sr < planner->list_size ? existing->sr : MAUI_SR_NO_INDEX;

		planner->entries[i] = (struct entry){sr, (uint32_t)i, existing->date, false};
	}
	if (planner->count)
		qsort(planner->entries, planner->count, sizeof(*planner->entries), compare_entries);
	for (size_t sr = 0; sr < planner->list_size; sr++)
		plan_wanted(planner, (uint32_t)sr);
	for (size_t i = 0; i < planner->count; i++)
		if (!planner->entries[i].taken)
			plan_rest(planner, &planner->entries[i]);
	if (planner->plan->count)
		qsort(planner->plan->steps, planner->plan->count, sizeof(*planner->plan->steps),
		      compare_steps);
	count_steps(planner->plan);
}

void maui_sr_plan_make(const struct maui_sr *list, size_t list_size,
		       const struct maui_sr_existing *existing, size_t existing_count, int64_t now,
		       struct maui_sr_plan *ret_plan)
{
	struct maui_sr_plan plan = {.steps = NULL};
	struct planner planner = {.list = list,
				  .list_size = list_size,
				  .existing = existing,
				  .count = existing_count,
				  .now = now,
				  .plan = &plan};
	size_t room = existing_count + 1;

	for (size_t i = 0; i < list_size; i++)
		room += list[i].depth;
	plan.steps = maui_calloc(room, sizeof(*plan.steps));
	planner.entries = maui_calloc(existing_count + 1, sizeof(*planner.entries));
	sr_plan_make(&planner);
	free(planner.entries);
	*ret_plan = plan;
}

void maui_sr_plan_clear(struct maui_sr_plan *plan)
{
	free(plan->steps);
	*plan = (struct maui_sr_plan){.steps = NULL};
}
