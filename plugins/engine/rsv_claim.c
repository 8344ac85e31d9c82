/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/engine/rsv_claim.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/common/job_resources.h"
#include "src/common/node_conf.h"

#include "common/policy/sr_owner.h"
#include "plugins/engine/rsv_door.h"
#include "plugins/engine/reservation/rsv_policy.h"
#include "plugins/engine/reservation/rsv_view.h"

#define ONE_PASS 1 /* seconds */

#define CLAIMS 4096 /* at a time, at most; more are not kept: the job may have to take back again */

struct claim {
	uint32_t job_id; /* of an array: of its record that waits */
	enum maui_credential type;
	uint32_t owner;
	bitstr_t *nodes; /* NULL: to be made from names */
	char *names;
	time_t made, until;
	bool settled; /* a task of the array has begun: the others wait for what is left */
};

static struct {
	struct claim *list;
	size_t count, room;
} claims;

static void drop(struct claim *claim)
{
	FREE_NULL_BITMAP(claim->nodes);
	xfree(claim->names);
	*claim = claims.list[--claims.count];
}

/* ---- to make one ---- */

static struct claim *find(uint32_t job_id, enum maui_credential type, uint32_t owner)
{
	for (size_t i = 0; i < claims.count; i++)
		if (claims.list[i].job_id == job_id && claims.list[i].type == type &&
		    claims.list[i].owner == owner)
			return &claims.list[i];
	return NULL;
}

static struct claim *add(uint32_t job_id, enum maui_credential type, uint32_t owner)
{
	if (claims.count == CLAIMS)
		return NULL;
	if (claims.count == claims.room) {
		size_t room = claims.room ? claims.room * 2 : 16;
		void *grown = realloc(claims.list, room * sizeof(*claims.list));

		if (!grown)
			return NULL;
		claims.list = grown;
		claims.room = room;
	}
	claims.list[claims.count] = (struct claim){.job_id = job_id, .type = type, .owner = owner};
	return &claims.list[claims.count++];
}

static bool is_of_this_table(const struct claim *claim)
{
	return claim->nodes && bit_size(claim->nodes) == node_record_count;
}

/* Of an array several tasks may each take something back. */
static void take_nodes(struct claim *claim, bitstr_t *nodes, bool add_to)
{
	if (add_to && is_of_this_table(claim)) {
		bit_or(claim->nodes, nodes);
	} else {
		FREE_NULL_BITMAP(claim->nodes);
		claim->nodes = bit_copy(nodes);
	}
	xfree(claim->names);
	claim->names = bitmap2node_name(claim->nodes);
}

void rsv_claim_make(const job_record_t *job, enum maui_credential type, uint32_t owner,
		    bitstr_t *nodes, time_t grace)
{
	struct claim *claim = find(job->job_id, type, owner);

	if (!claim)
		claim = add(job->job_id, type, owner);
	if (!claim) {
		error("maui: %pJ takes back nodes of its reservation, but others may get them "
		      "first: "
		      "too many do so already, or out of memory",
		      job);
		return;
	}
	take_nodes(claim, nodes, job->array_recs);
	claim->made = time(NULL);
	claim->until = (time_t)maui_sr_claim_end(claim->made, grace, slurm_conf.kill_wait,
						 slurm_conf.msg_timeout);
	debug("maui: %s of its owner's reservations wait for %pJ", claim->names, job);
}

/* ---- its life ---- */

bool rsv_claim_has(const job_record_t *job)
{
	for (size_t i = 0; i < claims.count; i++)
		if (claims.list[i].job_id == job->job_id)
			return true;
	return false;
}

/* Slurm does not preempt for a job that some other limit stops then; of an array it has but one such time for all tasks. */
static bool was_acted_upon(const struct claim *claim, const job_record_t *job)
{
	return job->array_recs || job->details->preempt_start_time >= claim->made;
}

bool rsv_claim_allows(const job_record_t *job, const job_record_t *victim)
{
	time_t now = time(NULL);

	for (size_t i = 0; i < claims.count; i++) {
		const struct claim *claim = &claims.list[i];

		if (claim->job_id == job->job_id && now < claim->until &&
		    (claim->settled || now > claim->made + ONE_PASS) &&
		    was_acted_upon(claim, job) && is_of_this_table(claim) &&
		    bit_size(victim->node_bitmap) == node_record_count &&
		    !bit_overlap_any(claim->nodes, victim->node_bitmap))
			return false;
	}
	return true;
}

