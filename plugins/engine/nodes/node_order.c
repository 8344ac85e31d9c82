/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fills candidates from the node table, node use, reservations and affinity,
 * and ranks them with maui_nodealloc_rank(). Equal nodes keep Slurm's order by
 * weight.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/nodes/node_order.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/util/extension.h"
#include "common/util/keysort.h"
#include "common/util/memory.h"
#include "plugins/engine/nodes/node_gres.h"
#include "plugins/engine/nodes/node_limits.h"
#include "plugins/engine/nodes/node_need.h"
#include "plugins/engine/nodes/node_preference.h"
#include "plugins/engine/nodes/node_reserved.h"
#include "plugins/engine/nodes/node_table.h"
#include "plugins/engine/nodes/node_use.h"
#include "plugins/engine/slurm/gres_chosen.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/noderec.h"

static struct mutex order_mutex = {PTHREAD_MUTEX_INITIALIZER};
#define ORDER_LOCKED LOCKED_BY(order_mutex)

/* What computing an order needs, reused for the next one. */
GUARDED_BY(order_mutex) static struct {
	struct maui_policy *policy; /* NULL: none yet */
	bool wanted;                /* there is a select plugin */
	bool nodes_changed;
	struct node_table *table;
	double *usage; /* percent, by index */
	uint32_t usage_count;
	uint32_t room;
	struct maui_node_candidate *candidates; /* in the order of the list */
	struct maui_node_gres_amounts *gres;    /* theirs; NULL: the table has no GRES */
	uint32_t *node;                         /* their indexes */
	uint32_t *rank;
	struct maui_keysort_entry *entries, *scratch;
	struct maui_nodealloc_workspace *workspace;
} order;

void node_order_policy(struct maui_policy *policy)
{
	struct maui_policy *old;

	maui_policy_ref(policy);
	mutex_lock(&order_mutex);
	old = order.policy;
	order.policy = policy;
	mutex_unlock(&order_mutex);
	maui_policy_unref(old);
}

void node_order_nodes_changed(void)
{
	mutex_lock(&order_mutex);
	order.wanted = order.nodes_changed = true;
	order.usage_count = 0; /* until the next iteration */
	mutex_unlock(&order_mutex);
}

void node_order_look_again(void)
{
	mutex_lock(&order_mutex);
	order.wanted = order.nodes_changed = true;
	node_use_forget();
	mutex_unlock(&order_mutex);
}

void node_order_begins(const job_record_t *job)
{
	node_use_begins(job);
	mutex_lock(&order_mutex);
	if (order.table)
		node_gres_begins(order.table, job);
	mutex_unlock(&order_mutex);
}

void node_order_ends(const job_record_t *job)
{
	node_use_ends(job);
	mutex_lock(&order_mutex);
	if (order.table)
		node_gres_ends(order.table, job);
	mutex_unlock(&order_mutex);
}

bool select_is_loaded(void)
{
	bool wanted;

	mutex_lock(&order_mutex);
	wanted = order.wanted;
	mutex_unlock(&order_mutex);
	return wanted;
}

void node_order_usage(double *percent, uint32_t count)
{
	double *old;

	mutex_lock(&order_mutex);
	old = order.usage;
	order.usage = percent;
	order.usage_count = count;
	mutex_unlock(&order_mutex);
	free(old);
}

/* ---- room ---- */

ORDER_LOCKED static void free_room(void)
{
	free(order.candidates);
	free(order.gres);
	free(order.node);
	free(order.rank);
	free(order.entries);
	free(order.scratch);
	order.candidates = NULL;
	order.gres = NULL;
	order.node = order.rank = NULL;
	order.entries = order.scratch = NULL;
	order.workspace = maui_nodealloc_workspace_free(order.workspace);
	order.room = 0;
}

