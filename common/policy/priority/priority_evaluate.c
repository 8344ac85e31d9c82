/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arithmetic: factors, terms, components, and what is stored. The same source does it for both
 * entry points, so that they agree to the last bit: compiled twice, once with all terms and once
 * with the result alone, for which most of the stores are left out. The compiler may not fuse a
 * multiplication and an addition (-ffp-contract=off in common/meson.build), which it could do in
 * one copy and not in the other.
 */
#include "common/util/bounds.h"
#include "common/policy/priority/priority_private.h"

/* Seconds, or xfactor, before the target at which the factor stops rising steeply. */
#define TARGET_NEAREST 1e-4
/* How fast it rises from there on (D-PRI-6): per second, and per unit of xfactor. */
#define QUEUETIME_PAST 1.0
#define XFACTOR_PAST   1e4
/* 2^62: int64_t holds it, and also its sum with 1e9. */
#define GREATEST_PRIORITY 4611686018427387904.0

static inline double priority_evaluate_larger(double a, double b)
{
	return a > b ? a : b;
}

static inline double priority_evaluate_smaller(double a, double b)
{
	return a < b ? a : b;
}

/* Every use is inlined, so that a pointer that is NULL there costs nothing. */
#define INLINE static inline __attribute__((always_inline))

/* What to evaluate a job with: the weights of its partition, and where the rest goes. */
struct work {
	const struct maui_priority_weights *weights;
	struct maui_priority_terms *terms;   /* or NULL */
	struct maui_priority_result *result; /* or NULL */
};

/* One term: the capped factor times the weight. */
INLINE double term(struct work work, enum maui_subcomponent sub, double factor, double weight)
{
	factor = priority_evaluate_smaller(factor, work.weights->sub_limit[sub]);
	if (work.terms) {
		work.terms->factor[sub] = factor;
		work.terms->weight[sub] = weight;
	}
	if (work.result && sub == MAUI_CRED_CLASS)
		work.result->cred_class = work.weights->component[MAUI_CRED] * weight * factor;
	if (work.result && sub == MAUI_CRED_QOS)
		work.result->cred_qos = work.weights->component[MAUI_CRED] * weight * factor;
	return weight * factor;
}

/* For an amount, which cannot be negative (NaN: 0), with the partition's weight. */
INLINE double amount(struct work work, enum maui_subcomponent sub, double factor)
{
	return term(work, sub, priority_evaluate_larger(factor, 0), work.weights->sub[sub]);
}

/* For a number of either sign (NaN: 0). */
INLINE double points(struct work work, enum maui_subcomponent sub, double factor, double weight)
{
	factor = factor == factor ? factor : 0;
	return term(work, sub, priority_evaluate_larger(factor, -MAUI_BOUND), weight);
}

static inline const struct maui_priority_credential *
credential_of(const struct maui_priority_tables *tables, const struct maui_priority_job *job,
	      enum maui_credential type)
{
	return &tables->credential[type][job->credential[type]];
}

INLINE double fairshare_of(struct work work, const struct maui_priority_tables *tables,
			   const struct maui_priority_job *job, enum maui_credential type)
{
	enum maui_subcomponent sub = MAUI_FS_USER + type;
	const double *table = tables->fs_factor[type];
	double factor = table ? table[job->credential[type]] : 0;

	return points(work, sub, factor, work.weights->sub[sub]);
}

INLINE double credential_component(struct work work, const struct maui_priority_tables *tables,
				   const struct maui_priority_job *job,
				   const struct maui_priority_credential *qos,
				   const struct maui_priority_credential *group)
{
	const struct maui_priority_credential *user = credential_of(tables, job, MAUI_USER);
	const struct maui_priority_credential *account = credential_of(tables, job, MAUI_ACCOUNT);
	const struct maui_priority_credential *class = credential_of(tables, job, MAUI_CLASS);
	const double *weight = work.weights->sub;
	double class_weight = maui_amount(group->class_weight);
	double sum;

	class_weight = class_weight > 0 ? class_weight : weight[MAUI_CRED_CLASS];
	sum = points(work, MAUI_CRED_USER, user->priority, weight[MAUI_CRED_USER]);
	sum += points(work, MAUI_CRED_GROUP, group->priority, weight[MAUI_CRED_GROUP]);
	sum += points(work, MAUI_CRED_ACCOUNT, account->priority, weight[MAUI_CRED_ACCOUNT]);
	sum += points(work, MAUI_CRED_QOS, qos->priority, weight[MAUI_CRED_QOS]);
	return sum + points(work, MAUI_CRED_CLASS,
			    class->has_priority ? class->priority : job->class_priority,
			    class_weight);
}

