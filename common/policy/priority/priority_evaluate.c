/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arithmetic: factors, terms, components, and what is stored. One function does it for both
 * entry points, so that they agree to the last bit; it is not inlined, because a compiler may fuse
 * a multiplication and an addition in one copy and not in the other.
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

static inline double larger(double a, double b)
{
	return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
	return a < b ? a : b;
}

/* What to evaluate a job with: the weights of its partition, and where its terms go. */
struct work {
	const struct maui_priority_weights *weights;
	struct maui_priority_terms *terms;
};

/* One term: the capped factor times the weight. */
static inline double term(struct work work, enum maui_subcomponent sub, double factor,
			  double weight)
{
	factor = smaller(factor, work.weights->sub_limit[sub]);
	work.terms->factor[sub] = factor;
	work.terms->weight[sub] = weight;
	return weight * factor;
}

/* For an amount, which cannot be negative (NaN: 0), with the partition's weight. */
static inline double amount(struct work work, enum maui_subcomponent sub, double factor)
{
	return term(work, sub, larger(factor, 0), work.weights->sub[sub]);
}

/* For a number of either sign (NaN: 0). */
static inline double points(struct work work, enum maui_subcomponent sub, double factor,
			    double weight)
{
	factor = factor == factor ? factor : 0;
	return term(work, sub, larger(factor, -MAUI_BOUND), weight);
}

static inline const struct maui_priority_credential *
credential_of(const struct maui_priority_tables *tables, const struct maui_priority_job *job,
	      enum maui_credential type)
{
	return &tables->credential[type][job->credential[type]];
}

static inline double fairshare_of(struct work work, const struct maui_priority_tables *tables,
				  const struct maui_priority_job *job, enum maui_credential type)
{
	enum maui_subcomponent sub = MAUI_FS_USER + type;
	const double *table = tables->fs_factor[type];
	double factor = table ? table[job->credential[type]] : 0;

	return points(work, sub, factor, work.weights->sub[sub]);
}

