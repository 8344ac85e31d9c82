/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job in Maui's words, from its record in a maui.queue/1 and from what the engine says about it,
 * if anything. */
#ifndef MAUI_JOB_FACTS_H
#define MAUI_JOB_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

/* No known end; no time limit. */
#define JOB_FOREVER (INT64_C(1) << 40)

enum job_phase {
	JOB_OVER,    /* not listed */
	JOB_ACTIVE,  /* has nodes */
	JOB_IDLE,    /* may start, as far as policies are concerned */
	JOB_BLOCKED, /* may not */
};

struct job_facts {
	struct json_object *job;                /* of the queue */
	struct json_object *blocked, *priority; /* rows of the engine's, or NULL */
	size_t at;                              /* place in the queue */
	enum job_phase phase;
	const char *state; /* Maui's word */
	const char *kind;  /* of JOB_BLOCKED: as in diagnose-blocked, or batch-hold; else NULL */
	int64_t procs;
	int64_t limit, remaining; /* seconds; JOB_FOREVER */
	int64_t submit, start;    /* start of a waiting job: as backfill plans it, or 0 */
	int64_t since;            /* when it became eligible; now, if it is not eligible yet */
	int64_t rank;             /* squeue's priority */
	bool reserved;            /* in Maui's sense: it runs, or backfill has planned it */
};

/* judged: the engine has answered, and its answer has all jobs that it blocks. */
void job_facts_read(struct job_facts *facts, int64_t now, bool judged);

/* Idle or blocked. */
bool job_waits(const struct job_facts *facts);

/* For JOB_BLOCKED, as the original says it after the job's name: "violates active HARD ...".
 * Returns buffer. */
const char *job_message(const struct job_facts *facts, char *buffer, size_t size);

/* 1 + queued time / limit; queued until now, or until it started. */
double job_xfactor(const struct job_facts *facts, int64_t now);

/* The members that a job has in every command's JSON. */
struct json_object *job_json(const struct job_facts *facts, int64_t now);

const char *job_name(const struct job_facts *facts);
bool job_has_flag(struct json_object *job, const char *flag);
/* Whether a job runs in, or asks for, a partition: "batch,fast". */
bool job_is_in(struct json_object *job, const char *partition);

#endif
