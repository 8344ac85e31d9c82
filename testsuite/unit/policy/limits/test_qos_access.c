/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "common/policy/limits/qos_access.h"
#include "common/util/intern.h"
#include "testsuite/unit/policy/fixture.h"

#define UNKNOWN "nobody" /* the name of a credential that does not exist */

struct site {
	struct maui_intern *names[MAUI_CREDENTIALS];
	struct maui_qos_access *access;
};

static uint32_t site_id(void *context, enum maui_credential type, const char *name)
{
	struct site *site = context;

	return strcmp(name, UNKNOWN) != 0 ? maui_intern_add(site->names[type], name) : 0;
}

static void site_open(struct site *site, const char *lines)
{
	struct maui_limit_names names = {site_id, site};
	struct maui_config *config = config_from(lines);

	memset(site, 0, sizeof(*site));
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		site->names[type] = maui_intern_new();
	site->access = maui_qos_access_compile(config, &names);
	maui_config_unref(config); /* no longer needed */
}

static void site_close(struct site *site)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		maui_intern_free(site->names[type]);
	cr_expect_null(maui_qos_access_free(site->access));
}

/* "user group account class", "-" for none. The job's QOS is ignored. */
static void site_job(struct site *site, const char *who, uint32_t credential[MAUI_CREDENTIALS])
{
	static const enum maui_credential types[] = {MAUI_USER, MAUI_GROUP, MAUI_ACCOUNT,
						     MAUI_CLASS};
	char name[4][16];

	cr_assert_eq(sscanf(who, "%15s %15s %15s %15s", name[0], name[1], name[2], name[3]), 4);
	memset(credential, 0, MAUI_CREDENTIALS * sizeof(*credential));
	credential[MAUI_QOS] = 0xdeadbeef;
	for (int i = 0; i < 4; i++)
		if (strcmp(name[i], "-") != 0)
			credential[types[i]] = site_id(site, types[i], name[i]);
}

/* ---- QLIST --------------------------------------------------------------------------------- */

struct access_case {
	const char *lines;
	const char *who;  /* NULL: "u g a c" */
	const char *qos;  /* NULL: none */
	const char *text; /* "": allowed */
};

static void expect_access(const struct access_case *expected)
{
	const char *who = expected->who ? expected->who : "u g a c";
	char text[MAUI_QOS_ACCESS_TEXT_SIZE];
	uint32_t credential[MAUI_CREDENTIALS];
	struct maui_qos_verdict verdict;
	const char *holder = NULL;
	struct site site;
	uint32_t qos;
	bool allowed;

	site_open(&site, expected->lines);
	site_job(&site, who, credential);
	qos = expected->qos ? site_id(&site, MAUI_QOS, expected->qos) : 0;
	allowed = maui_qos_allowed(site.access, credential, qos, &verdict);
	cr_expect_eq(maui_qos_allowed(site.access, credential, qos, NULL), allowed);
	cr_expect_eq(verdict.refused, !allowed);
	if (allowed)
		cr_expect(!verdict.fallback && !verdict.type && !verdict.id);
	if (verdict.type < MAUI_CREDENTIALS)
		holder = maui_intern_name(site.names[verdict.type], verdict.id);
	else
		cr_expect_eq(verdict.id, 1);
	maui_qos_access_text(&verdict, expected->qos, holder, text);
	cr_expect_str_eq(text, expected->text, "%s  %s, %s: '%s', not '%s'", expected->lines, who,
			 expected->qos ? expected->qos : "none", text, expected->text);
	site_close(&site);
}

#define EXPECT_ACCESS(cases)                                                                       \
	for (size_t i = 0; i < sizeof(cases) / sizeof((cases)[0]); i++)                            \
	expect_access(&(cases)[i])

Test(qos_access, without_a_list_everything_is_allowed)
{
	static const struct access_case cases[] = {
		{"", NULL, "hi", ""},
		{"USERCFG[u] MAXJOB=1\n", NULL, "hi", ""},
		{"USERCFG[u] QDEF=hi\n", NULL, "low", ""},
		{"USERCFG[bob] QLIST=hi\n", NULL, "low", ""},
		{"USERCFG[bob] QLIST=hi\nGROUPCFG[x] QLIST=hi\nACCOUNTCFG[y] QLIST=hi^\n", NULL,
		 "low", ""},
		{"USERCFG[u] QLIST=&\nGROUPCFG[g] QLIST=^,&\n", NULL, "low", ""},
	};
	EXPECT_ACCESS(cases);
}

