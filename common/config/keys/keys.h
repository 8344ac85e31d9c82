/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The key table: every parameter and attribute of maui.cfg, as data. The parser, `maui check`,
 * `maui showconfig`, the manual page's tables and the fuzzer's dictionary are all made from it.
 */
#ifndef MAUI_CONFIG_KEYS_H
#define MAUI_CONFIG_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/config/keys/priority_keys.h"
#include "common/config/keys/reservation_keys.h"

/* Which part of Maui a key belongs to. */
enum maui_area {
	MAUI_AREA_GENERAL, /* the engine itself: its interval, the service, administrators */
	MAUI_AREA_PRIORITY,
	MAUI_AREA_FAIRSHARE,
	MAUI_AREA_THROTTLING,
	MAUI_AREA_NODE_ALLOCATION,
	MAUI_AREA_RESERVATION,
	MAUI_AREA_SLURM, /* accepted without effect: Slurm does it, the summary says where */
	MAUI_AREAS
};

/* "priority", "node allocation", ... */
const char *maui_area_name(enum maui_area area);

enum maui_section {
	MAUI_PARAMETERS, /* plain parameters, outside any *CFG */
	MAUI_SYSCFG,
	MAUI_USERCFG,
	MAUI_GROUPCFG,
	MAUI_ACCOUNTCFG,
	MAUI_QOSCFG,
	MAUI_CLASSCFG,
	MAUI_NODECFG,
	MAUI_SRCFG,
	MAUI_PERIODCFG, /* a period in which limits have other values */
	MAUI_SECTIONS
};

/* "USERCFG"; "" for MAUI_PARAMETERS */
const char *maui_section_name(enum maui_section section);

enum maui_kind {
	MAUI_KIND_INTEGER,
	MAUI_KIND_MEMORY,
	MAUI_KIND_DURATION,
	MAUI_KIND_REAL,
	MAUI_KIND_BOOLEAN,
	MAUI_KIND_STRING,
	MAUI_KIND_KEYWORD,
	MAUI_KIND_FSPOLICY,
	MAUI_KIND_LIST,
	MAUI_KIND_FLAGS,
	MAUI_KIND_DAYS,
	MAUI_KIND_HOSTLIST,
	MAUI_KIND_ACL,       /* names with affinity and '!' '*' '^' marks */
	MAUI_KIND_TIME_ACL,  /* the same, with durations in place of names: TIMELIMIT=1:00:00* */
	MAUI_KIND_COUNT_ACL, /* with whole numbers: PROCLIMIT<=4 */
	MAUI_KIND_RESOURCES,
	MAUI_KIND_LIMIT,
	MAUI_KIND_TIME_LIMIT,
	MAUI_KIND_MEMORY_LIMIT, /* MB */
	MAUI_KIND_FSTARGET,
	MAUI_KIND_FORMULA,
	MAUI_KIND_TRIGGER,
	MAUI_KIND_OWNER, /* a credential: USER:tom */
	MAUI_KIND_DATE,  /* util/time/date.h */
	MAUI_KINDS
};

/* Bit masks of sections: struct maui_key_info.sections */
#define MAUI_IN(section) (1u << (section))
#define MAUI_IN_CREDENTIALS                                                                        \
	(MAUI_IN(MAUI_USERCFG) | MAUI_IN(MAUI_GROUPCFG) | MAUI_IN(MAUI_ACCOUNTCFG) |               \
	 MAUI_IN(MAUI_QOSCFG) | MAUI_IN(MAUI_CLASSCFG))

/*
 * The metrics of throttling policies, and what the key table says of MAX..., MAXI..., OMAX... and
 * OMAXI... of each: the kind of its values, what is counted, and whether NODECFG has MAX..., too.
 */
/* clang-format off */
#define MAUI_LIMIT_METRIC_KEYS(METRIC, ...)                                      \
	METRIC(JOB,  LIMIT,        "jobs",                          true,  __VA_ARGS__), \
	METRIC(NODE, LIMIT,        "nodes",                         false, __VA_ARGS__), \
	METRIC(PE,   LIMIT,        "processor equivalents",         false, __VA_ARGS__), \
	METRIC(PROC, LIMIT,        "processors",                    true,  __VA_ARGS__), \
	METRIC(PS,   LIMIT,        "outstanding processor-seconds", false, __VA_ARGS__), \
	METRIC(WC,   TIME_LIMIT,   "outstanding wall-clock time",   false, __VA_ARGS__), \
	METRIC(MEM,  MEMORY_LIMIT, "memory (MB)",                   false, __VA_ARGS__)