ORDER_LOCKED static void make_room(uint32_t nodes, bool with_gres)
{
	if (order.room == nodes && order.workspace && with_gres == (order.gres != NULL))
		return;
	free_room();
	order.candidates = maui_calloc(nodes + 1, sizeof(*order.candidates));
	order.node = maui_calloc(nodes + 1, sizeof(*order.node));
	order.rank = maui_calloc(nodes + 1, sizeof(*order.rank));
	order.entries = maui_calloc(nodes + 1, sizeof(*order.entries));
	order.scratch = maui_calloc(nodes + 1, sizeof(*order.scratch));
	order.workspace = maui_nodealloc_workspace_new(nodes, true);
	order.room = nodes;
	if (with_gres)
		order.gres = maui_calloc(nodes + 1, sizeof(*order.gres));
}

/* Bring the table up to date with the policy and Slurm's nodes. False if there is no policy yet. */
ORDER_LOCKED static bool prepare(void)
{
	if (!order.policy)
		return false;
	if (order.nodes_changed || !order.table || order.table->policy != order.policy ||
	    order.table->count != noderec_count()) {
		node_table_free(order.table);
		order.table = node_table_new(order.policy);
		order.nodes_changed = false;
	}
	make_room(order.table->count, order.table->gres.count);
	return true;
}

/* ---- the job ---- */

ORDER_LOCKED static enum maui_nodealloc_policy policy_of(const job_record_t *job, bool *ret_by_job)
{
	enum maui_nodealloc_policy policy = MAUI_NODEALLOC_POLICIES;
	struct maui_piece value;
	char name[32];

	if (job && maui_extension_find(jobrec_comment(job), "NALLOCPOLICY", &value) &&
	    value.size < sizeof(name)) {
		memcpy(name, value.text, value.size);
		name[value.size] = '\0';
		policy = maui_nodealloc_policy_find(name);
	}
	*ret_by_job = policy < MAUI_NODEALLOC_POLICIES;
	if (*ret_by_job)
		return policy;
	/* Without a maui.cfg the list alone counts, and affinity. */
	if (order.policy->source == MAUI_POLICY_NEUTRAL)
		return MAUI_FIRSTAVAILABLE;
	return maui_nodealloc_policy_of(order.policy->config, job ? jobrec_class(job) : NULL);
}

/* ---- the nodes ---- */

/* What the order looks at. */
struct view {
	const job_record_t *job; /* may be NULL */
	bitstr_t *candidates;
	const struct maui_engine_node_use *use;
	const int64_t *reserved;
	const uint8_t *affinity; /* by index; may be NULL */
	struct node_preference preference;
	uint32_t cpus_per_task; /* 0: all of a node's */
	bool immediate;
	bool apart; /* no two nodes have the same rank */
	uint32_t count;
};

ORDER_LOCKED static void fill_candidate(const struct view *view, uint32_t index,
					const struct noderec_facts *node,
					struct maui_node_candidate *candidate)
{
	const struct node_row *row = &order.table->rows[index];
	double cpus = 0, memory = 0, idle;
	uint32_t jobs = 0;

	if (index < view->use->count) {
		cpus = view->use->cpus[index];
		memory = (double)view->use->memory[index];
		jobs = view->use->jobs[index];
	}
	idle = view->immediate ? (double)node->job_cpus - cpus : node->job_cpus;
	*candidate = (struct maui_node_candidate){
		.settings = row->settings,
		.name = node->name,
		.affinity = view->affinity ? (enum maui_affinity)view->affinity[index]
					   : MAUI_AFFINITY_NONE,
		.position = index,
		.tasks = idle <= 0             ? 0
			 : view->cpus_per_task ? (uint32_t)idle / view->cpus_per_task
					       : 1,
		.preferred = view->preference.count &&
			     node_preferred(&view->preference, index, row->settings),
		.available_until = view->reserved[index],
		.procs = row->procs,
		.system_procs = row->procs - node->job_cpus,
		.memory = row->memory,
		.disk = row->disk,
		.dedicated_procs = cpus,
		.dedicated_memory = memory,
		.available_memory = (double)node->job_memory - memory,
		.available_disk = row->disk,
		.load = node->load,
		.jobs = jobs,
		.usage = index < order.usage_count ? order.usage[index] : 0,
	};
}

