/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/compat.h"

#include "plugins/engine/reservation/rsv_reclaim.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/common/job_resources.h"
#include "src/common/node_conf.h"

#include "common/policy/reservation/sr_owner.h"
#include "common/util/grow.h"
#include "plugins/engine/reservation/rsv_admission.h"
#include "plugins/engine/reservation/rsv_policy.h"
#include "plugins/engine/reservation/rsv_view.h"

#define ONE_PASS 1 /* seconds */

#define RECLAIMS                                                                                   \
	4096 /* at a time, at most; more are not kept: the job may have to take back again */

struct reclaim {
	uint32_t job_id; /* of an array: of its record that waits */
	enum maui_credential type;
	uint32_t owner;
	bitstr_t *nodes; /* NULL: to be made from names */
	char *names;
	time_t made, until;
	bool settled; /* a task of the array has begun: the others wait for what is left */
};

static struct {
	struct reclaim *list;
	size_t count, room;
} reclaims;

static void drop(struct reclaim *reclaim)
{
	FREE_NULL_BITMAP(reclaim->nodes);
	xfree(reclaim->names);
	*reclaim = reclaims.list[--reclaims.count];
}

/* ---- to make one ---- */

static struct reclaim *find(uint32_t job_id, enum maui_credential type, uint32_t owner)
{
	for (size_t i = 0; i < reclaims.count; i++)
		if (reclaims.list[i].job_id == job_id && reclaims.list[i].type == type &&
		    reclaims.list[i].owner == owner)
			return &reclaims.list[i];
	return NULL;
}

static struct reclaim *add(uint32_t job_id, enum maui_credential type, uint32_t owner)
{
	void *grown;

	if (reclaims.count == RECLAIMS)
		return NULL;
	grown = maui_grow(reclaims.list, reclaims.count + 1, &reclaims.room,
			  sizeof(*reclaims.list));
	if (!grown)
		return NULL;
	reclaims.list = grown;
	reclaims.list[reclaims.count] =
		(struct reclaim){.job_id = job_id, .type = type, .owner = owner};
	return &reclaims.list[reclaims.count++];
}

static bool is_of_this_table(const struct reclaim *reclaim)
{
	return reclaim->nodes && bit_size(reclaim->nodes) == node_record_count;
}

/* Of an array several tasks may each take something back. */
static void take_nodes(struct reclaim *reclaim, bitstr_t *nodes, bool add_to)
{
	if (add_to && is_of_this_table(reclaim)) {
		bit_or(reclaim->nodes, nodes);
	} else {
		FREE_NULL_BITMAP(reclaim->nodes);
		reclaim->nodes = bit_copy(nodes);
	}
	xfree(reclaim->names);
	reclaim->names = bitmap2node_name(reclaim->nodes);
}

void rsv_reclaim_make(const job_record_t *job, enum maui_credential type, uint32_t owner,
		      bitstr_t *nodes, time_t grace)
{
	struct reclaim *reclaim = find(job->job_id, type, owner);

	if (!reclaim)
		reclaim = add(job->job_id, type, owner);
	if (!reclaim) {
		error("maui: %pJ takes back nodes of its reservation, but others may get them "
		      "first: "
		      "too many do so already, or out of memory",
		      job);
		return;
	}
	take_nodes(reclaim, nodes, job->array_recs);
	reclaim->made = time(NULL);
	reclaim->until = (time_t)maui_sr_reclaim_end(reclaim->made, grace, slurm_conf.kill_wait,
						     slurm_conf.msg_timeout);
	debug("maui: %s of its owner's reservations wait for %pJ", reclaim->names, job);
}

/* ---- its life ---- */

bool rsv_reclaim_has(const job_record_t *job)
{
	for (size_t i = 0; i < reclaims.count; i++)
		if (reclaims.list[i].job_id == job->job_id)
			return true;
	return false;
}

/* Slurm does not preempt for a job that some other limit stops then; of an array it has but one
 * such time for all tasks. */
static bool was_acted_upon(const struct reclaim *reclaim, const job_record_t *job)
{
	return job->array_recs || job->details->preempt_start_time >= reclaim->made;
}

bool rsv_reclaim_allows(const job_record_t *job, const job_record_t *victim)
{
	time_t now = time(NULL);

	for (size_t i = 0; i < reclaims.count; i++) {
		const struct reclaim *reclaim = &reclaims.list[i];

		if (reclaim->job_id == job->job_id && now < reclaim->until &&
		    (reclaim->settled || now > reclaim->made + ONE_PASS) &&
		    was_acted_upon(reclaim, job) && is_of_this_table(reclaim) &&
		    bit_size(victim->node_bitmap) == node_record_count &&
		    !bit_overlap_any(reclaim->nodes, victim->node_bitmap))
			return false;
	}
	return true;
}

void rsv_reclaim_began(const job_record_t *job)
{
	for (size_t i = reclaims.count; i-- > 0;) {
		struct reclaim *reclaim = &reclaims.list[i];

		if (reclaim->job_id == job->job_id) {
			drop(reclaim);
		} else if (job->array_job_id && reclaim->job_id == job->array_job_id &&
			   is_of_this_table(reclaim) && job->node_bitmap) {
			bit_and_not(reclaim->nodes, job->node_bitmap);
			reclaim->settled = true;
			if (bit_ffs(reclaim->nodes) < 0)
				drop(reclaim);
		}
	}
}

void rsv_reclaim_nodes_changed(void)
{
	for (size_t i = 0; i < reclaims.count; i++)
		FREE_NULL_BITMAP(reclaims.list[i].nodes);
}

/* Whether it is still the owner's: its account, say, may have been changed. */
ENGINE_LOCKED static bool is_owners(const struct reclaim *reclaim, const job_record_t *job)
{
	struct maui_rsv_job asker;

	if (!job->part_ptr)
		return false;
	asker = rsv_admission_asker(job, job->part_ptr);
	return asker.acl.credential[reclaim->type] == reclaim->owner;
}

ENGINE_LOCKED static bool holds(struct reclaim *reclaim, time_t now)
{
	const job_record_t *job = find_job_record(reclaim->job_id);

	if (now >= reclaim->until || now < reclaim->made || !job || !IS_JOB_PENDING(job) ||
	    !job->priority || !job->details || !was_acted_upon(reclaim, job) ||
	    !is_owners(reclaim, job))
		return false;
	if (!reclaim->nodes && node_name2bitmap(reclaim->names, true, &reclaim->nodes))
		FREE_NULL_BITMAP(reclaim->nodes); /* a node is gone: it is taken back anew */
	return is_of_this_table(reclaim);
}

/* ---- what it withholds ---- */

static bool is_reclaimed(const struct rsv_seen *seen, const struct reclaim *reclaim, time_t now)
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
		uint32_t from = cr_get_coremap_offset(i), to = cr_get_coremap_offset(i + 1);

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
	if (!seen->cores || job->details->whole_node == WHOLE_NODE_REQUIRED)
		bit_and_not(nodes, both);
	else
		add_cores(seen->cores, both, cores);
	FREE_NULL_BITMAP(both);
}

/* False: there is no such reservation any more. */
ENGINE_LOCKED static bool apply(const struct reclaim *reclaim, const job_record_t *job, bool others,
				bitstr_t *nodes, bitstr_t **cores)
{
	const struct rsv_seen *list;
	time_t now = time(NULL);
	size_t count = rsv_view(&list, now);
	bool any = !rsv_policy_known(); /* a new maui.cfg is being read: nobody gets in at all */

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
