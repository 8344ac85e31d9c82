/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The queue of orders between the two threads. setres chooses a name, checks,
 * rolls and saves, and undoes a reservation that was not placed.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/setres/rsv_setres.h"

#include <math.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/report/json.h"
#include "common/util/memory.h"
#include "plugins/engine/nodes/node_order.h"
#include "plugins/engine/reservation/roll/rsv_roll.h"
#include "plugins/engine/reservation/rsv_name_table.h"
#include "plugins/engine/reservation/rsv_policy.h"
#include "plugins/engine/reservation/rsv_when.h"
#include "plugins/engine/reservation/setres/rsv_admin.h"
#include "plugins/engine/reservation/setres/rsv_check.h"
#include "plugins/engine/reservation/setres/rsv_setres_private.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/noderec.h"
#include "plugins/engine/slurm/resvrec.h"

/* Seconds; the service has other requests to answer. */
#define PATIENCE 8

/* With RESCTLPOLICY ANY: how many a user may have at once. */
#define RSV_OF_USER 10

/* Nodes beyond this number are not listed individually. */
#define MAX_NODE_ROWS 20000

ENGINE_GUARDED static struct rsv_order *queue;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;

/* ---- orders ---- */

struct rsv_order *rsv_order_new(const struct rsv_asker *asker)
{
	struct rsv_order *order = maui_calloc(1, sizeof(*order));

	order->asker = *asker;
	return order;
}

struct rsv_order *rsv_order_free(struct rsv_order *order)
{
	if (!order)
		return NULL;
	for (size_t i = 0; i < order->name_count; i++)
		free(order->names[i]);
	free(order->names);
	free(order->one.attributes);
	free(order->refused);
	json_object_put(order->data);
	free(order);
	return NULL;
}

void rsv_order_refuse(struct rsv_order *order, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	free(order->refused);
	order->refused = maui_vasprintf(format, arguments);
	va_end(arguments);
}

/* ---- between the threads ---- */

static double setres_due(double now)
{
	engine_assert_locked();
	return queue ? now : INFINITY;
}

ENGINE_LOCKED static void put(struct rsv_order *order)
{
	struct rsv_order **at = &queue;

	while (*at)
		at = &(*at)->next;
	*at = order;
	pthread_cond_signal(&engine.wake);
}

ENGINE_LOCKED static void withdraw(const struct rsv_order *order)
{
	for (struct rsv_order **at = &queue; *at; at = &(*at)->next)
		if (*at == order) {
			*at = order->next;
			return;
		}
}

/* Wait until it is done, or patience ends. The mutex is held. */
ENGINE_LOCKED static void await(struct rsv_order *order)
{
	double until = monotonic_seconds() + PATIENCE;

	while (order->state != RSV_DONE && engine.mode == ENGINE_PRIMARY)
		if (!engine_wait_until(&done, until))
			break;
}

const char *rsv_setres_order(struct rsv_order *order, struct json_object **ret_data,
			     char **ret_text)
{
	const char *wrong = NULL;

	*ret_text = NULL;
	engine_lock();
	put(order);
	await(order);
	if (order->state == RSV_WAITS) {
		withdraw(order);
		wrong = "the engine is busy: nothing was done, try again";
	} else if (order->state == RSV_UNDER_WAY) {
		order->state = RSV_ABANDONED; /* the engine's thread frees it */
		order = NULL;
		wrong = "this takes longer than the service waits: showres will show the outcome";
	}
	engine_unlock();
	if (!wrong && order->refused) {
		wrong = *ret_text = order->refused;
		order->refused = NULL;
	} else if (!wrong) {
		*ret_data = order->data;
		order->data = NULL;
	}
	rsv_order_free(order);
	return wrong;
}

static struct rsv_order *setres_take(void)
{
	struct rsv_order *order;

	engine_lock();
	order = queue;
	if (order) {
		queue = order->next;
		order->state = RSV_UNDER_WAY;
	}
	engine_unlock();
	return order;
}

static void setres_finish(struct rsv_order *order)
{
	bool abandoned;

	engine_lock();
	abandoned = order->state == RSV_ABANDONED;
	order->state = RSV_DONE;
	engine.refresh_wanted = true; /* to give jobs their passes */
	pthread_cond_broadcast(&done);
	engine_unlock();
	if (abandoned)
		rsv_order_free(order);
}

/* ---- names ---- */

struct numbering {
	const char *base;
	size_t size;
	int64_t next;
};

/* One more than the greatest in use. */
static void count_name(struct numbering *numbering, const char *name)
{
	uint32_t number;

	if (!name || maui_sr_once_parse(name, &number) != numbering->size ||
	    memcmp(name, numbering->base, numbering->size) != 0)
		return;
	if (number >= numbering->next)
		numbering->next = (int64_t)number + 1;
}