Test(qos_access, each_holder_has_a_list)
{
	static const struct access_case cases[] = {
		{"USERCFG[u] QLIST=hi\n", NULL, "hi", ""},
		{"USERCFG[u] QLIST=hi\n", NULL, "low", "QOS low is not in QLIST of user u"},
		{"GROUPCFG[g] QLIST=hi\n", NULL, "low", "QOS low is not in QLIST of group g"},
		{"ACCOUNTCFG[a] QLIST=hi\n", NULL, "low", "QOS low is not in QLIST of account a"},
		{"CLASSCFG[c] QLIST=hi\n", NULL, "low", "QOS low is not in QLIST of class c"},
		{"SYSCFG QLIST=hi\n", NULL, "low", "QOS low is not in QLIST of the system"},
		{"SYSTEMCFG QLIST=hi\n", NULL, "hi", ""},
		{"USERCFG[DEFAULT] QLIST=hi\n", NULL, "low",
		 "QOS low is not in QLIST of user u (USERCFG[DEFAULT])"},
		{"CLASSCFG[DEFAULT] QLIST=hi\n", NULL, "low",
		 "QOS low is not in QLIST of class c (CLASSCFG[DEFAULT])"},
		{"GROUPCFG[DEFAULT] QLIST=hi\n", NULL, "hi", ""},
		{"ACCOUNTCFG[DEFAULT] QLIST=hi\n", NULL, "hi", ""},
	};
	EXPECT_ACCESS(cases);
}

Test(qos_access, an_own_list_stands_in_place_of_the_default)
{
	static const struct access_case cases[] = {
		{"USERCFG[u] QLIST=hi\nUSERCFG[DEFAULT] QLIST=low\n", NULL, "hi", ""},
		{"USERCFG[u] QLIST=hi\nUSERCFG[DEFAULT] QLIST=low\n", NULL, "low",
		 "QOS low is not in QLIST of user u"},
		{"USERCFG[u] QLIST=hi\nUSERCFG[DEFAULT] QLIST=low\n", "bob g a c", "low", ""},
		/* Its own lines say something else. */
		{"USERCFG[u] QDEF=hi PRIORITY=3\nUSERCFG[DEFAULT] QLIST=low\n", NULL, "low", ""},
		{"USERCFG[u] QDEF=hi\nUSERCFG[DEFAULT] QLIST=low\n", NULL, "mid",
		 "QOS mid is not in QLIST of user u (USERCFG[DEFAULT])"},
		/* A list of nothing but marks does not count. */
		{"USERCFG[u] QLIST=^\nUSERCFG[DEFAULT] QLIST=low\n", NULL, "low", ""},
		/* The last line counts. */
		{"USERCFG[u] QLIST=low\nUSERCFG[u] QLIST=hi\n", NULL, "low",
		 "QOS low is not in QLIST of user u"},
		/* Lists of other marks do not mix with the default's. */
		{"USERCFG[u] QLIST=hi\nUSERCFG[DEFAULT] QLIST=low^\nGROUPCFG[g] QLIST=mid\n", NULL,
		 "mid", ""},
	};
	EXPECT_ACCESS(cases);
}

Test(qos_access, what_a_job_lacks_has_no_list)
{
	static const struct access_case cases[] = {
		{"ACCOUNTCFG[DEFAULT] QLIST=hi\n", "u g - c", "low", ""},
		{"ACCOUNTCFG[DEFAULT] QLIST=hi^\nUSERCFG[u] QLIST=low\n", "u g - c", "low", ""},
		{"ACCOUNTCFG[DEFAULT] QLIST=hi QDEF=hi\nUSERCFG[u] QLIST=low\n", "u g - c", "hi",
		 "QOS hi is not in QLIST of user u"},
		{"SYSCFG QLIST=hi\n", "- - - -", "low", "QOS low is not in QLIST of the system"},
		{"SYSCFG QLIST=hi\nUSERCFG[DEFAULT] QLIST=^no\n", "- - - -", "hi", ""},
	};
	EXPECT_ACCESS(cases);
}

