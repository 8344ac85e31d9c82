/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The key table itself. Regular families have a macro each; irregular keys are written out.
 * Defaults are the documented ones: D-CFG-10.
 */
#include "common/config/keys/keys_private.h"

#define PARAMETER  MAUI_IN(MAUI_PARAMETERS)
#define IN_NODECFG MAUI_IN(MAUI_NODECFG)
#define IN_SRCFG   MAUI_IN(MAUI_SRCFG)
#define IN_PERIODS (MAUI_IN(MAUI_SRCFG) | MAUI_IN(MAUI_PERIODCFG))
#define IN_QOSCFG  MAUI_IN(MAUI_QOSCFG)
#define CREDS      MAUI_IN_CREDENTIALS
#define LIMITED    (MAUI_IN_CREDENTIALS | MAUI_IN(MAUI_SYSCFG))
#define REQUESTERS (LIMITED & ~IN_QOSCFG) /* a QOS cannot ask for a QOS */

#define HUGE_NUMBER 1e15 /* the original has 32-bit integers; doubles are exact far beyond this */
#define FOREVER     2140000000.0 /* MAUI_INFINITY */

#define KEYWORDS(...)                                                                              \
	(const char *const[])                                                                      \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}

#define ALLOCATION_POLICIES                                                                        \
	KEYWORDS("FIRSTAVAILABLE", "LASTAVAILABLE", "PRIORITY", "CPULOAD", "MINRESOURCE",          \
		 "CONTIGUOUS", "MAXBALANCE", "FASTEST", "LOCAL")
#define ACCESS_POLICIES KEYWORDS("SHARED", "SINGLEJOB", "SINGLETASK", "SINGLEUSER")
#define FS_POLICIES     KEYWORDS("[NONE]", "DEDICATEDPS", "DEDICATEDPES", "UTILIZEDPS", "DEDICATEDGRES")
#define QOS_FLAGS                                                                                  \
	KEYWORDS("IGNJOBPERUSER", "IGNPROCPERUSER", "IGNNODEPERUSER", "IGNPSPERUSER",              \
		 "IGNJOBQUEUEDPERUSER", "IGNSYSMAXPROC", "IGNSYSMAXTIME", "IGNSYSMAXPS",           \
		 "IGNSRMAXTIME", "IGNUSER", "IGNSYSTEM", "IGNALL", "PREEMPTOR", "PREEMPTEE",       \
		 "DEDICATED", "RESERVEALWAYS", "USERESERVED", "NOBF", "NORESERVATION",             \
		 "RESTARTPREEMPT", "NTR", "RUNNOW", "PREEMPTSPV", "IGNHOSTLIST")
#define JOB_FLAGS                                                                                  \
	KEYWORDS("BENCHMARK", "BACKFILL", "SPAN", "ADVRES", "NOQUEUE", "HOSTLIST", "RESMAP",       \
		 "SHAREDRESOURCES", "BYNAME", "BESTEFFORT", "RESTARTABLE", "PREEMPTEE",            \
		 "PREEMPTOR", "DEDICATEDNODE", "PRESTART", "REMOTE", "NASINGLETASK",               \
		 "SPVIOLATION", "IGNNODEPOLICIES", "NORMSTART", "GLOBALQUEUE")
#define RESERVATION_FLAGS                                                                          \
	KEYWORDS("SINGLEUSE", "BYNAME", "OWNERPREEMPT", "SPACEFLEX", "FORCE", "DEDICATEDRESOURCE", \
		 "STANDINGRES", "META", "PREEMPTEE", "TIMEFLEX", "DEDICATEDNODE", "ADVRES",        \
		 "BESTEFFORT", "MAINT")

/* NOLINTBEGIN(bugprone-macro-parentheses): they make initializers, and join string literals. */
#define KEY(KEY_, NAME, ALIASES, SECTIONS, KIND)                                                   \
	.key = KEY_, .name = NAME, .aliases = ALIASES, .sections = SECTIONS,                       \
	.kind = MAUI_KIND_##KIND
#define ABOUT(AREA, CHAPTER, SUMMARY)                                                              \
	.area = MAUI_AREA_##AREA, .chapter = CHAPTER, .summary = SUMMARY
#define RANGE(MIN, MAX) .min = MIN, .max = MAX
/* Less than MAUI_GRES_MOST, also as a double. */
#define UNITS      RANGE(-HUGE_NUMBER, 4611686018427387392.0)
#define ANY_NUMBER RANGE(-HUGE_NUMBER, HUGE_NUMBER)

