/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maui's job priority: chapter 5.1.2 of the manual; D-PRI-1 to D-PRI-12.
 *
 *   priority  = SUM over components     WEIGHT * MIN(CAP, component)
 *   component = SUM over subcomponents  weight * MIN(cap, factor)
 *
 * then, in this order: at least 1 unless ENABLENEGJOBPRIORITY, at most 1e9, the system priority,
 * and truncation towards zero. Components are added in the order SERV, TARG, CRED, FS, RES, as the
 * original adds them.
 *
 * Three steps, for speed: maui_priority_compile() turns a configuration into weights (once per
 * maui.cfg); maui_priority_credential() resolves what it says about one credential (once per
 * credential); and maui_priority_evaluate() handles jobs by interned ids alone: no allocation, no
 * string, no lock.
 *
 * Every input is clamped to +-1e18 (NaN: 0, amounts below 0: 0), so that no result is ever infinite
 * or NaN.
 */
#ifndef MAUI_POLICY_PRIORITY_H
#define MAUI_POLICY_PRIORITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/config/config.h"
#include "common/policy/priority/fstarget.h"
#include "common/util/credential.h"
#include "common/util/error.h"
#include "common/util/slurm/gres_table.h"

/* In the order of the original's `diagnose -p`. USAGE applies to running jobs only. */
enum maui_component {
	MAUI_CRED,
	MAUI_FS,
	MAUI_SERV,
	MAUI_TARG,
	MAUI_RES,
	MAUI_USAGE,
	MAUI_COMPONENTS
};

enum maui_subcomponent {
	/* The first five, and FS's, are in the order of enum
	 * maui_credential: MAUI_CRED_USER + type. */
	MAUI_CRED_USER,
	MAUI_CRED_GROUP,
	MAUI_CRED_ACCOUNT,
	MAUI_CRED_QOS,
	MAUI_CRED_CLASS,
	MAUI_FS_USER, /* percentage points below target, or the ratio if FSPOLICY ends in '%' */
	MAUI_FS_GROUP,
	MAUI_FS_ACCOUNT,
	MAUI_FS_QOS,
	MAUI_FS_CLASS,
	MAUI_FS_TREE,        /* 0 to 1, of Slurm's shares: D-FS-32 */
	MAUI_SERV_QUEUETIME, /* minutes */
	MAUI_SERV_XFACTOR,
	MAUI_SERV_SPVIOLATION, /* 0 or 1 */
	MAUI_SERV_BYPASS,      /* times bypassed by backfill */
	MAUI_TARG_QUEUETIME,
	MAUI_TARG_XFACTOR,
	MAUI_RES_NODE,            /* nodes, only if the job asks for a number of them */
	MAUI_RES_PROC,            /* processors */
	MAUI_RES_MEM,             /* MB */
	MAUI_RES_SWAP,            /* MB */
	MAUI_RES_DISK,            /* MB */
	MAUI_RES_PS,              /* processor-seconds */
	MAUI_RES_PE,              /* processor equivalents */
	MAUI_RES_WALLTIME,        /* seconds */
	MAUI_RES_GRES,            /* units, each times its GRES's own weight: D-GRES-5 */
	MAUI_USAGE_CONSUMED,      /* processor-seconds */
	MAUI_USAGE_REMAINING,     /* processor-seconds */
	MAUI_USAGE_EXECUTIONTIME, /* seconds */
	MAUI_USAGE_PERCENT,       /* percent of the wall-clock limit */
	MAUI_SUBCOMPONENTS
};

/*
 * How a component or subcomponent is described: its name ("CRED", "USER"), the column label in the
 * original's diagnose -p ("Cred", "User"), and the keys of its weight and cap.
 */
struct maui_component_info {
	const char *name;
	const char *label;
	enum maui_key weight_key;
	enum maui_key cap_key;
	enum maui_subcomponent first, last; /* its subcomponents */
};
struct maui_subcomponent_info {
	const char *name;
	const char *label;
	enum maui_component component;
	enum maui_key weight_key;
	enum maui_key cap_key;
};
extern const struct maui_component_info maui_components[MAUI_COMPONENTS];
extern const struct maui_subcomponent_info maui_subcomponents[MAUI_SUBCOMPONENTS];

/* The weights for the jobs of one partition. A cap of 0 is none. */
struct maui_priority_weights {
	double component[MAUI_COMPONENTS];
	double component_cap[MAUI_COMPONENTS];
	double sub[MAUI_SUBCOMPONENTS];
	double sub_cap[MAUI_SUBCOMPONENTS];
	double gres[MAUI_GRES_NAMES]; /* of a unit, by the GRES's number less 1 */
	uint32_t gres_mask;           /* of those that are not 0 */
	/* The same caps for the arithmetic: without one, a number that nothing exceeds. */
	double component_limit[MAUI_COMPONENTS];
	double sub_limit[MAUI_SUBCOMPONENTS];
};

struct maui_priority_policy;

/* Keeps a reference to config. */
struct maui_priority_policy *maui_priority_compile(struct maui_config *config);
struct maui_priority_policy *maui_priority_free(struct maui_priority_policy *policy);

/*
 * From now on the GRES of jobs have the numbers of another maui.cfg. Weights of those that it does
 * not name are dropped, as it is unknown how many jobs ask for; returns how many they are.
 */
