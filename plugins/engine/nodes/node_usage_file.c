/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/base.h"

#include "plugins/engine/nodes/node_usage_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/engine/nodes/node_state.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/runtime/statefile.h"
#include "plugins/engine/runtime/stateload.h"

#define NAME "nodes"
/* As the disk may be slow: seconds between two writes, which take at most one part in SAVE_SHARE of
 * the time. Every pass changes something, but losing a few minutes hardly changes a percentage. */
#define SAVE_INTERVAL 300.0
#define SAVE_SHARE    20

static int parse(const char *text, size_t size, void *result, struct maui_error *why)
{
	struct maui_node_usage **usage = result;

	return maui_node_usage_read(text, size, usage, why);
}

/* What the file says, until it is adopted; NULL if there is none. Only the thread that
 * begins the engine uses it. */
static struct maui_node_usage *found;

/* An unusable file is logged and set aside. */
static void read_file(const struct site *site, enum engine_mode mode)
{
	(void)mode;
	stateload(site->state_directory, NAME, MAUI_NODE_USAGE_MAX_SIZE, parse, &found,
		  "the usage of nodes counts from 0 again");
}

/* Nodes keep their numbers, and the time up to the next pass is not counted. */
static void adopt(void)
{
	engine_assert_locked();
	maui_node_usage_take(node_state.usage, found);
	node_state.seen = -INFINITY;
	node_state.changed = false;
	node_state.next_save = 0;
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
	return node_state.changed ? node_state.next_save : INFINITY;
}

static int write_text(const char *directory, const char *text, size_t size,
		      struct maui_error *error)
{
	if (!directory)
		return maui_error_set(error, ENOMEM, "out of memory");
	return statefile_replace(directory, NAME, text, size, error);
}

static void save(void)
{
	static bool failed; /* the engine's thread alone */
	struct maui_error why = {""};
	double begun = monotonic(), ended;
	char *directory, *text = NULL;
	size_t size = 0;
	int rc;

	engine_lock();
	directory = engine.site.state_directory ? strdup(engine.site.state_directory) : NULL;
	rc = maui_node_usage_write(node_state.usage, &text, &size, &why);
	node_state.changed = false;
	engine_unlock();
	if (!rc)
		rc = write_text(directory, text, size, &why);
	ended = monotonic();
	engine_lock();
	if (rc)
		node_state.changed = true;
	node_state.next_save = ended + fmax(SAVE_INTERVAL, (ended - begun) * SAVE_SHARE);
	engine_unlock();
	if (rc && !failed)
		error("maui: %s: a restart would forget some of the usage of nodes", why.text);
	failed = rc;
	free(text);
	free(directory);
}

const struct module node_usage_module = {
	.read = read_file,
	.adopt = adopt,
	.discard = discard,
	.due = due,
	.chore = save,
	.saves = true,
};
