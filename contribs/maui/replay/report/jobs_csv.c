/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A schedule in the columns of batsim's jobs.csv, so that evalys reads it. Its resources are
 * processors, those of a node side by side, in the order of the nodes. Which of its node's, or of a
 * pool's, a job has nobody knows: the lowest that are free, which is what a picture needs.
 */
#include "contribs/maui/replay/report/jobs_csv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/keysort.h"
#include "common/util/memory.h"

struct writing {
	const struct maui_replay_trace *trace;
	const struct maui_replay_schedule *schedule;
	struct maui_keysort_entry *events; /* ends and starts in time */
	size_t count;
	uint32_t *holder; /* by processor: the job that has it, from 1 on; 0: it is free */
	const struct maui_replay_nodes *nodes; /* NULL: a pool */
	uint32_t *first;                       /* by node: its first processor */
	FILE *file;
};

/* ---- the processors of a job ---- */

/* So many of the free processors from first to last. */
static void take_some(struct writing *writing, uint32_t job, uint32_t first, uint32_t last,
		      uint32_t wanted, const char **between)
{
	for (uint32_t i = first; i < last && wanted; i++) {
		uint32_t begin = i;

		for (; i < last && wanted && !writing->holder[i]; i++, wanted--)
			writing->holder[i] = job + 1;
		if (i == begin)
			continue;
		fprintf(writing->file, i - begin > 1 ? "%s%u-%u" : "%s%u", *between, begin, i - 1);
		*between = " ";
	}
}

static void give_back_some(struct writing *writing, uint32_t job, uint32_t first, uint32_t last)
{
	for (uint32_t i = first; i < last; i++)
		if (writing->holder[i] == job + 1)
			writing->holder[i] = 0;
}

static const struct maui_replay_share *share_of(const struct writing *writing, uint32_t job,
						uint32_t number)
{
	return &writing->schedule->shares[writing->schedule->first_share[job] + number];
}

/* "0-3 8", as batsim writes them. */
static void jobs_csv_take(struct writing *writing, uint32_t job)
{
	const char *between = "";

	if (!writing->nodes)
		take_some(writing, job, 0, writing->trace->procs, writing->trace->jobs[job].procs,
			  &between);
	for (uint32_t i = 0; writing->nodes && i < writing->schedule->share_count[job]; i++) {
		const struct maui_replay_share *share = share_of(writing, job, i);

		take_some(writing, job, writing->first[share->node],
			  writing->first[share->node + 1], share->cpus, &between);
	}
}

static void give_back(struct writing *writing, uint32_t job)
{
	if (!writing->nodes)
		give_back_some(writing, job, 0, writing->trace->procs);
	for (uint32_t i = 0; writing->nodes && i < writing->schedule->share_count[job]; i++) {
		uint32_t node = share_of(writing, job, i)->node;

		give_back_some(writing, job, writing->first[node], writing->first[node + 1]);
	}
}

/* ---- lines ---- */

static void write_line(struct writing *writing, uint32_t job)
{
	const struct maui_replay_job *record = &writing->trace->jobs[job];
	int64_t started = writing->schedule->started[job], wait = started - record->submitted;
	char id[MAUI_REPLAY_ID_SIZE];

	fprintf(writing->file,
		"%s,replay,%u,%" PRId64 ",%u,%" PRId64 ",1,COMPLETED_SUCCESSFULLY,%" PRId64
		",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%.6f,",
		maui_replay_job_id(record, id), job + 1, record->submitted, record->procs,
		record->estimate, started, record->run, started + record->run, wait,
		wait + record->run, (double)(wait + record->run) / (double)record->run);
	jobs_csv_take(writing, job);
	fputs(",-1,\n", writing->file);
}

/* Jobs that end in a second are before those that begin in it. */
static void list_events(struct writing *writing)
{
	for (size_t i = 0; i < writing->trace->count; i++) {
		int64_t started = writing->schedule->started[i];

		if (started == MAUI_REPLAY_UNKNOWN)
			continue;
		writing->events[writing->count++] = (struct maui_keysort_entry){
			.key = (uint64_t)started * 2 + 1, .index = (uint32_t)i};
		writing->events[writing->count++] = (struct maui_keysort_entry){
			.key = (uint64_t)(started + writing->trace->jobs[i].run) * 2,
			.index = (uint32_t)i};
	}
	maui_keysort(writing->events, writing->events + writing->count, writing->count);
}

static void jobs_csv_write_all(struct writing *writing)
{
	fputs("job_id,workload_name,profile,submission_time,requested_number_of_resources,"
	      "requested_time,success,final_state,starting_time,execution_time,finish_time,"
	      "waiting_time,turnaround_time,stretch,allocated_resources,consumed_energy,metadata\n",
	      writing->file);
	list_events(writing);
	for (size_t i = 0; i < writing->count; i++) {
		if (writing->events[i].key % 2)
			write_line(writing, writing->events[i].index);
		else
			give_back(writing, writing->events[i].index);
	}
}

static void number_processors(struct writing *writing)
{
	const struct maui_replay_nodes *nodes = writing->nodes;

	if (!nodes)
		return;
	writing->first = maui_calloc(nodes->count + (size_t)1, sizeof(*writing->first));
	for (uint32_t i = 0; i < nodes->count; i++)
		writing->first[i + 1] = writing->first[i] + nodes->nodes[i].cpus;
}

int jobs_csv_write(const char *path, const struct maui_replay_trace *trace,
		   const struct maui_replay_nodes *nodes,
		   const struct maui_replay_schedule *schedule)
{
	struct writing writing = {.trace = trace,
				  .schedule = schedule,
				  /* the schedulers of the literature know no nodes */
				  .nodes = schedule->first_share ? nodes : NULL};
	int code = EXIT_OK;

	writing.events = maui_calloc(4 * trace->count + 1, sizeof(*writing.events));
	writing.holder = maui_calloc(trace->procs + 1, sizeof(*writing.holder));
	number_processors(&writing);
	if (!(writing.file = fopen(path, "we")))
		code = fail(EXIT_ERRORS, "%s: cannot be written: %s", path, strerror(errno));
	else
		jobs_csv_write_all(&writing);
	if (writing.file && (ferror(writing.file) | fclose(writing.file)))
		code = fail(EXIT_ERRORS, "%s: cannot be written: %s", path, strerror(errno));
	free(writing.events);
	free(writing.holder);
	free(writing.first);
	return code;
}
