/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a job's record in Slurm says, for code that does not look into records: one function per
 * fact. Job read lock; to set anything, the job write lock; partition read lock where a partition's
 * record is followed. Times are seconds since the epoch, 0: not yet; bitmaps are the record's, by
 * node, and must not be changed.
 */
#ifndef MAUI_ENGINE_JOBREC_H
#define MAUI_ENGINE_JOBREC_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "plugins/compat/base.h"
#include "plugins/engine/runtime/slurm_writer.h"

/* The record of a job; NULL: there is none. */
job_record_t *jobrec_find(uint32_t job_id);
job_record_t *jobrec_find_task(uint32_t array_id, uint32_t task);

/* Call visit for each job; stops when that returns less than 0, and then does so, too. 0 if there
 * are no records, as before slurmctld has read them. */
typedef int (*jobrec_visit_t)(job_record_t *job, void *context);
int jobrec_each(jobrec_visit_t visit, void *context);
size_t jobrec_count(void);

/* Whether slurmctld has its jobs and partitions. */
bool jobrec_there(void);

/* Let squeue and others notice that some record has changed. Job write lock. */
void jobrec_touch(struct slurm_writer *writer);

/* ---- which job ---- */

uint32_t jobrec_id(const job_record_t *job);
uint32_t jobrec_array_id(const job_record_t *job);   /* 0: not of an array */
uint32_t jobrec_array_task(const job_record_t *job); /* NO_VAL: none, or the tasks that are left */
bool jobrec_is_het_part(const job_record_t *job);    /* and not its leader */
/* Call visit for each part of a heterogeneous job, by its leader's record; never for another
 * job. */
void jobrec_each_het_part(const job_record_t *leader, void (*visit)(const job_record_t *, void *),
			  void *context);
/* Whether this is the record of all tasks of an array that have none of their own yet. */
bool jobrec_is_meta(const job_record_t *job);
uint32_t jobrec_user(const job_record_t *job);
uint32_t jobrec_group(const job_record_t *job);
/*
 * Slurm's number of its QOS; 0: none. From 24.11 on a job may name several, of which it gets one
 * when it starts: then this is the one in which Slurm tries, or has last tried, to start it; of a
 * job that has started, the one that it started in (qos_started.h). Takes that file's mutex.
 */
uint32_t jobrec_qos(const job_record_t *job);
/* Call visit for each that it names, in Slurm's order, or once for its QOS or 0. */
typedef void (*jobrec_visit_qos_t)(uint32_t qos, void *context);
void jobrec_each_qos(const job_record_t *job, jobrec_visit_qos_t visit, void *context);
const char *jobrec_account(const job_record_t *job); /* may be NULL, as the next two */
const char *jobrec_comment(const job_record_t *job);
const char *jobrec_reservation(const job_record_t *job); /* that it asks for by name */
/* Of those, the one that Slurm takes it for; NULL: none. */
const char *jobrec_reservation_inside(const job_record_t *job);
/* Whether the reservation that it is in may overlap others: MAINT, OVERLAP. */
bool jobrec_reservation_overlaps(const job_record_t *job);

/* ---- its state ---- */

bool jobrec_is_pending(const job_record_t *job);
bool jobrec_is_running(const job_record_t *job);
bool jobrec_is_suspended(const job_record_t *job);
bool jobrec_is_active(const job_record_t *job); /* runs or is suspended */
bool jobrec_is_finished(const job_record_t *job);
bool jobrec_is_completing(const job_record_t *job);
bool jobrec_lost_a_node(const job_record_t *job); /* and ended, or waits again, because of it */
bool jobrec_is_resizing(const job_record_t *job); /* ends, to continue with another size */
/* It is pending, in this cluster of a federation, and its record says what it asks for. */
bool jobrec_is_queued(const job_record_t *job);
/* It is pending, and was submitted then: not requeued since, and not another job of the same id. */
bool jobrec_still_waits(const job_record_t *job, time_t submitted);

time_t jobrec_submitted(const job_record_t *job); /* 0: the record no longer has details */
time_t jobrec_start(const job_record_t *job);
time_t jobrec_end(const job_record_t *job);
/* Seconds that it had run when it was last suspended or resumed. */
time_t jobrec_run_before(const job_record_t *job);
bool jobrec_was_suspended(const job_record_t *job); /* in this run, or is now */

/* ---- what it asks for ---- */

/* Without details, which a job that has ended may lack, it asks for nothing. */
bool jobrec_has_details(const job_record_t *job);
uint32_t jobrec_tasks(const job_record_t *job); /* 0: not said */
uint32_t jobrec_min_cpus(const job_record_t *job);
uint32_t jobrec_min_nodes(const job_record_t *job);
uint16_t jobrec_cpus_per_task(const job_record_t *job);
uint16_t jobrec_tasks_per_node(const job_record_t *job);
uint64_t jobrec_min_memory(const job_record_t *job); /* MB per node, or per CPU with MEM_PER_CPU */
uint32_t jobrec_min_disk(const job_record_t *job);   /* MB of --tmp per node */
uint32_t jobrec_time_limit(const job_record_t *job); /* minutes, NO_VAL, INFINITE */
bool jobrec_wants_whole_nodes(const job_record_t *job);
/* Its first node manages its steps, and slurmctld does not see them: --stepmgr. */
bool jobrec_has_stepmgr(const job_record_t *job);
const char *jobrec_constraint(const job_record_t *job);   /* may be NULL, as the next three */
const char *jobrec_prefer(const job_record_t *job);       /* --prefer */
bitstr_t *jobrec_required_nodes(const job_record_t *job); /* --nodelist */
bitstr_t *jobrec_excluded_nodes(const job_record_t *job);

