/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The list of reclaims, with their job IDs in atomics for readers without the
 * mutex. rsv_reclaim_filter() withholds their nodes and drops those that no
 * longer hold.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/rsv_reclaim.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/policy/reservation/sr_owner.h"
#include "common/util/grow.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/reservation/rsv_admission.h"
#include "plugins/engine/reservation/rsv_policy.h"
#include "plugins/engine/reservation/rsv_reclaim_file.h"
#include "plugins/engine/reservation/rsv_view.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/noderec.h"

#define ONE_PASS 1 /* seconds */

struct reclaim {
	uint32_t job_id; /* for an array: of its pending record */
	enum maui_credential type;
	uint32_t owner;
	bitstr_t *nodes; /* NULL: rebuild from names */
	char *names;
	time_t made, until;
	bool acted_upon; /* Slurm has preempted for the job, which is known only later */
	bool settled;    /* a task of the array has begun: the others wait for what is left */
};

ENGINE_GUARDED static struct {
	struct reclaim *list;
	size_t count, room;
} reclaims;

/*
 * The jobs that wait, for those who ask for each pair of jobs in Slurm's queue: written with the
 * engine's mutex held, read by any thread. A job whose bit (its_bit()) is not set does not wait.
 */
static struct {
	_Atomic uint64_t bits;
	atomic_size_t count;
	_Atomic uint32_t jobs[MAUI_RECLAIMS_MAX]; /* of reclaims.list */
} waiting;

static uint64_t its_bit(uint32_t job_id)
{
	return UINT64_C(1) << job_id % 64;
}

/* The last one moves to its place before the number falls, so that nobody misses it. */
ENGINE_LOCKED static void stop_waiting(size_t at)
{
	uint64_t bits = 0;

	atomic_store(&waiting.jobs[at], reclaims.list[at].job_id);
	atomic_store(&waiting.count, reclaims.count);
	for (size_t i = 0; i < reclaims.count; i++)
		bits |= its_bit(reclaims.list[i].job_id);
	atomic_store(&waiting.bits, bits);
}

ENGINE_LOCKED static void wait_too(uint32_t job_id)
{
	atomic_store(&waiting.jobs[reclaims.count], job_id);
	atomic_store(&waiting.count, reclaims.count + 1);
	atomic_fetch_or(&waiting.bits, its_bit(job_id));
}

static bool is_waiting(uint32_t job_id)
{
	if (!(atomic_load_explicit(&waiting.bits, memory_order_acquire) & its_bit(job_id)))
		return false;
	for (size_t i = 0, count = atomic_load(&waiting.count); i < count; i++)
		if (atomic_load_explicit(&waiting.jobs[i], memory_order_acquire) == job_id)
			return true;
	return false;
}

ENGINE_LOCKED static void drop(struct reclaim *reclaim)
{
	if (reclaim->acted_upon)
		rsv_reclaim_file_changed();
	FREE_NULL_BITMAP(reclaim->nodes);
	xfree(reclaim->names);
	*reclaim = reclaims.list[--reclaims.count];
	stop_waiting((size_t)(reclaim - reclaims.list));
}

/* ---- making one ---- */

ENGINE_LOCKED static struct reclaim *find(uint32_t job_id, enum maui_credential type,
					  uint32_t owner)
{
	for (size_t i = 0; i < reclaims.count; i++)
		if (reclaims.list[i].job_id == job_id && reclaims.list[i].type == type &&
		    reclaims.list[i].owner == owner)
			return &reclaims.list[i];
	return NULL;
}

/* More than the file holds are not kept: their job may have to take back again. */
ENGINE_LOCKED static struct reclaim *add(uint32_t job_id, enum maui_credential type, uint32_t owner)
{
	if (reclaims.count == MAUI_RECLAIMS_MAX)
		return NULL;
	reclaims.list = maui_grow(reclaims.list, reclaims.count + 1, &reclaims.room,
				  sizeof(*reclaims.list));
	reclaims.list[reclaims.count] =
		(struct reclaim){.job_id = job_id, .type = type, .owner = owner};
	wait_too(job_id);
	return &reclaims.list[reclaims.count++];
}

static bool is_of_this_table(struct reclaim *reclaim)
{
	if (!reclaim->nodes)
		reclaim->nodes = noderec_bits(reclaim->names);
	return reclaim->nodes && bit_size(reclaim->nodes) == noderec_count();
}

/* Several tasks of an array may each take something back. */
static void take_nodes(struct reclaim *reclaim, bitstr_t *nodes, bool add_to)
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
	struct reclaim *reclaim;

	engine_lock();
	reclaim = find(jobrec_id(job), type, owner);
	if (!reclaim)
		reclaim = add(jobrec_id(job), type, owner);
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
	return is_waiting(jobrec_id(job));
}

/* Slurm does not preempt for a job that some other limit then stops. An array has only one such
 * time for all its tasks. */
ENGINE_LOCKED static bool was_acted_upon(struct reclaim *reclaim, const job_record_t *job)
{
	if (reclaim->acted_upon)
		return true;
	reclaim->acted_upon = jobrec_is_meta(job) || jobrec_preempts_since(job) >= reclaim->made;
	if (reclaim->acted_upon)
		rsv_reclaim_file_changed();
	return reclaim->acted_upon;
}