INLINE double fairshare_component(struct work work, const struct maui_priority_tables *tables,
				  const struct maui_priority_job *job)
{
	double sum = fairshare_of(work, tables, job, MAUI_USER);

	sum += fairshare_of(work, tables, job, MAUI_GROUP);
	sum += fairshare_of(work, tables, job, MAUI_ACCOUNT);
	sum += fairshare_of(work, tables, job, MAUI_QOS);
	sum += fairshare_of(work, tables, job, MAUI_CLASS);
	return sum + amount(work, MAUI_FS_TREE, job->tree);
}

INLINE double service_component(struct work work, const struct maui_priority_job *job,
				const struct maui_priority_credential *qos, double queued,
				double xfactor)
{
	const double *weight = work.weights->sub;
	double sum;

	sum = term(work, MAUI_SERV_QUEUETIME, queued / 60,
		   weight[MAUI_SERV_QUEUETIME] + maui_bounded(qos->queuetime_weight));
	sum += term(work, MAUI_SERV_XFACTOR, xfactor,
		    weight[MAUI_SERV_XFACTOR] + maui_bounded(qos->xfactor_weight));
	sum += amount(work, MAUI_SERV_SPVIOLATION, job->sp_violation);
	return sum + amount(work, MAUI_SERV_BYPASS, job->bypass);
}

/* (T - Q)^-2 before the target, 1e8 at it, and rising slowly from there; 0 without a target. */
static inline double target_factor(double target, double reached, double past)
{
	double left = target - reached;
	double inverse = 1 / priority_evaluate_larger(left, TARGET_NEAREST);
	double factor = inverse * inverse + past * priority_evaluate_larger(-left, 0);

	return target > 0 ? factor : 0;
}

INLINE double target_component(struct work work, const struct maui_priority_credential *qos,
			       double queued, double xfactor)
{
	return amount(work, MAUI_TARG_QUEUETIME,
		      target_factor(qos->queuetime_target, queued, QUEUETIME_PAST)) +
	       amount(work, MAUI_TARG_XFACTOR,
		      target_factor(qos->xfactor_target, xfactor, XFACTOR_PAST));
}

/* Units times weights; 0 for a job whose amounts are not known
 * (maui_gres_most). */
static double gres_points(const struct maui_priority_weights *weights, const struct maui_gres *gres)
{
	double sum = 0;

	for (uint32_t rest = weights->gres_mask & gres->amounts.mask; rest && gres->table;
	     rest &= rest - 1) {
		unsigned int i = (unsigned int)__builtin_ctz(rest);

		sum += weights->gres[i] * (double)gres->amounts.amount[i];
	}
	return sum;
}

INLINE double resource_component(struct work work, const struct maui_priority_job *job,
				 double walltime)
{
	double sum;

	sum = amount(work, MAUI_RES_NODE, job->nodes);
	sum += amount(work, MAUI_RES_PROC, job->procs);
	sum += amount(work, MAUI_RES_MEM, job->memory);
	sum += amount(work, MAUI_RES_SWAP, job->swap);
	sum += amount(work, MAUI_RES_DISK, job->disk);
	sum += amount(work, MAUI_RES_PS, job->procs * walltime);
	sum += amount(work, MAUI_RES_PE, job->pe);
	sum += amount(work, MAUI_RES_WALLTIME, walltime);
	return sum + points(work, MAUI_RES_GRES,
			    job->gres ? gres_points(work.weights, job->gres) : 0,
			    work.weights->sub[MAUI_RES_GRES]);
}

/* USAGE is for running jobs and has no part in the start priority; its weights are shown anyway. */
INLINE void no_usage(struct work work)
{
	if (work.result) /* the sign of zero is the weight's */
		work.result->weighted[MAUI_USAGE] = work.weights->component[MAUI_USAGE] * 0.0;
	if (!work.terms)
		return;
	amount(work, MAUI_USAGE_CONSUMED, 0);
	amount(work, MAUI_USAGE_REMAINING, 0);
	amount(work, MAUI_USAGE_EXECUTIONTIME, 0);
	amount(work, MAUI_USAGE_PERCENT, 0);
	work.terms->component[MAUI_USAGE] = 0;
	work.terms->component_weight[MAUI_USAGE] = work.weights->component[MAUI_USAGE];
}

