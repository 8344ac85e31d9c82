/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The policies that look for a set of nodes: MAXBALANCE and CONTIGUOUS. They depend on what the job
 * needs: the nodes of the set come first.
 */
#include <math.h>

#include "common/policy/nodes/nodealloc_private.h"

/* ---- MAXBALANCE ---------------------------------------------------------------------------- */

/* Speeds from..to that meet the need. */
struct window {
	double from, to;
	bool found;
};

struct balance {
	struct maui_nodealloc_order *order;
	bool by_speed;
	uint64_t tasks, nodes; /* still wanted */
};

static double speed_at(const struct balance *balance, uint32_t place)
{
	const struct maui_nodealloc_order *order = balance->order;

	return maui_order_speed(order, &order->candidates[order->entries[place].index],
				balance->by_speed);
}

static uint32_t tasks_at(const struct balance *balance, uint32_t place)
{
	const struct maui_nodealloc_order *order = balance->order;

	return maui_usable_tasks(order->need, &order->candidates[order->entries[place].index]);
}

/*
 * Among the places first..end-1, which are sorted by speed: the window with the least difference in
 * speed, and the fastest of those. The slow end of the window follows its fast end.
 */
static struct window find_window(const struct balance *balance, uint32_t first, uint32_t end)
{
	struct window best = {0, 0, false};
	uint64_t tasks = 0, nodes = 0;
	uint32_t slow = first;

	for (uint32_t fast = first; fast < end; fast++) {
		uint32_t here = tasks_at(balance, fast);

		tasks += here;
		nodes += here > 0;
		for (; slow < fast; slow++) {
			here = tasks_at(balance, slow);
			if (tasks - here < balance->tasks || nodes - (here > 0) < balance->nodes)
				break;
			tasks -= here;
			nodes -= here > 0;
		}
		if (tasks < balance->tasks || nodes < balance->nodes)
			continue;
		if (!best.found ||
		    speed_at(balance, fast) - speed_at(balance, slow) <= best.to - best.from)
			best = (struct window){speed_at(balance, slow), speed_at(balance, fast),
					       true};
	}
	return best;
}

/*
 * How far a speed is below the window's fastest; those outside it come after those inside, the
 * nearest first, so that the set stays as balanced as possible if some of its nodes turn out to be
 * taken.
 */
static double nodealloc_set_distance(const struct window *window, double speed)
{
	double span = window->to - window->from;

	if (!window->found)
		return -speed;
	if (speed > window->to)
		return span + (speed - window->to);
	if (speed < window->from)
		return span + (window->from - speed);
	return window->to - speed;
}

/* The nodes of one affinity. */
static void balance_level(struct balance *balance, uint32_t first, uint32_t end)
{
	struct window window = find_window(balance, first, end);
	uint64_t tasks = 0, nodes = 0;

	for (uint32_t i = first; i < end; i++) {
		uint32_t here = tasks_at(balance, i);

		tasks += here;
		nodes += here > 0;
	}
	for (uint32_t i = first; i < end; i++)
		balance->order->entries[i].key =
			maui_keysort_real(nodealloc_set_distance(&window, speed_at(balance, i)));
	if (window.found) { /* what follows may have to replace all of it */
		balance->tasks = balance->order->need->tasks;
		balance->nodes = balance->order->need->nodes;
	} else {
		balance->tasks -= tasks < balance->tasks ? tasks : balance->tasks;
		balance->nodes -= nodes < balance->nodes ? nodes : balance->nodes;
	}
}

void maui_order_maxbalance(struct maui_nodealloc_order *order)
{
	struct balance balance = {order, maui_order_by_speed(order), order->need->tasks,
				  order->need->nodes};

	order->shared = true;
	maui_order_list(order, false);
	for (uint32_t i = 0; i < order->count; i++)
		order->entries[i].key = maui_keysort_real(speed_at(&balance, i));
	maui_order_sort(order);
	for (uint32_t first = 0, end; first < order->count; first = end) {
		end = first;
		while (end < order->count &&
		       order->entries[end].level == order->entries[first].level)
			end++;
		balance_level(&balance, first, end);
	}
	maui_order_sort(order);
}

/* ---- CONTIGUOUS ---------------------------------------------------------------------------- */

#define KEY_BITS 31

static uint64_t nodealloc_set_clamp(int64_t number)
{
	const int64_t most = (INT64_C(1) << KEY_BITS) - 1;

	if (number < 0)
		return 0;
	return (uint64_t)(number < most ? number : most);
}

/* Nodes with a slot are in the row of their frame, all others in that of the list. */
static uint64_t place_key(const struct maui_node_candidate *node)
{
	const struct maui_node_settings *settings = maui_settings_of(node);

	if (settings->slot == MAUI_NODE_NOT_GIVEN)
		return node->position;
	return UINT64_C(1) << (2 * KEY_BITS + 1) |
	       nodealloc_set_clamp(settings->frame) << (KEY_BITS + 1) |
	       nodealloc_set_clamp(settings->slot);
}

static bool are_neighbours(const struct maui_node_candidate *before,
			   const struct maui_node_candidate *node)
{
	int64_t size = maui_settings_of(before)->slot == MAUI_NODE_NOT_GIVEN
			       ? 1
			       : maui_settings_of(before)->size;

	return place_key(before) + nodealloc_set_clamp(size) == place_key(node);
}

/*
 * The first run that meets the need among nodes of this affinity or a better one: its places in the
 * order. False if there is none.
 */
static bool find_run(const struct maui_nodealloc_order *order, enum maui_affinity worst,
		     uint32_t *ret_first, uint32_t *ret_end)
{
	const struct maui_node_candidate *before = NULL;
	uint64_t tasks = 0, nodes = 0;
	uint32_t first = 0;

	for (uint32_t i = 0; i < order->count; i++) {
		const struct maui_node_candidate *node =
			&order->candidates[order->entries[i].index];
		uint32_t here = maui_usable_tasks(order->need, node);

		if (!here || node->affinity > worst) {
			before = NULL;
			continue;
		}
		if (!before || !are_neighbours(before, node)) {
			first = i;
			tasks = nodes = 0;
		}
		before = node;
		tasks += here;
		nodes++;
		if (maui_need_is_met(order->need, tasks, nodes)) {
			*ret_first = first;
			*ret_end = i + 1;
			return true;
		}
	}
	return false;
}

/*
 * Affinity must not break up a run, so the nodes of each affinity are added to the better ones
 * until there is a run. It comes first, as a whole; then the others by affinity.
 */
void maui_order_contiguous(struct maui_nodealloc_order *order)
{
	uint32_t first = 0, end = 0;

	order->shared = true;
	maui_order_list(order, false);
	for (uint32_t i = 0; i < order->count; i++) {
		order->entries[i].key = place_key(&order->candidates[i]);
		order->entries[i].level = 0;
	}
	maui_order_sort(order);
	for (unsigned int worst = 0; worst < MAUI_AFFINITIES && !order->enough; worst++)
		order->enough = find_run(order, worst, &first, &end);
	/*
	 * Mark them in the scratch keys by index, then lay out all again in the order of the list.
	 */
	for (uint32_t i = 0; i < order->count; i++)
		order->workspace->scratch[i].key = 1;
	for (uint32_t i = first; i < end; i++)
		order->workspace->scratch[order->entries[i].index].key = 0;
	maui_order_list(order, false);
	for (uint32_t i = 0; i < order->count; i++) {
		order->entries[i].key = order->workspace->scratch[i].key;
		if (!order->entries[i].key)
			order->entries[i].level = 0;
	}
	maui_order_sort(order);
}
