/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/unit/policy/fairshare/fairshare_fixture.h"

#include "testsuite/unit/policy/fixture.h"

/* ---- settings ------------------------------------------------------------------------------ */

static const struct {
	const char *lines;
	struct maui_fairshare_settings expected;
	size_t errors;
} settings_cases[] = {
	{"", {MAUI_FS_OFF, false, 86400, 7, 1, 0, ""}, 0},
	{"FSPOLICY DEDICATEDPS\n", {MAUI_FS_DEDICATEDPS, false, 86400, 7, 1, 0, ""}, 0},
	{"FSPOLICY DEDICATEDPS%\n", {MAUI_FS_DEDICATEDPS, true, 86400, 7, 1, 0, ""}, 0},
	{"FSPOLICY dedicatedpes%\n", {MAUI_FS_DEDICATEDPES, true, 86400, 7, 1, 0, ""}, 0},
	{"FSPOLICY UTILIZEDPS\n", {MAUI_FS_UTILIZEDPS, false, 86400, 7, 1, 0, ""}, 0},
	{"FSPOLICY TRUE\n", {MAUI_FS_DEDICATEDPS, false, 86400, 7, 1, 0, ""}, 0},
	{"FSPOLICY [NONE]\n", {MAUI_FS_OFF, false, 86400, 7, 1, 0, ""}, 0},
	{"FSINTERVAL 12:00:00\nFSDEPTH 4\nFSDECAY 0.5\n",
	 {MAUI_FS_OFF, false, 43200, 4, 0.5, 0, ""},
	 0},
	{"FSDEPTH 1\nFSDECAY 0\n", {MAUI_FS_OFF, false, 86400, 1, 0, 0, ""}, 0},
	{"FSDEPTH 24\nFSDECAY 1\n", {MAUI_FS_OFF, false, 86400, 24, 1, 0, ""}, 0},
	/* As in the file that came with Maui. */
	{"FSPOLICY PSDEDICATED\n", {MAUI_FS_DEDICATEDPS, false, 86400, 7, 1, 0, ""}, 0},
	/* Errors in maui.cfg: the default applies. */
	{"FSDEPTH 0\n", {MAUI_FS_OFF, false, 86400, 7, 1, 0, ""}, 1},
	{"FSDEPTH 1000\n", {MAUI_FS_OFF, false, 86400, 7, 1, 0, ""}, 1},
	{"FSDECAY 1.5\n", {MAUI_FS_OFF, false, 86400, 7, 1, 0, ""}, 1},
	{"FSDECAY -0.5\n", {MAUI_FS_OFF, false, 86400, 7, 1, 0, ""}, 1},
	{"FSINTERVAL 0\n", {MAUI_FS_OFF, false, 86400, 7, 1, 0, ""}, 1},
	{"FSPOLICY DEDICATEDGRES\n", {MAUI_FS_OFF, false, 86400, 7, 1, 0, ""}, 1},
	{"FSPOLICY DEDICATEDGRES[]\n", {MAUI_FS_OFF, false, 86400, 7, 1, 0, ""}, 1},
	{"FSPOLICY DEDICATEDGRES[gpu\n", {MAUI_FS_OFF, false, 86400, 7, 1, 0, ""}, 1},
	{"FSPOLICY DEDICATEDPS[gpu]\n", {MAUI_FS_OFF, false, 86400, 7, 1, 0, ""}, 1},
	{"FSPOLICY PSDEDICATE\n", {MAUI_FS_OFF, false, 86400, 7, 1, 0, ""}, 1},
};

static void expect_settings(const struct maui_fairshare_settings *settings,
			    const struct maui_fairshare_settings *expected, const char *what)
{
	cr_expect_eq(settings->metric, expected->metric, "%s", what);
	cr_expect_eq(settings->ratio, expected->ratio, "%s", what);
	cr_expect_eq(settings->interval, expected->interval, "%s", what);
	cr_expect_eq(settings->depth, expected->depth, "%s", what);
	cr_expect_eq(settings->decay, expected->decay, "%s", what);
}

Test(fairshare_settings, are_those_of_the_configuration)
{
	for (size_t i = 0; i < sizeof(settings_cases) / sizeof(settings_cases[0]); i++) {
		struct maui_config *config = config_from(settings_cases[i].lines);
		struct maui_fairshare_settings settings;

		maui_fairshare_settings(config, &settings);
		expect_settings(&settings, &settings_cases[i].expected, settings_cases[i].lines);
		cr_expect_eq(maui_config_errors(config), settings_cases[i].errors, "%s",
			     settings_cases[i].lines);
		maui_config_unref(config);
	}
}

