/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts a maui.queue/1: active jobs run for the rest of their time limit,
 * waiting array tasks become jobs, and held jobs are only counted.
 */
#include "contribs/maui/replay/input/queue_start.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"
#include "common/util/slurm/task_list.h"
#include "common/util/text.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/machine_use.h"
#include "contribs/maui/queue/queue.h"

#define NO_LIMIT     (INT64_C(365) * 24 * 3600) /* how long a job without one is taken to run */
#define MAX_TASKS    100000
#define MAX_JOBS     10000000u
#define UNSET(value) ((value) <= 0)
#define TEXT_SIZE    1024

bool queue_start_looks(const struct replay_file *file)
{
	return file->size && *file->bytes == '{';
}

/* ---- jobs ---- */

struct reading {
	struct json_object *queue;
	struct maui_replay_trace *trace;
	int64_t now;
};

static void read_names(const struct reading *reading, struct json_object *record,
		       struct maui_replay_job *job)
{
	static const char *const members[MAUI_CREDENTIALS] = {
		[MAUI_USER] = "user", [MAUI_GROUP] = "group",     [MAUI_ACCOUNT] = "account",
		[MAUI_QOS] = "qos",   [MAUI_CLASS] = "partition",
	};

	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		const char *text = member_text(record, members[type]);

		/* A waiting job may ask for several partitions: the first. */
		job->credential[type] = maui_replay_trace_name(reading->trace->names[type], text,
							       strcspn(text, ","));
	}
}

static int64_t time_limit(const struct reading *reading, struct json_object *record)
{
	int64_t limit = member_integer(record, "time_limit");
	const char *name = member_text(record, "partition");
	struct json_object *partition;

	if (!UNSET(limit))
		return limit;
	partition = queue_find(reading->queue, "partitions", name);
	limit = partition ? member_integer(partition, "max_time") : 0;
	return UNSET(limit) ? NO_LIMIT : limit;
}

static int64_t memory_of(struct json_object *record, const struct maui_replay_job *job,
			 int64_t procs)
{
	int64_t memory = member_integer(record, "memory");
	int64_t times = strcmp(member_text(record, "memory_per"), "cpu") != 0
				? (job->nodes ? job->nodes : 1)
				: procs;

	if (UNSET(memory) || memory > MAUI_REPLAY_MAX_MEMORY || UNSET(times) ||
	    times > MAUI_REPLAY_MAX_PROCS)
		return 0;
	return memory < MAUI_REPLAY_MAX_MEMORY / times ? memory * times : MAUI_REPLAY_MAX_MEMORY;
}

static void read_request(const struct reading *reading, struct json_object *record,
			 struct maui_replay_job *job)
{
	const char *tres = member_text(record, "tres");
	const char *features = member_text(record, "features");
	int64_t nodes = member_integer(record, "nodes");

	job->nodes = nodes > 0 && nodes <= MAUI_REPLAY_MAX_NODES ? (uint32_t)nodes : 0;
	job->memory = memory_of(record, job, member_integer(record, "procs"));
	job->constraint =
		maui_replay_trace_name(reading->trace->constraints, features, strlen(features));
	job->gres = maui_replay_trace_gres(reading->trace, tres, strlen(tres));
}

static void read_places(const struct reading *reading, struct json_object *record,
			struct maui_replay_job *job)
{
	struct json_object *allocated = member_array(record, "allocated");
	size_t count = allocated ? array_size(allocated) : 0;

	for (size_t i = 0; i < count; i++) {
		struct json_object *place = json_object_array_get_idx(allocated, i);
		int64_t procs = member_integer(place, "procs");

		if (*member_text(place, "node") && procs > 0 && procs <= MAUI_REPLAY_MAX_CPUS)
			maui_replay_trace_place(reading->trace, job, member_text(place, "node"),
						(uint32_t)procs);
	}
}

/* Those that still wait of an array: "4-9,12:2%3"; 1 for others. */
static uint32_t tasks_of(struct json_object *record)
{
	int64_t count = maui_task_list_count(member_text(record, "array_tasks"), MAX_TASKS);

	return count ? (uint32_t)count : 1;
}

/* Each task of an array counted. */
static uint64_t jobs_in(struct json_object *jobs)
{
	uint64_t count = 0;

	for (size_t i = 0; i < array_size(jobs); i++)
		count += tasks_of(json_object_array_get_idx(jobs, i));
	return count;
}

/* It does not wait for nodes, but for somebody. */
static bool is_held(struct json_object *record)
{
	const char *reason = member_text(record, "reason");

	return maui_begins(reason, "JobHeld") || maui_begins(reason, "Dependency") ||
	       maui_begins(reason, "SpecExit") || !member_integer(record, "priority");
}

static int64_t queue_start_later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static void add_running(const struct reading *reading, struct json_object *record,
			struct maui_replay_job *job)
{
	int64_t left = time_limit(reading, record) - member_integer(record, "run_time");

	job->running = true;
	job->submitted = reading->now;
	job->estimate = job->run = queue_start_later(left, 1);
	read_places(reading, record, job);
	maui_replay_trace_add(reading->trace, job, member_integer(record, "procs"));
}

