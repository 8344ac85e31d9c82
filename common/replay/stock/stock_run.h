/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurmctld's priority plugin and its limits while a trace is replayed: passes each
 * PriorityCalcPeriod, usage, priorities, who may start.
 */
#ifndef MAUI_REPLAY_STOCK_RUN_H
#define MAUI_REPLAY_STOCK_RUN_H

#include "common/replay/schedule/held.h"
#include "common/replay/stock/stock.h"
#include "common/replay/trace/trace.h"

struct maui_stock_run;

/* Begins now, without usage; both must stay. */
struct maui_stock_run *maui_stock_run_new(const struct maui_stock *stock,
					  const struct maui_replay_trace *trace, int64_t now);
struct maui_stock_run *maui_stock_run_free(struct maui_stock_run *run); /* or NULL */

/* When the next pass is due, and that pass. */
int64_t maui_stock_run_due(const struct maui_stock_run *run);
void maui_stock_run_pass(struct maui_stock_run *run);

/* A job comes, begins and ends; in the order of the trace it comes once. */
void maui_stock_run_submit(struct maui_stock_run *run, uint32_t job);
void maui_stock_run_begin(struct maui_stock_run *run, uint32_t job, int64_t now);
void maui_stock_run_end(struct maui_stock_run *run, uint32_t job, int64_t now);

/* FairShare of the job's association as of the last pass; 0: it has none. */
double maui_stock_run_fairshare(struct maui_stock_run *run, uint32_t job);

/* A waiting job's priority, as squeue shows it. */
uint32_t maui_stock_run_priority(struct maui_stock_run *run, uint32_t job, int64_t now);

/* A limit that keeps a job waiting, and of whom. */
struct maui_stock_refusal {
	uint32_t limit, whom;
};

/* Whether a limit does. */
bool maui_stock_run_refuses(const struct maui_stock_run *run, uint32_t job,
			    struct maui_stock_refusal *ret_refusal);
/* The rule and its holders, of an account of who was held. */
void maui_stock_run_name(const struct maui_stock_run *run, const struct maui_stock_refusal *refusal,
			 struct maui_replay_hold *hold);

/* Whether who is refused changes with time alone, and for how long it may be worth waiting then. */
bool maui_stock_run_drifts(const struct maui_stock_run *run);
int64_t maui_stock_run_patience(const struct maui_stock_run *run);
/* Whether priorities or limits depend on a job's time limit. */
bool maui_stock_run_by_time(const struct maui_stock_run *run);
/* Jobs of the trace without an association. */
size_t maui_stock_run_unknown(const struct maui_stock_run *run);

#endif
