/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The child loads jobs in a second thread while it writes nodes, partitions and
 * reservations as JSON; the parent parses meanwhile.
 */
#include "contribs/maui/slurm/slurm_queue.h"

#include <errno.h>
#include <grp.h>
#include <inttypes.h>
#include <pthread.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "common/policy/reservation/sr_window.h"
#include "common/util/memory.h"
#include "common/util/slurm/task_list.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/json_text.h"
#include "contribs/maui/slurm/slurm_allocated.h"
#include "contribs/maui/slurm/slurm_child.h"
#include "contribs/maui/slurm/slurm_compat.h"
#include "contribs/maui/slurm/slurm_tasks.h"
#include "contribs/maui/slurm/slurm_words.h"

#define LIMIT ((size_t)512 << 20) /* bytes of the whole text: about a kilobyte per job */

/* What the child is to report, and for whom: it has a copy of this process's memory. */
static unsigned int wanted;
static const char *reader;

/* For libslurm: as squeue and sinfo ask with -a, and without it. */
static uint16_t slurm_queue_shown(void)
{
	return wanted & QUEUE_VISIBLE ? 0 : SHOW_ALL;
}

/* ---- names of users and groups: the last ones, as each look-up may go over the network ---- */

struct known {
	uint32_t id;
	char *name; /* NULL: empty */
};

#define KNOWN 1024

static const char *user_name(uint32_t uid)
{
	static struct known table[KNOWN];
	struct known *known = &table[uid % KNOWN];
	const struct passwd *user;

	if (known->name && known->id == uid)
		return known->name;
	user = getpwuid(uid);
	free(known->name);
	known->id = uid;
	known->name = user ? maui_strdup(user->pw_name) : maui_asprintf("%" PRIu32, uid);
	return known->name;
}

static const char *group_name(uint32_t gid)
{
	static struct known table[KNOWN];
	struct known *known = &table[gid % KNOWN];
	const struct group *group;

	if (known->name && known->id == gid)
		return known->name;
	group = getgrgid(gid);
	free(known->name);
	known->id = gid;
	known->name = group ? maui_strdup(group->gr_name) : maui_asprintf("%" PRIu32, gid);
	return known->name;
}

/* ---- jobs ---- */

/* As squeue has it: 17, 17_3, 17_[4-9], 17+1; tasks: of an array, or NULL. */
static void put_id(struct json_text *record, const slurm_job_info_t *job, const char *tasks)
{
	char text[64], shown[40];

	if (tasks)
		snprintf(text, sizeof(text), "%" PRIu32 "_[%s]", job->array_job_id,
			 maui_task_list_cut(tasks, shown, sizeof(shown)));
	else if (job->array_task_id != NO_VAL)
		snprintf(text, sizeof(text), "%" PRIu32 "_%" PRIu32, job->array_job_id,
			 job->array_task_id);
	else if (job->het_job_id && job->het_job_id != NO_VAL)
		snprintf(text, sizeof(text), "%" PRIu32 "+%" PRIu32, job->het_job_id,
			 job->het_job_offset);
	else
		snprintf(text, sizeof(text), "%" PRIu32, job->job_id);
	put_text(record, "id", text);
}

static void put_numbers(struct json_text *record, const slurm_job_info_t *job)
{
	bool het = job->het_job_id && job->het_job_id != NO_VAL;
	char *tasks = slurm_waiting_tasks(job);

	put_id(record, job, tasks);
	put_count(record, "job", job->job_id);
	put_some(record, "array_job", job->array_job_id);
	put_count(record, "array_task", job->array_task_id);
	put_text(record, "array_tasks", tasks);
	put_count(record, "het_job", het ? job->het_job_id : NO_VAL);
	put_count(record, "het_offset", het ? job->het_job_offset : NO_VAL);
	free(tasks);
}

static void put_credentials(struct json_text *record, const slurm_job_info_t *job)
{
	put_text(record, "user", user_name(job->user_id));
	put_text(record, "group", group_name(job->group_id));
	put_text(record, "account", job->account);
	put_text(record, "qos", job->qos);
	put_text(record, "partition", job->partition);
	json_text_number(record, "uid", job->user_id);
	json_text_number(record, "gid", job->group_id);
}

