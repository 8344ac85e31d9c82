/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Policies, out of memory at every allocation: it is reported, and nothing leaks. */
#include <errno.h>
#include <stdlib.h>

#include "common/policy/fairshare/fairshare_file.h"
#include "common/policy/fairshare/idle.h"
#include "common/policy/fairshare/used_runs.h"
#include "common/policy/limits/limits.h"
#include "common/policy/nodes/nodealloc.h"
#include "common/policy/policy.h"
#include "common/policy/reservation/job_attributes.h"
#include "common/policy/reservation/sr_placing.h"
#include "common/policy/reservation/sr_unknown.h"
#include "testsuite/unit/policy/fixture.h"
#include "testsuite/unit/short_allocator.h"

/* Some of everything. Of a HOSTLIST only a range that finds no room is ignored, and said to be. */
static const char lines[] =
	"QUEUETIMEWEIGHT 1\nQUEUETIMEWEIGHT[p] 2\nUSERCFG[u] PRIORITY=5 MAXJOB=1 FSTARGET=5\n"
	"RESWEIGHT 1\nGRESWEIGHT[gpu] 3\nPEGRES[gpu] TRUE\nCLASSCFG[c] MAXGRES[gpu,USER]=4\n"
	"USERCFG[u] MAXGRES[gpu]=1,2 MAXIGRES[gpu:a]=7 MAXGS[license:x]=900\n"
	"NODECFG[DEFAULT] PRIORITYF='SPEED - LOAD'\nNODECFG[n0] SPEED=2 PRIORITYF=APROCS\n"
	"NODECFG[n1,n2] PRIORITY=3\nCLASSCFG[c] MAXJOB[USER]=1 MAXPROC[USER:v]=9\n"
	"QOSCFG[q] QFLAGS=PREEMPTEE OMAXJOB=4\nSYSCFG MAXPROC=99\n"
	"SRCFG[a] HOSTLIST=n0,n3$ USERLIST=u+,v- JOBATTRLIST=PREEMPTEE TIMELIMIT<=1:00\n"
	"SRCFG[b] TASKCOUNT=2 RESOURCES=PROCS:1,MEM:5 OWNER=USER:u TRIGGER=start+5;cancel\n"
	"FSPOLICY DEDICATEDGRES[gpu]\nFSINTERVAL 1:00:00\nFSDEPTH 3\n";

static struct maui_config *config;
static struct maui_sr_settings *reservations;
static const struct maui_sr *list;
static size_t list_size;

static uint32_t letter(void *context, enum maui_credential type, const char *name)
{
	return (uint32_t)name[0] - 'a' + 1;
}

static const struct maui_limit_names names = {letter, NULL};
static struct maui_limit_job job = {
	.procs = 2, .nodes = 1, .walltime = 60, .credential = {21, 7, 1, 17, 3}};

static void open_config(void)
{
	struct maui_error why = {""};

	setenv("TZ", "UTC", 1);
	config = config_from(lines);
	cr_assert_eq(maui_config_errors(config), 0);
	cr_assert_eq(maui_sr_settings_compile(config, &names, &reservations, &why), 0, "%s",
		     why.text);
	list_size = maui_sr_list(reservations, &list);
	cr_assert_eq(list_size, 2);
	cr_assert(list[0].usable && list[1].usable);
}

static void close_config(void)
{
	maui_sr_settings_free(reservations);
	maui_config_unref(config);
}

/* ---- what there is no half of ---- */

static int make_policy(void)
{
	struct maui_policy *policy;
	struct maui_error why;
	int rc = maui_policy_of_text("maui.cfg", lines, strlen(lines), NOW, &policy, &why);

	if (!rc)
		maui_policy_unref(policy);
	return rc;
}

static int make_limits(void)
{
	struct maui_limits *limits;
	int rc = maui_limits_compile(config, &names, 0, &limits, NULL);

	if (!rc)
		maui_limits_free(limits);
	return rc;
}

