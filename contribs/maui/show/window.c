/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects events that take processors of nodes: partition limits, planned
 * jobs, reservations. A sweep over them in order of time yields the windows.
 */
#include "contribs/maui/show/window.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/slurm/hostlist.h"
#include "common/util/list.h"
#include "common/util/memory.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/rsv_text.h"
#include "contribs/maui/queue/machine_use.h"
#include "contribs/maui/queue/queue.h"

/* From a moment on, something takes processors of a node. */
struct event {
	int64_t time; /* seconds from now; those up to 0 are there already */
	size_t node;
	int64_t procs;    /* ALL: whatever is left */
	const char *name; /* NULL: the time limit of its partitions */
};

#define ALL INT64_MAX

struct search {
	struct json_object *queue, *access;
	const struct window_request *request;
	int64_t now;
	struct windows windows;
	struct window_node **by_name; /* sorted */
	struct event *event;
	size_t events, room;
};

/* ---- nodes ----------------------------------------------------------------------------------- */

/* "fast:big": all of them. */
static bool has_features(struct json_object *node, const char *wanted)
{
	struct json_object *features = member_array(node, "features");
	struct maui_item item;

	while (maui_list_next(&wanted, ":,&", &item))
		if (item.size && !has_item(features, item))
			return false;
	return true;
}

static bool has_memory(struct json_object *node, const struct window_request *request)
{
	int64_t free = member_integer(node, "memory") - member_integer(node, "allocated_memory");

	if (request->memory < 0)
		return true;
	switch (request->memory_comparison) {
	case '<':
		return free < request->memory;
	case 'l':
		return free <= request->memory;
	case '=':
		return free == request->memory;
	case '>':
		return free > request->memory;
	default:
		return free >= request->memory;
	}
}

static int64_t free_gres(struct json_object *node, const char *name)
{
	return gres_count(member_text(node, "gres"), name) -
	       gres_count(member_text(node, "gres_used"), name);
}

static bool has_gres(struct json_object *node, const struct window_request *request)
{
	const char *list = request->gres ? request->gres : "";
	struct gres_item wanted;

	while (gres_next(&list, &wanted))
		if (free_gres(node, *wanted.typed ? wanted.typed : wanted.name) < wanted.count)
			return false;
	return true;
}

/* How long a job may be on a node, in the partition with the longest limit. 0: in none. */
static int64_t partition_limit(struct json_object *node, const struct search *search)
{
	struct json_object *partitions = member_array(search->queue, "partitions");
	int64_t longest = 0;

	for (size_t i = 0; i < array_size(partitions); i++) {
		struct json_object *one = json_object_array_get_idx(partitions, i);
		const char *name = member_text(one, "name");
		int64_t limit = member_integer(one, "max_time");

		if (!node_is_in(node, name) || !window_partition_admits(one, search->request))
			continue;
		if (limit <= 0)
			return WINDOW_FOREVER;
		longest = limit > longest ? limit : longest;
	}
	return longest;
}

/* The original's words for a node that runs nothing new; NULL: it may. */
static const char *window_unavailable(struct json_object *node)
{
	switch (node_use(node)) {
	case MAUI_NODE_USABLE:
	case MAUI_NODE_POWERS_UP:
		return NULL;
	case MAUI_NODE_MAINT:
	case MAUI_NODE_DRAINS:
	case MAUI_NODE_REBOOTS:
		return member_integer(node, "allocated_procs") > 0 ? "Draining" : "Drained";
	case MAUI_NODE_UNKNOWN:
		return "Unknown";
	case MAUI_NODE_POWERS_DOWN:
	case MAUI_NODE_DOWN:
	case MAUI_NODE_FUTURE:
		break;
	}
	return "Down";
}

static void add_event(struct search *search, size_t node, int64_t time, int64_t procs,
		      const char *name)
{
	search->event =
		maui_grow(search->event, search->events + 1, &search->room, sizeof(*search->event));
	search->event[search->events++] =
		(struct event){.time = time, .node = node, .procs = procs, .name = name};
}

static void window_exclude(struct window_node *node, enum window_state state, const char *reason)
{
	node->state = state;
	node->reason = reason;
	node->procs = 0;
}