static void put_standing(struct json_text *record, const slurm_job_info_t *job)
{
	put_text(record, "state", slurm_words_job_state(job->job_state));
	put_text(record, "reason", slurm_words_reason(job->state_reason));
	json_text_number(record, "priority", job->priority);
}

/* Seconds without suspended time, up to now or to its end. */
static int64_t run_time(const slurm_job_info_t *job, time_t now)
{
	uint32_t state = job->job_state & JOB_STATE_BASE;
	time_t end = state == JOB_RUNNING || state == JOB_SUSPENDED ? now : job->end_time;

	if (state == JOB_PENDING || !job->start_time)
		return 0;
	if (state == JOB_SUSPENDED)
		return job->pre_sus_time;
	if (job->suspend_time)
		return end - job->suspend_time + job->pre_sus_time;
	return end > job->start_time ? end - job->start_time : 0;
}

static void put_state(struct json_text *record, const slurm_job_info_t *job, time_t now)
{
	bool waits = (job->job_state & JOB_STATE_BASE) == JOB_PENDING;

	put_standing(record, job);
	put_job_flags(record, "flags", job->job_state);
	put_text(record, "description", job->state_desc);
	json_text_number(record, "nice", (int64_t)job->nice - NICE_OFFSET);
	json_text_number(record, "site_factor", (int64_t)job->site_factor - NICE_OFFSET);
	put_time(record, "submit", job->submit_time);
	put_time(record, "eligible", job->eligible_time);
	put_time(record, "accrue", job->accrue_time);
	(waits ? put_plan : put_time)(record, "start", job->start_time);
	(waits ? put_plan : put_time)(record, "end", job->end_time);
	put_time(record, "suspend", job->suspend_time);
	put_time(record, "deadline", job->deadline);
	put_time(record, "last_evaluated", job->last_sched_eval);
	json_text_number(record, "run_time", run_time(job, now));
	put_minutes(record, "time_limit", job->time_limit);
	put_minutes(record, "time_min", job->time_min ? job->time_min : NO_VAL);
}

static void put_size(struct json_text *record, const slurm_job_info_t *job)
{
	put_count(record, "procs", job->num_cpus);
	put_count(record, "nodes", job->num_nodes);
}

static void put_memory(struct json_text *record, const slurm_job_info_t *job)
{
	bool per_cpu = job->pn_min_memory & MEM_PER_CPU;

	put_count(record, "memory", job->pn_min_memory & ~MEM_PER_CPU);
	put_text(record, "memory_per", per_cpu ? "cpu" : "node");
}

static void put_wishes(struct json_text *record, const slurm_job_info_t *job)
{
	put_some(record, "max_nodes", job->max_nodes);
	put_count(record, "procs_per_task", job->cpus_per_task);
	put_some(record, "tasks_per_node", job->ntasks_per_node);
	put_memory(record, job);
	put_count(record, "disk", job->pn_min_tmp_disk);
	put_text(record, "features", job->features);
	put_text(record, "prefer", job->prefer);
	put_text(record, "licenses", job->licenses);
	put_text(record, "dependency", job->dependency);
	put_text(record, "reservation", job->resv_name);
	put_text(record, "comment", job->comment);
	put_text(record, "tres",
		 job->tres_alloc_str && *job->tres_alloc_str ? job->tres_alloc_str
							     : job->tres_req_str);
	put_text(record, "tres_per_job", job->tres_per_job);
	put_text(record, "tres_per_node", job->tres_per_node);
	put_text(record, "tres_per_socket", job->tres_per_socket);
	put_text(record, "tres_per_task", job->tres_per_task);
	put_text(record, "gres", job->gres_total);
	put_text(record, "network", job->network);
	put_text(record, "required_nodes", job->req_nodes);
	put_text(record, "excluded_nodes", job->exc_nodes);
}

