/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the triggers that are due, writes them to the file `triggers` as fired,
 * then cancels the reservation or starts the program.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/trigger/rsv_trigger.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/util/memory.h"
#include "plugins/engine/reservation/roll/rsv_roll.h"
#include "plugins/engine/reservation/rsv_policy.h"
#include "plugins/engine/reservation/trigger/rsv_action.h"
#include "plugins/engine/reservation/trigger/rsv_load.h"
#include "plugins/engine/reservation/trigger/rsv_trigger_private.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/runtime.h"
#include "common/state/triggers.h"

/* Seconds until a retry, when too many programs run or the file could not be written. */
#define AGAIN 2.0

ENGINE_GUARDED static struct {
	bool unread; /* it will be known which have fired: until then none does */
	bool lost;   /* the file is unusable: past events count as fired */
	struct maui_fired fired;
	double due;
} triggers = {.due = INFINITY};

struct going_offs {
	struct rsv_going_off list[RSV_ACTIONS];
	size_t count, room; /* programs that can still be started; cancel needs none */
	int64_t now;
	double next; /* seconds until the next one is due */
};

/* ---- the file ---- */

/* What the file says, until it is adopted: the thread that begins, then the engine's own. */
static struct maui_fired found;

static void take_late(enum state_answer answer);

struct state_file triggers_file = {
	.format = &maui_fired_file,
	.interval = AGAIN,
	.found = &found,
	.late = take_late,
	.live = &triggers.fired,
};

ENGINE_LOCKED static void take(enum state_answer answer)
{
	maui_fired_clear(&triggers.fired);
	triggers.fired = found;
	found = (struct maui_fired){0};
	triggers.unread = answer == STATE_NOT_NOW;
	triggers.lost = !triggers.unread && answer != STATE_READ && answer != STATE_ABSENT;
	triggers.due = triggers.unread ? INFINITY : 0;
}

static void take_late(enum state_answer answer)
{
	engine_lock();
	take(answer);
	engine_unlock();
}

/* 0 or a negative errno. */
static int trigger_save(void)
{
	struct maui_error why = {""};
	bool changed;

	engine_lock();
	changed = triggers_file.changed;
	engine_unlock();
	return changed ? state_write(&triggers_file, &why) : 0;
}

/* ---- what exists; the mutex is held ---- */

ENGINE_LOCKED static const struct maui_sr *standing_of(const char *instance)
{
	const struct maui_sr *list;
	int64_t date;
	uint32_t at = rsv_policy_find(instance, &date);

	return at < rsv_policy_list(&list) ? &list[at] : NULL;
}

/* It may have fired before: do not fire it twice. */
static void pass_over(struct maui_fired_trigger *one, const struct maui_sr_trigger *trigger,
		      int64_t now)
{
	if (trigger->event != MAUI_SR_ON_END && maui_fired_when(one, trigger) <= now)
		one->fired |= maui_fired_bit(trigger->event);
}

ENGINE_LOCKED static void see(const struct rsv_rolled *rolled, int64_t now)
{
	const struct maui_sr *sr = standing_of(rolled->name);
	struct maui_fired_trigger *one = maui_fired_find(&triggers.fired, rolled->name);

	if (!rolled->there || !sr || sr->on.event == MAUI_SR_ON_NOTHING)
		return;
	if (!one) {
		one = maui_fired_add(&triggers.fired, rolled->name);
		if (!one)
			return;
		one->made = now;
		one->start = rolled->start;
		one->end = rolled->end;
		triggers_file.changed = true;
		if (triggers.lost)
			pass_over(one, &sr->on, now);
	}
	/* A permanent one begins anew whenever it is looked at. */
	if ((rolled->end < MAUI_SR_FOREVER && one->start != rolled->start) ||
	    one->end != rolled->end) {
		one->start = rolled->start;
		one->end = rolled->end;
		triggers_file.changed = true;
	}
	one->there = true;
}

/* A permanent one that is no longer in maui.cfg ends with that. */
ENGINE_LOCKED static void see_standing(struct maui_fired_trigger *one, int64_t now)
{
	const struct maui_sr *sr = standing_of(one->name);

	one->offset = sr ? sr->on.offset : 0;
	if (sr || one->there || one->end < MAUI_SR_FOREVER)
		return;
	one->end = now;
	triggers_file.changed = true;
}

ENGINE_LOCKED static void see_all(int64_t now)
{
	const struct rsv_rolled *rolled;
	size_t count = rsv_roll_outcome(&rolled);

	for (size_t i = 0; i < triggers.fired.count; i++)
		triggers.fired.list[i].there = false;
	for (size_t i = 0; i < count; i++)
		see(&rolled[i], now);
	for (size_t i = 0; i < triggers.fired.count; i++)
		see_standing(&triggers.fired.list[i], now);
	if (count)
		triggers.lost = false;
	triggers_file.changed |= maui_fired_tidy(&triggers.fired, now);
}

/* ---- what is due; the mutex is held ---- */

ENGINE_LOCKED static char *nodes_of(const char *name)
{
	const struct rsv_rolled *rolled;
	size_t count = rsv_roll_outcome(&rolled);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(rolled[i].name, name))
			return maui_strdup(rolled[i].nodes ? rolled[i].nodes : "");
	return maui_strdup("");
}

ENGINE_LOCKED static void copy(const struct maui_fired_trigger *one, const struct maui_sr *sr,
			       struct going_offs *all)
{
	struct rsv_going_off *to = &all->list[all->count++];

	*to = (struct rsv_going_off){
		.trigger = sr->on,
		.data = maui_strdup(sr->on.data),
		.nodes = nodes_of(one->name),
		.start = one->start,
		.end = one->end,
	};
	snprintf(to->name, sizeof(to->name), "%s", one->name);
	snprintf(to->standing, sizeof(to->standing), "%s", sr->name);
	to->trigger.data = to->data;
}

