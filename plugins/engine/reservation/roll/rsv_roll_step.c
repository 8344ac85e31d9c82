/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A step of a roll: one instance is made, changed, kept or removed. */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/roll/rsv_roll_private.h"

#include <string.h>

#include "plugins/engine/reservation/rsv_gap_cache.h"
#include "plugins/engine/reservation/rsv_name_table.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/rsv_records.h"

/* ---- logging ---- */

/* Slurm refuses what would be the same after a second: wait so many at most. */
#define LONGEST_RETRY 64

/* For cores: none of the partition's nodes is available yet. Or Slurm has rebuilt its node table
 * since the roll began. */
static bool has_to_wait(int status)
{
	return status == ESLURM_NODES_BUSY || status == ESLURM_INVALID_NODE_NAME ||
	       status == ESLURM_IN_STANDBY_MODE;
}

static void step_tell(const struct rsv_roll *roll, const struct maui_sr_step *step,
		      const struct rsv_rolled *rolled)
{
	const struct rsv_rolled *old;

	if (engine_is_shadow()) /* users can query it */
		return;
	old = rsv_roll_before(roll, step, rolled->name);
	if (rolled->there && rolled->status == SLURM_SUCCESS && !rolled->missing) {
		if (!old || !old->there || xstrcmp(old->nodes, rolled->nodes))
			info("maui: reservation %s on %s", rolled->name, rolled->nodes);
		return;
	}
	if (old && old->status == rolled->status && !strcmp(old->text, rolled->text))
		return;
	if (rolled->status == ESLURM_RESERVATION_NAME_DUP)
		error("maui: reservation %s is not there: %s", rolled->name, rolled->text);
	else if (has_to_wait(rolled->status))
		info("maui: reservation %s has to wait: %s", rolled->name,
		     slurm_strerror(rolled->status));
	else if (rolled->status != SLURM_SUCCESS)
		error("maui: reservation %s: %s: it %s", rolled->name,
		      slurm_strerror(rolled->status),
		      rolled->there ? "stays as it is" : "is not there");
	else
		info("maui: reservation %s%s%s: %s%s%s", rolled->name,
		     rolled->nodes ? " on " : " is not there", rolled->nodes ? rolled->nodes : "",
		     rolled->text, rolled->waits ? "; others are kept off " : "",
		     rolled->waits ? rolled->waits : "");
}

/* ---- in Slurm ---- */

void rsv_roll_remove(struct rsv_roll *roll, const char *name)
{
	int rc;

	if (engine_is_shadow())
		return;
	rc = rsv_record_delete(name);
	if (rc == SLURM_SUCCESS)
		info("maui: reservation %s is removed", name);
	else if (rc != ESLURM_RESERVATION_INVALID && /* else it is already gone */
		 rc != ESLURM_IN_STANDBY_MODE)
		error("maui: reservation %s cannot be removed: %s", name, slurm_strerror(rc));
	roll->changed = true;
}

static bool is_known(const char *name)
{
	bool known;

	engine_lock();
	known = maui_rsv_names_find(rsv_name_table(), name);
	engine_unlock();
	return known;
}

static bool step_differs(const struct rsv_roll *roll, const struct maui_sr_step *step,
			 const struct rsv_wanted *wanted)
{
	const struct rsv_there *there = &roll->world.there[step->existing];

	if (step->action == MAUI_SR_RETIME || there->altered || there->maint != wanted->maint ||
	    !bit_equal(there->nodes, wanted->nodes))
		return true;
	if (!wanted->cores && there->whole)
		return false;
	for (size_t i = 0; i < there->part_count; i++) {
		const struct maui_sr_part *part = &there->parts[i];

		if (part->cores !=
		    (wanted->cores ? wanted->cores[part->node] : roll->world.cores[part->node]))
			return true;
	}
	return false;
}

/* Of one that the policy no longer names, as it is. */
static bool wants_maint(const struct rsv_roll *roll, const struct maui_sr_step *step)
{
	if (step->sr == MAUI_SR_NO_INDEX)
		return roll->world.there[step->existing].maint;
	return roll->list[step->sr].flags & MAUI_SR_MAINT;
}

static int step_apply(struct rsv_roll *roll, const struct maui_sr_step *step, const char *name,
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
		.maint = wants_maint(roll, step),
	};
	int rc = SLURM_SUCCESS;

	if (cores && !roll->open) /* Maui's select plugin chooses them */
		rc = ESLURM_NOT_SUPPORTED;
	else if (step->action == MAUI_SR_CREATE)
		rc = is_known(name) ? rsv_record_create(&wanted) : ESLURM_RESERVATION_INVALID;
	else if (step_differs(roll, step, &wanted))
		rc = rsv_record_update(&wanted);
	else
		return rc;
	roll->changed |= rc == SLURM_SUCCESS || step->action != MAUI_SR_CREATE;
	return rc;
}

