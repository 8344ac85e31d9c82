/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the pass, evaluates access lists in each partition and QOS of the job.
 * For nodes, evaluates each reservation of rsv_view() that overlaps it in time.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/rsv_admission.h"

#include <string.h>
#include <time.h>

#include "common/util/memory.h"
#include "plugins/engine/nodes/node_order.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/reservation/rsv_asked.h"
#include "plugins/engine/reservation/rsv_asker.h"
#include "plugins/engine/reservation/rsv_attributes.h"
#include "plugins/engine/reservation/rsv_gap_cache.h"
#include "plugins/engine/reservation/rsv_name_table.h"
#include "plugins/engine/reservation/rsv_policy.h"
#include "plugins/engine/reservation/rsv_reclaim.h"
#include "plugins/engine/reservation/rsv_view.h"
#include "plugins/engine/reservation/rsv_when.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/pass.h"
#include "plugins/engine/slurm/qos_records.h"
#include "plugins/engine/slurm/records.h"
#include "plugins/engine/slurm/resvrec.h"
#include "plugins/engine/slurm/rsv_records.h"

/* ---- by name ---- */

ENGINE_LOCKED static const struct maui_sr *admission_standing(const struct rsv_seen *seen)
{
	const struct maui_sr *list;

	return seen->sr < rsv_policy_list(&list) ? &list[seen->sr] : NULL;
}

/* The `asks` of a struct maui_rsv_job: this reservation, or another. */
ENGINE_LOCKED static uint32_t admission_asks(const struct rsv_asked *asked,
					     const struct rsv_seen *seen)
{
	const struct maui_sr *sr = admission_standing(seen);

	if (!asked->name)
		return 0;
	if (rsv_asked_is(asked, seen->name) || (sr && rsv_asked_is(asked, sr->name)))
		return seen->instance.standing;
	return UINT32_MAX / 2; /* no reservation has this number */
}

uint32_t rsv_admission_asks(const job_record_t *job, const struct rsv_seen *seen)
{
	struct rsv_asked asked = rsv_asked_by(jobrec_comment(job));

	return admission_asks(&asked, seen);
}

bool maui_engine_knows_reservation(const char *name)
{
	bool known;

	engine_lock();
	known = in_force.policy && !engine_is_shadow() && !engine.disabled &&
		(rsv_policy_has(name) || maui_rsv_names_find(rsv_name_table(), name));
	engine_unlock();
	return known;
}

/* ---- the pass ---- */

struct entry {
	const struct jobrec_facts *facts;
	struct rsv_asked asked;
	bool admitted;
};

static bool may_ask(const struct entry *entry, const struct maui_sr *sr)
{
	if (!sr->acl)
		return false;
	return entry->asked.name ? rsv_asked_is_of(&entry->asked, sr->name)
				 : !(sr->flags & MAUI_SR_BYNAME);
}

/*
 * How long the two overlap is not known yet, so any length counts. The verdict can only change at a
 * limit, so try each limit and the values just below and above it.
 */
static bool may_admit(const struct maui_acl *acl, struct maui_rsv_job *job)
{
	const struct maui_acl_item *items;
	size_t count = maui_acl_items(acl, &items);
	struct maui_acl_verdict verdict;

	job->acl.duration = job->walltime;
	if (maui_acl_evaluate(acl, &job->acl, &verdict))
		return true;
	for (size_t i = 0; maui_acl_has_duration(acl) && i < count; i++)
		for (int64_t more = -1; items[i].type == MAUI_ACL_DURATION && more <= 1; more++) {
			job->acl.duration = items[i].value + more;
			if (job->acl.duration <= job->walltime &&
			    maui_acl_evaluate(acl, &job->acl, &verdict))
				return true;
		}
	return false;
}

