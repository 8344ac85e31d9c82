/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * StateSaveLocation/maui/idle: the cost of idle cycles that is not yet in the windows' files. Those
 * are written minutes apart, and nothing else has what a killed process had counted: Slurm
 * remembers jobs, not their absence.
 */
#include "plugins/compat/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/state/idle_charges.h"
#include "common/util/grow.h"
#include "common/util/memory.h"
#include "plugins/engine/fairshare/fairshare_private.h"
#include "plugins/engine/fairshare/rsv_idle.h"
#include "plugins/engine/fairshare/rsv_idle_private.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/runtime.h"

/* What a payer owes for one pass in one window. */
struct cost {
	struct maui_idle_payer payer;
	uint64_t pass;
	int64_t from, to;
	double amount; /* processor-seconds */
};

struct costs {
	struct cost *list;
	size_t count, room;
	uint64_t pass;
};

/* Charged to the windows, and not in their files yet. */
ENGINE_GUARDED static struct costs unsaved;

/* Read, and to be charged once it is known what their windows' files have. */
ENGINE_GUARDED static struct maui_idle_charges waiting;

/* The windows when counting began, the newest first, and up to when their files have counted. */
struct begun {
	int64_t start, counted;
};

ENGINE_GUARDED static struct {
	struct begun list[MAUI_FS_MAX_DEPTH];
	uint32_t count;
} begun;

/* What the file says, and what is to be written: the engine's thread. */
static struct maui_idle_charges found, copy;

static void charge_late(enum state_answer answer);
static void idle_file_gather(void *state);
static bool is_charged_on(void);

/* It is read when fairshare begins to count. */
struct state_file idle_file = {
	.format = &maui_idle_charges_file,
	.interval = 3,
	.found = &found,
	.on_demand = true,
	.late = charge_late,
	.gather = idle_file_gather,
	.copy = &copy,
	.changes = is_charged_on,
};

/* ---- costs ---- */

/* The entry to extend with the same payer's time; NULL. Beyond what the file can hold, passes are
 * not told apart. */
static struct cost *idle_file_find(const struct costs *costs, const struct cost *cost,
				   int64_t interval)
{
	bool full = costs->count >= MAUI_IDLE_CHARGES_MAX;

	for (size_t i = costs->count; i-- > 0;) {
		struct cost *other = &costs->list[i];

		if (other->pass != cost->pass && !full)
			return NULL;
		if (other->payer.type == cost->payer.type && other->payer.id == cost->payer.id &&
		    (full || maui_fairshare_window(interval, other->from) ==
				     maui_fairshare_window(interval, cost->from)))
			return other;
	}
	return NULL;
}

static void add_cost(struct costs *costs, const struct cost *cost, int64_t interval)
{
	struct cost *other = idle_file_find(costs, cost, interval);

	if (other) {
		other->amount += cost->amount;
		other->from = cost->from < other->from ? cost->from : other->from;
		other->to = cost->to > other->to ? cost->to : other->to;
		return;
	}
	costs->list = maui_grow(costs->list, costs->count + 1, &costs->room, sizeof(*costs->list));
	costs->list[costs->count++] = *cost;
}

/* Each window has its own file: a span that crosses its end becomes two costs. */
static void add_span(struct costs *costs, const struct maui_idle_span *span, int64_t interval)
{
	for (int64_t from = span->from, to; from < span->to; from = to) {
		struct cost cost = {.payer = span->payer, .pass = costs->pass, .from = from};

		to = maui_fairshare_window(interval, from) + interval;
		if (to > span->to)
			to = span->to;
		cost.to = to;
		cost.amount = span->rate * (double)(to - from);
		add_cost(costs, &cost, interval);
	}
}

/* ---- called by the other files; the mutex is held ---- */

void rsv_idle_changed(void)
{
	idle_file.changed = true;
	if (idle_file.not_before <= monotonic_seconds())
		pthread_cond_signal(&engine.wake);
}

void rsv_idle_pass_begins(void)
{
	unsaved.pass++;
}

void rsv_idle_charged(const struct maui_idle_span *span, int64_t interval)
{
	add_span(&unsaved, span, interval);
}

void rsv_idle_forget(void)
{
	unsaved.count = 0;
	maui_idle_charges_clear(&waiting);
	begun.count = 0;
	idle_file.changed = false;
}

size_t rsv_idle_mark(void)
{
	return unsaved.count;
}

/* Its window's file is not written, since it cannot be read. */
ENGINE_LOCKED static bool is_unwritten(const struct cost *cost)
{
	int64_t interval = maui_fairshare_settings_of(fairshare.windows)->interval;

	return fairshare_unread_has(maui_fairshare_window(interval, cost->from));
}

void rsv_idle_written(size_t mark)
{
	struct costs *costs = &unsaved;
	size_t left = 0;

	if (!mark || mark > costs->count || !fairshare.windows)
		return;
	for (size_t i = 0; i < costs->count; i++)
		if (i >= mark || is_unwritten(&costs->list[i]))
			costs->list[left++] = costs->list[i];
	costs->count = left;
	idle_file.changed = true;
}

/* Something is idle at somebody's expense. */
static bool is_charged_on(void)
{
	const struct maui_idle *idle;

	engine_assert_locked();
	idle = rsv_idle_now();
	return idle && maui_idle_rate(idle) > 0;
}

/* ---- reading ---- */

