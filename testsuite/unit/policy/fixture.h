/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A priority policy from lines of maui.cfg, and one job in it: the user "u", the group "g", ...,
 * the class "c". */
#ifndef MAUI_UNIT_POLICY_FIXTURE_H
#define MAUI_UNIT_POLICY_FIXTURE_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "common/policy/priority/priority.h"

#define NOW INT64_C(1700000000)

static inline struct maui_config *config_from(const char *lines)
{
	struct maui_config *config = NULL;
	struct maui_error error = {""};

	cr_assert_eq(maui_config_parse("maui.cfg", lines, strlen(lines), NULL, &config, &error), 0,
		     "%s", error.text);
	return config;
}

static inline struct maui_priority_policy *policy_from(const char *lines)
{
	struct maui_config *config = config_from(lines);
	struct maui_priority_policy *policy = maui_priority_compile(config);

	maui_config_unref(config); /* the policy holds its own reference */
	return policy;
}

static const char *const fixture_names[MAUI_CREDENTIALS] = {"u", "g", "a", "q", "c"};

struct fixture {
	struct maui_priority_policy *policy;
	struct maui_priority_credential credential[MAUI_CREDENTIALS][2]; /* [0]: none */
	double fs_factor[MAUI_CREDENTIALS][2];
	struct maui_priority_tables tables;
	struct maui_priority_job
		job; /* has all credentials, one processor for an hour, queued now */
};

static inline void fixture_open(struct fixture *fixture, const char *lines)
{
	memset(fixture, 0, sizeof(*fixture));
	fixture->policy = policy_from(lines);
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		maui_priority_credential(fixture->policy, type, NULL,
					 &fixture->credential[type][0]);
		maui_priority_credential(fixture->policy, type, fixture_names[type],
					 &fixture->credential[type][1]);
		fixture->tables.credential[type] = fixture->credential[type];
		fixture->job.credential[type] = 1;
	}
	fixture->job.weights = maui_priority_weights(fixture->policy, NULL);
	fixture->job.queued_since = NOW;
	fixture->job.walltime = 3600;
	fixture->job.procs = 1;
	fixture->job.pe = 1;
}

static inline void fixture_close(struct fixture *fixture)
{
	fixture->policy = maui_priority_free(fixture->policy);
}

static inline void fixture_evaluate(const struct fixture *fixture,
				    struct maui_priority_terms *ret_terms)
{
	maui_priority_evaluate(fixture->policy, &fixture->tables, &fixture->job, NOW, ret_terms);
}

#endif