/* The same, at growing intervals while Slurm refuses. A name that is taken is no attempt: nothing
 * is asked of Slurm. */
static int step_attempt(struct rsv_roll *roll, const struct maui_sr_step *step,
			struct rsv_rolled *rolled, bitstr_t *nodes, const uint32_t *cores)
{
	const struct rsv_rolled *old = rsv_roll_before(roll, step, rolled->name);
	int64_t now = roll->world.now;
	int rc;

	if (old && old->failures && now < old->retry && old->retry - now <= LONGEST_RETRY) {
		rolled->failures = old->failures;
		rolled->retry = old->retry;
		return old->status;
	}
	rc = step_apply(roll, step, rolled->name, nodes, cores);
	if (rc == SLURM_SUCCESS || has_to_wait(rc) || rc == ESLURM_RESERVATION_NAME_DUP)
		return rc;
	rolled->failures = old ? old->failures + 1 : 1;
	rolled->retry = now + LONGEST_RETRY;
	if (INT64_C(1) << rolled->failures < LONGEST_RETRY)
		rolled->retry = now + (INT64_C(1) << rolled->failures);
	else
		rolled->failures--; /* enough */
	return rc;
}

/* It stays where it is, and becomes again what we have made. */
static int put_back(struct rsv_roll *roll, const struct maui_sr_step *step)
{
	const struct rsv_there *there = &roll->world.there[step->existing];
	struct rsv_wanted wanted = {
		.name = there->name,
		.start = step->window.from,
		.end = step->window.end,
		.nodes = there->nodes,
		.table = roll->world.table,
		.open = roll->open,
		.maint = wants_maint(roll, step),
	};
	uint32_t *cores = NULL;
	int rc;

	if ((!there->altered && there->maint == wanted.maint) || engine_is_shadow())
		return SLURM_SUCCESS;
	if (!there->whole) {
		cores = xcalloc(roll->world.count, sizeof(*cores));
		for (size_t i = 0; i < there->part_count; i++)
			cores[there->parts[i].node] = there->parts[i].cores;
	}
	wanted.cores = cores;
	rc = rsv_record_update(&wanted);
	xfree(cores);
	roll->changed = true;
	return rc;
}

/* ---- placing it ---- */

/* As rsv_world_node_list(), of an instance of a standing reservation. */
static char *name_nodes(const struct rsv_roll *roll, uint32_t sr, bitstr_t *nodes)
{
	struct rsv_named *named = &roll->named[sr];

	if (!named->nodes || !bit_equal(named->nodes, nodes)) {
		FREE_NULL_BITMAP(named->nodes);
		xfree(named->text);
		named->nodes = bit_copy(nodes);
		named->text = rsv_world_node_list(&roll->world, nodes);
	}
	return xstrdup(named->text);
}

/* An instance that is in use, but whose standing reservation is no longer in maui.cfg. */
static void keep_as_is(struct rsv_roll *roll, const struct maui_sr_step *step,
		       struct rsv_rolled *rolled)
{
	rolled->there = true;
	rolled->status = put_back(roll, step);
	rolled->nodes = rsv_world_node_list(&roll->world, roll->world.there[step->existing].nodes);
	snprintf(rolled->text, sizeof(rolled->text),
		 "it is no longer in maui.cfg: it goes when its jobs have ended");
}

/* No place is left for it. If its nodes are merely down it stays on them, and its users are not
 * disturbed. */
static void keep_or_remove(struct rsv_roll *roll, const struct maui_sr_step *step,
			   struct rsv_rolled *rolled, bool for_good)
{
	const struct rsv_there *there = &roll->world.there[step->existing];

	if (for_good && !there->in_use) {
		rsv_roll_remove(roll, rolled->name);
		return;
	}
	rolled->there = true;
	rolled->status = put_back(roll, step);
	rolled->nodes = name_nodes(roll, step->sr, there->nodes);
}

/* Shadow mode. */
static void step_imagine(const struct rsv_roll *roll, const struct maui_sr_step *step,
			 bitstr_t *nodes, const uint32_t *cores, struct rsv_rolled *rolled)
{
	rolled->there = step->existing != MAUI_SR_NO_INDEX;
	rolled->would = true;
	rolled->nodes = name_nodes(roll, step->sr, nodes);
	for (uint32_t i = 0; cores && i < roll->world.count; i++)
		if (bit_test(nodes, i))
			rolled->procs += (uint32_t)rsv_world_procs(&roll->world, i, cores[i]);
}