/* Whether access lists admit the job in one of its places. */
static void try_place(part_record_t *partition, uint32_t qos, uint32_t place, void *context)
{
	struct entry *entry = context;
	struct maui_rsv_job job;
	const struct maui_sr *list;
	size_t count;

	engine_assert_locked();
	(void)place;
	if (entry->admitted)
		return;
	count = rsv_policy_list(&list);
	job = rsv_asker(entry->facts, partition, qos);
	for (size_t i = 0; i < count && !entry->admitted; i++)
		entry->admitted = may_ask(entry, &list[i]) && may_admit(list[i].acl, &job);
}

bool rsv_admission_refuses(const struct jobrec_facts *facts)
{
	struct entry entry = {.facts = facts, .asked = rsv_asked_by(facts->comment)};

	if (!entry.asked.name || !facts->has_details || jobrec_reservation(facts->job) ||
	    !rsv_policy_known() || engine.disabled)
		return false;
	records_each_place(facts->job, try_place, &entry);
	return !entry.admitted;
}

/* A checksum of what may change in a job without a notification from Slurm. */
ENGINE_LOCKED static uint32_t sum_of(const job_record_t *job)
{
	const uint32_t prime = UINT32_C(16777619), qos = qos_records_seen(jobrec_qos(job));
	const char *comment = jobrec_comment(job);
	uint32_t sum = (rsv_asked_sum(comment) ^ rsv_attributes_of(comment, qos)) * prime;

	return (sum ^ qos) * prime;
}

/* A running job has no use for the pass: rsv_pass_put_away(). */
bool rsv_admission_pass(struct slurm_writer *writer, job_record_t *job,
			struct maui_tracked_job *tracked)
{
	struct entry entry = {.asked = rsv_asked_by(jobrec_comment(job))};
	const struct maui_sr *list;
	bool had = rsv_pass_has(job);
	struct jobrec_facts facts;

	if (!jobrec_is_pending(job))
		return false;
	jobrec_facts_read(job, &facts);
	entry.facts = &facts;
	/* A job in one of Slurm's own reservations asked for another one. */
	if (jobrec_has_details(job) && !jobrec_reservation(job) && rsv_policy_list(&list) &&
	    select_is_loaded())
		records_each_place(job, try_place, &entry);
	if (entry.admitted)
		rsv_pass_give(writer, job);
	else
		rsv_pass_take(writer, job);
	if (tracked) {
		tracked->pass_generation = rsv_policy_generation();
		tracked->passed = rsv_pass_given(job);
		tracked->asked = sum_of(job);
	}
	return entry.admitted && !had;
}

bool rsv_admission_pass_again(struct slurm_writer *writer, job_record_t *job,
			      struct maui_tracked_job *tracked)
{
	const struct maui_sr *list;

	/* Where nothing is reserved there is nothing to ask for. */
	if (tracked && tracked->pass_generation == rsv_policy_generation() && !tracked->passed &&
	    !rsv_policy_list(&list))
		return false;
	if (tracked && tracked->pass_generation == rsv_policy_generation() &&
	    rsv_pass_given(job) == tracked->passed && (rsv_pass_has(job) || !tracked->passed) &&
	    sum_of(job) == tracked->asked)
		return false;
	return rsv_admission_pass(writer, job, tracked);
}

/* ---- the nodes ---- */

/*
 * Our pass also opens some of Slurm's own reservations, which must not admit the job because of it.
 * A user who asked for such a pass himself gets in by Slurm's rules.
 */
static bool foreign_admits(const struct rsv_seen *seen, const job_record_t *job)
{
	return !rsv_pass_given(job) || jobrec_warn_time(job) > seen->max_start_delay;
}

ENGINE_LOCKED static bool admission_admits(const struct rsv_seen *seen, const job_record_t *job,
					   struct maui_rsv_job *asker,
					   const struct rsv_asked *asked, int64_t now,
					   struct maui_rsv_verdict *verdict)
{
	*verdict = (struct maui_rsv_verdict){.affinity = MAUI_AFFINITY_NONE};
	if (!seen->ours)
		return foreign_admits(seen, job);
	asker->asks = admission_asks(asked, seen);
	return seen->sr != UINT32_MAX && maui_rsv_admits_at(&seen->instance, asker, now, verdict);
}

