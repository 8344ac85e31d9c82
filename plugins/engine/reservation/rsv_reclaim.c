/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes reclaims, and ends them when their job has begun. rsv_reclaim_filter()
 * withholds their nodes and drops those that no longer hold.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/rsv_reclaim.h"

#include <string.h>
#include <time.h>

#include "common/policy/reservation/sr_owner.h"
#include "common/state/reclaims.h"
#include "plugins/engine/reservation/rsv_asker.h"
#include "plugins/engine/reservation/rsv_policy.h"
#include "plugins/engine/reservation/rsv_reclaim_file.h"
#include "plugins/engine/reservation/rsv_reclaim_list.h"
#include "plugins/engine/reservation/rsv_view.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/noderec.h"

#define ONE_PASS 1 /* seconds */

/* The file no longer has it. */
ENGINE_LOCKED static void reclaim_drop(struct rsv_reclaim *reclaim)
{
	if (reclaim->acted_upon)
		rsv_reclaim_file_changed();
	rsv_reclaim_list_remove(reclaim);
}

/* ---- making one ---- */

static bool is_of_this_table(struct rsv_reclaim *reclaim)
{
	if (!reclaim->nodes)
		reclaim->nodes = noderec_bits(reclaim->names);
	return reclaim->nodes && bit_size(reclaim->nodes) == noderec_count();
}

/* Several tasks of an array may each take something back. */
static void take_nodes(struct rsv_reclaim *reclaim, bitstr_t *nodes, bool add_to)
{
	if (add_to && is_of_this_table(reclaim)) {
		bit_or(reclaim->nodes, nodes);
	} else {
		FREE_NULL_BITMAP(reclaim->nodes);
		reclaim->nodes = bit_copy(nodes);
	}
	xfree(reclaim->names);
	reclaim->names = noderec_names(reclaim->nodes);
}

void rsv_reclaim_make(const job_record_t *job, enum maui_credential type, uint32_t owner,
		      bitstr_t *nodes, time_t grace)
{
	struct rsv_reclaim *reclaim;

	engine_lock();
	reclaim = rsv_reclaim_list_find(jobrec_id(job), type, owner);
	if (!reclaim)
		reclaim = rsv_reclaim_list_add(jobrec_id(job), type, owner);
	if (!reclaim) {
		engine_unlock();
		error("maui: %pJ takes back nodes of its reservation, but others may get them "
		      "first: too many do so already",
		      job);
		return;
	}
	take_nodes(reclaim, nodes, jobrec_is_meta(job));
	reclaim->made = time(NULL);
	reclaim->until = (time_t)maui_sr_reclaim_end(reclaim->made, grace, slurm_conf.kill_wait,
						     slurm_conf.msg_timeout);
	if (reclaim->acted_upon)
		rsv_reclaim_file_changed();
	reclaim->acted_upon = false;
	if (strlen(reclaim->names) >= MAUI_RECLAIMS_NODES_SIZE)
		error("maui: what %pJ takes back does not outlive slurmctld: the list of its nodes "
		      "is too long for the file",
		      job);
	debug("maui: %s of its owner's reservations wait for %pJ", reclaim->names, job);
	engine_want_refresh(); /* then it is known whether Slurm acts upon it */
	engine_unlock();
}

/* ---- its lifetime ---- */

bool rsv_reclaim_has(const job_record_t *job)
{
	return rsv_reclaim_list_has(jobrec_id(job));
}

/* Slurm does not preempt for a job that some other limit then stops. An array has only one such
 * time for all its tasks. */
ENGINE_LOCKED static bool was_acted_upon(struct rsv_reclaim *reclaim, const job_record_t *job)
{
	if (reclaim->acted_upon)
		return true;
	reclaim->acted_upon = jobrec_is_meta(job) || jobrec_preempts_since(job) >= reclaim->made;
	if (reclaim->acted_upon)
		rsv_reclaim_file_changed();
	return reclaim->acted_upon;
}

bool rsv_reclaim_allows(const job_record_t *job, const job_record_t *victim)
{
	time_t now = time(NULL);
	bitstr_t *nodes = jobrec_nodes(victim);
	struct rsv_reclaim *list;
	bool elsewhere = false;
	size_t count;

	if (!rsv_reclaim_list_has(jobrec_id(job)))
		return true;
	engine_lock();
	count = rsv_reclaim_list(&list);
	for (size_t i = 0; !elsewhere && i < count; i++) {
		struct rsv_reclaim *reclaim = &list[i];

		elsewhere = reclaim->job_id == jobrec_id(job) && now < reclaim->until &&
			    (reclaim->settled || now > reclaim->made + ONE_PASS) &&
			    was_acted_upon(reclaim, job) && is_of_this_table(reclaim) &&
			    bit_size(nodes) == noderec_count() &&
			    !bit_overlap_any(reclaim->nodes, nodes);
	}
	engine_unlock();
	return !elsewhere;
}

/* A task of the array has begun on these. */
ENGINE_LOCKED static void take_out(struct rsv_reclaim *reclaim, bitstr_t *nodes)
{
	bit_and_not(reclaim->nodes, nodes);
	reclaim->settled = true;
	if (bit_ffs(reclaim->nodes) < 0) {
		reclaim_drop(reclaim);
		return;
	}
	xfree(reclaim->names);
	reclaim->names = noderec_names(reclaim->nodes);
	rsv_reclaim_file_changed();
}