static void put_allocated(struct json_text *record, const slurm_job_info_t *job)
{
	struct hostlist *list =
		job->job_resrcs && job->nodes ? slurm_hostlist_create(job->nodes) : NULL;
	uint32_t at = 0;
	char *name;

	json_text_open(record, "allocated", '[');
	while (list && (name = slurm_hostlist_shift(list))) {
		json_text_open(record, NULL, '{');
		put_text(record, "node", name);
		json_text_number(record, "procs", slurm_allocated_procs(job, at++));
		json_text_close(record, '}');
		free(name);
	}
	json_text_close(record, ']');
	if (list)
		slurm_hostlist_destroy(list);
}

static void put_places(struct json_text *record, const slurm_job_info_t *job)
{
	put_text(record, "node_list", job->nodes);
	put_allocated(record, job);
	json_text_flag(record, "exclusive", job->shared == JOB_SHARED_NONE);
	json_text_flag(record, "contiguous", job->contiguous);
	json_text_flag(record, "requeue", job->requeue);
	json_text_number(record, "restarts", job->restart_cnt);
	json_text_flag(record, "batch", job->batch_flag);
	put_text(record, "command", job->command);
	put_text(record, "work_dir", job->work_dir);
	put_text(record, "stdout", job->std_out);
}

/* Of a job that somebody else waits for: what the queue as a whole, limits and dependencies take
 * of it. */
static void put_briefly(struct json_text *record, const slurm_job_info_t *job)
{
	put_numbers(record, job);
	put_credentials(record, job);
	put_standing(record, job);
	put_minutes(record, "time_limit", job->time_limit);
	put_size(record, job);
	put_memory(record, job);
}

static void put_job(struct json_text *record, const slurm_job_info_t *job, time_t now)
{
	put_numbers(record, job);
	put_text(record, "name", job->name);
	put_credentials(record, job);
	put_state(record, job, now);
	put_size(record, job);
	put_count(record, "tasks", job->num_tasks);
	put_text(record, "scheduled_nodes", job->sched_nodes);
	put_text(record, "batch_host", job->batch_host);
	if (!(wanted & QUEUE_BRIEF)) {
		put_wishes(record, job);
		put_places(record, job);
	}
}

static bool is_told_briefly(const slurm_job_info_t *job)
{
	const char *user = user_name(job->user_id);

	return reader && (job->job_state & JOB_STATE_BASE) == JOB_PENDING && user &&
	       strcmp(user, reader) != 0;
}

/* A thread of its own waits for the jobs, which slurmctld packs for longest; meanwhile the rest is
 * told. */
static struct {
	pthread_t thread;
	job_info_msg_t *jobs;
	int error;
} loading;

static void *load_jobs(void *unused)
{
	(void)unused;
	if (slurm_load_jobs(0, &loading.jobs, (uint16_t)(slurm_queue_shown() | SHOW_DETAIL)) !=
	    SLURM_SUCCESS)
		loading.error = errno;
	return NULL;
}

static bool ask_for_jobs(void)
{
	errno = wanted & QUEUE_JOBS ? pthread_create(&loading.thread, NULL, load_jobs, NULL) : 0;
	return !errno || slurm_child_failed();
}

static bool tell_jobs(struct json_text *facts)
{
	const job_info_msg_t *jobs;
	time_t now;

	pthread_join(loading.thread, NULL);
	jobs = loading.jobs;
	now = time(NULL);
	errno = loading.error;
	if (errno)
		return slurm_child_failed();
	for (uint32_t i = 0; i < jobs->record_count; i++) {
		const slurm_job_info_t *job = &jobs->job_array[i];

		json_text_open(facts, NULL, '{');
		if (is_told_briefly(job))
			put_briefly(facts, job);
		else
			put_job(facts, job, now);
		json_text_close(facts, '}');
	}
	return true;
}

/* ---- nodes ---- */

static void put_use(struct json_text *record, const node_info_t *node)
{
	uint16_t procs;
	uint64_t memory;

	slurm_node_use(node, &procs, &memory);
	put_count(record, "procs", node->cpus_efctv ? node->cpus_efctv : node->cpus);
	json_text_number(record, "allocated_procs", procs);
	put_count(record, "memory", node->real_memory - node->mem_spec_limit);
	json_text_number(record, "allocated_memory", (int64_t)memory);
	put_count(record, "free_memory", node->free_mem);
	put_count(record, "disk", node->tmp_disk);
	if (node->cpu_load != NO_VAL)
		json_text_hundredths(record, "load", node->cpu_load);
}

