/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects jobs, counts those left out or changed by reason, merges duplicates
 * through a hash, and sorts jobs by submission.
 */
#include "common/replay/trace/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/keysort.h"
#include "common/util/memory.h"
#include "common/util/text.h"

static const struct {
	const char *name, *text;
} lacks[MAUI_REPLAY_LACKS] = {
	[MAUI_REPLAY_NO_SUBMISSION] = {"no_submission", "without a submission time, left out"},
	[MAUI_REPLAY_NO_RUN] = {"no_run_time", "that never ran, or whose run time is not known, "
					       "left out"},
	[MAUI_REPLAY_NO_PROCS] = {"no_processors", "without a number of processors, left out"},
	[MAUI_REPLAY_TOO_LARGE] = {"too_large", "larger than the machine, left out"},
	[MAUI_REPLAY_PARTIAL] = {"partial_runs", "that are one part of a job that was interrupted, "
						 "left out"},
	[MAUI_REPLAY_STEP] = {"steps", "that are steps, left out"},
	[MAUI_REPLAY_HETEROGENEOUS] =
		{"heterogeneous", "that are components of heterogeneous jobs, whose components "
				  "begin together: not included, left out"},
	[MAUI_REPLAY_DUPLICATE] = {"duplicates", "that are there more than once, counted once"},
	[MAUI_REPLAY_STILL_RUNS] = {"still_running",
				    "that still ran when they were recorded: their "
				    "time limit is taken for their run time"},
	[MAUI_REPLAY_NO_ESTIMATE] = {"no_time_limit", "without a time limit: their run time is "
						      "taken for it"},
	[MAUI_REPLAY_OVERRUN] = {"overrun", "that ran longer than their time limit: they "
					    "end when it is over"},
	[MAUI_REPLAY_NO_START] = {"no_start", "whose recorded start is not known"},
	[MAUI_REPLAY_NO_USER] = {"no_user", "without a user"},
	[MAUI_REPLAY_UNEVEN] = {"uneven", "that had more than four different numbers of "
					  "processors on their nodes: divided evenly"},
	[MAUI_REPLAY_HELD] = {"held", "that are held, or wait for others, left out"},
	[MAUI_REPLAY_NO_NODES] = {"no_nodes", "that the machine's nodes cannot hold, left out"},
	[MAUI_REPLAY_CLOSED] = {"partition_closed", "of a partition whose State lets none in, left "
						    "out"},
	[MAUI_REPLAY_MAX_TIME_OF] = {"beyond_max_time", "that ask for more than their partition's "
							"MaxTime, left out"},
	[MAUI_REPLAY_MAX_NODES_OF] = {"beyond_max_nodes",
				      "that ask for, or had, more than their partition's "
				      "MaxNodes, left out"},
	[MAUI_REPLAY_MIN_NODES_OF] = {"below_min_nodes", "that had fewer nodes than their "
							 "partition's MinNodes, left out"},
	[MAUI_REPLAY_NO_PARTITION] = {"no_partition", "of a partition that the machine does not "
						      "have: any node may be theirs"},
	[MAUI_REPLAY_OTHER_CONSTRAINT] = {"other_constraint", "with a constraint of more than "
							      "features joined by & or by |: "
							      "any node may be theirs"},
};

const char *maui_replay_lack_text(enum maui_replay_lack lack)
{
	return lacks[lack].text;
}

const char *maui_replay_lack_name(enum maui_replay_lack lack)
{
	return lacks[lack].name;
}

struct maui_replay_trace *maui_replay_trace_new(void)
{
	struct maui_replay_trace *trace = maui_calloc(1, sizeof(*trace));

	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		trace->names[type] = maui_intern_new();
	trace->constraints = maui_intern_new();
	trace->gres = maui_intern_new();
	trace->splits = maui_intern_new();
	trace->nodes = maui_intern_new();
	trace->begin = INT64_MIN;
	return trace;
}

struct maui_replay_trace *maui_replay_trace_free(struct maui_replay_trace *trace)
{
	if (!trace)
		return NULL;
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		maui_intern_free(trace->names[type]);
	maui_intern_free(trace->constraints);
	maui_intern_free(trace->gres);
	maui_intern_free(trace->splits);
	maui_intern_free(trace->nodes);
	maui_idmap_clear(&trace->distinct);
	maui_idmap_clear(&trace->ids);
	free(trace->places);
	free(trace->jobs);
	free(trace);
	return NULL;
}

