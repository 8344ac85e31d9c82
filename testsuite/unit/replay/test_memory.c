/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Out of memory anywhere: an error, and nothing is leaked or half done. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "common/policy/policy.h"
#include "common/replay/measures.h"
#include "common/replay/site.h"
#include "common/replay/sacct.h"
#include "common/replay/swf.h"
#include "common/replay/jitter.h"
#include "common/replay/shares.h"
#include "testsuite/unit/short_allocator.h"

static void bad_line(void *context, uint32_t line, uint32_t column, const char *text)
{
	(void)context;
	cr_assert(false, "%u:%u: %s", line, column, text);
}

static const char swf[] = "; MaxProcs: 10\n"
			  "1 20 0 50 9 -1 -1 9 60 -1 1 1 1 1 1 1 1 1\n"
			  "2 10 0 50 4 -1 -1 4 60 -1 1 2 1 1 1 1 1 1\n"
			  "3 21 0 5 4 -1 -1 4 60 -1 1 3 1 1 1 1 1 1\n";

static const char sacct[] =
	"JobID|Submit|Start|End|AllocCPUS|User|Account|QOS|ReqTRES|Constraints\n"
	"7|100|105|165|4|bob|physics|low|cpu=4,gres/gpu=2|a\n";

static int read_trace(struct maui_replay_trace **trace)
{
	struct maui_replay_complaints complaints = {bad_line, NULL};
	int rc;

	*trace = maui_replay_trace_new();
	if (!*trace)
		return -ENOMEM;
	rc = maui_replay_swf_read(*trace, swf, strlen(swf), &complaints);
	if (!rc)
		rc = maui_replay_sacct_read(*trace, sacct, strlen(sacct), &complaints);
	return rc ? rc : maui_replay_trace_finish(*trace, 10);
}

static int run(const struct maui_replay_trace *trace, enum maui_replay_preset preset)
{
	struct maui_replay_schedule schedule;
	struct maui_replay_measures measures;
	struct maui_replay_nearness near;
	int rc = maui_replay_preset_run(trace, 10, preset, false, &schedule);

	if (!rc)
		rc = maui_replay_measure(trace, schedule.started, schedule.backfilled, 10,
					 &measures);
	if (!rc)
		rc = maui_replay_compare(trace, &schedule, &near);
	maui_replay_schedule_clear(&schedule);
	return rc;
}

/* Limits, caps, lists and windows, and somebody who is blocked. */
static const char config[] =
	"RMPOLLINTERVAL 1\nFSPOLICY DEDICATEDPS\nFSINTERVAL 100\nFSDEPTH 2\nFSWEIGHT 1\n"
	"FSUSERWEIGHT 1\nUSERCFG[1] FSTARGET=10+ MAXJOB=1 MAXGRES[gpu]=2\nUSERCFG[2] MAXPROC=3 "
	"QDEF=low\n"
	"USERCFG[nobody] MAXJOB=7\nCLASSCFG[1] MAXIJOB=1\nQOSCFG[low] PRIORITY=3\n";

static int run_site(const struct maui_replay_trace *trace)
{
	struct maui_replay_site site = {.parameters = maui_replay_default_parameters, .procs = 10};
	struct maui_replay_schedule schedule = {0};
	struct maui_replay_shares shares = {0};
	struct maui_replay_counts counts;
	int rc = maui_policy_of_text("maui.cfg", config, strlen(config), 0, &site.policy, NULL);

	if (!rc)
		rc = maui_replay_site_run(trace, &site, &schedule, &counts, NULL);
	if (!rc)
		rc = maui_replay_shares(trace, &site, schedule.started, &shares);
	maui_replay_shares_clear(&shares);
	maui_replay_schedule_clear(&schedule);
	maui_policy_unref(site.policy);
	return rc;
}

