/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Around our ways not to ask cons_tres, or not to show it all nodes, linked with --wrap: it is always
 * asked, and of all nodes. How many
 * have weights of their own is as it was, since that is a bound of the order, and no shortcut to
 * it. What jobs hold is looked up in slurmctld's own list.
 */
#include "plugins/compat/select_api.h"

#include "plugins/engine/api/engine.h"
#include "plugins/select/active_jobs.h"
#include "plugins/select/holdings.h"
#include "plugins/select/horizon.h"
#include "plugins/select/no_room.h"
#include "plugins/select/order.h"

struct order_plan __real_order_plan(const struct order_class *classes, uint32_t count,
				    uint32_t candidates, struct order_demand demand, bool may_lack);
struct order_plan __wrap_order_plan(const struct order_class *classes, uint32_t count,
				    uint32_t candidates, struct order_demand demand, bool may_lack);
extern uint64_t slow_hidden;  /* nodes that are shown, and ours does not show */
extern uint64_t slow_refused; /* starts that cons_tres is asked for, and ours refuses */
bool __real_no_room(const struct compat_job_test *test, const struct maui_engine_node_use *use);
bool __wrap_no_room(const struct compat_job_test *test, const struct maui_engine_node_use *use);
bool __real_horizon_shows(const struct horizon_node *node);
bool __wrap_horizon_shows(const struct horizon_node *node);
const struct horizon_running *__wrap_active_jobs_held(void);

struct order_plan __wrap_order_plan(const struct order_class *classes, uint32_t count,
				    uint32_t candidates, struct order_demand demand, bool may_lack)
{
	struct order_plan plan = __real_order_plan(classes, count, candidates, demand, may_lack);

	plan.few = 0;
	plan.lead = 0;
	return plan;
}

MAUI_EXPORT uint64_t slow_hidden;
MAUI_EXPORT uint64_t slow_refused;

bool __wrap_no_room(const struct compat_job_test *test, const struct maui_engine_node_use *use)
{
	slow_refused += __real_no_room(test, use);
	return false;
}

bool __wrap_horizon_shows(const struct horizon_node *node)
{
	slow_hidden += !__real_horizon_shows(node);
	return true;
}

/* Callback of list_for_each(). */
static int add_if_active(void *element, void *context)
{
	const job_record_t *job = element;

	if (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job))
		list_append(context, element);
	return 0;
}

const struct horizon_running *__wrap_active_jobs_held(void)
{
	list_t *active = list_create(NULL);
	const struct horizon_running *held;

	(void)list_for_each(job_list, add_if_active, active);
	holdings_forget();
	held = holdings_of(active);
	FREE_NULL_LIST(active);
	return held;
}