Test(qos_access, lists_without_a_mark_are_one)
{
	static const struct access_case cases[] = {
		{"USERCFG[u] QLIST=hi\nGROUPCFG[g] QLIST=low\n", NULL, "hi", ""},
		{"USERCFG[u] QLIST=hi\nGROUPCFG[g] QLIST=low\n", NULL, "low", ""},
		{"USERCFG[u] QLIST=hi\nGROUPCFG[g] QLIST=low\n", NULL, "mid",
		 "QOS mid is not in QLIST of user u"},
		{"CLASSCFG[c] QLIST=hi\nACCOUNTCFG[DEFAULT] QLIST=low\n", NULL, "mid",
		 "QOS mid is not in QLIST of account a (ACCOUNTCFG[DEFAULT])"},
		{"USERCFG[DEFAULT] QLIST=hi\nSYSCFG QLIST=low\n", NULL, "low", ""},
		{"SYSCFG QLIST=low\nCLASSCFG[c] QLIST=hi\n", NULL, "hi", ""},
	};
	EXPECT_ACCESS(cases);
}

Test(qos_access, and_narrows)
{
	static const struct access_case cases[] = {
		{"USERCFG[u] QLIST=hi,low&\n", NULL, "low", ""},
		{"USERCFG[u] QLIST=hi,low&\n", NULL, "mid", "QOS mid is not in QLIST of user u"},
		{"SYSCFG QLIST=hi,low\nUSERCFG[u] QLIST=low&\n", NULL, "low", ""},
		{"SYSCFG QLIST=hi,low\nUSERCFG[u] QLIST=low&\n", NULL, "hi",
		 "QOS hi is not in QLIST of user u"},
		{"SYSCFG QLIST=hi,low\nUSERCFG[u] QLIST=low&\n", "bob g a c", "hi", ""},
		/* It lets nobody in. */
		{"SYSCFG QLIST=hi\nGROUPCFG[g] QLIST=low&\n", NULL, "low",
		 "QOS low is not in QLIST of the system"},
		{"SYSCFG QLIST=hi&\nGROUPCFG[g] QLIST=hi,low&\n", NULL, "low",
		 "QOS low is not in QLIST of the system"},
		{"SYSCFG QLIST=hi&\nGROUPCFG[g] QLIST=hi,low&\n", NULL, "hi", ""},
		{"USERCFG[u] QLIST=hi\nGROUPCFG[g] QLIST=low\nCLASSCFG[c] QLIST=low,mid&\n", NULL,
		 "low", ""},
		{"USERCFG[u] QLIST=hi\nGROUPCFG[g] QLIST=low\nCLASSCFG[c] QLIST=low,mid&\n", NULL,
		 "hi", "QOS hi is not in QLIST of class c"},
		/* The first that would have to name it. */
		{"USERCFG[u] QLIST=hi&\nGROUPCFG[g] QLIST=low\nCLASSCFG[c] QLIST=mid&\n", NULL,
		 "mid", "QOS mid is not in QLIST of user u"},
		{"USERCFG[u] QLIST=low\nGROUPCFG[g] QLIST=mid\nCLASSCFG[c] QLIST=mid&\n", NULL,
		 "low", "QOS low is not in QLIST of class c"},
	};
	EXPECT_ACCESS(cases);
}

Test(qos_access, only_decides_alone)
{
	static const struct access_case cases[] = {
		{"USERCFG[u] QLIST=hi^\nGROUPCFG[g] QLIST=low\n", NULL, "low",
		 "QOS low is not in QLIST of user u"},
		{"USERCFG[u] QLIST=hi^\nGROUPCFG[g] QLIST=low&\n", NULL, "hi", ""},
		{"USERCFG[u] QLIST=hi\nGROUPCFG[g] QLIST=low^\n", NULL, "hi",
		 "QOS hi is not in QLIST of group g"},
		{"USERCFG[u] QLIST=hi^\nGROUPCFG[g] QLIST=low^\n", NULL, "hi", ""},
		{"USERCFG[u] QLIST=hi^\nGROUPCFG[g] QLIST=low^\n", NULL, "low",
		 "QOS low is not in QLIST of user u"},
		{"GROUPCFG[g] QLIST=hi^\nACCOUNTCFG[a] QLIST=low^\n", NULL, "low",
		 "QOS low is not in QLIST of group g"},
		{"ACCOUNTCFG[a] QLIST=hi^\nCLASSCFG[c] QLIST=low^\n", NULL, "low",
		 "QOS low is not in QLIST of account a"},
		{"CLASSCFG[c] QLIST=hi^\nSYSCFG QLIST=low^\n", NULL, "low",
		 "QOS low is not in QLIST of class c"},
		{"USERCFG[DEFAULT] QLIST=hi^\nGROUPCFG[g] QLIST=low^\n", NULL, "low",
		 "QOS low is not in QLIST of user u (USERCFG[DEFAULT])"},
		{"SYSCFG QLIST=hi^\nUSERCFG[u] QLIST=low\n", NULL, "low",
		 "QOS low is not in QLIST of the system"},
	};
	EXPECT_ACCESS(cases);
}

