/* SPDX-License-Identifier: GPL-2.0-or-later */
/* OWNERPREEMPT: whose job may preempt whose, and who gets what was taken back. */
#include "testsuite/unit/engine/drive.h"

#include "plugins/engine/api/preempt.h"
#include "plugins/engine/api/select.h"

#define PREEMPTS "PreemptType=preempt/maui\nPreemptMode=REQUEUE\n"
#define JUPITER                                                                                    \
	"NODEALLOCATIONPOLICY FIRSTAVAILABLE\n"                                                    \
	"SRCFG[jupiter] HOSTLIST=n[1-3] PERIOD=INFINITY ACCOUNTLIST=jupiter,saturn- "              \
	"OWNER=ACCOUNT:jupiter FLAGS=OWNERPREEMPT\n"

TestSuite(preempt, .init = drive_init, .fini = drive_fini);

static void begin(const char *maui_cfg)
{
	drive_machine(FOUR_NODES, PREEMPTS, maui_cfg);
	maui_engine_preempt_loaded(true, false);
	drive_start();
}

static job_record_t *runs(const char *account, uint32_t cpus, const char *node)
{
	job_record_t *job = SUBMIT(.account = account, .cpus = cpus, .on = node);

	cr_assert(controller_try(job, true), "%s on %s", account, node);
	return job;
}

static bool preempts(const job_record_t *job, const job_record_t *victim)
{
	bool may;

	controller_lock_all();
	may = maui_engine_owner_preempts(job, victim);
	controller_unlock_all();
	return may;
}

/* Slurm has chosen the node, and preempts this one. */
static void take(job_record_t *job, job_record_t *victim)
{
	list_t *victims = list_create(NULL);

	list_append(victims, victim);
	controller_lock_all();
	maui_engine_select.preempts(job, victim->node_bitmap, victims);
	job->details->preempt_start_time = time(NULL);
	controller_unlock_all();
	FREE_NULL_LIST(victims);
	controller_requeue(victim);
}

static bool goes_first(const job_record_t *job, const job_record_t *other)
{
	bool first;

	controller_lock_all();
	first = maui_engine_goes_first(job, other);
	controller_unlock_all();
	return first;
}

Test(preempt, the_owner_preempts_others_inside)
{
	job_record_t *inside, *own, *outside, *owner, *insider, *stranger;

	begin(JUPITER);
	inside = runs("saturn", 4, "n1");
	own = runs("jupiter", 4, "n2");
	outside = runs("saturn", 4, "n4");
	owner = SUBMIT(.account = "jupiter", .cpus = 4);
	insider = SUBMIT(.account = "saturn", .cpus = 4);
	stranger = SUBMIT(.account = "mars", .cpus = 4);
	cr_expect(preempts(owner, inside));
	cr_expect_not(preempts(owner, own), "its own");
	cr_expect_not(preempts(owner, outside), "who runs elsewhere");
	cr_expect_not(preempts(insider, inside));
	cr_expect_not(preempts(insider, own));
	cr_expect_not(preempts(stranger, inside));
}

Test(preempt, who_also_runs_elsewhere_is_left_alone)
{
	job_record_t *wide, *owner;

	begin(JUPITER);
	wide = SUBMIT(.account = "saturn", .cpus = 8, .nodes = 2, .on = "n[3-4]");
	cr_assert(controller_try(wide, true));
	owner = SUBMIT(.account = "jupiter", .cpus = 4);
	cr_expect_not(preempts(owner, wide));
}

Test(preempt, of_parts_of_nodes_it_is_the_cores_that_count)
{
	job_record_t *inside, *outside, *owner;

	begin("NODEALLOCATIONPOLICY FIRSTAVAILABLE\n"
	      "SRCFG[jupiter] TASKCOUNT=1 RESOURCES=PROCS:2 PERIOD=INFINITY "
	      "ACCOUNTLIST=jupiter,saturn- OWNER=ACCOUNT:jupiter FLAGS=OWNERPREEMPT\n");
	outside = runs("mars", 2, "n1");
	inside = runs("saturn", 2, "n1");
	owner = SUBMIT(.account = "jupiter", .cpus = 2);
	cr_expect(preempts(owner, inside));
	cr_expect_not(preempts(owner, outside));
}

Test(preempt, another_reservation_of_the_nodes_keeps_the_owner_out)
{
	job_record_t *victim, *owner;

	begin(JUPITER "SRCFG[other] HOSTLIST=n1 PERIOD=INFINITY ACCOUNTLIST=saturn\n");
	victim = runs("saturn", 4, "n1");
	owner = SUBMIT(.account = "jupiter", .cpus = 4);
	cr_expect_not(preempts(owner, victim));
}

