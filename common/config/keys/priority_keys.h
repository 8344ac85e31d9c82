/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The components and subcomponents of a job's priority: a line for each, from which the enumerators
 * of its weight and its cap (keys.h), their entries in the key table and their verdicts are made.
 *
 * KEY(NAME, WEIGHT_ALIASES, CAP_ALIASES, DEFAULT, AREA, WHAT, VERDICT): DEFAULT is the weight's.
 * VERDICT is HONOURED, NEARLY("what differs"), IGNORED("why it has no effect"), or HARMLESS("why
 * it makes no difference that it has none").
 */
#ifndef MAUI_CONFIG_PRIORITY_KEYS_H
#define MAUI_CONFIG_PRIORITY_KEYS_H

/* clang-format off */
#define MAUI_COMPONENT_KEYS(KEY)                                                                  \
	KEY(CRED, "DIRECTSPECWEIGHT", "", "1", PRIORITY, "credential", HONOURED),                 \
	KEY(FS, "", "", "0", FAIRSHARE, "fairshare", HONOURED),                                   \
	KEY(SERV, "SERVICEWEIGHT SERVICETARGETWEIGHT", "SERVICEWCAP SERVICECAP", "1", PRIORITY,   \
	    "service", HONOURED),                                                                 \
	KEY(TARG, "TARGETWEIGHT", "TARGETCAP", "0", PRIORITY, "target service", HONOURED),        \
	KEY(RES, "", "", "0", PRIORITY, "resource", HONOURED),                                    \
	KEY(USAGE, "", "", "0", PRIORITY, "usage (running jobs)",                                 \
	    NEARLY(MAUI_OF_RUNNING_JOBS))

#define MAUI_SUBCOMPONENT_KEYS(KEY)                                                               \
	KEY(USER, "", "", "0", PRIORITY, "the PRIORITY of the job's user", HONOURED),             \
	KEY(GROUP, "", "", "0", PRIORITY, "the PRIORITY of the job's group", HONOURED),           \
	KEY(ACCOUNT, "", "", "0", PRIORITY, "the PRIORITY of the job's account", HONOURED),       \
	KEY(QOS, "", "", "0", PRIORITY, "the PRIORITY of the job's QOS", HONOURED),               \
	KEY(CLASS, "", "", "0", PRIORITY, "the PRIORITY of the job's class (partition)",          \
	    HONOURED),                                                                            \
	KEY(FSUSER, "UFSWEIGHT", "", "0", FAIRSHARE, "the user's fairshare", HONOURED),           \
	KEY(FSGROUP, "GFSWEIGHT", "", "0", FAIRSHARE, "the group's fairshare", HONOURED),         \
	KEY(FSACCOUNT, "AFSWEIGHT", "", "0", FAIRSHARE, "the account's fairshare", HONOURED),     \
	KEY(FSQOS, "", "", "0", FAIRSHARE, "the QOS's fairshare", HONOURED),                      \
	KEY(FSCLASS, "", "", "0", FAIRSHARE, "the class's fairshare", HONOURED),                  \
	KEY(FSTREE, "", "", "0", FAIRSHARE, "FairShare of sshare, 0 to 1: Slurm's Fair Tree",     \
	    HONOURED),                                                                            \
	KEY(QUEUETIME, "", "", "1", PRIORITY, "the effective queue time in minutes", HONOURED),   \
	KEY(XFACTOR, "", "", "0", PRIORITY, "the expansion factor", HONOURED),                    \
	KEY(SPVIOLATION, "", "", "0", THROTTLING, "running over a soft limit (0 or 1)",           \
	    IGNORED("only running jobs have it, and Slurm gives those no priority")),             \
	KEY(BYPASS, "", "", "0", PRIORITY, "how often backfill bypassed the job",                 \
	    NEARLY("jobs that sched/backfill starts are counted; what the main scheduler starts " \
		   "passes nobody")),                                                             \
	KEY(TARGETQUEUETIME, "", "", "0", PRIORITY, "nearness to the QOS's QTTARGET", HONOURED),  \
	KEY(TARGETXFACTOR, "", "", "0", PRIORITY, "nearness to the QOS's XFTARGET", HONOURED),    \
	KEY(NODE, "", "", "0", PRIORITY, "the nodes asked for",                                   \
	    NEARLY("Slurm's minimum number of nodes is counted, which is 1 where a job asks for " \
		   "none")),                                                                      \
	KEY(PROC, "", "", "0", PRIORITY, "the processors asked for", HONOURED),                   \
	KEY(MEM, "", "", "0", PRIORITY, "the memory asked for in MB", HONOURED),                  \
	KEY(SWAP, "", "", "0", PRIORITY, "the swap space asked for in MB",                        \
	    HARMLESS("jobs cannot ask Slurm for swap space, so this is always 0")),               \
	KEY(DISK, "", "", "0", PRIORITY, "the local disk asked for in MB", HONOURED),             \
	KEY(PS, "", "", "0", PRIORITY, "the processor-seconds asked for", HONOURED),              \
	KEY(PE, "", "", "0", PRIORITY, "the processor equivalents asked for",                     \
	    NEARLY("processor equivalents are computed without swap, which Slurm does not "       \
		   "have")),                                                                      \
	KEY(WALLTIME, "", "", "0", PRIORITY, "the wall-clock limit in seconds", HONOURED),        \
	KEY(GRES, "", "", "0", PRIORITY,                                                          \
	    "the units of GRES asked for, each times its own GRESWEIGHT[GRES]", HONOURED),        \
	KEY(USAGECONSUMED, "CONSUMEDWEIGHT", "CONSUMEDCAP", "0", PRIORITY,                        \
	    "the processor-seconds that a running job has consumed",                              \
	    NEARLY(MAUI_OF_RUNNING_JOBS)),                                                        \
	KEY(USAGEREMAINING, "REMAININGWEIGHT", "REMAININGCAP", "0", PRIORITY,                     \
	    "the processor-seconds that a running job has left", NEARLY(MAUI_OF_RUNNING_JOBS)),   \
	KEY(USAGEEXECUTIONTIME, "EXECUTIONTIMEWEIGHT", "EXECUTIONTIMECAP", "0", PRIORITY,         \
	    "the seconds since a running job's start", NEARLY(MAUI_OF_RUNNING_JOBS)),             \
	KEY(USAGEPERCENT, "PERCENTWEIGHT", "PERCENTCAP", "0", PRIORITY,                           \
	    "the percentage of its limit that a running job has consumed",                        \
	    NEARLY(MAUI_OF_RUNNING_JOBS))
/* clang-format on */

#define MAUI_OF_RUNNING_JOBS                                                                       \
	"it orders running jobs where owners take back their nodes (preempt/maui); the priority "  \
	"that squeue shows stays the one that the job started with"

#endif
