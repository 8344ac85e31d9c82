/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who answers for which cores of the reservations that Slurm has now. */
#include "plugins/compat/base.h"

#include "plugins/engine/fairshare/rsv_idle_private.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/memory.h"
#include "plugins/engine/fairshare/fairshare.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/reservation/rsv_policy.h"
#include "plugins/engine/reservation/rsv_view.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/noderec.h"

#define UNWATCHED UINT32_MAX

/* The last layout. */
ENGINE_GUARDED static struct {
	uint32_t *base; /* by node: the slot of its first core, or UNWATCHED */
	uint32_t nodes; /* entries in base */
} laid_out;

/* Whether the settings name anybody who answers: most sites have no owners, so this is determined
 * once per maui.cfg. */
ENGINE_GUARDED static struct {
	uint64_t generation;
	bool anybody;
} naming;

/* ---- who answers ---- */

ENGINE_LOCKED static struct maui_idle_payer payer_of(const struct maui_sr *sr)
{
	if (sr->charge_account)
		return (struct maui_idle_payer){
			MAUI_ACCOUNT,
			maui_names_of_configured(in_force.names, MAUI_ACCOUNT, sr->charge_account)};
	if (sr->owner_type < MAUI_CREDENTIALS)
		return (struct maui_idle_payer){sr->owner_type, sr->owner};
	return (struct maui_idle_payer){MAUI_USER, MAUI_NO_CREDENTIAL};
}

bool rsv_idle_is_anybody_named(void)
{
	const struct maui_sr *list;
	size_t count = rsv_policy_list(&list);

	if (naming.generation == rsv_policy_generation())
		return naming.anybody;
	naming.anybody = false;
	for (size_t i = 0; i < count && !naming.anybody; i++)
		naming.anybody = payer_of(&list[i]).id;
	naming.generation = rsv_policy_generation();
	return naming.anybody;
}

/* ---- cores ---- */

static void add_range(struct rsv_idle_ranges *ranges, uint32_t first, uint32_t count)
{
	struct maui_idle_range *last = ranges->count ? &ranges->list[ranges->count - 1] : NULL;

	if (last && last->first + last->count == first) {
		last->count += count;
		return;
	}
	ranges->list =
		maui_grow(ranges->list, ranges->count + 1, &ranges->room, sizeof(*ranges->list));
	ranges->list[ranges->count++] = (struct maui_idle_range){first, count};
}

static uint32_t core_count(uint32_t node)
{
	return noderec_first_core(node + 1) - noderec_first_core(node);
}

static void add_held(uint32_t node, const bitstr_t *cores, uint32_t first, void *context)
{
	uint32_t base, count = core_count(node);
	struct rsv_idle_ranges *ranges = context;

	engine_assert_locked();
	base = laid_out.base[node];
	if (base == UNWATCHED)
		return;
	for (uint32_t core = 0; core < count; core++)
		if (bit_test((bitstr_t *)cores, first + core))
			add_range(ranges, base + core, 1);
}

void rsv_idle_cores_of(const job_record_t *job, struct rsv_idle_ranges *ranges)
{
	ranges->count = 0;
	jobrec_each_node_cores(job, add_held, ranges);
}

/* ---- the layout ---- */

/* An instance that somebody answers for. */
struct held {
	const struct rsv_seen *seen;
	struct maui_idle_payer payer;
	struct rsv_idle_ranges ranges;
};

struct layout {
	struct held *held; /* by name */
	size_t held_count;
	double *weight; /* by slot */
	uint32_t slots;
	struct maui_idle_hold *holds;
};

static int compare_held(const void *left, const void *right)
{
	return strcmp(((const struct held *)left)->seen->name,
		      ((const struct held *)right)->seen->name);
}

static bool is_of_this_table(const struct rsv_seen *seen)
{
	return seen->nodes && (uint32_t)bit_size(seen->nodes) == noderec_count() &&
	       (!seen->cores ||
		(uint32_t)bit_size(seen->cores) == noderec_first_core(noderec_count()));
}

