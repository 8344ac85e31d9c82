/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/engine/select.h"

#include "plugins/engine/fairshare.h"
#include "plugins/engine/node_order.h"

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
	.rank = node_order_rank,
	.nodes_changed = node_order_nodes_changed,
	.run_ended = fairshare_run_ended,
	.step_ended = step_ended,
};