/* FOOWEIGHT and FOOCAP, per partition; only that of GRES is per GRES, D-GRES-5. */
#define WEIGHT_(NAME, ALIASES, DEFAULT, AREA, SUMMARY)                                             \
	KEY(MAUI_KEY_##NAME, #NAME, ALIASES, PARAMETER, REAL),                                     \
		.indexed = MAUI_KEY_##NAME != MAUI_KEY_GRESWEIGHT,                                 \
		.gres = MAUI_KEY_##NAME == MAUI_KEY_GRESWEIGHT, .default_text = DEFAULT,           \
		ANY_NUMBER, ABOUT(AREA, "5.1.2", SUMMARY)
#define FACTOR(NAME, WEIGHT_ALIASES, CAP_ALIASES, DEFAULT, AREA, WEIGHTED, CAPPED, VERDICT)        \
	[MAUI_KEY_##NAME##WEIGHT] = {WEIGHT_(NAME##WEIGHT, WEIGHT_ALIASES, DEFAULT, AREA,          \
					     "weight of " WEIGHTED),                               \
				     .missing = MISSING_##VERDICT,                                 \
				     .harmless = IS_HARMLESS_##VERDICT},                           \
	[MAUI_KEY_##NAME##CAP] = {WEIGHT_(NAME##CAP, CAP_ALIASES, "0", AREA,                       \
					  "upper bound of " CAPPED " before its weight, 0 none"),  \
				  .missing = MISSING_##VERDICT, .harmless = IS_HARMLESS_##VERDICT}
#define COMPONENT(NAME, WEIGHT_ALIASES, CAP_ALIASES, DEFAULT, AREA, WHAT, VERDICT)                 \
	FACTOR(NAME, WEIGHT_ALIASES, CAP_ALIASES, DEFAULT, AREA,                                   \
	       "the " WHAT " component of a job's priority", "the " WHAT " component", VERDICT)
#define SUBCOMPONENT(NAME, WEIGHT_ALIASES, CAP_ALIASES, DEFAULT, AREA, WHAT, VERDICT)              \
	FACTOR(NAME, WEIGHT_ALIASES, CAP_ALIASES, DEFAULT, AREA, WHAT, WHAT, VERDICT)
#define MISSING_HONOURED          NULL
#define MISSING_NEARLY(HOW)       NULL
#define MISSING_IGNORED(WHY)      WHY
#define MISSING_HARMLESS(WHY)     WHY
#define IS_HARMLESS_HONOURED      false
#define IS_HARMLESS_NEARLY(HOW)   false
#define IS_HARMLESS_IGNORED(WHY)  false
#define IS_HARMLESS_HARMLESS(WHY) true
#define NEVER(NAME, WHY)                                                                           \
	[MAUI_KEY_##NAME] = {WEIGHT_(NAME, "", "0", PRIORITY, "accepted, no effect"),              \
			     .missing = WHY, .harmless = true}

/* Parameters whose job Slurm does: their text is kept, whatever it is. */
#define SLURM(NAME, WHERE)                                                                         \
	[MAUI_KEY_##NAME] = {KEY(MAUI_KEY_##NAME, #NAME, "", PARAMETER, STRING), .indexed = true,  \
			     ABOUT(SLURM, "", WHERE)}
/* Those of them that decide nothing about jobs. */
#define IDLE(NAME, WHERE)                                                                          \
	[MAUI_KEY_##NAME] = {KEY(MAUI_KEY_##NAME, #NAME, "", PARAMETER, STRING), .indexed = true,  \
			     .harmless = true, ABOUT(SLURM, "", WHERE)}

/* All metrics of one form of limit. */
#define LIMIT(METRIC, KIND, COUNTS, OF_NODES, PREFIX, SECTIONS, NODE_TOO, WHAT)                    \
	[MAUI_ATTR_##PREFIX##METRIC] = {KEY(MAUI_ATTR_##PREFIX##METRIC, #PREFIX #METRIC, "",       \
					    (SECTIONS) | (OF_NODES) * (NODE_TOO), KIND),           \
					.dimensions = true, ANY_NUMBER,                            \
					ABOUT(THROTTLING, "6.2", COUNTS " " WHAT)}
#define LIMITS(PREFIX, SECTIONS, NODE_TOO, WHAT)                                                   \
	MAUI_LIMIT_METRIC_KEYS(LIMIT, PREFIX, SECTIONS, NODE_TOO, WHAT)
/* The same of a GRES. */
#define GRES_LIMIT(METRIC, KIND, COUNTS, OF_NODES, PREFIX, SECTIONS, NODE_TOO, PAIRS, WHAT)        \
	[MAUI_ATTR_##PREFIX##METRIC] = {KEY(MAUI_ATTR_##PREFIX##METRIC, #PREFIX #METRIC, "",       \
					    (SECTIONS) | (OF_NODES) * (NODE_TOO), KIND),           \
					.dimensions = PAIRS, .gres = true, UNITS,                  \
					ABOUT(THROTTLING, "", COUNTS " " WHAT)}
#define GRES_LIMITS(PREFIX, SECTIONS, NODE_TOO, PAIRS, WHAT)                                       \
	MAUI_GRES_METRIC_KEYS(GRES_LIMIT, PREFIX, SECTIONS, NODE_TOO, PAIRS, WHAT)
#define JOB_LIMIT(NAME, SECTIONS, WHAT)                                                            \
	[MAUI_ATTR_##NAME] = {KEY(MAUI_ATTR_##NAME, #NAME, "", SECTIONS, LIMIT), ANY_NUMBER,       \
			      ABOUT(THROTTLING, "6.2", WHAT)}

