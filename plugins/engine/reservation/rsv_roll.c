/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/rsv_roll.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugins/engine/nodes/node_order.h"
#include "plugins/engine/reservation/rsv_book.h"
#include "plugins/engine/reservation/rsv_guard.h"
#include "plugins/engine/reservation/rsv_open.h"
#include "plugins/engine/reservation/rsv_placing.h"
#include "plugins/engine/reservation/rsv_policy.h"
#include "plugins/engine/reservation/rsv_unknown.h"
#include "plugins/engine/reservation/rsv_view.h"
#include "plugins/engine/reservation/rsv_when.h"
#include "plugins/engine/reservation/rsv_world.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/pass.h"
#include "plugins/engine/slurm/rsv_records.h"
#include "plugins/engine/slurm/slurmctld.h"
#include "common/state/rsv_release.h"

/* One that Slurm cannot place yet, as after its start, or that it has lost, is tried again after so
 * many seconds. */
#define BUSY 5

/*
 * Slurm saves that a reservation went seconds later: killed before, it brings it back. Whoever does
 * not know the name any more would take it for somebody else's, and it would stay for ever.
 */
#define REMEMBERED 60

/* What the last roll has left. Guarded by the mutex; the engine's thread alone writes. */
static struct {
	struct rsv_rolled *outcome;
	size_t count;
} rolling;

/* What one roll works on. */
struct roll {
	struct rsv_world world;
	const struct maui_sr *list;
	size_t list_size;
	struct maui_sr_existing *existing; /* those of world.there, and then those that are spent */
	size_t existing_count;
	struct maui_sr_plan plan;
	struct rsv_placing *placing;
	struct rsv_rolled *outcome; /* by step */
	size_t outcome_count;
	bool open;
	bool again;   /* something is to be seen in the next iteration */
	bool soon;    /* and that comes sooner than RMPOLLINTERVAL says */
	bool changed; /* something in Slurm is another now */
};

/* ---- what else a roll is told ---- */

/* A job begins or ends there that may be what an instance goes with. */
static bool is_use(const struct rsv_seen *seen, bitstr_t *nodes, int64_t now)
{
	const struct maui_sr *list;

	if (!seen->ours || !seen->nodes || seen->instance.start > now ||
	    bit_size(seen->nodes) != bit_size(nodes) || !bit_overlap_any(seen->nodes, nodes))
		return false;
	return rsv_policy_list(&list) <= seen->sr || (list[seen->sr].flags & MAUI_SR_SINGLEUSE);
}

static void note_begin(const char *name, int64_t now)
{
	struct maui_rsv_name *known = maui_rsv_names_find(rsv_book(), name);

	if (known)
		rsv_book_changed(maui_rsv_release_begin(known, now));
}

void rsv_roll_job(const job_record_t *job, bool begins)
{
	const struct rsv_seen *list;
	bitstr_t *nodes = jobrec_nodes(job);
	int64_t now = time(NULL);
	size_t count;

	if (!rsv_pass_has(job) || !nodes)
		return;
	engine_lock();
	count = rsv_policy_known() ? rsv_view(&list, now) : 0;
	for (size_t i = 0; i < count; i++) {
		if (!is_use(&list[i], nodes, now))
			continue;
		if (begins)
			note_begin(list[i].name, now);
		rsv_when_now();
	}
	engine_unlock();
}

bool rsv_roll_cancel(const char *name)
{
	struct maui_rsv_name *known = maui_rsv_names_find(rsv_book(), name);

	if (!known)
		return false;
	rsv_book_changed(maui_rsv_release_cancel(known));
	rsv_when_now();
	return true;
}

/* ---- what there is; the mutex is held ---- */

/* NULL: maui.cfg has it no more. */
static const struct maui_sr *sr_at(const struct roll *roll, uint32_t place)
{
	return place == MAUI_SR_NO_INDEX ? NULL : &roll->list[place];
}