static inline double credential_component(struct work work,
					  const struct maui_priority_tables *tables,
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

static inline double fairshare_component(struct work work,
					 const struct maui_priority_tables *tables,
					 const struct maui_priority_job *job)
{
	double sum = fairshare_of(work, tables, job, MAUI_USER);

	sum += fairshare_of(work, tables, job, MAUI_GROUP);
	sum += fairshare_of(work, tables, job, MAUI_ACCOUNT);
	sum += fairshare_of(work, tables, job, MAUI_QOS);
	return sum + fairshare_of(work, tables, job, MAUI_CLASS);
}

static inline double service_component(struct work work, const struct maui_priority_job *job,
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
	double inverse = 1 / larger(left, TARGET_NEAREST);
	double factor = inverse * inverse + past * larger(-left, 0);

	return target > 0 ? factor : 0;
}

static inline double target_component(struct work work, const struct maui_priority_credential *qos,
				      double queued, double xfactor)
{
	return amount(work, MAUI_TARG_QUEUETIME,
		      target_factor(qos->queuetime_target, queued, QUEUETIME_PAST)) +
	       amount(work, MAUI_TARG_XFACTOR,
		      target_factor(qos->xfactor_target, xfactor, XFACTOR_PAST));
}

static inline double resource_component(struct work work, const struct maui_priority_job *job,
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
	return sum + amount(work, MAUI_RES_WALLTIME, walltime);
}

/* USAGE is for running jobs and has no part in the start priority; its weights are shown anyway. */
static inline void no_usage(struct work work)
{
	amount(work, MAUI_USAGE_CONSUMED, 0);
	amount(work, MAUI_USAGE_REMAINING, 0);
	amount(work, MAUI_USAGE_EXECUTIONTIME, 0);
	amount(work, MAUI_USAGE_PERCENT, 0);
	work.terms->component[MAUI_USAGE] = 0;
	work.terms->component_weight[MAUI_USAGE] = work.weights->component[MAUI_USAGE];
}

/* A capped component times its weight. */
static inline double weighted(struct work work, enum maui_component component, double sum)
{
	sum = smaller(sum, work.weights->component_limit[component]);
	work.terms->component[component] = sum;
	work.terms->component_weight[component] = work.weights->component[component];
	return work.weights->component[component] * sum;
}

/* Floor, clamp, system priority, truncation: in this order (D-PRI-1). */
static inline void settle(const struct maui_priority_policy *policy,
			  const struct maui_priority_job *job,
			  struct maui_priority_terms *ret_terms)
{
	double exact = smaller(larger(ret_terms->sum, policy->floor), MAUI_MAX_PRIORITY);

	if (job->system_priority_mode == MAUI_RELATIVE_PRIORITY)
		exact += (double)job->system_priority;
	else if (job->system_priority_mode == MAUI_ABSOLUTE_PRIORITY && job->system_priority)
		exact = MAUI_MAX_PRIORITY + (double)job->system_priority;
	ret_terms->exact = exact;
	ret_terms->priority =
		(int64_t)smaller(larger(exact, -GREATEST_PRIORITY), GREATEST_PRIORITY);
	ret_terms->rejected = policy->rejects_negatives && exact < 0;
}

static __attribute__((noinline)) void evaluate(const struct maui_priority_policy *policy,
					       const struct maui_priority_tables *tables,
					       const struct maui_priority_job *job, double now,
					       struct maui_priority_terms *ret_terms)
{
	struct work work = {.weights = job->weights, .terms = ret_terms};
	const struct maui_priority_credential *qos = credential_of(tables, job, MAUI_QOS);
	const struct maui_priority_credential *group = credential_of(tables, job, MAUI_GROUP);
	double walltime = maui_amount(job->walltime);
	/* In doubles, so that no difference of times overflows. */
	double queued = larger(now - (double)job->queued_since, 0);
	double xfactor = 1 + queued / larger(walltime, policy->xfactor_minimum);
	double sum;

	/* In the original's order: the last digits depend on it. */
	sum = weighted(work, MAUI_SERV, service_component(work, job, qos, queued, xfactor));
	sum += weighted(work, MAUI_TARG, target_component(work, qos, queued, xfactor));
	sum += weighted(work, MAUI_CRED, credential_component(work, tables, job, qos, group));
	sum += weighted(work, MAUI_FS, fairshare_component(work, tables, job));
	sum += weighted(work, MAUI_RES, resource_component(work, job, walltime));
	no_usage(work);
	ret_terms->sum = sum;
	settle(policy, job, ret_terms);
}

void maui_priority_evaluate(const struct maui_priority_policy *policy,
			    const struct maui_priority_tables *tables,
			    const struct maui_priority_job *job, int64_t now,
			    struct maui_priority_terms *ret_terms)
{
	evaluate(policy, tables, job, (double)now, ret_terms);
}

void maui_priority_evaluate_all(const struct maui_priority_policy *policy,
				const struct maui_priority_tables *tables,
				const struct maui_priority_job *jobs, size_t count, int64_t now,
				struct maui_priority_result *results)
{
	struct maui_priority_terms terms;

	for (size_t i = 0; i < count; i++) {
		struct maui_priority_result *result = &results[i];
		double weight;

		evaluate(policy, tables, &jobs[i], (double)now, &terms);
		for (int c = 0; c < MAUI_COMPONENTS; c++)
			result->weighted[c] = terms.component_weight[c] * terms.component[c];
		weight = terms.component_weight[MAUI_CRED];
		result->cred_class =
			weight * terms.weight[MAUI_CRED_CLASS] * terms.factor[MAUI_CRED_CLASS];
		result->cred_qos =
			weight * terms.weight[MAUI_CRED_QOS] * terms.factor[MAUI_CRED_QOS];
		result->sum = terms.sum;
		result->priority = terms.priority;
		result->rejected = terms.rejected;
	}
}