/* ---- where ---- */

/* The partition that Slurm is considering; NULL: the job has lost it. */
part_record_t *jobrec_partition(const job_record_t *job);
const char *jobrec_class(const job_record_t *job);           /* its name, or NULL */
const char *jobrec_partition_names(const job_record_t *job); /* that were asked for */
bool jobrec_has_partition_list(const job_record_t *job);     /* it has named several */
/*
 * The schedulers try a job in one place after the other: in each of its partitions with each of its
 * QOS. How many; at least 1.
 */
uint32_t jobrec_places(const job_record_t *job);
/* Put them into the order in which the schedulers walk jobrec_priority_at(); returns their number.
 * Job write lock. */
uint32_t jobrec_sort_places(struct slurm_writer *writer, job_record_t *job);

bitstr_t *jobrec_nodes(const job_record_t *job); /* of an active job; may be NULL */
uint32_t jobrec_cpus(const job_record_t *job);   /* allocated, on all of them */

/* Call visit for each node that it holds, with its CPUs there and its memory in MB. */
typedef void (*jobrec_visit_node_t)(uint32_t node, uint16_t cpus, uint64_t memory, void *context);
void jobrec_each_node(const job_record_t *job, jobrec_visit_node_t visit, void *context);

/* Call visit for each node that it holds, with a map of cores: its own are those from first on, as
 * many as the node has. Never if Slurm has another table of nodes by now. */
typedef void (*jobrec_visit_cores_t)(uint32_t node, const bitstr_t *cores, uint32_t first,
				     void *context);
void jobrec_each_node_cores(const job_record_t *job, jobrec_visit_cores_t visit, void *context);
/* The same for one node; both 0 if the job does not hold it. */
void jobrec_held_of(const job_record_t *job, uint32_t node, uint32_t *ret_cpus,
		    uint64_t *ret_memory);

/* Whether the CPUs that it holds are its own, and not shared with other jobs. */
bool jobrec_has_own_cpus(const job_record_t *job);

/* Set the bits of the cores that it holds; the map is of all nodes' cores. */
void jobrec_add_cores(const job_record_t *job, bitstr_t *cores);

/* Whether it holds one of these cores on each of its nodes, except for those in whole. */
bool jobrec_holds_cores(const job_record_t *job, bitstr_t *whole, bitstr_t *cores);

/* What it was given, and holds until its nodes are given back: set before it runs. */
bool jobrec_has_got(const job_record_t *job);
uint32_t jobrec_got_nodes(const job_record_t *job);  /* how many; 0: it was given nothing */
uint64_t jobrec_got_memory(const job_record_t *job); /* MB on all of them; 0: it is not counted */

/* ---- its priority ---- */

uint32_t jobrec_priority(const job_record_t *job);
void jobrec_set_priority(struct slurm_writer *writer, job_record_t *job, uint32_t priority);
bool jobrec_priority_is_by_hand(const job_record_t *job); /* set with scontrol or sview */
/* A mark of ours: its priority is 0 for a moment, set by us. Slurm saves it with the job. */
bool jobrec_is_marked_lowered(const job_record_t *job);
void jobrec_mark_lowered(struct slurm_writer *writer, job_record_t *job, bool lowered);
/* Whether the main scheduler tries it more than once in a pass, in one partition or QOS after the
 * other, but no longer when its priority is 0. */
bool jobrec_is_dropped_at_zero(const job_record_t *job);
/* Have Slurm recompute its own fairshare term, which it compares with a QOS's UsageThreshold. Job
 * write lock. */
void jobrec_forget_fairshare(struct slurm_writer *writer, job_record_t *job);

/* By place; a job in one partition has but one, and so has, in 24.11, a job array with several
 * QOS. */
bool jobrec_has_priorities(const job_record_t *job);
uint32_t jobrec_priority_at(const job_record_t *job, uint32_t place);
void jobrec_set_priority_at(struct slurm_writer *writer, job_record_t *job, uint32_t place,
			    uint32_t priority);
/* Make room for one per place, if it is in several partitions. */
void jobrec_make_priorities(struct slurm_writer *writer, job_record_t *job);
/* Give it the priority that was set by hand in all places. Job write lock. */
void jobrec_spread_priority(struct slurm_writer *writer, job_record_t *job);

/* Set its priority at a place and, if that is the current one, what squeue shows, too. Returns
 * whether either changed. Job write lock. */
bool jobrec_change_priority(struct slurm_writer *writer, job_record_t *job, uint32_t place,
			    bool current, uint32_t priority);

/* ---- its schedulers ---- */

bool jobrec_was_looked_at(const job_record_t *job);  /* by some scheduler, since its submission */
bool jobrec_backfill_looks(const job_record_t *job); /* and not the main scheduler */
uint16_t jobrec_warn_time(const job_record_t *job);  /* --signal: seconds before its end */
/* When Slurm last told others to make way for it; 0: never. */
time_t jobrec_preempts_since(const job_record_t *job);
uint32_t jobrec_grace(job_record_t *job); /* seconds that it gets if it is preempted */

/* ---- why it waits ---- */

enum job_state_reason jobrec_reason(const job_record_t *job);
const char *jobrec_reason_name(enum job_state_reason reason);
const char *jobrec_reason_text(const job_record_t *job); /* state_desc; may be NULL */
/* text is copied; NULL: none. */
void jobrec_set_reason(struct slurm_writer *writer, job_record_t *job, enum job_state_reason reason,
		       const char *text);

#endif