static void add_there(struct roll *roll, const struct rsv_there *there)
{
	struct maui_rsv_name *known = maui_rsv_names_find(rsv_book(), there->name);
	struct maui_sr_existing *one = &roll->existing[roll->existing_count++];
	const struct maui_sr *sr;
	uint32_t number;

	/* Before Slurm goes on without us nothing of ours stays: jobs run on. */
	*one = (struct maui_sr_existing){.start = there->start,
					 .end = there->end,
					 .in_use = there->in_use && !engine_is_disabled()};
	one->sr = rsv_policy_find(there->name, &one->date);
	one->once = maui_sr_once_parse(there->name, &number);
	sr = sr_at(roll, one->sr);
	if (known)
		rsv_book_changed(maui_rsv_release_see(known, sr, there->in_use, roll->world.now,
						      &roll->again));
	one->spent = maui_rsv_released(known, sr);
}

static bool may_come_back(struct maui_rsv_name *known, int64_t now)
{
	if (!known->gone)
		known->gone = now;
	rsv_book_changed(maui_rsv_release_forget(known));
	return now >= known->gone && now - known->gone < REMEMBERED;
}

/* Those that are not in Slurm any more: spent ones are remembered for their period, others for a
 * while. Both lists are in the order of names. */
static void add_gone(struct roll *roll)
{
	struct maui_rsv_names *book = rsv_book();
	size_t there = roll->world.there_count;

	for (size_t i = book->count; i-- > 0;) {
		struct maui_rsv_name *known = book->names[i];
		struct maui_sr_existing one = {.spent = true};
		const struct maui_sr *sr;

		while (there && strcmp(roll->world.there[there - 1].name, known->name) > 0)
			there--;
		if (there && !strcmp(roll->world.there[there - 1].name, known->name)) {
			known->gone = 0;
			continue;
		}
		one.sr = rsv_policy_find(known->name, &one.date);
		sr = sr_at(roll, one.sr);
		if (sr && maui_rsv_released(known, sr) &&
		    maui_sr_index(sr, one.date, roll->world.now) >= 0) {
			roll->existing[roll->existing_count++] = one;
			continue;
		}
		/* What has been used up or cancelled is so still when the engine is enabled
		 * again. */
		if (engine_is_disabled() && (known->spent || known->cancelled))
			continue;
		if (may_come_back(known, roll->world.now))
			continue;
		maui_rsv_names_drop(book, known->name);
		rsv_book_changed(true);
	}
}

static int look_at_existing(struct roll *roll)
{
	size_t room;

	engine_lock();
	room = roll->world.there_count + rsv_book()->count + 1;
	roll->existing = calloc(room, sizeof(*roll->existing));
	for (size_t i = 0; roll->existing && i < roll->world.there_count; i++)
		add_there(roll, &roll->world.there[i]);
	if (roll->existing)
		add_gone(roll);
	engine_unlock();
	return roll->existing ? 0 : -ENOMEM;
}

/* ---- the plan ---- */

static const char *name_of(const struct roll *roll, const struct maui_sr_step *step,
			   char text[MAUI_SR_INSTANCE_SIZE])
{
	if (step->existing != MAUI_SR_NO_INDEX)
		return roll->world.there[step->existing].name;
	return maui_sr_name_at(&roll->list[step->sr], step->window.date, text);
}

/* No reservation is made whose name is not on disk. */
static int write_names(struct roll *roll)
{
	char text[MAUI_SR_INSTANCE_SIZE];

	engine_lock();
	for (size_t i = 0; i < roll->plan.count; i++) {
		const struct maui_sr_step *step = &roll->plan.steps[i];
		const char *name = name_of(roll, step, text);

		if (step->action != MAUI_SR_CREATE || maui_rsv_names_find(rsv_book(), name))
			continue;
		maui_rsv_names_add(rsv_book(), name);
		rsv_book_changed(true);
	}
	engine_unlock();
	return rsv_book_save();
}

static bool is_known(const char *name)
{
	bool known;

	engine_lock();
	known = maui_rsv_names_find(rsv_book(), name);
	engine_unlock();
	return known;
}