/* What keeps a job out; MAUI_REPLAY_LACKS: nothing. */
static enum maui_replay_lack left_out(const struct maui_replay_job *job, int64_t procs)
{
	if (job->submitted == MAUI_REPLAY_UNKNOWN)
		return MAUI_REPLAY_NO_SUBMISSION;
	if (job->run <= 0)
		return MAUI_REPLAY_NO_RUN;
	if (procs <= 0)
		return MAUI_REPLAY_NO_PROCS;
	return procs > MAUI_REPLAY_MAX_PROCS ? MAUI_REPLAY_TOO_LARGE : MAUI_REPLAY_LACKS;
}

static int64_t trace_shorter(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Of any number of seconds to those that it runs here. */
static void bound_run(struct maui_replay_trace *trace, struct maui_replay_job *job)
{
	job->run = trace_shorter(job->run, MAUI_REPLAY_MAX_LENGTH);
	job->estimate = trace_shorter(job->estimate, MAUI_REPLAY_MAX_LENGTH);
	if (job->run <= job->estimate)
		return;
	trace->lacking[MAUI_REPLAY_OVERRUN]++;
	job->estimate = job->estimate > 0 ? job->estimate : 1;
	job->run = job->estimate;
}

void maui_replay_trace_add(struct maui_replay_trace *trace, const struct maui_replay_job *recorded,
			   int64_t procs)
{
	enum maui_replay_lack lack = left_out(recorded, procs);
	struct maui_replay_job *job;

	if (lack != MAUI_REPLAY_LACKS) {
		trace->lacking[lack]++;
		return;
	}
	trace->jobs = maui_grow(trace->jobs, trace->count + 1, &trace->room, sizeof(*trace->jobs));
	job = &trace->jobs[trace->count++];
	*job = *recorded;
	job->procs = (uint32_t)procs;
	if (!job->unfinished)
		job->recorded = job->run;
	if (job->estimate == MAUI_REPLAY_UNKNOWN) {
		trace->lacking[MAUI_REPLAY_NO_ESTIMATE]++;
		job->estimate = job->run;
		job->no_limit = true;
	}
	trace->lacking[MAUI_REPLAY_STILL_RUNS] += job->unfinished;
	bound_run(trace, job);
	trace->lacking[MAUI_REPLAY_NO_START] +=
		job->started == MAUI_REPLAY_UNKNOWN && trace->begin == INT64_MIN;
	trace->lacking[MAUI_REPLAY_NO_USER] += !job->credential[MAUI_USER];
	trace->lacking[MAUI_REPLAY_UNEVEN] += job->uneven;
}

static bool is_same(const struct maui_replay_job *a, const struct maui_replay_job *b)
{
	return a->number == b->number && a->mark == b->mark && a->part == b->part &&
	       a->submitted == b->submitted && a->started == b->started;
}

/* How many runs of a requeued job are there before one that is added now. */
static uint32_t count_runs(struct maui_replay_trace *trace, const struct maui_replay_job *job)
{
	const int64_t parts[] = {job->number, job->mark, job->part};

	for (uint32_t seed = 1;; seed++) {
		uint32_t key = maui_hash(MAUI_HASH_SEED + seed, parts, sizeof(parts), false);
		uint32_t at = maui_idmap_find(&trace->ids, key);
		const struct maui_replay_job *last = at ? &trace->jobs[at - 1] : NULL;

		if (last && (last->number != job->number || last->mark != job->mark ||
			     last->part != job->part))
			continue;
		maui_idmap_set(&trace->ids, key, (uint32_t)trace->count + 1);
		return last ? last->again + 1 : 0;
	}
}

static uint32_t hash_of(const struct maui_replay_job *job, uint32_t seed)
{
	const int64_t parts[] = {job->number, job->mark, job->part, job->submitted, job->started};

	return maui_hash(MAUI_HASH_SEED + seed, parts, sizeof(parts), false);
}

/* The job that is there already, or NULL and a key that is free. */
static struct maui_replay_job *find_same(struct maui_replay_trace *trace,
					 const struct maui_replay_job *job, uint32_t *ret_key)
{
	uint32_t at;

	for (uint32_t seed = 0;; seed++) {
		*ret_key = hash_of(job, seed);
		at = maui_idmap_find(&trace->distinct, *ret_key);
		if (!at)
			return NULL;
		if (is_same(&trace->jobs[at - 1], job))
			return &trace->jobs[at - 1];
	}
}

/* What is known now of a run that had not ended. */
static void finish_run(struct maui_replay_trace *trace, struct maui_replay_job *known,
		       const struct maui_replay_job *job)
{
	/* It is counted anew. */
	trace->lacking[MAUI_REPLAY_OVERRUN] -=
		!known->no_limit &&
		trace_shorter(known->recorded, MAUI_REPLAY_MAX_LENGTH) > known->estimate;
	known->run = known->recorded = job->run;
	known->unfinished = false;
	if (known->no_limit)
		known->estimate = job->run;
	trace->lacking[MAUI_REPLAY_STILL_RUNS]--;
	bound_run(trace, known);
}

void maui_replay_trace_add_once(struct maui_replay_trace *trace,
				const struct maui_replay_job *recorded, int64_t procs)
{
	size_t before = trace->count;
	struct maui_replay_job *known, job = *recorded;
	uint32_t key;

	if (left_out(recorded, procs) != MAUI_REPLAY_LACKS) {
		maui_replay_trace_add(trace, recorded, procs);
		return;
	}
	known = find_same(trace, recorded, &key);
	if (!known) {
		job.again = count_runs(trace, recorded);
		maui_replay_trace_add(trace, &job, procs);
		maui_idmap_set(&trace->distinct, key, (uint32_t)before + 1);
		return;
	}
	trace->lacking[MAUI_REPLAY_DUPLICATE]++;
	if (known->unfinished && !recorded->unfinished)
		finish_run(trace, known, recorded);
}

void maui_replay_trace_place(struct maui_replay_trace *trace, struct maui_replay_job *job,
			     const char *node, uint32_t cpus)
{
	trace->places = maui_grow(trace->places, trace->place_used + 1, &trace->place_room,
				  sizeof(*trace->places));
	if (!job->place_count++)
		job->first_place = (uint32_t)trace->place_used;
	trace->places[trace->place_used++] =
		(struct maui_replay_place){maui_intern_add(trace->nodes, node), cpus};
}

static int most_first(const void *first, const void *second)
{
	uint32_t a = *(const uint32_t *)first, b = *(const uint32_t *)second;

	return a > b ? -1 : a < b;
}

void maui_replay_trace_split(struct maui_replay_trace *trace, struct maui_replay_job *job,
			     uint32_t *cpus, uint32_t nodes)
{
	char text[MAUI_REPLAY_SPLITS * 24];
	uint32_t numbers = 0;
	size_t used = 0;

	if (nodes)
		qsort(cpus, nodes, sizeof(*cpus), most_first);
	if (nodes < 2 || cpus[0] - cpus[nodes - 1] < 2)
		return; /* as evenly as can be */
	for (uint32_t i = 0, next; i < nodes; i = next) {
		for (next = i; next < nodes && cpus[next] == cpus[i]; next++)
			;
		if (++numbers > MAUI_REPLAY_SPLITS) {
			job->uneven = true;
			return;
		}
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%ux%u",
					 used ? "+" : "", next - i, cpus[i]);
	}
	job->split = maui_replay_trace_name(trace->splits, text, used);
}

