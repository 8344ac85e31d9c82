/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits on GRES: the numbers are those of the names in the lines, from the first on. */
#include "testsuite/unit/policy/limits/limits_fixture.h"

#define EVERYBODY "u g a q c"

static const struct maui_gres *amounts(struct maui_gres_table *table, uint64_t first,
				       uint64_t second)
{
	struct maui_gres_amounts both = {0};

	maui_gres_set(&both, 0, first);
	maui_gres_set(&both, 1, second);
	return maui_gres_intern(table, &both);
}

/* With so many of the first GRES, and of the second. */
static struct maui_limit_job asking(struct limits_fixture *fixture, const char *who, uint64_t first,
				    uint64_t second)
{
	struct maui_limit_job job = limits_job(fixture, who);

	job.gres = amounts(fixture->gres, first, second);
	return job;
}

/* Three of the first GRES and two of the second are in use by the same, for an hour. */
Test(limits_gres, verdicts)
{
	static const struct {
		const char *lines;
		uint64_t first, second;
		unsigned int modes;
		const char *text;
	} cases[] = {
		{"USERCFG[u] MAXGRES[gpu]=4\n", 1, 0, MAUI_LIMIT_ALL_MODES, ""},
		{"USERCFG[u] MAXGRES[gpu]=4\n", 2, 0, MAUI_LIMIT_ALL_MODES,
		 "MAXGRES[gpu] limit of 4 for user u (3 in use, 2 asked for)"},
		{"GROUPCFG[g] MAXGRES[gpu:a100]=4\n", 2, 0, MAUI_LIMIT_ALL_MODES,
		 "MAXGRES[gpu:a100] limit of 4 for group g (3 in use, 2 asked for)"},
		{"ACCOUNTCFG[a] MAXGRES[license:matlab]=4\n", 2, 0, MAUI_LIMIT_ALL_MODES,
		 "MAXGRES[license:matlab] limit of 4 for account a (3 in use, 2 asked for)"},
		{"QOSCFG[DEFAULT] MAXGRES[gpu]=4\n", 2, 0, MAUI_LIMIT_ALL_MODES,
		 "MAXGRES[gpu] limit of 4 for qos q (3 in use, 2 asked for)"},
		{"SYSCFG MAXGRES[gpu]=4\n", 2, 0, MAUI_LIMIT_ALL_MODES,
		 "MAXGRES[gpu] limit of 4 for the system (3 in use, 2 asked for)"},
		/* a job that asks for none is not held up by a limit that is exceeded */
		{"USERCFG[u] MAXGRES[gpu]=1\n", 0, 0, MAUI_LIMIT_ALL_MODES, ""},
		{"USERCFG[u] MAXGRES[gpu]=1 MAXGRES[tape]=9\n", 0, 1, MAUI_LIMIT_ALL_MODES, ""},
		/* case counts */
		{"USERCFG[u] MAXGRES[gpu]=9 MAXGRES[GPU]=2\n", 0, 1, MAUI_LIMIT_ALL_MODES,
		 "MAXGRES[GPU] limit of 2 for user u (2 in use, 1 asked for)"},
		/* those of processors come first */
		{"USERCFG[u] MAXGRES[gpu]=1 MAXPROC=4\n", 1, 0, MAUI_LIMIT_ALL_MODES,
		 "MAXPROC limit of 4 for user u (4 in use, 4 asked for)"},
		{"USERCFG[u] MAXGRES[gpu]=9 MAXGRES[tape]=2\n", 1, 1, MAUI_LIMIT_ALL_MODES,
		 "MAXGRES[tape] limit of 2 for user u (2 in use, 1 asked for)"},
		{"USERCFG[u] MAXGS[gpu]=14400\n", 1, 0, MAUI_LIMIT_ALL_MODES, ""},
		{"USERCFG[u] MAXGS[gpu]=14399\n", 1, 0, MAUI_LIMIT_ALL_MODES,
		 "MAXGS[gpu] limit of 14399 for user u (10800 in use, 3600 asked for)"},
		{"CLASSCFG[c] MAXGRES[gpu,USER]=4\n", 2, 0, MAUI_LIMIT_ALL_MODES,
		 "MAXGRES[gpu,USER] limit of 4 for user u in class c (3 in use, 2 asked for)"},
		{"CLASSCFG[c] MAXGRES[gpu,USER]=4 MAXGRES[gpu,USER:u]=5\n", 2, 0,
		 MAUI_LIMIT_ALL_MODES, ""},
		{"CLASSCFG[c] MAXGRES[gpu,USER:x]=4\n", 2, 0, MAUI_LIMIT_ALL_MODES, ""},
		{"SYSCFG MAXGRESPERJOB[gpu]=2\n", 3, 0, MAUI_LIMIT_ALL_MODES,
		 "MAXGRESPERJOB[gpu] limit of 2 for the system (3 asked for)"},
		{"USERCFG[u] MAXGRESPERJOB[gpu]=2\n", 3, 0, MAUI_LIMIT_ALL_MODES,
		 "MAXGRESPERJOB[gpu] limit of 2 for user u (3 asked for)"},
		{"SYSCFG MAXGRESPERJOB[gpu]=2\nQOSCFG[q] OMAXJGRES[gpu]=3\n", 3, 0,
		 MAUI_LIMIT_ALL_MODES, ""},
		{"USERCFG[u] MAXGRES[gpu]=4\nQOSCFG[q] OMAXGRES[gpu]=5\n", 2, 0,
		 MAUI_LIMIT_ALL_MODES, ""},
		{"USERCFG[u] MAXGRES[gpu]=4\nQOSCFG[q] OMAXGRES[gpu]=5\n", 3, 0,
		 MAUI_LIMIT_ALL_MODES,
		 "OMAXGRES[gpu] limit of 5 for user u (3 in use, 3 asked for)"},
		{"USERCFG[u] MAXGRES[gpu]=4\nQOSCFG[q] QFLAGS=IGNALL\n", 9, 0, MAUI_LIMIT_ALL_MODES,
		 ""},
		{"USERCFG[u] MAXGRES[gpu]=4\nQOSCFG[q] QFLAGS=IGNPROCPERUSER\n", 2, 0,
		 MAUI_LIMIT_ALL_MODES,
		 "MAXGRES[gpu] limit of 4 for user u (3 in use, 2 asked for)"},
		{"USERCFG[DEFAULT] MAXGRES[gpu]=4\nUSERCFG[u] MAXGRES[gpu]=-1\n", 9, 0,
		 MAUI_LIMIT_ALL_MODES, ""},
		{"USERCFG[u] MAXIGRES[gpu]=1\n", 2, 0, MAUI_LIMIT_BIT(MAUI_LIMIT_ACTIVE), ""},
		{"USERCFG[u] MAXIGRES[gpu]=1\n", 2, 0, MAUI_LIMIT_ALL_MODES,
		 "MAXIGRES[gpu] limit of 1 for user u (0 eligible, 2 asked for)"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct limits_fixture fixture;
		struct maui_limit_job job;
		char text[MAUI_LIMIT_TEXT_SIZE];

		limits_open(&fixture, cases[i].lines);
		job = asking(&fixture, EVERYBODY, 3, 2);
		limits_start(&fixture, &job);
		job = asking(&fixture, EVERYBODY, cases[i].first, cases[i].second);
		cr_expect_str_eq(limits_why(&fixture, &job, MAUI_LIMIT_HARD, cases[i].modes, text),
				 cases[i].text, "%s", cases[i].lines);
		limits_close(&fixture);
	}
}

#define GIB (UINT64_C(1) << 30)

/* Sizes: counts in bytes, of which 64 bits hold few. Two jobs have so much each, for an hour. */
Test(limits_gres, sizes)
{
	static const struct {
		const char *lines;
		uint64_t used, asked;
		unsigned int modes;
		const char *text;
	} cases[] = {
		/* the limit is written as Slurm writes the size */
		{"USERCFG[u] MAXGRES[s]=400G\n", 100 * GIB, 200 * GIB, MAUI_LIMIT_ALL_MODES, ""},
		{"USERCFG[u] MAXGRES[s]=400G\n", 100 * GIB, 200 * GIB + 1, MAUI_LIMIT_ALL_MODES,
		 "MAXGRES[s] limit of 429496729600 for user u (214748364800 in use, 214748364801 "
		 "asked for)"},
		{"USERCFG[u] MAXGRES[s]=429496729600\n", 0, 429496729601, MAUI_LIMIT_ALL_MODES,
		 "MAXGRES[s] limit of 429496729600 for user u (0 in use, 429496729601 asked for)"},
		/* 2^32 and 2^24 are numbers as any others */
		{"USERCFG[u] MAXGRES[s]=8589934592\n", UINT64_C(1) << 32, 1, MAUI_LIMIT_ALL_MODES,
		 "MAXGRES[s] limit of 8589934592 for user u (8589934592 in use, 1 asked for)"},
		{"USERCFG[u] MAXGRES[s]=33554433\n", 1 << 24, 2, MAUI_LIMIT_ALL_MODES,
		 "MAXGRES[s] limit of 33554433 for user u (33554432 in use, 2 asked for)"},
		{"SYSCFG MAXGRESPERJOB[s]=1T\n", 0, 1025 * GIB, MAUI_LIMIT_ALL_MODES,
		 "MAXGRESPERJOB[s] limit of 1099511627776 for the system (1100585369600 asked "
		 "for)"},
		{"CLASSCFG[c] MAXGRES[s,USER]=1T\n", 512 * GIB, 1, MAUI_LIMIT_ALL_MODES,
		 "MAXGRES[s,USER] limit of 1099511627776 for user u in class c (1099511627776 in "
		 "use, 1 asked for)"},
		/* byte-seconds: sums of them need more than 64 bits */
		{"USERCFG[u] MAXGS[s]=4095P\n", UINT64_C(1) << 48, 1, MAUI_LIMIT_ALL_MODES, ""},
		{"USERCFG[u] MAXGS[s]=4095P\n", UINT64_C(1) << 50, 1, MAUI_LIMIT_ALL_MODES,
		 "MAXGS[s] limit of 4610560118520545280 for user u (4611686018427387903 in use, "
		 "3600 "
		 "asked for)"},
		/* what nobody can have is more than any limit, and no sum turns round */
		{"USERCFG[u] MAXGRES[s]=4095P\n", UINT64_C(1) << 63, 1, MAUI_LIMIT_ALL_MODES,
		 "MAXGRES[s] limit of 4610560118520545280 for user u (4611686018427387903 in use, "
		 "1 "
		 "asked for)"},
		{"USERCFG[u] MAXGRES[s]=4095P\n", 0, UINT64_MAX, MAUI_LIMIT_ALL_MODES,
		 "MAXGRES[s] limit of 4610560118520545280 for user u (0 in use, "
		 "4611686018427387903 "
		 "asked for)"},
		{"USERCFG[u] MAXGS[s]=1 MAXGRES[s]=-1\n", 0, UINT64_MAX, MAUI_LIMIT_ALL_MODES,
		 "MAXGS[s] limit of 1 for user u (0 in use, 4611686018427387903 asked for)"},
		{"USERCFG[u] MAXGRES[s]=-1 MAXGS[s]=-1 MAXGRES[t]=1\n", UINT64_MAX, UINT64_MAX,
		 MAUI_LIMIT_ALL_MODES, ""},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct limits_fixture fixture;
		struct maui_limit_job job;
		char text[MAUI_LIMIT_TEXT_SIZE];

		limits_open(&fixture, cases[i].lines);
		job = asking(&fixture, EVERYBODY, cases[i].used, 0);
		limits_start(&fixture, &job);
		limits_start(&fixture, &job);
		job = asking(&fixture, EVERYBODY, cases[i].asked, 0);
		cr_expect_str_eq(limits_why(&fixture, &job, MAUI_LIMIT_HARD, cases[i].modes, text),
				 cases[i].text, "%zu: %s", i, cases[i].lines);
		limits_close(&fixture);
	}
}

/* The longest names, and the largest numbers. */
Test(limits_gres, no_text_is_cut)
{
	struct maui_limit_verdict verdict = {.blocked = true,
					     .override = true,
					     .pair = true,
					     .mode = MAUI_LIMIT_IDLE,
					     .metric = MAUI_LIMIT_GRES,
					     .type = MAUI_ACCOUNT,
					     .id = 1,
					     .second_type = MAUI_ACCOUNT,
					     .second_id = 1,
					     .level = MAUI_LIMIT_SOFT,
					     .limit = MAUI_GRES_MOST,
					     .usage = MAUI_GRES_MOST,
					     .request = MAUI_GRES_MOST};
	char name[256], text[MAUI_LIMIT_TEXT_SIZE];

	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	memset(verdict.gres, 'g', sizeof(verdict.gres) - 1);
	maui_limit_text(&verdict, name, name, text);
	cr_expect(strstr(text, "asked for)"), "%s", text);
	maui_limit_original_text(&verdict, name, "b", text);
	cr_expect(strstr(text, ")"), "%s", text);
}

static int64_t byte_seconds(const struct limits_fixture *fixture)
{
	const struct maui_limit_usage *usage = fixture->usage;
	struct maui_limit_entry entries[MAUI_LIMIT_ENTRIES];

	cr_assert_eq(maui_limits_list(fixture->limits, usage, MAUI_USER, 1, entries), 1);
	return entries[0].usage;
}

/* More than 64 bits of byte-seconds are in use for a time: what is left then is exact. */
Test(limits_gres, sums_beyond_64_bits_come_back)
{
	static const int64_t most = (INT64_C(1) << 62) - 1;
	struct limits_fixture fixture;
	struct maui_limit_holding *large[40];
	struct maui_limit_job job;

	limits_open(&fixture, "USERCFG[u] MAXGS[s]=4095P\n");
	job = asking(&fixture, EVERYBODY, 7, 0);
	limits_start(&fixture, &job);
	cr_expect_eq(byte_seconds(&fixture), INT64_C(7) * 3600);
	job = asking(&fixture, EVERYBODY, UINT64_C(0xfffffffffffff), 0);
	for (size_t i = 0; i < 40; i++)
		large[i] = limits_start(&fixture, &job);
	cr_expect_eq(byte_seconds(&fixture), most);
	maui_limit_usage_advance(fixture.usage, NOW + 1800);
	cr_expect_eq(byte_seconds(&fixture), most);
	for (size_t i = 0; i < 39; i++)
		maui_limit_usage_take(fixture.usage, large[i]);
	cr_expect_eq(byte_seconds(&fixture), most);
	maui_limit_usage_take(fixture.usage, large[39]);
	cr_expect_eq(byte_seconds(&fixture), INT64_C(7) * 1800);
	large[0] = limits_start(&fixture, &job);
	maui_limit_usage_advance(fixture.usage, NOW + 3600);
	cr_expect_eq(byte_seconds(&fixture), 0);
	limits_close(&fixture);
}

/* What eligible jobs ask for together is more than 64 bits hold. */
Test(limits_gres, idle_sums_do_not_turn_round)
{
	struct limits_fixture fixture;
	struct maui_limit_candidate candidates[5] = {0};
	struct maui_arena *verdicts = maui_arena_new();

	limits_open(&fixture, "USERCFG[u] MAXIGRES[s]=4095P\n");
	for (size_t i = 0; i < 5; i++) {
		candidates[i].job = asking(&fixture, EVERYBODY, UINT64_C(1) << 62, 0);
		candidates[i].exempt = i < 4;
	}
	candidates[4].job = asking(&fixture, EVERYBODY, 1, 0);
	cr_assert_eq(maui_limits_select(fixture.limits, fixture.usage, candidates, 5, verdicts), 0);
	cr_expect_not(candidates[4].hard);
	maui_arena_free(verdicts);
	limits_close(&fixture);
}

Test(limits_gres, soft_and_hard)
{
	struct limits_fixture fixture;
	struct maui_limit_job job;
	char text[MAUI_LIMIT_TEXT_SIZE];

	limits_open(&fixture, "USERCFG[u] MAXGRES[gpu]=2,4\n");
	cr_expect(maui_limits_soft(fixture.limits));
	job = asking(&fixture, EVERYBODY, 3, 0);
	cr_expect_str_eq(limits_why(&fixture, &job, MAUI_LIMIT_SOFT, MAUI_LIMIT_ALL_MODES, text),
			 "soft MAXGRES[gpu] limit of 2 for user u (0 in use, 3 asked for)");
	cr_expect_str_eq(limits_why(&fixture, &job, MAUI_LIMIT_HARD, MAUI_LIMIT_ALL_MODES, text),
			 "");
	limits_close(&fixture);
}

/* Idle limits let as many through as fit; those without the GRES all. */
Test(limits_gres, selection)
{
	struct limits_fixture fixture;
	struct maui_limit_candidate candidates[4] = {0};
	struct maui_arena *verdicts = maui_arena_new();

	limits_open(&fixture, "USERCFG[u] MAXIGRES[gpu]=3\n");
	for (size_t i = 0; i < 4; i++)
		candidates[i].job = asking(&fixture, EVERYBODY, i == 2 ? 0 : 2, 0);
	cr_assert_eq(maui_limits_select(fixture.limits, fixture.usage, candidates, 4, verdicts), 0);
	cr_expect(candidates[0].hard);
	cr_expect_not(candidates[1].hard);
	cr_expect(candidates[2].hard);
	cr_expect_not(candidates[3].hard);
	cr_expect_str_eq(candidates[1].hard_verdict->gres, "gpu");
	maui_arena_free(verdicts);
	limits_close(&fixture);
}

static void expect_entries(struct limits_fixture *fixture, const char *expected)
{
	struct maui_limit_entry entries[MAUI_LIMIT_ENTRIES];
	char text[1024] = "", name[MAUI_LIMIT_NAME_SIZE];
	size_t count = maui_limits_list(fixture->limits, fixture->usage, MAUI_USER,
					limits_fixture_id(fixture, MAUI_USER, "u"), entries);

	for (size_t i = 0; i < count; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s=%lld,%lld:%lld ",
			 maui_limit_entry_name(&entries[i], MAUI_USER, name),
			 (long long)entries[i].soft, (long long)entries[i].hard,
			 (long long)entries[i].usage);
	cr_expect_str_eq(text, expected);
}

/* What is in use follows jobs and time, and a recount gives the same. */
Test(limits_gres, usage)
{
	struct limits_fixture fixture;
	struct maui_limit_holding *first, *second;
	const struct maui_limit_holding *both[2];
	struct maui_limit_usage *copy;
	struct maui_limit_job job;
	struct maui_error error = {""};

	limits_open(&fixture, "USERCFG[u] MAXGRES[gpu]=8,16 MAXGS[gpu]=99999 MAXGRES[tape]=5\n"
			      "CLASSCFG[c] MAXGRES[gpu,USER]=7\n");
	job = asking(&fixture, EVERYBODY, 3, 1);
	first = limits_start(&fixture, &job);
	job = asking(&fixture, EVERYBODY, 0, 2);
	second = limits_start(&fixture, &job);
	both[0] = first;
	both[1] = second;
	expect_entries(&fixture, "MAXGRES[gpu]=8,16:3 MAXGS[gpu]=99999,99999:10800 "
				 "MAXGRES[tape]=5,5:3 ");
	maui_limit_usage_advance(fixture.usage, NOW + 600);
	expect_entries(&fixture, "MAXGRES[gpu]=8,16:3 MAXGS[gpu]=99999,99999:9000 "
				 "MAXGRES[tape]=5,5:3 ");
	cr_expect_eq(maui_limit_usage_recount(fixture.usage, both, 2, &error), 0, "%s", error.text);
	cr_expect_neq(maui_limit_usage_recount(fixture.usage, &both[1], 1, &error), 0);
	copy = maui_limit_usage_copy(fixture.usage);
	cr_assert(copy);
	cr_expect_eq(maui_limit_usage_recount(copy, both, 2, &error), 0, "%s", error.text);
	maui_limit_usage_free(copy);
	cr_expect_eq(maui_limit_usage_pairs(fixture.usage), 1);
	maui_limit_usage_take(fixture.usage, first);
	maui_limit_usage_advance(fixture.usage, NOW + 7200);
	expect_entries(&fixture, "MAXGRES[gpu]=8,16:0 MAXGS[gpu]=99999,99999:0 "
				 "MAXGRES[tape]=5,5:2 ");
	cr_expect_eq(maui_limit_usage_recount(fixture.usage, &both[1], 1, &error), 0, "%s",
		     error.text);
	limits_close(&fixture);
}

Test(limits_gres, pairs_are_listed)
{
	struct maui_limit_entry entries[MAUI_LIMIT_ENTRIES];
	struct limits_fixture fixture;
	struct maui_limit_job job;
	char name[MAUI_LIMIT_NAME_SIZE];
	unsigned int type;
	uint32_t id;

	limits_open(&fixture,
		    "CLASSCFG[c] MAXPROC[USER]=9 MAXGRES[gpu,USER]=7 MAXGRES[tape,ACCOUNT:a]=3\n");
	job = asking(&fixture, EVERYBODY, 3, 1);
	limits_start(&fixture, &job);
	cr_assert_eq(maui_limit_usage_pairs(fixture.usage), 3);
	cr_assert_eq(maui_limits_list_pair(fixture.limits, fixture.usage, 2, &type, &id, entries),
		     1);
	cr_expect_str_eq(maui_limit_entry_name(&entries[0], type, name), "MAXGRES[gpu,USER]");
	cr_expect_eq(entries[0].usage, 3);
	cr_assert_eq(maui_limits_list_pair(fixture.limits, fixture.usage, 3, &type, &id, entries),
		     1);
	cr_expect_str_eq(maui_limit_entry_name(&entries[0], type, name), "MAXGRES[tape,ACCOUNT]");
	cr_expect_eq(entries[0].usage, 1);
	limits_close(&fixture);
}

/* As if the jobs came from another maui.cfg, which numbers GRES otherwise. */
Test(limits_gres, other_numbers)
{
	struct maui_config *other =
		config_from("USERCFG[x] MAXGRES[tape]=1 MAXGRES[disk]=1 MAXGRES[gpu]=1\n");
	struct limits_fixture fixture;
	struct maui_limit_job job;
	char text[MAUI_LIMIT_TEXT_SIZE];

	limits_open(&fixture, "USERCFG[u] MAXGRES[gpu]=4 MAXGRES[lost]=1 MAXGRES[tape]=2\n");
	cr_expect_eq(maui_limits_number_by(fixture.limits, other), 1);
	maui_limit_usage_free(fixture.usage);
	fixture.usage = maui_limit_usage_new(fixture.limits, NOW);
	job = asking(&fixture, EVERYBODY, 3, 0);
	cr_expect_str_eq(limits_why(&fixture, &job, MAUI_LIMIT_HARD, MAUI_LIMIT_START_ONLY, text),
			 "MAXGRES[tape] limit of 2 for user u (0 in use, 3 asked for)");
	job = asking(&fixture, EVERYBODY, 0, 9);
	cr_expect_str_eq(limits_why(&fixture, &job, MAUI_LIMIT_HARD, MAUI_LIMIT_START_ONLY, text),
			 "");
	maui_config_unref(other);
	limits_close(&fixture);
}

/* ---- amounts, and names -------------------------------------------------------------------- */

Test(limits_gres, raise_and_add)
{
	struct limits_fixture fixture;
	struct maui_limit_job one, other, sum;

	limits_open(&fixture, "");
	one = asking(&fixture, EVERYBODY, 3, 0);
	other = asking(&fixture, EVERYBODY, 1, 2);
	sum = one;
	maui_limit_job_add(&sum, &other);
	cr_expect_eq(sum.gres, amounts(fixture.gres, 4, 2));
	cr_expect_not(maui_limit_job_same(&one, &other));
	maui_limit_job_raise(&one, &other);
	cr_expect_eq(one.gres, amounts(fixture.gres, 3, 2));
	one = asking(&fixture, EVERYBODY, 3, 2);
	other = asking(&fixture, EVERYBODY, 3, 2);
	cr_expect(maui_limit_job_same(&one, &other));
	other = asking(&fixture, EVERYBODY, 0, 0);
	cr_expect_null(other.gres);
	cr_expect_not(maui_limit_job_same(&one, &other));
	limits_close(&fixture);
}

Test(limits_gres, names)
{
	static const struct {
		const char *text;
		bool is_name;
	} cases[] = {
		{"gpu", true},
		{"gpu:a100", true},
		{"license:matlab@server.org", true},
		{"gpu:nvidia_a100-sxm4-80gb", true},
		{"gpu:1g.5gb+me", true},
		{"", false},
		{":", false},
		{"gpu:", false},
		{":a100", false},
		{"gpu:a:b", false},
		{"gpu a", false},
		{"gpu,USER", false},
		{"gpu:USER", true},
		/* All that slurmctld takes and nothing separates with. */
		{"q;z", true},
		{"q|z", true},
		{"q'z", true},
		{"q\"z", true},
		{"q`z", true},
		{"q[z", true},
		{"q]z", true},
		{"q)z", true},
		{"t:a;b|c'd\"e`f[g]h)i", true},
		{"q(z", false},
		{"q=z", false},
		{"q#z", false},
		{"q\\z", false},
		{"t:q=z", false},
		{"license:q;z", false},
		{"license:q|z", false},
		{"gpu:nvidia_rtx_pro_6000_blackwell_server_edition_4g.96gb", true},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_eq(maui_gres_is_name(cases[i].text, strlen(cases[i].text)),
			     cases[i].is_name, "%s", cases[i].text);
}

Test(limits_gres, the_longest_name)
{
	char text[MAUI_GRES_NAME_SIZE + 1];

	memset(text, 'a', sizeof(text));
	memcpy(text, "gpu:", 4);
	cr_expect(maui_gres_is_name(text, MAUI_GRES_NAME_SIZE - 1));
	cr_expect_not(maui_gres_is_name(text, MAUI_GRES_NAME_SIZE));
}

Test(limits_gres, a_license_is_told_from_other_gres)
{
	cr_expect_str_eq(maui_gres_license("license:matlab@server"), "matlab@server");
	cr_expect_str_eq(maui_gres_license("license:"), "");
	cr_expect_null(maui_gres_license("license"));
	cr_expect_null(maui_gres_license("gpu:license:matlab"));
	cr_expect_null(maui_gres_license("License:matlab"));
}

Test(limits_gres, licenses)
{
	static const struct {
		const char *list;
		uint64_t count;
	} cases[] = {
		{"", 0},
		{"matlab", 1},
		{"matlab:2", 2},
		{"matlab=2", 2},
		{"ansys:3,matlab:2", 2},
		{"matlab:2;ansys", 2},
		{"matlabx:2", 0},
		{"xmatlab:2", 0},
		{"matlab@server:2", 0},
		{"matlab:2,matlab:3", 5},
		{",,matlab,", 1},
		{"matlab:99999999999999999999", UINT64_MAX},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_eq(maui_gres_licenses(cases[i].list, "matlab"), cases[i].count, "%s",
			     cases[i].list);
}

/* Every line but the plain ones is an error with its place. */
Test(limits_gres, grammar)
{
	static const struct {
		const char *line, *problem; /* NULL: none */
		unsigned int column;
	} cases[] = {
		{"USERCFG[u] MAXGRES[gpu]=8,16\n", NULL, 0},
		{"CLASSCFG[c] MAXGRES[gpu:a100,USER:bob]=8\n", NULL, 0},
		{"USERCFG[u] MAXGRES=8\n",
		 "MAXGRES needs the name of a GRES in brackets: MAXGRES[gpu]", 12},
		{"USERCFG[u] MAXGRES[]=8\n",
		 "MAXGRES: '' does not begin with the name of a GRES, as in MAXGRES[gpu] or "
		 "MAXGRES[gpu:a100]",
		 20},
		{"CLASSCFG[c] MAXGRES[USER]=8\n",
		 "MAXGRES: 'USER' does not begin with the name of a GRES, as in MAXGRES[gpu] or "
		 "MAXGRES[gpu:a100]",
		 21},
		{"CLASSCFG[c] MAXGRES[gpu,]=8\n",
		 "MAXGRES: '' is not USER, GROUP, ACCOUNT, QOS or CLASS, or one of them with ':' "
		 "and a name",
		 25},
		{"CLASSCFG[c] MAXGRES[gpu,tape]=8\n",
		 "MAXGRES: 'tape' is not USER, GROUP, ACCOUNT, QOS or CLASS, or one of them with "
		 "':' and a name",
		 25},
		{"USERCFG[u] MAXGRESPERJOB[gpu,USER]=8\n",
		 "MAXGRESPERJOB takes no credential in brackets", 30},
		{"QOSCFG[q] OMAXGRES[gpu,USER]=8\n", "OMAXGRES takes no credential in brackets",
		 24},
		/* of nodes, D-GRES-12 */
		{"NODECFG[n] MAXGRES[gpu]=2 MAXGRES[gpu:a100]=1\n", NULL, 0},
		{"NODECFG[n] MAXGRES=2\n",
		 "MAXGRES needs the name of a GRES in brackets: MAXGRES[gpu]", 12},
		{"NODECFG[n] MAXGRES[USER]=2\n",
		 "MAXGRES: 'USER' does not begin with the name of a GRES, as in MAXGRES[gpu] or "
		 "MAXGRES[gpu:a100]",
		 20},
		{"NODECFG[n] MAXGRES[gpu,USER]=2\n",
		 "MAXGRES of a node is of all its jobs: it takes no credential", 23},
		{"NODECFG[n] MAXGRES[gpu,]=2\n",
		 "MAXGRES of a node is of all its jobs: it takes no credential", 23},
		{"NODECFG[n] MAXGRES[license:matlab]=2\n",
		 "MAXGRES: licenses do not belong to nodes", 20},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct maui_config *config = config_from(cases[i].line);
		const struct maui_problem *problems;
		size_t count = maui_config_problems(config, &problems);

		cr_expect_eq(count, cases[i].problem != NULL, "%s: %s", cases[i].line,
			     count ? problems[0].text : "");
		if (count && cases[i].problem) {
			cr_expect_str_eq(problems[0].text, cases[i].problem);
			cr_expect_eq(problems[0].severity, MAUI_ERROR);
			cr_expect_eq(problems[0].origin.column, cases[i].column, "%s",
				     cases[i].line);
		}
		maui_config_unref(config);
	}
}

Test(limits_gres, too_many_names)
{
	char lines[2048] = "";
	struct maui_config *config;
	const struct maui_problem *problems;
	const char *const *names;

	for (unsigned int i = 0; i <= MAUI_GRES_NAMES; i++)
		snprintf(lines + strlen(lines), sizeof(lines) - strlen(lines),
			 "USERCFG[u] MAXGRES[g%u]=1\n", i);
	config = config_from(lines);
	cr_expect_eq(maui_config_problems(config, &problems), 1);
	cr_expect_str_eq(problems[0].text, "MAXGRES: more than 16 GRES are named");
	cr_expect_eq(maui_config_gres(config, &names), MAUI_GRES_NAMES);
	cr_expect_str_eq(names[15], "g15");
	maui_config_unref(config);
}

/* Those of nodes are not counted in jobs' records, and have room of their own, with formulas. */
Test(limits_gres, too_many_names_of_nodes)
{
	char lines[2048] = "USERCFG[u] MAXGRES[gpu]=1\nNODECFG[n] PRIORITYF=CGRES[g0]\n";
	struct maui_config *config;
	const struct maui_problem *problems;
	const char *const *names;

	for (unsigned int i = 0; i <= MAUI_GRES_NAMES; i++)
		snprintf(lines + strlen(lines), sizeof(lines) - strlen(lines),
			 "NODECFG[n] MAXGRES[g%u]=1\n", i);
	config = config_from(lines);
	cr_expect_eq(maui_config_problems(config, &problems), 1);
	cr_expect_str_eq(problems[0].text, "MAXGRES: more than 16 GRES are named");
	cr_expect_eq(maui_config_gres(config, &names), 1);
	cr_expect_eq(maui_config_node_gres(config)->count, MAUI_GRES_NAMES);
	maui_config_unref(config);
}
