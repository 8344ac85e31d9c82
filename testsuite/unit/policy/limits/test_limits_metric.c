/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of limit metrics against the parser's keys. */
#include "common/policy/limits/limits_metric.h"

#include "common/policy/priority/priority.h"
#include "testsuite/unit/policy/fixture.h"

/* The name of a form's key derives from the metric's, except where the original's name differs. */
static const struct {
	const char *before, *behind;
	enum maui_section section;
	bool everywhere; /* every metric has it */
} forms[MAUI_LIMIT_FORMS] = {
	[MAUI_LIMIT_MAX] = {"MAX", "", MAUI_USERCFG, true},
	[MAUI_LIMIT_MAXI] = {"MAXI", "", MAUI_USERCFG, true},
	[MAUI_LIMIT_OMAX] = {"OMAX", "", MAUI_QOSCFG, true},
	[MAUI_LIMIT_OMAXI] = {"OMAXI", "", MAUI_QOSCFG, true},
	[MAUI_LIMIT_OMAXJ] = {"OMAXJ", "", MAUI_QOSCFG, false},
	[MAUI_LIMIT_PERUSER] = {"MAX", "PERUSER", MAUI_CLASSCFG, false},
	[MAUI_LIMIT_PERJOB] = {"MAX", "PERJOB", MAUI_CLASSCFG, false},
	[MAUI_LIMIT_SYSTEMMAX] = {"SYSTEMMAX", "PERJOB", MAUI_PARAMETERS, false},
};

static const struct {
	enum maui_limit_metric metric;
	enum maui_limit_form form;
	const char *name;
} otherwise[] = {
	{MAUI_LIMIT_PS, MAUI_LIMIT_SYSTEMMAX, "SYSTEMMAXPROCSECONDPERJOB"},
	{MAUI_LIMIT_WC, MAUI_LIMIT_SYSTEMMAX, "SYSTEMMAXJOBWALLTIME"},
	{MAUI_LIMIT_WC, MAUI_LIMIT_PERJOB, "MAX.WCLIMIT"},
};

/* Limit keys that limit nothing, or no sum over jobs. */
static const enum maui_key no_metric[] = {MAUI_ATTR_MAXPROCPERNODE};

static const struct maui_key_info *key_of(enum maui_limit_metric metric, enum maui_limit_form form)
{
	char name[64];

	snprintf(name, sizeof(name), "%s%s%s", forms[form].before,
		 maui_limit_metric_info(metric)->name, forms[form].behind);
	for (size_t i = 0; i < sizeof(otherwise) / sizeof(otherwise[0]); i++)
		if (otherwise[i].metric == metric && otherwise[i].form == form)
			snprintf(name, sizeof(name), "%s", otherwise[i].name);
	return maui_key_find(forms[form].section, name);
}

Test(limits_metric, each_form_of_each_metric_is_the_key_of_that_name_if_the_parser_has_one)
{
	for (unsigned int metric = 0; metric < MAUI_LIMIT_ALL_METRICS; metric++)
		for (unsigned int form = 0; form < MAUI_LIMIT_FORMS; form++) {
			const struct maui_key_info *info = key_of(metric, form);

			cr_expect_eq(maui_limit_metric_info(metric)->key[form],
				     info ? info->key : MAUI_KEYS, "%s, form %u",
				     maui_limit_metric_info(metric)->name, form);
			cr_expect(info || !forms[form].everywhere, "%s, form %u",
				  maui_limit_metric_info(metric)->name, form);
		}
}

static bool is_in_table(enum maui_key key)
{
	for (unsigned int metric = 0; metric < MAUI_LIMIT_ALL_METRICS; metric++)
		for (unsigned int form = 0; form < MAUI_LIMIT_FORMS; form++)
			if (maui_limit_metric_info(metric)->key[form] == key)
				return true;
	for (size_t i = 0; i < sizeof(no_metric) / sizeof(no_metric[0]); i++)
		if (no_metric[i] == key)
			return true;
	return false;
}

