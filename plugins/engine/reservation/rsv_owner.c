/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Caches the nodes and cores where the pending job may preempt, tests each
 * victim against them, and makes a reclaim when Slurm preempts.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/rsv_owner.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "common/policy/priority/run_priority.h"
#include "plugins/engine/api/preempt.h"
#include "plugins/engine/nodes/node_state.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/reservation/rsv_admission.h"
#include "plugins/engine/reservation/rsv_asker.h"
#include "plugins/engine/reservation/rsv_policy.h"
#include "plugins/engine/reservation/rsv_reclaim.h"
#include "plugins/engine/reservation/rsv_view.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/noderec.h"
#include "plugins/engine/slurm/records.h"

/* ---- whether there is anything to do at all ---- */

/* Read without a lock, for each pair of jobs. */
static atomic_bool wanted, loaded, has_inner;

void maui_engine_preempt_loaded(bool is_loaded, bool inner)
{
	atomic_store(&has_inner, inner);
	atomic_store(&loaded, is_loaded);
}

enum maui_sr_preemption rsv_owner_preemption(void)
{
	uint16_t mode = slurm_conf.preempt_mode & ~(PREEMPT_MODE_GANG | PREEMPT_MODE_WITHIN);

	return maui_sr_preemption(atomic_load(&loaded),
				  mode == PREEMPT_MODE_REQUEUE || mode == PREEMPT_MODE_CANCEL,
				  mode == PREEMPT_MODE_OFF, atomic_load(&has_inner));
}

static void log_lack(const struct maui_policy *policy, const struct maui_sr *sr)
{
	const char *lack = maui_sr_owner_lack(sr->flags, rsv_owner_preemption());
	const struct maui_object *object;
	const struct maui_value *value;
	const struct maui_origin *origin = &sr->origin;

	if (!lack)
		return;
	object = maui_config_object(policy->config, MAUI_SRCFG, sr->name);
	value = object ? maui_object_get(object, MAUI_ATTR_FLAGS) : NULL;
	if (value)
		origin = &value->origin;
	info("maui: %s:%u:%u: warning: SRCFG[%s]: %s", origin->file, origin->line, origin->column,
	     sr->name, lack);
}

static void bind_policy(struct maui_policy *policy, const struct maui_principals *principals)
{
	ENGINE_GUARDED static const struct maui_policy *told; /* only compared */
	const struct maui_sr *list;
	bool any = false;
	size_t count;

	engine_assert_locked();
	count = rsv_policy_list(&list);
	for (size_t i = 0; i < count; i++) {
		any |= maui_sr_owner_takes_back(&list[i]);
		if (principals && told != policy)
			log_lack(policy, &list[i]);
	}
	if (principals)
		told = policy;
	atomic_store(&wanted, any);
}

/* ---- where a job may preempt ---- */

/* What the reservations of one owner hold, for the owner's job. */
struct territory {
	uint32_t owner;
	bitstr_t *nodes; /* NULL: there is none */
	bitstr_t *whole; /* those of them reserved as a whole */
	bitstr_t *cores; /* reserved cores of the others; NULL: there are no others */
};

/* What is known of the job that was last asked about. Slurm's job write lock guards it. */
static struct {
	const job_record_t *job; /* NULL: nothing; never dereferenced */
	const part_record_t *partition;
	uint32_t job_id;
	time_t when;
	bool any;
	struct territory of[MAUI_CREDENTIALS];
} known;

void rsv_owner_forget(void)
{
	if (!known.job)
		return;
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		FREE_NULL_BITMAP(known.of[type].nodes);
		FREE_NULL_BITMAP(known.of[type].whole);
		FREE_NULL_BITMAP(known.of[type].cores);
	}
	known.job = NULL;
	known.any = false;
}

static void add_to(bitstr_t **bits, bitstr_t *more)
{
	if (!*bits)
		*bits = bit_copy(more);
	else if (bit_size(*bits) == bit_size(more))
		bit_or(*bits, more);
}

static void add_reservation(const struct rsv_seen *seen, const struct maui_sr *sr)
{
	struct territory *territory = &known.of[sr->owner_type];

	territory->owner = sr->owner;
	add_to(&territory->nodes, seen->nodes);
	if (!territory->whole)
		territory->whole = bit_alloc(bit_size(seen->nodes));
	if (seen->cores)
		add_to(&territory->cores, seen->cores);
	else
		bit_or(territory->whole, seen->nodes);
	known.any = true;
}