/* A capped component times its weight. */
INLINE double weighted(struct work work, enum maui_component component, double sum)
{
	sum = priority_evaluate_smaller(sum, work.weights->component_limit[component]);
	if (work.terms) {
		work.terms->component[component] = sum;
		work.terms->component_weight[component] = work.weights->component[component];
	}
	sum *= work.weights->component[component];
	if (work.result)
		work.result->weighted[component] = sum;
	return sum;
}

/* Floor, clamp, system priority (D-PRI-1); truncation comes after that. */
INLINE double settled(const struct maui_priority_policy *policy,
		      const struct maui_priority_job *job, double sum)
{
	double exact = priority_evaluate_smaller(priority_evaluate_larger(sum, policy->floor),
						 MAUI_MAX_PRIORITY);

	if (job->system_priority_mode == MAUI_RELATIVE_PRIORITY)
		exact += (double)job->system_priority;
	else if (job->system_priority_mode == MAUI_ABSOLUTE_PRIORITY && job->system_priority)
		exact = MAUI_MAX_PRIORITY + (double)job->system_priority;
	return exact;
}

static inline int64_t priority_evaluate_truncated(double exact)
{
	return (int64_t)priority_evaluate_smaller(
		priority_evaluate_larger(exact, -GREATEST_PRIORITY), GREATEST_PRIORITY);
}

/* The sum of the weighted components. */
INLINE double evaluate(struct work work, const struct maui_priority_policy *policy,
		       const struct maui_priority_tables *tables,
		       const struct maui_priority_job *job, double now)
{
	const struct maui_priority_credential *qos = credential_of(tables, job, MAUI_QOS);
	const struct maui_priority_credential *group = credential_of(tables, job, MAUI_GROUP);
	double walltime = maui_amount(job->walltime);
	/* In doubles, so that no difference of times overflows. */
	double queued = priority_evaluate_larger(now - (double)job->queued_since, 0);
	double xfactor = 1 + queued / priority_evaluate_larger(walltime, policy->xfactor_minimum);
	double sum;

	/* In the original's order: the last digits depend on it. */
	sum = weighted(work, MAUI_SERV, service_component(work, job, qos, queued, xfactor));
	sum += weighted(work, MAUI_TARG, target_component(work, qos, queued, xfactor));
	sum += weighted(work, MAUI_CRED, credential_component(work, tables, job, qos, group));
	sum += weighted(work, MAUI_FS, fairshare_component(work, tables, job));
	sum += weighted(work, MAUI_RES, resource_component(work, job, walltime));
	no_usage(work);
	return sum;
}

void maui_priority_evaluate(const struct maui_priority_policy *policy,
			    const struct maui_priority_tables *tables,
			    const struct maui_priority_job *job, int64_t now,
			    struct maui_priority_terms *ret_terms)
{
	struct work work = {.weights = job->weights, .terms = ret_terms};

	ret_terms->sum = evaluate(work, policy, tables, job, (double)now);
	ret_terms->exact = settled(policy, job, ret_terms->sum);
	ret_terms->priority = priority_evaluate_truncated(ret_terms->exact);
	ret_terms->rejected = policy->rejects_negatives && ret_terms->exact < 0;
}

/* So many jobs ahead the rows of their credentials are asked for: with many users, groups and
 * accounts these are in no near cache. */
#define AHEAD 8

static inline void priority_evaluate_prefetch(const struct maui_priority_tables *tables,
					      const struct maui_priority_job *job)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		uint32_t id = job->credential[type];

		__builtin_prefetch(&tables->credential[type][id]);
		if (tables->fs_factor[type])
			__builtin_prefetch(&tables->fs_factor[type][id]);
	}
}

void maui_priority_evaluate_all(const struct maui_priority_policy *policy,
				const struct maui_priority_tables *tables,
				const struct maui_priority_job *jobs, size_t count, int64_t now,
				struct maui_priority_result *results)
{
	for (size_t i = 0; i < count; i++) {
		struct maui_priority_result *result = &results[i];
		struct work work = {.weights = jobs[i].weights, .result = result};
		double exact;

		if (i + AHEAD < count)
			priority_evaluate_prefetch(tables, &jobs[i + AHEAD]);
		result->sum = evaluate(work, policy, tables, &jobs[i], (double)now);
		exact = settled(policy, &jobs[i], result->sum);
		result->priority = priority_evaluate_truncated(exact);
		result->rejected = policy->rejects_negatives && exact < 0;
	}
}