static int make_reservations(void)
{
	struct maui_sr_settings *settings;
	int rc = maui_sr_settings_compile(config, &names, &settings, NULL);

	if (!rc)
		maui_sr_settings_free(settings);
	return rc;
}

static int make_attributes(void)
{
	struct maui_job_attributes *attributes;
	int rc = maui_job_attributes_compile(config, &names, &attributes, NULL);

	if (!rc)
		maui_job_attributes_free(attributes);
	return rc;
}

static int make_plan(void)
{
	struct maui_sr_plan plan;
	int rc = maui_sr_plan_make(list, list_size, NULL, 0, NOW, &plan, NULL);

	if (!rc)
		maui_sr_plan_clear(&plan);
	return rc;
}

#define NODES 4
static const char *const node_names[NODES] = {"n0", "n1", "n2", "n3"};
static const struct maui_sr_node nodes[NODES] = {{.up = true, .procs = 4, .memory = 100},
						 {.up = true, .procs = 4, .memory = 100},
						 {.up = true, .procs = 4, .memory = 100},
						 {.up = true, .procs = 4, .memory = 100}};
static const bool passed[NODES];
static const uint32_t cores[NODES] = {4, 4, 4, 4};
static const struct maui_sr_hold holds[] = {{.node = 1, .start = NOW, .end = NOW + 9, .procs = 1}};
static const struct maui_sr_world world = {.now = NOW,
					   .count = NODES,
					   .nodes = nodes,
					   .names = node_names,
					   .passed = passed,
					   .cores = cores,
					   .holds = holds,
					   .hold_count = 1,
					   .existing_count = 1};

static int place(struct maui_sr_placing *placing)
{
	static const struct maui_sr_part part = {0, 2}; /* of two tasks, as sr 1 wants */
	static const struct maui_sr_there there = {NOW, NOW + 90, &part, 1};
	int rc = maui_sr_placing_see(placing, 0, &there, 1);

	for (uint32_t sr = 0; !rc && sr < 2; sr++) {
		const struct maui_sr_step step = {
			.action = sr ? MAUI_SR_KEEP : MAUI_SR_CREATE,
			.sr = sr,
			.existing = sr ? 0 : MAUI_SR_NO_INDEX,
			.window = {.from = NOW, .start = NOW, .end = NOW + 60}};
		struct maui_sr_placement placement;
		const uint32_t *each;
		struct maui_error why;

		rc = maui_sr_placing_step(placing, &step, &there, &placement, &each, &why);
		maui_sr_placement_clear(&placement);
	}
	return rc;
}

static int make_placing(void)
{
	static const struct maui_sr_ranker any = {NULL, NULL};
	struct maui_sr_placing *placing = maui_sr_placing_new(&world, list, list_size, &any);
	int rc = placing ? place(placing) : -ENOMEM;

	maui_sr_placing_free(placing);
	return rc;
}

static void ignore(void *context, const struct maui_origin *origin, const char *text)
{
}

static int look_for_unknown(void)
{
	struct maui_node_names *there = maui_node_names_new(node_names, NODES);
	const struct maui_sr_machine machine = {.nodes = there};
	int rc = there ? maui_sr_unknown(config, &list[0], &machine, ignore, NULL) : -ENOMEM;

	maui_node_names_free(there);
	return rc;
}

static int make_idle(void)
{
	static const double weight[NODES] = {1, 1, 1, 1};
	static const struct maui_idle_range range = {0, NODES};
	static const struct maui_idle_hold hold = {{MAUI_ACCOUNT, 1}, NOW, NOW + 90, &range, 1};
	struct maui_idle *idle = maui_idle_new();
	int rc = idle ? maui_idle_layout(idle, NOW, weight, NODES, &hold, 1) : -ENOMEM;

	if (idle && rc) { /* it goes on without any slot */
		maui_idle_begin(idle, 7, &range, 1, NOW);
		cr_expect_eq(maui_idle_rate(idle), 0);
		maui_idle_end(idle, 7, NOW + 1);
	}
	maui_idle_free(idle);
	return rc;
}