/* ---- its steps ---- */

static int compare_outcomes(const void *left, const void *right)
{
	return strcmp(((const struct rsv_rolled *)left)->name,
		      ((const struct rsv_rolled *)right)->name);
}

/* What was said of the instance after the last roll, so that nothing is said twice. */
static const struct rsv_rolled *before(const struct rsv_rolled *rolled)
{
	if (!rolling.count)
		return NULL;
	return bsearch(rolled, rolling.outcome, rolling.count, sizeof(*rolled), compare_outcomes);
}

/* Of cores: none of the partition's nodes is available yet. Or Slurm has built its table of nodes
 * anew since the roll began. */
static bool has_to_wait(int status)
{
	return status == ESLURM_NODES_BUSY || status == ESLURM_INVALID_NODE_NAME;
}

static void tell(const struct rsv_rolled *rolled)
{
	const struct rsv_rolled *old = before(rolled);

	if (engine_is_shadow()) /* who wants to know asks */
		return;
	if (rolled->there && rolled->status == SLURM_SUCCESS && !rolled->missing) {
		if (!old || !old->there || xstrcmp(old->nodes, rolled->nodes))
			info("maui: reservation %s on %s", rolled->name, rolled->nodes);
		return;
	}
	if (old && old->status == rolled->status && !strcmp(old->text, rolled->text))
		return;
	if (has_to_wait(rolled->status))
		info("maui: reservation %s has to wait: %s", rolled->name,
		     slurm_strerror(rolled->status));
	else if (rolled->status != SLURM_SUCCESS)
		error("maui: reservation %s: %s: it %s", rolled->name,
		      slurm_strerror(rolled->status),
		      rolled->there ? "stays as it is" : "is not there");
	else
		info("maui: reservation %s%s%s: %s%s%s", rolled->name,
		     rolled->nodes ? " on " : " is not there", rolled->nodes ? rolled->nodes : "",
		     rolled->text, rolled->waits ? "; nobody else comes to " : "",
		     rolled->waits ? rolled->waits : "");
}

static void remove_instance(struct roll *roll, const char *name)
{
	int rc;

	if (engine_is_shadow())
		return;
	rc = rsv_record_delete(name);
	if (rc == SLURM_SUCCESS)
		info("maui: reservation %s is removed", name);
	else if (rc != ESLURM_RESERVATION_INVALID) /* else somebody was faster */
		error("maui: reservation %s cannot be removed: %s", name, slurm_strerror(rc));
	roll->changed = true;
}

static bool differs(const struct roll *roll, const struct maui_sr_step *step,
		    const struct rsv_wanted *wanted)
{
	const struct rsv_there *there = &roll->world.there[step->existing];

	if (step->action == MAUI_SR_RETIME || !bit_equal(there->nodes, wanted->nodes))
		return true;
	if (!wanted->cores && !there->cores)
		return false;
	for (uint32_t i = 0; i < roll->world.count; i++)
		if (bit_test(wanted->nodes, i) &&
		    rsv_there_cores(&roll->world, there, i) !=
			    (wanted->cores ? wanted->cores[i] : roll->world.cores[i]))
			return true;
	return false;
}

static int apply(struct roll *roll, const struct maui_sr_step *step, const char *name,
		 bitstr_t *nodes, const uint32_t *cores)
{
	struct rsv_wanted wanted = {
		.name = name,
		.start = step->window.from,
		.end = step->window.end,
		.nodes = nodes,
		.table = roll->world.table,
		.cores = cores,
		.open = roll->open,
	};
	int rc = SLURM_SUCCESS;

	if (cores && !roll->open) /* the select plugin of Maui says which ones */
		rc = ESLURM_NOT_SUPPORTED;
	else if (step->action == MAUI_SR_CREATE)
		rc = is_known(name) ? rsv_record_create(&wanted) : ESLURM_RESERVATION_INVALID;
	else if (differs(roll, step, &wanted))
		rc = rsv_record_update(&wanted);
	else
		return rc;
	roll->changed = true;
	return rc;
}