static void add_waiting(const struct reading *reading, struct json_object *record,
			struct maui_replay_job *job)
{
	uint32_t tasks = tasks_of(record);

	if (is_held(record)) {
		reading->trace->lacking[MAUI_REPLAY_HELD] += tasks;
		return;
	}
	job->submitted = queue_start_later(member_integer(record, "submit"),
					   member_integer(record, "eligible"));
	if (job->submitted <= 0 || job->submitted > MAUI_REPLAY_MAX_TIME)
		job->submitted = MAUI_REPLAY_UNKNOWN;
	job->estimate = job->run = time_limit(reading, record);
	for (uint32_t i = 0; i < tasks; i++)
		maui_replay_trace_add(reading->trace, job, member_integer(record, "procs"));
}

static void add_job(const struct reading *reading, struct json_object *record)
{
	struct maui_replay_job job = {.number = member_integer(record, "job"),
				      .started = MAUI_REPLAY_UNKNOWN};
	bool active = queue_job_is_active(record);

	if (!active && !queue_job_is_pending(record))
		return;
	read_names(reading, record, &job);
	read_request(reading, record, &job);
	if (active)
		add_running(reading, record, &job);
	else
		add_waiting(reading, record, &job);
}

/* ---- the machine ---- */

/*
 * Keep jobs from a node that cannot be used, or not yet; a queue does not say what ResumeTimeout is.
 */
static void add_outage(struct replay_machine *machine, int64_t now, struct json_object *record,
		       uint32_t node)
{
	int64_t delay = maui_node_delay(node_use(record), &machine->conf.timeouts);

	if (delay)
		maui_replay_outages_add(&machine->outages, now,
					delay < 0 ? MAUI_REPLAY_FOREVER : now + delay, node);
}

static void add_node(struct replay_machine *machine, struct json_object *record)
{
	int64_t procs = member_integer(record, "procs"), memory = member_integer(record, "memory");
	char features[TEXT_SIZE];
	struct maui_error error;

	joined(member_array(record, "features"), ",", features, sizeof(features));
	if (maui_replay_nodes_add(machine->nodes, member_text(record, "name"),
				  procs > 0 && procs <= MAUI_REPLAY_MAX_CPUS ? (uint32_t)procs : 0,
				  queue_start_later(memory, 0), features,
				  member_text(record, "gres"), &error))
		complain("nodes: %s", error.text);
}

static void add_partitions(struct replay_machine *machine, struct json_object *record,
			   uint32_t node)
{
	struct json_object *names = member_array(record, "partitions");

	for (size_t i = 0; i < array_size(names); i++) {
		struct json_object *name = json_object_array_get_idx(names, i);
		struct maui_replay_partition *partition;

		if (!json_object_is_type(name, json_type_string))
			continue;
		partition =
			maui_replay_nodes_partition(machine->nodes, json_object_get_string(name));
		maui_replay_put(partition->members, node);
	}
}

static void read_machine(const struct reading *reading, struct replay_machine *machine)
{
	struct json_object *nodes = member_array(reading->queue, "nodes");

	machine->nodes = maui_replay_nodes_new();
	for (size_t i = 0; i < array_size(nodes); i++)
		add_node(machine, json_object_array_get_idx(nodes, i));
	for (size_t i = 0; i < array_size(nodes); i++) {
		struct json_object *record = json_object_array_get_idx(nodes, i);
		uint32_t node = maui_replay_nodes_find(machine->nodes, member_text(record, "name"));

		if (node == UINT32_MAX)
			continue;
		add_partitions(machine, record, node);
		add_outage(machine, reading->now, record, node);
	}
}

/* ---- all of it ---- */

static int queue_start_read_all(const struct reading *reading, const char *path,
				struct replay_machine *machine)
{
	struct json_object *jobs = member_array(reading->queue, "jobs");
	int code = EXIT_OK;

	if (reading->now <= 0 || reading->now > MAUI_REPLAY_MAX_TIME)
		return fail(EXIT_ERRORS, "%s does not say of when it is", path);
	/* Before the first is added: a few bytes may be many tasks. */
	if (jobs_in(jobs) > MAX_JOBS)
		return fail(EXIT_ERRORS, "%s: more than %u jobs, each task of an array counted",
			    path, MAX_JOBS);
	reading->trace->begin = reading->now;
	if (!machine->nodes && !machine->procs) {
		read_machine(reading, machine);
		code = machine_close_nodes(machine, path);
	}
	for (size_t i = 0; code == EXIT_OK && i < array_size(jobs); i++)
		add_job(reading, json_object_array_get_idx(jobs, i));
	return code;
}

int queue_start_read(const struct replay_file *file, struct replay_machine *machine,
		     struct maui_replay_trace *trace)
{
	char *text = maui_strndup(file->bytes, file->size);
	struct reading reading = {.trace = trace};
	int code;

	reading.queue = json_tokener_parse(text);
	free(text);
	reading.now = member_integer(reading.queue, "time");
	if (queue_is_one(reading.queue))
		code = queue_start_read_all(&reading, file->path, machine);
	else
		code = fail(EXIT_ERRORS, "%s is not what `maui queue` prints", file->path);
	json_object_put(reading.queue);
	return code;
}