/* The newest window that had begun by then, as it was when counting began; NULL: it is too old. */
ENGINE_LOCKED static struct begun *begun_at(int64_t time)
{
	for (uint32_t k = 0; k < begun.count; k++)
		if (time >= begun.list[k].start)
			return &begun.list[k];
	return NULL;
}

/* Charge the part that is not in the window's file. */
ENGINE_LOCKED static void charge_rest(struct maui_fairshare *windows, int64_t counted,
				      const struct maui_idle_charge *charge)
{
	uint32_t credential[MAUI_CREDENTIALS] = {0};
	double rate = (double)charge->cost / 1000 / (double)(charge->to - charge->from);
	struct cost cost = {.payer = {charge->type, 0}, .from = charge->from, .to = charge->to};

	if (cost.from < counted)
		cost.from = counted;
	cost.payer.id = maui_names_of_written(in_force.names, charge->type, charge->name);
	if (cost.from >= cost.to || !cost.payer.id ||
	    maui_fairshare_reserve(windows, charge->type,
				   maui_names_count(in_force.names, charge->type)))
		return;
	credential[charge->type] = cost.payer.id;
	maui_fairshare_charge(windows, credential, rate, cost.from, cost.to);
	cost.amount = rate * (double)(cost.to - cost.from);
	cost.pass = ++unsaved.pass; /* keep each separate until the windows are written */
	add_cost(&unsaved, &cost, maui_fairshare_settings_of(windows)->interval);
}

/* What belongs to windows whose files cannot be read now waits for them. */
ENGINE_LOCKED static void charge_all(struct maui_fairshare *windows,
				     const struct maui_idle_charges *charges)
{
	for (size_t i = 0; i < charges->count; i++) {
		const struct maui_idle_charge *charge = &charges->list[i];
		const struct begun *window = begun_at(charge->from);

		if (window && window->counted == MAUI_FS_NOT_KNOWN)
			maui_idle_charges_add(&waiting, charge);
		else if (window)
			charge_rest(windows, window->counted, charge);
	}
	idle_file.changed |= charges->count > 0;
}

void rsv_idle_resume(struct maui_fairshare *windows, const int64_t *counted)
{
	char *directory;

	engine_lock();
	begun.count = maui_fairshare_settings_of(windows)->depth;
	for (uint32_t k = 0; k < begun.count; k++)
		begun.list[k] = (struct begun){maui_fairshare_start(windows, k), counted[k]};
	directory = engine_state_directory();
	engine_unlock();
	state_read(&idle_file, directory);
	free(directory);
	engine_lock();
	charge_all(windows, &found);
	engine_unlock();
	maui_idle_charges_clear(&found);
}

void rsv_idle_learn(struct maui_fairshare *windows, int64_t start, int64_t counted)
{
	struct maui_idle_charges charges = waiting;

	for (uint32_t k = 0; k < begun.count; k++)
		if (begun.list[k].start == start)
			begun.list[k].counted = counted;
	waiting = (struct maui_idle_charges){0};
	charge_all(windows, &charges);
	maui_idle_charges_clear(&charges);
}

static void charge_late(enum state_answer answer)
{
	(void)answer;
	engine_lock();
	if (fairshare.windows)
		charge_all(fairshare.windows, &found);
	engine_unlock();
}

/* ---- writing ---- */

struct gathering {
	struct costs *costs;
	int64_t interval;
};

static void gather_span(const struct maui_idle_span *span, void *context)
{
	struct gathering *gathering = context;

	add_span(gathering->costs, span, gathering->interval);
}

/* What has been charged, and what will be. The mutex is held. */
ENGINE_LOCKED static void copy_costs(struct costs *ret_costs)
{
	const struct maui_idle *idle = rsv_idle_now();
	const struct maui_fairshare *windows = fairshare_windows(NULL);
	struct costs costs = unsaved;

	costs.room = costs.count + 64;
	costs.list = maui_calloc(costs.room, sizeof(*costs.list));
	if (costs.count)
		memcpy(costs.list, unsaved.list, costs.count * sizeof(*costs.list));
	costs.pass++;
	if (idle && windows) {
		struct gathering gathering = {&costs,
					      maui_fairshare_settings_of(windows)->interval};

		maui_idle_look(idle, time(NULL), gather_span, &gathering);
	}
	*ret_costs = costs;
}

ENGINE_LOCKED static void name_costs(const struct costs *costs, struct maui_idle_charges *charges)
{
	char text[MAUI_PRINCIPAL_TEXT_SIZE];

	for (size_t i = 0; i < costs->count; i++) {
		const struct cost *cost = &costs->list[i];
		struct maui_idle_charge charge = {
			.type = cost->payer.type,
			.name = maui_names_written(in_force.names, cost->payer.type, cost->payer.id,
						   text),
			.from = cost->from,
			.to = cost->to,
			.cost = llround(
				fmin(cost->amount * 1000, (double)MAUI_IDLE_CHARGES_MAX_COST)),
		};

		if (charge.name && charge.cost > 0)
			maui_idle_charges_add(charges, &charge);
	}
}

static void idle_file_gather(void *state)
{
	struct costs costs = {0};

	engine_assert_locked();
	copy_costs(&costs);
	name_costs(&costs, state);
	for (size_t i = 0; i < waiting.count; i++)
		maui_idle_charges_add(state, &waiting.list[i]);
	free(costs.list);
}

void rsv_idle_save(void)
{
	struct maui_error why = {""};

	state_write(&idle_file, &why);
}
