/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects Slurm's nodes, features and partitions, and checks each reservation
 * against them with maui_sr_unknown(), once for each policy.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/roll/rsv_unknown.h"

#include "common/policy/policy.h"
#include "common/policy/reservation/sr_unknown.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/runtime/logged.h"
#include "plugins/engine/runtime/runtime.h"

/* context: the count so far. */
static void log_one(void *context, const struct maui_origin *origin, const char *text)
{
	size_t *count = context;

	if ((*count)++ < MAX_PROBLEMS_LOGGED)
		info("maui: %s:%u:%u: warning: %s", origin->file, origin->line, origin->column,
		     text);
}

static void rsv_unknown_add_all(struct maui_intern *set, const char *const *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		maui_intern_add(set, texts[i]);
}

/* Partitions without a node count as unknown. */
static void rsv_unknown_tell_all(const struct maui_policy *policy, const struct rsv_world *world,
				 const struct maui_sr *list, size_t count)
{
	struct maui_node_names *names = maui_node_names_new(world->names, world->count);
	struct maui_intern *features = maui_intern_new(), *partitions = maui_intern_new();
	const struct maui_sr_machine machine = {names, features, partitions};
	size_t told = 0;

	for (uint32_t i = 0; i < world->count; i++) {
		rsv_unknown_add_all(features, world->nodes[i].features,
				    world->nodes[i].feature_count);
		rsv_unknown_add_all(partitions, world->nodes[i].partitions,
				    world->nodes[i].partition_count);
	}
	for (size_t i = 0; i < count; i++)
		maui_sr_unknown(policy->config, &list[i], &machine, log_one, &told);
	if (told > MAX_PROBLEMS_LOGGED)
		info("maui: %zu more names in SRCFG are unknown here: run `maui check`",
		     told - MAX_PROBLEMS_LOGGED);
	maui_node_names_free(names);
	maui_intern_free(features);
	maui_intern_free(partitions);
}

void rsv_unknown_tell(const struct rsv_world *world, const struct maui_sr *list, size_t count)
{
	static struct maui_policy *told; /* the engine's thread alone */
	struct maui_policy *policy;

	engine_lock();
	policy = maui_policy_ref(in_force.policy);
	engine_unlock();
	if (policy != told)
		rsv_unknown_tell_all(policy, world, list, count);
	maui_policy_unref(told); /* kept, so that its address is not reused */
	told = policy;
}
