/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui why: what is known about one job, and what follows from it. Each why_<idea>.c checks one
 * kind of reason and adds what it finds; text and JSON are both made from the list.
 */
#ifndef MAUI_WHY_H
#define MAUI_WHY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/text.h"
#include "contribs/maui/queue/queue.h"
#include "contribs/maui/queue/queue_sorted.h"
#include "contribs/maui/service/engine_request.h"

/*
 * What is known about a job of a queue, which is one of its records: a maui.why/1 without its
 * schema, which the caller puts. sorted: of the queue. engine: NULL if it cannot be asked; from
 * its last iteration. Who is ahead is left out: that would be most of the queue, for each job of a
 * page.
 */
struct json_object *why_explain(const struct engine *engine, struct json_object *queue,
				const struct queue_sorted *sorted, struct json_object *job);

/* In the order of the output. */
enum why_part {
	WHY_CAUSE, /* what holds it back now; the first of these is the answer in one sentence */
	WHY_NODES, /* what part of the machine is left to it */
	WHY_AHEAD, /* who comes first */
	WHY_FREES, /* what would free it */
	WHY_PLACE, /* for a running job: why these nodes */
	WHY_WHEN,  /* as far as it is known */
	/* Of a node: why_node.h. */
	WHY_NODE_STATE,
	WHY_NODE_JOBS,
	WHY_NODE_RESERVED,
	WHY_NODE_PLAN,
	WHY_NODE_WAITING,
	WHY_UNSEEN, /* what could not be seen */
	WHY_PARTS
};

struct why {
	const struct engine *service; /* where the engine is; NULL: unknown */
	bool quiet;                   /* no NOTE about what could not be asked */
	bool last;                    /* the engine's last iteration is enough */
	bool brief;                   /* how many are ahead is enough, without who they are */
	int ask_slurm; /* within so many seconds; 0: the queue is not of this moment, or one
			* question for each of many jobs would take too long */
	struct json_object *queue, *job;
	const struct queue_sorted *sorted; /* the queue's jobs */
	int64_t now;
	bool engine; /* it answers */
	/* From the engine; NULL: not asked, refused, or nothing to report. */
	struct json_object *blocked;   /* the job's row of diagnose-blocked */
	struct json_object *cap;       /* its row of diagnose-fairshare's blocked */
	struct json_object *admission; /* the data of explain-reservations */
	/* The reservation that the job asks for, as Slurm names it, or else as the job does; "":
	 * none. One of ours only the engine has. */
	const char *asks;
	struct json_object *order;   /* the data of explain-nodes */
	struct json_object *answers; /* an array that owns them */
	struct json_object *findings;
	char summary[1024];
};

/* ---- findings: why_findings.c --------------------------------------------------------------- */

/* {"part", "kind", "text", "facts"}; facts are used up (NULL: none). */
void why_add(struct why *why, enum why_part part, const char *kind, struct json_object *facts,
	     const char *format, ...) __attribute__((format(printf, 5, 6)));
bool why_has(const struct why *why, enum why_part part);
struct json_object *why_first(const struct why *why, enum why_part part); /* NULL: none */
/* In the order of the parts, not in which they were found. The caller puts it. */
struct json_object *why_in_order(const struct why *why);
const char *why_part_name(enum why_part part);
/* As text; and as the data of a maui.why/1. */
void why_print(const struct why *why);
struct json_object *why_data(const struct why *why);

/* Members of facts, besides those of json.h. A text that is NULL or empty is null, as is time 0. */
void why_fact_text(struct json_object *facts, const char *name, const char *text);
void why_fact_time(struct json_object *facts, const char *name, int64_t time);

/* "2026-11-22T05:10:00", in text; "not known" for 0. */
const char *why_time(int64_t time, char text[TEXT_DATE_SIZE]);

