/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Discards, in shadow mode, node order, node use and reservation snapshot,
 * because all are by index in Slurm's node table.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/shadow_nodes.h"

#include "plugins/engine/nodes/node_order.h"
#include "plugins/engine/reservation/rsv_view.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/noderec.h"

void shadow_forget_nodes(void)
{
	if (!engine_is_shadow())
		return;
	node_order_look_again();
	engine_lock();
	noderec_table_is_new();
	rsv_view_forget();
	engine_unlock();
}
