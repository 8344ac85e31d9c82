/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/engine/nodes/node_state.h"

#include <errno.h>

struct node_state node_state;

static int allocate(void)
{
	engine_assert_locked();
	if (!node_state.usage)
		node_state.usage = maui_node_usage_new();
	return node_state.usage ? 0 : -ENOMEM;
}

const struct module node_state_module = {.allocate = allocate};