static int make_workspace(void)
{
	struct maui_nodealloc_workspace *workspace = maui_nodealloc_workspace_new(NODES, true);

	maui_nodealloc_workspace_free(workspace);
	return workspace ? 0 : -ENOMEM;
}

static const char *name_of(void *context, enum maui_credential type, uint32_t id)
{
	return "somebody";
}

static int write_windows(const struct maui_fairshare *fs)
{
	static const struct maui_fairshare_output output = {.starting = "", .name = name_of};
	char *text;
	size_t size;
	int rc = maui_fairshare_file_write(fs, 0, &output, &text, &size, NULL);

	if (!rc)
		free(text);
	return rc;
}

static int make_windows(void)
{
	static const uint32_t who[MAUI_CREDENTIALS] = {40, 1, 1, 1, 1};
	struct maui_fairshare_settings settings;
	struct maui_fairshare *fs, *copy = NULL;
	int rc;

	maui_fairshare_settings(config, &settings);
	fs = maui_fairshare_new(&settings, NOW);
	rc = fs ? 0 : -ENOMEM;
	for (int type = 0; !rc && type < MAUI_CREDENTIALS; type++)
		rc = maui_fairshare_reserve(fs, type, who[type]);
	if (!rc) {
		maui_fairshare_charge(fs, who, 1, NOW, NOW + 60);
		copy = maui_fairshare_copy(fs);
		rc = copy ? write_windows(copy) : -ENOMEM;
	}
	maui_fairshare_free(fs);
	maui_fairshare_free(copy);
	return rc;
}

static const struct {
	const char *name;
	int (*make)(void); /* 0 or -ENOMEM; leaves nothing */
} makers[] = {
	{"a policy", make_policy},
	{"limits", make_limits},
	{"reservations", make_reservations},
	{"attributes of jobs", make_attributes},
	{"a plan", make_plan},
	{"a roll", make_placing},
	{"what there is not", look_for_unknown},
	{"what is idle", make_idle},
	{"room for an order", make_workspace},
	{"windows", make_windows},
};

Test(policy_memory, a_shortage_anywhere_is_an_error, .init = open_config, .fini = close_config)
{
	for (size_t i = 0; i < sizeof(makers) / sizeof(*makers); i++) {
		size_t total;

		shortage_begin(0, false);
		cr_assert_eq(makers[i].make(), 0, "%s", makers[i].name);
		total = shortage_end();
		cr_expect_geq(total, 2, "%s: %zu", makers[i].name, total);
		for (size_t at = 1; at <= 2 * total; at++) {
			shortage_begin(at > total ? at - total : at, at > total);
			cr_expect_eq(makers[i].make(), -ENOMEM, "%s: %zu of %zu", makers[i].name,
				     at, total);
			shortage_end();
		}
	}
}

/* ---- usage by limits: on failure nothing has changed ---- */

static int use(const struct maui_limits *limits, struct maui_limit_usage *usage,
	       struct maui_limit_holding *holding)
{
	struct maui_limit_candidate waiting = {.job = job, .exempt = true};
	const struct maui_limit_holding *one = holding;
	struct maui_arena *verdicts = NULL; /* nobody is blocked */
	struct maui_limit_usage *copy;
	int rc = maui_limit_usage_add(usage, holding, &job, NOW + 60);

	if (rc)
		return rc;
	rc = maui_limit_usage_recount(usage, &one, 1, NULL);
	copy = maui_limit_usage_copy(usage);
	if (!rc && !copy)
		rc = -ENOMEM;
	if (!rc)
		rc = maui_limits_select(limits, copy, &waiting, 1, verdicts);
	if (!rc)
		rc = maui_limit_usage_set_idle(usage, copy);
	maui_limit_usage_free(copy);
	maui_limit_usage_take(usage, holding);
	return rc;
}