static void look_at_node(struct search *search, size_t index, struct json_object *record)
{
	struct window_node *node = &search->windows.node[index];
	int64_t limit = partition_limit(record, search);
	const char *word = window_unavailable(record);

	node->name = member_text(record, "name");
	node->until = WINDOW_FOREVER;
	node->procs = member_integer(record, "procs") - member_integer(record, "allocated_procs");
	if (word)
		window_exclude(node, WINDOW_BUSY, word);
	else if (!limit)
		window_exclude(node, WINDOW_UNSUITABLE, "Class");
	else if (!has_features(record, search->request->features))
		window_exclude(node, WINDOW_UNSUITABLE, "Features");
	else if (!has_memory(record, search->request))
		window_exclude(node, WINDOW_UNSUITABLE, "Memory");
	else if (!has_gres(record, search->request))
		window_exclude(node, WINDOW_UNSUITABLE, "GRES");
	else if (node->procs <= 0)
		window_exclude(node, WINDOW_BUSY, "Busy");
	else if (limit < WINDOW_FOREVER)
		add_event(search, index, limit, ALL, NULL);
}

static int by_name(const void *a, const void *b)
{
	return strcmp((*(struct window_node *const *)a)->name,
		      (*(struct window_node *const *)b)->name);
}

static int compare_to_name(const void *name, const void *node)
{
	return strcmp(name, (*(struct window_node *const *)node)->name);
}

static void collect_nodes(struct search *search)
{
	struct json_object *nodes = member_array(search->queue, "nodes");
	size_t count = array_size(nodes);

	search->windows.node = maui_calloc(count ? count : 1, sizeof(*search->windows.node));
	search->by_name = maui_calloc(count ? count : 1, sizeof(*search->by_name));
	search->windows.nodes = count;
	for (size_t i = 0; i < count; i++) {
		search->by_name[i] = &search->windows.node[i];
		look_at_node(search, i, json_object_array_get_idx(nodes, i));
	}
	qsort(search->by_name, count, sizeof(*search->by_name), by_name);
}

/* The index of a node; SIZE_MAX: there is none. */
static size_t place_of(const struct search *search, const char *name)
{
	struct window_node *const *found = bsearch(name, search->by_name, search->windows.nodes,
						   sizeof(*found), compare_to_name);

	return found ? (size_t)(*found - search->windows.node) : SIZE_MAX;
}

/* ---- what comes ------------------------------------------------------------------------------ */

/* One job or reservation, node after node. */
struct taker {
	struct search *search;
	struct json_object *cores; /* of a reservation of parts of nodes */
	int64_t threads;           /* of a core of it */
	int64_t time;
	const char *name;
};

static int64_t procs_taken(const struct taker *taker, const char *node)
{
	for (size_t i = 0; i < array_size(taker->cores); i++) {
		struct json_object *part = json_object_array_get_idx(taker->cores, i);

		if (!strcmp(member_text(part, "node"), node))
			return rsv_cores(member_text(part, "cores")) * taker->threads;
	}
	return ALL;
}

/* Slurm gives the cores of a reservation by number, and how many processors these have in total. */
static int64_t threads_of(struct json_object *reservation)
{
	struct json_object *cores = member_array(reservation, "cores");
	int64_t procs = member_integer(reservation, "procs"), count = 0;

	for (size_t i = 0; i < array_size(cores); i++)
		count += rsv_cores(member_text(json_object_array_get_idx(cores, i), "cores"));
	return count > 0 && procs > count ? (procs + count - 1) / count : 1;
}

static int take_node(void *context, const char *name)
{
	const struct taker *taker = context;
	size_t place = place_of(taker->search, name);

	if (place != SIZE_MAX)
		add_event(taker->search, place, taker->time, procs_taken(taker, name), taker->name);
	return 0;
}

static void take_nodes(struct taker *taker, const char *list)
{
	if (*list)
		maui_hostlist_expand(list, take_node, taker, NULL, NULL, NULL);
}

/* Backfill plans nothing else on the nodes that it has planned a job on. */
static void collect_jobs(struct search *search)
{
	struct json_object *jobs = member_array(search->queue, "jobs");

	for (size_t i = 0; i < array_size(jobs); i++) {
		struct json_object *job = json_object_array_get_idx(jobs, i);
		int64_t start = member_integer(job, "start");
		struct taker taker = {.search = search,
				      .time = start - search->now,
				      .name = member_text(job, "id")};

		if (start > search->now && queue_job_is_pending(job))
			take_nodes(&taker, member_text(job, "scheduled_nodes"));
	}
}

/*
 * A reservation that admits the job for a limited time is in its way after that, counted from its
 * start, or from now if it has begun.
 */
