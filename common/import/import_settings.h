/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The settings of slurm.conf that are policy: a row for each, with what becomes of it.
 *
 * SETTING(ID, NAME, FATE, PLAIN, EFFECT): PLAIN are the values, separated by commas, with which
 * there is nothing to say; EFFECT what follows for jobs with another. FATE is
 *   LINES   translated into lines, or remarked upon, by a function of its own
 *   LOST    nothing in Maui does it
 *   STAYS   Slurm goes on doing it, whatever gives jobs their priority
 *   NONE    it is no policy: which nodes there are, how they are switched off
 */
#ifndef MAUI_IMPORT_SETTINGS_H
#define MAUI_IMPORT_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

/* clang-format off */
#define MAUI_IMPORT_SETTINGS(SETTING)                                                              \
	SETTING(ACCOUNTING_TYPE, "AccountingStorageType", LINES, "", NULL)                         \
	SETTING(ENFORCE, "AccountingStorageEnforce", STAYS, "none,0",                              \
		"Slurm enforces the limits of associations and QOS beside those of Maui")          \
	SETTING(CLUSTER, "ClusterName", NONE, "", NULL)                                            \
	SETTING(DAMPENING, "FairShareDampeningFactor", LINES, "", NULL)                            \
	SETTING(DEF_CPU_GPU, "DefCpuPerGPU", STAYS, "", MAUI_IMPORT_OF_REQUESTS)                   \
	SETTING(DEF_MEM_CPU, "DefMemPerCPU", STAYS, "UNLIMITED,0", MAUI_IMPORT_OF_REQUESTS)        \
	SETTING(DEF_MEM_GPU, "DefMemPerGPU", STAYS, "UNLIMITED,0", MAUI_IMPORT_OF_REQUESTS)        \
	SETTING(DEF_MEM_NODE, "DefMemPerNode", STAYS, "UNLIMITED,0", MAUI_IMPORT_OF_REQUESTS)      \
	SETTING(ENFORCE_PARTITION, "EnforcePartLimits", STAYS, "NO,0",                             \
		"Slurm rejects jobs beyond the limits of their partition at submission")           \
	SETTING(JOB_SUBMIT, "JobSubmitPlugins", STAYS, "",                                         \
		"Slurm runs these plugins at submission; job_submit/maui is added to them")        \
	SETTING(MAX_MEM_CPU, "MaxMemPerCPU", STAYS, "UNLIMITED,0", MAUI_IMPORT_OF_REQUESTS)        \
	SETTING(MAX_MEM_NODE, "MaxMemPerNode", STAYS, "UNLIMITED,0", MAUI_IMPORT_OF_REQUESTS)      \
	SETTING(OVER_TIME, "OverTimeLimit", STAYS, "0,0 min",                                          \
		"Slurm ends jobs so much later than at their limit")                               \
	SETTING(PREEMPT_EXEMPT, "PreemptExemptTime", STAYS, "00:00:00,0,-1", MAUI_IMPORT_PREEMPTS) \
	SETTING(PREEMPT_MODE, "PreemptMode", STAYS, "OFF", MAUI_IMPORT_PREEMPTS)                   \
	SETTING(PREEMPT_PARAMETERS, "PreemptParameters", STAYS, "", MAUI_IMPORT_PREEMPTS)          \
	SETTING(PREEMPT_TYPE, "PreemptType", STAYS, "preempt/none", MAUI_IMPORT_PREEMPTS)          \
	SETTING(CALC_PERIOD, "PriorityCalcPeriod", STAYS, "5,00:05:00",                                     \
		"priority/maui decays Slurm's usage so often, for GrpTRESMins, sshare and so "     \
		"FSTREEWEIGHT; priorities are computed every RMPOLLINTERVAL")                      \
	SETTING(HALF_LIFE, "PriorityDecayHalfLife", STAYS, "7-0,7-00:00:00",                                    \
		"priority/maui decays Slurm's usage by it, for GrpTRESMins, sshare and so "        \
		"FSTREEWEIGHT; the rest of Maui's fairshare has windows of its own")               \
	SETTING(FAVOR_SMALL, "PriorityFavorSmall", LINES, "", NULL)                                \
	SETTING(FLAGS, "PriorityFlags", LINES, "", NULL)                                           \
	SETTING(MAX_AGE, "PriorityMaxAge", LINES, "", NULL)                                        \
	SETTING(PARAMETERS, "PriorityParameters", STAYS, "",                                       \
		"priority/multifactor ignores it; priority/maui takes its maui_* options from it") \
	SETTING(SITE_PARAMETERS, "PrioritySiteFactorParameters", STAYS, "",                        \
		"it is for PrioritySiteFactorPlugin")                                              \
	SETTING(SITE_PLUGIN, "PrioritySiteFactorPlugin", STAYS, "site_factor/none",                \
		"priority/maui asks this plugin, too, and adds a job's site factor")               \
	SETTING(PRIORITY_TYPE, "PriorityType", LINES, "", NULL)                                    \
	SETTING(RESET_PERIOD, "PriorityUsageResetPeriod", STAYS, "NONE",                           \
		"priority/maui resets Slurm's usage then, for GrpTRESMins, sshare and so "         \
		"FSTREEWEIGHT; the rest of Maui's fairshare has windows of its own")               \
	SETTING(WEIGHT_AGE, "PriorityWeightAge", LINES, "", NULL)                                  \
	SETTING(WEIGHT_ASSOC, "PriorityWeightAssoc", LINES, "", NULL)                              \
	SETTING(WEIGHT_FAIRSHARE, "PriorityWeightFairshare", LINES, "", NULL)                      \
	SETTING(WEIGHT_SIZE, "PriorityWeightJobSize", LINES, "", NULL)                             \
	SETTING(WEIGHT_PARTITION, "PriorityWeightPartition", LINES, "", NULL)                      \
	SETTING(WEIGHT_QOS, "PriorityWeightQOS", LINES, "", NULL)                                  \
	SETTING(WEIGHT_TRES, "PriorityWeightTRES", LINES, "", NULL)                                \
	SETTING(SCHEDULER_PARAMETERS, "SchedulerParameters", STAYS, "(null)",                      \
		"Slurm's schedulers go on starting jobs by it, in the order of Maui's priorities") \
	SETTING(SCHEDULER_TYPE, "SchedulerType", STAYS, "sched/backfill",                          \
		"this scheduler starts jobs, in the order of Maui's priorities")