/* Nodes, GRES and partitions, and jobs that wait for them. */
static int read_nodes(struct maui_replay_nodes *nodes)
{
	struct maui_replay_partition *partition;
	int rc = maui_replay_nodes_read(nodes, "n[1-2]=5:64+a+gres/gpu=2", NULL);

	if (rc)
		return rc;
	partition = maui_replay_nodes_partition(nodes, "1");
	if (!partition)
		return -ENOMEM;
	maui_replay_put(partition->members, 0);
	maui_replay_put(partition->members, 1);
	return 0;
}

/* Whole nodes, and a part of one. */
static const char reservations[] =
	"USERCFG[1] MAXGRES[gpu]=2\nSRCFG[x] HOSTLIST=n1 PERIOD=DAY STARTTIME=00:10:00 USERLIST=1\n"
	"SRCFG[y] TASKCOUNT=1 RESOURCES=PROCS:1 PERIOD=INFINITY USERLIST=2-\nQOSCFG[low] "
	"QFLAGS=PREEMPTEE\n";

static const char maintenance[] = "NodeName|TimeStart|TimeEnd|Name\nn2|100|200|pm\nn1|0|9|\n";

static int run_nodes(struct maui_replay_trace *trace)
{
	struct maui_replay_site site = {.parameters = maui_replay_default_parameters, .procs = 10};
	struct maui_replay_nodes *nodes = maui_replay_nodes_new();
	struct maui_replay_requests *requests = NULL;
	struct maui_replay_schedule schedule = {0};
	struct maui_replay_outages outages = {0};
	struct maui_replay_counts counts;
	int rc = nodes ? read_nodes(nodes) : -ENOMEM;

	if (!rc)
		rc = maui_replay_outages_read(&outages, nodes, maintenance, strlen(maintenance),
					      NULL);
	if (!rc) {
		requests = maui_replay_requests_new(trace, nodes);
		rc = requests ? maui_policy_of_text("maui.cfg", reservations, strlen(reservations),
						    0, &site.policy, NULL)
			      : -ENOMEM;
	}
	site.requests = requests;
	site.outages = &outages;
	if (!rc)
		rc = maui_replay_site_run(trace, &site, &schedule, &counts, NULL);
	maui_replay_schedule_clear(&schedule);
	maui_policy_unref(site.policy);
	maui_replay_outages_clear(&outages);
	maui_replay_requests_free(requests);
	maui_replay_nodes_free(nodes);
	return rc;
}

static int run_groups(const struct maui_replay_trace *trace)
{
	int rc = 0;

	for (int by = 0; !rc && by < MAUI_REPLAY_BYS; by++) {
		struct maui_replay_grouping grouping;

		rc = maui_replay_grouping_by(trace, (enum maui_replay_by)by, &grouping);
		maui_replay_grouping_clear(&grouping);
	}
	return rc;
}

static int run_shaken(const struct maui_replay_trace *trace)
{
	struct maui_replay_trace shaken;
	int rc = maui_replay_shake(trace, 1, 1, 10, &shaken);

	maui_replay_shaken_clear(&shaken);
	return rc;
}

static int everything(void)
{
	struct maui_replay_trace *trace;
	int rc = read_trace(&trace);

	for (int preset = MAUI_REPLAY_FCFS; !rc && preset <= MAUI_REPLAY_SJBF; preset++)
		rc = run(trace, (enum maui_replay_preset)preset);
	if (!rc)
		rc = run_site(trace);
	if (!rc)
		rc = run_groups(trace);
	if (!rc)
		rc = run_shaken(trace);
	if (!rc)
		rc = run_nodes(trace);
	maui_replay_trace_free(trace);
	return rc;
}

Test(replay_memory, a_shortage_anywhere_is_an_error)
{
	for (int once = 0; once < 2; once++) {
		size_t total;

		shortage_begin(0, false);
		cr_assert_eq(everything(), 0);
		total = shortage_end();
		cr_assert_gt(total, 20);
		for (size_t at = 1; at <= total; at++) {
			int rc;

			shortage_begin(at, once);
			rc = everything();
			shortage_end();
			cr_assert_eq(rc, -ENOMEM, "allocation %zu of %zu", at, total);
		}
	}
}