Test(qos_access, marks_and_delimiters_stand_where_they_like)
{
	static const struct access_case cases[] = {
		{"USERCFG[u] QLIST=hi,low:mid\n", NULL, "mid", ""},
		{"USERCFG[u] QLIST=hi:low,mid\n", NULL, "low", ""},
		{"USERCFG[u] QLIST=hi::,low,\n", NULL, "low", ""},
		{"USERCFG[u] QLIST=hi,hi,hi\n", NULL, "hi", ""},
		{"SYSCFG QLIST=hi:low\nUSERCFG[u] QLIST=&low\n", NULL, "hi",
		 "QOS hi is not in QLIST of user u"},
		{"SYSCFG QLIST=hi:low\nUSERCFG[u] QLIST=&low\n", NULL, "low", ""},
		{"SYSCFG QLIST=hi\nUSERCFG[u] QLIST=mid&,low\n", NULL, "hi",
		 "QOS hi is not in QLIST of user u"},
		{"SYSCFG QLIST=hi\nUSERCFG[u] QLIST=mid,low,&\n", NULL, "hi",
		 "QOS hi is not in QLIST of user u"},
		{"SYSCFG QLIST=hi\nUSERCFG[u] QLIST='mid:low &'\n", NULL, "hi",
		 "QOS hi is not in QLIST of user u"},
		{"SYSCFG QLIST=hi\nUSERCFG[u] QLIST=mid low &\n", NULL, "low",
		 "QOS low is not in QLIST of the system"},
		{"GROUPCFG[g] QLIST=low\nUSERCFG[u] QLIST=^hi\n", NULL, "low",
		 "QOS low is not in QLIST of user u"},
		{"GROUPCFG[g] QLIST=low\nUSERCFG[u] QLIST=^hi\n", NULL, "hi", ""},
		/* ^ is stronger, on either side. */
		{"GROUPCFG[g] QLIST=low\nUSERCFG[u] QLIST=hi&^\n", NULL, "hi", ""},
		{"GROUPCFG[g] QLIST=low\nUSERCFG[u] QLIST=^hi,mid&\n", NULL, "hi", ""},
		{"GROUPCFG[g] QLIST=low\nUSERCFG[u] QLIST=&hi^\n", NULL, "low",
		 "QOS low is not in QLIST of user u"},
		{"USERCFG[u] QLIST=a&b\n", NULL, "a&b", ""},
	};
	EXPECT_ACCESS(cases);
}

Test(qos_access, the_default_and_no_qos_are_always_allowed)
{
	static const struct access_case cases[] = {
		{"USERCFG[u] QLIST=hi^ QDEF=low\n", NULL, "low", ""},
		{"USERCFG[u] QLIST=hi& QDEF=low\n", NULL, "mid",
		 "QOS mid is not in QLIST of user u"},
		{"USERCFG[u] QLIST=hi\nSYSCFG QDEF=low\n", NULL, "low", ""},
		/* Only the one that the job would get. */
		{"USERCFG[u] QLIST=hi QDEF=hi\nGROUPCFG[g] QDEF=low\n", NULL, "low",
		 "QOS low is not in QLIST of user u"},
		{"USERCFG[u] QLIST=hi^\n", NULL, NULL, ""},
		{"USERCFG[u] QLIST=hi^ QDEF=low\n", NULL, NULL, ""},
	};
	EXPECT_ACCESS(cases);
}

Test(qos_access, names_that_are_none)
{
	static const struct access_case cases[] = {
		/* A list that names only unknown ones allows none: it is still a list. */
		{"USERCFG[u] QLIST=nobody\n", NULL, "hi", "QOS hi is not in QLIST of user u"},
		{"USERCFG[u] QLIST=DEFAULT\n", NULL, "hi", "QOS hi is not in QLIST of user u"},
		{"USERCFG[u] QLIST=DEFAULT\n", NULL, NULL, ""},
		{"USERCFG[u] QLIST=nobody,hi\n", NULL, "hi", ""},
		{"USERCFG[nobody] QLIST=hi\n", NULL, "low", ""},
		/* Without an id there is nothing that a list could apply to. */
		{"USERCFG[nobody] QLIST=hi\nUSERCFG[DEFAULT] QLIST=low\n", "nobody g a c", "hi",
		 ""},
	};
	EXPECT_ACCESS(cases);
}