#define MAUI_IMPORT_PARTITION_SETTINGS(SETTING)                                                    \
	SETTING(P_NAME, "PartitionName", NONE, "", NULL)                                           \
	SETTING(P_ALLOC_NODES, "AllocNodes", STAYS, "ALL", MAUI_IMPORT_WHO)                        \
	SETTING(P_ALLOW_ACCOUNTS, "AllowAccounts", STAYS, "ALL", MAUI_IMPORT_WHO)                  \
	SETTING(P_ALLOW_GROUPS, "AllowGroups", STAYS, "ALL", MAUI_IMPORT_WHO)                      \
	SETTING(P_ALLOW_QOS, "AllowQos", STAYS, "ALL", MAUI_IMPORT_WHO)                            \
	SETTING(P_ALTERNATE, "Alternate", STAYS, "", "Slurm sends jobs to the other partition "    \
		"while this one is down or drained")                                               \
	SETTING(P_CPU_BIND, "CpuBind", NONE, "", NULL)                                             \
	SETTING(P_DEFAULT, "Default", NONE, "", NULL)                                              \
	SETTING(P_DEFAULT_TIME, "DefaultTime", STAYS, "NONE", MAUI_IMPORT_OF_REQUESTS)             \
	SETTING(P_DEF_CPU_GPU, "DefCpuPerGPU", STAYS, "", MAUI_IMPORT_OF_REQUESTS)                 \
	SETTING(P_DEF_MEM_CPU, "DefMemPerCPU", STAYS, "UNLIMITED,0", MAUI_IMPORT_OF_REQUESTS)      \
	SETTING(P_DEF_MEM_GPU, "DefMemPerGPU", STAYS, "UNLIMITED,0", MAUI_IMPORT_OF_REQUESTS)      \
	SETTING(P_DEF_MEM_NODE, "DefMemPerNode", STAYS, "UNLIMITED,0", MAUI_IMPORT_OF_REQUESTS)    \
	SETTING(P_DENY_ACCOUNTS, "DenyAccounts", STAYS, "", MAUI_IMPORT_WHO)                       \
	SETTING(P_DENY_QOS, "DenyQos", STAYS, "", MAUI_IMPORT_WHO)                                 \
	SETTING(P_ROOT_JOBS, "DisableRootJobs", STAYS, "NO", MAUI_IMPORT_WHO)                      \
	SETTING(P_EXCLUSIVE, "Exclusive", STAYS, "NO", MAUI_IMPORT_SHARING)                        \
	SETTING(P_EXCLUSIVE_TOPO, "ExclusiveTopo", STAYS, "NO", MAUI_IMPORT_SHARING)               \
	SETTING(P_EXCLUSIVE_USER, "ExclusiveUser", STAYS, "NO", MAUI_IMPORT_SHARING)               \
	SETTING(P_GRACE, "GraceTime", STAYS, "0", MAUI_IMPORT_PREEMPTS)                            \
	SETTING(P_HIDDEN, "Hidden", NONE, "", NULL)                                                \
	SETTING(P_JOB_DEFAULTS, "JobDefaults", STAYS, "", MAUI_IMPORT_OF_REQUESTS)                 \
	SETTING(P_LLN, "LLN", STAYS, "NO", "Slurm takes the least loaded nodes there, and "        \
		"NODEALLOCATIONPOLICY has no effect")                                              \
	SETTING(P_MAX_CPUS_NODE, "MaxCPUsPerNode", STAYS, "UNLIMITED", MAUI_IMPORT_LIMITS)         \
	SETTING(P_MAX_CPUS_SOCKET, "MaxCPUsPerSocket", STAYS, "UNLIMITED", MAUI_IMPORT_LIMITS)     \
	SETTING(P_MAX_MEM_CPU, "MaxMemPerCPU", STAYS, "UNLIMITED,0", MAUI_IMPORT_LIMITS)           \
	SETTING(P_MAX_MEM_NODE, "MaxMemPerNode", STAYS, "UNLIMITED,0", MAUI_IMPORT_LIMITS)         \
	SETTING(P_MAX_NODES, "MaxNodes", STAYS, "UNLIMITED,INFINITE", MAUI_IMPORT_LIMITS)          \
	SETTING(P_MAX_TIME, "MaxTime", STAYS, "UNLIMITED,INFINITE,-1", MAUI_IMPORT_LIMITS)         \
	SETTING(P_MIN_NODES, "MinNodes", STAYS, "0,1", MAUI_IMPORT_LIMITS)                         \
	SETTING(P_NODES, "Nodes", NONE, "", NULL)                                                  \
	SETTING(P_OVERSUBSCRIBE, "OverSubscribe", STAYS, "NO", MAUI_IMPORT_SHARING)                \
	SETTING(P_OVER_TIME, "OverTimeLimit", STAYS, "0,NONE",                                          \
		"Slurm ends jobs so much later than at their limit")                               \
	SETTING(P_POWER_DOWN, "PowerDownOnIdle", NONE, "", NULL)                                   \
	SETTING(P_PREEMPT_MODE, "PreemptMode", STAYS, "", MAUI_IMPORT_PREEMPTS)                    \
	SETTING(P_PRIORITY, "Priority", LINES, "", NULL)                                           \
	SETTING(P_JOB_FACTOR, "PriorityJobFactor", LINES, "", NULL)                                \
	SETTING(P_TIER, "PriorityTier", STAYS, "1", MAUI_IMPORT_TIERS)                             \
	SETTING(P_QOS, "QOS", STAYS, "N/A", "Slurm enforces the limits of this QOS in the "        \
		"partition; it gives no priority")                                                 \
	SETTING(P_REQ_RESV, "ReqResv", STAYS, "NO", MAUI_IMPORT_WHO)                               \
	SETTING(P_RESUME, "ResumeTimeout", NONE, "", NULL)                                         \
	SETTING(P_ROOT_ONLY, "RootOnly", STAYS, "NO", MAUI_IMPORT_WHO)                             \
	SETTING(P_SELECT, "SelectTypeParameters", STAYS, "NONE", MAUI_IMPORT_SHARING)              \
	SETTING(P_SHARED, "Shared", STAYS, "NO", MAUI_IMPORT_SHARING)                              \
	SETTING(P_STATE, "State", NONE, "", NULL)                                                  \
	SETTING(P_SUSPEND, "SuspendTime", NONE, "", NULL)                                          \
	SETTING(P_SUSPEND_TIMEOUT, "SuspendTimeout", NONE, "", NULL)                               \
	SETTING(P_TOPOLOGY, "Topology", NONE, "", NULL)                                            \
	SETTING(P_BILLING, "TRESBillingWeights", STAYS, "",                                        \
		"Slurm bills by them, for sshare and GrpTRESMins; Maui's fairshare counts "        \
		"processors")

