/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machine: the nodes as maps, and what could start now, for how long. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/page/page.h"
#include "contribs/maui/queue/machine_use.h"
#include "contribs/maui/queue/queue.h"
#include "contribs/maui/show/window.h"

#define SINGLE                                                                                     \
	1024       /* so many nodes have a cell each that says its name; more, runs of equal ones */
#define CELL    16 /* of the picture's units, with a gap of 2 */
#define GROUPS  8  /* colors of partitions and users; the last is that of all others */
#define WINDOWS 30

/* A group of nodes in one color. */
struct group {
	const char *name, *color;
	int64_t nodes, procs, used;
};

struct map {
	const char *title, *column;
	struct group groups[GROUPS];
	size_t count;
	unsigned char *of_node; /* its group */
};

/* ---- drawing -------------------------------------------------------------------------------- */

static size_t columns_for(size_t nodes)
{
	size_t columns = 16;

	while (columns < 128 && columns * columns < 2 * nodes)
		columns *= 2;
	return columns;
}

static void write_cell(struct html *html, const struct map *map, struct json_object *node,
		       size_t at, size_t columns)
{
	const struct group *group = &map->groups[map->of_node[at]];

	html_add(html, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"14\" height=\"14\"><title>",
		 group->color, (int)(at % columns * CELL + 1), (int)(at / columns * CELL + 1));
	html_add(html, "%s: %s, %" PRId64 " of %" PRId64 " processors in use</title></rect>",
		 member_text(node, "name"), group->name, count_of(node, "allocated_procs"),
		 count_of(node, "procs"));
}

/* From at on, as far as the color and the line go on. */
static size_t write_run(struct html *html, const struct map *map, size_t at, size_t nodes,
			size_t columns)
{
	size_t end = at + 1;

	while (end < nodes && end % columns && map->of_node[end] == map->of_node[at])
		end++;
	html_add(html, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"14\"/>",
		 map->groups[map->of_node[at]].color, (int)(at % columns * CELL + 1),
		 (int)(at / columns * CELL + 1), (int)((end - at) * CELL - 2));
	return end;
}

static void write_picture(struct html *html, const struct page *page, const struct map *map)
{
	struct json_object *list = member_array(page->queue, "nodes");
	size_t nodes = array_size(list), columns = columns_for(nodes);
	int width = (int)(columns * CELL), height = (int)((nodes + columns - 1) / columns * CELL);

	html_add(html,
		 "<svg class=\"map\" aria-hidden=\"true\" viewBox=\"0 0 %d %d\" width=\"%d\">",
		 width, height, width);
	for (size_t at = 0; at < nodes;) {
		if (nodes > SINGLE) {
			at = write_run(html, map, at, nodes, columns);
			continue;
		}
		write_cell(html, map, json_object_array_get_idx(list, at), at, columns);
		at++;
	}
	html_add(html, "</svg>\n");
}

static void write_map(struct html *html, const struct page *page, const struct map *map)
{
	html_add(html, "<h3>%s</h3>\n<div class=\"beside\">", map->title);
	write_picture(html, page, map);
	page_table(html, map->title);
	html_add(html,
		 "<caption>%s</caption><thead><tr><th scope=\"col\">%s</th>"
		 "<th scope=\"col\" class=\"number\">Nodes</th><th scope=\"col\" class=\"number\">"
		 "Processors</th><th scope=\"col\" class=\"number\">In "
		 "use</th></tr></thead><tbody>\n",
		 map->title, map->column);
	for (size_t i = 0; i < map->count; i++) {
		const struct group *group = &map->groups[i];

		if (!group->nodes)
			continue;
		html_add(html,
			 "<tr><th scope=\"row\" class=\"name\"><svg class=\"swatch inline\" "
			 "aria-hidden=\"true\"><rect class=\"%s\" x=\"1\" y=\"2\" width=\"13\" "
			 "height=\"13\"/></svg> %s</th><td class=\"number\">",
			 group->color, group->name);
		page_count(html, group->nodes);
		html_add(html, "</td><td class=\"number\">");
		page_count(html, group->procs);
		html_add(html, "</td><td class=\"number\">");
		page_count(html, group->used);
		html_add(html, "</td></tr>\n");
	}
	page_table_end(html);
	html_add(html, "</div>\n");
}

static void put_in(struct map *map, size_t at, size_t group, struct json_object *node)
{
	map->of_node[at] = (unsigned char)group;
	map->groups[group].nodes++;
	map->groups[group].procs += count_of(node, "procs");
	map->groups[group].used += count_of(node, "allocated_procs");
}

/* ---- by state ------------------------------------------------------------------------------- */