static int count_reservation(slurmctld_resv_t *reservation, void *context)
{
	count_name(context, resvrec_name(reservation));
	return 0;
}

/*
 * Choose a name that nothing has: none of ours, nor a recently deleted one, nor a standing one
 * whose name looks like it, nor anything else in Slurm.
 */
static bool choose_name(struct rsv_order *order)
{
	slurmctld_lock_t node_read = {.node = READ_LOCK};
	struct numbering numbering = {.base = order->base, .size = strlen(order->base)};
	const struct maui_sr *list;
	size_t count;

	lock_slurmctld(node_read);
	engine_lock();
	count = rsv_policy_list(&list);
	for (size_t i = 0; i < count; i++)
		count_name(&numbering, list[i].name);
	for (size_t i = 0; i < rsv_name_table()->count; i++)
		count_name(&numbering, rsv_name_table()->names[i]->name);
	resvrec_each(count_reservation, &numbering);
	engine_unlock();
	unlock_slurmctld(node_read);
	if (numbering.next > MAUI_SR_ONCE_NUMBER_MAX) {
		rsv_order_refuse(order, "there is no number left for a reservation named %s",
				 order->base);
		return false;
	}
	snprintf(order->one.name, sizeof(order->one.name), "%.120s.%" PRId64, order->base,
		 numbering.next);
	return true;
}

/* Of users, not of administrators; those that have ended do not count. */
static bool has_enough(struct rsv_order *order)
{
	const struct maui_admin_rsvs *all;
	int64_t now = time(NULL);
	size_t count = 0;

	engine_lock();
	all = rsv_admin_list();
	for (size_t i = 0; i < all->count; i++)
		count += all->list[i]->uid == order->asker.uid && all->list[i]->end > now;
	engine_unlock();
	if (order->asker.admin || count < RSV_OF_USER)
		return false;
	rsv_order_refuse(order,
			 "you have %zu reservations, as many as a user may: release one, or ask an "
			 "administrator",
			 count);
	return true;
}

/* ---- the roll ---- */

void rsv_setres_roll(void)
{
	engine_lock();
	rsv_when_wanted();
	engine_unlock();
	rsv_roll_run();
}

/* The roll's outcome for it, without its nodes. False: the roll has not looked at it. */
static bool outcome_of(const char *name, struct rsv_rolled *ret_rolled)
{
	const struct rsv_rolled *list;
	bool found = false;
	size_t count;

	engine_lock();
	count = rsv_roll_outcome(&list);
	for (size_t i = 0; i < count && !found; i++) {
		found = !strcmp(list[i].name, name);
		if (found)
			*ret_rolled = list[i];
	}
	engine_unlock();
	ret_rolled->nodes = NULL;
	return found;
}

/* ---- setres ---- */

/* What the answer says about the nodes. Tasks are those of RESOURCES; 1 per node if they are whole
 * nodes. */
struct place {
	char *nodes;
	char **names;
	int64_t *tasks;
	size_t count, all;
	int64_t procs;
};

static void clear_place(struct place *place)
{
	xfree(place->nodes);
	for (size_t i = 0; i < place->count; i++)
		free(place->names[i]);
	free(place->names);
	free(place->tasks);
}

static void look_at_node(struct place *place, const slurmctld_resv_t *reservation, uint32_t index,
			 int64_t task_procs)
{
	const node_record_t *node = noderec_at(index);
	int64_t procs, cores;

	if (!node)
		return;
	procs = noderec_cpus(node);
	cores = noderec_cores(node);
	if (cores)
		procs = procs * resvrec_cores_of(reservation, index) / cores;
	place->all++;
	place->procs += procs;
	if (place->count == MAX_NODE_ROWS)
		return;
	place->names[place->count] = maui_strdup(noderec_name(node));
	place->tasks[place->count] = task_procs > 0 ? procs / task_procs : 1;
	place->count++;
}

static void look_at_place(struct rsv_order *order, int64_t task_procs, struct place *place)
{
	slurmctld_lock_t node_read = {.node = READ_LOCK};
	const slurmctld_resv_t *reservation;
	bitstr_t *nodes;

	place->names = maui_calloc(MAX_NODE_ROWS, sizeof(*place->names));
	place->tasks = maui_calloc(MAX_NODE_ROWS, sizeof(*place->tasks));
	lock_slurmctld(node_read);
	reservation = resvrec_find(order->one.name);
	nodes = reservation ? resvrec_nodes(reservation) : NULL;
	if (reservation)
		place->nodes = xstrdup(resvrec_node_list(reservation));
	for (uint32_t i = 0; nodes && i < noderec_count(); i++)
		if (bit_test(nodes, i))
			look_at_node(place, reservation, i, task_procs);
	unlock_slurmctld(node_read);
}

