/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reservations of ours that an administrator changes by hand, and those that he makes by our names. */
#include "testsuite/unit/engine/reservations_fixture.h"

#include "src/common/node_conf.h"

TestSuite(rsv_changes, .init = drive_init, .fini = drive_fini);

#define VAULT FIRST "SRCFG[vault] HOSTLIST=n1 PERIOD=INFINITY USERLIST=bin\n"
#define OTHER FIRST "SRCFG[other] HOSTLIST=n2 PERIOD=INFINITY USERLIST=bin\n"

static slurmctld_resv_t *vault(void)
{
	return controller_find_reservation("vault.inf");
}

static const char *users, *accounts, *nodes;
static uint64_t flags_set, flags_cleared;
static uint32_t delay;

/* What scontrol update does to a record. */
static void change(void)
{
	slurmctld_resv_t *one = vault();

	cr_assert_not_null(one);
	if (users) {
		xfree(one->users);
		one->users = xstrdup(users);
	}
	if (accounts)
		one->accounts = xstrdup(accounts);
	if (nodes)
		controller_nodes(nodes, &one->node_bitmap);
	one->flags = (one->flags | flags_set) & ~flags_cleared;
	if (flags_cleared & RESERVE_FLAG_PURGE_COMP)
		one->purge_comp_time = 300;
	if (delay)
		one->max_start_delay = delay;
	last_resv_update = time(NULL);
}

static void expect_as_made(const char *what)
{
	const slurmctld_resv_t *one = vault();

	cr_assert_not_null(one, "%s", what);
	cr_expect_str_eq(one->users, "root", "%s", what);
	cr_expect_null(one->accounts, "%s", what);
	cr_expect_str_eq(one->node_list, "n1", "%s", what);
	cr_expect_eq(one->max_start_delay, OPEN, "%s", what);
	cr_expect_eq(one->flags & ~(uint64_t)RESERVE_FLAG_SPEC_NODES,
		     RESERVE_FLAG_IGN_JOBS | RESERVE_FLAG_OVERLAP | RESERVE_FLAG_NO_HOLD_JOBS, "%s",
		     what);
}

Test(rsv_changes, are_put_back)
{
	static const struct {
		const char *what, *users, *accounts, *nodes;
		uint64_t set, cleared;
		uint32_t delay;
	} cases[] = {
		{"users", .users = "root,sys"},
		{"other users", .users = "sys"},
		{"accounts", .accounts = "mars"},
		{"nodes", .nodes = "n3"},
		{"both", .nodes = "n3", .users = "sys"},
		{"maint", .set = RESERVE_FLAG_MAINT},
		{"purge", .set = RESERVE_FLAG_PURGE_COMP},
		{"no purge", .cleared = RESERVE_FLAG_PURGE_COMP},
		{"no purge, and users", .cleared = RESERVE_FLAG_PURGE_COMP, .users = "sys"},
		{"jobs", .cleared = RESERVE_FLAG_IGN_JOBS},
		{"what Slurm never clears", .set = RESERVE_FLAG_REPLACE},
		{"delay", .delay = 60},
	};
	job_record_t *outsider, *insider;

	drive_begin(FOUR_NODES, VAULT);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		users = cases[i].users;
		accounts = cases[i].accounts;
		nodes = cases[i].nodes;
		flags_set = cases[i].set;
		flags_cleared = cases[i].cleared;
		delay = cases[i].delay;
		drive_pass(2);
		change();
		outsider = SUBMIT(.user = "sys", .on = "n1");
		outsider->warn_flags |= KILL_JOB_RESV; /* --signal=R:10@60 */
		outsider->warn_time = 60;
		cr_expect_not(controller_try(outsider, true), "%s", cases[i].what);
		drive_pass(1);
		drive_turn();
		expect_as_made(cases[i].what);
		cr_expect_not(controller_try(outsider, true), "%s", cases[i].what);
		insider = SUBMIT(.user = "bin", .on = "n1");
		cr_expect(controller_try(insider, true), "%s", cases[i].what);
		controller_end(insider, JOB_COMPLETE);
		cr_expect_eq(controller_reservation_count(), 1);
	}
}

