/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares the file `nodes` to state.c: its format, interval and data. Usage
 * from a file that is read late is added to usage counted meanwhile.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/nodes/node_usage_file.h"

#include <math.h>

#include "common/state/node_usage.h"
#include "plugins/engine/nodes/node_state.h"

/* What the file says, until it is adopted: the thread that begins, then the engine's own. */
static struct maui_node_usage *found;

static void add_late(enum state_answer answer);

/* Every pass changes something, but losing a few minutes hardly changes a percentage. */
struct state_file nodes_file = {
	.format = &maui_node_usage_file,
	.interval = 300,
	.found = &found,
	.in_shadow = true,
	.late = add_late,
	.live = &node_state.usage,
};

static void add_late(enum state_answer answer)
{
	(void)answer;
	engine_lock();
	maui_node_usage_add(node_state.usage, found);
	engine_unlock();
}

void node_usage_changed(void)
{
	nodes_file.changed = true;
}

/* Nodes keep their numbers, and the time up to the next pass is not counted. */
static void node_usage_adopt(void)
{
	engine_assert_locked();
	maui_node_usage_take(node_state.usage, found);
	node_state.seen = -INFINITY;
}

const struct module node_usage_module = {.adopt = node_usage_adopt};
