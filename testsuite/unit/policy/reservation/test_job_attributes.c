/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <string.h>

#include "common/policy/reservation/acl.h"
#include "common/policy/reservation/job_attributes.h"

/* QOS "q1" is 1, "q2" is 2, and so on; any other does not exist. */
static uint32_t id_of(void *context, enum maui_credential type, const char *name)
{
	(void)context;
	cr_expect_eq(type, MAUI_QOS);
	return *name == 'q' ? (uint32_t)(name[1] - '0') : 0;
}

static struct maui_job_attributes *compile(const char *lines)
{
	struct maui_limit_names names = {id_of, NULL};
	struct maui_job_attributes *attributes;
	struct maui_config *config = NULL;
	struct maui_error error = {""};

	cr_assert_eq(maui_config_parse("maui.cfg", lines, strlen(lines), NULL, &config, &error), 0);
	attributes = maui_job_attributes_compile(config, &names);
	maui_config_unref(config);
	return attributes;
}

static uint32_t bit(const char *name)
{
	uint32_t found = maui_acl_attribute(name, strlen(name));

	cr_assert(found, "%s", name);
	return found;
}

Test(job_attributes, of_a_comment)
{
	const uint32_t preemptee = bit("PREEMPTEE"), restartable = bit("RESTARTABLE");
	const struct {
		const char *comment;
		uint32_t attributes;
	} cases[] = {
		{NULL, 0},
		{"", 0},
		{"preemptee", 0},
		{"FLAGS:PREEMPTEE", 0},
		{"x=FLAGS:PREEMPTEE", preemptee},
		{"x=flags=preemptee", preemptee},
		{"my words x=NALLOCPOLICY:FASTEST;FLAGS:PREEMPTEE", preemptee},
		{"x=FLAGS:RESTARTABLE,PREEMPTEE", preemptee | restartable},
		{"x=FLAGS:RESTARTABLE|PREEMPTEE", preemptee | restartable},
		{"x=FLAGS:RESTARTABLE:PREEMPTEE", preemptee | restartable},
		{"x=FLAGS(RESTARTABLE PREEMPTEE)", preemptee | restartable},
		{"x=FLAGS:,PREEMPTEE,", preemptee},
		{"x=FLAGS:PREEMPTEES", 0},
		{"x=FLAGS:PREEMPT", 0},
		{"x=FLAGS:", 0},
		{"x=FLAGS(", 0},
		{"x=ADVRES:PREEMPTEE", 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_eq(maui_job_attributes(NULL, 1, cases[i].comment), cases[i].attributes,
			     "%s", cases[i].comment);
}

Test(job_attributes, of_a_qos)
{
	struct maui_job_attributes *attributes =
		compile("QOSCFG[q1] QFLAGS=PREEMPTEE\nQOSCFG[q2] QFLAGS=IGNALL\n"
			"QOSCFG[q3] QFLAGS=IGNSYSTEM:PREEMPTEE\nQOSCFG[none] QFLAGS=PREEMPTEE\n");

	cr_expect_eq(maui_job_attributes(attributes, 1, NULL), bit("PREEMPTEE"));
	cr_expect_eq(maui_job_attributes(attributes, 2, NULL), 0);
	cr_expect_eq(maui_job_attributes(attributes, 3, NULL), bit("PREEMPTEE"));
	cr_expect_eq(maui_job_attributes(attributes, 4, NULL), 0);
	/* A QOS that does not exist gives no attributes to jobs without one. */
	cr_expect_eq(maui_job_attributes(attributes, MAUI_NO_CREDENTIAL, NULL), 0);
	cr_expect_eq(maui_job_attributes(attributes, 1, "x=FLAGS:RESTARTABLE"),
		     bit("PREEMPTEE") | bit("RESTARTABLE"));
	maui_job_attributes_free(attributes);
}

Test(job_attributes, of_the_qos_default)
{
	struct maui_job_attributes *attributes = compile("QOSCFG[DEFAULT] QFLAGS=PREEMPTEE\n");

	cr_expect_eq(maui_job_attributes(attributes, MAUI_NO_CREDENTIAL, NULL), bit("PREEMPTEE"));
	cr_expect_eq(maui_job_attributes(attributes, 1, NULL), 0);
	maui_job_attributes_free(attributes);
	cr_expect_null(compile("QOSCFG[q1] QFLAGS=IGNALL PRIORITY=1\n"));
}