void rsv_reclaim_began(const job_record_t *job)
{
	uint32_t array = jobrec_array_id(job);
	bitstr_t *nodes = jobrec_nodes(job);
	struct rsv_reclaim *list;

	if (rsv_reclaim_list_is_empty())
		return;
	engine_lock();
	for (size_t i = rsv_reclaim_list(&list); i-- > 0;) {
		struct rsv_reclaim *reclaim = &list[i];

		if (reclaim->job_id == jobrec_id(job)) {
			reclaim_drop(reclaim);
		} else if (array && reclaim->job_id == array && is_of_this_table(reclaim) &&
			   nodes) {
			take_out(reclaim, nodes);
		}
	}
	engine_unlock();
}

void rsv_reclaim_nodes_changed(void)
{
	struct rsv_reclaim *list;
	size_t count = rsv_reclaim_list(&list);

	for (size_t i = 0; i < count; i++)
		FREE_NULL_BITMAP(list[i].nodes);
}

/* Whether the job is still the owner's: its account, say, may have changed. */
ENGINE_LOCKED static bool is_owners(const struct rsv_reclaim *reclaim, const job_record_t *job)
{
	struct maui_rsv_job asker;
	struct jobrec_facts facts;

	jobrec_facts_read(job, &facts);
	if (!facts.partition)
		return false;
	asker = rsv_asker(&facts, facts.partition, facts.qos);
	return asker.acl.credential[reclaim->type] == reclaim->owner;
}

ENGINE_LOCKED static bool reclaim_holds(struct rsv_reclaim *reclaim, time_t now)
{
	const job_record_t *job = jobrec_find(reclaim->job_id);

	if (now >= reclaim->until || now < reclaim->made || !job || !jobrec_is_pending(job) ||
	    !jobrec_priority(job) || !jobrec_has_details(job) || !was_acted_upon(reclaim, job) ||
	    !is_owners(reclaim, job))
		return false;
	return is_of_this_table(reclaim);
}

/* ---- what it withholds ---- */

ENGINE_LOCKED static bool is_reclaimed(const struct rsv_seen *seen,
				       const struct rsv_reclaim *reclaim, time_t now)
{
	const struct maui_sr *list;

	return seen->ours && rsv_policy_list(&list) > seen->sr &&
	       maui_sr_owner_takes_back(&list[seen->sr]) &&
	       list[seen->sr].owner_type == reclaim->type &&
	       list[seen->sr].owner == reclaim->owner && seen->instance.start <= now &&
	       seen->instance.end > now && seen->nodes &&
	       bit_size(seen->nodes) == bit_size(reclaim->nodes) &&
	       bit_overlap_any(seen->nodes, reclaim->nodes);
}

/* The cores of a reservation on some nodes. */
static void add_cores(bitstr_t *cores, bitstr_t *nodes, bitstr_t **into)
{
	int last = bit_fls(nodes);

	if (!*into)
		*into = bit_alloc(bit_size(cores));
	for (int i = bit_ffs(nodes); i >= 0 && i <= last; i++) {
		uint32_t from = noderec_first_core((uint32_t)i);
		uint32_t to = noderec_first_core((uint32_t)i + 1);

		if (!bit_test(nodes, i))
			continue;
		for (uint32_t core = from; core < to && core < bit_size(cores); core++)
			if (bit_test(cores, core))
				bit_set(*into, core);
	}
}

static void reclaim_withhold(const struct rsv_seen *seen, const struct rsv_reclaim *reclaim,
			     const job_record_t *job, bitstr_t *nodes, bitstr_t **cores)
{
	bitstr_t *both = bit_copy(seen->nodes);

	bit_and(both, reclaim->nodes);
	if (!seen->cores || jobrec_wants_whole_nodes(job))
		bit_and_not(nodes, both);
	else
		add_cores(seen->cores, both, cores);
	FREE_NULL_BITMAP(both);
}

/* False: no such reservation exists any more. */
ENGINE_LOCKED static bool reclaim_apply(const struct rsv_reclaim *reclaim, const job_record_t *job,
					bool others, bitstr_t *nodes, bitstr_t **cores)
{
	const struct rsv_seen *list;
	time_t now = time(NULL);
	size_t count = rsv_view(&list, now);
	bool any = !rsv_policy_known(); /* reading a new maui.cfg: nobody gets in */

	for (size_t i = 0; i < count; i++) {
		if (!is_reclaimed(&list[i], reclaim, now))
			continue;
		any = true;
		if (others)
			reclaim_withhold(&list[i], reclaim, job, nodes, cores);
	}
	return any;
}

time_t rsv_reclaim_filter(const job_record_t *job, const uint32_t credential[MAUI_CREDENTIALS],
			  bitstr_t *nodes, bitstr_t **cores, time_t start)
{
	time_t now = time(NULL), next = 0;
	struct rsv_reclaim *list;

	for (size_t i = rsv_reclaim_list(&list); i-- > 0;) {
		struct rsv_reclaim *reclaim = &list[i];
		bool others = credential[reclaim->type] != reclaim->owner && start < reclaim->until;

		if (!reclaim_holds(reclaim, now) ||
		    !reclaim_apply(reclaim, job, others, nodes, cores))
			reclaim_drop(reclaim);
		else if (others && (!next || reclaim->until < next))
			next = reclaim->until;
	}
	return next;
}

/* ---- the engine's life ---- */

static void look_at_jobs(void)
{
	struct rsv_reclaim *list;
	size_t count;

	engine_assert_locked();
	count = rsv_reclaim_list(&list);
	for (size_t i = 0; i < count; i++) {
		const job_record_t *job = jobrec_find(list[i].job_id);

		if (job)
			was_acted_upon(&list[i], job);
	}
}

const struct module rsv_reclaim_module = {.collect = look_at_jobs};
