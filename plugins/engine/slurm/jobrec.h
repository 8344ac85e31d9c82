/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a job's record in Slurm says, for those who do not look into records: one function a fact.
 * Job read lock, to set anything the job write lock; partition read lock where a partition's record
 * is followed. Times are seconds since the epoch, 0: not yet; bitmaps are the record's, by node, and
 * not to be changed.
 */
#ifndef MAUI_ENGINE_JOBREC_H
#define MAUI_ENGINE_JOBREC_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "plugins/compat/base.h"

/* The record of a job; NULL: there is none. */
job_record_t *jobrec_find(uint32_t job_id);
job_record_t *jobrec_find_task(uint32_t array_id, uint32_t task);

/* Call visit for each job; it stops where that returns less than 0, and returns so. 0 without
 * records, as before slurmctld has read them. */
typedef int (*jobrec_visit_t)(job_record_t *job, void *context);
int jobrec_each(jobrec_visit_t visit, void *context);

/* Whether slurmctld has its jobs, partitions. */
bool jobrec_there(void);

/* squeue and others are to notice that some record is another now. Job write lock. */
void jobrec_touch(void);

/* The main scheduler is to look at the jobs soon. No lock. */
void jobrec_schedule(void);

/* ---- which job ---- */

uint32_t jobrec_id(const job_record_t *job);
uint32_t jobrec_array_id(const job_record_t *job);   /* 0: it is of no array */
uint32_t jobrec_array_task(const job_record_t *job); /* NO_VAL: none, or the tasks that are left */
uint32_t jobrec_het_id(const job_record_t *job);     /* 0: of no heterogeneous job */
bool jobrec_is_het_part(const job_record_t *job);    /* and not its leader */
uint32_t jobrec_user(const job_record_t *job);
const char *jobrec_account(const job_record_t *job); /* may be NULL, as the next two */
const char *jobrec_comment(const job_record_t *job);
const char *jobrec_reservation(const job_record_t *job); /* that it asks for by name */

/* ---- its state ---- */

bool jobrec_is_pending(const job_record_t *job);
bool jobrec_is_running(const job_record_t *job);
bool jobrec_is_suspended(const job_record_t *job);
bool jobrec_is_active(const job_record_t *job); /* runs or is suspended */
bool jobrec_is_finished(const job_record_t *job);
bool jobrec_is_completing(const job_record_t *job);
bool jobrec_lost_a_node(const job_record_t *job); /* it ended, or waits again, for that */

time_t jobrec_submitted(const job_record_t *job); /* 0: the record has no details any more */
time_t jobrec_begins(const job_record_t *job);    /* --begin, or when its dependency was met */
time_t jobrec_start(const job_record_t *job);
time_t jobrec_end(const job_record_t *job);

/* ---- what it asks for ---- */

/* Without details, which a job that has ended may lack, nothing is asked for. */
bool jobrec_has_details(const job_record_t *job);
uint32_t jobrec_tasks(const job_record_t *job); /* 0: not said */
uint32_t jobrec_min_cpus(const job_record_t *job);
uint32_t jobrec_min_nodes(const job_record_t *job);
uint16_t jobrec_cpus_per_task(const job_record_t *job);
uint16_t jobrec_tasks_per_node(const job_record_t *job);
uint32_t jobrec_time_limit(const job_record_t *job); /* minutes, NO_VAL, INFINITE */
bool jobrec_wants_whole_nodes(const job_record_t *job);

/* ---- where ---- */

/* The partition that Slurm looks at just now; NULL: it has lost it. */
part_record_t *jobrec_partition(const job_record_t *job);
const char *jobrec_class(const job_record_t *job); /* its name, or NULL */
/* How many it may run in, at least 1; whether it has named several. */
uint32_t jobrec_partitions(const job_record_t *job);
bool jobrec_has_partition_list(const job_record_t *job);

bitstr_t *jobrec_nodes(const job_record_t *job); /* of an active job; may be NULL */
uint32_t jobrec_cpus(const job_record_t *job);   /* that it has got, on all of them */

/* Call visit for each node that it holds, with its CPUs there and its memory in MB. */
typedef void (*jobrec_visit_node_t)(uint32_t node, uint16_t cpus, uint64_t memory, void *context);
void jobrec_each_node(const job_record_t *job, jobrec_visit_node_t visit, void *context);

/* Call visit for each node that it holds, with a map of cores: its own are those from first on, as
 * many as the node has. Never where Slurm has another table of nodes by now. */
typedef void (*jobrec_visit_cores_t)(uint32_t node, const bitstr_t *cores, uint32_t first,
				     void *context);
void jobrec_each_node_cores(const job_record_t *job, jobrec_visit_cores_t visit, void *context);

/* Set the bits of the cores that it holds; the map is of all nodes' cores. */
void jobrec_add_cores(const job_record_t *job, bitstr_t *cores);

/* ---- its priority ---- */

uint32_t jobrec_priority(const job_record_t *job);
void jobrec_set_priority(job_record_t *job, uint32_t priority);
bool jobrec_priority_is_by_hand(const job_record_t *job); /* scontrol's, sview's */

/* In its partitions, by place; a job in one partition has none. */
bool jobrec_has_priorities(const job_record_t *job);
uint32_t jobrec_priority_at(const job_record_t *job, uint32_t place);
void jobrec_set_priority_at(job_record_t *job, uint32_t place, uint32_t priority);
/* Room for one a partition, if it is in several. */
void jobrec_make_priorities(job_record_t *job);

/* ---- why it waits ---- */

enum job_state_reason jobrec_reason(const job_record_t *job);
const char *jobrec_reason_text(const job_record_t *job); /* state_desc; may be NULL */
/* text is copied; NULL: none. */
void jobrec_set_reason(job_record_t *job, enum job_state_reason reason, const char *text);

#endif