/* Words of PriorityFlags. */
#define MAUI_IMPORT_FLAG_WORDS(SETTING)                                                                 \
	SETTING(ACCRUE_ALWAYS, "ACCRUE_ALWAYS", LINES, "", NULL)                                   \
	SETTING(CALCULATE_RUNNING, "CALCULATE_RUNNING", LOST, "",                                  \
		"running and suspended jobs keep the priority that they started with")             \
	SETTING(DEPTH_OBLIVIOUS, "DEPTH_OBLIVIOUS", LINES, "", NULL)                               \
	SETTING(FAIR_TREE, "FAIR_TREE", LINES, "", NULL)                                           \
	SETTING(INCR_ONLY, "INCR_ONLY", LOST, "",                                                  \
		"a job's priority falls when its factors do, as after a change of its QOS")        \
	SETTING(MAX_TRES, "MAX_TRES", STAYS, "",                                                   \
		"Slurm bills by the greatest TRES of a node, for sshare and GrpTRESMins")          \
	SETTING(MAX_TRES_GRES, "MAX_TRES_GRES", STAYS, "",                                         \
		"Slurm bills by the greatest TRES of a node and its GRES, for sshare and "         \
		"GrpTRESMins")                                                                     \
	SETTING(NO_FAIR_TREE, "NO_FAIR_TREE", LINES, "", NULL)                                     \
	SETTING(NO_NORMAL_ALL, "NO_NORMAL_ALL", LINES, "", NULL)                                   \
	SETTING(NO_NORMAL_ASSOC, "NO_NORMAL_ASSOC", LINES, "", NULL)                               \
	SETTING(NO_NORMAL_PART, "NO_NORMAL_PART", LINES, "", NULL)                                 \
	SETTING(NO_NORMAL_QOS, "NO_NORMAL_QOS", LINES, "", NULL)                                   \
	SETTING(NO_NORMAL_TRES, "NO_NORMAL_TRES", LINES, "", NULL)                                 \
	SETTING(SMALL_RELATIVE, "SMALL_RELATIVE_TO_TIME", LINES, "", NULL)
