/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A slurmctld and a slurmdbd that are none: what libslurm would ask them is answered from a file of
 * JSON, whose records have the names of Slurm's own members. Preloaded into the command;
 * MAUI_TEST_SLURM names the file, and what is changed is written, a line each, to the same name
 * with .changes. slurm.conf is read by the real libslurm.
 */
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <json-c/json.h>

#include "contribs/maui/slurm/slurm_compat.h"

#include "src/common/job_resources.h"

#define EXPORTED     __attribute__((visibility("default")))
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MEMBER(name)                                                                               \
	{                                                                                          \
#name, offsetof(RECORD, name), sizeof(((RECORD *)0)->name)                         \
	}

/* libslurm's, which slurm.h does not declare. */
extern slurm_conf_t *slurm_conf_lock(void);
extern void slurm_conf_unlock(void);

/* A text, a number of any width, or a pointer to what is JSON here, too. */
struct member {
	const char *name;
	size_t offset, size;
};

__attribute__((noreturn)) static void wrong(const char *what, const char *name)
{
	fprintf(stderr, "fake_slurm: %s %s\n", what, name);
	abort();
}

static struct json_object *the_file(void)
{
	static struct json_object *file;
	const char *path = getenv("MAUI_TEST_SLURM");

	if (!file && path)
		file = json_object_from_file(path);
	if (!file)
		wrong("cannot read", path ? path : "MAUI_TEST_SLURM");
	return file;
}

static struct json_object *member(struct json_object *object, const char *name)
{
	return json_object_object_get(object, name);
}

/* A request that is to fail has Slurm's number of the error below errors. */
static bool fails(const char *request)
{
	struct json_object *number = member(member(the_file(), "errors"), request);

	if (number)
		errno = json_object_get_int(number);
	return number;
}

static void fill_member(char *target, const struct member *at, struct json_object *value)
{
	int64_t number = json_object_get_int64(value);
	const void *pointer = value;

	switch (json_object_get_type(value)) {
	case json_type_null:
		memset(target, 0, at->size);
		break;
	case json_type_string:
		pointer = json_object_get_string(value);
		memcpy(target, &pointer, sizeof(pointer));
		break;
	case json_type_array:
	case json_type_object:
		memcpy(target, &pointer, sizeof(pointer));
		break;
	default:
		memcpy(target, &number, at->size); /* the low bytes come first */
	}
}

static void fill(void *record, struct json_object *values, const struct member *members,
		 size_t count)
{
	json_object_object_foreach(values, name, value)
	{
		size_t i = 0;

		while (i < count && strcmp(members[i].name, name) != 0)
			i++;
		if (i == count)
			wrong("no member", name);
		fill_member((char *)record + members[i].offset, &members[i], value);
	}
}

/* An array of records; what a record does not name is 0. */
static void *fill_all(struct json_object *records, size_t size, const struct member *members,
		      size_t count, uint32_t *ret_count)
{
	size_t records_count = records ? json_object_array_length(records) : 0;
	char *array = calloc(records_count + 1, size);

	for (size_t i = 0; array && i < records_count; i++)
		fill(array + i * size, json_object_array_get_idx(records, i), members, count);
	*ret_count = (uint32_t)records_count;
	return array;
}

__attribute__((format(printf, 1, 2))) static void tell_change(const char *format, ...)
{
	char path[4096];
	va_list arguments;
	FILE *file;

	snprintf(path, sizeof(path), "%s.changes", getenv("MAUI_TEST_SLURM"));
	file = fopen(path, "a");
	if (!file)
		wrong("cannot write", path);
	va_start(arguments, format);
	vfprintf(file, format, arguments);
	va_end(arguments);
	fclose(file);
}

/* ---- time ---- */

/* The command gives a Slurm that is there some seconds, which a busy machine may not keep: its
 * clock goes slower here. */
static int64_t slower(void)
{
	const char *factor = getenv("MAUI_TEST_SLOWER");

	return factor ? strtol(factor, NULL, 10) : 1;
}

