/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/preempt_api.h"

#include "testsuite/fuzz/small_slurmctld.h"

#include "src/common/node_conf.h"
#include "src/slurmctld/state_save.h"

#include "testsuite/fuzz/require.h"

#define NODES 4

/* ---- records ---- */

void *acct_db_conn;
compat_list_t active_feature_list, job_list, part_list, resv_list;
bitstr_t *avail_node_bitmap;
time_t last_job_update, last_resv_update;
slurmctld_config_t slurmctld_config;
int slurmctld_tres_cnt;

static int has_job_id(void *record, void *key)
{
	return ((job_record_t *)record)->job_id == *(uint32_t *)key;
}

job_record_t *find_job_record(uint32_t job_id)
{
	return list_find_first(job_list, has_job_id, &job_id);
}

job_record_t *find_job_array_rec(uint32_t array_job_id, uint32_t array_task_id)
{
	(void)array_task_id;
	return find_job_record(array_job_id);
}

static int has_name(void *record, void *key)
{
	return !strcmp(((part_record_t *)record)->name, key);
}

part_record_t *find_part_record(char *name)
{
	return name ? list_find_first(part_list, has_name, name) : NULL;
}

slurmctld_resv_t *find_resv_name(char *resv_name)
{
	(void)resv_name;
	return NULL;
}

/* ---- what is done ---- */

int create_resv COMPAT_RESV_PARAMETERS
{
	return ESLURM_NODES_BUSY;
}

int update_resv COMPAT_RESV_PARAMETERS
{
	return ESLURM_RESERVATION_INVALID;
}

int delete_resv(reservation_name_msg_t *resv_desc_ptr)
{
	(void)resv_desc_ptr;
	return ESLURM_RESERVATION_INVALID;
}

void lock_slurmctld(slurmctld_lock_t lock_levels)
{
	(void)lock_levels;
}

void unlock_slurmctld(slurmctld_lock_t lock_levels)
{
	(void)lock_levels;
}

void queue_job_scheduler(void)
{
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
	(void)job_ptr;
	return 0;
}
#endif

bool validate_operator(uid_t uid)
{
	return uid == 0;
}

/* ---- the beginning ---- */

static void write_file(const char *directory, const char *name, const char *text)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "w");
	REQUIRE(file && fputs(text, file) >= 0 && !fclose(file));
}

static void read_conf(const char *directory, const char *maui_cfg)
{
	char text[2048], path[512];

	snprintf(text, sizeof(text),
		 "ClusterName=c1\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=%s\n"
		 "PriorityType=priority/maui\nPriorityParameters=maui_cfg=%s/maui.cfg\n"
		 "NodeName=n[1-%d] CPUs=4 RealMemory=1000\nPartitionName=batch Nodes=ALL\n",
		 directory, directory, NODES);
	write_file(directory, "slurm.conf", text);
	write_file(directory, "maui.cfg", maui_cfg);
	snprintf(path, sizeof(path), "%s/slurm.conf", directory);
	REQUIRE(!slurm_conf_init(path));
}

static void make_nodes(void)
{
	init_node_conf();
	build_all_nodeline_info(false, slurmctld_tres_cnt);
	for (int i = 0; i < node_record_count; i++) {
		node_record_t *node = node_record_table_ptr[i];

		node->node_state = NODE_STATE_IDLE;
		node->cpus_efctv = node->tot_cores = node->cpus;
	}
	rehash_node();
	avail_node_bitmap = bit_alloc(node_record_count);
	bit_nset(avail_node_bitmap, 0, node_record_count - 1);
}

static part_record_t *make_partition(void)
{
	part_record_t *partition = xmalloc(sizeof(*partition));

	partition->name = xstrdup("batch");
	partition->magic = PART_MAGIC;
	partition->node_bitmap = bit_copy(avail_node_bitmap);
	partition->total_nodes = NODES;
	partition->total_cpus = 4 * NODES;
	partition->max_time = INFINITE;
	partition->max_nodes = INFINITE;
	partition->state_up = PARTITION_UP;
	list_append(part_list, partition);
	return partition;
}

static void make_job(uint32_t number, part_record_t *partition)
{
	job_record_t *job = xmalloc(sizeof(*job));

	job->magic = JOB_MAGIC;
	job->job_id = number;
	job->array_task_id = NO_VAL;
	job->user_id = 0;
	job->name = xstrdup("job");
	job->partition = xstrdup(partition->name);
	job->part_ptr = partition;
	job->job_state = JOB_PENDING;
	job->priority = 1;
	job->time_limit = 60;
	job->details = xmalloc(sizeof(*job->details));
	job->details->magic = DETAILS_MAGIC;
	job->details->min_cpus = job->details->min_nodes = job->details->num_tasks = number;
	job->details->max_cpus = NO_VAL;
	job->details->cpus_per_task = 1;
	job->details->nice = NICE_OFFSET;
	job->details->submit_time = job->details->begin_time = time(NULL) - 60;
	list_append(job_list, job);
}

void small_slurmctld_begin(const char *directory, const char *maui_cfg)
{
	log_options_t quiet = LOG_OPTS_INITIALIZER;
	char name[] = "fuzz";
	part_record_t *partition;

	quiet.stderr_level = quiet.syslog_level = quiet.logfile_level = LOG_LEVEL_QUIET;
	log_init(name, quiet, 0, NULL);
	read_conf(directory, maui_cfg);
	active_feature_list = list_create(NULL);
	job_list = list_create(NULL);
	part_list = list_create(NULL);
	resv_list = list_create(NULL);
	make_nodes();
	partition = make_partition();
	make_job(1, partition);
	make_job(2, partition);
}
