/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/engine/nodes/node_state.h"

#include <errno.h>

struct node_state node_state;

int node_state_allocate(void)
{
	if (!node_state.usage)
		node_state.usage = maui_node_usage_new();
	return node_state.usage ? 0 : -ENOMEM;
}
