/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A replay under a maui.cfg, between its files. site.c has the events, and each
 * site_*.c begins with what it is for. */
#ifndef MAUI_REPLAY_SITE_PRIVATE_H
#define MAUI_REPLAY_SITE_PRIVATE_H

#include "common/policy/fairshare/fairshare.h"
#include "common/policy/limits/limits.h"
#include "common/policy/limits/qos_access.h"
#include "common/queue/judge.h"
#include "common/queue/names.h"
#include "common/queue/principals.h"
#include "common/queue/refusal.h"
#include "common/queue/snapshot.h"
#include "common/replay/schedule/machine.h"
#include "common/replay/site.h"
#include "common/replay/site_words.h"
#include "common/util/gres_table.h"
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
	struct site_nodes *nodes; /* site_nodes.h; NULL: the machine is a pool of processors */
	struct site_pool *pool;   /* site_pool.h; NULL: it has nodes */
	struct site_rsv *rsv;     /* site_rsv.h; NULL: there are no reservations */
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

/* site_usage.c: 0; -ENOENT with the reason if there is usage, and none of it counts */
int site_usage_load(struct site_replay *replay);

/* site_policy.c: 0 or a negative errno with the reason */
int site_policy_open(struct site_replay *replay);
/* Puts the limits of the present time in force, if a period has begun or ended. */
int site_policy_renew(struct site_replay *replay);
void site_policy_clear(struct site_replay *replay);
/* Names of maui.cfg as the trace's jobs have them. */
struct maui_limit_names site_configured(struct site_replay *replay);

/* site_kinds.c */
void site_kinds_open(struct site_replay *replay);
void site_kinds_clear(struct site_replay *replay);
/* Newcomers join their kinds, once those that are blocked have begun to wait anew. */
void site_kinds_settle(struct site_replay *replay);
/* A job of a kind, or a newcomer, no longer waits. */
void site_kinds_leave(struct site_replay *replay, uint32_t job);
/* All jobs of a kind have been held. */
void site_kinds_hold(struct site_replay *replay, struct site_kind *kind);
/* When a job of a kind began to wait. */
static inline int64_t site_queued_since(const struct site_kind *kind,
					const struct maui_replay_job *record)
{
	return kind->resumed > record->submitted ? kind->resumed : record->submitted;
}
/* What a waiting job asks for, as priorities see it. */
void site_request(const struct site_replay *replay, uint32_t job,
		  struct maui_priority_job *ret_request);

/* site_order.c */
static inline uint64_t site_key(uint32_t rank, uint32_t job)
{
	return (uint64_t)(UINT32_MAX - rank) << 32 | job; /* highest first, then first come */
}
static inline uint32_t site_key_job(uint64_t key)
{
	return (uint32_t)key;
}
static inline uint32_t site_key_rank(uint64_t key)
{
	return UINT32_MAX - (uint32_t)(key >> 32);
}
/* By the priorities of an iteration. */
void site_order_open(struct site_replay *replay);
void site_order_enter(struct site_replay *replay, uint64_t newcomer);
/* Put the first so many in order, or all that there are. */
void site_order_reach(struct site_replay *replay, size_t count);
void site_order_close_up(struct site_replay *replay);
/* Whether backfill would look at other jobs than the last time, apart from those that have begun. */
bool site_order_differs(struct site_replay *replay);
void site_order_seen(struct site_replay *replay);
/* The fewest processors that a job asks for that may start; UINT32_MAX: there is none. */
uint32_t site_least(struct site_replay *replay);

/* site_queue.c */
void site_submit(struct site_replay *replay, uint32_t job);
/* Whether a list or a cap holds a request back, and then which. */
bool site_off_list(const struct site_replay *replay, const struct maui_limit_job *request,
		   struct maui_refusal *ret_refusal);
bool site_over_cap(const struct site_replay *replay, const struct maui_limit_job *request,
		   struct maui_refusal *ret_refusal);
/* Whether limits, caps and lists let a job begin now. */
bool site_may_start(struct site_replay *replay, uint32_t job);
/* The job at a place of the order begins; the place is empty until site_order_close_up(). */
int site_start(struct site_replay *replay, size_t at, bool backfilled);
/* A job that runs already goes on. 0 or -ERANGE. */
int site_resume(struct site_replay *replay, uint32_t job);
void site_finish(struct site_replay *replay); /* the next that ends */
/* Charge everybody who runs, up to now. */
void site_charge(struct site_replay *replay);
void site_fill_request(const struct site_replay *replay, const struct maui_replay_job *record,
		       struct maui_priority_job *ret_job);
/* Of a job, QDEF's QOS included. */
void site_credentials(const struct site_replay *replay, uint32_t job,
		      uint32_t ret_credential[MAUI_CREDENTIALS]);
/* Its priority for the schedulers by the present tables. */
uint32_t site_rank(const struct site_replay *replay, const struct maui_priority_job *request,
		   int64_t now, bool *ret_rejected);

/* The lowest priority that a job may have, as the engine sees to it: a job over a limit is below
 * bf_min_prio_reserve. */
static inline uint32_t site_floor(const struct site_replay *replay)
{
	return replay->site->parameters.main_reserve >= 2 ? 2 : 1;
}

/* site_held.c */
void site_held_open(struct site_replay *replay);
void site_held_clear(struct site_replay *replay);
/* Count the time up to now, before jobs join or leave the kind. */
void site_held_settle(struct site_replay *replay, struct site_kind *kind);
void site_held_settle_newcomer(struct site_replay *replay, struct site_newcomer *newcomer);
/* What holds it back from now on; NULL: nothing. */
void site_held_set(struct site_replay *replay, struct site_kind *kind,
		   const struct maui_refusal *refusal);
void site_held_set_newcomer(struct site_replay *replay, struct site_newcomer *newcomer,
			    const struct maui_refusal *refusal);
/* At the end: the schedule has the account. */
void site_held_finish(struct site_replay *replay);

/* site_iteration.c: if one is due */
int site_iterate(struct site_replay *replay);
/* What the last iteration has left out of the factors of fairshare, before usage changes. */
void site_complete_factors(struct site_replay *replay);

/* site_backfill.c */
int site_backfill(struct site_replay *replay);

#endif
