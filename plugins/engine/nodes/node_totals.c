/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Allocates the node usage statistics, binds the GRES that PE counts to each
 * new policy, and stores the resources of the whole machine.
 */
#include "plugins/engine/nodes/node_state.h"

#include "common/policy/policy.h"

struct node_state node_state;

static void node_totals_allocate(void)
{
	engine_assert_locked();
	if (!node_state.usage)
		node_state.usage = maui_node_usage_new();
}

static void bind_policy(struct maui_policy *policy, const struct maui_principals *principals)
{
	struct maui_pe_names names;

	engine_assert_locked();
	(void)principals;
	maui_pe_names(policy->config, &names);
	gres_machine_bind(&node_state.gres, &names);
	node_state.machine.gres = NULL; /* until they are counted: numbers may be others now */
}

void node_state_machine(struct maui_resources *machine)
{
	machine->gres = gres_machine_count(&node_state.gres);
	node_state.machine = *machine;
}

const struct module node_state_module = {.allocate = node_totals_allocate, .bind = bind_policy};