static bool tell_nodes(struct json_text *facts)
{
	node_info_msg_t *nodes = NULL;
	partition_info_msg_t *partitions = NULL;

	if (slurm_load_node(0, &nodes,
			    (uint16_t)(slurm_queue_shown() | SHOW_MIXED | SHOW_DETAIL)) !=
		    SLURM_SUCCESS ||
	    slurm_load_partitions(0, &partitions, slurm_queue_shown()) != SLURM_SUCCESS)
		return slurm_child_failed();
	slurm_populate_node_partitions(nodes, partitions);
	for (uint32_t i = 0; i < nodes->record_count; i++) {
		const node_info_t *node = &nodes->node_array[i];

		if (!node->name)
			continue;
		json_text_open(facts, NULL, '{');
		put_text(facts, "name", node->name);
		put_text(facts, "state", slurm_words_node_state(node->node_state));
		put_node_flags(facts, "flags", node->node_state);
		put_use(facts, node);
		put_list(facts, "features",
			 node->features_act ? node->features_act : node->features);
		put_text(facts, "gres", node->gres);
		put_text(facts, "gres_used", node->gres_used);
		put_count(facts, "weight", node->weight);
		put_text(facts, "reason", node->reason);
		put_time(facts, "boot", node->boot_time);
		put_time(facts, "slurmd_start", node->slurmd_start_time);
		put_text(facts, "opsys", node->os);
		put_text(facts, "arch", node->arch);
		put_list(facts, "partitions", node->partitions);
		json_text_close(facts, '}');
	}
	return true;
}

/* ---- partitions and reservations ---- */

static bool tell_partitions(struct json_text *facts)
{
	partition_info_msg_t *partitions = NULL;

	if (slurm_load_partitions(0, &partitions, slurm_queue_shown()) != SLURM_SUCCESS)
		return slurm_child_failed();
	for (uint32_t i = 0; i < partitions->record_count; i++) {
		const partition_info_t *partition = &partitions->partition_array[i];
		uint16_t flags = partition->flags;

		json_text_open(facts, NULL, '{');
		put_text(facts, "name", partition->name);
		put_text(facts, "state", slurm_words_partition_state(partition->state_up));
		json_text_flag(facts, "default", flags & PART_FLAG_DEFAULT);
		json_text_flag(facts, "hidden", flags & PART_FLAG_HIDDEN);
		json_text_flag(facts, "root_only", flags & PART_FLAG_ROOT_ONLY);
		put_text(facts, "nodes", partition->nodes);
		put_count(facts, "node_count", partition->total_nodes);
		put_count(facts, "procs", partition->total_cpus);
		put_minutes(facts, "max_time", partition->max_time);
		put_minutes(facts, "default_time", partition->default_time);
		put_count(facts, "max_nodes", partition->max_nodes);
		put_count(facts, "min_nodes", partition->min_nodes);
		put_count(facts, "tier", partition->priority_tier);
		put_count(facts, "job_factor", partition->priority_job_factor);
		put_text(facts, "allow_accounts", partition->allow_accounts);
		put_text(facts, "allow_groups", partition->allow_groups);
		put_text(facts, "allow_qos", partition->allow_qos);
		put_text(facts, "deny_accounts", partition->deny_accounts);
		put_text(facts, "deny_qos", partition->deny_qos);
		put_text(facts, "qos", partition->qos_char);
		json_text_close(facts, '}');
	}
	return true;
}

static void put_cores(struct json_text *record, const reserve_info_t *reservation)
{
	json_text_open(record, "cores", '[');
	for (uint32_t i = 0; i < reservation->core_spec_cnt; i++) {
		json_text_open(record, NULL, '{');
		put_text(record, "node", reservation->core_spec[i].node_name);
		put_text(record, "cores", reservation->core_spec[i].core_id);
		json_text_close(record, '}');
	}
	json_text_close(record, ']');
}

