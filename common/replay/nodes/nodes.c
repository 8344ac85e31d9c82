/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds nodes and partitions by name, and parses their features and GRES, such
 * as gpu:a100:4(S:0-1).
 */
#include "common/replay/nodes/nodes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/slurm/gres.h"
#include "common/util/grow.h"
#include "common/util/list.h"
#include "common/util/memory.h"
#include "common/util/text.h"

#define NAME_SIZE 256

struct maui_replay_nodes *maui_replay_nodes_new(void)
{
	struct maui_replay_nodes *nodes = maui_calloc(1, sizeof(*nodes));

	nodes->arena = maui_arena_new();
	nodes->names = maui_intern_new();
	nodes->features = maui_intern_new();
	nodes->gres = maui_intern_new();
	return nodes;
}

struct maui_replay_nodes *maui_replay_nodes_free(struct maui_replay_nodes *nodes)
{
	if (!nodes)
		return NULL;
	maui_intern_free(nodes->names);
	maui_intern_free(nodes->features);
	maui_intern_free(nodes->gres);
	maui_arena_free(nodes->arena);
	free(nodes->nodes);
	free(nodes->partitions);
	free(nodes);
	return NULL;
}

/* ---- features and GRES ---- */

static size_t items_of(const char *list)
{
	size_t count = 0;
	struct maui_item item;

	while (maui_list_next(&list, ",", &item))
		count++;
	return count;
}

static void read_features(struct maui_replay_nodes *nodes, struct maui_replay_node *node,
			  const char *list)
{
	uint32_t *features = maui_arena_alloc(nodes->arena, items_of(list), sizeof(*features));
	struct maui_item item;
	char name[NAME_SIZE];

	node->features = features;
	while (maui_list_next(&list, ",", &item))
		if (item.size)
			features[node->feature_count++] = maui_intern_add(
				nodes->features, maui_item_copy(item, name, sizeof(name)));
}

static struct maui_replay_units *units_of(struct maui_replay_units *units, uint32_t count,
					  uint32_t gres)
{
	uint32_t i = 0;

	while (i < count && units[i].gres != gres)
		i++;
	return &units[i];
}

/* The number of a GRES by its name. */
static int number_of(struct maui_replay_nodes *nodes, const char *name, uint32_t *ret_gres,
		     struct maui_error *error)
{
	*ret_gres = maui_intern_find(nodes->gres, name);
	if (!*ret_gres && maui_intern_count(nodes->gres) == MAUI_REPLAY_MAX_GRES)
		return maui_error_set(error, EINVAL, "GRES %s: more than %u different ones", name,
				      MAUI_REPLAY_MAX_GRES);
	if (!*ret_gres)
		*ret_gres = maui_intern_add(nodes->gres, name);
	return 0;
}

/* What one piece says. */
struct piece {
	char name[NAME_SIZE]; /* with its type */
	uint64_t count;
	bool no_consume;
};

/* name[:type][:no_consume][:count][(...)]; the count is the last. False: there is no name. */
static bool read_piece(struct maui_item text, struct piece *piece)
{
	const char *paren = memchr(text.text, '(', text.size);
	const char *rest = text.text, *end = paren ? paren : text.text + text.size;
	size_t used = 0;

	*piece = (struct piece){.count = 1};
	while (rest < end) {
		const char *colon = memchr(rest, ':', (size_t)(end - rest));
		const char *stop = colon ? colon : end;
		size_t size = (size_t)(stop - rest);

		if (!used && !size)
			return false;
		if (used && maui_equals(rest, size, "no_consume"))
			piece->no_consume = true;
		else if ((!used || stop < end ||
			  !maui_gres_count_parse(rest, size, &piece->count)) &&
			 used + size + 1 < NAME_SIZE)
			used += (size_t)snprintf(piece->name + used, NAME_SIZE - used, "%s%.*s",
						 used ? ":" : "", (int)size, rest);
		rest = stop + 1;
	}
	return used;
}

static int read_gres(struct maui_replay_nodes *nodes, struct maui_replay_node *node,
		     struct maui_replay_units *units, struct maui_item text,
		     struct maui_error *error)
{
	struct piece piece;
	struct maui_replay_units *place;
	uint32_t gres;
	int rc;

