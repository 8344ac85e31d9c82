/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of the metrics JOB, PROC, NODE, PS, PE, WC, MEM, GRES and GS, and
 * the amounts of a job that limits compare.
 */
#include "common/policy/limits/limits_metric.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "common/policy/limits/limits_bounds.h"
#include "common/policy/priority/priority.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- the rows ------------------------------------------------------------------------------ */

#define NONE MAUI_KEYS

/* NOLINTBEGIN(bugprone-macro-parentheses): they make initializers. */
/* clang-format off */
#define METRIC(NAME, JSON, ...)                                                               \
	[MAUI_LIMIT_##NAME] = {                                                               \
		.name = #NAME, .json = JSON,                                                  \
		.key[MAUI_LIMIT_MAX] = MAUI_ATTR_MAX##NAME,                                   \
		.key[MAUI_LIMIT_MAXI] = MAUI_ATTR_MAXI##NAME,                                 \
		.key[MAUI_LIMIT_OMAX] = MAUI_ATTR_OMAX##NAME,                                 \
		.key[MAUI_LIMIT_OMAXI] = MAUI_ATTR_OMAXI##NAME,                               \
		__VA_ARGS__}
#define KEYS(OMAXJ, PERUSER, PERJOB, SYSTEMMAX)                                               \
	.key[MAUI_LIMIT_OMAXJ] = OMAXJ, .key[MAUI_LIMIT_PERUSER] = PERUSER,                   \
	.key[MAUI_LIMIT_PERJOB] = PERJOB, .key[MAUI_LIMIT_SYSTEMMAX] = SYSTEMMAX
#define LABEL(TEXT, UNIT) .label = TEXT, .label_unit = UNIT
#define UNIT(ONE, MANY)   .one = ONE, .many = MANY
#define FLAGS(...)        .ignored_by = {__VA_ARGS__}
/* clang-format on */
/* NOLINTEND(bugprone-macro-parentheses) */

static const struct maui_limit_metric_info metrics[] = {
	METRIC(JOB, "jobs", LABEL(NULL, ""), UNIT("", ""),
	       KEYS(NONE, MAUI_ATTR_MAXJOBPERUSER, NONE, NONE),
	       FLAGS("IGNJOBPERUSER", "IGNJOBQUEUEDPERUSER", NULL)),
	METRIC(PROC, "procs", LABEL("Procs", ""), UNIT("processor", "processors"),
	       KEYS(MAUI_ATTR_OMAXJPROC, MAUI_ATTR_MAXPROCPERUSER, MAUI_ATTR_MAXPROCPERJOB,
		    MAUI_KEY_SYSTEMMAXPROCPERJOB),
	       FLAGS("IGNPROCPERUSER", NULL, "IGNSYSMAXPROC")),
	METRIC(NODE, "nodes", LABEL("Nodes", ""), UNIT("node", "nodes"),
	       KEYS(MAUI_ATTR_OMAXJNODE, MAUI_ATTR_MAXNODEPERUSER, MAUI_ATTR_MAXNODEPERJOB, NONE),
	       FLAGS("IGNNODEPERUSER", NULL, NULL)),
	METRIC(PS, "procseconds", LABEL(NULL, ""), UNIT("processor-second", "processor-seconds"),
	       .outstanding = true,
	       KEYS(MAUI_ATTR_OMAXJPS, NONE, NONE, MAUI_KEY_SYSTEMMAXPROCSECONDPERJOB),
	       FLAGS("IGNPSPERUSER", NULL, "IGNSYSMAXPS")),
	METRIC(PE, "pe", LABEL("PE", ""), UNIT("processor equivalent", "processor equivalents"),
	       KEYS(MAUI_ATTR_OMAXJPE, NONE, NONE, NONE), FLAGS(NULL, NULL, NULL)),
	METRIC(WC, "seconds", LABEL(NULL, ""), UNIT("second", "seconds"), .outstanding = true,
	       KEYS(MAUI_ATTR_OMAXJWC, NONE, MAUI_ATTR_MAX_WCLIMIT, MAUI_KEY_SYSTEMMAXJOBWALLTIME),
	       FLAGS(NULL, NULL, "IGNSYSMAXTIME")),
	METRIC(MEM, "memory", LABEL("Memory", "M"), UNIT("MB", "MB"),
	       KEYS(MAUI_ATTR_OMAXJMEM, NONE, NONE, NONE), FLAGS(NULL, NULL, NULL)),
	METRIC(GRES, "gres", LABEL(NULL, ""), UNIT("unit", "units"),
	       KEYS(MAUI_ATTR_OMAXJGRES, NONE, MAUI_ATTR_MAXGRESPERJOB, NONE),
	       FLAGS(NULL, NULL, NULL)),
	METRIC(GS, "gresseconds", LABEL(NULL, ""), UNIT("GRES-second", "GRES-seconds"),
	       .outstanding = true, KEYS(NONE, NONE, NONE, NONE), FLAGS(NULL, NULL, NULL)),
};
static_assert(COUNT(metrics) == MAUI_LIMIT_ALL_METRICS, "every limit metric has a row");