/* One parameter or attribute: the irregular ones. */
#define PARAM(NAME, ALIASES, KIND, ...)                                                            \
	[MAUI_KEY_##NAME] = {KEY(MAUI_KEY_##NAME, #NAME, ALIASES, PARAMETER, KIND), __VA_ARGS__}
#define ATTR(ID, NAME, ALIASES, SECTIONS, KIND, ...)                                               \
	[MAUI_ATTR_##ID] = {KEY(MAUI_ATTR_##ID, NAME, ALIASES, SECTIONS, KIND), __VA_ARGS__}

#define CREDENTIAL(NAME, SECTIONS, KIND, AREA, CHAPTER, SUMMARY, ...)                              \
	[MAUI_ATTR_##NAME] = {KEY(MAUI_ATTR_##NAME, #NAME, "", SECTIONS, KIND),                    \
			      ABOUT(AREA, CHAPTER, SUMMARY), __VA_ARGS__}
#define NODE_KEY(NAME, KIND, SUMMARY, ...)                                                         \
	[MAUI_ATTR_##NAME] = {KEY(MAUI_ATTR_##NAME, #NAME, "", IN_NODECFG, KIND),                  \
			      ABOUT(NODE_ALLOCATION, "5.2.2.4", SUMMARY), __VA_ARGS__}
#define NODE_WEIGHT(NAME, COMPONENT_)                                                              \
	NODE_KEY(NAME, REAL, "coefficient of " COMPONENT_ " in the node's priority function",      \
		 ANY_NUMBER)
#define SR_KEY(NAME, SECTIONS, KIND, SUMMARY, ...)                                                 \
	[MAUI_ATTR_##NAME] = {KEY(MAUI_ATTR_##NAME, #NAME, "", SECTIONS, KIND),                    \
			      ABOUT(RESERVATION, "7.1.5", SUMMARY), __VA_ARGS__}
#define SR_WITHOUT_EFFECT(NAME, KIND, WHY, ...)                                                    \
	SR_KEY(NAME, IN_SRCFG, KIND, "accepted, no effect", .missing = WHY, .harmless = true,      \
	       __VA_ARGS__)

/* NOLINTEND(bugprone-macro-parentheses) */

const struct maui_key_info maui_key_table[MAUI_KEYS] = {
	/* --- the engine ------------------------------------------------------------------ */
	PARAM(SERVERHOST, "", STRING, .default_text = "localhost",
	      ABOUT(GENERAL, "", "host on which the original's commands found the scheduler"),
	      .missing = "the service listens on loopback; in slurm.conf: "
			 "PriorityParameters=maui_address=... for another address",
	      .harmless = true),
	PARAM(SERVERPORT, "", INTEGER, .default_text = "42559", RANGE(1, 65535),
	      ABOUT(GENERAL, "", "port on which the engine answers the maui command")),
	PARAM(ADMIN1, "", LIST, .delimiters = ", ",
	      ABOUT(GENERAL, "", "users who may do everything, besides root and SlurmUser")),
	PARAM(ADMIN2, "", LIST, .delimiters = ", ",
	      ABOUT(GENERAL, "", "users who may change jobs and reservations")),
	PARAM(ADMIN3, "", LIST, .delimiters = ", ",
	      ABOUT(GENERAL, "", "users who may see everything; ALL is everybody")),
	PARAM(ADMINHOSTS, "ADMINHOST", LIST, .delimiters = ", ",
	      ABOUT(SLURM, "", "munge says who asks, wherever the request comes from")),
	PARAM(RMPOLLINTERVAL, "", DURATION, .default_text = "00:01:00", RANGE(1, 86400),
	      ABOUT(GENERAL, "", "time between two iterations of the engine")),

	/* --- priority -------------------------------------------------------------------- */
	MAUI_COMPONENT_KEYS(COMPONENT),
	MAUI_SUBCOMPONENT_KEYS(SUBCOMPONENT),

	PARAM(XFMINWCLIMIT, "", DURATION, .default_text = "-1", RANGE(-1, FOREVER),
	      ABOUT(PRIORITY, "5.1.2", "shortest wall-clock limit that XFACTOR uses, -1 none")),
	PARAM(REJECTNEGPRIOJOBS, "", BOOLEAN, .default_text = "FALSE",
	      ABOUT(PRIORITY, "5.1", "jobs of negative priority do not start")),
	PARAM(ENABLENEGJOBPRIORITY, "", BOOLEAN, .default_text = "FALSE",
	      ABOUT(PRIORITY, "5.1", "priorities may fall below 1")),
	PARAM(USESYSTEMQUEUETIME, "", BOOLEAN, .default_text = "FALSE",
	      ABOUT(PRIORITY, "5.1.2", "superseded by JOBPRIOACCRUALPOLICY"),
	      .missing = "JOBPRIOACCRUALPOLICY has taken its place"),
	PARAM(JOBPRIOACCRUALPOLICY, "", KEYWORD, .default_text = "QUEUEPOLICY",
	      .keywords = KEYWORDS("ALWAYS", "QUEUEPOLICY", "FULLPOLICY"),
	      ABOUT(PRIORITY, "5.1.2",
		    "which violated policies reset a job's effective queue time")),
	PARAM(PEGRES, "", BOOLEAN, .gres = true, .default_text = "FALSE",
	      ABOUT(PRIORITY, "", "the processor equivalent counts this GRES, too: PEGRES[gpu]")),
	NEVER(UPROCWEIGHT, "the original never added it either"),
	NEVER(UJOBWEIGHT, "the original never added it either"),
	NEVER(UPROCCAP, "the original never added it either"),
	NEVER(UJOBCAP, "the original never added it either"),
	NEVER(ATTRWEIGHT, "the original never implemented it either"),
	NEVER(ATTRATTRWEIGHT, "the original never implemented it either"),
	NEVER(ATTRSTATEWEIGHT, "the original never implemented it either"),
	NEVER(QUEUETIMETARGETWEIGHT,
	      "the original ignores this old name; write TARGETQUEUETIMEWEIGHT"),
	NEVER(XFACTORTARGETWEIGHT, "the original ignores this old name; write TARGETXFACTORWEIGHT"),

	/* --- fairshare ------------------------------------------------------------------- */
	PARAM(FSPOLICY, "", FSPOLICY, .default_text = "[NONE]", .keywords = FS_POLICIES,
	      ABOUT(FAIRSHARE, "6.3.2", "what counts as usage; a % after it makes factors ratios")),
	PARAM(FSINTERVAL, "", DURATION, .default_text = "24:00:00", RANGE(1, FOREVER),
	      ABOUT(FAIRSHARE, "6.3.2", "length of a fairshare window")),
	PARAM(FSDEPTH, "", INTEGER, .default_text = "7", RANGE(1, 32),
	      ABOUT(FAIRSHARE, "6.3.2", "number of windows that count, the current one included")),
	PARAM(FSDECAY, "", REAL, .default_text = "1.0", RANGE(0, 1),
	      ABOUT(FAIRSHARE, "6.3.2", "what each older window's usage is multiplied by")),
	PARAM(FSCONFIGFILE, "", STRING,
	      ABOUT(FAIRSHARE, "6.3", "obsolete: targets are written as FSTARGET"),
	      .missing = "the original ignores it too: write FSTARGET=... on *CFG lines",
	      .harmless = true),
	PARAM(FSENFORCEMENT, "", STRING, ABOUT(FAIRSHARE, "6.3", "accepted, no effect"),
	      .missing = "it has no effect in the original either", .harmless = true),
	PARAM(FSSECONDARYGROUPS, "", BOOLEAN, .default_text = "FALSE",
	      ABOUT(FAIRSHARE, "6.3", "accepted, no effect"),
	      .missing = "it is for PBS only: a job's group is its own gid", .harmless = true),
	PARAM(USEMACHINESPEEDFORFS, "", BOOLEAN, .default_text = "FALSE",
	      ABOUT(FAIRSHARE, "6.3", "usage is scaled by the mean speed of the job's nodes")),
	PARAM(STATDIR, "", STRING, .default_text = "stats",
	      ABOUT(FAIRSHARE, "6.3.2.3", "directory of the FS.<epoch> files")),
	PARAM(CHECKPOINTINTERVAL, "", DURATION, .default_text = "00:05:00", RANGE(1, 86400),
	      ABOUT(FAIRSHARE, "6.3.2.3", "how often the current window is written to disk")),

	/* --- throttling ------------------------------------------------------------------ */
	PARAM(SYSTEMMAXPROCPERJOB, "", INTEGER, .default_text = "-1", RANGE(-1, HUGE_NUMBER),
	      ABOUT(THROTTLING, "6.2", "processors that one job may ask for, -1 or 0 any number")),
	PARAM(SYSTEMMAXPROCSECONDPERJOB, "", INTEGER, .default_text = "-1", RANGE(-1, HUGE_NUMBER),
	      ABOUT(THROTTLING, "6.2", "processor-seconds that one job may ask for, -1 or 0 any")),
	PARAM(SYSTEMMAXJOBWALLTIME, "", DURATION, .default_text = "-1", RANGE(-1, FOREVER),
	      ABOUT(THROTTLING, "6.2", "wall-clock limit that one job may ask for, -1 or 0 any")),

	/* --- node allocation ------------------------------------------------------------- */
	PARAM(NODEALLOCATIONPOLICY, "", KEYWORD, .indexed = true, .default_text = "LASTAVAILABLE",
	      .keywords = ALLOCATION_POLICIES,
	      ABOUT(NODE_ALLOCATION, "5.2", "in which order a job's nodes are chosen")),
	PARAM(NODEALLOCATIONLOCAL, "", STRING, .default_text = "",
	      ABOUT(NODE_ALLOCATION, "5.2.2.9",
		    "shared object with the site's own function: NODEALLOCATIONPOLICY LOCAL")),
	PARAM(NODEACCESSPOLICY, "", KEYWORD, .default_text = "SHARED", .keywords = ACCESS_POLICIES,
	      ABOUT(NODE_ALLOCATION, "5.2", "who may share a node")),
	PARAM(NODEALLOCMAXPS, "", BOOLEAN, .default_text = "FALSE",
	      ABOUT(NODE_ALLOCATION, "", "processor-seconds are counted by nodes"),
	      .missing = "processors are counted, as Slurm allocates them"),

	/* --- reservations ---------------------------------------------------------------- */
	PARAM(RESDEPTH, "", INTEGER, .default_text = "24", RANGE(1, HUGE_NUMBER),
	      ABOUT(RESERVATION, "7.1", "reservations that one node may have"),
	      .missing = "Slurm has no such limit", .harmless = true),
	PARAM(RESCTLPOLICY, "", KEYWORD, .default_text = "ADMINONLY",
	      .keywords = KEYWORDS("ADMINONLY", "ANY"),
	      ABOUT(RESERVATION, "7.1.5.3", "who may make administrative reservations")),

	/* --- Slurm's business ------------------------------------------------------------ */
	SLURM(BACKFILLPOLICY, "in Slurm: SchedulerType=sched/backfill"),
	SLURM(BACKFILLDEPTH, "in Slurm: SchedulerParameters=bf_max_job_test=..."),
	IDLE(BACKFILLMAXSCHEDULES, "in Slurm: nothing of the kind; a pass makes one schedule"),
	SLURM(BACKFILLMETRIC, "in Slurm: jobs are backfilled in the order of their priority"),
	SLURM(BACKFILLPROCFACTOR, "in Slurm: jobs are backfilled in the order of their priority"),
	SLURM(BFCHUNKDURATION, "in Slurm: sched/backfill keeps room for every job that it tests"),
	SLURM(BFCHUNKSIZE, "in Slurm: sched/backfill keeps room for every job that it tests"),
	SLURM(BFPRIORITYPOLICY, "in Slurm: jobs are backfilled in the order of their priority"),
	SLURM(RESERVATIONDEPTH, "in Slurm: SchedulerParameters=bf_job_part_count_reserve=..."),
	SLURM(RESERVATIONPOLICY, "in Slurm: sched/backfill plans all jobs that it tests: "
				 "SchedulerParameters=bf_max_job_test=..."),
	SLURM(RESERVATIONQOSLIST, "in Slurm: sched/backfill plans all jobs that it tests"),
	SLURM(RESERVATIONRETRYTIME, "in Slurm: SchedulerParameters=bf_interval=..."),
	SLURM(RESERVATIONTHRESHOLDTYPE, "in Slurm: SchedulerParameters=bf_min_prio_reserve=..."),
	SLURM(RESERVATIONTHRESHOLDVALUE, "in Slurm: SchedulerParameters=bf_min_prio_reserve=..."),
	SLURM(DEFERTIME, "in Slurm: a job that cannot start is tried again automatically"),
	SLURM(DEFERCOUNT, "in Slurm: a job that cannot start is tried again automatically"),
	SLURM(DEFERSTARTCOUNT, "in Slurm: a job that cannot start is tried again automatically"),
	SLURM(JOBMAXOVERRUN, "in Slurm: OverTimeLimit"),
	SLURM(JOBMAXSTARTTIME, "in Slurm: sbatch --deadline"),
	SLURM(JOBNODEMATCHPOLICY, "in Slurm: sbatch --nodes, --exclusive"),
	SLURM(PREEMPTPOLICY, "in Slurm: PreemptMode=REQUEUE, CANCEL or SUSPEND,GANG"),
	SLURM(ENABLEMULTINODEJOBS, "in Slurm: MaxNodes of the partition"),
	SLURM(ENABLEMULTIREQJOBS, "in Slurm: heterogeneous jobs"),
	SLURM(RESOURCELIMITPOLICY, "in Slurm: cgroup.conf and OverMemoryKill"),
	SLURM(SYSTEMDEFAULTJOBWALLTIME, "in Slurm: DefaultTime of the partition"),
	SLURM(TASKDISTRIBUTIONPOLICY, "in Slurm: sbatch --distribution"),
	SLURM(USEMACHINESPEED, "in Slurm: time limits are not scaled by the speed of nodes"),
	SLURM(NODEAVAILABILITYPOLICY, "in Slurm: SelectTypeParameters"),
	SLURM(NODELOADPOLICY, "in Slurm: nodes are not withdrawn for their load"),
	SLURM(NODEMAXLOAD, "in Slurm: nodes are not withdrawn for their load"),
	SLURM(NODEUNTRACKEDLOADFACTOR, "in Slurm: nodes are not withdrawn for their load"),
	IDLE(NODEPOLLFREQUENCY, "in Slurm: SlurmdTimeout and HealthCheckInterval"),
	IDLE(NODESYNCTIME, "in Slurm: nodes report by themselves"),
	SLURM(NODESETATTRIBUTE, "in Slurm: sbatch --constraint, --switches"),
	SLURM(NODESETDELAY, "in Slurm: sbatch --switches=COUNT@TIME"),
	SLURM(NODESETLIST, "in Slurm: sbatch --constraint, --switches"),
	SLURM(NODESETPOLICY, "in Slurm: sbatch --constraint, --switches"),
	SLURM(NODESETPRIORITYTYPE, "in Slurm: sbatch --constraint, --switches"),
	SLURM(NODESETTOLERANCE, "in Slurm: sbatch --constraint, --switches"),
	IDLE(FEATURENODETYPEHEADER, "write NODECFG[x] NODETYPE=..."),
	SLURM(FEATUREPARTITIONHEADER, "in Slurm: PartitionName=... Nodes=..."),
	SLURM(FEATUREPROCSPEEDHEADER, "write NODECFG[x] PROCSPEED=..."),
	IDLE(LOGDIR, "in Slurm: SlurmctldLogFile"),
	IDLE(LOGFACILITY, "in Slurm: DebugFlags"),
	IDLE(LOGFILE, "in Slurm: SlurmctldLogFile"),
	IDLE(LOGFILEMAXSIZE, "logrotate rotates slurmctld's log"),
	IDLE(LOGFILEROLLDEPTH, "logrotate rotates slurmctld's log"),
	IDLE(LOGLEVEL, "in Slurm: SlurmctldDebug"),
	SLURM(SERVERMODE,
	      "in slurm.conf: PriorityParameters=maui_mode=shadow for TEST and MONITOR"),
	IDLE(SERVERNAME, "in Slurm: ClusterName"),
	IDLE(SERVERPASSWORD, "munge says who asks"),
	SLURM(SCHEDCFG,
	      "for its SERVER write SERVERPORT; for MODE=TEST and MONITOR, in slurm.conf: "
	      "PriorityParameters=maui_mode=shadow; for TRIGGER, in Slurm: strigger"),
	IDLE(CLIENTTIMEOUT, "the maui command has an option for it"),
	IDLE(CHECKPOINTFILE, "in Slurm: StateSaveLocation"),
	IDLE(CHECKPOINTEXPIRATIONTIME, "in Slurm: StateSaveLocation"),
	IDLE(JOBAGGREGATIONTIME, "in Slurm: SchedulerParameters=batch_sched_delay=..."),
	IDLE(JOBPURGETIME, "in Slurm: MinJobAge"),
	IDLE(NODEPURGETIME, "in Slurm: nodes stay as long as slurm.conf names them"),
	IDLE(METAMAXTASKS, "in Slurm: federations"),
	SLURM(MINADMINSTIME, "in Slurm: nothing of the kind"),
	SLURM(NOTIFICATIONPROGRAM, "in Slurm: strigger and MailProg"),
	SLURM(MAILPROGRAM, "in Slurm: MailProg"),
	IDLE(STATPROCMAX, "in Slurm: sreport and sacct"),
	IDLE(STATPROCMIN, "in Slurm: sreport and sacct"),
	IDLE(STATPROCSTEPCOUNT, "in Slurm: sreport and sacct"),
	IDLE(STATPROCSTEPSIZE, "in Slurm: sreport and sacct"),
	IDLE(STATTIMEMAX, "in Slurm: sreport and sacct"),
	IDLE(STATTIMEMIN, "in Slurm: sreport and sacct"),
	IDLE(STATTIMESTEPCOUNT, "in Slurm: sreport and sacct"),
	IDLE(STATTIMESTEPSIZE, "in Slurm: sreport and sacct"),
	IDLE(TRAPFUNCTION, "in Slurm: DebugFlags"),
	IDLE(TRAPJOB, "in Slurm: DebugFlags"),
	IDLE(TRAPNODE, "in Slurm: DebugFlags"),
	IDLE(TRAPRES, "in Slurm: DebugFlags"),
	SLURM(GRESCFG, "in Slurm: gres.conf and Licenses"),
	IDLE(RMCFG, "the resource manager is Slurm itself"),
	IDLE(RMAUTHTYPE, "the resource manager is Slurm itself"),
	IDLE(RMHOST, "the resource manager is Slurm itself"),
	IDLE(RMMSGIGNORE, "the resource manager is Slurm itself"),
	IDLE(RMNAME, "the resource manager is Slurm itself"),
	IDLE(RMNMPORT, "the resource manager is Slurm itself"),
	IDLE(RMNMSERVER, "the resource manager is Slurm itself"),
	IDLE(RMPORT, "the resource manager is Slurm itself"),
	IDLE(RMRETRYTIMECAP, "the resource manager is Slurm itself"),
	IDLE(RMSERVER, "the resource manager is Slurm itself"),
	IDLE(RMTIMEOUT, "the resource manager is Slurm itself"),
	IDLE(RMTYPE, "the resource manager is Slurm itself"),
	SLURM(AMCFG, "in Slurm: slurmdbd keeps accounts; their budgets: sacctmgr modify account "
		     "where name=... set GrpTRESMins=cpu=..."),
	/* The whole family of names that begin this way. */
	[MAUI_KEY_SIM] = {KEY(MAUI_KEY_SIM, "SIM*", "", PARAMETER, STRING), .indexed = true,
			  .harmless = true,
			  ABOUT(SLURM, "",
				"maui replay runs a recorded workload under a maui.cfg; maui "
				"whatif and shadow mode show what one would do to today's queue")},
	[MAUI_KEY_BANK] = {KEY(MAUI_KEY_BANK, "BANK*", "", PARAMETER, STRING), .indexed = true,
			   ABOUT(SLURM, "", "in Slurm: slurmdbd keeps accounts")},

	/* --- attributes of credentials --------------------------------------------------- */
	CREDENTIAL(PRIORITY, CREDS | IN_NODECFG | IN_SRCFG, INTEGER, PRIORITY, "5.1.2",
		   "the credential's own priority", ANY_NUMBER),
	CREDENTIAL(FSTARGET, CREDS, FSTARGET, FAIRSHARE, "6.3.3",
		   "target percentage of the delivered cycles; + floor, - ceiling, % and ^ cap",
		   RANGE(0, HUGE_NUMBER)),
	CREDENTIAL(QTWEIGHT, IN_QOSCFG, REAL, PRIORITY, "5.1.2", "added to QUEUETIMEWEIGHT",
		   ANY_NUMBER),
	CREDENTIAL(XFWEIGHT, IN_QOSCFG, REAL, PRIORITY, "5.1.2", "added to XFACTORWEIGHT",
		   ANY_NUMBER),
	CREDENTIAL(QTTARGET, IN_QOSCFG, DURATION, PRIORITY, "5.1.2", "target queue time",
		   RANGE(0, FOREVER)),
	CREDENTIAL(XFTARGET, IN_QOSCFG, REAL, PRIORITY, "5.1.2", "target expansion factor",
		   RANGE(0, HUGE_NUMBER)),
	CREDENTIAL(CLASSWEIGHT, MAUI_IN(MAUI_GROUPCFG), REAL, PRIORITY, "5.1.2",
		   "takes the place of CLASSWEIGHT for the group's jobs, if above 0", ANY_NUMBER),
	CREDENTIAL(QFLAGS, IN_QOSCFG, FLAGS, THROTTLING, "6.2.2",
		   "what jobs of the QOS are exempt from; PREEMPTOR and PREEMPTEE preempt nobody: "
		   "they are attributes for JOBATTRLIST",
		   .keywords = QOS_FLAGS),
	CREDENTIAL(
		QLIST, REQUESTERS, LIST, THROTTLING, "",
		"QOS that jobs may have, of those that Slurm allows them; & and, ^ only: see QOS "
		"ACCESS in maui.cfg(5)",
		.delimiters = ",:"),
	CREDENTIAL(QDEF, REQUESTERS, STRING, THROTTLING, "",
		   "QOS, for these policies, of jobs that have none in Slurm; no QLIST refuses it"),
	CREDENTIAL(PLIST, LIMITED, LIST, SLURM, "",
		   "in Slurm: AllowGroups, AllowAccounts, AllowQos of the partition",
		   .delimiters = ",:"),
	CREDENTIAL(PDEF, LIMITED, STRING, SLURM, "", "in Slurm: Default=YES of the partition"),
	CREDENTIAL(
		JOBFLAGS, LIMITED, FLAGS, SLURM, "",
		"in Slurm: job_submit plugins set job options; for PREEMPTOR and PREEMPTEE: "
		"PreemptType=preempt/partition_prio, PreemptMode=REQUEUE and PriorityTier=... of "
		"the partitions",
		.keywords = JOB_FLAGS),

	LIMITS(MAX, LIMITED, IN_NODECFG, "in use by active jobs, [soft,]hard"),
	LIMITS(MAXI, LIMITED, 0, "asked for by idle (eligible) jobs, [soft,]hard"),
	LIMITS(OMAX, IN_QOSCFG, 0, "in use by active jobs: in place of other credentials' limits"),
	LIMITS(OMAXI, IN_QOSCFG, 0,
	       "asked for by idle jobs: in place of other credentials' limits"),
	JOB_LIMIT(OMAXJNODE, IN_QOSCFG, "nodes of one job: in place of the system's limit"),
	JOB_LIMIT(OMAXJPE, IN_QOSCFG,
		  "processor equivalents of one job: in place of the system's limit"),
	JOB_LIMIT(OMAXJPROC, IN_QOSCFG, "processors of one job: in place of the system's limit"),
	JOB_LIMIT(OMAXJPS, IN_QOSCFG,
		  "processor-seconds of one job: in place of the system's limit"),
	ATTR(OMAXJWC, "OMAXJWC", "", IN_QOSCFG, TIME_LIMIT, ANY_NUMBER,
	     ABOUT(THROTTLING, "6.2",
		   "wall-clock time of one job: in place of the system's limit")),
	ATTR(OMAXJMEM, "OMAXJMEM", "", IN_QOSCFG, MEMORY_LIMIT, ANY_NUMBER,
	     ABOUT(THROTTLING, "6.2", "memory of one job: in place of the system's limit")),
	GRES_LIMITS(MAX, LIMITED, IN_NODECFG, true, "in use by active jobs, [soft,]hard"),
	GRES_LIMITS(MAXI, LIMITED, 0, true, "asked for by idle (eligible) jobs, [soft,]hard"),
	GRES_LIMITS(OMAX, IN_QOSCFG, 0, false,
		    "in use by active jobs: in place of other credentials' limits"),
	GRES_LIMITS(OMAXI, IN_QOSCFG, 0, false,
		    "asked for by idle jobs: in place of other credentials' limits"),
	ATTR(OMAXJGRES, "OMAXJGRES", "", IN_QOSCFG, LIMIT, .gres = true, UNITS,
	     ABOUT(THROTTLING, "", "units of the GRES of one job: in place of the system's limit")),
	ATTR(MAXGRESPERJOB, "MAXGRESPERJOB", "", LIMITED, LIMIT, .gres = true, UNITS,
	     ABOUT(THROTTLING, "", "units of the GRES of one job")),
	JOB_LIMIT(MAXJOBPERUSER, MAUI_IN(MAUI_CLASSCFG) | IN_QOSCFG | IN_NODECFG,
		  "active jobs of each user"),
	JOB_LIMIT(MAXNODEPERUSER, MAUI_IN(MAUI_CLASSCFG) | IN_QOSCFG, "nodes in use by each user"),
	JOB_LIMIT(MAXPROCPERUSER, MAUI_IN(MAUI_CLASSCFG) | IN_QOSCFG | IN_NODECFG,
		  "processors in use by each user"),
	JOB_LIMIT(MAXNODEPERJOB, LIMITED, "nodes of one job"),
	JOB_LIMIT(MAXPROCPERJOB, LIMITED, "processors of one job"),
	ATTR(MAXPROCPERNODE, "MAXPROCPERNODE", "", LIMITED, LIMIT, ANY_NUMBER,
	     ABOUT(THROTTLING, "6.2", "accepted, no effect"),
	     .missing = "in Slurm: MaxCPUsPerNode of the partition"),
	ATTR(MAX_WCLIMIT, "MAX.WCLIMIT", "MAXWCLIMIT", LIMITED, DURATION, RANGE(-1, FOREVER),
	     ABOUT(THROTTLING, "6.2", "wall-clock limit of one job")),
	ATTR(DEFAULT_WCLIMIT, "DEFAULT.WCLIMIT", "DEFAULTWCLIMIT", LIMITED, DURATION,
	     RANGE(-1, FOREVER), ABOUT(SLURM, "", "in Slurm: DefaultTime of the partition")),
	ATTR(MINPROC, "MINPROC", "", LIMITED, INTEGER, ANY_NUMBER,
	     ABOUT(THROTTLING, "6.2", "accepted, no effect"),
	     .missing = "the original never enforced it either", .harmless = true),

	/* --- attributes of nodes --------------------------------------------------------- */
	NODE_KEY(PRIORITYF, FORMULA, "the node's priority function"),
	NODE_KEY(SPEED, REAL, "the node's relative speed, 1.0 if not given; not more than 100",
		 RANGE(0, HUGE_NUMBER)),
	NODE_KEY(PROCSPEED, INTEGER, "the speed of the node's processors in MHz",
		 RANGE(0, HUGE_NUMBER)),
	NODE_KEY(MAXPEPERJOB, REAL, "processor equivalents that one job may take of the node",
		 RANGE(-1, HUGE_NUMBER)),
	NODE_KEY(MAXLOAD, REAL, "load at which the node takes no more jobs",
		 RANGE(-1, HUGE_NUMBER)),
	ATTR(NODEACCESS, "ACCESS", "", IN_NODECFG, KEYWORD, .keywords = ACCESS_POLICIES,
	     ABOUT(NODE_ALLOCATION, "5.2", "who may share the node"),
	     .missing = "the original never implemented it either", .harmless = true),
	NODE_KEY(FEATURES, LIST, "features of the node, besides Slurm's", .delimiters = ",:|[]"),
	NODE_KEY(NODETYPE, STRING, "type of the node",
		 .missing = "nothing here uses it; in Slurm: Feature= of the node"),
	NODE_KEY(FRAME, INTEGER, "frame that the node is mounted in", RANGE(0, HUGE_NUMBER)),
	NODE_KEY(SLOT, INTEGER, "slot of the frame, used by CONTIGUOUS", RANGE(0, HUGE_NUMBER)),
	NODE_KEY(SIZE, INTEGER, "slots that the node takes", RANGE(0, HUGE_NUMBER)),
	NODE_KEY(NETWORK, LIST, "networks of the node", .delimiters = ",:|[]",
		 .missing = "nothing here uses it; in Slurm: Feature= of the node"),
	ATTR(GRES, "GRES", "RESOURCES", IN_NODECFG, LIST, .delimiters = ",",
	     ABOUT(SLURM, "", "in Slurm: Gres of the node, and gres.conf")),
	NODE_KEY(CFGDISK, MEMORY, "local disk of the node in MB, in place of Slurm's TmpDisk",
		 RANGE(0, HUGE_NUMBER)),
	NODE_KEY(CFGMEM, MEMORY, "memory of the node in MB, in place of Slurm's RealMemory",
		 RANGE(0, HUGE_NUMBER)),
	NODE_KEY(CFGSWAP, MEMORY, "swap space of the node in MB", RANGE(0, HUGE_NUMBER)),
	NODE_WEIGHT(LOADWEIGHT, "LOAD"),
	NODE_WEIGHT(CFGMEMWEIGHT, "CMEM"),
	NODE_WEIGHT(CFGPROCWEIGHT, "CPROCS"),
	NODE_WEIGHT(AVLMEMWEIGHT, "AMEM"),
	NODE_WEIGHT(AVLPROCWEIGHT, "APROCS"),
	NODE_WEIGHT(PRIOWEIGHT, "PRIORITY"),
	NODE_WEIGHT(SPEEDWEIGHT, "SPEED"),
	NODE_WEIGHT(USAGEWEIGHT, "USAGE"),

	/* --- attributes of standing reservations ------------------------------------------ */
	MAUI_SR_KEYS(SR_KEY, SR_WITHOUT_EFFECT),
};