Test(policy_memory, usage_that_finds_no_room_is_not_counted, .init = open_config,
     .fini = close_config)
{
	static const struct maui_gres_amounts one_gpu = {1, {1}};
	struct maui_gres_table *table = maui_gres_table_new();
	struct maui_limits *limits;
	size_t at = 0;
	int rc;

	job.gres = maui_gres_intern(table, &one_gpu);
	cr_assert_eq(maui_limits_compile(config, &names, 0, &limits, NULL), 0);
	do {
		struct maui_limit_usage *usage = maui_limit_usage_new(limits, NOW);
		struct maui_limit_holding holding;

		cr_assert_not_null(usage);
		shortage_begin(++at, true);
		rc = use(limits, usage, &holding);
		shortage_end();
		cr_expect_eq(maui_limit_usage_recount(usage, NULL, 0, NULL), 0, "%zu", at);
		cr_expect_eq(use(limits, usage, &holding), 0, "%zu", at);
		maui_limit_usage_free(usage);
		cr_assert(!rc || rc == -ENOMEM, "%zu: %d", at, rc);
	} while (rc);
	cr_expect_gt(at, 5, "%zu", at);
	maui_limits_free(limits);
	job.gres = NULL;
	maui_gres_table_unref(table);
}

/* Who asks for a GRES is not taken for one who asks for none. */
Test(policy_memory, amounts_that_find_no_room_are_over_every_limit)
{
	static const struct maui_gres_amounts two = {1, {2}};
	struct maui_config *gpus = config_from("USERCFG[u] MAXGRES[gpu]=4\n");
	struct maui_gres_table *table = maui_gres_table_new();
	struct maui_limit_job asks = job;
	struct maui_limit_holding holding;
	struct maui_limit_usage *usage;
	struct maui_limits *limits;

	cr_assert_eq(maui_limits_compile(gpus, &names, 0, &limits, NULL), 0);
	usage = maui_limit_usage_new(limits, NOW);
	cr_assert(table && usage);
	shortage_begin(1, false);
	cr_expect_null(maui_gres_table_new());
	asks.gres = maui_gres_intern(table, &two);
	shortage_end();
	cr_expect_eq(asks.gres, &maui_gres_most);
	cr_expect(maui_limits_check(limits, usage, &asks, MAUI_LIMIT_HARD, MAUI_LIMIT_ALL_MODES,
				    NULL));
	/* one that has started already takes all, until its record is read again */
	cr_assert_eq(maui_limit_usage_add(usage, &holding, &asks, NOW + 60), 0);
	asks.gres = maui_gres_intern(table, &two);
	cr_expect_eq(asks.gres->amounts.amount[0], 2);
	cr_expect(maui_limits_check(limits, usage, &asks, MAUI_LIMIT_HARD, MAUI_LIMIT_ALL_MODES,
				    NULL));
	cr_expect_not(maui_limit_job_same(&holding.job, &asks));
	maui_limit_usage_take(usage, &holding);
	cr_expect_not(maui_limits_check(limits, usage, &asks, MAUI_LIMIT_HARD, MAUI_LIMIT_ALL_MODES,
					NULL));
	cr_expect_eq(maui_limit_usage_recount(usage, NULL, 0, NULL), 0);
	maui_limit_usage_free(usage);
	maui_limits_free(limits);
	maui_gres_table_unref(table);
	maui_config_unref(gpus);
}

/* A step that finds no room counts as having used what it held: there is no run to correct. */
Test(policy_memory, a_step_that_finds_no_room_corrects_no_run)
{
	struct maui_used_runs used = {0};
	struct maui_run run = {.job_id = 7, .start = NOW};

	for (size_t at = 1; at <= 2; at++) {
		shortage_begin(at, true);
		maui_used_runs_add(&used, 7, NOW, 1, 2);
		shortage_end();
		cr_expect_eq(used.count, 0, "%zu", at);
	}
	maui_used_runs_clear(&used);
	shortage_begin(1, false);
	maui_used_runs_end(&used, &run, 1);
	shortage_end();
	cr_expect_eq(used.count, 0);
	maui_used_runs_add(&used, 7, NOW, 1, 2);
	cr_expect_eq(used.count, 1);
	maui_used_runs_clear(&used);
}