/* The same of a GRES, whose name is in the brackets: MAXGRES[gpu]. */
#define MAUI_GRES_METRIC_KEYS(METRIC, ...)                                       \
	METRIC(GRES, LIMIT,        "units of the GRES",             true,  __VA_ARGS__), \
	METRIC(GS,   LIMIT,        "outstanding GRES-seconds",      false, __VA_ARGS__)
/* MAUI_ATTR_MAXJOB, ... */
#define MAUI_LIMIT_KEY(METRIC, KIND, COUNTS, OF_NODES, PREFIX) PREFIX##METRIC
#define MAUI_LIMIT_KEYS(PREFIX) MAUI_LIMIT_METRIC_KEYS(MAUI_LIMIT_KEY, PREFIX)
#define MAUI_GRES_KEYS(PREFIX)  MAUI_GRES_METRIC_KEYS(MAUI_LIMIT_KEY, PREFIX)
/* clang-format on */

/* What a line of MAUI_COMPONENT_KEYS or MAUI_SUBCOMPONENT_KEYS becomes here. */
#define MAUI_WEIGHT_KEY(NAME, ...) MAUI_KEY_##NAME##WEIGHT
#define MAUI_CAP_KEY(NAME, ...)    MAUI_KEY_##NAME##CAP

/* What a line of MAUI_SR_KEYS becomes here. */
#define MAUI_SR_KEY(NAME, ...) MAUI_ATTR_##NAME

/*
 * Every key: MAUI_KEY_ are plain parameters, MAUI_ATTR_ are attributes of sections. The numbers may
 * change from release to release; names are what is stored and shown.
 */
enum maui_key {
	/* The engine. */
	MAUI_KEY_SERVERHOST,
	MAUI_KEY_SERVERPORT,
	MAUI_KEY_ADMIN1,
	MAUI_KEY_ADMIN2,
	MAUI_KEY_ADMIN3,
	MAUI_KEY_ADMINHOSTS,
	MAUI_KEY_RMPOLLINTERVAL,

	/* Priority: weights and caps of components, then of subcomponents. */
	MAUI_COMPONENT_KEYS(MAUI_WEIGHT_KEY),
	MAUI_COMPONENT_KEYS(MAUI_CAP_KEY),
	MAUI_SUBCOMPONENT_KEYS(MAUI_WEIGHT_KEY),
	MAUI_SUBCOMPONENT_KEYS(MAUI_CAP_KEY),
	MAUI_KEY_XFMINWCLIMIT,
	MAUI_KEY_REJECTNEGPRIOJOBS,
	MAUI_KEY_ENABLENEGJOBPRIORITY,
	MAUI_KEY_USESYSTEMQUEUETIME,
	MAUI_KEY_JOBPRIOACCRUALPOLICY,
	MAUI_KEY_PEGRES,
	/* Never had an effect in the original either. */
	MAUI_KEY_UPROCWEIGHT,
	MAUI_KEY_UJOBWEIGHT,
	MAUI_KEY_UPROCCAP,
	MAUI_KEY_UJOBCAP,
	MAUI_KEY_ATTRWEIGHT,
	MAUI_KEY_ATTRATTRWEIGHT,
	MAUI_KEY_ATTRSTATEWEIGHT,
	MAUI_KEY_QUEUETIMETARGETWEIGHT,
	MAUI_KEY_XFACTORTARGETWEIGHT,

	/* Fairshare. */
	MAUI_KEY_FSPOLICY,
	MAUI_KEY_FSINTERVAL,
	MAUI_KEY_FSDEPTH,
	MAUI_KEY_FSDECAY,
	MAUI_KEY_FSCONFIGFILE,
	MAUI_KEY_FSENFORCEMENT,
	MAUI_KEY_FSSECONDARYGROUPS,
	MAUI_KEY_USEMACHINESPEEDFORFS,
	MAUI_KEY_STATDIR,
	MAUI_KEY_CHECKPOINTINTERVAL,