void rsv_claim_began(const job_record_t *job)
{
	for (size_t i = claims.count; i-- > 0;) {
		struct claim *claim = &claims.list[i];

		if (claim->job_id == job->job_id) {
			drop(claim);
		} else if (job->array_job_id && claim->job_id == job->array_job_id &&
			   is_of_this_table(claim) && job->node_bitmap) {
			bit_and_not(claim->nodes, job->node_bitmap);
			claim->settled = true;
			if (bit_ffs(claim->nodes) < 0)
				drop(claim);
		}
	}
}

void rsv_claim_nodes_changed(void)
{
	for (size_t i = 0; i < claims.count; i++)
		FREE_NULL_BITMAP(claims.list[i].nodes);
}

/* Whether it is still the owner's: its account, say, may have been changed. */
static bool is_owners(const struct claim *claim, const job_record_t *job)
{
	struct maui_rsv_job asker;

	if (!job->part_ptr)
		return false;
	asker = rsv_door_asker(job, job->part_ptr);
	return asker.acl.credential[claim->type] == claim->owner;
}

static bool holds(struct claim *claim, time_t now)
{
	const job_record_t *job = find_job_record(claim->job_id);

	if (now >= claim->until || now < claim->made || !job || !IS_JOB_PENDING(job) ||
	    !job->priority || !job->details || !was_acted_upon(claim, job) ||
	    !is_owners(claim, job))
		return false;
	if (!claim->nodes && node_name2bitmap(claim->names, true, &claim->nodes))
		FREE_NULL_BITMAP(claim->nodes); /* a node is gone: it is taken back anew */
	return is_of_this_table(claim);
}

/* ---- what it withholds ---- */

static bool is_claimed(const struct rsv_seen *seen, const struct claim *claim, time_t now)
{
	const struct maui_sr *list;

	return seen->ours && rsv_policy_list(&list) > seen->sr &&
	       maui_sr_owner_takes_back(&list[seen->sr]) &&
	       list[seen->sr].owner_type == claim->type && list[seen->sr].owner == claim->owner &&
	       seen->instance.start <= now && seen->instance.end > now && seen->nodes &&
	       bit_size(seen->nodes) == bit_size(claim->nodes) &&
	       bit_overlap_any(seen->nodes, claim->nodes);
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

static void withhold(const struct rsv_seen *seen, const struct claim *claim,
		     const job_record_t *job, bitstr_t *nodes, bitstr_t **cores)
{
	bitstr_t *both = bit_copy(seen->nodes);

	bit_and(both, claim->nodes);
	if (!seen->cores || job->details->whole_node == WHOLE_NODE_REQUIRED)
		bit_and_not(nodes, both);
	else
		add_cores(seen->cores, both, cores);
	FREE_NULL_BITMAP(both);
}

/* False: there is no such reservation any more. */
static bool apply(const struct claim *claim, const job_record_t *job, bool others, bitstr_t *nodes,
		  bitstr_t **cores)
{
	const struct rsv_seen *list;
	time_t now = time(NULL);
	size_t count = rsv_view(&list, now);
	bool any = !rsv_policy_known(); /* a new maui.cfg is being read: nobody gets in at all */

	for (size_t i = 0; i < count; i++) {
		if (!is_claimed(&list[i], claim, now))
			continue;
		any = true;
		if (others)
			withhold(&list[i], claim, job, nodes, cores);
	}
	return any;
}

time_t rsv_claim_filter(const job_record_t *job, const uint32_t credential[MAUI_CREDENTIALS],
			bitstr_t *nodes, bitstr_t **cores, time_t start)
{
	time_t now = time(NULL), next = 0;

	for (size_t i = claims.count; i-- > 0;) {
		struct claim *claim = &claims.list[i];
		bool others = credential[claim->type] != claim->owner && start < claim->until;

		if (!holds(claim, now) || !apply(claim, job, others, nodes, cores))
			drop(claim);
		else if (others && (!next || claim->until < next))
			next = claim->until;
	}
	return next;
}