/* An instance whose standing reservation maui.cfg does not have any more, but which is in use. */
static void keep_as_is(struct roll *roll, const struct maui_sr_step *step,
		       struct rsv_rolled *rolled)
{
	rolled->there = true;
	rolled->nodes = rsv_world_node_list(&roll->world, roll->world.there[step->existing].nodes);
	snprintf(rolled->text, sizeof(rolled->text),
		 "maui.cfg does not have it any more: it goes when its jobs have ended");
}

/* No place is left for it. Where nodes are only down it stays on them; and who uses it is not
 * disturbed. */
static void keep_or_remove(struct roll *roll, const struct maui_sr_step *step,
			   struct rsv_rolled *rolled, bool for_good)
{
	const struct rsv_there *there = &roll->world.there[step->existing];

	if (for_good && !there->in_use) {
		remove_instance(roll, rolled->name);
		return;
	}
	rolled->there = true;
	rolled->nodes = rsv_world_node_list(&roll->world, there->nodes);
}

/* Shadow mode. */
static void imagine(const struct roll *roll, const struct maui_sr_step *step, const bitstr_t *nodes,
		    const uint32_t *cores, struct rsv_rolled *rolled)
{
	rolled->there = step->existing != MAUI_SR_NO_INDEX;
	rolled->would = true;
	rolled->nodes = rsv_world_node_list(&roll->world, nodes);
	for (uint32_t i = 0; cores && i < roll->world.count; i++)
		if (bit_test((bitstr_t *)nodes, i))
			rolled->procs += (uint32_t)rsv_world_procs(&roll->world, i, cores[i]);
}

/* Slurm has it no more, as when it is deleted by hand, and those whom it has let in are still on
 * its nodes. No lock held. */
static bool has_been_there(const struct maui_sr_step *step, const char *name)
{
	slurmctld_lock_t node_read = {.node = READ_LOCK};
	const struct rsv_guarded *guarded;
	bool was_there;

	if (step->action != MAUI_SR_CREATE)
		return false;
	lock_slurmctld(node_read);
	engine_lock();
	guarded = rsv_guard_find(name);
	was_there = guarded && guarded->nodes;
	engine_unlock();
	unlock_slurmctld(node_read);
	return was_there;
}

/*
 * The nodes of HOSTLIST that give what is missing once their jobs have ended: as many as it takes.
 * Else whoever waits would be faster than the next roll, each time that a job ends. NULL: none.
 */
static char *nodes_to_wait_for(const struct roll *roll, const struct maui_sr_step *step,
			       const struct maui_sr_placement *placement)
{
	bitstr_t *nodes;
	uint64_t tasks = 0;
	char *list;

	if (!roll->list[step->sr].hosts || !placement->busy_count)
		return NULL;
	nodes = bit_alloc(roll->world.count);
	for (size_t i = 0; i < placement->busy_count && tasks < placement->missing; i++) {
		bit_set(nodes, placement->busy[i].node);
		tasks += placement->busy[i].tasks;
	}
	list = tasks ? rsv_world_node_list(&roll->world, nodes) : NULL;
	FREE_NULL_BITMAP(nodes);
	return list;
}

/* What of it jobs hold. */
static void wait_for_jobs(struct roll *roll, const struct maui_sr_step *step,
			  const struct maui_sr_placement *placement, struct rsv_rolled *rolled)
{
	rolled->returns = placement->why[MAUI_SR_DOWN];
	if (!placement->missing || !placement->busy_count)
		return;
	if (has_been_there(step, rolled->name)) /* its cores are known, and kept as they were */
		rolled->returns = true;
	else
		rolled->waits = nodes_to_wait_for(roll, step, placement);
	roll->soon |= rolled->returns || rolled->waits;
}