/* Appends text to a buffer, cut to fit. */
void why_append(char *buffer, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* "job", "jobs" */
const char *why_plural(int64_t count, const char *one, const char *many);

/* ---- what is asked: why_ask.c --------------------------------------------------------------- */

/* Where the engine is; NULL if it cannot be found, with a NOTE. Returns engine. */
const struct engine *why_find_engine(const struct cli *cli, struct engine *engine);
/* Fills the members from the engine; what it does not say becomes WHY_UNSEEN. */
void why_ask(struct why *why);

/* ---- jobs and nodes of the queue: why_queue.c ----------------------------------------------- */

/* The names of a list expression as a set, an object; empty if it is not one. */
struct json_object *why_node_set(const char *expression);
bool why_in_set(struct json_object *set, const char *name);
/* Seconds that it may run in a partition; INT64_MAX: no limit. */
int64_t why_walltime(struct json_object *job, struct json_object *partition);

/* ---- a whole explanation: why.c ------------------------------------------------------------- */

/* Its arrays, and the queue's time; the caller clears it. */
void why_open(struct why *why);
void why_clear(struct why *why);
/* Fills in the rest; the caller clears it. */
void why_explain_job(struct why *why);
/* All that may hold back a waiting job but nodes and other jobs. Holds come first, what depends on
 * other jobs last: the first is the answer. */
void why_causes(struct why *why);

/* ---- ideas ---------------------------------------------------------------------------------- */

void why_hold(struct why *why);
void why_dependency(struct why *why);
void why_begin(struct why *why);
void why_limit(struct why *why); /* of maui.cfg: limits, caps, QLIST */
void why_partition(struct why *why);
/* Why a partition does not start the job: "is DOWN: ...", with its facts; false: it does. */
bool why_refused(const struct why *why, struct json_object *partition, char *text, size_t size,
		 struct json_object *facts);
void why_slurm(struct why *why); /* Slurm's own limits, by its names */
/* Adds which limit of an association or a QOS a reason stands for, and whose it is; nothing if it
 * stands for none. */
void why_slurm_limit(struct why *why, const char *reason);
/* How much a limit in sacctmgr's words allows, and what is used of it, for each that has it. facts:
 * of the limit, for each. False: Slurm was not asked, or did not say; why is then in ret_problem. */
bool why_slurm_figures(struct why *why, bool of_qos, const char *limit, const char *tres,
		       struct json_object *facts, char *ret_problem, size_t room);
void why_license(struct why *why);
void why_reservation(struct why *why); /* the one it asks for */
/* Nodes of each partition, then who is ahead; also the cause, if it is one of these two. */
void why_place(struct why *why);
void why_plan(struct why *why); /* when, as Slurm expects it */
void why_running(struct why *why);

/*
 * What rules out the nodes of one partition for a job, each counted under the first that applies.
 */
enum why_obstacle {
	WHY_UNREGISTERED, /* slurmctld has just started, and its state is not known yet */
	WHY_DOWN,
	WHY_EXCLUDED,
	WHY_NODELIST, /* not among those that it names */
	WHY_FEATURES,
	WHY_SMALL,
	WHY_LIMITS,
	WHY_OUTSIDE, /* of the reservation that it asks for */
	WHY_RESERVED,
	WHY_BUSY,
	WHY_OBSTACLES
};
#define WHY_FREE      WHY_OBSTACLES
#define WHY_ELSEWHERE (WHY_OBSTACLES + 1) /* not in this partition */

/* What it needs of nodes, and how many it gets. */
struct why_need {
	int64_t nodes, max_nodes, tasks, procs,
		tasks_per_node; /* 0: not given; procs are per task */
	int64_t memory;         /* MB of a node */
	bool memory_is_per_proc, exclusive;
	int64_t disk;
};

struct why_nodes {
	struct json_object *partition;
	struct why_need need;
	int64_t total, out[WHY_OBSTACLES], left, left_tasks, free_procs;
	int64_t ever;             /* nodes that would do if unused, unreserved and up */
	int64_t up;               /* of these, those that take jobs */
	bool constraint_counts;   /* features were checked */
	unsigned char *obstacles; /* of each node of the queue: enum why_obstacle, or WHY_FREE, or
				   * WHY_ELSEWHERE */
	struct json_object *reserved; /* reservation: {"nodes", "text", "end"} */
	bool enough, never;
	bool named; /* it asks for just these nodes */
};

/* Looks at all nodes of a partition; the caller calls why_nodes_clear(). */
void why_nodes_look(struct why *why, struct json_object *partition, struct why_nodes *ret_nodes);
void why_nodes_clear(struct why_nodes *nodes);
/* "partition batch has 4 nodes: 1 down, 2 busy: 1 of the 2 it needs is left". */
void why_nodes_text(const struct why_nodes *nodes, char *text, size_t size);
struct json_object *why_nodes_facts(const struct why_nodes *nodes);
const char *why_obstacle_name(enum why_obstacle obstacle); /* "busy", as in the facts */
/*
 * Reservations that keep the job off their nodes (why_reservation.c). An object of sets:
 * reservation: {"nodes": {}, "text", "end"}.
 */
struct json_object *why_reserved(struct why *why, struct json_object *partition);

/* Who is ahead for the nodes of a partition: facts, with "count", and "jobs" if it is not brief. */
struct json_object *why_ahead(struct why *why, const struct why_nodes *nodes);

#endif