/* clang-format on */

#define MAUI_IMPORT_OF_REQUESTS "Slurm completes and refuses requests by it before Maui sees a job"
#define MAUI_IMPORT_LIMITS      "Slurm enforces it, and says so in squeue"
#define MAUI_IMPORT_WHO         "Slurm decides by it who may use the partition"
#define MAUI_IMPORT_SHARING     "Slurm shares nodes by it"
#define MAUI_IMPORT_PREEMPTS    "Slurm preempts as before; preempt/maui only adds owners' claims"
#define MAUI_IMPORT_TIERS                                                                          \
	"Slurm looks at jobs of a higher tier first, whatever their priority, and preempts by it"

#define MAUI_IMPORT_ID(ID, NAME, FATE, PLAIN, EFFECT) MAUI_IMPORT_##ID,
enum maui_import_setting { MAUI_IMPORT_SETTINGS(MAUI_IMPORT_ID) MAUI_IMPORT_GLOBALS };
enum maui_import_partition_setting {
	MAUI_IMPORT_PARTITION_SETTINGS(MAUI_IMPORT_ID) MAUI_IMPORT_PARTITION_COUNT
};
enum maui_import_flag { MAUI_IMPORT_FLAG_WORDS(MAUI_IMPORT_ID) MAUI_IMPORT_FLAG_COUNT };

enum maui_import_becomes {
	MAUI_IMPORT_BECOMES_LINES,
	MAUI_IMPORT_BECOMES_LOST,
	MAUI_IMPORT_BECOMES_STAYS,
	MAUI_IMPORT_BECOMES_NONE
};

struct maui_import_row {
	const char *name;
	enum maui_import_becomes becomes;
	const char *plain, *effect;
};
extern const struct maui_import_row maui_import_settings[MAUI_IMPORT_GLOBALS];
extern const struct maui_import_row maui_import_partition_settings[MAUI_IMPORT_PARTITION_COUNT];
extern const struct maui_import_row maui_import_flags[MAUI_IMPORT_FLAG_COUNT];

/* The number of a name in any case; count if it has no row. */
size_t maui_import_find(const struct maui_import_row *rows, size_t count, const char *name);

/* Whether there is nothing to say about this value, in any case. */
bool maui_import_is_plain(const struct maui_import_row *row, const char *value);

#endif