/* Whether the job, if it starts at asker->start, overlaps the reservation in time. */
static bool admission_meets(const struct rsv_seen *seen, const struct maui_rsv_job *asker)
{
	return seen->nodes && seen->instance.end > asker->start &&
	       (asker->walltime >= MAUI_INFINITY ||
		seen->instance.start < asker->start + asker->walltime);
}

/* A job that wants whole nodes gets none that are partly another's. */
static void admission_exclude(const struct rsv_seen *seen, const job_record_t *job, bitstr_t *nodes,
			      bitstr_t **cores)
{
	if (bit_size(seen->nodes) !=
	    bit_size(nodes)) /* another node table: cannot tell which they are */
		bit_clear_all(nodes);
	else if (!seen->cores || jobrec_wants_whole_nodes(job))
		bit_and_not(nodes, seen->nodes);
	else if (!*cores)
		*cores = bit_copy(seen->cores);
	else
		bit_or(*cores, seen->cores);
}

/*
 * A job that asks for a reservation gets only its nodes, while it exists. Returns when its next
 * instance begins, 0 if none does.
 */
ENGINE_LOCKED static time_t stay_inside(const struct rsv_asked *asked, const struct rsv_seen *list,
					size_t count, bitstr_t *nodes, time_t start)
{
	bitstr_t *inside = bit_alloc(bit_size(nodes));
	time_t next = 0;

	for (size_t i = 0; i < count; i++) {
		const struct maui_rsv_instance *instance = &list[i].instance;

		if (!list[i].ours || admission_asks(asked, &list[i]) != instance->standing ||
		    instance->end <= start || !list[i].nodes ||
		    bit_size(list[i].nodes) != bit_size(nodes))
			continue;
		if (instance->start <= start)
			bit_or(inside, list[i].nodes);
		else if (!next || instance->start < next)
			next = instance->start;
	}
	bit_and(nodes, inside);
	FREE_NULL_BITMAP(inside);
	return next;
}

/* A job in one of Slurm's own reservations: Slurm's rules apply there, but Slurm does not know
 * about the gaps. */
static bool is_elsewhere(const job_record_t *job, const struct rsv_seen *seen)
{
	return jobrec_reservation(job) && !seen->gap;
}

ENGINE_LOCKED static time_t admission_filter(const job_record_t *job, bitstr_t *nodes,
					     bitstr_t **cores, time_t start)
{
	struct maui_rsv_job who = rsv_asker_now(job);
	struct rsv_asked asked = rsv_asked_by(jobrec_comment(job));
	struct maui_rsv_verdict verdict;
	const struct rsv_seen *list;
	time_t now = time(NULL), next = 0, claimed;
	size_t count = rsv_view(&list, now);

	who.start = start;
	if (asked.name && !engine.disabled && !jobrec_reservation(job))
		next = stay_inside(&asked, list, count, nodes, start);
	for (size_t i = 0; i < count; i++) {
		if (is_elsewhere(job, &list[i]) || !admission_meets(&list[i], &who) ||
		    admission_admits(&list[i], job, &who, &asked, now, &verdict))
			continue;
		admission_exclude(&list[i], job, nodes, cores);
		if (!next || list[i].instance.end < next)
			next = list[i].instance.end;
	}
	claimed = rsv_reclaim_filter(job, who.acl.credential, nodes, cores, start);
	if (claimed && (!next || claimed < next))
		next = claimed;
	return next;
}

static int clear_lookalike(slurmctld_resv_t *reservation, void *context)
{
	bitstr_t *nodes = context, *its = resvrec_nodes(reservation);

	if (rsv_record_is_marked(reservation) && its && bit_size(its) == bit_size(nodes))
		bit_and_not(nodes, its);
	return 0;
}