static void place(struct roll *roll, const struct maui_sr_step *step, struct rsv_rolled *rolled)
{
	struct maui_sr_placement placement;
	struct maui_error why = {""};
	const uint32_t *cores;
	bitstr_t *nodes;
	int rc = rsv_placing_step(roll->placing, step, &placement, &nodes, &cores, &why);

	rolled->returns = rc;
	if (!rc)
		wait_for_jobs(roll, step, &placement, rolled);
	rolled->tasks = placement.tasks;
	rolled->missing = rc ? 1 : placement.missing;
	if (rc)
		snprintf(rolled->text, sizeof(rolled->text), "%.200s", why.text);
	else
		maui_sr_placement_text(&placement, rolled->text);
	if (engine_is_shadow() && !rc && nodes) {
		imagine(roll, step, nodes, cores, rolled);
	} else if (!rc && nodes) {
		rolled->status = apply(roll, step, rolled->name, nodes, cores);
		rolled->there = step->action != MAUI_SR_CREATE || rolled->status == SLURM_SUCCESS;
		rolled->returns = rolled->status != SLURM_SUCCESS;
		rolled->nodes = rsv_world_node_list(&roll->world, nodes);
		if (!rolled->there && rolled->status == ESLURM_NODES_BUSY) {
			xfree(rolled->waits);
			rolled->waits = xstrdup(rolled->nodes);
		}
	} else if (step->existing != MAUI_SR_NO_INDEX) {
		keep_or_remove(roll, step, rolled, !rc && !placement.why[MAUI_SR_DOWN]);
	}
	maui_sr_placement_clear(&placement);
	FREE_NULL_BITMAP(nodes);
}

static void take_step(struct roll *roll, const struct maui_sr_step *step)
{
	char text[MAUI_SR_INSTANCE_SIZE];
	const char *name = name_of(roll, step, text);
	struct rsv_rolled *rolled;

	if (step->action == MAUI_SR_DELETE) {
		remove_instance(roll, name);
		return;
	}
	rolled = &roll->outcome[roll->outcome_count++];
	*rolled = (struct rsv_rolled){
		.sr = step->sr,
		.index = step->index,
		.start = step->window.start > 0 ? step->window.start : step->window.from,
		.end = step->window.end,
	};
	snprintf(rolled->name, sizeof(rolled->name), "%s", name);
	if (step->sr == MAUI_SR_NO_INDEX)
		keep_as_is(roll, step, rolled);
	else
		place(roll, step, rolled);
	tell(rolled);
}

/* They are not in the plan, and still in Slurm. */
static void remove_spent(struct roll *roll)
{
	for (size_t i = 0; i < roll->world.there_count; i++)
		if (roll->existing[i].spent)
			remove_instance(roll, roll->world.there[i].name);
}

static int see_existing(struct roll *roll)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < roll->world.there_count; i++)
		if (!roll->existing[i].spent)
			rc = rsv_placing_see(roll->placing, i, roll->existing[i].sr);
	return rc;
}

/* ---- the whole ---- */

static int prepare(struct roll *roll, struct maui_error *why)
{
	int rc = rsv_world_look(&roll->world);
	struct maui_sr_plan plan;

	if (rc)
		return rc == -ENOMEM ? maui_error_set(why, ENOMEM, "out of memory") : rc;
	roll->list_size = rsv_policy_list(&roll->list);
	rsv_unknown_tell(&roll->world, roll->list, roll->list_size);
	if (look_at_existing(roll))
		return maui_error_set(why, ENOMEM, "out of memory");
	rc = maui_sr_plan_make(roll->list, roll->list_size, roll->existing, roll->existing_count,
			       roll->world.now, &plan, why);
	if (rc)
		return rc;
	roll->plan = plan;
	roll->placing = rsv_placing_new(&roll->world, roll->list, roll->list_size);
	roll->outcome = calloc(roll->plan.count + 1, sizeof(*roll->outcome));
	if (!roll->placing || !roll->outcome || see_existing(roll))
		return maui_error_set(why, ENOMEM, "out of memory");
	return 0;
}