	if (!read_piece(text, &piece))
		return maui_error_set(error, EINVAL, "GRES %.*s: NAME[:TYPE][:COUNT]",
				      (int)text.size, text.text);
	rc = number_of(nodes, piece.name, &gres, error);
	if (rc)
		return rc;
	place = units_of(units, node->gres_count, gres);
	node->gres_count += place == &units[node->gres_count];
	place->gres = gres;
	node->no_consume |= (uint64_t)piece.no_consume << (gres - 1);
	place->count = maui_gres_plus(place->count, piece.count);
	return 0;
}

/* Up to the next comma. A comma within gpu:4(S:0,1) separates nothing. */
static size_t piece_size(const char *list)
{
	size_t size = strcspn(list, ",(");

	if (list[size] == '(')
		size += strcspn(list + size, ")");
	return size + strcspn(list + size, ",");
}

static int read_all_gres(struct maui_replay_nodes *nodes, struct maui_replay_node *node,
			 const char *list, struct maui_error *error)
{
	size_t items = items_of(list),
	       most = items < MAUI_REPLAY_MAX_GRES ? items : MAUI_REPLAY_MAX_GRES;
	struct maui_replay_units *units = maui_arena_alloc(nodes->arena, most, sizeof(*units));
	int rc = 0;

	node->gres = units;
	while (!rc && *list) {
		struct maui_item item = {list, piece_size(list)};

		list += item.size + (list[item.size] == ',');
		if (item.size)
			rc = read_gres(nodes, node, units, item, error);
	}
	return rc;
}

/* ---- nodes ---- */

int maui_replay_nodes_add(struct maui_replay_nodes *nodes, const char *name, uint32_t cpus,
			  int64_t memory, const char *features, const char *gres,
			  struct maui_error *error)
{
	struct maui_replay_node node = {.cpus = cpus, .memory = memory};
	int rc;

	if (nodes->count == MAUI_REPLAY_MAX_NODES)
		return maui_error_set(error, EINVAL, "more than %u nodes", MAUI_REPLAY_MAX_NODES);
	if (!cpus || cpus > MAUI_REPLAY_MAX_CPUS)
		return maui_error_set(error, EINVAL, "%s: processors are a number from 1 to %u",
				      name, MAUI_REPLAY_MAX_CPUS);
	if (memory < 0 || memory > MAUI_REPLAY_MAX_MEMORY)
		return maui_error_set(error, EINVAL, "%s: that is no amount of memory", name);
	if (maui_intern_find(nodes->names, name))
		return maui_error_set(error, EINVAL, "a second node %s", name);
	if (items_of(features) > MAUI_REPLAY_MAX_FEATURES)
		return maui_error_set(error, EINVAL, "%s: more than %u features", name,
				      MAUI_REPLAY_MAX_FEATURES);
	read_features(nodes, &node, features);
	rc = read_all_gres(nodes, &node, gres, error);
	if (rc)
		return rc;
	node.name = maui_intern_name(nodes->names, maui_intern_add(nodes->names, name));
	nodes->nodes = maui_grow(nodes->nodes, nodes->count + (size_t)1, &nodes->node_room,
				 sizeof(*nodes->nodes));
	nodes->nodes[nodes->count++] = node;
	nodes->cpus += cpus;
	return 0;
}

uint32_t maui_replay_nodes_find(const struct maui_replay_nodes *nodes, const char *name)
{
	uint32_t number = maui_intern_find(nodes->names, name);

	return number ? number - 1 : UINT32_MAX;
}

/* ---- partitions ---- */

const struct maui_replay_partition *
maui_replay_nodes_find_partition(const struct maui_replay_nodes *nodes, const char *name)
{
	for (uint32_t i = 0; i < nodes->partition_count; i++)
		if (!strcmp(nodes->partitions[i].name, name))
			return &nodes->partitions[i];
	return NULL;
}

struct maui_replay_partition *maui_replay_nodes_partition(struct maui_replay_nodes *nodes,
							  const char *name)
{
	const struct maui_replay_partition *found = maui_replay_nodes_find_partition(nodes, name);
	struct maui_replay_partition made = {0};

	if (found)
		return &nodes->partitions[found - nodes->partitions];
	nodes->partitions = maui_grow(nodes->partitions, nodes->partition_count + (size_t)1,
				      &nodes->partition_room, sizeof(*nodes->partitions));
	made.name = maui_arena_text(nodes->arena, name, strlen(name));
	made.members = maui_arena_alloc(nodes->arena, maui_replay_words(nodes->count),
					sizeof(*made.members));
	nodes->partitions[nodes->partition_count] = made;
	return &nodes->partitions[nodes->partition_count++];
}
