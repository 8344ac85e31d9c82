/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/state/node_usage.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/intern.h"
#include "common/state/first_lines.h"
#include "common/state/text.h"

#define MAX_NUMBERS 40                    /* bytes of a line without its name */
#define MAX_SECONDS INT64_C(253402300799) /* as times in state files */

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
	int left_out;
};

struct maui_node_usage *maui_node_usage_new(void)
{
	struct maui_node_usage *usage = calloc(1, sizeof(*usage));

	if (!usage)
		return NULL;
	usage->room = 64;
	usage->names = maui_intern_new();
	usage->counters = calloc(usage->room, sizeof(*usage->counters));
	if (!usage->names || !usage->counters)
		return maui_node_usage_free(usage);
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

static int reserve(struct maui_node_usage *usage)
{
	struct counter *grown = maui_grow_zeroed(
		usage->counters, maui_intern_count(usage->names) + 2, &usage->room, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	usage->counters = grown;
	return 0;
}

static uint32_t add(struct maui_node_usage *usage, const char *name)
{
	size_t length = strnlen(name, MAUI_NODE_USAGE_MAX_NAME + 1);
	uint32_t id = 0;

	if (length > MAUI_NODE_USAGE_MAX_NAME || !maui_statetext_is_name(name, length))
		return 0; /* no line can hold it */
	if (maui_intern_count(usage->names) == MAUI_NODE_USAGE_MAX_NODES) {
		usage->left_out = -ENOSPC;
		return 0;
	}
	if (!reserve(usage))
		id = maui_intern_add(usage->names, name);
	if (!id && !usage->left_out)
		usage->left_out = -ENOMEM;
	return id;
}

uint32_t maui_node_usage_id(struct maui_node_usage *usage, const char *name)
{
	uint32_t id = maui_intern_find(usage->names, name);

	return id ? id : add(usage, name);
}

uint32_t maui_node_usage_count(const struct maui_node_usage *usage)
{
	return maui_intern_count(usage->names);
}

int maui_node_usage_left_out(const struct maui_node_usage *usage)
{
	return usage->left_out;
}

void maui_node_usage_begin(struct maui_node_usage *usage, double elapsed)
{
	usage->pass++;
	usage->counted = false;
	usage->elapsed = elapsed > 0 && elapsed <= MAX_SECONDS ? elapsed : 0; /* NAN: 0 */
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
	if (!id || counter->pass == usage->pass || counter->up + usage->elapsed > MAX_SECONDS)
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

		if (!own || usage->counters[own].up + counter->up > MAX_SECONDS)
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

/* ---- text ---- */

/* To nearest, so that the lesser of two does not become the greater. */
static int64_t whole(double seconds)
{
	return (int64_t)(seconds + 0.5);
}

static size_t text_room(const struct maui_node_usage *usage)
{
	size_t room = sizeof(MAUI_FIRST_LINE_NODES) + MAUI_STATETEXT_END_SIZE;

	for (uint32_t id = 1; id <= maui_node_usage_count(usage); id++)
		room += strlen(maui_intern_name(usage->names, id)) + MAX_NUMBERS;
	return room;
}

int maui_node_usage_write(const struct maui_node_usage *usage, char **ret_text, size_t *ret_size,
			  struct maui_error *error)
{
	char *text = malloc(text_room(usage)), *at = text;

	if (!text)
		return maui_error_set(error, ENOMEM, "out of memory");
	at += sprintf(at, "%s", MAUI_FIRST_LINE_NODES);
	for (uint32_t id = 1; id <= maui_node_usage_count(usage); id++) {
		int64_t up = whole(usage->counters[id].up);

		if (up > 0)
			at += sprintf(at, "node %s %" PRId64 " %" PRId64 "\n",
				      maui_intern_name(usage->names, id), up,
				      whole(usage->counters[id].busy));
	}
	*ret_text = text;
	*ret_size = maui_statetext_seal(text, (size_t)(at - text));
	return 0;
}

static int read_line(struct maui_statetext_words words, void *context, const char **why)
{
	struct maui_node_usage *usage = context;
	char name[MAUI_NODE_USAGE_MAX_NAME + 1];
	int64_t up, busy;
	uint32_t id;

	if (!maui_statetext_word(&words, "node") ||
	    !maui_statetext_name(&words, name, sizeof(name)) ||
	    !maui_statetext_number(&words, 1, MAX_SECONDS, &up) ||
	    !maui_statetext_number(&words, 0, up, &busy) || words.at != words.end)
		return -EINVAL;
	id = maui_node_usage_id(usage, name);
	if (!id && usage->left_out == -ENOSPC)
		*why = "is one node too many";
	if (!id)
		return usage->left_out == -ENOSPC ? -EINVAL : -ENOMEM;
	if (usage->counters[id].up > 0) {
		*why = "is the second one on its node";
		return -EINVAL;
	}
	usage->counters[id] = (struct counter){.up = (double)up, .busy = (double)busy};
	return 0;
}

int maui_node_usage_read(const char *text, size_t size, struct maui_node_usage **ret_usage,
			 struct maui_error *error)
{
	struct maui_node_usage *usage;
	struct maui_statetext content;
	int rc = maui_statetext_open(text, size, MAUI_FIRST_LINE_NODES, &content, error);

	if (rc)
		return rc;
	usage = maui_node_usage_new();
	if (!usage)
		return maui_error_set(error, ENOMEM, "out of memory");
	rc = maui_statetext_lines(&content, read_line, usage, error);
	if (rc)
		maui_node_usage_free(usage);
	else
		*ret_usage = usage;
	return rc;
}