uint32_t maui_replay_trace_name(struct maui_intern *table, const char *text, size_t size)
{
	uint32_t number;
	char *name;

	if (!size)
		return 0;
	name = maui_strndup(text, size);
	number = maui_intern_add(table, name);
	free(name);
	return number;
}

uint32_t maui_replay_trace_gres(struct maui_replay_trace *trace, const char *tres, size_t size)
{
	static const char mark[] = "gres/";
	const char *end = tres + size;
	char *text = maui_malloc(size + 1, 1);
	size_t used = 0;
	uint32_t number;

	while (tres < end) {
		const char *comma = memchr(tres, ',', (size_t)(end - tres));
		const char *stop = comma ? comma : end, *name = tres + strlen(mark);

		if (stop > name && !memcmp(tres, mark, strlen(mark))) {
			if (used)
				text[used++] = ',';
			memcpy(text + used, name, (size_t)(stop - name));
			used += (size_t)(stop - name);
		}
		tres = comma ? comma + 1 : end;
	}
	number = maui_replay_trace_name(trace->gres, text, used);
	free(text);
	return number;
}

const char *maui_replay_job_id(const struct maui_replay_job *job, char text[MAUI_REPLAY_ID_SIZE])
{
	if (job->mark == '[')
		snprintf(text, MAUI_REPLAY_ID_SIZE, "%" PRId64 "[%u]", job->number, job->part);
	else if (job->mark)
		snprintf(text, MAUI_REPLAY_ID_SIZE, "%" PRId64 "%c%u", job->number, job->mark,
			 job->part);
	else
		snprintf(text, MAUI_REPLAY_ID_SIZE, "%" PRId64, job->number);
	if (job->again)
		snprintf(text + strlen(text), MAUI_REPLAY_ID_SIZE - strlen(text), "#%u",
			 job->again + 1);
	return text;
}

