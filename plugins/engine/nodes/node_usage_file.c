/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/base.h"

#include "plugins/engine/nodes/node_usage_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/engine/nodes/node_state.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/runtime/stateload.h"
#include "plugins/engine/runtime/statesave.h"

#define NAME "nodes"

static int parse(const char *text, size_t size, void *result, struct maui_error *why)
{
	struct maui_node_usage **usage = result;

	return maui_node_usage_parse(text, size, usage, why);
}

static void read_late(void);

static const struct stateload stored = {
	.name = NAME,
	.limit = MAUI_NODE_USAGE_MAX_SIZE,
	.parse = parse,
	.lost = "the usage of nodes counts from 0 again",
	.kept = "the usage of nodes counts from 0, and does not outlive a restart",
	.waits = "the usage of nodes counts from 0; the file's is added then",
	.again = read_late,
};

/* What the file says, until it is adopted; NULL if there is none. Only the thread that
 * begins the engine uses it. */
static struct maui_node_usage *found;

/* An unusable file is logged and set aside, or kept. */
static void read_file(const struct site *site, enum engine_mode mode)
{
	(void)mode;
	stateload(&stored, site->state_directory, &found);
}

struct text {
	char *text;
	size_t size;
};

static int gather(void *context, struct maui_error *why)
{
	struct text *text = context;

	engine_assert_locked();
	(void)why;
	return maui_node_usage_format(&node_state.usage, &text->text, &text->size);
}

/* Writing under the mutex is as quick as copying. */
static int format(void *context, char **ret_text, size_t *ret_size, struct maui_error *why)
{
	struct text *text = context;

	(void)why;
	*ret_text = text->text;
	*ret_size = text->size;
	text->text = NULL;
	return 0;
}

/* Every pass changes something, but losing a few minutes hardly changes a percentage. */
ENGINE_GUARDED static struct statesave file = {
	.name = NAME,
	.interval = 300,
	.lost = "some of the usage of nodes",
	.gather = gather,
	.format = format,
};

static void read_late(void)
{
	struct maui_node_usage *late = NULL;

	if (stateload_again(&stored, &late) == STATE_NOT_NOW)
		return;
	engine_lock();
	maui_node_usage_add(node_state.usage, late);
	file.changed = true;
	engine_unlock();
	maui_node_usage_free(late);
}

void node_usage_changed(void)
{
	file.changed = true;
}

/* Nodes keep their numbers, and the time up to the next pass is not counted. */
static void adopt(void)
{
	engine_assert_locked();
	maui_node_usage_take(node_state.usage, found);
	node_state.seen = -INFINITY;
	statesave_reset(&file);
}

static void discard(void)
{
	maui_node_usage_free(found);
	found = NULL;
}

static double due(double now)
{
	(void)now;
	engine_assert_locked();
	return statesave_due(&file);
}

static void save(void)
{
	struct text text = {NULL, 0};

	statesave(&file, &text);
	free(text.text);
}

const struct module node_usage_module = {
	.read = read_file,
	.adopt = adopt,
	.discard = discard,
	.due = due,
	.chore = save,
	.saves = true,
};
