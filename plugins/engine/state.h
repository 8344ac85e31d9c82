/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine's own state, for the files of this directory only. */
#ifndef MAUI_ENGINE_STATE_H
#define MAUI_ENGINE_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/policy/pe.h"
#include "plugins/engine/bypass.h"
#include "plugins/engine/api/engine.h"
#include "plugins/engine/queue/jobs.h"
#include "plugins/engine/limits/limits.h"
#include "plugins/engine/policy/names.h"
#include "plugins/engine/node_usage.h"
#include "plugins/engine/policy/policy.h"
#include "plugins/engine/policy/principals.h"
#include "plugins/engine/slurm/records.h"
#include "plugins/engine/runtime/site.h"
#include "plugins/engine/queue/snapshot.h"

enum engine_mode { ENGINE_STANDBY, ENGINE_SHADOW, ENGINE_PRIMARY };

struct engine {
	pthread_mutex_t mutex; /* guards all that follows */
	pthread_cond_t wake;   /* the engine's thread has something to do */
	pthread_cond_t idle;   /* an iteration has ended */
	bool thread_running;
	enum engine_mode mode;
	bool disabled; /* disable.h: only priorities are Maui's */
	bool busy;     /* an iteration is under way */
	bool reload_wanted, refresh_wanted;
	double retry;    /* an iteration is wanted then, monotonic seconds; INFINITY */
	int64_t started; /* epoch seconds */
	/* What the last iteration took, its reservations included; negative: there was none yet. */
	double iteration_seconds;

	struct site site;
	struct policy *policy;  /* never NULL once started */
	struct faults *refused; /* the newer maui.cfg that was not taken; NULL: none */
	bool reading;           /* maui.cfg is being read again */
	int64_t readings;       /* how often it was, since the start */
	struct principals *principals;
	int64_t principals_time; /* when they were asked for */
	struct names *names;
	struct jobs *jobs;
	struct bypass *bypass;
	bool jobs_changed; /* what the state file holds of jobs; see jobstate_file.h */
	bool last_save;    /* wanted by stop, before another controller takes over */
	double next_save;  /* not before this time, monotonic seconds */
	struct node_usage *node_usage;
	double nodes_seen;      /* in the last pass, monotonic seconds; -INFINITY: in none yet */
	bool nodes_changed;     /* what the state file holds of nodes; see node_usage_file.h */
	double next_nodes_save; /* not before this time, monotonic seconds */
	struct limits *limits;
	size_t blocked; /* jobs that wait for a limit or cap, or behind a soft one: an event may free them */
	struct maui_resources machine;
	struct qos_table qos;      /* of the last iteration */
	struct snapshot *snapshot; /* the last; NULL before the first iteration */
	uint64_t iteration;
	uint64_t change; /* counts priorities set outside iterations */
};

extern struct engine engine;

/* Whether the engine may act: primary, and slurmctld is not going down. Ask again whenever a lock of Slurm's was got,
 * as that may have taken a while. Takes the mutex. */
bool engine_is_primary(void);

/* Whether it may look at Slurm's records: the same, or a shadow of it. Takes the mutex. */
bool engine_may_look(void);

/* Read all files and begin, as primary or as shadow: 0, or SLURM_ERROR. No lock held. */
int engine_begin(enum engine_mode mode);

/* One iteration: collect, accrue, evaluate, store, publish. No lock held. */
void iteration_run(void);

/* The number that Slurm shows for a result: Maui's priority on its base, less nice, plus the site factor; 1..2^32-1. */
uint32_t slurm_priority(const struct maui_priority_result *result, int64_t base, int64_t nice,
			int64_t site_factor);

/* The same of a tracked job in one of its partitions, as the schedulers are to see it: one over a soft limit comes behind
 * others. The mutex is held. */
uint32_t tracked_priority(const job_record_t *job, const struct tracked_part *part);

/* REJECTNEGPRIOJOBS: whether we are the one who holds this job, and how we do and undo it. Job write lock. */
bool rejection_is_ours(const job_record_t *job, const struct tracked_job *tracked);
void rejection_hold(job_record_t *job, double sum);
void rejection_release(job_record_t *job);

/* A reference to a snapshot that was begun after this call, so that it shows all that its caller did before; the last one
 * if that takes longer than so many seconds. NULL if there is none. For the service. */
struct snapshot *engine_snapshot(int wait);

#endif
