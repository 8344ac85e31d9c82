/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of attributes, and values by their kinds. */
#include "common/import/torque/torque_known.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/text.h"

#define SERVER MAUI_TORQUE_OF_SERVER
#define QUEUE  MAUI_TORQUE_OF_QUEUE
#define BOTH   (SERVER | QUEUE)
#define NODE   MAUI_TORQUE_OF_NODE

/* It is in what is written; LIMIT and NEAR: a line of maui.cfg; the rest: a remark. */
#define TAKEN(NAME, KIND, OF)                                                                      \
	{                                                                                          \
		NAME, MAUI_TORQUE_##KIND, OF, NULL, MAUI_IMPORT_STAYS, NULL                        \
	}
#define LIMIT(NAME, OF, ATTRIBUTE)                                                                 \
	{                                                                                          \
		NAME, MAUI_TORQUE_NUMBER, OF, ATTRIBUTE, MAUI_IMPORT_STAYS, NULL                   \
	}
#define NEAR(NAME, OF, ATTRIBUTE, EFFECT)                                                          \
	{                                                                                          \
		NAME, MAUI_TORQUE_NUMBER, OF, ATTRIBUTE, MAUI_IMPORT_OTHER, EFFECT                 \
	}
#define LOST(NAME, KIND, OF, EFFECT)                                                               \
	{                                                                                          \
		NAME, MAUI_TORQUE_##KIND, OF, NULL, MAUI_IMPORT_LOST, EFFECT                       \
	}
#define OTHER(NAME, KIND, OF, EFFECT)                                                              \
	{                                                                                          \
		NAME, MAUI_TORQUE_##KIND, OF, NULL, MAUI_IMPORT_OTHER, EFFECT                      \
	}
#define NEEDLESS(NAME, KIND, OF, EFFECT)                                                           \
	{                                                                                          \
		NAME, MAUI_TORQUE_##KIND, OF, NULL, MAUI_IMPORT_STAYS, EFFECT                      \
	}

#define QOS_OF_PARTITION "sacctmgr -i add qos torque-%q; sacctmgr -i modify qos torque-%q set "
#define AND_PARTITION    ", and QOS=torque-%q in the PartitionName line"
#define ROUTING          "routing is gone: see the Route queues"
#define DAEMONS          "Slurm's daemons do this in their own way"
#define OWN_LOG          "Slurm's logs have settings of their own (SlurmctldDebug, DebugFlags)"
#define SUBMIT_REJECTS   "Torque rejects the job at qsub, "
#define REPORTED         "pbs_mom reported it, as slurmd does of its node"
#define PORTS            "slurmd listens on SlurmdPort, or on Port of its NodeName line"
#define DEFAULT_REQUEST                                                                            \
	"a job that does not ask gets what sbatch gives by itself, one task; a job_submit plugin " \
	"can set %v"

