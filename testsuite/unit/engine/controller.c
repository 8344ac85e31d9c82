/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/unit/engine/controller.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "plugins/compat/preempt_api.h"
#include "plugins/engine/api/engine.h"
#include "src/common/node_conf.h"
#include "src/common/read_config.h"
#include "src/slurmctld/state_save.h"
#include "testsuite/unit/engine/controller_private.h"

/* ---- what slurmctld has ---- */

void *acct_db_conn;
compat_list_t active_feature_list, job_list, part_list, resv_list;
bitstr_t *avail_node_bitmap;
time_t last_job_update, last_resv_update;
slurmctld_config_t slurmctld_config;
int slurmctld_tres_cnt = TRES_ARRAY_TOTAL_CNT;

struct controller_counts controller_counts;
bool controller_mutex_held;

void controller_fail(const char *file, int line, const char *condition, const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "%s:%d: %s: ", file, line, condition);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	abort();
}

/* ---- locks ---- */

static slurmctld_lock_t held;
void (*controller_waits)(void);

bool controller_holds_locks(void)
{
	return held.conf || held.job || held.node || held.part || held.fed;
}

void lock_slurmctld(slurmctld_lock_t lock_levels)
{
	CONTROLLER_REQUIRE(!controller_mutex_held, "Slurm's locks come before the engine's mutex");
	CONTROLLER_REQUIRE(!controller_holds_locks(), "this thread has some of them already");
	if (controller_waits)
		controller_waits();
	held = lock_levels;
}

void unlock_slurmctld(slurmctld_lock_t lock_levels)
{
	CONTROLLER_REQUIRE(!memcmp(&held, &lock_levels, sizeof(held)), "it has others");
	held = (slurmctld_lock_t){.job = NO_LOCK};
}

static const slurmctld_lock_t all_locks = {
	.conf = READ_LOCK, .job = WRITE_LOCK, .node = WRITE_LOCK, .part = READ_LOCK};

void controller_lock_all(void)
{
	lock_slurmctld(all_locks);
}

void controller_unlock_all(void)
{
	unlock_slurmctld(all_locks);
}

void controller_wants(lock_level_t job, lock_level_t node, lock_level_t part)
{
	CONTROLLER_REQUIRE(held.job >= job, "the job lock is not held");
	CONTROLLER_REQUIRE(held.node >= node, "the node lock is not held");
	CONTROLLER_REQUIRE(held.part >= part, "the partition lock is not held");
}

/* ---- what slurmctld does ---- */

/* By number, as slurmctld has them. */
#define JOB_CHAINS 131072
static job_record_t *job_chains[JOB_CHAINS];

void controller_list_job(job_record_t *job)
{
	job_record_t **chain = &job_chains[job->job_id % JOB_CHAINS];

	job->job_next = *chain;
	*chain = job;
	list_append(job_list, job);
}

void controller_unlist_job(job_record_t *job)
{
	job_record_t **at = &job_chains[job->job_id % JOB_CHAINS];

	while (*at != job)
		at = &(*at)->job_next;
	*at = job->job_next;
	list_delete_ptr(job_list, job);
}

/* The oldest of that number. */
job_record_t *find_job_record(uint32_t job_id)
{
	job_record_t *found = NULL;

	controller_wants(READ_LOCK, NO_LOCK, NO_LOCK);
	for (job_record_t *job = job_chains[job_id % JOB_CHAINS]; job; job = job->job_next)
		if (job->job_id == job_id)
			found = job;
	return found;
}

struct task {
	uint32_t array, index;
};

static int is_task(void *record, void *key)
{
	const job_record_t *job = record;
	const struct task *task = key;

	return job->array_job_id == task->array && job->array_task_id == task->index;
}

job_record_t *find_job_array_rec(uint32_t array_job_id, uint32_t array_task_id)
{
	struct task task = {array_job_id, array_task_id};

	controller_wants(READ_LOCK, NO_LOCK, NO_LOCK);
	return list_find_first(job_list, is_task, &task);
}

static int has_name(void *record, void *key)
{
	return !strcmp(((part_record_t *)record)->name, key);
}

part_record_t *find_part_record(char *name)
{
	controller_wants(NO_LOCK, NO_LOCK, READ_LOCK);
	return name ? list_find_first(part_list, has_name, name) : NULL;
}

void queue_job_scheduler(void)
{
	controller_counts.kicks++;
}