bool rsv_admission_concerns(const job_record_t *job)
{
	return jobrec_has_details(job) && !jobrec_reservation(job) &&
	       (rsv_pass_has(job) || rsv_asked_by(jobrec_comment(job)).name);
}

/* Those for overlapping reservations apply; but not where one has the name of ours. */
ENGINE_LOCKED static bool goes_by_slurms_rules(const job_record_t *job)
{
	int64_t date;

	return jobrec_reservation_overlaps(job) &&
	       rsv_policy_find(jobrec_reservation_inside(job), &date) == UINT32_MAX;
}

bool rsv_admission_meets_gap(const job_record_t *job)
{
	bool gaps;

	if (!jobrec_has_details(job))
		return false;
	engine_lock();
	gaps = !goes_by_slurms_rules(job) && in_force.policy && rsv_view_has_gaps(time(NULL));
	if (gaps && rsv_view_gaps_are_new())
		rsv_when_now();
	engine_unlock();
	return gaps;
}

void rsv_admission_permit(bitstr_t *nodes)
{
	engine_lock();
	if (engine_in_charge() && !engine.disabled && rsv_gap_cache_permit(nodes))
		rsv_when_now();
	engine_unlock();
}

time_t rsv_admission_filter(const job_record_t *job, bitstr_t *nodes, bitstr_t **cores,
			    time_t start)
{
	time_t next = 0;

	if (!rsv_admission_concerns(job) && !rsv_admission_meets_gap(job))
		return 0;
	engine_lock();
	if (engine_in_charge())
		next = admission_filter(job, nodes, cores, start);
	else /* the engine is not in charge: nobody gets what it left behind */
		resvrec_each(clear_lookalike, nodes);
	engine_unlock();
	return next;
}

/* ---- affinity ---- */

/* Of the job that was last asked about. Slurm's job lock guards it: the write lock, or the read
 * lock in the thread that answers about nodes (REQUEST_NODES). */
static struct {
	uint8_t *of;
	uint32_t room;
} affinity;

static void make_room(uint32_t nodes)
{
	if (nodes <= affinity.room)
		return;
	affinity.of = maui_realloc(affinity.of, nodes, sizeof(*affinity.of));
	affinity.room = nodes;
}

static void mark_nodes(bitstr_t *nodes, uint32_t count, enum maui_affinity value)
{
	int last = bit_fls(nodes);

	for (int i = bit_ffs(nodes); i >= 0 && i <= last && (uint32_t)i < count; i++)
		if (bit_test(nodes, i))
			affinity.of[i] = (uint8_t)value;
}

/* If several hold the same node, the last one counts. */
ENGINE_LOCKED static bool mark_all(const job_record_t *job, uint32_t nodes)
{
	struct maui_rsv_job who;
	struct jobrec_facts facts;
	struct rsv_asked asked = rsv_asked_by(jobrec_comment(job));
	struct maui_rsv_verdict verdict;
	const struct rsv_seen *list;
	int64_t now = time(NULL);
	size_t count = rsv_view(&list, now);
	bool any = false;

	jobrec_facts_read(job, &facts);
	who = rsv_asker(&facts, facts.partition, facts.qos);
	who.start = now;
	memset(affinity.of, MAUI_AFFINITY_NONE, nodes);
	for (size_t i = 0; i < count; i++) {
		if (!list[i].ours || !admission_meets(&list[i], &who) ||
		    !admission_admits(&list[i], job, &who, &asked, now, &verdict) ||
		    verdict.affinity == MAUI_AFFINITY_NONE)
			continue;
		mark_nodes(list[i].nodes, nodes, verdict.affinity);
		any = true;
	}
	return any;
}

const uint8_t *rsv_admission_affinity(const job_record_t *job, uint32_t nodes)
{
	bool any = false;

	if (!rsv_admission_concerns(job))
		return NULL;
	make_room(nodes);
	engine_lock();
	if (in_force.policy)
		any = mark_all(job, nodes);
	engine_unlock();
	return any ? affinity.of : NULL;
}
