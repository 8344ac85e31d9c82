/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies nodes in the order of Slurm's node table, with Maui's states, classes
 * and GRES. For check-node it adds the node's jobs and reservations.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/report/node_report_copy.h"

#include <stdlib.h>
#include <time.h>

#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/noderec.h"
#include "plugins/engine/slurm/noderec_gres.h"
#include "plugins/engine/slurm/partrec.h"
#include "plugins/engine/slurm/resvrec.h"

/* ---- nodes ---- */

static const char *copy_text(struct node_copies *copy, const char *text)
{
	return report_copy_text(copy->arena, text);
}

/* In Maui's terms. */
static const char *state_of(const node_record_t *node, const struct maui_node_candidate *candidate)
{
	bool busy = candidate->jobs > 0 || noderec_is_completing(node);

	switch (noderec_use(node)) {
	case MAUI_NODE_REBOOTS:
	case MAUI_NODE_DOWN:
	case MAUI_NODE_FUTURE:
		return "Down";
	case MAUI_NODE_DRAINS:
		return busy ? "Draining" : "Drained";
	case MAUI_NODE_UNKNOWN:
		return "Unknown";
	case MAUI_NODE_USABLE:
	case MAUI_NODE_POWERS_UP:
	case MAUI_NODE_POWERS_DOWN:
	case MAUI_NODE_MAINT:
		break;
	}
	if (!busy)
		return "Idle";
	return maui_node_available_procs(candidate) > 0 ? "Running" : "Busy";
}

static const char *slurm_state(struct node_copies *copy, const node_record_t *node, bool has_room)
{
	char *text = noderec_state(node, has_room);
	const char *kept = copy_text(copy, text);

	xfree(text);
	return kept;
}

static void copy_classes(struct node_copies *copy, const node_record_t *node,
			 struct node_copy *into)
{
	uint32_t count = noderec_partitions(node);

	into->classes = maui_arena_alloc(copy->arena, count, sizeof(*into->classes));
	for (uint32_t i = 0; i < count; i++)
		into->classes[into->class_count++] =
			copy_text(copy, partrec_name(noderec_partition(node, i)));
}

struct gres_copies {
	struct node_copies *copy;
	struct node_copy_gres *list; /* NULL: they are counted */
	uint32_t count;
};

static void copy_one_gres(void *context, const char *name, uint64_t configured, uint64_t used)
{
	struct gres_copies *copies = context;

	if (copies->list)
		copies->list[copies->count] = (struct node_copy_gres){copy_text(copies->copy, name),
								      maui_gres_within(configured),
								      maui_gres_within(used)};
	copies->count++;
}

static void copy_gres(struct node_copies *copy, const node_record_t *node, struct node_copy *into)
{
	struct gres_copies copies = {.copy = copy};

	noderec_gres_each(node, copy_one_gres, &copies);
	if (!copies.count)
		return;
	copies.list = maui_arena_alloc(copy->arena, copies.count, sizeof(*copies.list));
	copies.count = 0;
	noderec_gres_each(node, copy_one_gres, &copies);
	into->gres = copies.list;
	into->gres_count = copies.count;
}

static void copy_node(struct node_copies *copy, const struct node_explained *from,
		      struct node_copy *into)
{
	const struct maui_node_candidate *candidate = &from->candidate;
	const node_record_t *node = noderec_at(candidate->position);

	into->name = copy_text(copy, noderec_name(node));
	into->state = state_of(node, candidate);
	into->slurm_state = slurm_state(copy, node, maui_node_available_procs(candidate) > 0);
	into->reason = copy_text(copy, noderec_reason(node));
	into->opsys = copy_text(copy, noderec_os(node));
	into->arch = copy_text(copy, noderec_arch(node));
	into->features = copy_text(copy, noderec_active_features(node));
	into->reservations = copy->reserved[candidate->position];
	copy_classes(copy, node, into);
	copy_gres(copy, node, into);
}

static int count_reservation(slurmctld_resv_t *reservation, void *context)
{
	bitstr_t *nodes = resvrec_nodes(reservation);
	struct node_copies *copy = context;
	int last;

	if (!nodes || resvrec_end(reservation) <= time(NULL))
		return 0;
	last = bit_fls(nodes);
	for (int i = bit_ffs(nodes); i >= 0 && i <= last && (uint32_t)i < copy->slots; i++)
		copy->reserved[i] += bit_test(nodes, i);
	return 0;
}

