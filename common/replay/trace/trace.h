/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A workload that was recorded: who asked for what and when, how long it ran, and when it began.
 * Texts are turned into numbers while it is read, so that a replay compares none.
 *
 * Times are epoch seconds if the trace says when it begins, and else count from its own beginning.
 */
#ifndef MAUI_REPLAY_TRACE_H
#define MAUI_REPLAY_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/credential.h"
#include "common/util/idmap.h"
#include "common/util/intern.h"

#define MAUI_REPLAY_UNKNOWN INT64_MIN
/* No time, length and number of processors is beyond these: sums of a trace fit in 64 bits. */
#define MAUI_REPLAY_MAX_TIME   (INT64_C(1) << 40)
#define MAUI_REPLAY_MAX_LENGTH (INT64_C(1) << 31)
#define MAUI_REPLAY_MAX_PROCS  (UINT32_C(1) << 24)
/* Of a job, how many different numbers of processors its nodes may have. */
#define MAUI_REPLAY_SPLITS 4

struct maui_replay_job {
	int64_t submitted;
	int64_t started;     /* as recorded; MAUI_REPLAY_UNKNOWN */
	int64_t number;      /* its own, in the trace */
	int64_t memory;      /* MB, the whole job's; 0: it asks for none */
	int64_t run;         /* seconds, 1..estimate */
	int64_t recorded;    /* seconds that it has run by the record, beyond estimate too */
	int64_t estimate;    /* seconds asked for; the run time if none is known */
	uint32_t procs;      /* at least 1 */
	uint32_t nodes;      /* at least so many; 0: it asks for no number of them */
	uint32_t had_nodes;  /* it ran on so many; 0: not known, or it runs already */
	uint32_t split;      /* of trace->splits: what it had on each; 0: as evenly as can be */
	uint32_t line;       /* of the trace */
	uint32_t part;       /* 7 of 100_7 and 100[7], whose number is 100; with a mark */
	uint32_t again;      /* so many runs of it were read before */
	uint32_t constraint; /* of trace->constraints: features as sacct has them; 0: none */
	uint32_t gres;       /* of trace->gres: `gpu=4,gpu:a100=4`, the whole job's; 0: none */
	uint32_t credential[MAUI_CREDENTIALS]; /* of names[]; 0: none */
	/* It runs when the replay begins: run and estimate are what is left of it. */
	bool running;
	char mark;                         /* '_', '[', or '\0' */
	bool unfinished;                   /* when it was recorded: run is a guess */
	bool uneven;                       /* divided over its nodes in too many ways */
	bool no_limit;                     /* it asked for no time: estimate is the run time */
	uint32_t first_place, place_count; /* where, if that is known: of trace->places */
};

/* What a job that runs already has on a node. */
struct maui_replay_place {
	uint32_t node; /* of trace->nodes */
	uint32_t cpus;
};

/* What was left out, or made up, and of how many jobs. */
enum maui_replay_lack {
	MAUI_REPLAY_NO_SUBMISSION, /* these are left out */
	MAUI_REPLAY_NO_RUN,
	MAUI_REPLAY_NO_PROCS,
	MAUI_REPLAY_TOO_LARGE, /* for the machine */
	MAUI_REPLAY_PARTIAL, /* one run of a job that was interrupted, whose sum has a line, too */
	MAUI_REPLAY_STEP,
	MAUI_REPLAY_HETEROGENEOUS, /* a component of such a job */
	MAUI_REPLAY_DUPLICATE,
	MAUI_REPLAY_NO_ESTIMATE, /* these are not */
	MAUI_REPLAY_STILL_RUNS,
	MAUI_REPLAY_OVERRUN, /* ran longer than it asked for */
	MAUI_REPLAY_NO_START,
	MAUI_REPLAY_NO_USER,
	MAUI_REPLAY_UNEVEN,   /* over its nodes, in too many ways */
	MAUI_REPLAY_HELD,     /* left out */
	MAUI_REPLAY_NO_NODES, /* left out: nodes.h */
	MAUI_REPLAY_CLOSED,   /* left out by their partition: partitions.h */
	MAUI_REPLAY_MAX_TIME_OF,
	MAUI_REPLAY_MAX_NODES_OF,
	MAUI_REPLAY_MIN_NODES_OF,
	MAUI_REPLAY_NO_PARTITION,     /* that the machine has */
	MAUI_REPLAY_OTHER_CONSTRAINT, /* than is understood */
	MAUI_REPLAY_LACKS
};