static void carry_out(struct roll *roll)
{
	if (!engine_is_shadow()) {
		roll->open = rsv_open_wanted();
		rsv_open_all(&roll->world, roll->open);
		remove_spent(roll);
	}
	for (size_t i = 0; i < roll->plan.count && engine_may_look(); i++)
		take_step(roll, &roll->plan.steps[i]);
	if (roll->plan.left_out)
		error("maui: %zu instances of standing reservations are not made: there would be "
		      "more than "
		      "%u",
		      roll->plan.left_out, MAUI_SR_INSTANCES);
}

static void clear_outcome(struct rsv_rolled *outcome, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		xfree(outcome[i].nodes);
		xfree(outcome[i].waits);
	}
	free(outcome);
}

/* The next time that a window begins or ends. */
static int64_t next_boundary(const struct roll *roll)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < roll->outcome_count; i++) {
		int64_t start = roll->outcome[i].start, end = roll->outcome[i].end;

		if (start > roll->world.now && start < next)
			next = start;
		if (end > roll->world.now && end < next)
			next = end;
	}
	return next;
}

/* The mutex is held. Returns whether something is missing. */
ENGINE_LOCKED static bool keep(struct roll *roll, uint64_t generation)
{
	bool partial = roll->again;

	clear_outcome(rolling.outcome, rolling.count);
	rolling.outcome = roll->outcome;
	rolling.count = roll->outcome_count;
	if (rolling.count)
		qsort(rolling.outcome, rolling.count, sizeof(*rolling.outcome), compare_outcomes);
	for (size_t i = 0; i < rolling.count; i++) {
		partial |= rolling.outcome[i].missing || rolling.outcome[i].status;
		roll->soon |= rolling.outcome[i].status == ESLURM_NODES_BUSY;
	}
	rsv_when_end(generation, next_boundary(roll), partial);
	if (roll->soon)
		engine.retry = fmin(engine.retry, monotonic() + BUSY);
	roll->outcome = NULL;
	roll->outcome_count = 0;
	rsv_view_forget();
	return partial;
}

static void clear(struct roll *roll)
{
	clear_outcome(roll->outcome, roll->outcome_count);
	maui_sr_plan_clear(&roll->plan);
	rsv_placing_free(roll->placing);
	free(roll->existing);
	rsv_world_clear(&roll->world);
}

static bool begin(uint64_t *ret_generation)
{
	bool wanted;

	engine_lock();
	wanted = rsv_when_begin(ret_generation);
	engine_unlock();
	return wanted;
}

/* No lock held. */
static void tell_guard(const struct roll *roll, bool partial)
{
	slurmctld_lock_t node_read = {.node = READ_LOCK};

	if (engine_is_shadow())
		return;
	lock_slurmctld(node_read);
	engine_lock();
	rsv_guard_keep(rolling.outcome, rolling.count, &roll->world, partial);
	rsv_view_settle(time(NULL));
	engine_unlock();
	unlock_slurmctld(node_read);
}

/* Reservations stay as they are, and nobody waits for more. */
static void tell_guard_of_failure(void)
{
	engine_lock();
	rsv_guard_settle();
	engine_unlock();
}

void rsv_roll_run(void)
{
	static bool failed;
	struct maui_error why = {""};
	struct roll roll = {.open = false};
	uint64_t generation;
	bool partial;
	int rc;

	if (!begin(&generation))
		return;
	rc = prepare(&roll, &why);
	if (!rc && (engine_is_shadow() || !write_names(&roll))) {
		carry_out(&roll);
		engine_lock();
		partial = keep(&roll, generation);
		engine_unlock();
		tell_guard(&roll, partial);
		if (roll.changed)
			slurmctld_schedule();
	} else if (rc != -EAGAIN) {
		tell_guard_of_failure();
	}
	if (rc && rc != -EAGAIN && !failed)
		error("maui: %s: reservations stay as they are", why.text);
	failed = rc;
	clear(&roll);
}

size_t rsv_roll_outcome(const struct rsv_rolled **ret_list)
{
	*ret_list = rolling.outcome;
	return rolling.count;
}

const struct module rsv_roll_module = {.after = rsv_roll_run, .plans = true};
