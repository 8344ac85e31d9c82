/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/unit/policy/limits/limits_fixture.h"

/* "MAXJOB=2,4: 1; " for each entry; overridden ones in brackets. */
static const char *text_of(const struct maui_limit_entry *entries, size_t count, unsigned int type)
{
	static char text[1024];
	size_t size = 0;

	text[0] = '\0';
	for (size_t i = 0; i < count; i++) {
		const struct maui_limit_entry *entry = &entries[i];
		char name[MAUI_LIMIT_NAME_SIZE];

		size += (size_t)snprintf(text + size, sizeof(text) - size,
					 "%s%s=%lld,%lld%s: %lld; ", entry->overridden ? "[" : "",
					 maui_limit_entry_name(entry, type, name),
					 (long long)entry->soft, (long long)entry->hard,
					 entry->overridden ? "]" : "", (long long)entry->usage);
	}
	return text;
}

static const char *listed(const struct limits_fixture *fixture, unsigned int type, uint32_t id)
{
	struct maui_limit_entry entries[MAUI_LIMIT_ENTRIES];

	return text_of(entries,
		       maui_limits_list(fixture->limits, fixture->usage, type, id, entries), type);
}

Test(limits_list, own_limits_and_those_of_DEFAULT_with_their_usage)
{
	struct limits_fixture fixture;
	struct maui_limit_job job;

	limits_open(&fixture, "USERCFG[u] MAXJOB=2,4 MAXPROC=-1 MAXIJOB=3\n"
			      "USERCFG[DEFAULT] MAXPROC=9 MAXNODE=5 MAXNODEPERJOB=7\n");
	job = limits_job(&fixture, "u - - - -");
	limits_start(&fixture, &job);
	limits_wait(&fixture, fixture.usage, &job, 1);
	cr_expect_str_eq(listed(&fixture, MAUI_USER, 1),
			 "MAXJOB=2,4: 1; MAXNODE=5,5: 2; MAXIJOB=3,3: 1; MAXNODEPERJOB=7,7: 0; ");
	cr_expect_str_eq(listed(&fixture, MAUI_USER, 0),
			 "MAXPROC=9,9: 0; MAXNODE=5,5: 0; MAXNODEPERJOB=7,7: 0; ");
	cr_expect_str_eq(listed(&fixture, MAUI_CLASS, 1), "");
	limits_close(&fixture);
}

Test(limits_list, overrides_of_a_qos)
{
	struct limits_fixture fixture;
	struct maui_limit_job job;

	limits_open(&fixture, "QOSCFG[q] MAXNODE=8 OMAXNODE=64 OMAXJOB=-1 OMAXJPROC=9\n");
	job = limits_job(&fixture, "- - - q -");
	limits_start(&fixture, &job);
	cr_expect_str_eq(
		listed(&fixture, MAUI_QOS, 1),
		"OMAXJOB=-1,-1: 1; [MAXNODE=8,8]: 2; OMAXNODE=64,64: 2; OMAXJPROC=9,9: 0; ");
	cr_expect_str_eq(listed(&fixture, MAUI_QOS, 2), "");
	limits_close(&fixture);
}

/* Rows and objects grow more than once; each number of them is somewhere the last that fits. */
Test(limits_list, each_of_any_number_of_users_has_his_own)
{
	for (unsigned int count = 1; count <= 70; count++) {
		struct limits_fixture fixture;
		char lines[4096] = "", expected[64];
		size_t size = 0;

		for (unsigned int i = 1; i <= count; i++)
			size += (size_t)snprintf(lines + size, sizeof(lines) - size,
						 "USERCFG[u%u] MAXJOB=%u,%u\n", i, i, 2 * i);
		limits_open(&fixture, lines);
		for (unsigned int i = 1; i <= count; i++) {
			uint32_t id;

			snprintf(expected, sizeof(expected), "u%u", i);
			id = limits_fixture_id(&fixture, MAUI_USER, expected);
			snprintf(expected, sizeof(expected), "MAXJOB=%u,%u: 0; ", i, 2 * i);
			cr_assert_str_eq(listed(&fixture, MAUI_USER, id), expected, "%u of %u", i,
					 count);
		}
		limits_close(&fixture);
	}
}

/* A metric without such a limit in maui.cfg is not listed. */
Test(limits_list, overrides_that_a_flag_makes_have_names_of_maui_cfg)
{
	struct limits_fixture fixture;

	limits_open(&fixture, "QOSCFG[q] QFLAGS=IGNSYSTEM\n");
	cr_expect_str_eq(listed(&fixture, MAUI_QOS, 1),
			 "OMAXJPROC=-1,-1: 0; OMAXJNODE=-1,-1: 0; OMAXJPS=-1,-1: 0; "
			 "OMAXJPE=-1,-1: 0; OMAXJWC=-1,-1: 0; OMAXJMEM=-1,-1: 0; ");
	limits_close(&fixture);
}

Test(limits_list, a_limit_of_one_job_that_only_SYSCFG_has)
{
	struct limits_fixture fixture;

	limits_open(&fixture, "SYSCFG MAXNODEPERJOB=4\n");
	cr_expect_str_eq(listed(&fixture, MAUI_WHOLE_SYSTEM, 1), "MAXNODEPERJOB=4,4: 0; ");
	limits_close(&fixture);
}

Test(limits_list, the_whole_system)
{
	struct limits_fixture fixture;
	struct maui_limit_job job;

	limits_open(&fixture, "SYSCFG MAXJOB=1\nSYSTEMMAXPROCPERJOB 16\n"
			      "SYSTEMMAXJOBWALLTIME INFINITY\n");
	job = limits_job(&fixture, "- - - - -");
	limits_start(&fixture, &job);
	cr_expect_str_eq(listed(&fixture, MAUI_WHOLE_SYSTEM, 1),
			 "MAXJOB=1,1: 1; SYSTEMMAXPROCPERJOB=16,16: 0; ");
	limits_close(&fixture);
}

Test(limits_list, pairs_whose_jobs_hold_something)
{
	struct maui_limit_entry entries[MAUI_LIMIT_ENTRIES];
	struct limits_fixture fixture;
	struct maui_limit_job job;
	unsigned int type;
	uint32_t id;
	size_t count;

	limits_open(&fixture, "CLASSCFG[c] MAXJOB[USER]=1 MAXPROC[USER:u]=50\n"
			      "CLASSCFG[DEFAULT] MAXIJOB[USER]=7\n");
	cr_expect_eq(maui_limit_usage_pairs(fixture.usage), 0);
	job = limits_job(&fixture, "v - - - c");
	limits_start(&fixture, &job);
	job = limits_job(&fixture, "u - - - c");
	limits_start(&fixture, &job);
	cr_assert_eq(maui_limit_usage_pairs(fixture.usage), 2);
	count = maui_limits_list_pair(fixture.limits, fixture.usage, 1, &type, &id, entries);
	cr_expect_str_eq(text_of(entries, count, type), "MAXJOB[USER]=1,1: 1; ");
	cr_expect_eq(type, MAUI_CLASS);
	cr_expect_eq(id, job.credential[MAUI_CLASS]);
	cr_expect_eq(entries[0].second_type, MAUI_USER);
	count = maui_limits_list_pair(fixture.limits, fixture.usage, 2, &type, &id, entries);
	cr_expect_str_eq(text_of(entries, count, type),
			 "MAXJOB[USER]=1,1: 1; MAXPROC[USER]=50,50: 4; ");
	cr_expect_eq(entries[0].second_id, job.credential[MAUI_USER]);
	limits_close(&fixture);
}