	/*
	 * Throttling policies. The Maui 3.0 forms, MAXJOBPERUSERCOUNT ..., are not keys of their
	 * own: legacy.h.
	 */
	MAUI_KEY_SYSTEMMAXPROCPERJOB,
	MAUI_KEY_SYSTEMMAXPROCSECONDPERJOB,
	MAUI_KEY_SYSTEMMAXJOBWALLTIME,

	/* Node allocation. */
	MAUI_KEY_NODEALLOCATIONPOLICY,
	MAUI_KEY_NODEALLOCATIONLOCAL,
	MAUI_KEY_NODEACCESSPOLICY,
	MAUI_KEY_NODEALLOCMAXPS,

	/* Reservations. */
	MAUI_KEY_RESDEPTH,
	MAUI_KEY_RESCTLPOLICY,

	/* Accepted: in Slurm-Maui these are up to Slurm. */
	MAUI_KEY_BACKFILLPOLICY,
	MAUI_KEY_BACKFILLDEPTH,
	MAUI_KEY_BACKFILLMAXSCHEDULES,
	MAUI_KEY_BACKFILLMETRIC,
	MAUI_KEY_BACKFILLPROCFACTOR,
	MAUI_KEY_BFCHUNKDURATION,
	MAUI_KEY_BFCHUNKSIZE,
	MAUI_KEY_BFPRIORITYPOLICY,
	MAUI_KEY_RESERVATIONDEPTH,
	MAUI_KEY_RESERVATIONPOLICY,
	MAUI_KEY_RESERVATIONQOSLIST,
	MAUI_KEY_RESERVATIONRETRYTIME,
	MAUI_KEY_RESERVATIONTHRESHOLDTYPE,
	MAUI_KEY_RESERVATIONTHRESHOLDVALUE,
	MAUI_KEY_DEFERTIME,
	MAUI_KEY_DEFERCOUNT,
	MAUI_KEY_DEFERSTARTCOUNT,
	MAUI_KEY_JOBMAXOVERRUN,
	MAUI_KEY_JOBMAXSTARTTIME,
	MAUI_KEY_JOBNODEMATCHPOLICY,
	MAUI_KEY_PREEMPTPOLICY,
	MAUI_KEY_ENABLEMULTINODEJOBS,
	MAUI_KEY_ENABLEMULTIREQJOBS,
	MAUI_KEY_RESOURCELIMITPOLICY,
	MAUI_KEY_SYSTEMDEFAULTJOBWALLTIME,
	MAUI_KEY_TASKDISTRIBUTIONPOLICY,
	MAUI_KEY_USEMACHINESPEED,
	MAUI_KEY_NODEAVAILABILITYPOLICY,
	MAUI_KEY_NODELOADPOLICY,
	MAUI_KEY_NODEMAXLOAD,
	MAUI_KEY_NODEUNTRACKEDLOADFACTOR,
	MAUI_KEY_NODEPOLLFREQUENCY,
	MAUI_KEY_NODESYNCTIME,
	MAUI_KEY_NODESETATTRIBUTE,
	MAUI_KEY_NODESETDELAY,
	MAUI_KEY_NODESETLIST,
	MAUI_KEY_NODESETPOLICY,
	MAUI_KEY_NODESETPRIORITYTYPE,
	MAUI_KEY_NODESETTOLERANCE,
	MAUI_KEY_FEATURENODETYPEHEADER,
	MAUI_KEY_FEATUREPARTITIONHEADER,
	MAUI_KEY_FEATUREPROCSPEEDHEADER,
	MAUI_KEY_LOGDIR,
	MAUI_KEY_LOGFACILITY,
	MAUI_KEY_LOGFILE,
	MAUI_KEY_LOGFILEMAXSIZE,
	MAUI_KEY_LOGFILEROLLDEPTH,
	MAUI_KEY_LOGLEVEL,
	MAUI_KEY_SERVERMODE,
	MAUI_KEY_SERVERNAME,
	MAUI_KEY_SERVERPASSWORD,
	MAUI_KEY_SCHEDCFG,
	MAUI_KEY_CLIENTTIMEOUT,
	MAUI_KEY_CHECKPOINTFILE,
	MAUI_KEY_CHECKPOINTEXPIRATIONTIME,
	MAUI_KEY_JOBAGGREGATIONTIME,
	MAUI_KEY_JOBPURGETIME,
	MAUI_KEY_NODEPURGETIME,
	MAUI_KEY_METAMAXTASKS,
	MAUI_KEY_MINADMINSTIME,
	MAUI_KEY_NOTIFICATIONPROGRAM,
	MAUI_KEY_MAILPROGRAM,
	MAUI_KEY_STATPROCMAX,
	MAUI_KEY_STATPROCMIN,
	MAUI_KEY_STATPROCSTEPCOUNT,
	MAUI_KEY_STATPROCSTEPSIZE,
	MAUI_KEY_STATTIMEMAX,
	MAUI_KEY_STATTIMEMIN,
	MAUI_KEY_STATTIMESTEPCOUNT,
	MAUI_KEY_STATTIMESTEPSIZE,
	MAUI_KEY_TRAPFUNCTION,
	MAUI_KEY_TRAPJOB,
	MAUI_KEY_TRAPNODE,
	MAUI_KEY_TRAPRES,
	MAUI_KEY_GRESCFG,
	MAUI_KEY_RMCFG,
	MAUI_KEY_RMAUTHTYPE,
	MAUI_KEY_RMHOST,
	MAUI_KEY_RMMSGIGNORE,
	MAUI_KEY_RMNAME,
	MAUI_KEY_RMNMPORT,
	MAUI_KEY_RMNMSERVER,
	MAUI_KEY_RMPORT,
	MAUI_KEY_RMRETRYTIMECAP,
	MAUI_KEY_RMSERVER,
	MAUI_KEY_RMTIMEOUT,
	MAUI_KEY_RMTYPE,
	MAUI_KEY_AMCFG,
	MAUI_KEY_SIM,  /* SIM...: all parameters of the simulator */
	MAUI_KEY_BANK, /* BANK...: the allocation bank's, of Maui 3.0 */

