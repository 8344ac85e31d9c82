/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters of seconds up and seconds busy by node name, and their records in
 * the file `nodes`.
 */
#include "common/state/node_usage.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/intern.h"
#include "common/util/memory.h"

struct counter {
	double up, busy; /* seconds; busy is at most up */
	uint64_t pass;   /* the last one that saw it up */
};

struct maui_node_usage {
	struct maui_intern *names;
	struct counter *counters; /* by number; [0] counts nothing */
	size_t room;              /* allocated elements of counters */
	uint64_t pass;
	double elapsed; /* of the pass; 0: nothing is counted */
	bool counted;   /* anything in this pass */
	bool left_out;  /* a node, since there were too many */
};

struct maui_node_usage *maui_node_usage_new(void)
{
	struct maui_node_usage *usage = maui_calloc(1, sizeof(*usage));

	usage->room = 64;
	usage->names = maui_intern_new();
	usage->counters = maui_calloc(usage->room, sizeof(*usage->counters));
	return usage;
}

struct maui_node_usage *maui_node_usage_free(struct maui_node_usage *usage)
{
	if (!usage)
		return NULL;
	maui_intern_free(usage->names);
	free(usage->counters);
	free(usage);
	return NULL;
}

static void node_usage_reserve(struct maui_node_usage *usage)
{
	usage->counters = maui_grow_zeroed(usage->counters, maui_intern_count(usage->names) + 2,
					   &usage->room, sizeof(*usage->counters));
}

static uint32_t node_usage_add(struct maui_node_usage *usage, const char *name)
{
	size_t length = strnlen(name, MAUI_NODE_USAGE_MAX_NAME + 1);

	if (length > MAUI_NODE_USAGE_MAX_NAME || !maui_statetext_is_name(name, length))
		return 0; /* no line can hold it */
	if (maui_intern_count(usage->names) == MAUI_NODE_USAGE_MAX_NODES) {
		usage->left_out = true;
		return 0;
	}
	node_usage_reserve(usage);
	return maui_intern_add(usage->names, name);
}

uint32_t maui_node_usage_id(struct maui_node_usage *usage, const char *name)
{
	uint32_t id = maui_intern_find(usage->names, name);

	return id ? id : node_usage_add(usage, name);
}

uint32_t maui_node_usage_count(const struct maui_node_usage *usage)
{
	return maui_intern_count(usage->names);
}

bool maui_node_usage_left_out(const struct maui_node_usage *usage)
{
	return usage->left_out;
}

void maui_node_usage_begin(struct maui_node_usage *usage, double elapsed)
{
	usage->pass++;
	usage->counted = false;
	usage->elapsed =
		elapsed > 0 && elapsed <= MAUI_STATE_LAST_SECOND ? elapsed : 0; /* NAN: 0 */
}

void maui_node_usage_see(struct maui_node_usage *usage, const char *name, bool up, bool busy)
{
	struct counter *counter;
	uint32_t id;

	if (!up || !usage->elapsed)
		return;
	id = maui_node_usage_id(usage, name);
	counter = &usage->counters[id];
	/* A file could not hold more. */
	if (!id || counter->pass == usage->pass ||
	    counter->up + usage->elapsed > MAUI_STATE_LAST_SECOND)
		return;
	counter->pass = usage->pass;
	counter->up += usage->elapsed;
	if (busy)
		counter->busy += usage->elapsed;
	usage->counted = true;
}

bool maui_node_usage_end(struct maui_node_usage *usage)
{
	usage->elapsed = 0;
	return usage->counted;
}

double maui_node_usage_percent_of(const struct maui_node_usage *usage, uint32_t id)
{
	const struct counter *counter;

	if (id > maui_intern_count(usage->names))
		return 0;
	counter = &usage->counters[id];
	return counter->up > 0 ? 100 * (counter->busy / counter->up) : 0;
}

double maui_node_usage_percent(const struct maui_node_usage *usage, const char *name)
{
	return maui_node_usage_percent_of(usage, maui_intern_find(usage->names, name));
}