const struct maui_limit_metric_info *maui_limit_metric_info(enum maui_limit_metric metric)
{
	return &metrics[metric];
}

enum maui_limit_metric maui_limit_metric_find(const char *json)
{
	unsigned int metric = 0;

	while (metric < MAUI_LIMIT_ALL_METRICS && strcmp(metrics[metric].json, json) != 0)
		metric++;
	return metric;
}

const char *maui_limit_mode_name(enum maui_limit_mode mode)
{
	static const char *const names[MAUI_LIMIT_MODES] = {"active", "idle", "system"};

	return names[mode];
}

/* ---- what a job asks for ------------------------------------------------------------------- */

static_assert(offsetof(struct maui_limit_job, walltime) - offsetof(struct maui_limit_job, amount) ==
		      MAUI_LIMIT_AMOUNTS * sizeof(int64_t),
	      "every amount of a job has its place in the array");

struct maui_limit_job maui_limit_job_of(const struct maui_priority_job *row)
{
	/* By position, so that the compiler complains of a missing amount. */
	struct maui_limit_job job = {{0},
				     false,
				     false,
				     {{(int64_t)row->procs, (int64_t)row->nodes, (int64_t)row->pe,
				       (int64_t)row->memory}},
				     (int64_t)row->walltime,
				     row->gres};

	memcpy(job.credential, row->credential, sizeof(job.credential));
	return job;
}

void maui_limit_job_raise(struct maui_limit_job *job, const struct maui_limit_job *other)
{
	for (size_t i = 0; i < MAUI_LIMIT_AMOUNTS; i++)
		if (job->amount[i] < other->amount[i])
			job->amount[i] = other->amount[i];
	job->gres = maui_gres_larger(job->gres, other->gres);
}

void maui_limit_job_add(struct maui_limit_job *sum, const struct maui_limit_job *part)
{
	for (size_t i = 0; i < MAUI_LIMIT_AMOUNTS; i++)
		sum->amount[i] += part->amount[i];
	sum->gres = maui_gres_sum(sum->gres, part->gres);
}

void maui_limit_job_asked(const struct maui_priority_job *row, const struct maui_limit_job *got,
			  struct maui_limit_job *ret_job)
{
	*ret_job = maui_limit_job_of(row);
	if (got)
		maui_limit_job_raise(ret_job, got);
}

bool maui_limit_job_same(const struct maui_limit_job *a, const struct maui_limit_job *b)
{
	return !memcmp(a->credential, b->credential, sizeof(a->credential)) &&
	       !memcmp(a->amount, b->amount, sizeof(a->amount)) && a->walltime == b->walltime &&
	       a->part == b->part && a->gres == b->gres;
}

/* A switch without a default, so that the compiler complains of a missing metric. */
static inline int64_t amount_of(const struct maui_limit_job *job, enum maui_limit_metric metric)
{
	switch (metric) {
	case MAUI_LIMIT_JOB:
		return !job->part;
	case MAUI_LIMIT_PROC:
		return limit_procs(job->procs);
	case MAUI_LIMIT_NODE:
		return limit_within(job->nodes, LIMIT_MOST);
	case MAUI_LIMIT_PS:
		return limit_procs(job->procs) * limit_within(job->walltime, MAUI_INFINITY);
	case MAUI_LIMIT_PE:
		return limit_within(job->pe, LIMIT_MOST);
	case MAUI_LIMIT_WC:
		return limit_within(job->walltime, MAUI_INFINITY);
	case MAUI_LIMIT_MEM:
		return limit_within(job->memory, LIMIT_MOST_MEMORY);
	case MAUI_LIMIT_GRES: /* in tables of their own */
	case MAUI_LIMIT_GS:
	case MAUI_LIMIT_ALL_METRICS:
		break;
	}
	return 0;
}

/* Of a GRES in bytes the product may not fit: then it is more than any limit. */
static void request_of_gres(const struct maui_limit_job *job,
			    int64_t ret_request[MAUI_LIMIT_METRICS])
{
	int64_t walltime = limit_within(job->walltime, MAUI_INFINITY);

	memset(ret_request, 0, MAUI_LIMIT_METRICS * sizeof(*ret_request));
	ret_request[MAUI_LIMIT_JOB] = !job->part;
	ret_request[MAUI_LIMIT_PROC] = job->procs;
	ret_request[MAUI_LIMIT_PS] =
		maui_gres_within(maui_gres_times((uint64_t)job->procs, (uint64_t)walltime));
	ret_request[MAUI_LIMIT_WC] = walltime;
}

void maui_limit_request(const struct maui_limit_job *job, int64_t ret_request[MAUI_LIMIT_METRICS])
{
	if (job->of_gres) {
		request_of_gres(job, ret_request);
		return;
	}
#pragma GCC unroll MAUI_LIMIT_METRICS
	for (unsigned int metric = 0; metric < MAUI_LIMIT_METRICS; metric++)
		ret_request[metric] = amount_of(job, metric);
}