/* Each roll that finds ours as we have made it leaves it alone. */
Test(rsv_changes, what_nobody_has_changed_is_not_touched)
{
	drive_begin(FOUR_NODES, VAULT
		    "SRCFG[part] TASKCOUNT=1 RESOURCES=PROCS:3 PERIOD=INFINITY USERLIST=bin\n");
	for (int i = 0; i < 5; i++)
		drive_pass(2 * MINUTE);
	cr_expect_eq(controller_counts.created, 2);
	cr_expect_eq(controller_counts.updated, 0);
	cr_expect_eq(controller_counts.deleted, 0);
}

Test(rsv_changes, one_that_is_no_longer_wanted_goes_whatever_it_has_become)
{
	drive_begin(FOUR_NODES, VAULT);
	users = "root,sys";
	change();
	drive_reconfigure(OTHER);
	expect_none("vault.inf");
	drive_reconfigure(VAULT);
	drive_turn();
	change();
	drive_stop();
	drive_write_file("maui.cfg", OTHER);
	drive_start();
	expect_none("vault.inf");
}

/* ---- made by hand ---- */

static void expect_conflict(void)
{
	job_record_t *outsider = SUBMIT(.user = "sys", .on = "n1");
	job_record_t *with_pass = SUBMIT(.user = "sys", .on = "n1");

	with_pass->warn_flags |= KILL_JOB_RESV;
	with_pass->warn_time = 60;
	cr_expect_not(controller_try(outsider, true));
	cr_expect_not(controller_try(with_pass, true));
	cr_expect_str_eq(vault()->users, "sys", "it is left alone");
	cr_expect_str_eq(vault()->node_list, "n4", "it is left alone");
	EXPECT_TEXT(drive_ask("diagnose-reservations", NULL), "/reservations/0/name", "vault.inf");
	cr_expect(drive_logged("scontrol delete reservation=vault.inf makes way"));
}

Test(rsv_changes, one_of_our_names_is_left_alone_and_keeps_ours_from_nothing)
{
	drive_begin(FOUR_NODES, FIRST);
	controller_reservation("vault.inf", "n4", NOW, NOW + DAY, "sys");
	drive_reconfigure(VAULT);
	expect_conflict();
	drive_pass(2 * MINUTE);
	expect_conflict();
	drive_stop();
	drive_start();
	expect_conflict();
	cr_expect_eq(controller_counts.created + controller_counts.updated +
			     controller_counts.deleted,
		     0, "Slurm is asked for nothing");
	list_delete_ptr(resv_list, vault());
	last_resv_update = time(NULL);
	drive_turn();
	expect_as_made("the name is free");
	cr_expect(controller_try(SUBMIT(.user = "bin", .on = "n1"), true));
}

Test(rsv_changes, one_of_our_names_may_take_its_place)
{
	drive_begin(FOUR_NODES, VAULT);
	drive_pass(2);
	list_delete_ptr(resv_list, vault());
	controller_reservation("vault.inf", "n4", NOW, NOW + DAY, "sys");
	drive_pass(1);
	drive_turn();
	expect_conflict();
	drive_reconfigure(OTHER);
	cr_expect_str_eq(vault()->node_list, "n4", "it is not ours to remove");
	cr_expect(controller_try(SUBMIT(.user = "sys", .on = "n1"), true), "nothing keeps n1");
	drive_reconfigure(VAULT);
	cr_expect_str_eq(vault()->node_list, "n4");
}

/* ---- what Slurm refuses ---- */

Test(rsv_changes, a_creation_that_fails_is_tried_at_growing_intervals)
{
	uint32_t tries = 0;

	drive_begin(FOUR_NODES, FIRST);
	controller_reservation_error = ESLURM_ACCESS_DENIED;
	controller_counts.refused = 0;
	drive_reconfigure(VAULT);
	for (int seconds = 0; seconds < 600; seconds++)
		drive_pass(1);
	tries = controller_counts.refused;
	cr_expect(tries >= 8 && tries <= 16, "%u tries in ten minutes", tries);
	cr_expect_not(controller_try(SUBMIT(.user = "sys", .on = "n1"), true),
		      "its nodes are kept");
	controller_reservation_error = SLURM_SUCCESS;
	drive_pass(64);
	expect_as_made("once Slurm lets us");
}