void schedule_job_save(void)
{
}

void schedule_resv_save(void)
{
}

#if COMPAT_PREEMPT_GETS_DATA
uint32_t slurm_job_get_grace_time(job_record_t *job_ptr)
{
	return job_ptr->part_ptr ? job_ptr->part_ptr->grace_time : 0;
}
#endif

uid_t controller_operator;

bool validate_operator(uid_t uid)
{
	return uid == 0 || uid == slurm_conf.slurm_user_id || uid == controller_operator;
}

/* ---- the machine ---- */

static void write_conf(const char *directory, const char *machine, const char *more)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/slurm.conf", directory);
	file = fopen(path, "w");
	CONTROLLER_REQUIRE(file, "%s", path);
	fprintf(file,
		"ClusterName=paper\nSlurmctldHost=localhost\nSlurmUser=root\n"
		"StateSaveLocation=%s\nSchedulerParameters=bf_min_prio_reserve=2\n"
		"PriorityType=priority/maui\nPriorityParameters=maui_cfg=%s/maui.cfg\n%s\n%s\n",
		directory, directory, more, machine);
	CONTROLLER_REQUIRE(!fclose(file), "%s", path);
	CONTROLLER_REQUIRE(!slurm_conf_init(path), "%s", path);
}

static int has_feature(void *record, void *key)
{
	return !strcmp(((node_feature_t *)record)->name, key);
}

static void list_feature(char *name, const node_record_t *node)
{
	node_feature_t *feature = list_find_first(active_feature_list, has_feature, name);

	if (!feature) {
		feature = xmalloc(sizeof(*feature));
		feature->name = xstrdup(name);
		feature->node_bitmap = bit_alloc(node_record_count);
		list_append(active_feature_list, feature);
	}
	bit_set(feature->node_bitmap, node->index);
}

static void list_features(const node_record_t *node)
{
	char *copy = xstrdup(node->features), *rest = NULL;

	for (char *one = copy ? strtok_r(copy, ",", &rest) : NULL; one;
	     one = strtok_r(NULL, ",", &rest))
		list_feature(one, node);
	xfree(copy);
}

static void make_nodes(void)
{
	init_node_conf();
	build_all_nodeline_info(false, slurmctld_tres_cnt);
	rehash_node();
	avail_node_bitmap = bit_alloc(node_record_count);
	bit_nset(avail_node_bitmap, 0, node_record_count - 1);
	for (int i = 0; i < node_record_count; i++) {
		node_record_t *node = node_record_table_ptr[i];

		node->node_state = NODE_STATE_IDLE;
		node->tot_cores = node->cores = node->cpus;
		node->cpus_efctv = node->cpus - node->config_ptr->core_spec_cnt;
		node->mem_spec_limit = node->config_ptr->mem_spec_limit;
		node->tot_sockets = node->threads = 1;
		xfree(node->features);
		xfree(node->features_act);
		node->features = xstrdup(node->config_ptr->feature);
		node->features_act = xstrdup(node->config_ptr->feature);
		list_features(node);
	}
	cr_init_global_core_data(node_record_table_ptr, node_record_count);
}

bool controller_nodes(const char *names, bitstr_t **ret_nodes)
{
	return !compat_nodes_of_names((char *)names, false, ret_nodes);
}

static void add_partition(node_record_t *node, part_record_t *partition)
{
	xrecalloc(node->part_pptr, node->part_cnt + 1, sizeof(*node->part_pptr));
	node->part_pptr[node->part_cnt++] = partition;
}

static void make_partition(const slurm_conf_partition_t *conf)
{
	part_record_t *partition = xmalloc(sizeof(*partition));

	partition->magic = PART_MAGIC;
	partition->name = xstrdup(conf->name);
	if (!xstrcasecmp(conf->nodes, "ALL"))
		partition->node_bitmap = bit_copy(avail_node_bitmap);
	else
		controller_nodes(conf->nodes, &partition->node_bitmap);
	partition->nodes = bitmap2node_name(partition->node_bitmap);
	partition->total_nodes = (uint32_t)bit_set_count(partition->node_bitmap);
	for (int i = 0; i < node_record_count; i++)
		if (bit_test(partition->node_bitmap, i)) {
			partition->total_cpus += node_record_table_ptr[i]->cpus;
			add_partition(node_record_table_ptr[i], partition);
		}
	partition->default_time = conf->default_time;
	partition->max_time = conf->max_time;
	partition->max_nodes = conf->max_nodes;
	partition->priority_job_factor = conf->priority_job_factor;
	partition->priority_tier = conf->priority_tier;
	partition->grace_time = conf->grace_time;
	partition->state_up = conf->state_up;
	list_append(part_list, partition);
}