/* In the order of Slurm's node table. */
static int by_position(const void *a, const void *b)
{
	const struct node_explained *x = a, *y = b;

	return (x->candidate.position > y->candidate.position) -
	       (x->candidate.position < y->candidate.position);
}

bool node_copies_nodes(struct node_copies *copy, bitstr_t *wanted, bool with_reservations)
{
	copy->slots = noderec_count();
	if (!node_order_explain(NULL, NULL, wanted, &copy->explanation))
		return false;
	qsort(copy->explanation.nodes, copy->explanation.count, sizeof(*copy->explanation.nodes),
	      by_position);
	copy->nodes = maui_arena_alloc(copy->arena, copy->explanation.count, sizeof(*copy->nodes));
	copy->reserved = maui_arena_alloc(copy->arena, copy->slots, sizeof(*copy->reserved));
	if (with_reservations)
		resvrec_each(count_reservation, copy);
	for (uint32_t i = 0; i < copy->explanation.count; i++)
		copy_node(copy, &copy->explanation.nodes[i], &copy->nodes[i]);
	return true;
}

void node_copies_begin(struct node_copies *copy)
{
	*copy = (struct node_copies){.arena = maui_arena_new()};
}

void node_copies_end(struct node_copies *copy)
{
	node_explanation_clear(&copy->explanation);
	maui_arena_free(copy->arena);
}

/* ---- one node's jobs and reservations ---- */

struct search {
	struct node_copies *copy;
	struct node_copy_details *details;
	int index;
	size_t room;
};

static bool is_on(const job_record_t *job, int index)
{
	bitstr_t *nodes = jobrec_nodes(job);

	return jobrec_is_active(job) && nodes && bit_test(nodes, index);
}

static int count_job(job_record_t *job, void *context)
{
	struct search *search = context;

	search->room += is_on(job, search->index);
	return 0;
}

static int copy_job(job_record_t *job, void *context)
{
	struct search *search = context;
	const char *class = jobrec_class(job);
	struct node_copy_job *held;

	if (!is_on(job, search->index) || search->details->job_count == search->room)
		return 0;
	held = &search->details->jobs[search->details->job_count++];
	report_copy_job(search->copy->arena, job, &held->job);
	held->partition = copy_text(search->copy, class ? class : jobrec_partition_names(job));
	held->state = jobrec_is_suspended(job) ? "suspended" : "running";
	held->start = jobrec_start(job);
	held->end = jobrec_end(job);
	jobrec_held_of(job, (uint32_t)search->index, &held->procs, &held->memory);
	return 0;
}

static int copy_reservation(slurmctld_resv_t *from, void *context)
{
	bitstr_t *nodes = resvrec_nodes(from);
	struct search *search = context;
	struct node_copy_reservation *into;

	if (!nodes || resvrec_end(from) <= time(NULL) || !bit_test(nodes, search->index) ||
	    search->details->reservation_count == search->room)
		return 0;
	into = &search->details->reservations[search->details->reservation_count++];
	into->name = copy_text(search->copy, resvrec_name(from));
	into->users = copy_text(search->copy, resvrec_users(from));
	into->accounts = copy_text(search->copy, resvrec_accounts(from));
	into->start = resvrec_start(from);
	into->end = resvrec_end(from);
	return 0;
}

void node_copies_details(struct node_copies *copy, int index, struct node_copy_details *details)
{
	const node_record_t *node = noderec_at((uint32_t)index);
	struct search search = {.copy = copy, .details = details, .index = index};

	details->free_memory = noderec_free_memory(node);
	details->boot = noderec_boot(node);
	details->slurmd_start = noderec_slurmd_start(node);
	jobrec_each(count_job, &search);
	details->jobs = maui_arena_alloc(copy->arena, search.room, sizeof(*details->jobs));
	jobrec_each(copy_job, &search);
	search.room = copy->reserved[index];
	details->reservations =
		maui_arena_alloc(copy->arena, search.room, sizeof(*details->reservations));
	if (search.room)
		resvrec_each(copy_reservation, &search);
}
