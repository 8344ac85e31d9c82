/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A replay under a maui.cfg as its files share it. site.c has the events, and each
 * site_*.c begins with what it is for. */
#ifndef MAUI_REPLAY_SITE_REPLAY_H
#define MAUI_REPLAY_SITE_REPLAY_H

#include "common/policy/fairshare/fairshare.h"
#include "common/policy/limits/limits.h"
#include "common/policy/limits/qos_access.h"
#include "common/queue/judge.h"
#include "common/queue/names.h"
#include "common/queue/principals.h"
#include "common/queue/refusal.h"
#include "common/queue/snapshot.h"
#include "common/replay/plan/site_words.h"
#include "common/replay/schedule/machine.h"
#include "common/replay/state/site_terms.h"
#include "common/replay/stock/stock_run.h"
#include "common/util/slurm/gres_table.h"
#include "common/util/keysort.h"

#define NO_JOB  UINT32_MAX
#define NO_KIND UINT32_MAX

/* How far a rule has counted the jobs of a kind that it holds back. */
struct site_counted {
	uint32_t rule, last;
};

/*
 * Waiting jobs that are alike: what differs between them has no part in a priority or a verdict, but
 * for the time of submission. So the first of them has the highest priority, and one verdict is
 * everybody's. An iteration looks at one row for each kind, not at each job: D-RPL-4.
 */
struct site_kind {
	uint32_t first, last; /* in the order of submission; NO_JOB: there is none */
	uint32_t unheld;      /* the first that has never been held; NO_JOB */
	uint32_t next;        /* the first that is not in the order yet; NO_JOB */
	uint32_t count, row;
	uint32_t demoted;               /* over a soft limit; 0: it is not */
	int64_t resumed;                /* waiting counts from then on: when it was last blocked */
	uint8_t standing;               /* enum maui_standing */
	bool fscap;                     /* MAUI_STANDING_BLOCKED: by a cap */
	bool judged;                    /* by an iteration */
	bool eligible;                  /* its jobs are in the order */
	bool admitted;                  /* by REJECTNEGPRIOJOBS when it was judged */
	uint64_t judged_at;             /* replay->turnover; 0: not, or others have joined */
	uint32_t rule;                  /* that holds it back, of site_held.c; 0: none */
	int64_t held_since, held_total; /* by any; those that join later have had less of it */
	struct site_counted counted[2]; /* the last two rules */
};

/* A job that has come since the last iteration. */
struct site_newcomer {
	uint32_t job; /* NO_JOB: it has begun */
	bool rejected;
	uint32_t rule; /* as a kind's */
	int64_t held_since;
};

/* The first of a kind that is not in the order yet. */
struct site_candidate {
	uint64_t key;
	uint32_t kind; /* NO_KIND: a newcomer */
};

struct site_running {
	struct site_words procs; /* none on nodes */
	struct maui_limit_holding holding;
	uint32_t credential[MAUI_CREDENTIALS];
	double rate;
	int64_t began;
	struct site_inside *inside; /* of reservations, where it is now: site_reserved.c */
	struct site_visit *visits;  /* and where it has been */
	struct site_running *next, *previous; /* of all that run, or of those that are free */
};

struct site_nodes;
struct site_pool;
struct site_reserved;
struct site_rsv;
struct site_inside;
struct site_visit;

struct site_replay {
	const struct maui_replay_trace *trace;
	const struct maui_replay_site *site;
	struct maui_replay_schedule *schedule;
	struct maui_replay_counts *counts;
	struct maui_error *error;
	int64_t now;
	struct machine machine;
	struct site_nodes *nodes;       /* site_nodes_record.h; NULL: a pool of processors */
	struct site_pool *pool;         /* site_pool.h; NULL: it has nodes */
	struct site_rsv *rsv;           /* site_rsv.h; NULL: there are no reservations */
	struct site_reserved *reserved; /* site_reserved.h; NULL: nor maintenance */
	/* the policy */
	struct maui_principals *principals;
	struct maui_names *names;
	uint32_t *id[MAUI_CREDENTIALS]; /* of the trace's names */
	struct maui_limits *limits;
	struct maui_limit_usage *usage; /* NULL: there are no limits */
	struct maui_qos_access *qos;
	struct maui_gres_table *gres_table;
	const struct maui_gres *
		*gres; /* of the trace's, what maui.cfg names; NULL: it names none */
	struct maui_fairshare *windows; /* NULL: nothing is counted */
	struct maui_stock_run *stock;   /* NULL: there is none */
	int64_t stock_passed;           /* when its last pass was */
	bool stock_due;                 /* priorities are still those of the pass before */
	bool factors_lack; /* the last iteration looked at those of waiting jobs alone */
	/* who waits */
	size_t waiting, eligible;       /* jobs */
	size_t barred;                  /* of those that wait: by a rule, of site_held.c */
	struct maui_snapshot *snapshot; /* a row for each kind that waits, in no order */
	uint32_t *kind_at;              /* by row */
	size_t kind_room;
	struct maui_priority_result *results; /* by row, of the last iteration */
	size_t result_room;
	uint32_t classes;         /* kinds that the trace has */
	uint32_t *class_of;       /* by job */
	struct site_kind *kinds;  /* by class; then those that wait longer than others of theirs */
	uint32_t *kind_of;        /* by job, while it waits; NO_KIND: a newcomer */
	uint32_t *before, *after; /* by job: of its kind; before: also a newcomer's place */
	uint32_t *bypass;         /* by job */
	bool *held;               /* by job: has ever been */
	struct site_held *held_by;
	struct site_newcomer *newcomers;
	size_t newcomer_count, newcomer_room;
	/* those who may start, in the order of the schedulers, as far as anybody has asked: keys */
	uint64_t *order;
	size_t order_count, order_room;
	struct site_candidate *candidates; /* a heap: who comes next */
	size_t candidate_count, candidate_room;
	uint32_t *seen; /* the jobs that backfill has seen last */
	size_t seen_count, seen_room;
	bool seen_all;  /* there were no others */
	uint32_t least; /* the fewest processors that one who may start asks for; 0: not known */
	struct site_running **run_of; /* by job: NULL if it does not run */
	struct site_running *runs, *free_runs;
	struct maui_arena *run_arena;
	/* what there is to do */
	int64_t iterated, charged; /* when last */
	size_t blocked, rejected;  /* kinds */
	bool by_order;             /* verdicts depend on who is ahead: idle and soft limits */
	bool drifts;               /* who is blocked may change while nothing happens */
	bool whole_system;         /* the system as a whole may have limits */
	uint64_t turnover;         /* jobs that have begun or ended, and 1 */
	uint64_t *turned[MAUI_CREDENTIALS]; /* by credential: the turnover of the last one's */
	bool moved;                         /* jobs have begun or ended since the last iteration */
	bool changed; /* jobs have come, begun or ended since they were judged */
	bool dirty;   /* backfill may find something that it did not find the last time */
};

#endif