/* `jobs without a run time, left out` */
const char *maui_replay_lack_text(enum maui_replay_lack lack);
/* Its name in JSON: `no_run_time`. */
const char *maui_replay_lack_name(enum maui_replay_lack lack);

struct maui_replay_trace {
	struct maui_replay_job *jobs; /* by submission; those of one second as in the file */
	size_t count, room;
	struct maui_intern *names[MAUI_CREDENTIALS];
	struct maui_intern *constraints, *gres, *nodes;
	struct maui_intern *splits; /* `2x8+1x4`: 8 processors on each of 2 nodes, 4 on another */
	struct maui_replay_place *places;
	size_t place_used, place_room;
	/* Jobs that were submitted earlier wait then; INT64_MIN: it begins with the first one. */
	int64_t begin;
	int64_t epoch;  /* when it begins; 0: not known */
	uint32_t procs; /* of the machine, as the trace says; 0: it does not */
	size_t lacking[MAUI_REPLAY_LACKS];
	/* Of maui_replay_trace_add_once(): a hash of what tells a job apart to its index + 1. */
	struct maui_idmap distinct;
	struct maui_idmap ids; /* the same of its id alone: the last run */
	size_t bad_lines;
	bool raw_ids; /* nothing tells components of heterogeneous jobs from jobs */
};

/* When the first job comes, or all that have come before begin to be scheduled. There is a job. */
static inline int64_t maui_replay_trace_begin(const struct maui_replay_trace *trace)
{
	int64_t first = trace->jobs[0].submitted;

	return first < trace->begin ? trace->begin : first;
}

/*
 * What a reader says of a line that it cannot read; lines and columns from 1 on. The line is left
 * out.
 */
struct maui_replay_complaints {
	void (*bad_line)(void *context, uint32_t line, uint32_t column, const char *text);
	void *context;
};

struct maui_replay_trace *maui_replay_trace_new(void);
struct maui_replay_trace *maui_replay_trace_free(struct maui_replay_trace *trace); /* or NULL */

/*
 * Add a job as it was recorded, or count what it lacks: run and procs of 0 or less, and an estimate
 * or start of MAUI_REPLAY_UNKNOWN, are not known. A job that ran longer than it asked for ends when
 * its time is over: Gaussier et al., SC'15.
 */
void maui_replay_trace_add(struct maui_replay_trace *trace, const struct maui_replay_job *recorded,
			   int64_t procs);

/*
 * The same for a job of a record that may have one more than once, as of two exports that overlap:
 * the same number, part, submission and start are the same job. It is counted once, and its end
 * counts if one of them has it.
 */
void maui_replay_trace_add_once(struct maui_replay_trace *trace,
				const struct maui_replay_job *recorded, int64_t procs);

/*
 * How the processors of the job that is added next were divided over its nodes: those of each, which
 * are sorted. More different numbers than MAUI_REPLAY_SPLITS are counted, and as if not known.
 */
void maui_replay_trace_split(struct maui_replay_trace *trace, struct maui_replay_job *job,
			     uint32_t *cpus, uint32_t nodes);

/* Where the job that is added next runs. */
void maui_replay_trace_place(struct maui_replay_trace *trace, struct maui_replay_job *job,
			     const char *node, uint32_t cpus);

/*
 * The number of a name of any length in one of the trace's tables, 0 for an empty one; the text
 * need not end with NUL.
 */
uint32_t maui_replay_trace_name(struct maui_intern *table, const char *text, size_t size);

/* Of `cpu=4,gres/gpu=2,...` the GRES, as job->gres has them. */
uint32_t maui_replay_trace_gres(struct maui_replay_trace *trace, const char *tres, size_t size);

#define MAUI_REPLAY_ID_SIZE 48

/* `100`, `100_7`, and PBS's `100[7]`: what users call it; `100#2` if it is requeued and runs again.
 * Returns text. */
const char *maui_replay_job_id(const struct maui_replay_job *job, char text[MAUI_REPLAY_ID_SIZE]);

/* The most processors that its jobs had at once by their recorded starts. */
int64_t maui_replay_trace_peak(const struct maui_replay_trace *trace);

/*
 * Once all are added: in the order of submission, without those that ask for more than procs
 * processors, and without starts before the submission, which are not known then.
 */
void maui_replay_trace_finish(struct maui_replay_trace *trace, uint32_t procs);

/* The shortest time limit of all jobs; MAUI_REPLAY_MAX_LENGTH if there are none. */
int64_t maui_replay_shortest(const struct maui_replay_trace *trace);

#endif