static const struct maui_torque_known torque_rows[] = {
	/* --- PartitionName --- */
	TAKEN("queue_type", TEXT, QUEUE),
	TAKEN("enabled", BOOLEAN, QUEUE),
	TAKEN("started", BOOLEAN, QUEUE),
	TAKEN("resources_max.walltime", TIME, BOTH),
	TAKEN("resources_default.walltime", TIME, BOTH),
	TAKEN("resources_max.nodect", NUMBER, BOTH),
	TAKEN("resources_max.nodes", TEXT, BOTH),
	TAKEN("resources_min.nodect", NUMBER, BOTH),
	TAKEN("resources_min.nodes", TEXT, BOTH),
	TAKEN("resources_max.pmem", SIZE, BOTH),
	TAKEN("resources_default.pmem", SIZE, BOTH),
	TAKEN("resources_default.neednodes", TEXT, BOTH),
	TAKEN("features_required", TEXT, QUEUE),
	TAKEN("acl_user_enable", BOOLEAN, QUEUE),
	TAKEN("acl_users", LIST, QUEUE),
	TAKEN("acl_group_enable", BOOLEAN, QUEUE),
	TAKEN("acl_groups", LIST, QUEUE),
	TAKEN("acl_host_enable", BOOLEAN, QUEUE),
	TAKEN("acl_hosts", LIST, QUEUE),
	TAKEN("acl_logic_or", BOOLEAN, QUEUE),
	TAKEN("route_destinations", LIST, QUEUE),
	TAKEN("default_queue", TEXT, SERVER),
	TAKEN("Priority", INTEGER, QUEUE),

	/* --- NodeName --- */
	TAKEN("np", NUMBER, NODE),
	TAKEN("gpus", NUMBER, NODE),
	TAKEN("mics", NUMBER, NODE),
	TAKEN("properties", LIST, NODE),
	TAKEN("state", LIST, NODE),
	NEEDLESS("power_state", TEXT, NODE, REPORTED),
	NEEDLESS("ntype", TEXT, NODE, REPORTED),
	NEEDLESS("status", LIST, NODE, REPORTED),
	NEEDLESS("jobs", LIST, NODE, REPORTED),
	NEEDLESS("gpu_status", LIST, NODE, REPORTED),
	NEEDLESS("mic_status", LIST, NODE, REPORTED),
	NEEDLESS("mom_service_port", NUMBER, NODE, PORTS),
	NEEDLESS("mom_manager_port", NUMBER, NODE, PORTS),
	NEEDLESS("total_sockets", NUMBER, NODE, REPORTED),
	NEEDLESS("total_numa_nodes", NUMBER, NODE, REPORTED),
	NEEDLESS("total_cores", NUMBER, NODE, REPORTED),
	NEEDLESS("total_threads", NUMBER, NODE, REPORTED),
	NEEDLESS("dedicated_sockets", NUMBER, NODE, REPORTED),
	NEEDLESS("dedicated_numa_nodes", NUMBER, NODE, REPORTED),
	NEEDLESS("dedicated_cores", NUMBER, NODE, REPORTED),
	NEEDLESS("dedicated_threads", NUMBER, NODE, REPORTED),

	/* --- maui.cfg --- */
	LIMIT("max_running", QUEUE, "MAXJOB"),
	LIMIT("max_user_run", QUEUE, "MAXJOB[USER]"),
	LIMIT("max_group_run", QUEUE, "MAXJOB[GROUP]"),
	NEAR("max_queuable", QUEUE, "MAXIJOB",
	     "Torque counts waiting and running jobs and rejects more at qsub; MAXIJOB counts "
	     "eligible ones, and more wait without being eligible; as in Torque: " QOS_OF_PARTITION
	     "GrpSubmitJobs=%v" AND_PARTITION),
	NEAR("max_user_queuable", QUEUE, "MAXIJOB[USER]",
	     "Torque counts waiting and running jobs and rejects more at qsub; MAXIJOB[USER] "
	     "counts eligible ones, and more wait without being eligible; as in "
	     "Torque: " QOS_OF_PARTITION "MaxSubmitJobsPerUser=%v" AND_PARTITION),
	LIMIT("resources_max.procct", QUEUE, "MAXPROCPERJOB"),
	LIMIT("resources_max.ncpus", QUEUE, "MAXPROCPERJOB"),
	LIMIT("max_running", SERVER, "SYSCFG MAXJOB"),
	LIMIT("max_user_run", SERVER, "USERCFG[DEFAULT] MAXJOB"),
	LIMIT("max_group_run", SERVER, "GROUPCFG[DEFAULT] MAXJOB"),
	LIMIT("resources_max.procct", SERVER, "SYSCFG MAXPROCPERJOB"),
	LIMIT("resources_max.ncpus", SERVER, "SYSCFG MAXPROCPERJOB"),

	/* --- settings of slurm.conf --- */
	TAKEN("next_job_number", NUMBER, SERVER),
	TAKEN("query_other_jobs", BOOLEAN, SERVER),
	LOST("keep_completed", NUMBER, QUEUE,
	     "MinJobAge is one for all partitions; ended jobs are in sacct"),
	TAKEN("keep_completed", NUMBER, SERVER),
	LOST("kill_delay", NUMBER, QUEUE, "KillWait is one for all partitions"),
	TAKEN("kill_delay", NUMBER, SERVER),

	/* --- limits of single jobs --- */
	LOST("resources_max.mem", SIZE, BOTH,
	     SUBMIT_REJECTS "Slurm does so by a QOS: " QOS_OF_PARTITION
			    "MaxTRESPerJob=mem=%v (Slurm's units: M, G)" AND_PARTITION),
	LOST("resources_max.vmem", SIZE, BOTH,
	     "Slurm limits virtual memory by VSizeFactor, a percentage of the memory asked for"),
	LOST("resources_max.pvmem", SIZE, BOTH,
	     "Slurm limits virtual memory by VSizeFactor, a percentage of the memory asked for"),
	LOST("resources_max.cput", TIME, BOTH,
	     "jobs end by their time limit, not by CPU time; ulimit -t is passed on by "
	     "PropagateResourceLimits"),
	LOST("resources_max.pcput", TIME, BOTH,
	     "jobs end by their time limit, not by CPU time; ulimit -t is passed on by "
	     "PropagateResourceLimits"),
	LOST("resources_max.file", SIZE, BOTH, "ulimit -f is passed on by PropagateResourceLimits"),
	LOST("resources_min.walltime", TIME, BOTH,
	     SUBMIT_REJECTS "Slurm lets it in; a job_submit plugin can reject it"),
	LOST("resources_min.procct", NUMBER, BOTH,
	     SUBMIT_REJECTS "Slurm does so by a QOS: " QOS_OF_PARTITION
			    "MinTRESPerJob=cpu=%v" AND_PARTITION),
	LOST("resources_min.ncpus", NUMBER, BOTH,
	     SUBMIT_REJECTS "Slurm does so by a QOS: " QOS_OF_PARTITION
			    "MinTRESPerJob=cpu=%v" AND_PARTITION),
	LOST("resources_min.mem", SIZE, BOTH,
	     SUBMIT_REJECTS "Slurm does so by a QOS: " QOS_OF_PARTITION
			    "MinTRESPerJob=mem=%v (Slurm's units: M, G)" AND_PARTITION),
	LOST("resources_default.mem", SIZE, BOTH,
	     "Torque's is of the whole job; Slurm has DefMemPerCPU and DefMemPerNode of the "
	     "partition"),
	LOST("resources_default.vmem", SIZE, BOTH, "Slurm does not schedule virtual memory"),
	LOST("resources_default.pvmem", SIZE, BOTH, "Slurm does not schedule virtual memory"),
	LOST("resources_default.nodes", TEXT, BOTH, DEFAULT_REQUEST),
	LOST("resources_default.nodect", NUMBER, BOTH, DEFAULT_REQUEST),
	LOST("resources_default.ncpus", NUMBER, BOTH, DEFAULT_REQUEST),
	LOST("resources_default.procct", NUMBER, BOTH, DEFAULT_REQUEST),
	LOST("resources_available.nodect", NUMBER, BOTH,
	     "Slurm counts the nodes that it has; this raised Torque's count"),
	LOST("disallowed_types", LIST, QUEUE,
	     "Slurm lets jobs of all types in; a job_submit plugin can reject them"),

	/* --- access, and whose jobs are seen --- */
	OTHER("acl_group_sloppy", BOOLEAN, QUEUE,
	      "AllowGroups always counts all groups of a user, not the job's alone"),
	LOST("acl_hosts", LIST, SERVER,
	     "Slurm admits requests by munge, not by host; AllocNodes of a partition names hosts "
	     "that may submit"),
	LOST("acl_host_enable", BOOLEAN, SERVER,
	     "Slurm admits requests by munge, not by host; AllocNodes of a partition names hosts "
	     "that may submit"),
	LOST("acl_user_enable", BOOLEAN, SERVER,
	     "AccountingStorageEnforce=associations admits users that sacctmgr knows"),
	LOST("acl_users", LIST, SERVER,
	     "AccountingStorageEnforce=associations admits users that sacctmgr knows"),
	LOST("acl_roots", LIST, SERVER, "DisableRootJobs=YES keeps root from running jobs"),
	OTHER("managers", LIST, SERVER,
	      "the script of sacctmgr's commands gives them AdminLevel=Admin, without their hosts; "
	      "root and SlurmUser have it anyway; for maui's own commands: ADMIN1 in maui.cfg"),
	OTHER("operators", LIST, SERVER,
	      "the script of sacctmgr's commands gives them AdminLevel=Operator, without their "
	      "hosts; for maui's own commands: ADMIN2 in maui.cfg"),
	LOST("authorized_users", LIST, SERVER, "who may submit is decided by munge"),
	NEEDLESS("submit_hosts", LIST, SERVER, "any host with slurm.conf and munge may submit"),
	NEEDLESS("allow_node_submit", BOOLEAN, SERVER,
		 "any host with slurm.conf and munge may submit"),
	NEEDLESS("allow_proxy_user", BOOLEAN, SERVER, "sbatch --uid is root's alone"),
	NEEDLESS("disable_server_id_check", BOOLEAN, SERVER,
		 "slurmctld needs the users of jobs on its own host, too"),

	/* --- routing --- */
	LOST("from_route_only", BOOLEAN, QUEUE,
	     "jobs may be submitted to the partition directly; a job_submit plugin can reject "
	     "them"),
	LOST("route_held_jobs", BOOLEAN, QUEUE, ROUTING),
	LOST("route_waiting_jobs", BOOLEAN, QUEUE, ROUTING),
	LOST("route_retry_time", NUMBER, BOTH, ROUTING),
	LOST("route_lifetime", NUMBER, QUEUE, ROUTING),
	NEEDLESS("is_transit", BOOLEAN, QUEUE, ROUTING),
	NEEDLESS("ghost_queue", BOOLEAN, QUEUE, "it served the recovery of Torque's queue"),

	/* --- the server's own work --- */
	OTHER("scheduling", BOOLEAN, SERVER,
	      "False held all starts: in Slurm, State=DOWN of the partitions"),
	NEEDLESS("scheduler_iteration", NUMBER, SERVER,
		 "RMPOLLINTERVAL of maui.cfg is the interval of Maui"),
	LOST("mail_from", TEXT, SERVER, "MailProg sends mail, and can set the sender"),
	LOST("mail_domain", TEXT, SERVER, "in slurm.conf: MailDomain=%v"),
	LOST("mail_body_fmt", TEXT, SERVER, "MailProg decides"),
	LOST("mail_subject_fmt", TEXT, SERVER, "MailProg decides"),
	LOST("no_mail_force", BOOLEAN, SERVER, "sbatch --mail-type decides"),
	LOST("max_job_array_size", NUMBER, SERVER,
	     "in slurm.conf: MaxArraySize, which is one more"),
	LOST("max_slot_limit", NUMBER, SERVER,
	     "users limit an array's tasks by sbatch --array=...%%N; nothing bounds N"),
	LOST("default_node", TEXT, SERVER, DEFAULT_REQUEST),
	LOST("node_pack", BOOLEAN, SERVER,
	     "NODEALLOCATIONPOLICY of maui.cfg orders the nodes, CR_Pack_Nodes fills them"),
	LOST("resources_cost", TEXT, SERVER, "TRESBillingWeights of the partitions weigh usage"),
	LOST("system_cost", NUMBER, SERVER, "TRESBillingWeights of the partitions weigh usage"),
	LOST("auto_node_np", BOOLEAN, SERVER,
	     "CPUs= of the NodeName line decides; a node that has fewer is drained"),
	LOST("auto_node_gpu", BOOLEAN, SERVER, "gres.conf with AutoDetect=nvml finds them"),
	LOST("job_force_cancel_time", NUMBER, SERVER, "in slurm.conf: UnkillableStepTimeout"),
	LOST("job_start_timeout", NUMBER, SERVER, "in slurm.conf: BatchStartTimeout"),
	LOST("cray_enabled", BOOLEAN, SERVER, "Slurm has plugins of its own for a Cray"),
	LOST("cgroup_per_task", BOOLEAN, SERVER,
	     "in slurm.conf: TaskPlugin=task/cgroup,task/affinity"),
	LOST("clone_batch_size", NUMBER, SERVER, "Slurm makes all tasks of an array at once"),
	LOST("down_on_error", BOOLEAN, SERVER, "in slurm.conf: HealthCheckProgram drains nodes"),
	LOST("node_suffix", TEXT, SERVER, "NodeName lines have whole names"),
	LOST("comment", TEXT, SERVER, "Slurm shows no comment of the controller"),
	NEEDLESS("log_events", NUMBER, SERVER, OWN_LOG),
	NEEDLESS("log_level", NUMBER, SERVER, OWN_LOG),
	NEEDLESS("log_file_max_size", NUMBER, SERVER, OWN_LOG),
	NEEDLESS("log_file_roll_depth", NUMBER, SERVER, OWN_LOG),
	NEEDLESS("log_keep_days", NUMBER, SERVER, OWN_LOG),
	NEEDLESS("record_job_info", BOOLEAN, SERVER, "slurmdbd records jobs"),
	NEEDLESS("record_job_script", BOOLEAN, SERVER,
		 "in slurm.conf: AccountingStoreFlags=job_script"),
	NEEDLESS("job_log_file_max_size", NUMBER, SERVER, "slurmdbd records jobs"),
	NEEDLESS("job_log_file_roll_depth", NUMBER, SERVER, "slurmdbd records jobs"),
	NEEDLESS("job_log_keep_days", NUMBER, SERVER, "slurmdbd records jobs"),
	NEEDLESS("node_check_rate", NUMBER, SERVER, "in slurm.conf: SlurmdTimeout"),
	NEEDLESS("node_ping_rate", NUMBER, SERVER, DAEMONS),
	NEEDLESS("tcp_timeout", NUMBER, SERVER, "in slurm.conf: MessageTimeout"),
	NEEDLESS("job_stat_rate", NUMBER, SERVER, DAEMONS),
	NEEDLESS("job_sync_timeout", NUMBER, SERVER, DAEMONS),
	NEEDLESS("poll_jobs", BOOLEAN, SERVER, DAEMONS),
	NEEDLESS("mom_job_sync", BOOLEAN, SERVER, DAEMONS),
	NEEDLESS("job_nanny", BOOLEAN, SERVER, DAEMONS),
	NEEDLESS("timeout_for_job_delete", NUMBER, SERVER, DAEMONS),
	NEEDLESS("timeout_for_job_requeue", NUMBER, SERVER, DAEMONS),
	NEEDLESS("moab_array_compatible", BOOLEAN, SERVER, "Slurm has arrays of its own"),
	NEEDLESS("display_job_server_suffix", BOOLEAN, SERVER, "job ids of Slurm are numbers"),
	NEEDLESS("job_suffix_alias", TEXT, SERVER, "job ids of Slurm are numbers"),
	NEEDLESS("server_name", TEXT, SERVER, "in slurm.conf: SlurmctldHost"),
	NEEDLESS("server_host", TEXT, SERVER, "in slurm.conf: SlurmctldHost"),
	NEEDLESS("pbs_version", TEXT, SERVER, "it is the version of Torque"),
	NEEDLESS("server_state", TEXT, SERVER, "it is a state, not a setting"),
	NEEDLESS("total_jobs", NUMBER, BOTH, "it is a state, not a setting"),
	NEEDLESS("state_count", TEXT, BOTH, "it is a state, not a setting"),
	NEEDLESS("mtime", TEXT, BOTH, "it is a state, not a setting"),
	NEEDLESS("max_threads", NUMBER, SERVER, DAEMONS),
	NEEDLESS("min_threads", NUMBER, SERVER, DAEMONS),
	NEEDLESS("thread_idle_seconds", NUMBER, SERVER, DAEMONS),
	NEEDLESS("interactive_jobs_can_roam", BOOLEAN, SERVER, "salloc and srun wait themselves"),
	NEEDLESS("lock_file", TEXT, SERVER, "a second SlurmctldHost is the backup"),
	NEEDLESS("lock_file_update_time", NUMBER, SERVER, "a second SlurmctldHost is the backup"),
	NEEDLESS("lock_file_check_time", NUMBER, SERVER, "a second SlurmctldHost is the backup"),
	NEEDLESS("np_default", NUMBER, SERVER, "each NodeName line has CPUs="),
	NEEDLESS("nppcu", NUMBER, SERVER, "ThreadsPerCore= of the NodeName lines decides"),
	NEEDLESS("exit_code_canceled_job", NUMBER, SERVER, "sacct has the state CANCELLED"),
	NEEDLESS("pass_cpu_clock", BOOLEAN, SERVER, "srun --cpu-freq asks for it"),
};