static void collect_reservations(struct search *search)
{
	struct json_object *reservations = member_array(search->queue, "reservations");

	for (size_t i = 0; i < array_size(reservations); i++) {
		struct json_object *one = json_object_array_get_idx(reservations, i);
		int64_t in = member_integer(one, "start") - search->now;
		int64_t end = rsv_end(one), admitted;
		struct taker taker = {.search = search,
				      .cores = member_array(one, "cores"),
				      .threads = threads_of(one),
				      .name = member_text(one, "name")};

		if (end > 0 && end <= search->now)
			continue;
		admitted = window_reservation_admits(taker.name, search->access, search->request);
		if (admitted >= WINDOW_FOREVER)
			continue;
		taker.time = (in > 0 ? in : 0) + admitted;
		if (!end || taker.time < end - search->now)
			take_nodes(&taker, member_text(one, "nodes"));
	}
}

/* ---- windows --------------------------------------------------------------------------------- */

static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

struct total {
	int64_t procs, nodes;
	struct gres_sums gres; /* of these nodes: what they have, and what of it is in use */
};

static struct json_object *record_of(const struct search *search, size_t node)
{
	return json_object_array_get_idx(member_array(search->queue, "nodes"), node);
}

static void add_node(const struct search *search, size_t node, struct total *total)
{
	total->procs += search->windows.node[node].procs;
	total->nodes++;
	gres_add_node(&total->gres, record_of(search, node));
}

static void window_apply(struct search *search, const struct event *event, struct total *total)
{
	struct window_node *node = &search->windows.node[event->node];
	int64_t taken = event->procs < node->procs ? event->procs : node->procs;

	if (taken <= 0)
		return;
	node->procs -= taken;
	total->procs -= taken;
	if (node->procs > 0)
		return;
	total->nodes--;
	gres_take_node(&total->gres, record_of(search, event->node));
}

/* What is free now is what the nodes have after everything that has begun took its part. */
static size_t apply_present(struct search *search, struct total *total)
{
	size_t at = 0;

	for (; at < search->events && search->event[at].time <= 0; at++) {
		const struct event *event = &search->event[at];
		struct window_node *node = &search->windows.node[event->node];
		bool was_free = node->procs > 0;

		window_apply(search, event, total);
		if (was_free && node->procs == 0)
			window_exclude(node, WINDOW_RESERVED, event->name);
	}
	return at;
}

/* For each node, the first event that will take something from it. */
static void note_next(struct search *search, size_t from)
{
	for (size_t i = from; i < search->events; i++) {
		struct window_node *node = &search->windows.node[search->event[i].node];

		if (node->procs > 0 && search->event[i].time < node->until) {
			node->until = search->event[i].time;
			node->next = search->event[i].name;
		}
	}
}

static void add_window(struct search *search, const struct total *total, int64_t seconds)
{
	const struct window_request *request = search->request;

	if (total->procs > 0 && total->nodes >= request->nodes && seconds >= request->duration)
		search->windows.window[search->windows.count++] =
			(struct window){.procs = total->procs,
					.nodes = total->nodes,
					.seconds = seconds,
					.gres = total->gres};
}

/* The nodes keep what they have now for the output: copies are used up. */
static void window_sweep(struct search *search, size_t at, struct total total)
{
	size_t size = search->windows.nodes * sizeof(*search->windows.node);
	struct window_node *now = maui_malloc(size, 1);

	search->windows.window = maui_calloc(search->events + 1, sizeof(*search->windows.window));
	memcpy(now, search->windows.node, size);
	while (at < search->events) {
		const struct total before = total;
		int64_t time = search->event[at].time;

		for (; at < search->events && search->event[at].time == time; at++)
			window_apply(search, &search->event[at], &total);
		if (total.procs < before.procs)
			add_window(search, &before, time);
	}
	add_window(search, &total, WINDOW_FOREVER);
	memcpy(search->windows.node, now, size);
	free(now);
}

static void window_find(struct search *search)
{
	struct total total = {0};
	size_t at;

	collect_nodes(search);
	collect_jobs(search);
	collect_reservations(search);
	if (search->events)
		qsort(search->event, search->events, sizeof(*search->event), by_time);
	for (size_t i = 0; i < search->windows.nodes; i++)
		if (search->windows.node[i].procs > 0)
			add_node(search, i, &total);
	at = apply_present(search, &total);
	note_next(search, at);
	window_sweep(search, at, total);
}

void windows_find(struct json_object *queue, struct json_object *access,
		  const struct window_request *request, struct windows *ret_windows)
{
	struct search search = {.queue = queue, .access = access, .request = request};

	search.now = member_integer(queue, "time");
	window_find(&search);
	free(search.by_name);
	free(search.event);
	*ret_windows = search.windows;
}

void windows_clear(struct windows *windows)
{
	free(windows->node);
	free(windows->window);
	*windows = (struct windows){0};
}
