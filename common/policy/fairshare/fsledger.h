/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What has been charged of each running job, so that every second of it is charged once: chapter
 * 6.3.2.1, D-FS-2 and D-FS-7.
 *
 * A pass reports every job that runs, is suspended or has ended since the pass before. The ledger
 * compares what a job has run by then with what it has been charged, and charges the difference.
 * Suspended time is no run time, so it is charged to nobody.
 *
 *   maui_fsledger_begin(ledger, fs, now, elapsed);
 *   maui_fsledger_report(ledger, fs, &run);                  for each job
 *   while ((job_id = maui_fsledger_missing(ledger, &at)))    those that ran, and were not reported
 *           maui_fsledger_ended(ledger, fs, job_id, end);    if it is known when they ended
 *   maui_fsledger_end(ledger);
 *
 * UTILIZEDPS counts what a run holds as long as what it uses is not known. When all is known that
 * will be, and this ledger has charged the whole of the run, what was charged for the parts that
 * were measured is corrected.
 *
 * A process that begins anew knows from the windows' files how far each window has been counted
 * (maui_fsledger_resume()), and charges what Slurm still knows of the time after that: of jobs that
 * went on running without it, and of those that ended meanwhile.
 *
 * Times are epoch seconds. Not for several threads at once.
 */
#ifndef MAUI_POLICY_FSLEDGER_H
#define MAUI_POLICY_FSLEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/policy/fairshare/fairshare.h"

/* What is known of one run of a job at one moment. A requeued job that starts again is another
 * run. */
struct maui_run {
	uint32_t job_id;
	bool over;     /* it has ended, at `until` */
	int64_t start; /* of the run */
	int64_t until; /* it has run until then: now, its end, or since when it is suspended */
	int64_t resumed; /* begin of its last stretch without a pause; start, if it was never suspended */
	int64_t seconds; /* that it has run in all by `until`, pauses left out */
	int64_t resized; /* since when `rate` holds; 0: from the start */
	double rate;     /* processors, or what FSPOLICY counts */
	/* UTILIZEDPS, of a run that is over, when all that will be known is known:
	 * processor-seconds that parts of it were measured to use, and those that these parts held.
	 * 0, 0: nothing was measured, and what it held counts. */
	double used, held;
	uint32_t credential[MAUI_CREDENTIALS]; /* that are charged for it */
};

struct maui_fsledger;

struct maui_fsledger *maui_fsledger_new(void); /* NULL when memory is short */
struct maui_fsledger *maui_fsledger_free(struct maui_fsledger *ledger); /* accepts NULL */

/*
 * Forget all jobs. counted[k], by window k of fs: usage up to that time is in the window already;
 * INT64_MIN: none is. Without this everything is charged that is reported. Only
 * the first pass looks at it.
 */
void maui_fsledger_resume(struct maui_fsledger *ledger, const struct maui_fairshare *fs,
			  const int64_t *counted);

/*
 * A pass. elapsed: seconds since the pass before by a clock that nobody sets; negative: unknown.
 * Where the wall clock has moved by more or less it was set, and jobs are charged what has really
 * elapsed. Rolls the windows, maui_fairshare_advance(); returns what that returns.
 */
uint32_t maui_fsledger_begin(struct maui_fsledger *ledger, struct maui_fairshare *fs, int64_t now,
			     double elapsed);

/*
 * What maui_fsledger_report() met that a later report would not show, or not to the second: a
 * pause, another size, a run that ended. Whoever keeps files should not wait long with them then.
 */
enum maui_fsledger_event {
	MAUI_FS_REGULAR,
	MAUI_FS_RUN_ENDED, /* known as long as Slurm keeps its record: MinJobAge */
	MAUI_FS_IRREGULAR,
};

/* O(1). A job may be reported twice, nothing is charged for it the second time. An end that is
 * later than the pass is charged in the next one, which needs no report of it. When memory is short
 * a run that is not known yet is charged later, while it is still reported. */
enum maui_fsledger_event maui_fsledger_report(struct maui_fsledger *ledger,
					      struct maui_fairshare *fs,
					      const struct maui_run *run);

/*
 * The runs that were going on at the last pass and have not been reported in this one: the job was
 * requeued, or its record is gone. *at is 0 before the first call. Returns its job id, 0 behind the
 * last.
 */
uint32_t maui_fsledger_missing(const struct maui_fsledger *ledger, size_t *at);

/* Such a run ended at that time: it is charged the rest. */
void maui_fsledger_ended(struct maui_fsledger *ledger, struct maui_fairshare *fs, uint32_t job_id,
			 int64_t end);

/* Runs that were not reported are forgotten. One that is over may be reported again and again
 * meanwhile. */
void maui_fsledger_end(struct maui_fsledger *ledger);

/* Until when everything has been charged: the time of the last pass; INT64_MIN before the first. */
int64_t maui_fsledger_counted(const struct maui_fsledger *ledger);

/* The runs that it knows of. */
size_t maui_fsledger_count(const struct maui_fsledger *ledger);

#endif
