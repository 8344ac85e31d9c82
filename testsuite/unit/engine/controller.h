/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A mock slurmctld: what the engine uses of slurmctld itself, for tests in one thread. Nodes and
 * partitions are read from lines of slurm.conf by Slurm's own library, and records have Slurm's
 * types. There are no daemons: a test says when a job is submitted, looked at, and ends.
 *
 * The locks check what they can: a caller that takes one holds neither another of Slurm's nor the
 * engine's mutex; a caller that releases one holds it; and slurmctld's functions are called with
 * the locks they need. A mistake aborts the test.
 */
#ifndef MAUI_UNIT_ENGINE_CONTROLLER_H
#define MAUI_UNIT_ENGINE_CONTROLLER_H

#include "plugins/compat/compat.h"

#include <stdbool.h>
#include <stdint.h>

/* Aborts the test, from anywhere. */
#define CONTROLLER_REQUIRE(condition, ...)                                                         \
	do {                                                                                       \
		if (!(condition))                                                                  \
			controller_fail(__FILE__, __LINE__, #condition, __VA_ARGS__);              \
	} while (0)

__attribute__((format(printf, 4, 5), noreturn)) void
controller_fail(const char *file, int line, const char *condition, const char *format, ...);

/* ---- the machine ---- */

/* Writes a slurm.conf with these lines of nodes and partitions into the directory and reads it;
 * StateSaveLocation and maui.cfg are there, too. more: other lines, or "". All nodes are idle, and
 * each CPU is a core. */
void controller_begin(const char *directory, const char *machine, const char *more);

node_record_t *controller_node(const char *name);

/* Makes a bitmap of nodes; false: some of them are unknown. */
bool controller_nodes(const char *names, bitstr_t **ret_nodes);

/* Sets a node's state: NODE_STATE_IDLE, _DOWN and the like, with flags. */
void controller_state(const char *node, uint32_t state);

/* Adds a QOS, as from slurmdbd, for jobs to name. */
slurmdb_qos_rec_t *controller_qos(const char *name);

/* Adds an association: of an account below root, or, with a user, below the account. */
slurmdb_assoc_rec_t *controller_assoc(const char *account, const char *user, uint32_t shares);

/* ---- jobs ---- */

/* Members that are 0 or NULL get the default: one CPU, an hour, the first partition, root. */
struct controller_job {
	uint32_t id; /* default: the next one */
	const char *user, *account, *qos;
	const char *partitions;                /* "a,b" */
	uint32_t cpus, nodes, minutes, memory; /* MB on each node */
	uint32_t tasks;                        /* default: as many as CPUs */
	int64_t ago;                           /* seconds since it was submitted */
	int32_t nice;
	const char *comment;
	const char *features; /* "a&b", "a|b" */
	const char *prefer;
	const char *on;         /* --nodelist: only these nodes */
	const char *except;     /* --exclude */
	uint32_t task_of_array; /* the id of the array that it is a task of */
	bool held;
	bool exclusive;
};

/* A pending job as Slurm has accepted it, before priority_p_set() is called. */
job_record_t *controller_job(const struct controller_job *job);
#define JOB(...) controller_job(&(struct controller_job){__VA_ARGS__})

/* Slurm accepts it, and it gets its priority. */
job_record_t *controller_submit(const struct controller_job *job);
#define SUBMIT(...) controller_submit(&(struct controller_job){__VA_ARGS__})

/* Makes them the parts of one heterogeneous job, the leader first. */
void controller_join(job_record_t **parts, uint32_t count);

/*
 * A scheduler looks at a job: the engine is called in the same order as by select/maui, Slurm
 * refuses reserved nodes, and then the job runs on the first nodes in order that have room, if any.
 * main: the main scheduler; else backfill.
 */
bool controller_try(job_record_t *job, bool main_scheduler);

/* The same with the main scheduler: the nodes of the job; "": it did not start. */
const char *controller_lands(job_record_t *job);

/* The scheduler goes on to this one of its partitions. */
void controller_considers(job_record_t *job, const char *partition);

/* It already runs there, but the engine is not told, as after slurmctld's start. Each node gives
 * its share of the CPUs. */
void controller_runs(job_record_t *job, const char *nodes);

/* Its run ends now. */
void controller_end(job_record_t *job, uint32_t state);

/* A step ends that held all of the job's resources since its start, and used so many
 * processor-seconds. */
void controller_step_ends(job_record_t *job, double used);

/* It is requeued, and pending again. */
void controller_requeue(job_record_t *job);

/* It is suspended or resumed. */
void controller_suspend(job_record_t *job, bool suspended);

/* Slurm purges the job from its list. */
void controller_purge(job_record_t *job);

/* ---- reservations ---- */

/* Adds a reservation that is not ours. */
slurmctld_resv_t *controller_reservation(const char *name, const char *nodes, int64_t start,
					 int64_t end, const char *users);
slurmctld_resv_t *controller_find_reservation(const char *name);
uint32_t controller_reservation_count(void);

/* How often each was requested and done. */
struct controller_counts {
	uint32_t created, updated, deleted; /* reservations */
	uint32_t refused;                   /* because of controller_reservation_error */
	uint32_t kicks;                     /* queue_job_scheduler() */
};
extern struct controller_counts controller_counts;

/* What create_resv() and update_resv() return from now on; SLURM_SUCCESS: they do their work. */
extern int controller_reservation_error;

/* An operator besides root and SlurmUser. */
extern uid_t controller_operator;

/* ---- locks ---- */

void controller_lock_all(void); /* as the schedulers hold them */
void controller_unlock_all(void);
bool controller_holds_locks(void);

/* Called before a lock is taken: others have it until this returns. NULL: nobody has it. */
extern void (*controller_waits)(void);

/* The engine's mutex, as tracked by drive.c. */
extern bool controller_mutex_held;

#endif