	/* Attributes of credentials. */
	MAUI_ATTR_PRIORITY, /* of nodes and standing reservations, too */
	MAUI_ATTR_FSTARGET,
	MAUI_ATTR_QTWEIGHT,
	MAUI_ATTR_XFWEIGHT,
	MAUI_ATTR_QTTARGET,
	MAUI_ATTR_XFTARGET,
	MAUI_ATTR_CLASSWEIGHT, /* GROUPCFG: replaces the parameter */
	MAUI_ATTR_QFLAGS,
	MAUI_ATTR_QLIST,
	MAUI_ATTR_QDEF,
	MAUI_ATTR_PLIST,
	MAUI_ATTR_PDEF,
	MAUI_ATTR_JOBFLAGS,
	MAUI_LIMIT_KEYS(MAUI_ATTR_MAX),  /* active jobs: MAUI_ATTR_MAXJOB, ... */
	MAUI_LIMIT_KEYS(MAUI_ATTR_MAXI), /* idle jobs */
	MAUI_LIMIT_KEYS(MAUI_ATTR_OMAX), /* QOS: replaces every credential's */
	MAUI_LIMIT_KEYS(MAUI_ATTR_OMAXI),
	MAUI_ATTR_OMAXJNODE, /* QOS: replaces the system's limits on one job */
	MAUI_ATTR_OMAXJPE,
	MAUI_ATTR_OMAXJPROC,
	MAUI_ATTR_OMAXJPS,
	MAUI_ATTR_OMAXJWC,
	MAUI_ATTR_OMAXJMEM,
	MAUI_GRES_KEYS(MAUI_ATTR_MAX),
	MAUI_GRES_KEYS(MAUI_ATTR_MAXI),
	MAUI_GRES_KEYS(MAUI_ATTR_OMAX),
	MAUI_GRES_KEYS(MAUI_ATTR_OMAXI),
	MAUI_ATTR_OMAXJGRES,
	MAUI_ATTR_MAXGRESPERJOB,
	MAUI_ATTR_MAXJOBPERUSER,
	MAUI_ATTR_MAXNODEPERUSER,
	MAUI_ATTR_MAXPROCPERUSER,
	MAUI_ATTR_MAXNODEPERJOB,
	MAUI_ATTR_MAXPROCPERJOB,
	MAUI_ATTR_MAXPROCPERNODE,
	MAUI_ATTR_MAX_WCLIMIT,     /* MAX.WCLIMIT */
	MAUI_ATTR_DEFAULT_WCLIMIT, /* DEFAULT.WCLIMIT */
	MAUI_ATTR_MINPROC,