Test(limits_metric, each_limit_that_the_parser_knows_is_of_a_metric)
{
	size_t count = 0;

	for (int key = 0; key < MAUI_KEYS; key++) {
		const struct maui_key_info *info = maui_key_info(key);

		if (info->kind != MAUI_KIND_LIMIT && info->kind != MAUI_KIND_TIME_LIMIT &&
		    info->kind != MAUI_KIND_MEMORY_LIMIT)
			continue;
		cr_expect(is_in_table(key), "%s", info->name);
		count++;
	}
	cr_expect_gt(count, (size_t)4 * MAUI_LIMIT_METRICS);
}

Test(limits_metric, each_has_all_that_is_said_of_one)
{
	for (unsigned int metric = 0; metric < MAUI_LIMIT_ALL_METRICS; metric++) {
		const struct maui_limit_metric_info *info = maui_limit_metric_info(metric);

		cr_assert(info->name && info->json && info->one && info->many && info->label_unit,
			  "%u", metric);
		cr_expect_eq(maui_limit_metric_find(info->json), metric, "%s", info->name);
		/* One job has its own line, time that shrinks another. */
		cr_expect_eq(!info->label,
			     metric == MAUI_LIMIT_JOB || metric == MAUI_LIMIT_GRES ||
				     info->outstanding,
			     "%s", info->name);
		cr_expect_eq(!*info->one || !*info->many, metric == MAUI_LIMIT_JOB, "%s",
			     info->name);
	}
	cr_expect_eq(maui_limit_metric_find("JOB"), MAUI_LIMIT_ALL_METRICS);
	cr_expect_eq(maui_limit_metric_find(""), MAUI_LIMIT_ALL_METRICS);
}

Test(limits_metric, each_flag_that_takes_one_away_is_known)
{
	const struct maui_key_info *flags = maui_key_info(MAUI_ATTR_QFLAGS);

	for (unsigned int metric = 0; metric < MAUI_LIMIT_METRICS; metric++)
		for (unsigned int mode = 0; mode < MAUI_LIMIT_MODES; mode++) {
			const char *flag = maui_limit_metric_info(metric)->ignored_by[mode];
			size_t i = 0;

			while (flag && flags->keywords[i] && strcmp(flags->keywords[i], flag) != 0)
				i++;
			cr_expect(!flag || flags->keywords[i], "%s", flag);
		}
}

Test(limits_metric, amounts_of_two_jobs_are_raised_added_and_compared)
{
	struct maui_priority_job row = {
		.credential = {1, 2}, .procs = 4, .nodes = 2, .pe = 5.9, .memory = 100};
	struct maui_limit_job job, other, sum;

	row.walltime = 3600;
	job = other = sum = maui_limit_job_of(&row);
	cr_expect(job.procs == 4 && job.nodes == 2 && job.pe == 5 && job.memory == 100 &&
		  job.walltime == 3600 && !job.part && job.credential[MAUI_GROUP] == 2);
	cr_expect(maui_limit_job_same(&job, &other));
	for (size_t i = 0; i < MAUI_LIMIT_AMOUNTS; i++) {
		other = job;
		other.amount[i]--;
		cr_expect(!maui_limit_job_same(&job, &other), "%zu", i);
		maui_limit_job_raise(&other, &job);
		cr_expect(maui_limit_job_same(&job, &other), "%zu", i);
	}
	other.procs = 9;
	maui_limit_job_raise(&other, &job);
	cr_expect_eq(other.procs, 9);
	maui_limit_job_add(&sum, &job);
	cr_expect(sum.procs == 8 && sum.nodes == 4 && sum.pe == 10 && sum.memory == 200 &&
		  sum.walltime == 3600);
	other = job;
	other.part = true;
	cr_expect(!maui_limit_job_same(&job, &other));
	other = job;
	other.walltime++;
	cr_expect(!maui_limit_job_same(&job, &other));
	other = job;
	other.credential[MAUI_CLASS] = 3;
	cr_expect(!maui_limit_job_same(&job, &other));
}
