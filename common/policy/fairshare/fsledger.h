/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What has been charged of each running job, so that every second of it is charged once: chapter
 * 6.3.2.1, D-FS-2 and D-FS-7.
 *
 * A pass reports every job that runs, is suspended or has ended since the pass before. The ledger
 * compares how long a job has run by then with what it has been charged, and charges the
 * difference. Suspended time is not run time, so it is charged to nobody.
 *
 *   maui_fsledger_begin(ledger, fs, now, elapsed);
 *   maui_fsledger_report(ledger, fs, &run, NULL);            for each job
 *   while ((job_id = maui_fsledger_missing(ledger, &at)))    those that ran, and were not reported
 *           maui_fsledger_ended(ledger, fs, job_id, end);    if it is known when they ended
 *   maui_fsledger_end(ledger);
 *
 * UTILIZEDPS counts what a run holds until its usage is known. Once everything is known that will
 * be, and if this ledger has charged the whole run, the charge for the measured parts is corrected.
 *
 * A new process learns from the windows' files how far each window has been counted
 * (maui_fsledger_resume()), and charges what Slurm still has of the time after that: for jobs
 * that kept running in the meantime, and for those that ended.
 *
 * Times are epoch seconds. Not thread-safe.
 */
#ifndef MAUI_POLICY_FSLEDGER_H
#define MAUI_POLICY_FSLEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/policy/fairshare/fairshare.h"

/*
 * What is known of one run of a job at one moment. A requeued job that starts again is another run.
 */
struct maui_run {
	uint32_t job_id;
	bool over;       /* it has ended, at `until` */
	bool paused;     /* it is suspended from `until` on */
	bool seen;       /* as it happened: `elapsed` and `step` are valid */
	int64_t start;   /* of the run */
	int64_t until;   /* it has run until then: now, its end, or when it was suspended */
	int64_t resumed; /* start of its last stretch without a pause; start if never suspended */
	int64_t seconds; /* its run time by `until`, without pauses */
	int64_t resized; /* since when `rate` holds; 0: from the start */
	double rate;     /* processors, or what FSPOLICY counts */
	/*
	 * For UTILIZEDPS, and a run that is over, once everything is known that will be: the
	 * processor-seconds that some of its parts were measured to use, and those that they held.
	 * 0, 0: nothing was measured, and what it held counts.
	 */
	double used, held;
	/* Of a run that was seen: what maui_fsledger_step() had and returned then. Of others
	 * the ledger uses those of the pass. */
	double elapsed;
	int64_t step;
	uint32_t credential[MAUI_CREDENTIALS]; /* who is charged for it */
};

struct maui_fsledger;

struct maui_fsledger *maui_fsledger_new(void);
struct maui_fsledger *maui_fsledger_free(struct maui_fsledger *ledger); /* accepts NULL */

/*
 * Forget all jobs. counted[k], by window k of fs: the window already includes usage up to that
 * time; INT64_MIN: none. last: the time by which the newest file was written, which may be that of
 * another window; INT64_MIN: the latest of counted[].
 * Without this, everything reported is charged. Only the first pass uses it.
 * MAUI_FS_NOT_KNOWN: what the first pass would charge is put off until maui_fsledger_learn(), and
 * the wall clock is believed, since the newest file may be the one that is not known.
 */
#define MAUI_FS_NOT_KNOWN INT64_MAX
void maui_fsledger_resume(struct maui_fsledger *ledger, const struct maui_fairshare *fs,
			  const int64_t *counted, int64_t last);

/*
 * At last it is known up to which time the window that begins at start includes usage: charge the
 * rest of what was put off.
 */
void maui_fsledger_learn(struct maui_fsledger *ledger, struct maui_fairshare *fs, int64_t start,
			 int64_t counted);

/*
 * FSPOLICY is another: rates of earlier reports are of the old one, and nothing more is charged by
 * them. A run that is reported again is charged by its new rate from the last pass on; one that is
 * not, since it was requeued or its record is gone, ends with the last pass.
 */
void maui_fsledger_forget_rates(struct maui_fsledger *ledger);

/*
 * How far the wall clock has been set forward since the pass before, or since the newest file was
 * written if there has been none. elapsed: seconds since then by a clock that nobody sets;
 * negative: unknown, and the wall clock is believed.
 */
int64_t maui_fsledger_step(const struct maui_fsledger *ledger, int64_t now, double elapsed);

/*
 * Begin a pass; elapsed as in maui_fsledger_step(). If the wall clock was set, jobs are charged for
 * the time that really elapsed, whatever clock their start and end are by. Rolls the windows by
 * maui_fairshare_advance(), and returns what that returns.
 */
uint32_t maui_fsledger_begin(struct maui_fsledger *ledger, struct maui_fairshare *fs, int64_t now,
			     double elapsed);

/*
 * What maui_fsledger_report() found that a later report would not show, or not
 * to the second: a pause, a resize, a run that ended. A caller that keeps files
 * should then write them soon.
 */
enum maui_fsledger_event {
	MAUI_FS_REGULAR,
	MAUI_FS_RUN_ENDED, /* known only while Slurm keeps its record: MinJobAge */
	MAUI_FS_IRREGULAR,
};

/*
 * O(1). A job may be reported several times, in the order in which things happened to it: no second
 * is charged twice. An end later than the pass is charged in the next one, which needs no report of
 * it. ret_seconds: how many were charged; NULL is accepted.
 */
enum maui_fsledger_event maui_fsledger_report(struct maui_fsledger *ledger,
					      struct maui_fairshare *fs, const struct maui_run *run,
					      int64_t *ret_seconds);

/*
 * The runs that were active in the last pass and have not been reported in this one: the job was
 * requeued, or its record is gone. *at is 0 before the first call. Returns its job id, 0 after the
 * last.
 */
uint32_t maui_fsledger_missing(const struct maui_fsledger *ledger, size_t *at);

/* Such a run ended at that time: charge the rest. */
void maui_fsledger_ended(struct maui_fsledger *ledger, struct maui_fairshare *fs, uint32_t job_id,
			 int64_t end);

/*
 * Forget runs that were not reported, those that are over some passes later: these may be reported
 * any number of times until then.
 */
void maui_fsledger_end(struct maui_fsledger *ledger);

/*
 * The latest end of runs that were reported as over although their end was
 * still to come, as the clock was ahead when they ended and has been set back;
 * INT64_MIN: there was none. They have been charged, and as long as the files
 * do not count up to that time, a new process might charge them again.
 */
int64_t maui_fsledger_latest(const struct maui_fsledger *ledger);

/*
 * The time up to which everything has been charged: that of the last pass; INT64_MIN before the
 * first.
 */
int64_t maui_fsledger_counted(const struct maui_fsledger *ledger);

#endif
