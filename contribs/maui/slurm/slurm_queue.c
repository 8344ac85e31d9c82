/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contribs/maui/slurm/slurm_queue.h"

#include <grp.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "common/policy/reservation/sr_window.h"
#include "contribs/maui/lib/json.h"
#include "contribs/maui/slurm/slurm_allocated.h"
#include "contribs/maui/slurm/slurm_child.h"
#include "contribs/maui/slurm/slurm_compat.h"
#include "contribs/maui/slurm/slurm_words.h"

#define LIMIT ((size_t)512 << 20) /* bytes of the whole text: about a kilobyte per job */

/* What the child is to report: it has a copy of this process's memory. */
static unsigned int wanted;

/* A record's member; unset values are left out. */
static void put(struct json_object *record, const char *name, struct json_object *value)
{
	if (value)
		json_set_new(record, name, value);
}

static bool print_record(FILE *facts, struct json_object *record, bool first)
{
	const char *text =
		record ? json_object_to_json_string_ext(record, JSON_C_TO_STRING_NOSLASHESCAPE)
		       : NULL;
	bool done = text && fprintf(facts, "%s%s", first ? "\n" : ",\n", text) > 0;

	json_object_put(record);
	return done;
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
	if (!user)
		return asprintf(&known->name, "%" PRIu32, uid) < 0 ? NULL : known->name;
	return known->name = strdup(user->pw_name);
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
	if (!group)
		return asprintf(&known->name, "%" PRIu32, gid) < 0 ? NULL : known->name;
	return known->name = strdup(group->gr_name);
}

/* ---- jobs ---- */

/* As squeue has it: 17, 17_3, 17_[4-9], 17+1. */
static struct json_object *job_id(const slurm_job_info_t *job)
{
	char text[64];

	if (job->array_task_str)
		return json_make_text((snprintf(text, sizeof(text), "%" PRIu32 "_[%.40s]",
						job->array_job_id, job->array_task_str),
				       text));
	if (job->array_task_id != NO_VAL)
		snprintf(text, sizeof(text), "%" PRIu32 "_%" PRIu32, job->array_job_id,
			 job->array_task_id);
	else if (job->het_job_id && job->het_job_id != NO_VAL)
		snprintf(text, sizeof(text), "%" PRIu32 "+%" PRIu32, job->het_job_id,
			 job->het_job_offset);
	else
		snprintf(text, sizeof(text), "%" PRIu32, job->job_id);
	return json_make_text(text);
}

