/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that are alike are looked at together; the schedule is that of looking at each: D-RPL-4. */
#include "testsuite/unit/replay/random_fixture.h"

#include "common/policy/policy.h"
#include "common/replay/site/site.h"

#define PROCS 32
#define TURNS "RMPOLLINTERVAL 30\n"
#define WAITS TURNS "SERVWEIGHT 1\nQUEUETIMEWEIGHT 10\n"
#define SHARE                                                                                      \
	"FSPOLICY DEDICATEDPS\nFSINTERVAL 1:00:00\nFSDEPTH 4\nFSDECAY 0.7\nFSWEIGHT 1\n"           \
	"FSUSERWEIGHT 50\nUSERCFG[DEFAULT] FSTARGET=20\n"

static const char *const configs[] = {
	"",
	WAITS,
	WAITS "XFACTORWEIGHT 100\n",
	WAITS "BYPASSWEIGHT 7\n",
	WAITS "RESWEIGHT 1\nPROCWEIGHT 20\nWALLTIMEWEIGHT -1\n",
	WAITS "QUEUETIMECAP 5\nCREDWEIGHT 1\nUSERWEIGHT 1\nUSERCFG[a] PRIORITY=40\n",
	TURNS "SERVWEIGHT 1\nQUEUETIMEWEIGHT -1\n",
	WAITS "TARGETWEIGHT 1\nTARGETQUEUETIMEWEIGHT 1\nQOSCFG[DEFAULT] QTTARGET=1000\n",
	WAITS SHARE,
	WAITS SHARE "USERCFG[a] MAXJOB=2\n",
	WAITS "USERCFG[DEFAULT] MAXJOB=1 MAXPROC=12\nCLASSCFG[c] MAXJOB=2\n",
	WAITS "USERCFG[DEFAULT] MAXJOB=1\nJOBPRIOACCRUALPOLICY ALWAYS\n",
	WAITS "USERCFG[DEFAULT] MAXJOB=1\nJOBPRIOACCRUALPOLICY FULLPOLICY\n",
	WAITS "USERCFG[DEFAULT] MAXJOB=1,3 MAXIJOB=4\n",
	WAITS "USERCFG[DEFAULT] MAXPS=9000\n",
	WAITS SHARE "USERCFG[b] FSTARGET=30%\n",
	WAITS SHARE "ENABLENEGJOBPRIORITY TRUE\nREJECTNEGPRIOJOBS TRUE\n"
		    "CREDWEIGHT 1\nUSERWEIGHT 1\nUSERCFG[c] PRIORITY=-9\n",
};

struct outcome {
	struct maui_replay_schedule schedule;
	struct maui_replay_counts counts;
};

static void run(const struct maui_replay_trace *trace, struct maui_replay_site *site, bool apart,
		struct outcome *ret_outcome)
{
	struct maui_error error = {""};

	site->apart = apart;
	cr_assert_eq(maui_replay_site_run(trace, site, &ret_outcome->schedule, &ret_outcome->counts,
					  &error),
		     0, "%s", error.text);
}

static void compare(const struct maui_replay_trace *trace, struct maui_replay_site *site,
		    const char *config, uint64_t seed)
{
	struct outcome together, apart;

	run(trace, site, false, &together);
	run(trace, site, true, &apart);
	for (size_t i = 0; i < trace->count; i++)
		cr_assert(together.schedule.started[i] == apart.schedule.started[i] &&
				  together.schedule.backfilled[i] == apart.schedule.backfilled[i],
			  "seed %" PRIu64 ", job %zu: %" PRId64 ", apart %" PRId64 "\n%s", seed,
			  i + 1, together.schedule.started[i], apart.schedule.started[i], config);
	cr_expect(together.counts.held == apart.counts.held &&
			  together.counts.iterations == apart.counts.iterations,
		  "seed %" PRIu64 ": %zu held, apart %zu\n%s", seed, together.counts.held,
		  apart.counts.held, config);
	maui_replay_schedule_clear(&together.schedule);
	maui_replay_schedule_clear(&apart.schedule);
}

Test(replay_kinds, make_no_difference)
{
	for (uint64_t seed = 1; seed <= 8; seed++) {
		struct maui_replay_trace *trace = replay_random_trace(seed, PROCS, 60);

		for (size_t i = 0; i < sizeof(configs) / sizeof(configs[0]); i++) {
			struct maui_replay_site site =
				replay_site(configs[i], configs[i], "", PROCS);

			if (seed % 2) /* the schedulers see a part of the queue */
				site.parameters.queue_depth = site.parameters.max_job_test = 9;
			compare(trace, &site, configs[i], seed);
			maui_policy_unref(site.policy);
		}
		maui_replay_trace_free(trace);
	}
}
