/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maui's fairshare: who used how much recently, and what follows from it.
 * Chapter 6.3 of the manual; D-FS-2 to D-FS-7 and D-FS-11.
 *
 * Time is cut into windows of FSINTERVAL seconds. A window begins at a multiple
 * of FSINTERVAL since 1970 in UTC, and that time names its file, FS.<begin>.
 * FSDEPTH windows count, the current one included; they are numbered from the
 * current one, k = 0, backwards. Usage, in the unit of the metric
 * (maui_fairshare_unit()), is kept by window for every credential, and for all
 * of them together:
 *
 *   usage(o)   = SUM over k < FSDEPTH    usage_k(o) * FSDECAY^k
 *   percent(o) = usage(o) / usage(total) * 100      0 where nothing was used at all
 *
 * The total is kept on its own and is not the sum over a type: usage of a job
 * without an account belongs to no account.
 *
 * Credentials are interned ids (common/util/intern.h). Id 0 means "the job has
 * none": what is charged to it is not kept, and its usage is always 0. The same
 * goes for ids beyond those reserved.
 *
 * Apart from copies, only maui_fairshare_new() and maui_fairshare_reserve()
 * allocate memory. Nothing here is thread-safe, except that any number of
 * threads may read.
 *
 * Numbers: amounts are clamped to 0..1e18 (NaN: 0), times to +-2^53, so that
 * nothing becomes infinite or NaN. Whole processor-seconds are exact up to
 * 2^53.
 */
#ifndef MAUI_POLICY_FAIRSHARE_H
#define MAUI_POLICY_FAIRSHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/config/config.h"
#include "common/policy/priority/priority.h"
#include "common/util/credential.h"
#include "common/util/slurm/gres_table.h"

/* FSPOLICY */
enum maui_fs_metric {
	MAUI_FS_OFF,           /* [NONE]: nothing is counted, factors are 0, nothing is capped */
	MAUI_FS_DEDICATEDPS,   /* processors, for as long as the job holds them */
	MAUI_FS_DEDICATEDPES,  /* its processor equivalents, likewise: pe.h */
	MAUI_FS_UTILIZEDPS,    /* processor time that it actually used */
	MAUI_FS_DEDICATEDGRES, /* units of one GRES, for as long as it has them: D-GRES-14 */
	MAUI_FS_METRICS
};

#define MAUI_FS_MAX_DEPTH   32u
#define MAUI_FS_METRIC_SIZE (MAUI_GRES_NAME_SIZE + 16)

struct maui_fairshare_settings {
	enum maui_fs_metric metric;
	bool ratio; /* FSPOLICY ends in '%': factors are 1 - usage/target, not target - usage */
	int64_t interval;  /* FSINTERVAL, seconds; at least 1 */
	uint32_t depth;    /* FSDEPTH, 1..MAUI_FS_MAX_DEPTH; the current window is one of them */
	double decay;      /* FSDECAY, 0..1 */
	unsigned int gres; /* of DEDICATEDGRES: its number, as jobs have amounts */
	char gres_name[MAUI_GRES_NAME_SIZE]; /* "": of none */
};

/* What maui.cfg says. NULL: the defaults. */
void maui_fairshare_settings(const struct maui_config *config,
			     struct maui_fairshare_settings *ret_settings);

/* FSPOLICY's value without '%': "[NONE]", "DEDICATEDPS", "DEDICATEDGRES[gpu]". Returns text. */
const char *maui_fairshare_metric_name(const struct maui_fairshare_settings *settings,
				       char text[MAUI_FS_METRIC_SIZE]);

/* The same read back: sets metric and gres_name, and no number. False: it is none of them. */
bool maui_fairshare_metric_find(const char *text, struct maui_fairshare_settings *settings);

/* What is added up: "processor-seconds", "PE-seconds", "GRES-seconds". */
const char *maui_fairshare_unit(enum maui_fs_metric metric);

/* How many units a job counts as at each moment: processors, PE, or of the GRES. */
double maui_fairshare_rate(const struct maui_fairshare_settings *settings, double procs, double pe,
			   const struct maui_gres *gres);

/*
 * The start of the window that a time falls into: the last multiple of interval not after it.
 * interval < 1 counts as 1.
 */
int64_t maui_fairshare_window(int64_t interval, int64_t time);

/* FSDECAY^k, the factor for the usage of window k. Window 0 counts in full, whatever the decay. */
double maui_fairshare_weight(double decay, uint32_t k);

/* ---- the windows --------------------------------------------------------------------------- */

struct maui_fairshare;