const struct maui_torque_known *maui_torque_find(const char *name, enum maui_torque_of of)
{
	for (size_t i = 0; i < sizeof(torque_rows) / sizeof(torque_rows[0]); i++)
		if ((torque_rows[i].of & of) && !strcasecmp(torque_rows[i].name, name))
			return &torque_rows[i];
	return NULL;
}

/* ---- values ---- */

#define DIGITS 9 /* of a number: nothing overflows */

/* Digits from text on; *ret_rest is behind them. False: none, or too many. */
static bool torque_digits(const char *text, uint64_t *ret_number, const char **ret_rest)
{
	size_t size = strspn(text, "0123456789");

	*ret_rest = text + size;
	*ret_number = size && size <= DIGITS ? strtoull(text, NULL, 10) : 0;
	return size && size <= DIGITS;
}

static bool torque_read_time(const char *text, uint64_t *ret_seconds)
{
	static const uint64_t units[] = {60, 60, 24};
	uint64_t fields[4] = {0}, seconds = 0, unit = 1;
	size_t count = 0;

	do {
		if (count == 4 || !torque_digits(text, &fields[count++], &text))
			return false;
	} while (*text == ':' && text++);
	if (*text == '.') /* milliseconds */
		text += 1 + strspn(text + 1, "0123456789");
	for (size_t i = 0; i < count; i++) {
		seconds += fields[count - 1 - i] * unit;
		unit *= units[i < 3 ? i : 2];
	}
	*ret_seconds = seconds;
	return !*text;
}

