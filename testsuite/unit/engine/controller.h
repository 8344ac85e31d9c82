/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A slurmctld on paper: what the engine takes of slurmctld itself, for tests in one thread. Nodes
 * and partitions are read from lines of slurm.conf by Slurm's own library, and records are of
 * Slurm's types. There are no daemons: a test says when a job is submitted, looked at, and ends.
 *
 * The locks check what they can see: who takes one has none of Slurm's, and not the engine's mutex;
 * who lets go of one has it; and what slurmctld's functions want held is held. A mistake aborts the
 * test.
 */
#ifndef MAUI_UNIT_ENGINE_CONTROLLER_H
#define MAUI_UNIT_ENGINE_CONTROLLER_H

#include "plugins/compat/compat.h"

#include <stdbool.h>
#include <stdint.h>

/* Aborts the test, from wherever. */
#define CONTROLLER_REQUIRE(condition, ...)                                                         \
	do {                                                                                       \
		if (!(condition))                                                                  \
			controller_fail(__FILE__, __LINE__, #condition, __VA_ARGS__);              \
	} while (0)

__attribute__((format(printf, 4, 5), noreturn)) void
controller_fail(const char *file, int line, const char *condition, const char *format, ...);

/* ---- the machine ---- */

/* A slurm.conf with these lines of nodes and partitions is written into the directory and read:
 * StateSaveLocation is there, too, and maui.cfg. more: other lines, or "". All nodes are idle, and
 * each CPU is a core. */
void controller_begin(const char *directory, const char *machine, const char *more);

node_record_t *controller_node(const char *name);

/* Of a node: NODE_STATE_IDLE, _DOWN and the like, with flags. */
void controller_state(const char *node, uint32_t state);

/* A QOS that slurmdbd has, for jobs to name. */
slurmdb_qos_rec_t *controller_qos(const char *name);

/* An association: of an account below root, or, with a user, below the account. */
slurmdb_assoc_rec_t *controller_assoc(const char *account, const char *user, uint32_t shares);

/* ---- jobs ---- */

/* What is 0 or NULL is as if nobody had asked: one CPU, an hour, the first partition, root. */
struct controller_job {
	uint32_t id; /* the next one */
	const char *user, *account, *qos;
	const char *partitions;                /* "a,b" */
	uint32_t cpus, nodes, minutes, memory; /* MB on each node */
	uint32_t tasks;                        /* as many as CPUs */
	int64_t ago;                           /* seconds since it was submitted */
	int32_t nice;
	const char *comment;
	const char *features; /* "a&b", "a|b" */
	const char *prefer;
	const char *on;         /* --nodelist: these nodes alone */
	const char *except;     /* --exclude */
	uint32_t task_of_array; /* the array's number: it is a task of it */
	bool held;
	bool exclusive;
};

/* A job that waits, as it is when Slurm has accepted it and priority_p_set() has not been asked. */
job_record_t *controller_job(const struct controller_job *job);
#define JOB(...) controller_job(&(struct controller_job){__VA_ARGS__})

/* Slurm accepts it: it gets its priority. */
job_record_t *controller_submit(const struct controller_job *job);
#define SUBMIT(...) controller_submit(&(struct controller_job){__VA_ARGS__})

/* They are the parts of one heterogeneous job, the leader first. */
void controller_join(job_record_t **parts, uint32_t count);

/*
 * A scheduler looks at a job: the engine is asked in the order in which select/maui asks, nodes of
 * reservations are Slurm's to refuse, and then the job runs on the first nodes in order that have
 * room, or not. main: the main scheduler; else backfill.
 */
bool controller_try(job_record_t *job, bool main_scheduler);

/* It runs there already, which the engine is not told: as after slurmctld's start. Each node gives
 * its share of the CPUs. */
void controller_runs(job_record_t *job, const char *nodes);

/* Its run ends now. */
void controller_end(job_record_t *job, uint32_t state);

/* A step of it ends, which held all that the job has since its start, and used so many
 * processor-seconds. */
void controller_step_ends(job_record_t *job, double used);

/* It is requeued, and waits again. */
void controller_requeue(job_record_t *job);

/* It is suspended, or goes on. */
void controller_suspend(job_record_t *job, bool suspended);

/* The job is not in Slurm's list any more. */
void controller_purge(job_record_t *job);

/* ---- reservations ---- */

/* Somebody else's, from now on. */
slurmctld_resv_t *controller_reservation(const char *name, const char *nodes, int64_t start,
					 int64_t end, const char *users);
slurmctld_resv_t *controller_find_reservation(const char *name);
uint32_t controller_reservation_count(void);

/* How often each was asked for and done. */
struct controller_counts {
	uint32_t created, updated, deleted; /* reservations */
	uint32_t kicks;                     /* queue_job_scheduler() */
};
extern struct controller_counts controller_counts;

/* What create_resv() and update_resv() say from now on; SLURM_SUCCESS: they do it. */
extern int controller_reservation_error;

/* ---- locks ---- */

void controller_lock_all(void); /* as the schedulers hold them */
void controller_unlock_all(void);
bool controller_holds_locks(void);

/* Of the engine's mutex: drive.c tells. */
extern bool controller_mutex_held;

#endif
