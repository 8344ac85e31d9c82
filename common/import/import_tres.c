/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PriorityWeightTRES, and how much of each TRES the partitions have. */
#include <string.h>
#include <strings.h>

#include "common/import/import_read.h"
#include "common/util/decimal.h"
#include "common/util/text.h"

#define TRES_MOST 256 /* in one PriorityWeightTRES */

struct maui_import_tres maui_import_tres_named(const char *name)
{
	static const struct {
		const char *name;
		enum maui_import_tres_kind kind;
	} kinds[] = {
		{"cpu", MAUI_IMPORT_CPU}, {"mem", MAUI_IMPORT_MEM}, {"node", MAUI_IMPORT_NODE}};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcasecmp(kinds[i].name, name))
			return (struct maui_import_tres){.kind = kinds[i].kind, .name = name};
	if (maui_begins(name, "gres/") && name[5])
		return (struct maui_import_tres){.kind = MAUI_IMPORT_GRES, .name = name + 5};
	return (struct maui_import_tres){.kind = MAUI_IMPORT_NO_RESOURCE, .name = name};
}

/* ---- how much there is ---- */

/* gpu counts the GRES gpu and gpu:a100, gpu:a100 the latter alone. */
static uint64_t tres_gres_units(const struct maui_replay_nodes *nodes,
				const struct maui_replay_node *node, const char *name)
{
	size_t size = strlen(name);
	uint64_t sum = 0;

	for (uint32_t i = 0; i < node->gres_count; i++) {
		const char *own = maui_intern_name(nodes->gres, node->gres[i].gres);

		if (!strncasecmp(own, name, size) && (!own[size] || own[size] == ':'))
			sum += node->gres[i].count;
	}
	return sum;
}

static uint64_t tres_units(const struct maui_replay_nodes *nodes,
			   const struct maui_replay_node *node, const struct maui_import_tres *tres)
{
	switch (tres->kind) {
	case MAUI_IMPORT_CPU:
		return node->cpus;
	case MAUI_IMPORT_MEM:
		return (uint64_t)node->memory;
	case MAUI_IMPORT_NODE:
		return 1;
	case MAUI_IMPORT_GRES:
		return tres_gres_units(nodes, node, tres->name);
	case MAUI_IMPORT_NO_RESOURCE:
		break;
	}
	return 0;
}

static void tres_count(struct maui_import_conf *conf, const struct maui_replay_nodes *nodes,
		       struct maui_import_tres *tres)
{
	uint64_t *units = maui_arena_alloc(conf->arena, nodes->partition_count + 1, sizeof(*units));

	for (uint32_t n = 0; n < nodes->count; n++) {
		uint64_t own = tres_units(nodes, &nodes->nodes[n], tres);

		tres->all += own;
		for (uint32_t i = 0; i < nodes->partition_count; i++)
			if (maui_replay_has(nodes->partitions[i].members, n))
				units[i] += own;
	}
	tres->units = units;
}

/* ---- the text ---- */

/* slurmctld divides by 1024 for each step of the unit above the TRES's own, and ignores one below. */
static bool tres_unit(enum maui_import_tres_kind kind, char unit, double *weight)
{
	static const char units[] = "KMGTP";
	const char *at = unit ? strchr(units, maui_upper(unit)) : NULL;

	if (!at)
		return false;
	for (const char *step = kind == MAUI_IMPORT_MEM ? units + 2 : units; step <= at; step++)
		*weight /= 1024;
	return true;
}

/* One item, without the comma behind it. NULL, or why it is wrong. */
static const char *tres_item(struct maui_import_conf *conf, const char *item, size_t size,
			     struct maui_import_tres *ret_tres)
{
	char *text = maui_arena_text(conf->arena, item, size);
	char *sign = strchr(text, '=');
	const char *written, *rest;

	if (!sign || sign == text)
		return "this is not TRES=WEIGHT";
	written = maui_arena_text(conf->arena, text, size);
	*sign = '\0';
	*ret_tres = maui_import_tres_named(text);
	ret_tres->written = written;
	if (!maui_import_is_name(ret_tres->name))
		return "maui.cfg cannot have this name";
	if (maui_real_parse(sign + 1, &ret_tres->weight, &rest))
		return "a weight is a decimal number";
	if (*rest && (!tres_unit(ret_tres->kind, *rest, &ret_tres->weight) || rest[1]))
		return "behind the weight may be K, M, G, T or P";
	return NULL;
}

/* Of two the last counts, as in slurmctld. */
static void tres_put(struct maui_import_tres *list, size_t *count,
		     const struct maui_import_tres *tres)
{
	size_t i = 0;

	while (i < *count &&
	       (list[i].kind != tres->kind || strcasecmp(list[i].name, tres->name) != 0))
		i++;
	list[i] = *tres;
	*count += i == *count;
}

bool maui_import_read_tres(struct maui_import_conf *conf, const struct maui_replay_nodes *nodes,
			   const char *text, struct maui_import_weights *ret_weights,
			   size_t *ret_at, const char **ret_why)
{
	struct maui_import_tres *list = maui_arena_alloc(conf->arena, TRES_MOST, sizeof(*list));
	size_t count = 0;

	for (const char *at = text; *at;) {
		size_t size = strcspn(at, ",");
		struct maui_import_tres tres;

		*ret_at = (size_t)(at - text);
		*ret_why = count == TRES_MOST ? "this is one too many"
			   : size             ? tres_item(conf, at, size, &tres)
					      : NULL;
		if (*ret_why)
			return false;
		if (size) {
			tres_count(conf, nodes, &tres);
			tres_put(list, &count, &tres);
		}
		at += size + (at[size] == ',');
	}
	*ret_weights = (struct maui_import_weights){list, count};
	return true;
}