/* The mutex is held. */
ENGINE_LOCKED static void find_reservations(const job_record_t *job, time_t now)
{
	struct maui_rsv_job who = rsv_asker_now(job);
	const struct maui_sr *standing;
	const struct rsv_seen *list;
	size_t count = rsv_view(&list, now), known_count = rsv_policy_list(&standing);
	struct maui_rsv_verdict verdict;

	who.start = now;
	for (size_t i = 0; i < count; i++) {
		const struct rsv_seen *seen = &list[i];
		const struct maui_sr *sr = seen->sr < known_count ? &standing[seen->sr] : NULL;

		if (!seen->ours || seen->gap || !sr || !maui_sr_owner_takes_back(sr) ||
		    !maui_sr_is_owner(sr, who.acl.credential) || seen->instance.start > now ||
		    seen->instance.end <= now || !seen->nodes ||
		    bit_size(seen->nodes) != noderec_count())
			continue;
		who.asks = rsv_admission_asks(job, seen);
		if (maui_rsv_admits_at(&seen->instance, &who, now, &verdict))
			add_reservation(seen, sr);
	}
}

/* Other reservations may hold the same nodes and not admit the job. */
static void owner_narrow(const job_record_t *job, time_t now)
{
	bitstr_t *usable = bit_alloc(noderec_count()), *excluded = NULL;

	bit_set_all(usable);
	rsv_admission_filter(job, usable, &excluded, now);
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		struct territory *territory = &known.of[type];

		if (!territory->nodes)
			continue;
		bit_and(territory->nodes, usable);
		bit_and(territory->whole, usable);
		if (territory->cores && excluded &&
		    bit_size(territory->cores) == bit_size(excluded))
			bit_and_not(territory->cores, excluded);
	}
	FREE_NULL_BITMAP(usable);
	FREE_NULL_BITMAP(excluded);
}

/* None of ours admits a job without the pass. */
static void owner_look(const job_record_t *job, time_t now)
{
	rsv_owner_forget();
	known.job = job;
	known.partition = jobrec_partition(job);
	known.job_id = jobrec_id(job);
	known.when = now;
	if (!known.partition || !rsv_admission_concerns(job))
		return;
	engine_lock();
	if (in_force.policy && engine.mode == ENGINE_PRIMARY)
		find_reservations(job, now);
	engine_unlock();
	if (known.any)
		owner_narrow(job, now);
}

static bool is_known(const job_record_t *job, time_t now)
{
	return known.job == job && known.job_id == jobrec_id(job) &&
	       known.partition == jobrec_partition(job) && known.when == now;
}

/* ---- the victim ---- */

static bool is_inside(const job_record_t *victim, const struct territory *territory)
{
	bitstr_t *nodes = jobrec_nodes(victim);

	if (!territory->nodes || bit_size(territory->nodes) != bit_size(nodes) ||
	    bit_ffs(nodes) < 0 || !bit_super_set(nodes, territory->nodes))
		return false;
	return !territory->cores || bit_super_set(nodes, territory->whole) ||
	       jobrec_holds_cores(victim, territory->whole, territory->cores);
}

/* Whether the reservation holds something that the victim holds, too. */
static bool holds_of(const struct rsv_seen *seen, const job_record_t *victim)
{
	bitstr_t *nodes = jobrec_nodes(victim), *cores;
	bool any;

	if (!seen->nodes || bit_size(seen->nodes) != bit_size(nodes) ||
	    !bit_overlap_any(seen->nodes, nodes))
		return false;
	if (!seen->cores)
		return true;
	cores = bit_alloc(bit_size(seen->cores));
	jobrec_add_cores(victim, cores);
	any = bit_overlap_any(cores, seen->cores);
	FREE_NULL_BITMAP(cores);
	return any;
}

/* Whether the victim's owner owns something of what it holds by some reservation in force. */
ENGINE_LOCKED static bool owns_there(const job_record_t *victim, const struct maui_rsv_job *who,
				     time_t now)
{
	const struct maui_sr *standing;
	const struct rsv_seen *list;
	size_t count = rsv_view(&list, now), known_count = rsv_policy_list(&standing);

	for (size_t i = 0; i < count; i++) {
		const struct rsv_seen *seen = &list[i];

		if (seen->ours && seen->sr < known_count &&
		    maui_sr_is_owner(&standing[seen->sr], who->acl.credential) &&
		    seen->instance.start <= now && seen->instance.end > now &&
		    holds_of(seen, victim))
			return true;
	}
	return false;
}