enum state { FREE, MIXED, FULL, RESERVED, DRAINED, DOWN, STATES };

static enum state state_of(struct json_object *node)
{
	int64_t used = count_of(node, "allocated_procs");
	enum maui_node_use use = node_use(node);

	if (use == MAUI_NODE_DOWN)
		return DOWN;
	if (use == MAUI_NODE_DRAINS || !node_is_up(node))
		return DRAINED;
	if (used > 0)
		return used < count_of(node, "procs") ? MIXED : FULL;
	return node_has_flag(node, "RESERVED") || use == MAUI_NODE_MAINT ? RESERVED : FREE;
}

static void write_states(struct html *html, const struct page *page)
{
	struct json_object *nodes = member_array(page->queue, "nodes");
	struct map map = {
		.title = "Nodes by state",
		.column = "State",
		.groups = {[FREE] = {.name = "free", .color = "empty"},
			   [MIXED] = {.name = "partly in use", .color = "use half"},
			   [FULL] = {.name = "in use", .color = "use"},
			   [RESERVED] = {.name = "reserved, unused", .color = "c3"},
			   [DRAINED] = {.name = "drained", .color = "warn"},
			   [DOWN] = {.name = "down", .color = "ink"}},
		.count = STATES,
		.of_node = maui_calloc(array_size(nodes) + 1, 1),
	};

	for (size_t i = 0; i < array_size(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);

		put_in(&map, i, state_of(node), node);
	}
	write_map(html, page, &map);
	free(map.of_node);
}

/* ---- by partition and by user --------------------------------------------------------------- */

static const char *const colors[GROUPS] = {"c0", "c1", "c2", "c3", "c4", "c6", "c7", "c5"};

/* The last group is that of the nodes of no other. */
static void name_groups(struct map *map, const char *const *names, size_t count, const char *others)
{
	for (size_t i = 0; i < count && i < GROUPS - 1; i++)
		map->groups[map->count++] = (struct group){.name = names[i], .color = colors[i]};
	map->groups[map->count++] = (struct group){.name = others, .color = colors[GROUPS - 1]};
}

static void write_partitions(struct html *html, const struct page *page)
{
	struct json_object *nodes = member_array(page->queue, "nodes");
	struct json_object *partitions = member_array(page->queue, "partitions");
	struct map map = {.title = "Nodes by partition", .column = "Partition"};
	const char *names[GROUPS - 1];
	size_t count = 0;

	for (; count < array_size(partitions) && count < GROUPS - 1; count++)
		names[count] = member_text(json_object_array_get_idx(partitions, count), "name");
	name_groups(&map, names, count, "another, or none");
	map.of_node = maui_calloc(array_size(nodes) + 1, 1);
	for (size_t i = 0; i < array_size(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);
		size_t group = 0;

		while (group < count && !node_is_in(node, names[group]))
			group++;
		put_in(&map, i, group, node);
	}
	write_map(html, page, &map);
	free(map.of_node);
}

/* {node: {user: processors}} of what runs, and {user: processors} of all. */
static struct json_object *users_of_nodes(const struct page *page, struct json_object *sums)
{
	struct json_object *jobs = member_array(page->sorted.active, "jobs"),
			   *all = json_make_object();

	for (size_t i = 0; i < array_size(jobs); i++) {
		struct json_object *job = json_object_array_get_idx(jobs, i);
		struct json_object *parts = member_array(job, "allocated");
		const char *user = member_text(job, "user");

		for (size_t k = 0; k < array_size(parts); k++) {
			struct json_object *part = json_object_array_get_idx(parts, k), *users;
			const char *node = member_text(part, "node");
			int64_t procs = count_of(part, "procs");

			users = member_object(all, node);
			if (!users) {
				users = json_make_object();
				json_set(all, node, users);
			}
			json_set_number(users, user, member_integer(users, user) + procs);
			json_set_number(sums, user, member_integer(sums, user) + procs);
		}
	}
	return all;
}

/* The names with the greatest numbers, the greatest first. */
static size_t view_machine_greatest(struct json_object *numbers, const char *names[GROUPS - 1])
{
	int64_t amounts[GROUPS - 1];
	size_t count = 0;

	json_object_object_foreach(numbers, name, number)
	{
		int64_t amount = json_object_get_int64(number);
		size_t at = count;

		while (at && amounts[at - 1] < amount)
			at--;
		if (at == GROUPS - 1)
			continue;
		count += count < GROUPS - 1;
		memmove(&names[at + 1], &names[at], (count - 1 - at) * sizeof(*names));
		memmove(&amounts[at + 1], &amounts[at], (count - 1 - at) * sizeof(*amounts));
		names[at] = name;
		amounts[at] = amount;
	}
	return count;
}