/* Of a node whose formula counts GRES. */
ORDER_LOCKED static void fill_gres(uint32_t index, uint32_t at)
{
	if (!order.gres || !order.candidates[at].settings->formula.counts_gres)
		return;
	noderec_gres_look(noderec_at(index), &order.table->gres, &order.gres[at]);
	order.candidates[at].gres = &order.gres[at];
}

/* In the order of the list. False if Slurm's nodes differ from the table's. */
ORDER_LOCKED static bool fill(struct view *view)
{
	view->count = 0;
	for (uint32_t i = 0; i < order.table->listed; i++) {
		uint32_t index = order.table->list[i];
		struct noderec_facts node;

		if (!bit_test(view->candidates, index))
			continue;
		if (!noderec_look(index, &node) ||
		    !node_row_holds(&order.table->rows[index], &node))
			return false;
		fill_candidate(view, index, &node, &order.candidates[view->count]);
		fill_gres(index, view->count);
		order.node[view->count++] = index;
	}
	return true;
}

ORDER_LOCKED static bool look(const job_record_t *job, uint32_t cpus_per_task, bitstr_t *candidates,
			      bool immediate, struct view *ret_view)
{
	ret_view->job = job;
	ret_view->candidates = candidates;
	ret_view->use = node_use();
	ret_view->immediate = immediate;
	ret_view->cpus_per_task = cpus_per_task;
	ret_view->reserved = node_reserved_from(order.table->count, time(NULL));
	ret_view->preference.count = 0;
	if (job)
		node_preference_of(job, &ret_view->preference);
	if (fill(ret_view))
		return true;
	order.nodes_changed = true; /* a weight or a size has been changed */
	return prepare() && fill(ret_view);
}

/* Nodes that the policy ranks equal go by the list, which is by Slurm's weight first. apart: also
 * those of one weight. */
ORDER_LOCKED static void mind_list(uint32_t count, bool apart)
{
	uint32_t rank = 0;

	for (uint32_t i = 0; i < count; i++)
		order.entries[i] = (struct maui_keysort_entry){
			.key = (uint64_t)order.rank[i] << 32 |
			       order.table->rows[order.node[i]].weight,
			.index = i,
		};
	maui_keysort(order.entries, order.scratch, count);
	for (uint32_t i = 0; i < count; i++) {
		if (i && (apart || order.entries[i].key != order.entries[i - 1].key))
			rank++;
		order.rank[order.entries[i].index] = rank;
	}
}

/* LOCAL is the site's own function: its failure is logged once, not for each job. */
ORDER_LOCKED static void tell_local(const struct maui_nodealloc_outcome *outcome)
{
	GUARDED_BY(order_mutex) static bool told;

	if (!outcome->local_failed || told)
		return;
	told = true;
	if (outcome->local_status)
		error("maui: NODEALLOCATIONPOLICY LOCAL: the site's function failed with status "
		      "%d: %s is used instead",
		      outcome->local_status, maui_nodealloc_policy_name(outcome->policy));
	else
		error("maui: NODEALLOCATIONPOLICY LOCAL: the site has no function: %s is used "
		      "instead",
		      maui_nodealloc_policy_name(outcome->policy));
}

/* Ranks by candidate. */
ORDER_LOCKED static bool rank_candidates(enum maui_nodealloc_policy policy, const struct view *view,
					 const struct maui_nodealloc_need *need,
					 struct maui_nodealloc_outcome *ret_outcome)
{
	if (maui_nodealloc_rank(policy, need, order.candidates, view->count, order.workspace,
				order.rank, ret_outcome, NULL))
		return false;
	tell_local(ret_outcome);
	if ((order.table->weights_differ || view->apart) && ret_outcome->ranks < view->count)
		mind_list(view->count, view->apart);
	return true;
}