/* Instead of a type: all usage together. Its id is 0. */
#define MAUI_FS_TOTAL MAUI_CREDENTIALS

/*
 * Empty windows; the current one is the one that contains now. Settings out of range are clamped.
 */
struct maui_fairshare *maui_fairshare_new(const struct maui_fairshare_settings *settings,
					  int64_t now);
struct maui_fairshare *
maui_fairshare_free(struct maui_fairshare *fs); /* accepts NULL, returns NULL */

/* A copy, to try other settings on. */
struct maui_fairshare *maui_fairshare_copy(const struct maui_fairshare *fs);

const struct maui_fairshare_settings *maui_fairshare_settings_of(const struct maui_fairshare *fs);

/* The GRES of its metric may have another number in this maui.cfg. */
void maui_fairshare_number(struct maui_fairshare *fs, const struct maui_config *config);

/*
 * Make room for the ids up to count, maui_intern_count(). 0; -EINVAL for the
 * total, which needs none. Amortised: growing one by one costs no more than
 * twice the copying. Never shrinks.
 */
int maui_fairshare_reserve(struct maui_fairshare *fs, enum maui_credential type, uint32_t count);

/*
 * Make the window that contains now the current one: window k becomes k + 1,
 * once for each interval that has passed, with empty windows where nothing ran.
 * Windows older than FSDEPTH are forgotten, even if their files are still to be
 * written: the caller, if it keeps files, writes the dirty ones first.
 *
 * If the clock goes back, nothing is rolled back: that is for
 * maui_fairshare_go_back(). Usage at earlier times still goes to the windows it
 * belongs to.
 *
 * Returns how many windows have begun: 0 within the same window, FSDEPTH at
 * most.
 */
uint32_t maui_fairshare_advance(struct maui_fairshare *fs, int64_t now);

/*
 * The opposite, if now is before the current window: window k + 1 becomes k.
 * Windows that begin later than now are forgotten, and windows at the other end
 * are empty: the caller, if it keeps files, writes the former before and loads
 * the latter, of which there are as many as this returns, FSDEPTH at most.
 */
uint32_t maui_fairshare_go_back(struct maui_fairshare *fs, int64_t now);

/* When window k began. The current one ends at start(0) + interval. k may be any number. */
int64_t maui_fairshare_start(const struct maui_fairshare *fs, uint32_t k);

/*
 * The windows whose usage has changed since their flag was cleared, as bit k; and clear the flag of
 * one. Charging sets the flag; advancing moves it along with its window; maui_fairshare_set() does
 * not change it.
 */
uint32_t maui_fairshare_dirty(const struct maui_fairshare *fs);
void maui_fairshare_clean(struct maui_fairshare *fs, uint32_t k);
void maui_fairshare_soil(struct maui_fairshare *fs, uint32_t k); /* set it by hand */

/*
 * A job with these credentials used `rate` (processors, or PE) from `from` to `to`: rate * (to -
 * from) is added to each of them and to the total, second by second in the windows it belongs to
 * (D-FS-2). Time before the oldest window is dropped. Time past the end of the current one is
 * counted in it rather than lost: the caller advances to `to` first. Nothing happens where to <=
 * from, the rate is not above 0, or FSPOLICY is off.
 *
 * Meant for a pass over all running jobs: no allocation; within the current window it touches one
 * element per type, in arrays by id.
 */
void maui_fairshare_charge(struct maui_fairshare *fs, const uint32_t credential[MAUI_CREDENTIALS],
			   double rate, int64_t from, int64_t to);

/*
 * Correct what was charged from `from` to `to` by this amount, which is negative if too much was
 * charged: for UTILIZEDPS, once the usage of a whole run is known. It is spread evenly over that
 * time; no usage drops below 0.
 */
void maui_fairshare_correct(struct maui_fairshare *fs, const uint32_t credential[MAUI_CREDENTIALS],
			    double amount, int64_t from, int64_t to);

/*
 * Usage in window k of one credential, or of the total (MAUI_FS_TOTAL, 0), from a file: replaces
 * what was there. Does nothing for k >= FSDEPTH and for ids that are not reserved.
 */
void maui_fairshare_set(struct maui_fairshare *fs, enum maui_credential type, uint32_t id,
			uint32_t k, double usage);

/* Forget the usage of one window only. */
void maui_fairshare_clear(struct maui_fairshare *fs, uint32_t k);

/* Usage in window k, as it was used; 0 beyond FSDEPTH. */
double maui_fairshare_usage(const struct maui_fairshare *fs, enum maui_credential type, uint32_t id,
			    uint32_t k);