int64_t maui_replay_trace_peak(const struct maui_replay_trace *trace)
{
	struct maui_keysort_entry *events = maui_calloc(4 * trace->count + 1, sizeof(*events));
	int64_t used = 0, peak = 0;
	size_t count = 0;

	for (size_t i = 0; i < trace->count; i++) {
		const struct maui_replay_job *job = &trace->jobs[i];
		uint64_t start = (uint64_t)(job->started + MAUI_REPLAY_MAX_TIME);

		if (job->started == MAUI_REPLAY_UNKNOWN || job->unfinished)
			continue;
		/* Who ends in a second is before those who begin in it. */
		events[count++] = (struct maui_keysort_entry){start * 2 + 1, (uint32_t)i, 0};
		events[count++] = (struct maui_keysort_entry){(start + (uint64_t)job->recorded) * 2,
							      (uint32_t)i, 0};
	}
	maui_keysort(events, events + count, count);
	for (size_t i = 0; i < count; i++) {
		int64_t procs = trace->jobs[events[i].index].procs;

		used += events[i].key % 2 ? procs : -procs;
		peak = used > peak ? used : peak;
	}
	free(events);
	return peak;
}

static void drop_large(struct maui_replay_trace *trace, uint32_t procs)
{
	size_t kept = 0;

	for (size_t i = 0; i < trace->count; i++) {
		if (trace->jobs[i].procs > procs)
			trace->lacking[MAUI_REPLAY_TOO_LARGE]++;
		else
			trace->jobs[kept++] = trace->jobs[i];
	}
	trace->count = kept;
}

/* It began before it could, by the record: what it waited is not known. */
static void forget_early_starts(struct maui_replay_trace *trace)
{
	for (size_t i = 0; i < trace->count; i++) {
		struct maui_replay_job *job = &trace->jobs[i];

		if (job->started == MAUI_REPLAY_UNKNOWN || job->started >= job->submitted)
			continue;
		job->started = MAUI_REPLAY_UNKNOWN;
		trace->lacking[MAUI_REPLAY_NO_START]++;
	}
}

static bool is_sorted(const struct maui_replay_trace *trace)
{
	for (size_t i = 1; i < trace->count; i++)
		if (trace->jobs[i].submitted < trace->jobs[i - 1].submitted)
			return false;
	return true;
}

static void trace_sort(struct maui_replay_trace *trace)
{
	struct maui_keysort_entry *order = maui_calloc(2 * trace->count, sizeof(*order));
	struct maui_replay_job *sorted = maui_calloc(trace->count, sizeof(*sorted));

	for (size_t i = 0; i < trace->count; i++)
		order[i] = (struct maui_keysort_entry){
			.key = (uint64_t)(trace->jobs[i].submitted + MAUI_REPLAY_MAX_TIME),
			.index = (uint32_t)i};
	maui_keysort(order, order + trace->count, trace->count);
	for (size_t i = 0; i < trace->count; i++)
		sorted[i] = trace->jobs[order[i].index];
	free(order);
	free(trace->jobs);
	trace->jobs = sorted;
	trace->room = trace->count;
}

void maui_replay_trace_finish(struct maui_replay_trace *trace, uint32_t procs)
{
	drop_large(trace, procs);
	forget_early_starts(trace);
	if (!is_sorted(trace))
		trace_sort(trace);
}

int64_t maui_replay_shortest(const struct maui_replay_trace *trace)
{
	int64_t shortest = MAUI_REPLAY_MAX_LENGTH;

	for (size_t i = 0; i < trace->count; i++)
		if (trace->jobs[i].estimate < shortest)
			shortest = trace->jobs[i].estimate;
	return shortest;
}