EXPORTED int clock_gettime(clockid_t clock, struct timespec *ret_time)
{
	int (*real)(clockid_t, struct timespec *) =
		(int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
	int rc = real(clock, ret_time);

	if (!rc && clock == CLOCK_MONOTONIC) {
		int64_t time =
			(ret_time->tv_sec * INT64_C(1000000000) + ret_time->tv_nsec) / slower();

		ret_time->tv_sec = time / 1000000000;
		ret_time->tv_nsec = time % 1000000000;
	}
	return rc;
}

EXPORTED int poll(struct pollfd *files, nfds_t count, int timeout)
{
	int (*real)(struct pollfd *, nfds_t, int) =
		(int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");

	return real(files, count, timeout > 0 ? (int)(timeout * slower()) : timeout);
}

/* ---- configuration ---- */

#define RECORD slurm_conf_t

/* As slurm.conf says, but for what is running. */
EXPORTED int slurm_load_ctl_conf(time_t since, slurm_conf_t **ret_conf)
{
	static const struct member members[] = {MEMBER(version), MEMBER(priority_type),
						MEMBER(cluster_name), MEMBER(plugindir)};
	struct json_object *wait = member(the_file(), "wait");
	slurm_conf_t *conf = calloc(1, sizeof(*conf));

	if (wait)
		sleep((unsigned int)json_object_get_int(wait));
	if (!conf || fails("conf")) {
		free(conf);
		return SLURM_ERROR;
	}
	memcpy(conf, slurm_conf_lock(), sizeof(*conf));
	slurm_conf_unlock();
	if (member(the_file(), "running"))
		fill(conf, member(the_file(), "running"), members, COUNT(members));
	*ret_conf = conf;
	return SLURM_SUCCESS;
}

EXPORTED void slurm_free_conf(slurm_conf_t *conf)
{
	free(conf); /* the texts are libslurm's */
}

EXPORTED int slurm_reconfigure(void)
{
	tell_change("reconfigure\n");
	return fails("reconfigure") ? SLURM_ERROR : SLURM_SUCCESS;
}

EXPORTED int slurm_get_statistics(stats_info_response_msg_t **ret_answer,
				  stats_info_request_msg_t *request)
{
	static stats_info_response_msg_t answer;

	if (fails("statistics"))
		return SLURM_ERROR;
	answer.jobs_pending = (uint32_t)json_object_get_int(member(the_file(), "pending"));
	*ret_answer = &answer;
	return SLURM_SUCCESS;
}

/* ---- jobs ---- */

#undef RECORD
#define RECORD slurm_job_info_t

static const struct member job_members[] = {
	MEMBER(account),
	MEMBER(accrue_time),
	MEMBER(array_bitmap),
	MEMBER(array_job_id),
	MEMBER(array_max_tasks),
	MEMBER(array_task_id),
	MEMBER(array_task_str),
	MEMBER(batch_flag),
	MEMBER(batch_host),
	MEMBER(command),
	MEMBER(comment),
	MEMBER(contiguous),
	MEMBER(cpus_per_task),
	MEMBER(deadline),
	MEMBER(dependency),
	MEMBER(eligible_time),
	MEMBER(end_time),
	MEMBER(exc_nodes),
	MEMBER(features),
	MEMBER(group_id),
	MEMBER(het_job_id),
	MEMBER(het_job_offset),
	MEMBER(job_id),
	MEMBER(job_resrcs),
	MEMBER(job_state),
	MEMBER(last_sched_eval),
	MEMBER(licenses),
	MEMBER(max_nodes),
	MEMBER(name),
	MEMBER(network),
	MEMBER(nice),
	MEMBER(nodes),
	MEMBER(ntasks_per_node),
	MEMBER(num_cpus),
	MEMBER(num_nodes),
	MEMBER(num_tasks),
	MEMBER(partition),
	MEMBER(pn_min_memory),
	MEMBER(pn_min_tmp_disk),
	MEMBER(pre_sus_time),
	MEMBER(prefer),
	MEMBER(priority),
	MEMBER(qos),
	MEMBER(req_nodes),
	MEMBER(requeue),
	MEMBER(restart_cnt),
	MEMBER(resv_name),
	MEMBER(sched_nodes),
	MEMBER(shared),
	MEMBER(site_factor),
	MEMBER(start_time),
	MEMBER(state_desc),
	MEMBER(state_reason),
	MEMBER(std_out),
	MEMBER(submit_time),
	MEMBER(suspend_time),
	MEMBER(time_limit),
	MEMBER(time_min),
	MEMBER(tres_alloc_str),
	MEMBER(tres_per_job),
	MEMBER(tres_per_node),
	MEMBER(tres_per_socket),
	MEMBER(tres_per_task),
	MEMBER(tres_req_str),
	MEMBER(user_id),
	MEMBER(work_dir),
};

/* job_resrcs is an array of the processors on the job's nodes. */
static struct job_resources *resources_of(struct json_object *procs)
{
	size_t count = json_object_array_length(procs);
	struct job_resources *resources = calloc(1, sizeof(*resources));

	resources->cpu_array_cnt = (uint32_t)count;
	resources->cpu_array_value = calloc(count, sizeof(*resources->cpu_array_value));
	resources->cpu_array_reps = calloc(count, sizeof(*resources->cpu_array_reps));
	for (size_t i = 0; i < count; i++) {
		resources->cpu_array_value[i] =
			(uint16_t)json_object_get_int(json_object_array_get_idx(procs, i));
		resources->cpu_array_reps[i] = 1;
	}
	return resources;
}

extern bitstr_t *slurm_bit_alloc(bitoff_t size);
extern void slurm_bit_set(bitstr_t *set, bitoff_t bit);

/* array_bitmap is an array of the tasks' numbers. */
static bitstr_t *bitmap_of(struct json_object *tasks)
{
	size_t count = json_object_array_length(tasks);
	bitstr_t *bitmap = slurm_bit_alloc(
		json_object_get_int64(json_object_array_get_idx(tasks, count - 1)) + 1);

	for (size_t i = 0; i < count; i++)
		slurm_bit_set(bitmap, json_object_get_int64(json_object_array_get_idx(tasks, i)));
	return bitmap;
}

EXPORTED int slurm_load_jobs(time_t since, job_info_msg_t **ret_jobs, uint16_t flags)
{
	static job_info_msg_t jobs;

	if (fails("jobs"))
		return SLURM_ERROR;
	jobs.job_array = fill_all(member(the_file(), "jobs"), sizeof(slurm_job_info_t), job_members,
				  COUNT(job_members), &jobs.record_count);
	for (uint32_t i = 0; i < jobs.record_count; i++) {
		slurm_job_info_t *job = &jobs.job_array[i];

		if (job->job_resrcs)
			job->job_resrcs = resources_of((struct json_object *)job->job_resrcs);
		if (job->array_bitmap)
			job->array_bitmap = bitmap_of((struct json_object *)job->array_bitmap);
	}
	*ret_jobs = &jobs;
	return jobs.job_array ? SLURM_SUCCESS : SLURM_ERROR;
}

EXPORTED int slurm_job_will_run2(job_desc_msg_t *job, will_run_response_msg_t **ret_answer)
{
	static will_run_response_msg_t answer;
	struct json_object *start = member(the_file(), "will_run");

	if (slurm_described_job(job) != NO_VAL)
		tell_change("will_run %u\n", slurm_described_job(job));
	else
		tell_change("will_run procs %u minutes %u\n", job->min_cpus, job->time_limit);
	if (fails("will_run"))
		return SLURM_ERROR;
	answer.start_time = json_object_get_int64(member(start, "start_time"));
	answer.part_name = (char *)json_object_get_string(member(start, "part_name"));
	*ret_answer = &answer;
	return SLURM_SUCCESS;
}

/* update: a list of Slurm's errors, one for each group of an array's tasks. */
EXPORTED int slurm_update_job2(job_desc_msg_t *job, job_array_resp_msg_t **ret_answer)
{
	static job_array_resp_msg_t answer;
	struct json_object *codes = member(the_file(), "update");
	size_t count = codes ? json_object_array_length(codes) : 0;

	tell_change("update %s site_factor %lld\n", job->job_id_str,
		    (long long)job->site_factor - NICE_OFFSET);
	if (fails("update"))
		return SLURM_ERROR;
	answer.error_code = calloc(count + 1, sizeof(*answer.error_code));
	for (size_t i = 0; i < count; i++)
		answer.error_code[i] =
			(uint32_t)json_object_get_int(json_object_array_get_idx(codes, i));
	answer.job_array_count = (uint32_t)count;
	*ret_answer = count ? &answer : NULL;
	return SLURM_SUCCESS;
}

/* ---- nodes, partitions, reservations ---- */

#undef RECORD
#define RECORD node_info_t

EXPORTED int slurm_load_node(time_t since, node_info_msg_t **ret_nodes, uint16_t flags)
{
	static const struct member members[] = {
		MEMBER(arch),         MEMBER(boot_time),       MEMBER(cpu_load),
		MEMBER(cpus),         MEMBER(cpus_efctv),      MEMBER(features),
		MEMBER(features_act), MEMBER(free_mem),        MEMBER(gres),
		MEMBER(name),         MEMBER(mem_spec_limit),  MEMBER(node_state),
		MEMBER(os),           MEMBER(real_memory),     MEMBER(reason),
		MEMBER(tmp_disk),     MEMBER(select_nodeinfo), MEMBER(slurmd_start_time),
		MEMBER(weight),       MEMBER(gres_used),
	};
	static node_info_msg_t nodes;

	if (fails("nodes"))
		return SLURM_ERROR;
	nodes.node_array = fill_all(member(the_file(), "nodes"), sizeof(node_info_t), members,
				    COUNT(members), &nodes.record_count);
	*ret_nodes = &nodes;
	return nodes.node_array ? SLURM_SUCCESS : SLURM_ERROR;
}

/* select_nodeinfo is an object with what is allocated: cpus, memory. */
EXPORTED int slurm_get_select_nodeinfo(dynamic_plugin_data_t *node, enum select_nodedata_type what,
				       enum node_states state, void *ret_value)
{
	struct json_object *used = (struct json_object *)node;

	if (what == SELECT_NODEDATA_SUBCNT)
		*(uint16_t *)ret_value = (uint16_t)json_object_get_int(member(used, "cpus"));
	else
		*(uint64_t *)ret_value = (uint64_t)json_object_get_int64(member(used, "memory"));
	return SLURM_SUCCESS;
}

#undef RECORD
#define RECORD partition_info_t

/* All nodes are in all partitions. */
#define LAST_NODE 1023

EXPORTED int slurm_load_partitions(time_t since, partition_info_msg_t **ret_partitions,
				   uint16_t flags)
{
	static const struct member members[] = {
		MEMBER(allow_accounts),
		MEMBER(allow_groups),
		MEMBER(allow_qos),
		MEMBER(default_time),
		MEMBER(deny_accounts),
		MEMBER(deny_qos),
		MEMBER(flags),
		MEMBER(max_nodes),
		MEMBER(max_time),
		MEMBER(min_nodes),
		MEMBER(name),
		MEMBER(nodes),
		MEMBER(priority_job_factor),
		MEMBER(priority_tier),
		MEMBER(qos_char),
		MEMBER(state_up),
		MEMBER(total_cpus),
		MEMBER(total_nodes),
	};
	static int32_t every_node[] = {0, LAST_NODE, -1};
	static partition_info_msg_t partitions;

	if (fails("partitions"))
		return SLURM_ERROR;
	partitions.partition_array =
		fill_all(member(the_file(), "partitions"), sizeof(partition_info_t), members,
			 COUNT(members), &partitions.record_count);
	for (uint32_t i = 0; i < partitions.record_count; i++)
		partitions.partition_array[i].node_inx = every_node;
	*ret_partitions = &partitions;
	return partitions.partition_array ? SLURM_SUCCESS : SLURM_ERROR;
}

#undef RECORD
#define RECORD reserve_info_t

/* Its core_spec_cnt is of the first nodes: cores 0-1 of each of n1, n2... */
EXPORTED int slurm_load_reservations(time_t since, reserve_info_msg_t **ret_reservations)
{
	static const struct member members[] = {
		MEMBER(accounts),  MEMBER(core_spec_cnt),   MEMBER(end_time),  MEMBER(features),
		MEMBER(flags),     MEMBER(groups),          MEMBER(name),      MEMBER(node_cnt),
		MEMBER(node_list), MEMBER(max_start_delay), MEMBER(partition), MEMBER(start_time),
		MEMBER(tres_str),  MEMBER(users),
	};
	static char n1[] = "n1", n2[] = "n2", two[] = "0-1";
	static resv_core_spec_t cores[] = {{n1, two}, {n2, two}};
	static reserve_info_msg_t reservations;

	if (fails("reservations"))
		return SLURM_ERROR;
	reservations.reservation_array =
		fill_all(member(the_file(), "reservations"), sizeof(reserve_info_t), members,
			 COUNT(members), &reservations.record_count);
	for (uint32_t i = 0; i < reservations.record_count; i++)
		reservations.reservation_array[i].core_spec = cores;
	*ret_reservations = &reservations;
	return reservations.reservation_array ? SLURM_SUCCESS : SLURM_ERROR;
}

/* ---- associations and QOS of slurmctld ---- */

#undef RECORD
#define RECORD slurmdb_assoc_rec_t

static uint64_t *amounts_of(struct json_object *array)
{
	size_t count = array ? json_object_array_length(array) : 0;
	uint64_t *amounts = count ? calloc(count, sizeof(*amounts)) : NULL;

	for (size_t i = 0; i < count; i++) {
		struct json_object *amount = json_object_array_get_idx(array, i);

		amounts[i] = amount ? (uint64_t)json_object_get_int64(amount) : INFINITE64;
	}
	return amounts;
}

static long double *seconds_of(struct json_object *array)
{
	size_t count = array ? json_object_array_length(array) : 0;
	long double *seconds = count ? calloc(count, sizeof(*seconds)) : NULL;

	for (size_t i = 0; i < count; i++)
		seconds[i] = json_object_get_double(json_object_array_get_idx(array, i));
	return seconds;
}

/* Where a number is not given, there is no limit. */
static slurmdb_assoc_rec_t *assoc_of(struct json_object *values)
{
	static const struct member members[] = {
		MEMBER(acct),     MEMBER(user),          MEMBER(partition),
		MEMBER(id),       MEMBER(parent_id),     MEMBER(grp_jobs),
		MEMBER(max_jobs), MEMBER(grp_tres_ctld), MEMBER(grp_tres_mins_ctld),
		MEMBER(usage),
	};
	slurmdb_assoc_rec_t *assoc = calloc(1, sizeof(*assoc));
	struct json_object *used;

	assoc->grp_jobs = assoc->max_jobs = INFINITE;
	fill(assoc, values, members, COUNT(members));
	used = (struct json_object *)assoc->usage;
	assoc->grp_tres_ctld = amounts_of((struct json_object *)assoc->grp_tres_ctld);
	assoc->grp_tres_mins_ctld = amounts_of((struct json_object *)assoc->grp_tres_mins_ctld);
	assoc->usage = calloc(1, sizeof(*assoc->usage));
	assoc->usage->used_jobs = (uint32_t)json_object_get_int(member(used, "used_jobs"));
	assoc->usage->grp_used_tres = amounts_of(member(used, "grp_used_tres"));
	assoc->usage->usage_tres_raw = seconds_of(member(used, "usage_tres_raw"));
	return assoc;
}

#undef RECORD
#define RECORD slurmdb_qos_rec_t

/* users: {"uid", "jobs", "tres"} of each. */
static struct xlist *users_of(struct json_object *users)
{
	struct xlist *list = slurm_list_create(NULL);

	for (size_t i = 0; users && i < json_object_array_length(users); i++) {
		struct json_object *user = json_object_array_get_idx(users, i);
		slurmdb_used_limits_t *used = calloc(1, sizeof(*used));

		used->uid = (uint32_t)json_object_get_int(member(user, "uid"));
		used->jobs = (uint32_t)json_object_get_int(member(user, "jobs"));
		used->tres = amounts_of(member(user, "tres"));
		slurm_list_append(list, used);
	}
	return list;
}

static slurmdb_qos_rec_t *qos_of(struct json_object *values)
{
	static const struct member members[] = {
		MEMBER(name),
		MEMBER(flags),
		MEMBER(grp_wall),
		MEMBER(max_jobs_pu),
		MEMBER(max_tres_pu_ctld),
		MEMBER(min_tres_pj_ctld),
		MEMBER(usage),
	};
	slurmdb_qos_rec_t *qos = calloc(1, sizeof(*qos));
	struct json_object *used, *factor = member(values, "limit_factor");

	qos->limit_factor = factor ? json_object_get_double(factor) : (double)INFINITE;
	json_object_object_del(values, "limit_factor");
	qos->grp_wall = qos->max_jobs_pu = INFINITE;
	fill(qos, values, members, COUNT(members));
	used = (struct json_object *)qos->usage;
	qos->max_tres_pu_ctld = amounts_of((struct json_object *)qos->max_tres_pu_ctld);
	qos->min_tres_pj_ctld = amounts_of((struct json_object *)qos->min_tres_pj_ctld);
	qos->usage = calloc(1, sizeof(*qos->usage));
	qos->usage->grp_used_wall = json_object_get_double(member(used, "grp_used_wall"));
	qos->usage->user_limit_list = users_of(member(used, "users"));
	return qos;
}

static bool is_listed(struct xlist *names, const char *name)
{
	struct listIterator *at = slurm_list_iterator_create(names);
	const char *listed;

	while ((listed = slurm_list_next(at)) && strcmp(listed, name) != 0)
		;
	slurm_list_iterator_destroy(at);
	return listed;
}

/* Of users only those who are asked for; accounts are all there, since none is. */
EXPORTED int slurm_load_assoc_mgr_info(assoc_mgr_info_request_msg_t *request,
				       assoc_mgr_info_msg_t **ret_answer)
{
	static char cpu[] = "cpu", mem[] = "mem", gpu[] = "gres/gpu", tape[] = "gres/tape";
	static char *tres[] = {cpu, mem, gpu, tape};
	static assoc_mgr_info_msg_t answer = {.tres_cnt = COUNT(tres), .tres_names = tres};
	struct json_object *assocs = member(the_file(), "assocs"),
			   *qos = member(the_file(), "qos_limits");

	if (fails("assocs"))
		return SLURM_ERROR;
	answer.assoc_list = slurm_list_create(NULL);
	answer.qos_list = slurm_list_create(NULL);
	for (size_t i = 0; assocs && i < json_object_array_length(assocs); i++) {
		slurmdb_assoc_rec_t *assoc = assoc_of(json_object_array_get_idx(assocs, i));

		if (!assoc->user || is_listed(request->user_list, assoc->user))
			slurm_list_append(answer.assoc_list, assoc);
	}
	for (size_t i = 0; qos && i < json_object_array_length(qos); i++) {
		slurmdb_qos_rec_t *one = qos_of(json_object_array_get_idx(qos, i));

		if (is_listed(request->qos_list, one->name))
			slurm_list_append(answer.qos_list, one);
	}
	*ret_answer = &answer;
	return SLURM_SUCCESS;
}

/* ---- slurmdbd ---- */

EXPORTED void *slurmdb_connection_get(uint16_t *flags)
{
	return fails("slurmdbd") ? NULL : the_file();
}

EXPORTED struct xlist *slurmdb_accounts_get(void *connection, slurmdb_account_cond_t *condition)
{
	struct json_object *names = fails("accounts") ? NULL : member(the_file(), "accounts");
	struct xlist *list = names ? slurm_list_create(NULL) : NULL;

	for (size_t i = 0; list && i < json_object_array_length(names); i++) {
		slurmdb_account_rec_t *account = calloc(1, sizeof(*account));

		account->name = (char *)json_object_get_string(json_object_array_get_idx(names, i));
		slurm_list_append(list, account);
	}
	return list;
}

EXPORTED struct xlist *slurmdb_qos_get(void *connection, slurmdb_qos_cond_t *condition)
{
	struct json_object *names = fails("qos") ? NULL : member(the_file(), "qos");
	struct xlist *list = names ? slurm_list_create(NULL) : NULL;

	for (size_t i = 0; list && i < json_object_array_length(names); i++) {
		slurmdb_qos_rec_t *qos = calloc(1, sizeof(*qos));

		qos->name = (char *)json_object_get_string(json_object_array_get_idx(names, i));
		slurm_list_append(list, qos);
	}
	return list;
}