/* "cpu=24,..." */
static void put_procs(struct json_text *record, const char *tres)
{
	const char *cpu = tres ? strstr(tres, "cpu=") : NULL;

	if (cpu)
		json_text_number(record, "procs", strtoll(cpu + strlen("cpu="), NULL, 10));
}

static bool tell_reservations(struct json_text *facts)
{
	reserve_info_msg_t *reservations = NULL;

	if (slurm_load_reservations(0, &reservations) != SLURM_SUCCESS)
		return slurm_child_failed();
	for (uint32_t i = 0; i < reservations->record_count; i++) {
		const reserve_info_t *one = &reservations->reservation_array[i];

		json_text_open(facts, NULL, '{');
		put_text(facts, "name", one->name);
		put_time(facts, "start", one->start_time);
		if (one->end_time < MAUI_SR_FOREVER)
			put_time(facts, "end", one->end_time);
		put_text(facts, "nodes", one->node_list);
		put_count(facts, "node_count", one->node_cnt);
		put_procs(facts, one->tres_str);
		put_text(facts, "users", one->users);
		put_text(facts, "groups", one->groups);
		put_text(facts, "accounts", one->accounts);
		put_text(facts, "partition", one->partition);
		put_text(facts, "features", one->features);
		put_some(facts, "max_start_delay", one->max_start_delay);
		json_text_number(facts, "flags", (int64_t)one->flags);
		put_cores(facts, one);
		json_text_close(facts, '}');
	}
	return true;
}

/* ---- all of it ---- */

typedef bool (*tell_records)(struct json_text *facts);

static bool tell_part(struct json_text *facts, unsigned int part, const char *name,
		      tell_records tell)
{
	json_text_open(facts, name, '[');
	if ((wanted & part) && !tell(facts))
		return false;
	json_text_close(facts, ']');
	return true;
}

static bool tell_head(struct json_text *facts)
{
	slurm_conf_t *conf = NULL;

	if (slurm_load_ctl_conf(0, &conf) != SLURM_SUCCESS)
		return slurm_child_failed();
	put_text(facts, "schema", QUEUE_SCHEMA);
	json_text_number(facts, "time", time(NULL));
	put_text(facts, "cluster", conf->cluster_name);
	return true;
}

static bool slurm_queue_report(FILE *file)
{
	struct json_text facts = {.file = file};

	json_text_open(&facts, NULL, '{');
	if (!tell_head(&facts) || !ask_for_jobs() ||
	    !tell_part(&facts, QUEUE_NODES, "nodes", tell_nodes) ||
	    !tell_part(&facts, QUEUE_PARTITIONS, "partitions", tell_partitions) ||
	    !tell_part(&facts, QUEUE_RESERVATIONS, "reservations", tell_reservations) ||
	    !tell_part(&facts, QUEUE_JOBS, "jobs", tell_jobs))
		return false;
	json_text_close(&facts, '}');
	return !ferror(file);
}

/* ---- in the parent, which parses while the child writes ---- */

struct reading {
	struct json_tokener *tokener;
	struct json_object *queue; /* once it is complete */
};

/* After an error the rest is read, and means nothing. */
static void slurm_queue_parse(void *context, const char *piece, size_t size)
{
	struct reading *reading = context;
	enum json_tokener_error error = json_tokener_get_error(reading->tokener);

	if (!reading->queue && (error == json_tokener_success || error == json_tokener_continue))
		reading->queue = json_tokener_parse_ex(reading->tokener, piece, (int)size);
}

int slurm_queue_load(unsigned int what, const char *whose, int timeout,
		     struct json_object **ret_queue, struct maui_error *error)
{
	struct reading reading = {.tokener = json_tokener_new()};
	int rc;

	if (!reading.tokener)
		maui_memory_short(0);
	wanted = what;
	reader = whose;
	rc = slurm_child_pieces(slurm_queue_report, timeout, LIMIT, "queue", slurm_queue_parse,
				&reading, error);
	json_tokener_free(reading.tokener);
	if (rc)
		json_object_put(reading.queue);
	else
		*ret_queue = reading.queue;
	return rc;
}