Test(fairshare_settings, have_defaults_and_names)
{
	struct maui_fairshare_settings settings;

	maui_fairshare_settings(NULL, &settings);
	expect_settings(&settings, &settings_cases[0].expected, "NULL");
}

/* As files have them; what is not read back is no metric. */
Test(fairshare_metric, has_a_name_that_is_read_back)
{
	static const char *const names[] = {"[NONE]",
					    "DEDICATEDPS",
					    "DEDICATEDPES",
					    "UTILIZEDPS",
					    "DEDICATEDGRES[gpu]",
					    "DEDICATEDGRES[gpu:a100]",
					    "DEDICATEDGRES[license:matlab]"};
	static const char *const others[] = {"",
					     "dedicatedps",
					     "DEDICATEDPS%",
					     "DEDICATEDGRES",
					     "DEDICATEDGRES[",
					     "DEDICATEDGRES[]",
					     "DEDICATEDGRES[gpu",
					     "DEDICATEDGRES[g u]",
					     "DEDICATEDGRES[gpu]x"};
	struct maui_fairshare_settings settings = {.metric = MAUI_FS_METRICS};
	char text[MAUI_FS_METRIC_SIZE];

	cr_expect_str_eq(maui_fairshare_metric_name(&settings, text), "[NONE]");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		cr_assert(maui_fairshare_metric_find(names[i], &settings), "%s", names[i]);
		cr_expect_str_eq(maui_fairshare_metric_name(&settings, text), names[i]);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		cr_expect(!maui_fairshare_metric_find(others[i], &settings), "%s", others[i]);
}

/* Its number is the one that this maui.cfg gives, wherever its line stands. */
Test(fairshare_metric, of_a_gres_has_the_number_of_its_amounts)
{
	struct maui_config *config =
		config_from("USERCFG[ann] MAXGRES[tape]=1\nFSPOLICY DEDICATEDGRES[gpu]%\n");
	struct maui_config *other =
		config_from("FSPOLICY DEDICATEDGRES[gpu]\nUSERCFG[ann] MAXGRES[tape]=1\n");
	struct maui_gres_table *table = maui_gres_table_new();
	struct maui_gres_amounts amounts = {0};
	struct maui_fairshare_settings settings;
	const struct maui_gres *gres;
	struct maui_fairshare *fs;

	maui_gres_set(&amounts, 0, 7);
	maui_gres_set(&amounts, 1, 3);
	gres = maui_gres_intern(table, &amounts);
	maui_fairshare_settings(config, &settings);
	cr_expect_eq(settings.metric, MAUI_FS_DEDICATEDGRES);
	cr_expect(settings.ratio);
	cr_expect_eq(maui_fairshare_rate(&settings, 16, 20, gres), 3);
	cr_expect_eq(maui_fairshare_rate(&settings, 16, 20, NULL), 0);
	fs = maui_fairshare_new(&settings, 0);
	maui_fairshare_number(fs, other);
	cr_expect_eq(maui_fairshare_rate(maui_fairshare_settings_of(fs), 16, 20, gres), 7);
	maui_fairshare_free(fs);
	maui_gres_table_unref(table);
	maui_config_unref(config);
	maui_config_unref(other);
}

Test(fairshare_settings, are_brought_into_range)
{
	struct maui_fairshare_settings wild = {99, true, -5, 1000, NAN, 0, ""}, wild2 = {0};
	struct maui_fairshare *fs = maui_fairshare_new(&wild, INT64_MAX);
	struct maui_fairshare *fs2;

	expect_settings(maui_fairshare_settings_of(fs),
			&(struct maui_fairshare_settings){MAUI_FS_OFF, true, 1, MAUI_FS_MAX_DEPTH,
							  1, 0, ""},
			"wild");
	maui_fairshare_free(fs);
	wild2.interval = INT64_MAX;
	wild2.decay = -3;
	fs2 = maui_fairshare_new(&wild2, INT64_MIN);
	expect_settings(
		maui_fairshare_settings_of(fs2),
		&(struct maui_fairshare_settings){MAUI_FS_OFF, false, MAUI_INFINITY, 1, 0, 0, ""},
		"wild2");
	maui_fairshare_free(fs2);
	cr_expect_null(maui_fairshare_free(NULL));
}

