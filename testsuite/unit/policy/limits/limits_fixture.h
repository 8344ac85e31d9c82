/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits from lines of maui.cfg, and jobs of credentials by name. */
#ifndef MAUI_UNIT_POLICY_LIMITS_FIXTURE_H
#define MAUI_UNIT_POLICY_LIMITS_FIXTURE_H

#include "common/policy/limits/limits.h"
#include "common/util/intern.h"
#include "testsuite/unit/policy/fixture.h"

#define MAX_HOLDINGS 64
#define MAX_WAITING  8

struct limits_fixture {
	struct maui_intern *names[MAUI_CREDENTIALS];
	struct maui_limits *limits;
	struct maui_limit_usage *usage;
	struct maui_gres_table *gres;
	struct maui_limit_holding holdings[MAX_HOLDINGS];
	size_t count;
};

static inline uint32_t limits_fixture_id(void *context, enum maui_credential type, const char *name)
{
	struct limits_fixture *fixture = context;

	return maui_intern_add(fixture->names[type], name);
}

/* With the periods as they are at a time. */
static inline void limits_open_at(struct limits_fixture *fixture, const char *lines, int64_t when)
{
	struct maui_limit_names names = {limits_fixture_id, fixture};
	struct maui_config *config = config_from(lines);

	memset(fixture, 0, sizeof(*fixture));
	cr_assert_eq(maui_config_errors(config), 0, "%s", lines);
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		fixture->names[type] = maui_intern_new();
	fixture->limits = maui_limits_compile(config, &names, when);
	maui_config_unref(config);
	fixture->usage = maui_limit_usage_new(fixture->limits, NOW);
	fixture->gres = maui_gres_table_new();
	cr_assert(fixture->usage && fixture->gres);
}

static inline void limits_open(struct limits_fixture *fixture, const char *lines)
{
	limits_open_at(fixture, lines, NOW);
}

static inline void limits_close(struct limits_fixture *fixture)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		maui_intern_free(fixture->names[type]);
	maui_limit_usage_free(fixture->usage);
	maui_gres_table_unref(fixture->gres);
	maui_limits_free(fixture->limits);
}

/*
 * "user group account qos class", "-" for none; four processors, two nodes, 5 PE, 100 MB, one hour.
 */
static inline struct maui_limit_job limits_job(struct limits_fixture *fixture, const char *who)
{
	struct maui_limit_job job = {
		.procs = 4, .nodes = 2, .pe = 5, .memory = 100, .walltime = 3600};
	char name[MAUI_CREDENTIALS][16];

	cr_assert_eq(sscanf(who, "%15s %15s %15s %15s %15s", name[0], name[1], name[2], name[3],
			    name[4]),
		     MAUI_CREDENTIALS);
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		if (strcmp(name[type], "-") != 0)
			job.credential[type] = limits_fixture_id(fixture, type, name[type]);
	return job;
}

/* The job runs from NOW on. */
static inline struct maui_limit_holding *limits_start(struct limits_fixture *fixture,
						      const struct maui_limit_job *job)
{
	struct maui_limit_holding *holding = &fixture->holdings[fixture->count++];

	cr_assert_leq(fixture->count, MAX_HOLDINGS);
	cr_assert_eq(maui_limit_usage_add(fixture->usage, holding, job, NOW + job->walltime), 0);
	return holding;
}

/* The jobs are the eligible ones, whatever the limits: each holds a reservation. */
static inline void limits_wait(const struct limits_fixture *fixture, struct maui_limit_usage *usage,
			       const struct maui_limit_job *jobs, size_t count)
{
	struct maui_limit_candidate candidates[MAX_WAITING] = {0};
	struct maui_arena *verdicts = maui_arena_new();

	cr_assert_leq(count, MAX_WAITING);
	for (size_t i = 0; i < count; i++)
		candidates[i] = (struct maui_limit_candidate){.job = jobs[i], .exempt = true};
	cr_assert_eq(maui_limits_select(fixture->limits, usage, candidates, count, verdicts), 0);
	maui_arena_free(verdicts);
}

static inline const char *limits_name(const struct limits_fixture *fixture, unsigned int type,
				      uint32_t id)
{
	return type < MAUI_CREDENTIALS ? maui_intern_name(fixture->names[type], id) : NULL;
}

/* Why the job may not start; "" if it may. */
static inline const char *limits_why(struct limits_fixture *fixture,
				     const struct maui_limit_job *job, enum maui_limit_level level,
				     unsigned int modes, char text[MAUI_LIMIT_TEXT_SIZE])
{
	struct maui_limit_verdict verdict;
	bool blocked =
		maui_limits_check(fixture->limits, fixture->usage, job, level, modes, &verdict);

	cr_expect_eq(blocked, verdict.blocked);
	cr_expect_eq(maui_limits_check(fixture->limits, fixture->usage, job, level, modes, NULL),
		     blocked);
	return maui_limit_text(&verdict, limits_name(fixture, verdict.type, verdict.id),
			       limits_name(fixture, verdict.second_type, verdict.second_id), text);
}

#endif