ENGINE_LOCKED static void find_held(struct layout *layout, int64_t now)
{
	const struct rsv_seen *list;
	const struct maui_sr *standing;
	size_t count = rsv_view(&list, now), standing_count = rsv_policy_list(&standing);

	layout->held = maui_calloc(count + 1, sizeof(*layout->held));
	for (size_t i = 0; i < count; i++) {
		struct held *one = &layout->held[layout->held_count];

		if (!list[i].ours || list[i].gap || list[i].sr >= standing_count ||
		    !is_of_this_table(&list[i]) || list[i].instance.end <= now)
			continue;
		*one = (struct held){.seen = &list[i], .payer = payer_of(&standing[list[i].sr])};
		layout->held_count += one->payer.id != MAUI_NO_CREDENTIAL;
	}
	if (layout->held_count)
		qsort(layout->held, layout->held_count, sizeof(*layout->held), compare_held);
}

/* How many processors each of the node's cores counts as. */
ENGINE_LOCKED static void weigh(struct layout *layout, uint32_t node)
{
	const node_record_t *record = noderec_at(node);
	uint32_t cores = core_count(node);
	double each = 0;

	if (record && noderec_is_usable(record) && cores)
		each = (double)noderec_cpus(record) / cores;
	if (each > 0)
		each *= fairshare_node_speed(noderec_name(record));
	for (uint32_t core = 0; core < cores; core++)
		layout->weight[layout->slots++] =
			record && noderec_core_is_special(record, core) ? 0 : each;
}

/* Slots for the cores of every node that a held instance has. */
ENGINE_LOCKED static void watch_nodes(struct layout *layout)
{
	uint32_t count = noderec_count();
	uint32_t *base = maui_calloc((size_t)count + 1, sizeof(*base));

	layout->weight =
		maui_calloc((size_t)noderec_first_core(count) + 1, sizeof(*layout->weight));
	for (uint32_t i = 0; i < count; i++) {
		bool held = false;

		for (size_t k = 0; k < layout->held_count && !held; k++)
			held = bit_test(layout->held[k].seen->nodes, i);
		base[i] = held ? layout->slots : UNWATCHED;
		if (held)
			weigh(layout, i);
	}
	free(laid_out.base);
	laid_out.base = base;
	laid_out.nodes = count;
}

ENGINE_LOCKED static void add_cores(struct held *held, uint32_t node)
{
	const struct rsv_seen *seen = held->seen;
	uint32_t from = noderec_first_core(node), cores = core_count(node);

	if (!seen->cores)
		add_range(&held->ranges, laid_out.base[node], cores);
	for (uint32_t core = 0; seen->cores && core < cores; core++)
		if (bit_test(seen->cores, from + core))
			add_range(&held->ranges, laid_out.base[node] + core, 1);
}

ENGINE_LOCKED static void make_holds(struct layout *layout)
{
	layout->holds = maui_calloc(layout->held_count + 1, sizeof(*layout->holds));
	for (size_t i = 0; i < layout->held_count; i++) {
		struct held *held = &layout->held[i];
		int last = bit_fls(held->seen->nodes);

		for (int node = bit_ffs(held->seen->nodes); node >= 0 && node <= last; node++)
			if (bit_test(held->seen->nodes, node))
				add_cores(held, (uint32_t)node);
		layout->holds[i] = (struct maui_idle_hold){
			.payer = held->payer,
			.start = held->seen->instance.start,
			.end = held->seen->instance.end,
			.ranges = held->ranges.list,
			.range_count = held->ranges.count,
		};
	}
}

static void clear_layout(struct layout *layout)
{
	for (size_t i = 0; i < layout->held_count; i++)
		free(layout->held[i].ranges.list);
	free(layout->held);
	free(layout->weight);
	free(layout->holds);
}

uint32_t rsv_idle_laid_out_nodes(void)
{
	return laid_out.nodes;
}

void rsv_idle_lay_out(struct maui_idle *core, bool counted, int64_t now)
{
	struct layout layout = {0};

	if (counted) {
		find_held(&layout, now);
		watch_nodes(&layout);
		make_holds(&layout);
	}
	maui_idle_layout(core, now, layout.weight, layout.slots, layout.holds, layout.held_count);
	clear_layout(&layout);
}