/* The owner's own jobs are spared, and those of others who own the place, too:
 * they would take it back again. */
static bool is_spared(const job_record_t *victim, enum maui_credential type, uint32_t owner,
		      time_t now)
{
	struct maui_rsv_job who;
	bool spared;

	engine_lock();
	who = rsv_asker_now(victim);
	spared = who.acl.credential[type] == owner || owns_there(victim, &who, now);
	engine_unlock();
	return spared;
}

/* The type of the owner whose way the victim is in; MAUI_CREDENTIALS: none. */
static enum maui_credential stands_in_the_way(const job_record_t *job, const job_record_t *victim)
{
	time_t now = time(NULL);

	if (!atomic_load(&wanted) || !jobrec_is_active(victim) || !jobrec_nodes(victim) ||
	    !jobrec_has_details(job))
		return MAUI_CREDENTIALS;
	if (!is_known(job, now))
		owner_look(job, now);
	for (int type = 0; known.any && type < MAUI_CREDENTIALS; type++)
		if (is_inside(victim, &known.of[type]) && rsv_reclaim_allows(job, victim) &&
		    !is_spared(victim, type, known.of[type].owner, now))
			return type;
	return MAUI_CREDENTIALS;
}

bool maui_engine_owner_preempts(const job_record_t *job, const job_record_t *victim)
{
	return stands_in_the_way(job, victim) != MAUI_CREDENTIALS;
}

/* ---- once it has happened ---- */

/* Slurm keeps waiting for the jobs it told to end, and preempts no others meanwhile. */
static bool is_waiting(const job_record_t *job, time_t now)
{
	time_t began = jobrec_preempts_since(job);

	return began && began > now - slurm_conf.kill_wait - slurm_conf.msg_timeout;
}

static void owner_reclaim(const job_record_t *job, enum maui_credential type, bitstr_t *nodes,
			  time_t grace)
{
	bitstr_t *taken = bit_copy(nodes);

	bit_and(taken, known.of[type].nodes);
	if (bit_ffs(taken) >= 0)
		rsv_reclaim_make(job, type, known.of[type].owner, taken, grace);
	FREE_NULL_BITMAP(taken);
}

void rsv_owner_takes(const job_record_t *job, bitstr_t *nodes, compat_list_t victims)
{
	list_itr_t *iterator;
	job_record_t *victim;
	bool any[MAUI_CREDENTIALS + 1] = {false};
	time_t grace = 0;

	if (!atomic_load(&wanted) || !jobrec_has_details(job) || is_waiting(job, time(NULL)) ||
	    bit_size(nodes) != noderec_count())
		return;
	iterator = list_iterator_create(victims);
	while ((victim = list_next(iterator))) {
		enum maui_credential type = stands_in_the_way(job, victim);
		time_t its = jobrec_grace(victim);

		any[type] = true;
		if (its > grace)
			grace = its;
	}
	list_iterator_destroy(iterator);
	for (int type = 0; type < MAUI_CREDENTIALS && known.any; type++)
		if (any[type] && known.of[type].nodes)
			owner_reclaim(job, type, nodes, grace);
}

bool maui_engine_goes_first(const job_record_t *job, const job_record_t *other)
{
	return rsv_reclaim_has(job) && !rsv_reclaim_has(other);
}

/* ---- order of victims ---- */

#define MIDDLE 2147483648.0

ENGINE_LOCKED static double run_priority(const job_record_t *job)
{
	struct maui_priority_job row;
	struct jobrec_facts facts;
	double start = (double)jobrec_priority(job) - (double)in_force.policy->base;

	jobrec_facts_read(job, &facts);
	records_job(&facts, facts.partition, in_force.names, MAUI_NO_CREDENTIAL,
		    records_class(facts.partition, in_force.names), &node_state.machine, &row);
	return maui_run_priority(&row, jobrec_is_active(job) ? jobrec_start(job) : 0, start,
				 time(NULL), NULL);
}

uint32_t maui_engine_victim_order(const job_record_t *job)
{
	uint32_t cpus = jobrec_cpus(job);
	double order;

	engine_lock();
	if (!in_force.policy) {
		engine_unlock();
		return jobrec_priority(job);
	}
	order = run_priority(job);
	engine_unlock();
	order = MIDDLE + order / (cpus ? cpus : 1);
	if (order < 0)
		return 0;
	return order < 2 * MIDDLE - 1 ? (uint32_t)order : UINT32_MAX;
}

const struct module rsv_owner_module = {.bind = bind_policy};