/* The same for the view's job, if there is one. */
ORDER_LOCKED static bool rank_for_job(enum maui_nodealloc_policy policy, const struct view *view,
				      struct maui_nodealloc_outcome *ret_outcome)
{
	struct maui_nodealloc_local_job local_job;
	struct maui_nodealloc_need need = node_need_of(view->job, &local_job);

	need.immediate = view->immediate;
	need.local = order.policy->local;
	return rank_candidates(policy, view, &need, ret_outcome);
}

ORDER_LOCKED static void give_ranks(const struct view *view, uint32_t *ret_rank)
{
	for (uint32_t i = 0; i < view->count; i++)
		ret_rank[order.node[i]] = order.rank[i];
}

/* Whether a node's MAXGRES may affect the job: one that can get no GRES pays
 * nothing more. */
ORDER_LOCKED static bool minds_gres(const job_record_t *job)
{
	return order.table->gres_limited && gres_chosen_any(job);
}

void node_order_permit(const job_record_t *job, bitstr_t *nodes)
{
	mutex_lock(&order_mutex);
	if (prepare() && bit_size(nodes) == order.table->count) {
		if (order.table->limited)
			node_limits_apply(order.table, job, node_use(), nodes);
		if (minds_gres(job))
			node_gres_apply(order.table, job, nodes);
	}
	mutex_unlock(&order_mutex);
}

bool node_order_limits_gres(const job_record_t *job)
{
	bool minds;

	mutex_lock(&order_mutex);
	minds = prepare() && minds_gres(job);
	mutex_unlock(&order_mutex);
	return minds;
}

bool node_order_may_hold(const job_record_t *job, bitstr_t *nodes, bitstr_t *candidates)
{
	bool may;

	mutex_lock(&order_mutex);
	may = !prepare() || bit_size(nodes) != order.table->count ||
	      node_gres_may_hold(order.table, job, nodes, candidates);
	mutex_unlock(&order_mutex);
	return may;
}

/* The order is Slurm's own where nobody has asked for another: there is no maui.cfg, and the job
 * names no policy. *ret_policy is set if there is any. */
ORDER_LOCKED static bool orders(const job_record_t *job, enum maui_nodealloc_policy *ret_policy)
{
	bool by_job;

	if (!order.policy)
		return false;
	*ret_policy = policy_of(job, &by_job);
	return by_job || order.policy->source != MAUI_POLICY_NEUTRAL;
}

bool node_order_orders(const job_record_t *job)
{
	enum maui_nodealloc_policy policy;
	bool ordered;

	mutex_lock(&order_mutex);
	/* With a maui.cfg the job's comment need not be read. */
	ordered = order.policy &&
		  (order.policy->source != MAUI_POLICY_NEUTRAL || orders(job, &policy));
	mutex_unlock(&order_mutex);
	return ordered;
}

bool node_order_rank(const job_record_t *job, const uint8_t *affinity, bitstr_t *candidates,
		     bool immediate, uint32_t *ret_rank)
{
	enum maui_nodealloc_policy policy = MAUI_FIRSTAVAILABLE;
	struct maui_nodealloc_outcome outcome;
	struct view view = {.affinity = affinity, .apart = true};
	bool ranked = false;

	mutex_lock(&order_mutex);
	if ((orders(job, &policy) || view.affinity) && prepare() &&
	    look(job, node_need_cpus_per_task(job), candidates, immediate, &view))
		ranked = rank_for_job(policy, &view, &outcome);
	if (ranked)
		give_ranks(&view, ret_rank);
	mutex_unlock(&order_mutex);
	return ranked;
}

/* ---- reservations ---- */