/* ---- QDEF ---------------------------------------------------------------------------------- */

static void expect_default(const char *lines, const char *who, const char *expected)
{
	uint32_t credential[MAUI_CREDENTIALS];
	const char *found;
	struct site site;

	site_open(&site, lines);
	site_job(&site, who, credential);
	found = maui_intern_name(site.names[MAUI_QOS], maui_qos_default(site.access, credential));
	cr_expect_str_eq(found ? found : "-", expected, "%s  %s: %s, not %s", lines, who,
			 found ? found : "-", expected);
	site_close(&site);
}

/* All of them, then without the first, without the first two, ... */
Test(qos_access, the_order_of_defaults)
{
	static const char *const holders[] = {
		"USERCFG[u]",        "USERCFG[DEFAULT]",  "GROUPCFG[g]",
		"GROUPCFG[DEFAULT]", "ACCOUNTCFG[a]",     "ACCOUNTCFG[DEFAULT]",
		"CLASSCFG[c]",       "CLASSCFG[DEFAULT]", "SYSCFG"};
	const size_t count = sizeof(holders) / sizeof(holders[0]);

	for (size_t first = 0; first < count; first++) {
		char lines[512] = "", expected[8];

		/* The last ones come first: the order of lines does not matter. */
		for (size_t i = count; i-- > first;) {
			size_t used = strlen(lines);

			snprintf(lines + used, sizeof(lines) - used, "%s QDEF=q%zu\n", holders[i],
				 i);
		}
		snprintf(expected, sizeof(expected), "q%zu", first);
		expect_default(lines, "u g a c", expected);
	}
}