struct maui_node_usage_seconds maui_node_usage_seconds(const struct maui_node_usage *usage,
						       const char *name)
{
	const struct counter *counter = &usage->counters[maui_intern_find(usage->names, name)];

	return (struct maui_node_usage_seconds){.up = counter->up, .busy = counter->busy};
}

void maui_node_usage_add(struct maui_node_usage *usage, const struct maui_node_usage *from)
{
	uint32_t count = from ? maui_node_usage_count(from) : 0;

	for (uint32_t id = 1; id <= count; id++) {
		const struct counter *counter = &from->counters[id];
		uint32_t own =
			counter->up > 0
				? maui_node_usage_id(usage, maui_intern_name(from->names, id))
				: 0;

		if (!own || usage->counters[own].up + counter->up > MAUI_STATE_LAST_SECOND)
			continue;
		usage->counters[own].up += counter->up;
		usage->counters[own].busy += counter->busy;
	}
}

void maui_node_usage_take(struct maui_node_usage *usage, const struct maui_node_usage *from)
{
	memset(usage->counters, 0, usage->room * sizeof(*usage->counters));
	maui_node_usage_add(usage, from);
}

/* ---- the file ---- */

struct node_line {
	char name[MAUI_NODE_USAGE_MAX_NAME + 1];
	int64_t up, busy;
};

static const struct maui_field node_fields[] = {
	MAUI_TEXT("NAME", NAME, struct node_line, name),
	MAUI_NUMBER("UP", struct node_line, up, 1, MAUI_STATE_LAST_SECOND), /* seconds */
	MAUI_NUMBER("BUSY", struct node_line, busy, 0, MAUI_STATE_LAST_SECOND),
};
static const struct maui_record records[] = {MAUI_RECORD("node", node_fields)};

static void make_usage(void *state, size_t lines)
{
	struct maui_node_usage **usage = state;

	(void)lines;
	*usage = maui_node_usage_new();
}

static int take_node(void *state, struct maui_state_line *line)
{
	struct maui_node_usage *usage = *(struct maui_node_usage **)state;
	const struct node_line *node = line->members;
	uint32_t id;

	if (node->busy > node->up)
		return -EINVAL;
	id = maui_node_usage_id(usage, node->name);
	if (!id) {
		line->why = "is one node too many";
		return -EINVAL;
	}
	if (usage->counters[id].up > 0) {
		line->why = "is the second one on its node";
		return -EINVAL;
	}
	usage->counters[id] = (struct counter){.up = (double)node->up, .busy = (double)node->busy};
	return 0;
}

/* To nearest, so that the lesser of two does not become the greater. */
static int64_t node_usage_whole(double seconds)
{
	return (int64_t)(seconds + 0.5);
}

static void each_node(const void *state, struct maui_state_writer *writer)
{
	const struct maui_node_usage *usage = *(struct maui_node_usage *const *)state;

	for (uint32_t id = 1; id <= maui_node_usage_count(usage); id++) {
		const char *name = maui_intern_name(usage->names, id);
		struct node_line node = {.up = node_usage_whole(usage->counters[id].up),
					 .busy = node_usage_whole(usage->counters[id].busy)};

		/* It was fit for a line. */
		memcpy(node.name, name, strlen(name) + 1);
		if (node.up > 0)
			maui_state_put(writer, records, &node);
	}
}

static void clear_usage(void *state)
{
	struct maui_node_usage **usage = state;

	*usage = maui_node_usage_free(*usage);
}

const struct maui_state_file maui_node_usage_file = {
	.name = "nodes",
	.version = 1,
	.limit = MAUI_NODE_USAGE_MAX_SIZE,
	MAUI_STATE_RECORDS(records),
	.state_size = sizeof(struct maui_node_usage *),
	.line_size = sizeof(struct node_line),
	.begin = make_usage,
	.take = take_node,
	.each = each_node,
	.clear = clear_usage,
	.lost = "the usage of nodes counts from 0 again",
	.kept = "the usage of nodes counts from 0, and does not outlive a restart",
	.waits = "the usage of nodes counts from 0; the file's is added then",
	.forgets = "some of the usage of nodes",
};