/* 64gb, 8gw: words of 8 bytes. 9 digits of terabytes fit, as kilobytes. */
static bool torque_read_size(const char *text, uint64_t *ret_megabytes)
{
	static const char prefixes[] = "kmgt";
	uint64_t number, kilobytes, unit = 1;
	const char *prefix;

	if (!torque_digits(text, &number, &text))
		return false;
	prefix = *text ? strchr(prefixes, *text | 0x20) : NULL;
	for (const char *at = prefixes; prefix && at < prefix; at++)
		unit *= 1024;
	text += prefix != NULL;
	number *= maui_upper(*text) == 'W' ? 8 : 1;
	text += maui_upper(*text) == 'W' || maui_upper(*text) == 'B';
	kilobytes = prefix ? number * unit : (number + 1023) / 1024;
	*ret_megabytes = (kilobytes + 1023) / 1024;
	return !*text;
}

static bool torque_is_one_of(const char *value, const char *const words[])
{
	for (size_t i = 0; words[i]; i++)
		if (!strcasecmp(value, words[i]))
			return true;
	return false;
}

bool maui_torque_truth(const char *value)
{
	static const char *const words[] = {"true", "t", "1", "y", NULL};

	return torque_is_one_of(value, words);
}

const char *maui_torque_check(enum maui_torque_kind kind, const char *value)
{
	static const char *const no[] = {"false", "f", "0", "n", NULL};
	const char *rest;
	uint64_t number;

	if (!*value)
		return "there is no value";
	switch (kind) {
	case MAUI_TORQUE_BOOLEAN:
		return maui_torque_truth(value) || torque_is_one_of(value, no)
			       ? NULL
			       : "this is True or False";
	case MAUI_TORQUE_INTEGER:
		value += *value == '-';
		/* fall through */
	case MAUI_TORQUE_NUMBER:
		return torque_digits(value, &number, &rest) && !*rest
			       ? NULL
			       : "a whole number of at most 9 digits is expected";
	case MAUI_TORQUE_TIME:
		return torque_read_time(value, &number) ? NULL : "a time is [[[DD:]HH:]MM:]SS";
	case MAUI_TORQUE_SIZE:
		return torque_read_size(value, &number)
			       ? NULL
			       : "a size is a whole number and b, kb, mb, gb or tb";
	case MAUI_TORQUE_TEXT:
	case MAUI_TORQUE_LIST:
		break;
	}
	return NULL;
}

uint64_t maui_torque_number(const char *value)
{
	const char *rest;
	uint64_t number;

	torque_digits(value, &number, &rest);
	return number;
}

uint64_t maui_torque_seconds(const char *value)
{
	uint64_t seconds = 0;

	torque_read_time(value, &seconds);
	return seconds;
}

uint64_t maui_torque_megabytes(const char *value)
{
	uint64_t megabytes = 0;

	torque_read_size(value, &megabytes);
	return megabytes;
}