static void wait_until(struct going_offs *all, int64_t when)
{
	if (when - all->now < all->next)
		all->next = (double)(when - all->now);
}

static bool has_room(const struct going_offs *all, const struct maui_sr *sr)
{
	return all->count < RSV_ACTIONS && (sr->on.action == MAUI_SR_DO_CANCEL || all->room);
}

ENGINE_LOCKED static void ask(struct maui_fired_trigger *one, struct going_offs *all)
{
	const struct maui_sr *sr = standing_of(one->name);
	int64_t when;

	if (!sr || sr->on.event == MAUI_SR_ON_NOTHING)
		return;
	if (!one->there && sr->on.event != MAUI_SR_ON_END)
		return;
	when = maui_fired_when(one, &sr->on);
	if (when == INT64_MAX)
		return;
	if (when > all->now) {
		wait_until(all, when);
	} else if (!has_room(all, sr)) {
		all->next = fmin(all->next, AGAIN);
	} else {
		all->room -= sr->on.action != MAUI_SR_DO_CANCEL;
		copy(one, sr, all);
	}
}

ENGINE_LOCKED static void ask_all(struct going_offs *all)
{
	for (size_t i = 0; i < triggers.fired.count; i++)
		ask(&triggers.fired.list[i], all);
}

/* ---- minload; no lock held ---- */

static void trigger_drop(struct going_offs *all, size_t at)
{
	free(all->list[at].data);
	free(all->list[at].nodes);
	all->list[at] = all->list[--all->count];
}

/* Those with a higher load are checked again in the next iteration. */
static void ask_loads(struct going_offs *all)
{
	for (size_t i = 0; i < all->count;) {
		const struct rsv_going_off *one = &all->list[i];
		double load;

		if (one->trigger.event != MAUI_SR_ON_MINLOAD) {
			i++;
			continue;
		}
		load = rsv_load(one->name);
		if (load >= 0 && load < one->trigger.threshold)
			i++;
		else
			trigger_drop(all, i);
	}
}

/* ---- setting it off ---- */

/* Mark them as fired, or as not fired after all. The mutex is held. */
ENGINE_LOCKED static void mark(const struct going_offs *all, bool fired)
{
	for (size_t i = 0; i < all->count; i++) {
		struct maui_fired_trigger *one =
			maui_fired_find(&triggers.fired, all->list[i].name);
		unsigned int bit = maui_fired_bit(all->list[i].trigger.event);

		if (one && fired)
			one->fired |= bit;
		else if (one)
			one->fired &= ~bit;
		triggers_file.changed |= one != NULL;
	}
}

static void trigger_cancel(const struct rsv_going_off *one)
{
	bool ours;

	engine_lock();
	ours = rsv_roll_cancel(one->name);
	engine_unlock();
	if (!ours)
		info("maui: reservation %s is already gone", one->name);
}

static void set_off(const struct rsv_going_off *one)
{
	char what[MAUI_SR_INSTANCE_SIZE + 64];

	snprintf(what, sizeof(what), "%s of reservation %s", maui_sr_event_name(one->trigger.event),
		 one->name);
	info("maui: trigger at the %s: %s %s", what,
	     maui_sr_trigger_action_name(one->trigger.action), one->data);
	if (one->trigger.action == MAUI_SR_DO_CANCEL)
		trigger_cancel(one);
	else
		rsv_trigger_program(one, what);
}

/* ---- the module ---- */

static void trigger_adopt(void)
{
	engine_assert_locked();
	take(triggers_file.answer);
}

static double trigger_due(double now)
{
	(void)now;
	engine_assert_locked();
	return triggers.due;
}

unsigned int rsv_trigger_fired(const char *instance)
{
	const struct maui_fired_trigger *one = maui_fired_find(&triggers.fired, instance);

	return one ? one->fired : 0;
}

/* Whether there is anything to do. */
static bool trigger_concerns(void)
{
	const struct maui_sr *list;
	size_t count;
	bool any = false;

	engine_lock();
	count = rsv_policy_list(&list);
	for (size_t i = 0; i < count && !any; i++)
		any = list[i].on.event != MAUI_SR_ON_NOTHING;
	any |= triggers.fired.count > 0;
	triggers.due = INFINITY;
	any &= rsv_policy_known() && !engine_is_disabled() && !engine.disabled_unread &&
	       !triggers.unread;
	engine_unlock();
	return any;
}

static void find_due(struct going_offs *all)
{
	all->now = time(NULL);
	all->next = INFINITY;
	all->room = rsv_action_room();
	engine_lock();
	see_all(all->now);
	ask_all(all);
	engine_unlock();
	ask_loads(all);
}

/* Write to disk before firing. False: do not fire. */
static bool trigger_commit(struct going_offs *all)
{
	bool written;

	engine_lock();
	mark(all, true);
	engine_unlock();
	written = !trigger_save();
	engine_lock();
	if (!written) {
		mark(all, false);
		all->next = fmin(all->next, AGAIN);
	}
	triggers.due = monotonic_seconds() + all->next;
	engine_unlock();
	return written;
}

/* Set off the triggers that are due. */
static void run_due(void)
{
	struct going_offs all = {.count = 0};
	bool written;

	if (!trigger_concerns() || !engine_is_primary())
		return;
	find_due(&all);
	written = trigger_commit(&all);
	for (size_t i = 0; i < all.count && written; i++)
		set_off(&all.list[i]);
	while (all.count)
		trigger_drop(&all, 0);
}

const struct module rsv_trigger_module = {
	.adopt = trigger_adopt, .due = trigger_due, .chore = run_due, .after = run_due};
