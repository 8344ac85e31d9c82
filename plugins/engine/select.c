/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fills maui_engine_select: the functions that the select plugin calls before a
 * start, and when runs begin, change and end. In shadow mode Slurm alone
 * decides.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/api/select.h"

#include "plugins/engine/fairshare/fairshare.h"
#include "plugins/engine/fairshare/rsv_idle.h"
#include "plugins/engine/nodes/node_order.h"
#include "plugins/engine/nodes/node_use.h"
#include "plugins/engine/queue/known_jobs.h"
#include "plugins/engine/reservation/preempted.h"
#include "plugins/engine/reservation/roll/rsv_roll.h"
#include "plugins/engine/reservation/rsv_admission.h"
#include "plugins/engine/reservation/rsv_owner.h"
#include "plugins/engine/reservation/rsv_reclaim.h"
#include "plugins/engine/reservation/rsv_view.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/noderec.h"
#include "plugins/engine/slurm/pass.h"
#include "plugins/engine/slurm/rsv_records.h"
#include "plugins/engine/slurm/steprec.h"
#include "plugins/engine/start/start.h"

static void nodes_changed(void)
{
	node_order_nodes_changed();
	node_use_forget();
	noderec_table_is_new();
	rsv_owner_forget();
	engine_lock();
	rsv_reclaim_nodes_changed();
	rsv_view_forget();
	engine_unlock();
}

/* A search for nodes begins: what was found out for an earlier job may not hold for this one. */
static void select_permit(const job_record_t *job, bitstr_t *nodes)
{
	if (engine_is_shadow())
		return;
	rsv_owner_forget();
	node_order_permit(job, nodes);
	rsv_admission_permit(nodes);
}

/*
 * Slurm reports only to slurmdbd what a batch script itself has used: what a job holds outside its
 * steps counts as held.
 */
static void step_ended(const step_record_t *step)
{
	struct steprec_usage usage;

	if (steprec_look(step, &usage))
		fairshare_step_ended(usage.job_id, usage.job_start, usage.used, usage.held);
}

/* The next iteration looks at its record again. */
static void note_begin(const job_record_t *job)
{
	engine_lock();
	known_jobs_add(jobrec_id(job), job);
	engine_unlock();
}

/* When slurmctld rereads slurm.conf, Slurm reports this again for every job, even a pending one. */
static void run_began(job_record_t *job)
{
	bool runs = jobrec_is_active(job);
	struct slurm_writer *writer;

	note_begin(job);
	if (runs)
		fairshare_run_began(job);
	if (engine_is_shadow()) {
		node_order_begins(job);
		return;
	}
	writer = slurm_writer_of_call();
	if (!writer)
		return;
	if (runs)
		rsv_reclaim_began(job);
	node_order_begins(job);
	start_began(job);
	rsv_pass_take_out(writer, job);
	rsv_roll_job(job, true);
	rsv_idle_began(job);
	if (!runs)
		return;
	rsv_pass_put_away(writer, job);
	if (fairshare_wants_steps(job))
		steprec_watch(writer, job, step_ended);
}

static void use_changed(const job_record_t *job)
{
	node_use_forget();
	start_began(job);
}

static void select_resized(const job_record_t *job)
{
	use_changed(job);
	if (!engine_is_shadow())
		rsv_idle_resized(job);
}

static void select_suspended(const job_record_t *job, bool suspended)
{
	use_changed(job);
	fairshare_run_pauses(job, suspended);
	if (!engine_is_shadow())
		rsv_idle_suspended(job, suspended);
}

static void run_ended(job_record_t *job)
{
	struct slurm_writer *writer;

	if (engine_is_shadow()) {
		node_order_ends(job);
		start_ended(job);
		fairshare_run_ended(job);
		return;
	}
	writer = slurm_writer_of_call();
	if (!writer) {
		node_use_forget();
		return;
	}
	rsv_pass_take_out(writer, job);
	node_order_ends(job);
	start_ended(job);
	fairshare_run_ended(job);
	rsv_roll_job(job, false);
	rsv_roll_freed(job);
	rsv_idle_ended(job);
}

static void select_preempts(const job_record_t *job, bitstr_t *nodes, compat_list_t victims)
{
	preempted_note(job, victims);
	rsv_owner_takes(job, nodes, victims);
}

/* ---- shadow mode: a select plugin gets answers that leave everything to Slurm ---- */

static bool may_start(job_record_t *job, bool immediate)
{
	return engine_is_shadow() || start_may(job, immediate);
}

static bool may_hold(job_record_t *job)
{
	return engine_is_shadow() || start_may_hold(job);
}

static bool limits_gres(const job_record_t *job)
{
	return !engine_is_shadow() && node_order_limits_gres(job);
}

static bool may_be_admitted(const job_record_t *job)
{
	return !engine_is_shadow() && (rsv_admission_concerns(job) || rsv_admission_meets_gap(job));
}

static bool select_orders(const job_record_t *job)
{
	/* select_rank() finds out which nodes it likes for its reservations; doing so here, too, would
	 * cost too much. */
	return !engine_is_shadow() && (rsv_admission_concerns(job) || node_order_orders(job));
}

static bool select_rank(const job_record_t *job, bitstr_t *candidates, bool immediate,
			uint32_t *ret_rank)
{
	if (engine_is_shadow())
		return false;
	return node_order_rank(job, rsv_admission_affinity(job, noderec_count()), candidates,
			       immediate, ret_rank);
}

static const struct maui_engine_node_use *node_use_unless_shadow(void)
{
	return engine_is_shadow() ? NULL : node_use();
}

const struct maui_engine_select maui_engine_select = {
	.version = MAUI_ENGINE_SELECT_VERSION,
	.loaded = engine_await,
	.may_start = may_start,
	.may_hold = may_hold,
	.limits_gres = limits_gres,
	.may_hold_on = node_order_may_hold, /* not called for jobs that limits_gres() excludes */
	.permit = select_permit,
	.may_be_admitted = may_be_admitted,
	.admit = rsv_admission_filter, /* not called for jobs that may_be_admitted() excludes */
	.preempts = select_preempts,
	.place_reservation = rsv_record_place, /* a shadow is never making one */
	.orders = select_orders,
	.rank = select_rank,
	.node_use = node_use_unless_shadow,
	.each_held = node_use_of,
	.run_began = run_began,
	.resized = select_resized,
	.suspended = select_suspended,
	.nodes_changed = nodes_changed,
	.run_ended = run_ended,
	.step_ended = step_ended,
};
