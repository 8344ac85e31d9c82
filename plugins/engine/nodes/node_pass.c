/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records in each iteration which nodes are up and run jobs, and hands the
 * USAGE percentage of each node to node_order.c.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/nodes/node_pass.h"

#include "common/util/memory.h"
#include "plugins/engine/nodes/node_order.h"
#include "plugins/engine/nodes/node_state.h"
#include "plugins/engine/nodes/node_usage_file.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/slurm/noderec.h"

/* Over the years there may be more names than there is room for. */
ENGINE_LOCKED static void tell_left_out(void)
{
	ENGINE_GUARDED static bool told;

	if (told || !maui_node_usage_left_out(node_state.usage))
		return;
	told = true;
	error("maui: USAGE of some nodes is not counted: there have been too many node names");
}

/* Once for each maui.cfg that configures nodes. */
ENGINE_LOCKED static void tell_unwanted(void)
{
	ENGINE_GUARDED static const struct maui_policy *told;
	const struct maui_config *config = in_force.policy->config;
	const struct maui_object *const *nodes;

	if (told == in_force.policy || select_is_loaded())
		return;
	told = in_force.policy;
	if (maui_config_objects(config, MAUI_NODECFG, &nodes) ||
	    maui_value_given(maui_config_get(config, MAUI_KEY_NODEALLOCATIONPOLICY, NULL)))
		error("maui: NODEALLOCATIONPOLICY and NODECFG have no effect: slurmctld has not "
		      "loaded "
		      "the select plugin of Slurm-Maui (PluginDir, maui-slurm(8))");
}

/* Give node_order.c the usage of nodes, as it does not wait for the mutex. */
ENGINE_LOCKED static void publish(void)
{
	uint32_t count = noderec_count();
	double *percent = maui_calloc(count + 1, sizeof(*percent));

	for (uint32_t i = 0; i < count; i++) {
		const node_record_t *node = noderec_at(i);

		if (node)
			percent[i] = maui_node_usage_percent(node_state.usage, noderec_name(node));
	}
	node_order_usage(percent, count);
}

static void node_pass_collected(void)
{
	double now = monotonic_seconds();

	engine_assert_locked();
	maui_node_usage_begin(node_state.usage, now - node_state.seen);
	for (uint32_t i = 0; i < noderec_count(); i++) {
		const node_record_t *node = noderec_at(i);

		if (node)
			maui_node_usage_see(node_state.usage, noderec_name(node),
					    noderec_is_up(node), noderec_runs_jobs(node));
	}
	if (maui_node_usage_end(node_state.usage))
		node_usage_changed();
	node_state.seen = now;
	tell_left_out();
	tell_unwanted();
	publish();
}

const struct module node_pass_module = {.collected = node_pass_collected};
