/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of the engine's modules, and for each hook one function that calls
 * it in every module that has it.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/modules.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "plugins/engine/fairshare/fairshare.h"
#include "plugins/engine/fairshare/rsv_idle.h"
#include "plugins/engine/limits/limits.h"
#include "plugins/engine/nodes/node_order.h"
#include "plugins/engine/nodes/node_pass.h"
#include "plugins/engine/nodes/node_state.h"
#include "plugins/engine/nodes/node_usage_file.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/policy/names_kept.h"
#include "plugins/engine/policy/policy_read.h"
#include "plugins/engine/policy/principals_ask.h"
#include "plugins/engine/queue/job_queue.h"
#include "plugins/engine/queue/jobstate_file.h"
#include "plugins/engine/queue/known_jobs.h"
#include "plugins/engine/reservation/preempted.h"
#include "plugins/engine/reservation/roll/rsv_open.h"
#include "plugins/engine/reservation/roll/rsv_roll.h"
#include "plugins/engine/reservation/rsv_attributes.h"
#include "plugins/engine/reservation/rsv_gap_cache.h"
#include "plugins/engine/reservation/rsv_name_table.h"
#include "plugins/engine/reservation/rsv_owner.h"
#include "plugins/engine/reservation/rsv_policy.h"
#include "plugins/engine/reservation/rsv_reclaim.h"
#include "plugins/engine/reservation/rsv_reclaim_file.h"
#include "plugins/engine/reservation/rsv_view.h"
#include "plugins/engine/reservation/rsv_when.h"
#include "plugins/engine/reservation/setres/rsv_admin.h"
#include "plugins/engine/reservation/setres/rsv_setres.h"
#include "plugins/engine/reservation/trigger/rsv_trigger.h"
#include "plugins/engine/service/disable.h"
#include "plugins/engine/slurm/qos.h"
#include "plugins/engine/slurm/usage/slurm_usage.h"
#include "plugins/engine/start/eligible.h"
#include "plugins/engine/start/lowered.h"
#include "plugins/engine/start/start.h"
#include "plugins/engine/state_files.h"

/* The order in which modules are bound, read, saved and rolled. */
static const struct module *const table[] = {
	&state_read_module, /* what could be read at last is written with the rest */
	&policy_read_module,
	&in_force_module, /* names come first: the others look theirs up */
	&names_kept_module,
	&principals_ask_module,
	&qos_module,
	&job_queue_module,
	&known_jobs_module,
	&jobstate_module,
	&node_state_module,
	&node_usage_module,
	&node_order_module,
	&node_pass_module,
	&usage_module,
	&lowered_module,
	&start_module,
	&eligible_module,
	&limits_module,
	&rsv_attributes_module,
	&rsv_policy_module,
	&preempted_module,
	&rsv_owner_module, /* of the reservations that the policy wants */
	&rsv_reclaim_file_module,
	&rsv_reclaim_module,
	&rsv_view_module,
	&rsv_name_table_module,
	&rsv_admin_module,
	&rsv_gap_cache_module,
	&rsv_when_module,
	&rsv_open_module,
	&rsv_roll_module,
	&rsv_setres_module, /* these may roll again */
	&fairshare_module,
	&rsv_idle_module,
	&state_write_module, /* `idle` records what fairshare has not written */
	&rsv_trigger_module, /* after a roll has shown what is there */
	&disable_module,     /* answers once all is as requested */
};

#define COUNT (sizeof(table) / sizeof(*table))
static_assert(COUNT <= 64, "chores are bits");

/* Call one hook of each module that has it. */
#define EACH(hook, ...)                                                                            \
	for (size_t i = 0; i < COUNT; i++)                                                         \
		if (table[i]->hook)                                                                \
	table[i]->hook(__VA_ARGS__)

void modules_start(void)
{
	EACH(start);
}

void modules_configure(const struct site *site)
{
	EACH(configure, site);
}

void modules_read(const struct site *site, enum engine_mode mode)
{
	EACH(read, site, mode);
}

void modules_allocate(void)
{
	EACH(allocate);
}

void modules_adopt(void)
{
	EACH(adopt);
}

void modules_discard(void)
{
	EACH(discard);
}

void modules_begun(void)
{
	EACH(begun);
}

void modules_resolve(void)
{
	EACH(resolve);
}

void modules_bind(struct maui_policy *policy, const struct maui_principals *principals)
{
	EACH(bind, policy, principals);
}

uint64_t modules_due(double now, double *ret_next)
{
	uint64_t which = 0;

	*ret_next = INFINITY;
	for (size_t i = 0; i < COUNT; i++) {
		double due = table[i]->due ? table[i]->due(now) : INFINITY;

		if (due <= now)
			which |= UINT64_C(1) << i;
		*ret_next = fmin(*ret_next, due);
	}
	return which;
}

uint64_t modules_that_save(void)
{
	uint64_t which = 0;

	for (size_t i = 0; i < COUNT; i++)
		which |= (uint64_t)table[i]->saves << i;
	return which;
}

bool modules_are_unsaved(void)
{
	for (size_t i = 0; i < COUNT; i++)
		if (table[i]->saves && table[i]->due(0) < INFINITY)
			return true;
	return false;
}

void modules_do_chores(uint64_t which, bool iteration)
{
	for (size_t i = 0; i < COUNT; i++)
		if (which >> i & 1 && !(iteration && table[i]->in_iteration))
			table[i]->chore();
}

void modules_before(void)
{
	EACH(before);
}

void modules_collect(void)
{
	EACH(collect);
}

void modules_collected(void)
{
	EACH(collected);
}

void modules_after(void)
{
	bool shadow = engine_is_shadow();

	for (size_t i = 0; i < COUNT; i++)
		if (table[i]->after && (!shadow || table[i]->plans))
			table[i]->after();
}

void modules_end(void)
{
	EACH(end);
}

void modules_leave(void)
{
	EACH(leave);
}