void rsv_reclaim_look(void)
{
	for (size_t i = 0; i < reclaims.count; i++) {
		const job_record_t *job = jobrec_find(reclaims.list[i].job_id);

		if (job)
			was_acted_upon(&reclaims.list[i], job);
	}
}

bool rsv_reclaim_allows(const job_record_t *job, const job_record_t *victim)
{
	time_t now = time(NULL);
	bitstr_t *nodes = jobrec_nodes(victim);
	bool elsewhere = false;

	if (!is_waiting(jobrec_id(job)))
		return true;
	engine_lock();
	for (size_t i = 0; !elsewhere && i < reclaims.count; i++) {
		struct reclaim *reclaim = &reclaims.list[i];

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
ENGINE_LOCKED static void take_out(struct reclaim *reclaim, bitstr_t *nodes)
{
	bit_and_not(reclaim->nodes, nodes);
	reclaim->settled = true;
	if (bit_ffs(reclaim->nodes) < 0) {
		drop(reclaim);
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

	if (!atomic_load(&waiting.count))
		return;
	engine_lock();
	for (size_t i = reclaims.count; i-- > 0;) {
		struct reclaim *reclaim = &reclaims.list[i];

		if (reclaim->job_id == jobrec_id(job)) {
			drop(reclaim);
		} else if (array && reclaim->job_id == array && is_of_this_table(reclaim) &&
			   nodes) {
			take_out(reclaim, nodes);
		}
	}
	engine_unlock();
}

void rsv_reclaim_nodes_changed(void)
{
	for (size_t i = 0; i < reclaims.count; i++)
		FREE_NULL_BITMAP(reclaims.list[i].nodes);
}

/* Whether the job is still the owner's: its account, say, may have changed. */
ENGINE_LOCKED static bool is_owners(const struct reclaim *reclaim, const job_record_t *job)
{
	struct maui_rsv_job asker;
	struct jobrec_facts facts;

	jobrec_facts_read(job, &facts);
	if (!facts.partition)
		return false;
	asker = rsv_admission_asker(&facts, facts.partition, facts.qos);
	return asker.acl.credential[reclaim->type] == reclaim->owner;
}

ENGINE_LOCKED static bool holds(struct reclaim *reclaim, time_t now)
{
	const job_record_t *job = jobrec_find(reclaim->job_id);

	if (now >= reclaim->until || now < reclaim->made || !job || !jobrec_is_pending(job) ||
	    !jobrec_priority(job) || !jobrec_has_details(job) || !was_acted_upon(reclaim, job) ||
	    !is_owners(reclaim, job))
		return false;
	return is_of_this_table(reclaim);
}

/* ---- what it withholds ---- */

ENGINE_LOCKED static bool is_reclaimed(const struct rsv_seen *seen, const struct reclaim *reclaim,
				       time_t now)
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

static void withhold(const struct rsv_seen *seen, const struct reclaim *reclaim,
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
ENGINE_LOCKED static bool apply(const struct reclaim *reclaim, const job_record_t *job, bool others,
				bitstr_t *nodes, bitstr_t **cores)
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
			withhold(&list[i], reclaim, job, nodes, cores);
	}
	return any;
}

time_t rsv_reclaim_filter(const job_record_t *job, const uint32_t credential[MAUI_CREDENTIALS],
			  bitstr_t *nodes, bitstr_t **cores, time_t start)
{
	time_t now = time(NULL), next = 0;

	for (size_t i = reclaims.count; i-- > 0;) {
		struct reclaim *reclaim = &reclaims.list[i];
		bool others = credential[reclaim->type] != reclaim->owner && start < reclaim->until;

		if (!holds(reclaim, now) || !apply(reclaim, job, others, nodes, cores))
			drop(reclaim);
		else if (others && (!next || reclaim->until < next))
			next = reclaim->until;
	}
	return next;
}

/* ---- what outlives this process ---- */

void rsv_reclaim_copy(struct maui_reclaims *into)
{
	char text[MAUI_PRINCIPAL_TEXT_SIZE];

	for (size_t i = 0; i < reclaims.count; i++) {
		const struct reclaim *reclaim = &reclaims.list[i];
		struct maui_reclaim one = {
			.type = reclaim->type,
			.owner = maui_names_written(in_force.names, reclaim->type, reclaim->owner,
						    text),
			.nodes = reclaim->names,
			.job_id = reclaim->job_id,
			.made = reclaim->made,
			.until = reclaim->until,
			.settled = reclaim->settled,
		};

		if (reclaim->acted_upon && one.owner)
			maui_reclaims_add(into, &one);
	}
}

void rsv_reclaim_forget(void)
{
	while (reclaims.count)
		drop(&reclaims.list[reclaims.count - 1]);
}

void rsv_reclaim_restore(const struct maui_reclaim *from)
{
	uint32_t owner = maui_names_of_written(in_force.names, from->type, from->owner);
	struct reclaim *reclaim = owner ? add(from->job_id, from->type, owner) : NULL;

	if (!reclaim)
		return;
	reclaim->names = xstrdup(from->nodes);
	reclaim->made = from->made;
	reclaim->until = from->until;
	reclaim->acted_upon = true;
	reclaim->settled = from->settled;
}
