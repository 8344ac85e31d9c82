/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What usage means for jobs: priority factors and hard caps. */
#include "common/policy/fairshare/fairshare_private.h"

#include "common/util/bounds.h"

void maui_fairshare_factors(const struct maui_fairshare *fs, enum maui_credential type,
			    const struct maui_priority_credential *credentials, uint32_t count,
			    double *ret_factor)
{
	bool counts = fs->settings.metric != MAUI_FS_OFF && type < MAUI_CREDENTIALS &&
		      maui_fairshare_sum(fs, MAUI_FS_TOTAL, FS_TOTAL_ID) > 0;

	for (uint32_t id = 0; id < count; id++)
		ret_factor[id] =
			counts && id ? maui_fstarget_factor(&credentials[id].fs_target,
							    maui_fairshare_percent(fs, type, id),
							    fs->settings.ratio)
				     : 0;
}

double maui_fairshare_request(double rate, double walltime)
{
	double width = maui_amount(rate);

	if (walltime >= (double)MAUI_INFINITY)
		return width > 0 ? MAUI_BOUND : 0;
	return maui_amount(width * maui_amount(walltime));
}

/* One cap, and the amounts to compare it with. */
struct cap {
	const struct maui_fstarget *target;
	double usage, total; /* in the metric's unit, decayed */
	double request;
};

/* In the cap's own unit. */
static double in_unit(const struct cap *cap, double amount)
{
	return cap->target->mode == MAUI_FS_CAP_RELATIVE ? maui_amount(amount / cap->total * 100)
							 : amount;
}

/* D-FS-4. Both conditions are needed: a job may ask for nothing. */
static bool fairshare_cap_blocks(const struct cap *cap)
{
	if (cap->target->mode == MAUI_FS_CAP_RELATIVE && !(cap->total > 0))
		return false;
	return in_unit(cap, cap->usage) >= cap->target->value ||
	       in_unit(cap, cap->usage + cap->request) > cap->target->value;
}

/*
 * partial[n]: SUM over k < depth - n of usage_k * decay^k: what is left n rolls from now, except
 * for the factor decay^n.
 */
static void partial_sums(const struct maui_fairshare *fs, unsigned int type, uint32_t id,
			 double partial[MAUI_FS_MAX_DEPTH + 1])
{
	uint32_t depth = fs->settings.depth;

	partial[depth] = 0;
	for (uint32_t k = 0; k < depth; k++)
		partial[depth - k - 1] =
			partial[depth - k] + maui_fairshare_usage(fs, type, id, k) * fs->weight[k];
}

/* The first roll after which the cap no longer blocks, if nobody uses anything until then. */
static int64_t fairshare_cap_released(const struct maui_fairshare *fs, unsigned int type,
				      uint32_t id, const struct cap *now)
{
	double usage[MAUI_FS_MAX_DEPTH + 1], total[MAUI_FS_MAX_DEPTH + 1];
	uint32_t depth = fs->settings.depth;

	partial_sums(fs, type, id, usage);
	partial_sums(fs, MAUI_FS_TOTAL, FS_TOTAL_ID, total);
	for (uint32_t n = 1; n <= depth; n++) {
		double decay = n < depth ? fs->weight[n] : 0;
		struct cap then = {now->target, usage[n] * decay, total[n] * decay, now->request};

		if (!fairshare_cap_blocks(&then))
			return fs->start + (int64_t)n * fs->settings.interval;
	}
	return INT64_MAX;
}

static bool is_cap(const struct maui_fstarget *target)
{
	return (target->mode == MAUI_FS_CAP_RELATIVE || target->mode == MAUI_FS_CAP_ABSOLUTE) &&
	       target->value > 0;
}

/* A job without the GRES that is counted adds nothing, and no cap on that GRES
 * blocks it. */
static bool counts_job(const struct maui_fairshare *fs, const struct cap *job)
{
	return fs->settings.metric == MAUI_FS_DEDICATEDGRES ? job->request > 0
							    : fs->settings.metric != MAUI_FS_OFF;
}

/* The order in which the original checks a job's credentials. */
static const enum maui_credential order[] = {MAUI_USER, MAUI_GROUP, MAUI_ACCOUNT, MAUI_CLASS,
					     MAUI_QOS};

bool maui_fairshare_cap(const struct maui_fairshare *fs, const struct maui_priority_tables *tables,
			const uint32_t credential[MAUI_CREDENTIALS], double request,
			struct maui_fairshare_verdict *ret_verdict)
{
	struct maui_fairshare_verdict verdict = {0};
	struct cap cap = {.total = maui_fairshare_sum(fs, MAUI_FS_TOTAL, FS_TOTAL_ID),
			  .request = maui_amount(request)};

	for (unsigned int i = 0; counts_job(fs, &cap) && i < MAUI_CREDENTIALS; i++) {
		enum maui_credential type = order[i];
		uint32_t id = credential[type];

		if (!id || !tables->credential[type])
			continue;
		cap.target = &tables->credential[type][id].fs_target;
		if (!is_cap(cap.target))
			continue;
		cap.usage = maui_fairshare_sum(fs, type, id);
		if (!fairshare_cap_blocks(&cap))
			continue;
		verdict = (struct maui_fairshare_verdict){
			true,
			type,
			cap.target->mode,
			fs->settings.metric,
			cap.target->value,
			in_unit(&cap, cap.usage),
			in_unit(&cap, cap.request),
			ret_verdict ? fairshare_cap_released(fs, type, id, &cap) : 0};
		break;
	}
	if (ret_verdict)
		*ret_verdict = verdict;
	return verdict.blocked;
}