void controller_begin(const char *directory, const char *machine, const char *more)
{
	slurm_conf_partition_t **partitions;
	int count;

	write_conf(directory, machine, more);
	active_feature_list = list_create(NULL);
	job_list = list_create(NULL);
	part_list = list_create(NULL);
	resv_list = list_create(NULL);
	assoc_mgr_qos_list = list_create(NULL);
	make_nodes();
	count = slurm_conf_partition_array(&partitions);
	for (int i = 0; i < count; i++)
		make_partition(partitions[i]);
}

node_record_t *controller_node(const char *name)
{
	node_record_t *node = find_node_record((char *)name);

	CONTROLLER_REQUIRE(node, "there is no node %s", name);
	return node;
}

void controller_state(const char *name, uint32_t state)
{
	node_record_t *node = controller_node(name);

	node->node_state = state;
	if (IS_NODE_DOWN(node) || IS_NODE_DRAIN(node))
		bit_clear(avail_node_bitmap, node->index);
	else
		bit_set(avail_node_bitmap, node->index);
}

slurmdb_qos_rec_t *controller_qos(const char *name)
{
	slurmdb_qos_rec_t *qos = xmalloc(sizeof(*qos));

	qos->id = (uint32_t)list_count(assoc_mgr_qos_list) + 1;
	qos->name = xstrdup(name);
	qos->usage_factor = 1;
	qos->usage = slurmdb_create_qos_usage(slurmctld_tres_cnt);
	list_append(assoc_mgr_qos_list, qos);
	return qos;
}

/* ---- associations ---- */

static slurmdb_assoc_rec_t *new_assoc(slurmdb_assoc_rec_t *parent, const char *account,
				      const char *user, uint32_t shares)
{
	slurmdb_assoc_rec_t *assoc = xmalloc(sizeof(*assoc));

	assoc->acct = xstrdup(account);
	assoc->user = xstrdup(user);
	assoc->id = (uint32_t)list_count(assoc_mgr_assoc_list) + 1;
	assoc->shares_raw = shares;
	assoc->usage = slurmdb_create_assoc_usage(slurmctld_tres_cnt);
	assoc->usage->children_list = list_create(NULL);
	assoc->usage->parent_assoc_ptr = assoc->usage->fs_assoc_ptr = parent;
	list_append(assoc_mgr_assoc_list, assoc);
	if (parent)
		list_append(parent->usage->children_list, assoc);
	return assoc;
}

static int add_shares(void *object, void *sum)
{
	*(uint32_t *)sum += ((slurmdb_assoc_rec_t *)object)->shares_raw;
	return 0;
}

static int set_shares(void *object, void *sum)
{
	slurmdb_assoc_rec_t *assoc = object;

	assoc->usage->level_shares = *(uint32_t *)sum;
	assoc->usage->shares_norm = (double)assoc->shares_raw / assoc->usage->level_shares;
	return 0;
}

static int has_account(void *object, void *key)
{
	const slurmdb_assoc_rec_t *assoc = object;

	return !assoc->user && !xstrcmp(assoc->acct, key);
}

slurmdb_assoc_rec_t *controller_assoc(const char *account, const char *user, uint32_t shares)
{
	slurmdb_assoc_rec_t *parent, *assoc;
	uint32_t sum = 0;

	if (!assoc_mgr_assoc_list) {
		assoc_mgr_assoc_list = list_create(NULL);
		assoc_mgr_root_assoc = new_assoc(NULL, "root", NULL, 1);
	}
	parent = user ? list_find_first(assoc_mgr_assoc_list, has_account, (char *)account)
		      : assoc_mgr_root_assoc;
	CONTROLLER_REQUIRE(parent, "there is no account %s", account);
	assoc = new_assoc(parent, account, user, shares);
	g_user_assoc_count += user != NULL;
	list_for_each(parent->usage->children_list, add_shares, &sum);
	list_for_each(parent->usage->children_list, set_shares, &sum);
	return assoc;
}