/* ---- chapter 6.3.2.3 ----------------------------------------------------------------------- */

Test(fairshare_usage, is_the_manuals_for_john)
{
	static const double john[] = {60, 0, 10, 50}, total[] = {110, 125, 100, 150};
	struct maui_fairshare *fs = fairshare_of(43200, 4, 0.5, 0);

	for (uint32_t k = 0; k < 4; k++) {
		maui_fairshare_set(fs, MAUI_USER, 1, k, john[k]);
		maui_fairshare_set(fs, MAUI_FS_TOTAL, 0, k, total[k]);
	}
	expect_near(maui_fairshare_sum(fs, MAUI_USER, 1), 60 + .25 * 10 + .125 * 50);
	expect_near(maui_fairshare_percent(fs, MAUI_USER, 1),
		    (60 + .5 * 0 + .25 * 10 + .125 * 50) /
			    (110 + .5 * 125 + .25 * 100 + .125 * 150) * 100);
	cr_expect_eq(maui_fairshare_percent(fs, MAUI_FS_TOTAL, 0), 100);
	maui_fairshare_free(fs);
}

/*
 * The table of chapter 6.3.2.2, to the whole percent that it prints. Its row for 0.75 is rounded
 * down, and 0.75^7 is 13 percent, not 12.
 */
Test(fairshare_usage, decays_as_in_the_manuals_table)
{
	static const struct {
		double decay;
		int percent[8];
	} rows[] = {{1.00, {100, 100, 100, 100, 100, 100, 100, 100}},
		    {0.80, {100, 80, 64, 51, 41, 33, 26, 21}},
		    {0.75, {100, 75, 56, 42, 32, 24, 18, 13}},
		    {0.50, {100, 50, 25, 13, 6, 3, 2, 1}}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (uint32_t k = 0; k < 8; k++) {
			struct maui_fairshare *fs = fairshare_of(10, 8, rows[i].decay, 0);

			maui_fairshare_set(fs, MAUI_USER, 1, k, 100);
			cr_expect_eq(round(maui_fairshare_sum(fs, MAUI_USER, 1)),
				     rows[i].percent[k], "%g^%u", rows[i].decay, k);
			maui_fairshare_free(fs);
		}
	}
}

Test(fairshare_usage, of_the_past_counts_nothing_with_a_decay_of_0)
{
	struct maui_fairshare *fs = fairshare_of(10, 4, 0, 0);

	maui_fairshare_charge(fs, ones, 1, -20, 5);
	cr_expect_eq(user_usage(fs, 0), 5);
	cr_expect_eq(user_usage(fs, 1), 10);
	cr_expect_eq(maui_fairshare_sum(fs, MAUI_USER, 1), 5);
	maui_fairshare_free(fs);
}

Test(fairshare_usage, of_nothing_is_no_percentage)
{
	struct maui_fairshare *fs = fairshare_of(10, 4, 0.5, 0);

	cr_expect_eq(maui_fairshare_percent(fs, MAUI_USER, 1), 0);
	maui_fairshare_set(fs, MAUI_USER, 1, 0, 5); /* a file without a total */
	cr_expect_eq(maui_fairshare_percent(fs, MAUI_USER, 1), 0);
	maui_fairshare_set(fs, MAUI_FS_TOTAL, 0, 0, 5e-324);
	cr_expect_eq(maui_fairshare_percent(fs, MAUI_USER, 1), 1e18);
	maui_fairshare_free(fs);
}

/* ---- charging ------------------------------------------------------------------------------ */

static const struct {
	const char *what;
	int64_t from, to;
	double usage[3]; /* by window: 200.., 100.., 0.. */
} charges[] = {
	{"in the current window", 210, 220, {20, 0, 0}},
	{"all of it", 200, 300, {200, 0, 0}},
	{"across two", 190, 210, {20, 20, 0}},
	{"across three", 50, 250, {100, 200, 100}},
	{"in an older one", 110, 120, {0, 20, 0}},
	{"up to an older one's end", 150, 200, {0, 100, 0}},
	{"in the oldest", 0, 1, {0, 0, 2}},
	{"from before the oldest", -1000, 10, {0, 0, 20}},
	{"before the oldest", -1000, 0, {0, 0, 0}},
	{"beyond the current one's end", 290, 350, {120, 0, 0}},
	{"no time", 210, 210, {0, 0, 0}},
	{"backwards", 220, 210, {0, 0, 0}},
};