/* A site's function is asked about jobs, not about reservations. */
ORDER_LOCKED static enum maui_nodealloc_policy policy_for(const struct maui_sr *sr)
{
	enum maui_nodealloc_policy policy =
		order.policy ? maui_sr_allocation_policy(order.policy->config, sr)
			     : MAUI_FIRSTAVAILABLE;

	return policy == MAUI_LOCAL ? MAUI_LASTAVAILABLE : policy;
}

enum maui_nodealloc_policy node_order_policy_of(const struct maui_sr *sr)
{
	enum maui_nodealloc_policy policy;

	mutex_lock(&order_mutex);
	policy = policy_for(sr);
	mutex_unlock(&order_mutex);
	return policy;
}

bool node_order_for_reservation(const struct maui_sr *sr, bitstr_t *candidates, bool immediate,
				uint32_t *ret_rank)
{
	struct maui_nodealloc_need need = {.tasks = sr->task_count,
					   .tasks_per_node = sr->tasks_per_node,
					   .immediate = immediate};
	uint32_t cpus = sr->task.procs > 0 && sr->task.procs < UINT32_MAX && !sr->task.gres_count
				? (uint32_t)sr->task.procs
				: 0;
	struct maui_nodealloc_outcome outcome;
	struct view view = {.affinity = NULL};
	bool ranked = false;

	mutex_lock(&order_mutex);
	if (prepare() && look(NULL, cpus, candidates, immediate, &view))
		ranked = rank_candidates(policy_for(sr), &view, &need, &outcome);
	if (ranked)
		give_ranks(&view, ret_rank);
	mutex_unlock(&order_mutex);
	return ranked;
}

/* ---- explaining ---- */

/* By rank, then in the order of the list. */
ORDER_LOCKED static void copy_explained(const struct view *view,
					struct node_explanation *explanation)
{
	explanation->nodes = maui_calloc(view->count + 1, sizeof(*explanation->nodes));
	for (uint32_t i = 0; i < view->count; i++)
		order.entries[i] = (struct maui_keysort_entry){.key = order.rank[i], .index = i};
	maui_keysort(order.entries, order.scratch, view->count);
	for (uint32_t i = 0; i < view->count; i++) {
		uint32_t at = order.entries[i].index;
		struct node_explained *node = &explanation->nodes[i];

		node->rank = order.rank[at];
		node->candidate = order.candidates[at];
		node->name = node->candidate.name;
		maui_node_explain(&node->candidate, view->immediate, &node->terms);
		node->candidate.gres = NULL; /* it was the order's */
	}
	explanation->count = view->count;
	explanation->policy = maui_policy_ref(order.policy);
}

bool node_order_explain(const job_record_t *job, const uint8_t *affinity, bitstr_t *candidates,
			struct node_explanation *ret_explanation)
{
	struct maui_nodealloc_outcome outcome;
	struct view view = {.affinity = affinity};
	bool done = false;

	memset(ret_explanation, 0, sizeof(*ret_explanation));
	mutex_lock(&order_mutex);
	if (prepare() && look(job, node_need_cpus_per_task(job), candidates, true, &view)) {
		ret_explanation->asked = policy_of(job, &ret_explanation->by_job);
		/* Without a job there is nothing to order for: a site's function is not called. */
		done = rank_for_job(job ? ret_explanation->asked : MAUI_FIRSTAVAILABLE, &view,
				    &outcome);
		if (done) {
			copy_explained(&view, ret_explanation);
			ret_explanation->served = outcome.policy;
		}
	}
	mutex_unlock(&order_mutex);
	return done;
}

void node_explanation_clear(struct node_explanation *explanation)
{
	free(explanation->nodes);
	maui_policy_unref(explanation->policy);
	memset(explanation, 0, sizeof(*explanation));
}

static void bind_policy(struct maui_policy *policy, const struct maui_principals *principals)
{
	(void)principals;
	engine_assert_locked();
	node_order_policy(engine.disabled ? NULL : policy);
}

const struct module node_order_module = {.bind = bind_policy};