size_t maui_priority_number_by(struct maui_priority_policy *policy,
			       const struct maui_config *other);

/*
 * What GRESWEIGHT comes to: the line's value; without one 1 if there is a GRESWEIGHT[GRES], else 0.
 */
double maui_priority_gres_weight(const struct maui_config *config);

/* The first of the values GRESWEIGHT[GRES]; NULL if there is none. */
const struct maui_value *maui_priority_gres_first(const struct maui_config *config);

/* Whether a FSTREEWEIGHT counts in any partition. */
bool maui_priority_uses_tree(const struct maui_priority_policy *policy);

/* ENABLENEGJOBPRIORITY */
bool maui_priority_negatives_enabled(const struct maui_priority_policy *policy);

/*
 * The weights of a partition by name: its own, or the global ones if no line names it. Never NULL.
 */
const struct maui_priority_weights *maui_priority_weights(const struct maui_priority_policy *policy,
							  const char *partition);

/*
 * What the policy says of one credential. 0 means "nothing". A value that a credential's own lines
 * do not give, or give as 0, is that of the type's DEFAULT; only the PRIORITY of a QOS is never
 * taken from there, except that jobs without a QOS have the QOS DEFAULT.
 */
struct maui_priority_credential {
	double priority;
	bool has_priority;       /* false for a class: its partition's own PriorityJobFactor holds,
				    D-PRI-8 */
	double queuetime_weight; /* QOS: QTWEIGHT, added to QUEUETIMEWEIGHT */
	double xfactor_weight;   /* QOS: XFWEIGHT */
	double queuetime_target; /* QOS: QTTARGET, seconds; 0 none */
	double xfactor_target;   /* QOS: XFTARGET; 0 none */
	double class_weight;     /* group: CLASSWEIGHT replaces the global one; 0 none */
	struct maui_fstarget fs_target;
};

/* name == NULL: for jobs without such a credential. */
void maui_priority_credential(const struct maui_priority_policy *policy, enum maui_credential type,
			      const char *name, struct maui_priority_credential *ret_credential);

enum maui_system_priority {
	MAUI_NO_SYSTEM_PRIORITY,
	MAUI_ABSOLUTE_PRIORITY,
	MAUI_RELATIVE_PRIORITY
};

/* One job in one partition, as the arithmetic sees it. */
struct maui_priority_job {
	const struct maui_priority_weights *weights; /* of its partition */
	uint32_t credential[MAUI_CREDENTIALS]; /* interned, MAUI_NO_CREDENTIAL where it has none */
	enum maui_system_priority system_priority_mode;
	int64_t system_priority; /* an absolute one of 0 is none: setspri 0 clears it */
	int64_t queued_since; /* start of the effective queue time, epoch seconds; see accrual.h */
	double walltime;      /* seconds asked for; MAUI_INFINITY for no limit */
	double nodes;         /* 0: the job does not ask for a number of nodes */
	double procs;
	double memory, swap, disk; /* MB, the whole job's */
	double pe;                 /* processor equivalents, see pe.h */
	double bypass;             /* how often it was bypassed */
	double sp_violation;       /* 1: it runs although over a soft limit */
	double class_priority;     /* used if maui.cfg gives the class none */
	double tree;               /* 0 to 1: of its association; 0 without one */
	const struct maui_gres
		*gres; /* of those that maui.cfg names, the whole job's; NULL: none */
};

/* The arrays that interned ids index; element 0 is for jobs without the credential. */
struct maui_priority_tables {
	const struct maui_priority_credential *credential[MAUI_CREDENTIALS];
	const double *fs_factor[MAUI_CREDENTIALS]; /* NULL: fairshare is off, all 0 */
};

/* Every term of a sum, for explanations. */
struct maui_priority_terms {
	double factor[MAUI_SUBCOMPONENTS]; /* capped */
	double weight[MAUI_SUBCOMPONENTS]; /* effective, with the QOS's and group's additions */
	double component[MAUI_COMPONENTS]; /* capped sums, before the component's weight */
	double component_weight[MAUI_COMPONENTS];
	double sum;       /* before floor, clamp and system priority */
	double exact;     /* with them, before truncation */
	int64_t priority; /* what Maui stores: exact without its fraction, within +-2^62 */
	bool rejected;    /* REJECTNEGPRIOJOBS, and it is negative */
};

#define MAUI_MAX_PRIORITY INT64_C(1000000000)

/* The start priority of one job, with every term. */
void maui_priority_evaluate(const struct maui_priority_policy *policy,
			    const struct maui_priority_tables *tables,
			    const struct maui_priority_job *job, int64_t now,
			    struct maui_priority_terms *ret_terms);

/* What is kept for every job in a queue: the weighted components and the result. */
struct maui_priority_result {
	double weighted[MAUI_COMPONENTS]; /* component_weight * component */
	double cred_class, cred_qos; /* the parts of weighted[MAUI_CRED] that the class and the QOS
					give, before a cap of the component */
	double sum;
	int64_t priority;
	bool rejected;
};

/* The same for an array of jobs. results has count elements. */
void maui_priority_evaluate_all(const struct maui_priority_policy *policy,
				const struct maui_priority_tables *tables,
				const struct maui_priority_job *jobs, size_t count, int64_t now,
				struct maui_priority_result *results);

#endif