Test(preempt, without_the_flag_nobody_preempts)
{
	job_record_t *inside, *owner;

	begin("NODEALLOCATIONPOLICY FIRSTAVAILABLE\n"
	      "SRCFG[jupiter] HOSTLIST=n[1-3] PERIOD=INFINITY ACCOUNTLIST=jupiter,saturn- "
	      "OWNER=ACCOUNT:jupiter\n");
	inside = runs("saturn", 4, "n1");
	owner = SUBMIT(.account = "jupiter", .cpus = 4);
	cr_expect_not(preempts(owner, inside));
}

/* ---- several owners ---- */

#define TWO_OWNERS                                                                                 \
	"NODEALLOCATIONPOLICY FIRSTAVAILABLE\n"                                                    \
	"SRCFG[a] HOSTLIST=n[1-2] PERIOD=INFINITY ACCOUNTLIST=jupiter,saturn,mars "                \
	"OWNER=ACCOUNT:jupiter FLAGS=OWNERPREEMPT ACCESS=SHARED\n"                                 \
	"SRCFG[b] HOSTLIST=n1 PERIOD=INFINITY ACCOUNTLIST=jupiter,saturn,mars "                    \
	"OWNER=ACCOUNT:saturn FLAGS=OWNERPREEMPT ACCESS=SHARED\n"

static bool is_preempted_by(const job_record_t *job, const job_record_t *victim)
{
	bool has;

	controller_lock_all();
	has = maui_engine_preempted_by(job, victim);
	controller_unlock_all();
	return has;
}

Test(preempt, who_owns_the_place_by_another_reservation_is_spared)
{
	job_record_t *jupiter, *saturn, *of_jupiter, *of_saturn, *other;

	begin(TWO_OWNERS);
	saturn = runs("saturn", 2, "n1");
	jupiter = runs("jupiter", 2, "n1");
	of_jupiter = SUBMIT(.account = "jupiter", .cpus = 4);
	of_saturn = SUBMIT(.account = "saturn", .cpus = 4);
	cr_expect_not(preempts(of_jupiter, saturn), "it owns the place, too");
	cr_expect_not(preempts(of_saturn, jupiter), "it owns the place, too");
	controller_end(saturn, JOB_COMPLETE);
	controller_end(jupiter, JOB_COMPLETE);
	saturn = runs("saturn", 4, "n2");
	other = runs("mars", 4, "n1");
	cr_expect(preempts(of_jupiter, saturn), "there it owns nothing");
	cr_expect(preempts(of_jupiter, other));
	cr_expect(preempts(of_saturn, other));
}

Test(preempt, who_was_preempted_does_not_preempt_who_has_done_it)
{
	job_record_t *saturn, *jupiter, *another;

	begin(TWO_OWNERS);
	saturn = runs("saturn", 4, "n2");
	jupiter = SUBMIT(.account = "jupiter", .cpus = 4);
	another = SUBMIT(.account = "saturn", .cpus = 4);
	cr_expect_not(is_preempted_by(saturn, jupiter));
	take(jupiter, saturn);
	cr_expect(is_preempted_by(saturn, jupiter));
	cr_expect_not(is_preempted_by(another, jupiter), "the job, not its owner");
	cr_expect_not(is_preempted_by(jupiter, saturn));
	drive_turn();
	cr_expect(is_preempted_by(saturn, jupiter), "both are still there");
	cr_assert(controller_try(jupiter, true));
	controller_end(jupiter, JOB_COMPLETE);
	drive_turn();
	cr_expect_not(is_preempted_by(saturn, jupiter), "it has ended");
}

Test(preempt, what_slurm_cannot_do_is_said)
{
	drive_machine(FOUR_NODES, "", JUPITER);
	drive_start();
	cr_expect(drive_logged("FLAGS=OWNERPREEMPT has no effect"));
	EXPECT_NUMBER(drive_ask("diagnose-reservations", NULL), "/standing/0/instances", 1);
	cr_expect_gt(drive_length(drive_ask("diagnose-reservations", NULL), "/standing/0/lacks"),
		     0);
}

Test(preempt, what_is_taken_back_is_the_owners)
{
	job_record_t *victim, *owner, *rival, *second;

	begin(JUPITER);
	victim = runs("saturn", 4, "n1");
	runs("jupiter", 4, "n2");
	runs("jupiter", 4, "n3");
	runs("mars", 4, "n4");
	owner = SUBMIT(.account = "jupiter", .cpus = 4);
	rival = SUBMIT(.account = "saturn", .cpus = 4, .ago = HOUR);
	second = SUBMIT(.account = "jupiter", .cpus = 1);
	cr_expect_not(goes_first(owner, rival));
	cr_assert(preempts(owner, victim));
	take(owner, victim);
	cr_expect(goes_first(owner, rival));
	cr_expect_not(goes_first(rival, owner));
	cr_expect_not(controller_try(rival, true), "it is not for others");
	cr_expect_not(controller_try(victim, true));
	cr_expect(controller_try(second, true), "it is for the owner, whichever job it is");
	controller_end(second, JOB_COMPLETE);
	cr_expect(controller_try(owner, true));
	cr_expect_not(goes_first(owner, rival), "it has what it has claimed");
	controller_end(owner, JOB_COMPLETE);
	cr_expect(controller_try(rival, true), "and others come again");
}