static void add_place(struct json_object *data, const struct place *place)
{
	struct json_object *array = json_make_array();

	for (size_t i = 0; i < place->count; i++) {
		struct json_object *node = json_make_object();

		json_set_text(node, "node", place->names[i]);
		json_set_number(node, "tasks", place->tasks[i]);
		json_append(array, node);
	}
	json_set_text(data, "nodes", place->nodes);
	json_set_number(data, "node_count", (int64_t)place->all);
	json_set_number(data, "procs", place->procs);
	json_set(data, "by_node", array);
	json_set_number(data, "omitted_nodes", (int64_t)(place->all - place->count));
}

/* Whole-node tasks count as their processors, as in the original. */
static void tell_made(struct rsv_order *order, const struct rsv_rolled *rolled, int64_t task_procs)
{
	struct json_object *data = order->data;
	bool ends = order->one.end < MAUI_SR_FOREVER;
	struct place place = {.nodes = NULL};

	look_at_place(order, task_procs, &place);
	json_set_text(data, "name", order->one.name);
	json_set_number(data, "start", order->one.start);
	json_set(data, "end", ends ? json_make_number(order->one.end) : NULL);
	json_set_number(data, "tasks", task_procs > 0 ? (int64_t)rolled->tasks : place.procs);
	add_place(data, &place);
	json_set_flag(data, "select", select_is_loaded());
	clear_place(&place);
}

/* As if it had never existed. */
static void setres_undo(struct rsv_order *order)
{
	engine_lock();
	rsv_admin_drop(order->one.name);
	engine_unlock();
	rsv_setres_roll();
}

/* Refuses the order if the roll has done nothing at all. */
static bool has_rolled(struct rsv_order *order)
{
	char why[sizeof(((struct maui_error *)NULL)->text)];

	engine_lock();
	snprintf(why, sizeof(why), "%s", rsv_roll_failure());
	engine_unlock();
	if (*why)
		rsv_order_refuse(order, "cannot create reservation (%s)", why);
	return !*why;
}

static bool was_placed(struct rsv_order *order, const struct rsv_rolled *rolled, bool looked_at)
{
	if (!looked_at)
		rsv_order_refuse(
			order,
			"cannot create reservation (the engine could not look at the nodes)");
	else if (rolled->status != SLURM_SUCCESS)
		rsv_order_refuse(order, "cannot create reservation (%s)",
				 slurm_strerror(rolled->status));
	else if (!rolled->there || rolled->missing)
		rsv_order_refuse(order, "cannot create reservation (%s)", rolled->text);
	return !order->refused;
}

/* The name is saved after placing and before the answer: what nobody was told of is not kept. */
static void setres_make(struct rsv_order *order)
{
	struct maui_error why = {""};
	struct rsv_rolled rolled = {.there = false};
	struct json_object *notes = NULL;
	int64_t task_procs;
	int rc;

	if (has_enough(order) || !choose_name(order))
		return;
	json_object_object_get_ex(order->data, "notes", &notes);
	order->refused = rsv_check(&order->one, notes, &task_procs);
	if (order->refused)
		return;
	engine_lock();
	rc = rsv_admin_add(&order->one, &why);
	engine_unlock();
	if (rc) {
		rsv_order_refuse(order, "cannot create reservation (%s)", why.text);
		return;
	}
	rsv_setres_roll();
	if (has_rolled(order) && was_placed(order, &rolled, outcome_of(order->one.name, &rolled))) {
		rc = rsv_admin_save(&why);
		if (rc)
			rsv_order_refuse(order, "cannot create reservation (%s)", why.text);
	}
	if (order->refused)
		setres_undo(order);
	else
		tell_made(order, &rolled, task_procs);
}

/* ---- all orders ---- */

static void carry_out_order(struct rsv_order *order)
{
	bool known, unread, unsure;

	engine_lock();
	known = rsv_policy_known();
	unread = rsv_name_table_is_unread();
	unsure = engine.disabled_unread;
	engine_unlock();
	if (!engine_is_primary())
		rsv_order_refuse(order, "this controller is on standby");
	else if (order->make && engine_is_disabled())
		rsv_order_refuse(order, "the engine is disabled (`maui enable`)");
	else if (!known)
		rsv_order_refuse(order, "the engine does not know its reservations yet: try again");
	else if (unread)
		rsv_order_refuse(order, "the engine cannot read its file of reservations now: "
					"nothing was done, `maui status` says why");
	else if (unsure)
		rsv_order_refuse(order, "the engine cannot find out now if it is disabled: "
					"nothing was done, `maui status` says why");
	else if (order->make)
		setres_make(order);
	else
		rsv_releaseres(order);
}

static void setres_run(void)
{
	struct rsv_order *order;

	while ((order = setres_take())) {
		carry_out_order(order);
		setres_finish(order);
	}
}

const struct module rsv_setres_module = {
	.due = setres_due,
	.chore = setres_run,
	.in_iteration = true,
	.after = setres_run,
};