Test(fairshare_charge, shares_time_out_among_windows)
{
	for (size_t i = 0; i < sizeof(charges) / sizeof(charges[0]); i++) {
		struct maui_fairshare *fs = fairshare_of(100, 3, 0.5, 200);
		const double *usage = charges[i].usage;

		maui_fairshare_charge(fs, ones, 2, charges[i].from, charges[i].to);
		for (uint32_t k = 0; k < 3; k++) {
			cr_expect_eq(user_usage(fs, k), usage[k], "%s: %u", charges[i].what, k);
			cr_expect_eq(total_usage(fs, k), usage[k], "%s: %u", charges[i].what, k);
			cr_expect_eq(!(maui_fairshare_dirty(fs) & 1u << k), !usage[k], "%s: %u",
				     charges[i].what, k);
		}
		cr_expect_eq(maui_fairshare_rest(fs, MAUI_CLASS, 1), usage[1] / 2 + usage[2] / 4,
			     "%s", charges[i].what);
		maui_fairshare_free(fs);
	}
}

Test(fairshare_charge, puts_amounts_where_their_time_is)
{
	static const struct {
		int64_t at;
		int k; /* -1: nowhere */
	} cases[] = {{250, 0}, {200, 0}, {199, 1}, {100, 1}, {99, 2}, {0, 2}, {-1, -1}, {9999, 0}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct maui_fairshare *fs = fairshare_of(100, 3, 0.5, 200);

		maui_fairshare_correct(fs, ones, 7, cases[i].at, cases[i].at + 1);
		for (int k = 0; k < 3; k++)
			cr_expect_eq(user_usage(fs, k), k == cases[i].k ? 7 : 0, "%zu: %d", i, k);
		maui_fairshare_free(fs);
	}
}

Test(fairshare_charge, a_correction_takes_back_but_no_more_than_there_is)
{
	struct maui_fairshare *fs = fairshare_of(100, 3, 0.5, 200);

	maui_fairshare_charge(fs, ones, 2, 50, 250);
	maui_fairshare_correct(fs, ones, -200, 50, 250);
	maui_fairshare_correct(fs, ones, NAN, 210, 250); /* nothing */
	maui_fairshare_correct(fs, ones, NAN, 0, 300);
	cr_expect_eq(user_usage(fs, 0), 50);
	cr_expect_eq(user_usage(fs, 1), 100);
	cr_expect_eq(user_usage(fs, 2), 50);
	cr_expect_eq(maui_fairshare_rest(fs, MAUI_USER, 1), 100 / 2.0 + 50 / 4.0);
	maui_fairshare_correct(fs, ones, 5, 250, 250);
	maui_fairshare_correct(fs, ones, 5, 250, 240);
	cr_expect_eq(user_usage(fs, 0), 50);
	maui_fairshare_clean(fs, 0);
	maui_fairshare_correct(fs, ones, 0, 240, 250);
	cr_expect_eq(maui_fairshare_dirty(fs) & 1, 0);
	cr_expect_eq(maui_fairshare_rest(fs, MAUI_USER, 4711), 0); /* nobody has heard of it */
	maui_fairshare_correct(fs, ones, -1e9, 0, 300);
	cr_expect_eq(maui_fairshare_sum(fs, MAUI_USER, 1), 0);
	cr_expect_eq(total_usage(fs, 1), 0);
	maui_fairshare_free(fs);
}

Test(fairshare_charge, drops_what_has_become_too_old)
{
	struct maui_fairshare *fs = fairshare_of(100, 3, 1, 200);

	maui_fairshare_advance(fs, 400);
	maui_fairshare_correct(fs, ones, 7, 199, 200);
	maui_fairshare_charge(fs, ones, 7, 0, 200);
	cr_expect_eq(maui_fairshare_dirty(fs), 0);
	cr_expect_eq(maui_fairshare_sum(fs, MAUI_FS_TOTAL, 0), 0);
	maui_fairshare_free(fs);
}

