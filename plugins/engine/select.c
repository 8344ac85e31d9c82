/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/engine/select.h"

#include "plugins/engine/fairshare.h"
#include "plugins/engine/node_order.h"
#include "plugins/engine/node_use.h"

static void nodes_changed(void)
{
	node_order_nodes_changed();
	node_use_forget();
}

static void run_ended(const job_record_t *job)
{
	node_use_ends(job);
	fairshare_run_ended(job);
}

static void step_ended(const step_record_t *step)
{
	const struct jobacctinfo *measured = step->jobacct;
	double seconds;

	if (!measured || !step->job_ptr)
		return;
	seconds = (double)measured->user_cpu_sec + (double)measured->sys_cpu_sec +
		  ((double)measured->user_cpu_usec + (double)measured->sys_cpu_usec) / 1e6;
	fairshare_step_ended(step->job_ptr->job_id, step->job_ptr->start_time, seconds);
}

const struct maui_engine_select maui_engine_select = {
	.version = MAUI_ENGINE_SELECT_VERSION,
	.orders = node_order_orders,
	.rank = node_order_rank,
	.node_use = node_use,
	.run_began = node_use_begins,
	.use_changed = node_use_forget,
	.nodes_changed = nodes_changed,
	.run_ended = run_ended,
	.step_ended = step_ended,
};