/* The older windows, k >= 1, decayed: SUM usage_k * FSDECAY^k. Kept up to date, not computed. */
double maui_fairshare_rest(const struct maui_fairshare *fs, enum maui_credential type, uint32_t id);
/* The sum of both, which targets and caps go by. */
double maui_fairshare_sum(const struct maui_fairshare *fs, enum maui_credential type, uint32_t id);
/* Its share of the total, 0..1e18; 0 while the total is not above 0. */
double maui_fairshare_percent(const struct maui_fairshare *fs, enum maui_credential type,
			      uint32_t id);
/* The same for many: total is the sum of MAUI_FS_TOTAL, 0. */
double maui_fairshare_percent_of(const struct maui_fairshare *fs, enum maui_credential type,
				 uint32_t id, double total);

/* ---- other settings ------------------------------------------------------------------------ */

/* A mask. */
enum maui_fairshare_change {
	MAUI_FS_CHANGED_METRIC = 1 << 0, /* all windows are empty: D-FS-13 */
	MAUI_FS_CHANGED_RATIO = 1 << 1,
	MAUI_FS_CHANGED_DECAY = 1 << 2,
	MAUI_FS_CHANGED_DEPTH = 1 << 3,    /* windows that still count stay; older ones are empty */
	MAUI_FS_CHANGED_INTERVAL = 1 << 4, /* all windows are empty */
};

/*
 * Continue with other settings (maui.cfg was read again). Windows keep their
 * usage as the flags say. *ret_load is the first window whose file is to be
 * loaded: the older ones if FSDEPTH has grown, all of them (0) if FSINTERVAL or
 * the metric has changed; FSDEPTH itself if none. If the interval has changed,
 * the current window is the one that contains now; otherwise now is ignored.
 * Dirty windows that are dropped do not get written: the caller, if it keeps
 * files, writes them first. Cannot fail. Returns the mask.
 */
unsigned int maui_fairshare_change(struct maui_fairshare *fs,
				   const struct maui_fairshare_settings *settings, int64_t now,
				   uint32_t *ret_load);

/* ---- what follows from it ------------------------------------------------------------------ */

/*
 * The fairshare factors of one type for maui_priority_tables.fs_factor, from the targets in
 * credentials[1..count - 1], by id. ret_factor has count elements; [0] is 0. All are 0 while
 * FSPOLICY is off or the total is not above 0. Chapter 5.1.2, "Fairshare (FS) Component".
 */
void maui_fairshare_factors(const struct maui_fairshare *fs, enum maui_credential type,
			    const struct maui_priority_credential *credentials, uint32_t count,
			    double *ret_factor);

/*
 * What a job asks for, as hard caps count it: its maui_fairshare_rate() times the wall-clock
 * limit in seconds. Without a limit (MAUI_INFINITY or more) it is 1e18, more than any cap: such a
 * job never fits under one.
 */
double maui_fairshare_request(double rate, double walltime);

/*
 * Why a job must not start. Amounts are in the cap's own unit: the metric's for
 * MAUI_FS_CAP_ABSOLUTE, percent of all usage for MAUI_FS_CAP_RELATIVE.
 */
struct maui_fairshare_verdict {
	bool blocked; /* false: the rest is 0 */
	enum maui_credential type;
	enum maui_fsmode mode;
	enum maui_fs_metric metric;
	double cap;
	double usage;   /* without the job */
	double request; /* what the job would add */
	/*
	 * The first start of a window at which this cap lets the job pass if nobody uses anything
	 * until then: by then old windows no longer count, and the others count less. INT64_MAX:
	 * never, the request alone exceeds an absolute cap.
	 */
	int64_t until;
};

/*
 * Hard caps, chapter 6.3.3.2, D-FS-4: whether one blocks a job that asks for request
 * (maui_fairshare_request). The job's user, group, account, class and QOS are checked in this
 * order, and the first that blocks is named. Targets are those of tables->credential by id, where
 * DEFAULT's applies to a credential without its own. With U the credential's usage and T all usage:
 *
 *   10^   blocks if U >= 10,  or U + request > 10
 *   10%   blocks if U / T * 100 >= 10,  or (U + request) / T * 100 > 10;  not while T is 0
 *
 * Never blocks while FSPOLICY is off, nor, of DEDICATEDGRES, a job without the GRES. ret_verdict
 * may be NULL. Returns ret_verdict->blocked.
 */
bool maui_fairshare_cap(const struct maui_fairshare *fs, const struct maui_priority_tables *tables,
			const uint32_t credential[MAUI_CREDENTIALS], double request,
			struct maui_fairshare_verdict *ret_verdict);

#endif