Test(fairshare_charge, counts_none_and_the_unknown_in_the_total_alone)
{
	static const uint32_t some[MAUI_CREDENTIALS] = {1, 0, UINT32_MAX, ROOM + 1, 0};
	struct maui_fairshare *fs = fairshare_of(100, 3, 1, 200);

	maui_fairshare_charge(fs, some, 1, 150, 250);
	cr_expect_eq(total_usage(fs, 0), 50);
	cr_expect_eq(total_usage(fs, 1), 50);
	cr_expect_eq(user_usage(fs, 1), 50);
	for (int type = MAUI_GROUP; type < MAUI_CREDENTIALS; type++)
		for (uint32_t id = 0; id <= ROOM + 1; id++)
			cr_expect_eq(maui_fairshare_sum(fs, type, id), 0);
	/* What belonged to nobody does not go to an id reserved later. */
	cr_assert_eq(maui_fairshare_reserve(fs, MAUI_QOS, ROOM + 1), 0);
	cr_expect_eq(maui_fairshare_sum(fs, MAUI_QOS, ROOM + 1), 0);
	cr_expect_eq(maui_fairshare_usage(fs, MAUI_FS_TOTAL, 1, 0), 0);
	maui_fairshare_free(fs);
}

Test(fairshare_charge, counts_those_for_whom_there_is_no_room_yet_in_the_total)
{
	const struct maui_fairshare_settings settings = settings_of(100, 3, 1);
	struct maui_fairshare *fs = maui_fairshare_new(&settings, 200), *copy;

	cr_assert_not_null(fs);
	maui_fairshare_charge(fs, ones, 1, 150, 250);
	maui_fairshare_set(fs, MAUI_USER, 1, 0, 7);
	copy = maui_fairshare_copy(fs);
	cr_assert_not_null(copy);
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		cr_expect_eq(maui_fairshare_sum(copy, type, 1), 0);
		cr_expect_eq(maui_fairshare_reserve(copy, type, 1), 0);
		cr_expect_eq(maui_fairshare_sum(copy, type, 1), 0);
	}
	maui_fairshare_charge(copy, ones, 1, 250, 260);
	cr_expect_eq(user_usage(copy, 0), 10);
	cr_expect_eq(total_usage(copy, 0), 60);
	cr_expect_eq(total_usage(fs, 0), 50);
	maui_fairshare_free(copy);
	maui_fairshare_free(fs);
}

Test(fairshare_charge, keeps_numbers_finite)
{
	static const double rates[] = {NAN, -1, 0, -INFINITY, INFINITY, 1e308, 1e18};
	struct maui_fairshare *fs = fairshare_of(100, 3, 1, 200);

	for (size_t i = 0; i < 4; i++)
		maui_fairshare_charge(fs, ones, rates[i], 200, 300);
	cr_expect_eq(total_usage(fs, 0), 0);
	cr_expect_eq(maui_fairshare_dirty(fs), 0);
	for (int times = 0; times < 3; times++)
		for (size_t i = 4; i < sizeof(rates) / sizeof(rates[0]); i++) {
			maui_fairshare_charge(fs, ones, rates[i], INT64_MIN, INT64_MAX);
			maui_fairshare_correct(fs, ones, rates[i], 150, 151);
		}
	for (uint32_t k = 0; k < 3; k++)
		cr_expect_eq(user_usage(fs, k), 1e18);
	cr_expect_eq(maui_fairshare_percent(fs, MAUI_USER, 1), 100);
	maui_fairshare_free(fs);
}

Test(fairshare_charge, counts_nothing_while_fspolicy_is_off)
{
	struct maui_fairshare_settings settings = settings_of(100, 3, 1);
	struct maui_fairshare *fs = fairshare_of(100, 3, 1, 200);

	maui_fairshare_charge(fs, ones, 1, 200, 210);
	settings.metric = MAUI_FS_OFF;
	maui_fairshare_change(fs, &settings, 210, NULL);
	maui_fairshare_charge(fs, ones, 1, 100, 220);
	maui_fairshare_correct(fs, ones, 1, 210, 211);
	cr_expect_eq(maui_fairshare_sum(fs, MAUI_USER, 1), 0);
	maui_fairshare_free(fs);
}

Test(fairshare_charge, is_exact_for_whole_processor_seconds)
{
	struct maui_fairshare *fs = fairshare_of(86400, 2, 1, 0);

	maui_fairshare_set(fs, MAUI_USER, 1, 0, 9007199254740000.0);
	for (int i = 0; i < 900; i++)
		maui_fairshare_charge(fs, ones, 1, i, i + 1);
	cr_expect_eq(user_usage(fs, 0), 9007199254740900.0);
	maui_fairshare_free(fs);
}
