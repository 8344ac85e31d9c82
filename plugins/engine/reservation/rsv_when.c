/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests a roll when noderec_up_sum(), resvrec_updated(), or the generation of
 * settings or names has changed, the due time has come, or something is missing.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/rsv_when.h"

#include <math.h>
#include <time.h>

#include "plugins/engine/reservation/rsv_name_table.h"
#include "plugins/engine/reservation/rsv_policy.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/noderec.h"
#include "plugins/engine/slurm/resvrec.h"

/* Maximum interval, seconds. */
#define INTERVAL 60

/* A change of a reservation by somebody else is noticed within this many seconds. */
#define NOTICED 1

ENGINE_GUARDED static struct {
	bool wanted;         /* there is a reason */
	bool partial;        /* something is missing */
	uint64_t generation; /* of the settings last rolled */
	uint64_t names;      /* last value of rsv_name_table_generation() */
	uint64_t nodes_up;   /* last value of noderec_up_sum() */
	time_t changed;      /* resvrec_updated() at that time */
	time_t looked;       /* when */
	int64_t due;         /* epoch seconds */
} when;

/* No reservations exist, and none are wanted. */
ENGINE_LOCKED static bool is_idle(void)
{
	const struct maui_sr *list;

	return !rsv_policy_list(&list) && !rsv_name_table()->count &&
	       when.names == rsv_name_table_generation() &&
	       when.generation == rsv_policy_generation();
}

/* Slurm's timestamp is in whole seconds: anything may still follow within the same second. */
ENGINE_LOCKED static bool is_unchanged(void)
{
	time_t updated = resvrec_updated();

	return when.changed == updated && updated < when.looked;
}

static void when_collected(void)
{
	int64_t now = time(NULL);
	uint64_t up;

	engine_assert_locked();
	if (!rsv_policy_known() || is_idle())
		return;
	up = noderec_up_sum();
	if (when.partial || up != when.nodes_up || !is_unchanged() ||
	    when.names != rsv_name_table_generation() ||
	    when.generation != rsv_policy_generation() || now >= when.due ||
	    now < when.due - INTERVAL) /* the clock was set back */
		when.wanted = true;
	when.names = rsv_name_table_generation();
	when.nodes_up = up;
	when.changed = resvrec_updated();
	when.looked = now;
}

void rsv_when_wanted(void)
{
	when.wanted = true;
}

void rsv_when_now(void)
{
	when.wanted = true;
	engine_want_refresh();
}

/*
 * The last change has been looked at, but in its own second, which is not over: they are looked at
 * once more then. The same holds for the time by which the clock has been set back.
 */
ENGINE_LOCKED static bool is_of_this_second(void)
{
	return when.changed == resvrec_updated() && when.changed >= time(NULL);
}

/* Slurm gives no notice when a reservation of ours changes: check its timestamp
 * every second, which needs no lock of Slurm's. */
static double when_due(double now)
{
	engine_assert_locked();
	if (!rsv_name_table()->count)
		return INFINITY;
	if (rsv_policy_known() && !is_unchanged() && !is_of_this_second())
		rsv_when_now();
	return now + NOTICED;
}

bool rsv_when_begin(uint64_t *ret_generation)
{
	bool wanted = when.wanted && rsv_policy_known();

	when.wanted = false;
	*ret_generation = rsv_policy_generation();
	return wanted;
}

void rsv_when_end(uint64_t generation, int64_t due, bool partial)
{
	int64_t latest = time(NULL) + INTERVAL;

	when.generation = generation;
	when.due = due < latest ? due : latest;
	when.partial = partial;
}

const struct module rsv_when_module = {.due = when_due, .collected = when_collected};