/* Slurm no longer has it, for example because it was deleted by hand, and the jobs it admitted are
 * still on its nodes. No lock held. */
static bool has_been_there(const struct maui_sr_step *step, const char *name)
{
	slurmctld_lock_t node_read = {.node = READ_LOCK};
	const struct rsv_cached *cached;
	bool was_there;

	if (step->action != MAUI_SR_CREATE)
		return false;
	lock_slurmctld(node_read);
	engine_lock();
	cached = rsv_gap_cache_find(name);
	was_there = cached && cached->nodes;
	engine_unlock();
	unlock_slurmctld(node_read);
	return was_there;
}

/*
 * The nodes of HOSTLIST that supply what is missing once their jobs have ended: as many as needed.
 * Otherwise a waiting job would beat the next roll each time a job ends. NULL: none.
 */
static char *nodes_to_wait_for(const struct rsv_roll *roll, const struct maui_sr_step *step,
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

/* Handle the parts of it that jobs hold. */
static void wait_for_jobs(struct rsv_roll *roll, const struct maui_sr_step *step,
			  const struct maui_sr_placement *placement, struct rsv_rolled *rolled)
{
	rolled->returns = placement->why[MAUI_SR_DOWN];
	if (!placement->missing || !placement->busy_count)
		return;
	if (!roll->lacked)
		roll->lacked = bit_alloc(roll->world.count);
	for (size_t i = 0; i < placement->busy_count; i++)
		bit_set(roll->lacked, placement->busy[i].node);
	if (has_been_there(step, rolled->name)) /* its cores are known and stay the same */
		rolled->returns = true;
	else
		rolled->waits = nodes_to_wait_for(roll, step, placement);
	roll->soon |= rolled->returns || rolled->waits;
}

/* What diagnose -r and the log say of a name that is taken. */
static void tell_conflict(struct rsv_rolled *rolled)
{
	snprintf(rolled->text, sizeof(rolled->text),
		 "Slurm has another one of this name, which is left alone; the nodes are kept for "
		 "those whom maui.cfg lets in; scontrol delete reservation=%.100s makes way",
		 rolled->name);
}

static void step_place(struct rsv_roll *roll, const struct maui_sr_step *step,
		       struct rsv_rolled *rolled)
{
	struct maui_sr_placement placement;
	const uint32_t *cores;
	bitstr_t *nodes;

	rsv_placing_step(roll->placing, step, &placement, &nodes, &cores);
	rolled->returns = false;
	wait_for_jobs(roll, step, &placement, rolled);
	rolled->tasks = placement.tasks;
	rolled->missing = placement.missing;
	maui_sr_placement_text(&placement, rolled->text);
	if (engine_is_shadow() && nodes) {
		step_imagine(roll, step, nodes, cores, rolled);
	} else if (nodes) {
		rolled->status = step_attempt(roll, step, rolled, nodes, cores);
		rolled->there = step->action != MAUI_SR_CREATE || rolled->status == SLURM_SUCCESS;
		rolled->returns = rolled->status != SLURM_SUCCESS;
		rolled->nodes = name_nodes(roll, step->sr, nodes);
		if (rolled->status == ESLURM_RESERVATION_NAME_DUP)
			tell_conflict(rolled);
		if (rolled->returns) { /* they are kept whatever Slurm has */
			xfree(rolled->waits);
			rolled->waits = xstrdup(rolled->nodes);
		}
	} else if (step->existing != MAUI_SR_NO_INDEX) {
		keep_or_remove(roll, step, rolled, !placement.why[MAUI_SR_DOWN]);
	}
	maui_sr_placement_clear(&placement);
}

/* ---- the step ---- */

void rsv_roll_step(struct rsv_roll *roll, const struct maui_sr_step *step)
{
	char text[MAUI_SR_INSTANCE_SIZE];
	const char *name = rsv_roll_name(roll, step, text);
	struct rsv_rolled *rolled;

	if (step->action == MAUI_SR_DELETE) {
		rsv_roll_remove(roll, name);
		return;
	}
	rolled = &roll->outcome[roll->outcome_count++];
	*rolled = (struct rsv_rolled){
		.sr = step->sr,
		.index = step->index,
		.start = step->window.start > 0 ? step->window.start : step->window.from,
		.end = step->window.end,
	};
	memcpy(rolled->name, name, sizeof(rolled->name)); /* both have this size */
	if (step->sr == MAUI_SR_NO_INDEX)
		keep_as_is(roll, step, rolled);
	else
		step_place(roll, step, rolled);
	step_tell(roll, step, rolled);
}