	/* Attributes of nodes. */
	MAUI_ATTR_PRIORITYF,
	MAUI_ATTR_SPEED,
	MAUI_ATTR_PROCSPEED,
	MAUI_ATTR_MAXPEPERJOB,
	MAUI_ATTR_MAXLOAD,
	MAUI_ATTR_NODEACCESS, /* ACCESS of NODECFG */
	MAUI_ATTR_FEATURES,
	MAUI_ATTR_NODETYPE,
	MAUI_ATTR_FRAME,
	MAUI_ATTR_SLOT,
	MAUI_ATTR_SIZE,
	MAUI_ATTR_NETWORK,
	MAUI_ATTR_GRES,
	MAUI_ATTR_CFGDISK,
	MAUI_ATTR_CFGMEM,
	MAUI_ATTR_CFGSWAP,
	MAUI_ATTR_LOADWEIGHT,
	MAUI_ATTR_CFGMEMWEIGHT,
	MAUI_ATTR_CFGPROCWEIGHT,
	MAUI_ATTR_AVLMEMWEIGHT,
	MAUI_ATTR_AVLPROCWEIGHT,
	MAUI_ATTR_PRIOWEIGHT,
	MAUI_ATTR_SPEEDWEIGHT,
	MAUI_ATTR_USAGEWEIGHT,

	/* Attributes of standing reservations: MAUI_ATTR_ACCESS, ... */
	MAUI_SR_KEYS(MAUI_SR_KEY, MAUI_SR_KEY),
	MAUI_KEYS
};

struct maui_key_info {
	enum maui_key key;
	unsigned int sections; /* where it is allowed: MAUI_IN(section) | ... */
	const char *name;      /* upper case, as documented */
	const char *aliases;   /* other names, separated by blanks; "" none */
	enum maui_kind kind;
	enum maui_area area;
	const char *default_text; /* as it would stand in the file; NULL none */
	double min; /* the range of numbers, durations, and both sides of limits, inclusive */
	double max;
	const char *const *keywords; /* KEYWORD, FSPOLICY, FLAGS: NULL-terminated */
	const char *delimiters;      /* LIST: what separates items; NULL for the other kinds */
	const char *chapter;         /* of the manual, "5.1.2"; "" unknown */
	const char *summary;         /* one sentence without a full stop */
	const char *missing;         /* why it has no effect, whatever its area; NULL: it has one */
	bool harmless;   /* it has no effect, and decided nothing about jobs, nodes or access */
	bool indexed;    /* a plain parameter that may be given per partition: FSWEIGHT[batch] */
	bool dimensions; /* may have a second dimension: MAXJOB[USER:bob] */
	bool gres;       /* is of a GRES, named first in its brackets: MAXGRES[gpu,USER:bob] */
	bool cumulative; /* lists: a repeated line adds to the list; otherwise the last line wins */
};

/*
 * The area that a key belongs to in a section: PRIORITY of a node belongs to node allocation, of a
 * user to priority.
 */
enum maui_area maui_key_area(const struct maui_key_info *info, enum maui_section section);

/* Whether its values in a section may be of a period: MAXJOB[PERIOD:night]. */
bool maui_key_has_periods(const struct maui_key_info *info, enum maui_section section);

/* What the table says of a key; NULL for anything that is not a key. */
const struct maui_key_info *maui_key_info(enum maui_key key);

/* The key of a name or alias in a section, in any case; NULL if there is none. O(1). */
const struct maui_key_info *maui_key_find(enum maui_section section, const char *name);

/* The name in the section that is nearest to a misspelt one; NULL if none is near. */
const char *maui_key_nearest(enum maui_section section, const char *name);

/*
 * The section of a name in any case, SYSTEMCFG and ACCTCFG included; MAUI_SECTIONS if there is
 * none. "" is MAUI_PARAMETERS.
 */
enum maui_section maui_section_find(const char *name);

/* "duration", "list", ...: what a value of this kind is called in messages and documents. */
const char *maui_kind_name(enum maui_kind kind);

#endif
