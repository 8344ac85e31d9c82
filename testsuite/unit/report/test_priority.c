/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Weights of a partition and a job's terms as JSON: service.md's "diagnose-priority". */
#include "testsuite/unit/policy/fixture.h"

#include "common/report/report.h"

static struct json_object *find(struct json_object *array, const char *name)
{
	for (size_t i = 0; i < json_object_array_length(array); i++) {
		struct json_object *one = json_object_array_get_idx(array, i);

		if (!strcmp(json_object_get_string(json_object_object_get(one, "name")), name))
			return one;
	}
	return NULL;
}

static void expect_json(struct json_object *found, const char *expected)
{
	const char *text = json_object_to_json_string_ext(found, JSON_C_TO_STRING_PLAIN);

	cr_expect_str_eq(text, expected, "%s", text);
}

Test(report_priority, weights_are_those_in_force_with_their_caps)
{
	static const char lines[] = "SERVWEIGHT 7\nSERVCAP 100\nXFACTORWEIGHT 2\nXFACTORCAP 9.5\n";
	struct maui_config *config = config_from(lines);
	struct maui_priority_policy *policy = policy_from(lines);
	struct json_object *report =
		maui_report_weights(maui_priority_weights(policy, NULL), config);

	cr_assert_eq(json_object_array_length(report), MAUI_COMPONENTS);
	expect_json(find(report, "SERV"),
		    "{\"name\":\"SERV\",\"label\":\"Serv\",\"weight\":7,\"cap\":100,"
		    "\"subcomponents\":["
		    "{\"name\":\"QUEUETIME\",\"label\":\"QTime\",\"weight\":1,\"cap\":0,"
		    "\"qos_weight\":false},"
		    "{\"name\":\"XFACTOR\",\"label\":\"XFctr\",\"weight\":2,\"cap\":9.5,"
		    "\"qos_weight\":false},"
		    "{\"name\":\"SPVIOLATION\",\"label\":\"SPVio\",\"weight\":0,\"cap\":0,"
		    "\"qos_weight\":false},"
		    "{\"name\":\"BYPASS\",\"label\":\"Bypas\",\"weight\":0,\"cap\":0,"
		    "\"qos_weight\":false}]}");
	json_object_put(report);
	maui_priority_free(policy);
	maui_config_unref(config);
}

static const struct {
	const char *lines;
	bool queuetime, xfactor; /* a QOS adds to it */
} additions[] = {
	{"", false, false},
	{"QOSCFG[a] QTWEIGHT=4\n", true, false},
	{"QOSCFG[a] XFWEIGHT=4\n", false, true},
	{"QOSCFG[a] QTWEIGHT=0 XFWEIGHT=0\n", false, false},
	{"QOSCFG[a] PRIORITY=5\nQOSCFG[b] QTWEIGHT=0\nQOSCFG[c] QTWEIGHT=1 XFWEIGHT=1\n", true,
	 true},
};

static bool adds(struct json_object *report, const char *name)
{
	struct json_object *subs = json_object_object_get(find(report, "SERV"), "subcomponents");

	return json_object_get_boolean(json_object_object_get(find(subs, name), "qos_weight"));
}

Test(report_priority, a_weight_says_whether_a_qos_adds_to_it)
{
	for (size_t i = 0; i < sizeof(additions) / sizeof(additions[0]); i++) {
		struct maui_config *config = config_from(additions[i].lines);
		struct maui_priority_policy *policy = policy_from("QUEUETIMEWEIGHT 1\n");
		struct json_object *report =
			maui_report_weights(maui_priority_weights(policy, NULL), config);
		const char *lines = additions[i].lines;

		cr_expect_eq(adds(report, "QUEUETIME"), additions[i].queuetime, "%s", lines);
		cr_expect_eq(adds(report, "XFACTOR"), additions[i].xfactor, "%s", lines);
		cr_expect_not(adds(report, "BYPASS"), "%s", lines);
		json_object_put(report);
		maui_priority_free(policy);
		maui_config_unref(config);
	}
}

/* A job of an hour, after an hour in the queue. */
Test(report_priority, terms_are_weights_and_factors_by_their_names)
{
	struct maui_priority_terms terms;
	struct json_object *report;
	struct fixture fixture;

	fixture_open(&fixture, "SERVWEIGHT 3\nQUEUETIMEWEIGHT 2\nXFACTORWEIGHT 10\nRESWEIGHT 1\n");
	fixture.job.queued_since = NOW - 3600;
	fixture_evaluate(&fixture, &terms);
	report = maui_report_terms(&terms);
	cr_expect_eq(json_object_object_length(report), MAUI_COMPONENTS);
	expect_json(json_object_object_get(report, "SERV"),
		    "{\"weight\":3,\"value\":140,\"subcomponents\":{"
		    "\"QUEUETIME\":{\"weight\":2,\"factor\":60},"
		    "\"XFACTOR\":{\"weight\":10,\"factor\":2},"
		    "\"SPVIOLATION\":{\"weight\":0,\"factor\":0},"
		    "\"BYPASS\":{\"weight\":0,\"factor\":0}}}");
	expect_json(json_object_object_get(report, "TARG"),
		    "{\"weight\":0,\"value\":0,\"subcomponents\":{"
		    "\"TARGETQUEUETIME\":{\"weight\":0,\"factor\":0},"
		    "\"TARGETXFACTOR\":{\"weight\":0,\"factor\":0}}}");
	json_object_put(report);
	fixture_close(&fixture);
}