static void put_names(struct json_object *record, const slurm_job_info_t *job)
{
	bool het = job->het_job_id && job->het_job_id != NO_VAL;

	put(record, "id", job_id(job));
	put(record, "job", value_count(job->job_id));
	put(record, "array_job", job->array_job_id ? value_count(job->array_job_id) : NULL);
	put(record, "array_task", value_count(job->array_task_id));
	put(record, "array_tasks", value_text(job->array_task_str));
	put(record, "het_job", het ? value_count(job->het_job_id) : NULL);
	put(record, "het_offset", het ? value_count(job->het_job_offset) : NULL);
	put(record, "name", value_text(job->name));
	put(record, "user", value_text(user_name(job->user_id)));
	put(record, "uid", json_make_number(job->user_id));
	put(record, "group", value_text(group_name(job->group_id)));
	put(record, "gid", json_make_number(job->group_id));
	put(record, "account", value_text(job->account));
	put(record, "qos", value_text(job->qos));
	put(record, "partition", value_text(job->partition));
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

static void put_state(struct json_object *record, const slurm_job_info_t *job, time_t now)
{
	bool waits = (job->job_state & JOB_STATE_BASE) == JOB_PENDING;

	put(record, "state", value_text(slurm_words_job_state(job->job_state)));
	put(record, "flags", slurm_words_job_flags(job->job_state));
	put(record, "reason", value_text(slurm_words_reason(job->state_reason)));
	put(record, "description", value_text(job->state_desc));
	put(record, "priority", json_make_number(job->priority));
	put(record, "nice", json_make_number((int64_t)job->nice - NICE_OFFSET));
	put(record, "submit", value_time(job->submit_time));
	put(record, "eligible", value_time(job->eligible_time));
	put(record, "accrue", value_time(job->accrue_time));
	put(record, "start", waits ? value_plan(job->start_time) : value_time(job->start_time));
	put(record, "end", waits ? value_plan(job->end_time) : value_time(job->end_time));
	put(record, "suspend", value_time(job->suspend_time));
	put(record, "deadline", value_time(job->deadline));
	put(record, "last_evaluated", value_time(job->last_sched_eval));
	put(record, "run_time", json_make_number(run_time(job, now)));
	put(record, "time_limit", value_minutes(job->time_limit));
	put(record, "time_min", job->time_min ? value_minutes(job->time_min) : NULL);
}

static void put_size(struct json_object *record, const slurm_job_info_t *job)
{
	put(record, "procs", value_count(job->num_cpus));
	put(record, "tasks", value_count(job->num_tasks));
	put(record, "nodes", value_count(job->num_nodes));
	put(record, "scheduled_nodes", value_text(job->sched_nodes));
	put(record, "batch_host", value_text(job->batch_host));
}

static void put_wishes(struct json_object *record, const slurm_job_info_t *job)
{
	bool per_cpu = job->pn_min_memory & MEM_PER_CPU;

	put(record, "max_nodes", job->max_nodes ? value_count(job->max_nodes) : NULL);
	put(record, "procs_per_task", value_count(job->cpus_per_task));
	put(record, "tasks_per_node",
	    job->ntasks_per_node ? value_count(job->ntasks_per_node) : NULL);
	put(record, "memory", value_count(job->pn_min_memory & ~MEM_PER_CPU));
	put(record, "memory_per", json_make_text(per_cpu ? "cpu" : "node"));
	put(record, "disk", value_count(job->pn_min_tmp_disk));
	put(record, "features", value_text(job->features));
	put(record, "prefer", value_text(job->prefer));
	put(record, "licenses", value_text(job->licenses));
	put(record, "dependency", value_text(job->dependency));
	put(record, "reservation", value_text(job->resv_name));
	put(record, "comment", value_text(job->comment));
	put(record, "tres",
	    value_text(job->tres_alloc_str && *job->tres_alloc_str ? job->tres_alloc_str
								   : job->tres_req_str));
	put(record, "tres_per_job", value_text(job->tres_per_job));
	put(record, "tres_per_node", value_text(job->tres_per_node));
	put(record, "tres_per_socket", value_text(job->tres_per_socket));
	put(record, "tres_per_task", value_text(job->tres_per_task));
	put(record, "gres", value_text(job->gres_total));
	put(record, "network", value_text(job->network));
	put(record, "required_nodes", value_text(job->req_nodes));
	put(record, "excluded_nodes", value_text(job->exc_nodes));
}

static struct json_object *allocated(const slurm_job_info_t *job)
{
	struct json_object *nodes = json_make_array();
	struct hostlist *list =
		job->job_resrcs && job->nodes ? slurm_hostlist_create(job->nodes) : NULL;
	uint32_t at = 0;
	char *name;

	while (list && (name = slurm_hostlist_shift(list))) {
		struct json_object *node = json_make_object();

		put(node, "node", json_make_text(name));
		put(node, "procs", json_make_number(slurm_allocated_procs(job, at++)));
		json_append(nodes, node);
		free(name);
	}
	if (list)
		slurm_hostlist_destroy(list);
	return nodes;
}

static void put_places(struct json_object *record, const slurm_job_info_t *job)
{
	put(record, "node_list", value_text(job->nodes));
	put(record, "allocated", allocated(job));
	put(record, "exclusive", json_make_flag(job->shared == JOB_SHARED_NONE));
	put(record, "contiguous", json_make_flag(job->contiguous));
	put(record, "requeue", json_make_flag(job->requeue));
	put(record, "restarts", json_make_number(job->restart_cnt));
	put(record, "batch", json_make_flag(job->batch_flag));
	put(record, "command", value_text(job->command));
	put(record, "work_dir", value_text(job->work_dir));
	put(record, "stdout", value_text(job->std_out));
}

static bool tell_jobs(FILE *facts)
{
	job_info_msg_t *jobs = NULL;
	time_t now = time(NULL);

	if (slurm_load_jobs(0, &jobs, SHOW_ALL | SHOW_DETAIL) != SLURM_SUCCESS)
		return slurm_child_failed();
	for (uint32_t i = 0; i < jobs->record_count; i++) {
		const slurm_job_info_t *job = &jobs->job_array[i];
		struct json_object *record = json_make_object();

		put_names(record, job);
		put_state(record, job, now);
		put_size(record, job);
		if (!(wanted & QUEUE_BRIEF)) {
			put_wishes(record, job);
			put_places(record, job);
		}
		if (!print_record(facts, record, !i))
			return false;
	}
	return true;
}

/* ---- nodes ---- */

static void put_use(struct json_object *record, const node_info_t *node)
{
	uint16_t procs;
	uint64_t memory;

	slurm_node_use(node, &procs, &memory);
	put(record, "procs", value_count(node->cpus_efctv ? node->cpus_efctv : node->cpus));
	put(record, "allocated_procs", json_make_number(procs));
	put(record, "memory", value_count(node->real_memory - node->mem_spec_limit));
	put(record, "allocated_memory", json_make_number((int64_t)memory));
	put(record, "free_memory", value_count(node->free_mem));
	put(record, "disk", value_count(node->tmp_disk));
	put(record, "load",
	    node->cpu_load == NO_VAL ? NULL : json_make_real(node->cpu_load / 100.0));
}

static bool tell_nodes(FILE *facts)
{
	node_info_msg_t *nodes = NULL;
	partition_info_msg_t *partitions = NULL;
	bool first = true;

	if (slurm_load_node(0, &nodes, SHOW_ALL | SHOW_MIXED | SHOW_DETAIL) != SLURM_SUCCESS ||
	    slurm_load_partitions(0, &partitions, SHOW_ALL) != SLURM_SUCCESS)
		return slurm_child_failed();
	slurm_populate_node_partitions(nodes, partitions);
	for (uint32_t i = 0; i < nodes->record_count; i++) {
		const node_info_t *node = &nodes->node_array[i];
		struct json_object *record;

		if (!node->name)
			continue;
		record = json_make_object();
		put(record, "name", json_make_text(node->name));
		put(record, "state", value_text(slurm_words_node_state(node->node_state)));
		put(record, "flags", slurm_words_node_flags(node->node_state));
		put_use(record, node);
		put(record, "features",
		    value_list(node->features_act ? node->features_act : node->features));
		put(record, "gres", value_text(node->gres));
		put(record, "gres_used", value_text(node->gres_used));
		put(record, "weight", value_count(node->weight));
		put(record, "reason", value_text(node->reason));
		put(record, "boot", value_time(node->boot_time));
		put(record, "slurmd_start", value_time(node->slurmd_start_time));
		put(record, "opsys", value_text(node->os));
		put(record, "arch", value_text(node->arch));
		put(record, "partitions", value_list(node->partitions));
		if (!print_record(facts, record, first))
			return false;
		first = false;
	}
	return true;
}

/* ---- partitions and reservations ---- */

static bool tell_partitions(FILE *facts)
{
	partition_info_msg_t *partitions = NULL;

	if (slurm_load_partitions(0, &partitions, SHOW_ALL) != SLURM_SUCCESS)
		return slurm_child_failed();
	for (uint32_t i = 0; i < partitions->record_count; i++) {
		const partition_info_t *partition = &partitions->partition_array[i];
		struct json_object *record = json_make_object();
		uint16_t flags = partition->flags;

		put(record, "name", value_text(partition->name));
		put(record, "state", value_text(slurm_words_partition_state(partition->state_up)));
		put(record, "default", json_make_flag(flags & PART_FLAG_DEFAULT));
		put(record, "hidden", json_make_flag(flags & PART_FLAG_HIDDEN));
		put(record, "root_only", json_make_flag(flags & PART_FLAG_ROOT_ONLY));
		put(record, "nodes", value_text(partition->nodes));
		put(record, "node_count", value_count(partition->total_nodes));
		put(record, "procs", value_count(partition->total_cpus));
		put(record, "max_time", value_minutes(partition->max_time));
		put(record, "default_time", value_minutes(partition->default_time));
		put(record, "max_nodes", value_count(partition->max_nodes));
		put(record, "min_nodes", value_count(partition->min_nodes));
		put(record, "tier", value_count(partition->priority_tier));
		put(record, "allow_accounts", value_text(partition->allow_accounts));
		put(record, "allow_groups", value_text(partition->allow_groups));
		put(record, "allow_qos", value_text(partition->allow_qos));
		put(record, "deny_accounts", value_text(partition->deny_accounts));
		put(record, "deny_qos", value_text(partition->deny_qos));
		put(record, "qos", value_text(partition->qos_char));
		if (!print_record(facts, record, !i))
			return false;
	}
	return true;
}

static struct json_object *cores_of(const reserve_info_t *reservation)
{
	struct json_object *cores = json_make_array();

	for (uint32_t i = 0; i < reservation->core_spec_cnt; i++) {
		struct json_object *part = json_make_object();

		put(part, "node", value_text(reservation->core_spec[i].node_name));
		put(part, "cores", value_text(reservation->core_spec[i].core_id));
		json_append(cores, part);
	}
	return cores;
}

/* "cpu=24,..." */
static struct json_object *procs_of(const char *tres)
{
	const char *cpu = tres ? strstr(tres, "cpu=") : NULL;

	return cpu ? json_make_number(strtoll(cpu + strlen("cpu="), NULL, 10)) : NULL;
}

static bool tell_reservations(FILE *facts)
{
	reserve_info_msg_t *reservations = NULL;

	if (slurm_load_reservations(0, &reservations) != SLURM_SUCCESS)
		return slurm_child_failed();
	for (uint32_t i = 0; i < reservations->record_count; i++) {
		const reserve_info_t *one = &reservations->reservation_array[i];
		struct json_object *record = json_make_object();

		put(record, "name", value_text(one->name));
		put(record, "start", value_time(one->start_time));
		put(record, "end",
		    one->end_time < MAUI_SR_FOREVER ? value_time(one->end_time) : NULL);
		put(record, "nodes", value_text(one->node_list));
		put(record, "node_count", value_count(one->node_cnt));
		put(record, "procs", procs_of(one->tres_str));
		put(record, "users", value_text(one->users));
		put(record, "groups", value_text(one->groups));
		put(record, "accounts", value_text(one->accounts));
		put(record, "partition", value_text(one->partition));
		put(record, "features", value_text(one->features));
		put(record, "max_start_delay",
		    one->max_start_delay ? value_count(one->max_start_delay) : NULL);
		put(record, "flags", json_make_number((int64_t)one->flags));
		put(record, "cores", cores_of(one));
		if (!print_record(facts, record, !i))
			return false;
	}
	return true;
}

/* ---- all of it ---- */

static bool tell_part(FILE *facts, unsigned int part, const char *name, slurm_child_work tell)
{
	return fprintf(facts, ", \"%s\": [", name) > 0 && (!(wanted & part) || tell(facts)) &&
	       fputs("]", facts) >= 0;
}

static bool tell_head(FILE *facts)
{
	slurm_conf_t *conf = NULL;
	struct json_object *cluster;
	bool done;

	if (slurm_load_ctl_conf(0, &conf) != SLURM_SUCCESS)
		return slurm_child_failed();
	cluster = value_text(conf->cluster_name);
	done = fprintf(facts,
		       "{\"schema\": \"" QUEUE_SCHEMA "\", \"time\": %" PRId64 ", \"cluster\": %s",
		       (int64_t)time(NULL), json_object_to_json_string(cluster)) > 0;
	json_object_put(cluster);
	return done;
}

static bool tell(FILE *facts)
{
	return tell_head(facts) && tell_part(facts, QUEUE_JOBS, "jobs", tell_jobs) &&
	       tell_part(facts, QUEUE_NODES, "nodes", tell_nodes) &&
	       tell_part(facts, QUEUE_PARTITIONS, "partitions", tell_partitions) &&
	       tell_part(facts, QUEUE_RESERVATIONS, "reservations", tell_reservations) &&
	       fputs("}\n", facts) >= 0;
}

int slurm_queue_text(unsigned int what, int timeout, char **ret_text, size_t *ret_size,
		     struct maui_error *error)
{
	wanted = what;
	return slurm_child(tell, timeout, LIMIT, "queue", ret_text, ret_size, error);
}
