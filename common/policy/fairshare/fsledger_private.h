/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ledger's record, and what a pass charges of it: for the files of the ledger alone. */
#ifndef MAUI_POLICY_FSLEDGER_PRIVATE_H
#define MAUI_POLICY_FSLEDGER_PRIVATE_H

#include "common/policy/fairshare/fsledger.h"
#include "common/util/idmap.h"

/*
 * The wall clock and the steady one are read at different moments, in whole seconds and in
 * fractions: a difference below this is no step. A clock's own drift during a pass is less.
 */
#define SMALLEST_STEP 2
/*
 * A scheduler may end a run this many seconds after the time of the pass that hears of it. An end
 * later than that was written by a clock that has since been set back.
 */
#define LONGEST_AHEAD 10

/* What a later report is compared with. Kept small, as every running job has one. */
struct entry {
	uint32_t job_id;
	uint32_t pass; /* the last that saw it */
	uint32_t credential[MAUI_CREDENTIALS];
	bool over;
	bool active;   /* it ran on after its last report */
	bool whole;    /* this ledger charged all of its seconds */
	int64_t start; /* as last reported, like what follows */
	int64_t until;
	int64_t resized;
	double rate;
	int64_t step;    /* of the clock, from the pass before to that report */
	int64_t charged; /* seconds of its run */
	double amount;   /* charged for them */
};

struct span {
	int64_t from, to;
	bool put_off; /* how much of it is open is not known */
};

/* A stretch of a run in such a span: from the start of the window on. */
struct put_off {
	int64_t start; /* of the window */
	int64_t from, to;
	double rate;
	uint32_t credential[MAUI_CREDENTIALS];
};

struct maui_fsledger {
	struct entry *entries;
	size_t count, room;
	struct maui_idmap by_job; /* job id -> index + 1 */
	size_t next;              /* where to look first for the next report */
	uint32_t pass;
	int64_t now;     /* of this pass */
	int64_t counted; /* the pass before, by the present clock; INT64_MIN: there was none */
	int64_t last;    /* the same by the clock of then, or the newest file */
	int64_t step;    /* how far the clock has been set since then */
	int64_t elapsed; /* seconds since then, without the step; INT64_MAX: unknown */
	double exactly;  /* the same by the steady clock; negative: unknown */
	int64_t latest;  /* maui_fsledger_latest() */
	int64_t high;    /* the latest pass by any clock */
	/*
	 * Until the first pass has ended: the times not yet charged to anybody. After that an
	 * unknown run is new and is charged from its start, which may be before the last pass, as
	 * schedulers take the time when they begin to look.
	 */
	struct span open[MAUI_FS_MAX_DEPTH];
	uint32_t open_count;
	/*
	 * Runs reported to end after the time of the pass: they are reported again in the next one.
	 */
	struct maui_run *ahead;
	size_t ahead_count, ahead_room;
	struct put_off *put_off;
	size_t put_off_count, put_off_room;
};

/* What was charged. */
struct charged {
	int64_t seconds;
	double amount;
};

static inline int64_t fsledger_later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline int64_t fsledger_earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

struct charged maui_fsledger_charge(struct maui_fairshare *fs,
				    const uint32_t credential[MAUI_CREDENTIALS], double rate,
				    int64_t from, int64_t to);

/* How far the clock was set when the run was last seen; and since its last report, if it has one. */
int64_t maui_fsledger_step_of(const struct maui_fsledger *ledger, const struct maui_run *run);
int64_t maui_fsledger_step_since(const struct maui_fsledger *ledger, const struct entry *entry,
				 const struct maui_run *run);

bool maui_fsledger_runs_on(const struct maui_run *run);
bool maui_fsledger_has_not_begun(const struct maui_fsledger *ledger, const struct maui_run *run);

/* Charge what a pass finds new: of a run that the ledger has, or has not, seen before. */
struct charged maui_fsledger_charge_known(const struct maui_fsledger *ledger,
					  struct maui_fairshare *fs, const struct entry *entry,
					  const struct maui_run *run);
struct charged maui_fsledger_charge_unknown(struct maui_fsledger *ledger, struct maui_fairshare *fs,
					    const struct maui_run *run);

/* Correct the charge of a run that is over, once the usage of some of its parts is known. */
void maui_fsledger_settle(struct maui_fairshare *fs, struct entry *entry,
			  const struct maui_run *run);

#endif