/* A node is its greatest user's. */
static size_t group_of_users(const struct map *map, struct json_object *users)
{
	const char *first[GROUPS - 1];
	size_t group = 0;

	if (!users || !view_machine_greatest(users, first))
		return map->count - 1;
	while (group < map->count - 2 && strcmp(map->groups[group].name, first[0]) != 0)
		group++;
	return group;
}

static void write_users(struct html *html, const struct page *page)
{
	struct json_object *nodes = member_array(page->queue, "nodes");
	struct json_object *sums = json_make_object(), *users = users_of_nodes(page, sums);
	struct map map = {.title = "Nodes by user", .column = "Most used by"};
	const char *names[GROUPS - 1];
	size_t count = view_machine_greatest(sums, names);

	/* Two colors are for others, and for nobody. */
	name_groups(&map, names, count < GROUPS - 2 ? count : GROUPS - 2, "others");
	map.groups[map.count++] = (struct group){.name = "nobody that you see", .color = "empty"};
	map.of_node = maui_calloc(array_size(nodes) + 1, 1);
	for (size_t i = 0; i < array_size(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);

		put_in(&map, i,
		       group_of_users(&map, member_object(users, member_text(node, "name"))), node);
	}
	write_map(html, page, &map);
	free(map.of_node);
	json_object_put(users);
	json_object_put(sums);
}

/* ---- what could start now ------------------------------------------------------------------- */

static void write_window(struct html *html, const struct window *window, double scale)
{
	html_add(html, "<tr><th scope=\"row\">");
	if (window->seconds >= WINDOW_FOREVER)
		html_add(html, "without end");
	else
		page_span(html, window->seconds);
	html_add(html,
		 "</th><td class=\"wide\"><svg class=\"bar\" aria-hidden=\"true\"><rect "
		 "class=\"track\" "
		 "y=\"3\" width=\"100%%\" height=\"12\"/><rect class=\"use\" y=\"3\" "
		 "width=\"%.2f%%\" "
		 "height=\"12\"/></svg></td><td class=\"number\">",
		 page_part((double)window->procs, scale));
	page_count(html, window->procs);
	html_add(html, "</td><td class=\"number\">");
	page_count(html, window->nodes);
	html_add(html, "</td></tr>\n");
}

static void write_windows(struct html *html, const struct windows *windows)
{
	double scale = windows->count ? page_scale((double)windows->window[0].procs) : 1;

	page_table(html, "What could start now");
	html_add(
		html,
		"<caption>What could start now</caption><thead><tr><th scope=\"col\">For up to</th>"
		"<th scope=\"col\" class=\"wide\">");
	page_axis(html, scale, "processors");
	html_add(html, "</th><th scope=\"col\" class=\"number\">Processors</th>"
		       "<th scope=\"col\" class=\"number\">Nodes</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < windows->count && i < WINDOWS; i++)
		write_window(html, &windows->window[i], scale);
	if (windows->count > WINDOWS)
		html_add(html,
			 "<tr class=\"rest\"><th scope=\"row\" colspan=\"4\">%zu longer ones</th>"
			 "</tr>\n",
			 windows->count - WINDOWS);
	if (!windows->count)
		html_add(html, "<tr class=\"rest\"><th scope=\"row\" colspan=\"4\">nothing: no "
			       "processor is free</th></tr>\n");
	page_table_end(html);
}

static void write_holes(struct html *html, const struct page *page)
{
	struct window_request request = {.memory = -1, .all = page->anybody};
	struct windows windows;

	if (!page->anybody) {
		request.user = page->user;
		request.group = page->group;
	}
	request.class = page_default_partition(page);
	windows_find(page->queue, page_data(page, PAGE_RESERVATIONS), &request, &windows);
	write_windows(html, &windows);
	windows_clear(&windows);
}

void page_machine(struct html *html, const struct page *page)
{
	if (!page->queue || !array_size(member_array(page->queue, "nodes"))) {
		html_add(html, "<p class=\"missing\">Not shown: %s.</p>\n",
			 page->queue ? "no node can be seen" : page->queue_problem);
		return;
	}
	if (*page_search(page))
		page_nodes(html, page);
	html_add(html, "<p>Each square is a node, line by line in Slurm\xe2\x80\x99s order.</p>\n");
	write_states(html, page);
	write_partitions(html, page);
	write_users(html, page);
	page_gres(html, page);
	html_add(html,
		 "<h3>Holes</h3>\n<p>The processors that are free now, and for how long: a job "
		 "that fits starts at once, as far as limits let it.</p>\n");
	write_holes(html, page);
}