/* Slurm asks for each pair of jobs that it sorts, without a lock. */
Test(preempt, each_of_several_that_wait_goes_first_until_it_has_begun)
{
	job_record_t *victims[3], *owners[3], *rival;
	static const char *const nodes[] = {"n1", "n2", "n3"};

	begin(JUPITER);
	for (size_t i = 0; i < 3; i++)
		victims[i] = runs("saturn", 4, nodes[i]);
	runs("mars", 4, "n4");
	rival = SUBMIT(.account = "saturn", .cpus = 4, .ago = HOUR);
	for (size_t i = 0; i < 3; i++)
		owners[i] = SUBMIT(.account = "jupiter", .cpus = 4);
	for (size_t i = 0; i < 3; i++)
		take(owners[i], victims[i]);
	for (size_t i = 0; i < 3; i++)
		cr_expect(goes_first(owners[i], rival), "owner %zu of three", i + 1);
	for (size_t begun = 0; begun < 3; begun++) {
		cr_assert(controller_try(owners[begun], true));
		for (size_t i = 0; i < 3; i++)
			cr_expect_eq(goes_first(owners[i], rival), i > begun,
				     "owner %zu after %zu have begun", i + 1, begun + 1);
	}
}

/* On n1, while the rest of the reservation, and n4, are in use: rival would get it. */
static void take_n1(job_record_t **ret_owner, job_record_t **ret_rival)
{
	job_record_t *victim;

	begin(JUPITER);
	victim = runs("saturn", 4, "n1");
	runs("jupiter", 4, "n2");
	runs("jupiter", 4, "n3");
	runs("mars", 4, "n4");
	*ret_owner = SUBMIT(.account = "jupiter", .cpus = 4);
	*ret_rival = SUBMIT(.account = "saturn", .cpus = 4, .ago = HOUR);
	take(*ret_owner, victim);
}

Test(preempt, a_claim_ends_with_patience_or_a_hold)
{
	job_record_t *owner, *rival;

	take_n1(&owner, &rival);
	cr_expect_not(controller_try(rival, true));
	drive_pass(10 * MINUTE);
	cr_expect(controller_try(rival, true), "it has waited long enough");
	take(owner, rival);
	cr_expect_not(controller_try(rival, true));
	owner->priority = 0;
	owner->direct_set_prio = 1; /* scontrol hold */
	cr_expect(controller_try(rival, true));
}

/* From 23.11 on a reconfigure is a new process; that saves no preempt_start_time. */
Test(preempt, a_claim_outlives_slurmctld)
{
	job_record_t *owner, *rival;

	take_n1(&owner, &rival);
	drive_pass(1);
	drive_stop();
	cr_assert(drive_has_file("maui/reclaims"));
	owner->details->preempt_start_time = 0;
	drive_start();
	cr_expect(goes_first(owner, rival));
	cr_expect_not(controller_try(rival, true), "it is not for others");
	cr_expect(controller_try(owner, true));
	controller_end(owner, JOB_COMPLETE);
	drive_stop();
	drive_start();
	cr_expect_not(goes_first(owner, rival), "it has had what it has claimed");
	cr_expect(controller_try(rival, true), "and others come again");
}

Test(preempt, a_claim_outlives_a_slurmctld_that_ends_at_once)
{
	job_record_t *owner, *rival;

	take_n1(&owner, &rival);
	drive_pass(1);
	drive_stop();
	owner->details->preempt_start_time = 0;
	for (int i = 0; i < 2; i++) {
		maui_engine_start();
		maui_engine_stop();
	}
	drive_start();
	cr_expect(goes_first(owner, rival));
}

Test(preempt, what_slurm_did_not_act_upon_is_not_kept)
{
	job_record_t *owner, *rival;

	take_n1(&owner, &rival);
	owner->details->preempt_start_time = 0;
	drive_pass(1);
	drive_stop();
	drive_start();
	cr_expect_not(goes_first(owner, rival));
	cr_expect(controller_try(rival, true));
}

Test(preempt, of_victims_the_lowest_by_processor_goes_first)
{
	job_record_t *low, *high;
	uint32_t of_low, of_high;

	begin(JUPITER "CREDWEIGHT 1\nACCOUNTWEIGHT 1\nQUEUETIMEWEIGHT 0\n"
		      "ACCOUNTCFG[mars] PRIORITY=4000\nACCOUNTCFG[saturn] PRIORITY=1000\n");
	low = runs("saturn", 1, "n1");
	high = runs("mars", 2, "n4");
	controller_lock_all();
	of_low = maui_engine_victim_order(low);
	of_high = maui_engine_victim_order(high);
	controller_unlock_all();
	cr_expect_eq(of_high - of_low, 4000 / 2 - 1000);
}