Test(qos_access, defaults)
{
	static const struct {
		const char *lines, *who, *expected;
	} cases[] = {
		{"", "u g a c", "-"},
		{"USERCFG[bob] QDEF=hi\n", "u g a c", "-"},
		{"USERCFG[u] QLIST=hi\n", "u g a c", "-"},
		{"USERCFG[u] QLIST=hi\nUSERCFG[DEFAULT] QDEF=low\n", "u g a c", "low"},
		{"USERCFG[bob] QDEF=hi\nGROUPCFG[g] QDEF=low\n", "bob g a c", "hi"},
		{"ACCOUNTCFG[DEFAULT] QDEF=hi\n", "u g - c", "-"},
		{"ACCOUNTCFG[DEFAULT] QDEF=hi\nCLASSCFG[c] QDEF=low\n", "u g - c", "low"},
		{"SYSCFG QDEF=hi\n", "- - - -", "hi"},
		{"SYSTEMCFG QDEF=hi\n", "u g a c", "hi"},
		/* DEFAULT is not a QOS, and ends the search; an unknown one does not. */
		{"USERCFG[u] QDEF=DEFAULT\nSYSCFG QDEF=hi\n", "u g a c", "-"},
		{"USERCFG[u] QDEF=DEFAULT\nSYSCFG QDEF=hi\n", "bob g a c", "hi"},
		{"USERCFG[u] QDEF=nobody\nSYSCFG QDEF=hi\n", "u g a c", "hi"},
		{"USERCFG[nobody] QDEF=low\nSYSCFG QDEF=hi\n", "nobody g a c", "hi"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect_default(cases[i].lines, cases[i].who, cases[i].expected);
}

/* ---- the whole ----------------------------------------------------------------------------- */

Test(qos_access, nothing_said_is_nothing_compiled)
{
	static const char *const silent[] = {"", "USERCFG[u] MAXJOB=1\n", "USERCFG[u] QLIST=&\n",
					     "USERCFG[nobody] QLIST=hi\n",
					     "USERCFG[u] QDEF=nobody\n"};
	uint32_t credential[MAUI_CREDENTIALS] = {1, 1, 1, 1, 1};
	struct maui_qos_verdict verdict = {.refused = true};
	struct site site;

	for (size_t i = 0; i < sizeof(silent) / sizeof(silent[0]); i++) {
		site_open(&site, silent[i]);
		cr_expect_null(site.access, "%s", silent[i]);
		site_close(&site);
	}
	cr_expect_eq(maui_qos_default(NULL, credential), 0);
	cr_expect(maui_qos_allowed(NULL, credential, 1, &verdict));
	cr_expect_not(verdict.refused);
	site_open(&site, "USERCFG[u] QDEF=DEFAULT\n");
	cr_expect(site.access);
	site_close(&site);
}

/* Two names of one user: the first counts, and nothing is lost. */
static uint32_t one_id(void *context, enum maui_credential type, const char *name)
{
	(void)context;
	return type == MAUI_QOS ? (uint32_t)name[0] : 7;
}

Test(qos_access, two_names_of_one)
{
	const struct maui_limit_names names = {one_id, NULL};
	struct maui_config *config = config_from("USERCFG[u] QLIST=a,b\nUSERCFG[v] QLIST=c\n");
	const uint32_t credential[MAUI_CREDENTIALS] = {7};
	struct maui_qos_access *access = maui_qos_access_compile(config, &names);

	cr_expect(maui_qos_allowed(access, credential, 'a', NULL));
	cr_expect(maui_qos_allowed(access, credential, 'b', NULL));
	cr_expect_not(maui_qos_allowed(access, credential, 'c', NULL));
	maui_qos_access_free(access);
	maui_config_unref(config);
}

/* A thousand users, each with every other QOS of five hundred, from their own on, in any order. */
Test(qos_access, many)
{
	const unsigned int users = 1000, count = 500;
	const size_t room = (size_t)users * (count / 2 * 5 + 40);
	char *lines = malloc(room), name[16];
	uint32_t credential[MAUI_CREDENTIALS] = {0};
	size_t used = 0;
	struct site site;

	cr_assert(lines);
	for (unsigned int user = 0; user < users; user++) {
		used += snprintf(lines + used, room - used, "USERCFG[u%u] QLIST=", user);
		for (unsigned int i = 0; i < count; i += 2)
			used += snprintf(lines + used, room - used, "q%u,", (user + i * 7) % count);
		used += snprintf(lines + used, room - used, "\n");
	}
	site_open(&site, lines);
	for (unsigned int user = 0; user < users; user += 37)
		for (unsigned int i = 0; i < count; i++) {
			snprintf(name, sizeof(name), "u%u", user);
			credential[MAUI_USER] = site_id(&site, MAUI_USER, name);
			snprintf(name, sizeof(name), "q%u", i);
			cr_expect_eq(maui_qos_allowed(site.access, credential,
						      site_id(&site, MAUI_QOS, name), NULL),
				     i % 2 == user % 2, "u%u %s", user, name);
		}
	site_close(&site);
	free(lines);
}

Test(qos_access, texts)
{
	const struct maui_qos_verdict user = {.refused = true, .type = MAUI_USER, .id = 3};
	const struct maui_qos_verdict account = {
		.refused = true, .fallback = true, .type = MAUI_ACCOUNT, .id = 3};
	char text[MAUI_QOS_ACCESS_TEXT_SIZE], longest[1000];

	cr_expect_str_eq(maui_qos_access_text(&user, "hi", "bob", text),
			 "QOS hi is not in QLIST of user bob");
	cr_expect_str_eq(maui_qos_access_text(&user, NULL, NULL, text),
			 "QOS ? is not in QLIST of user ?");
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	maui_qos_access_text(&account, longest, longest, text);
	cr_expect(strstr(text, "x (ACCOUNTCFG[DEFAULT])"), "%s", text);
	cr_expect_str_eq(maui_qos_access_text(&(struct maui_qos_verdict){0}, "hi", "bob", text),
			 "");
}

Test(qos_access, names_of_a_list)
{
	struct maui_config *config =
		config_from("USERCFG[a] QLIST=^hi,low&\nUSERCFG[b] QLIST=&,^\n");
	const struct maui_value *list =
		maui_object_get(maui_config_object(config, MAUI_USERCFG, "a"), MAUI_ATTR_QLIST);
	const struct maui_value *marks =
		maui_object_get(maui_config_object(config, MAUI_USERCFG, "b"), MAUI_ATTR_QLIST);

	cr_assert(list && marks);
	cr_expect(maui_qos_list_names(list, "hi"));
	cr_expect(maui_qos_list_names(list, "low"));
	cr_expect_not(maui_qos_list_names(list, "lo"));
	cr_expect_not(maui_qos_list_names(list, "^hi"));
	cr_expect(maui_qos_list_names(list, NULL));
	cr_expect_not(maui_qos_list_names(marks, NULL));
	cr_expect_not(maui_qos_list_names(marks, ""));
	cr_expect_not(maui_qos_list_names(NULL, NULL));
	maui_config_unref(config);
}
