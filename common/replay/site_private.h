/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A replay under a maui.cfg, between its files: site.c has the events, site_policy.c the policy,
 * site_iteration.c the iterations, site_queue.c who waits and runs, site_backfill.c backfill. */
#ifndef MAUI_REPLAY_SITE_PRIVATE_H
#define MAUI_REPLAY_SITE_PRIVATE_H

#include "common/policy/fairshare/fairshare.h"
#include "common/policy/limits/limits.h"
#include "common/policy/limits/qos_access.h"
#include "common/queue/judge.h"
#include "common/queue/names.h"
#include "common/queue/principals.h"
#include "common/queue/snapshot.h"
#include "common/replay/machine.h"
#include "common/replay/site.h"
#include "common/util/keysort.h"

#define NO_JOB UINT32_MAX

/* A waiting job; its row in the snapshot has the same place. */
struct site_waiting {
	uint32_t job;
	uint32_t rank; /* its priority for the schedulers, lower if it is over a soft limit */
	uint32_t bypass;
	uint8_t standing; /* enum maui_standing */
	bool fscap;       /* MAUI_STANDING_BLOCKED: by a cap */
	bool judged;      /* by an iteration */
	bool held;        /* has ever been blocked */
};

struct site_running {
	struct maui_limit_holding holding;
	uint32_t credential[MAUI_CREDENTIALS];
	double rate;
	int64_t began;
	struct site_running *next, *previous; /* of all that run, or of those that are free */
};

/* A step of the processors that are free by the plan. */
struct site_slot {
	int64_t time;
	int64_t free;
};

struct site_replay {
	const struct maui_replay_trace *trace;
	const struct maui_replay_site *site;
	struct maui_replay_schedule *schedule;
	struct maui_replay_counts *counts;
	struct maui_error *error;
	int64_t now;
	struct machine machine;
	/* the policy */
	struct maui_principals *principals;
	struct maui_names *names;
	uint32_t *id[MAUI_CREDENTIALS]; /* of the trace's names */
	bool memory_short;
	struct maui_limits *limits;
	struct maui_limit_usage *usage; /* NULL: there are no limits */
	struct maui_qos_access *qos;
	struct maui_fairshare *windows; /* NULL: nothing is counted */
	/* who waits: rows of the snapshot, in no order */
	struct maui_snapshot *snapshot;
	struct site_waiting *waiting;
	size_t waiting_room;
	/* those of them that may start, in the order of the schedulers */
	uint32_t *order;
	size_t order_count, order_room;
	struct maui_keysort_entry *sorting;
	size_t sorting_room;
	/* by job: its row while it waits */
	uint32_t *row_of;
	struct site_running **run_of; /* by job: NULL if it does not run */
	struct site_running *runs, *free_runs;
	struct maui_arena *run_arena;
	/* what there is to do */
	int64_t iterated, charged; /* when last */
	size_t blocked, rejected;
	bool drifts;  /* who is blocked may change while nothing happens */
	bool moved;   /* jobs have begun or ended since the last iteration */
	bool changed; /* jobs have come, begun or ended since they were judged */
	bool dirty;   /* backfill may find something that it did not find the last time */
	struct site_slot *slots;
	size_t slot_count, slot_room;
};

/* site_policy.c: 0 or a negative errno with the reason */
int site_policy_open(struct site_replay *replay);
void site_policy_clear(struct site_replay *replay);

/* site_queue.c */
int site_submit(struct site_replay *replay, uint32_t job);
/* Whether limits, caps and lists let the job of a row begin now. */
bool site_may_start(struct site_replay *replay, size_t row);
/* The job at a place of the order begins; the place is empty until site_order_close_up(). */
int site_start(struct site_replay *replay, size_t at, bool backfilled);
void site_order_close_up(struct site_replay *replay);
void site_finish(struct site_replay *replay); /* the next that ends */
/* Charge everybody who runs, up to now. */
void site_charge(struct site_replay *replay);
/* Before whom a job of this rank goes. */
uint64_t site_order_key(const struct site_waiting *waiting);

/* The lowest priority that a job may have, as the engine sees to it: a job over a limit is below
 * bf_min_prio_reserve. */
static inline uint32_t site_floor(const struct site_replay *replay)
{
	return replay->site->parameters.min_prio_reserve >= 2 ? 2 : 1;
}

/* site_iteration.c: if one is due */
int site_iterate(struct site_replay *replay);

/* site_backfill.c */
int site_backfill(struct site_replay *replay);
/* The fewest processors that a job asks for that may start; UINT32_MAX: there is none. */
uint32_t site_least(const struct site_replay *replay);

#endif
