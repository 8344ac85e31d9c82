/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What policies know of a job that waits or is about to start: read from its
 * record in one place, in one go. All that decides about the job asks the
 * facts; what sets something in the record asks jobrec.h.
 */
#ifndef MAUI_ENGINE_JOBREC_FACTS_H
#define MAUI_ENGINE_JOBREC_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/compat/base.h"

/* True as long as the lock is held under which it was read. */
struct jobrec_facts {
	/* For what few jobs have, GRES, several places, tasks of an array, parts
	 * of a heterogeneous job; and for what only a scheduler's look shows. */
	const job_record_t *job;
	const part_record_t *partition; /* that Slurm is considering; NULL: it has lost it */
	const char *comment;            /* the record's; may be NULL */
	uint64_t node_memory;           /* MB per node, or per CPU with MEM_PER_CPU */
	int64_t submitted;
	int64_t begins; /* Slurm sets it when it finds the job free to start, clears it with a hold */
	int64_t system_priority; /* an absolute one, in the site factor; 0: none */
	uint32_t job_id;
	uint32_t array_id, array_task; /* 0: not of an array; NO_VAL: none, or those left */
	uint32_t het_id;               /* 0: of no heterogeneous job */
	uint32_t user, group, association;
	uint32_t qos; /* jobrec_qos() */
	uint32_t priority;
	int32_t nice, site_factor;
	uint32_t time_limit;  /* minutes, NO_VAL, INFINITE */
	uint32_t cpus, nodes; /* the least that it takes */
	uint32_t tasks;       /* 0: not said */
	uint32_t node_disk;   /* MB of --tmp per node */
	uint16_t reason;      /* why it waits */
	uint8_t mark;         /* enum job_mark */
	bool has_details : 1; /* else it asks for nothing, and its submission is not known */
	bool by_hand : 1;     /* its priority was set with scontrol or sview */
	bool expedited : 1;   /* 25.11: the first of all */
	bool depends : 1;     /* on other jobs, still */
	bool parkable : 1;    /* Slurm need not look after it while it cannot start */
};

/* Job read lock. */
void jobrec_facts_read(const job_record_t *job, struct jobrec_facts *ret_facts);

/* Seconds that it asks for, while no scheduler looks at it; 0 without a time limit. */
uint32_t jobrec_facts_walltime_asked(const struct jobrec_facts *facts);

/* Seconds that it gets in a partition by its limit, or the partition's own;
 * MAUI_INFINITY: neither has one. NULL: in none. Partition read lock. */
double jobrec_facts_walltime(const struct jobrec_facts *facts, const part_record_t *partition);

/*
 * Seconds that a pending job gets if it starts now, in the partition that Slurm is considering. A
 * job without a time limit gets its partition's default from the main scheduler, but all that the
 * partition allows from backfill. From 25.05 on backfill tries one with --time-min as if it asked
 * for that, and lets it have up to all that it `asked` for once it runs (S-SEL-17); 0: it has no limit
 * of its own, or that is not known, and it may get what its partition allows. Partition read lock.
 */
double jobrec_facts_walltime_at_start(const struct jobrec_facts *facts, uint32_t asked);

/*
 * Prefetch what an iteration reads and writes of a job: its members are on up
 * to 22 cache lines of the record, and waiting for them one after the other
 * would be most of an iteration's time. Addresses may be stale, because nothing
 * is followed; only jobrec_facts_prefetch_details() needs a record that exists.
 */
void jobrec_facts_prefetch(const void *record);
void jobrec_facts_prefetch_state(const void *record); /* its id, and whether it waits */
void jobrec_facts_prefetch_details(const job_record_t *job);

#endif
