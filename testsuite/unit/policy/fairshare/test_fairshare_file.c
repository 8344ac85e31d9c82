/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/unit/policy/fairshare/fairshare_fixture.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/policy/fairshare/fairshare_file.h"

/* What a file says, as text: "user bob 1.5;". Of a long one the last bytes. */
struct heard {
	char text[4096];
	size_t count;
	int answer;
};

static int hear(void *context, enum maui_credential type, const char *name, double usage)
{
	struct heard *heard = context;
	size_t length = strlen(heard->text);

	snprintf(heard->text + length, sizeof(heard->text) - length, "%s%s%s %.15g;",
		 type == MAUI_FS_TOTAL ? "total" : maui_credential_name(type), *name ? " " : "",
		 name, usage);
	heard->count++;
	return heard->answer;
}

static int read_text(const char *text, struct heard *heard, struct maui_fairshare_file *file,
		     struct maui_error *error)
{
	*heard = (struct heard){{0}, 0, 0};
	*error = (struct maui_error){""};
	return maui_fairshare_file_read(text, strlen(text), hear, heard, file, error);
}

#define TEXT_OF_50 "a1234567890123456789012345678901234567890123456789"
#define MANUAL     "# Fairshare Data File (Duration: 172800 Seconds) Starting: Fri Aug 18 18:00:00\n"
#define ORIGINAL   "# FS Data File (Duration:   3600 seconds)  Starting: Sun Nov 19 00:51:42\n\n"

/* ---- what is read -------------------------------------------------------------------------- */

static const char manuals_example[] = MANUAL "\n"
					     "User USERA 150000.000\n"
					     "User USERB 150000.000\n"
					     "User USERC 200000.000\n"
					     "User USERD 100000.000\n"
					     "Group GROUPA 350000.000\n"
					     "Group GROUPB 250000.000\n"
					     "Account ACCTA 300000.000\n"
					     "Account ACCTB 200000.000\n"
					     "Account ACCTC 100000.000\n"
					     "QOS 0 50000.000\n"
					     "QOS 1 450000.000\n"
					     "QOS 2 100000.000\n"
					     "TOTAL 600000.00\n";

static const struct {
	const char *text, *heard;
	int64_t duration, counted;
	size_t unknown;
	bool no_total;
} good[] = {
	{manuals_example,
	 "user USERA 150000;user USERB 150000;user USERC 200000;user USERD 100000;"
	 "group GROUPA 350000;group GROUPB 250000;account ACCTA 300000;account ACCTB 200000;"
	 "account ACCTC 100000;qos 0 50000;qos 1 450000;qos 2 100000;total 600000;",
	 172800, MAUI_FS_NOT_SAID, 0, false},
	{ORIGINAL "user                   bob   109178.189\n"
		  "acct                  acme    87676.035\n"
		  "class                batch   110347.801\n"
		  "sched                batch   749455.691\n",
	 "user bob 109178.189;account acme 87676.035;class batch 110347.801;total 749455.691;",
	 3600, MAUI_FS_NOT_SAID, 0, false},
	{ORIGINAL, "", 3600, MAUI_FS_NOT_SAID, 0, true},
	/* Any case, any blanks, comments, no header. */
	{"uSeR bob 1\ntOtAl 1\n", "user bob 1;total 1;", 0, MAUI_FS_NOT_SAID, 0, false},
	{"\n\t user\t bob \t1e1 # ten\r\n # x\nTOTAL total 2\r\n", "user bob 10;total 2;", 0,
	 MAUI_FS_NOT_SAID, 0, false},
	{"sched 7.5\n", "total 7.5;", 0, MAUI_FS_NOT_SAID, 0, false},
	{"account a 1\nacct b 2\nTOTAL 3\n", "account a 1;account b 2;total 3;", 0,
	 MAUI_FS_NOT_SAID, 0, false},
	/* Later lines come later; unknown types are skipped. */
	{"user bob 1\nnode n1 5\nuser bob 2\nTOTAL 1\nTOTAL 2\ngarbage\n",
	 "user bob 1;user bob 2;total 1;total 2;", 0, MAUI_FS_NOT_SAID, 2, false},
	{"user x .5\nuser y +1.\nuser z 0\nTOTAL 1e18\n",
	 "user x 0.5;user y 1;user z 0;total 1e+18;", 0, MAUI_FS_NOT_SAID, 0, false},
	/* Our own. */
	{MANUAL "# Counted until: 1700000100\n\nUser bob 1.500\nTOTAL 1.500\n# End: 2\n\n",
	 "user bob 1.5;total 1.5;", 172800, 1700000100, 0, false},
	{MANUAL "# Metric: DEDICATEDGRES[gpu:a100]\n# Counted until: 5\nTOTAL 1\n# End: 1\n",
	 "total 1;", 172800, 5, 0, false},
	{MANUAL "# counted  until: -5\nTOTAL 0.000\n# end: 1\n", "total 0;", 172800, -5, 0, false},
	/* Someone else's comment. */
	{MANUAL "TOTAL 1\n# End: of the file\n", "total 1;", 172800, MAUI_FS_NOT_SAID, 0, false},
	{"# fs data file\nTOTAL 1\n", "total 1;", 0, MAUI_FS_NOT_SAID, 0, false},
	{"# FS Data File (Duration: long)\nTOTAL 1\n", "total 1;", 0, MAUI_FS_NOT_SAID, 0, false},
	/* Names as directories have them. */
	{ORIGINAL "group         domain users        2.000\nuser  DOM\\alice  3\n"
		  "user  DOM\\0401  4\nuser #4 5\nuser a#b 6 # six\nuser 0104test 7\n"
		  "user 1001 8\nuser a@b 9 # 2 3\nsched x 44.000\n",
	 "group domain users 2;user DOM\\alice 3;user DOM\\0401 4;user #4 5;user a#b 6;"
	 "user 0104test 7;user 1001 8;user a@b 9;total 44;",
	 3600, MAUI_FS_NOT_SAID, 0, false},
	{MANUAL "Group domain\\040users 2\nUser DOM\\alice 3\nUser \\0434 4\n"
		"User DOM\\13401 5\nUser a\\101 6\nTOTAL 20\n",
	 "group domain users 2;user DOM\\alice 3;user #4 4;user DOM\\01 5;user a\\101 6;"
	 "total 20;",
	 172800, MAUI_FS_NOT_SAID, 0, false},
};

Test(fairshare_file_read, takes_both_dialects)
{
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct maui_fairshare_file file;
		struct maui_error error;
		struct heard heard;

		cr_assert_eq(read_text(good[i].text, &heard, &file, &error), 0, "%zu: %s", i,
			     error.text);
		cr_expect_str_eq(heard.text, good[i].heard, "%zu: %s", i, heard.text);
		cr_expect_eq(file.duration, good[i].duration, "%zu", i);
		cr_expect_eq(file.counted, good[i].counted, "%zu", i);
		cr_expect_eq(file.unknown, good[i].unknown, "%zu", i);
		cr_expect_eq(file.entries, heard.count, "%zu", i);
		cr_expect_eq(file.has_total, !good[i].no_total, "%zu", i);
	}
}

Test(fairshare_file_read, knows_the_dialects_apart)
{
	struct maui_fairshare_file file;

	cr_assert_eq(maui_fairshare_file_read(manuals_example, strlen(manuals_example), NULL, NULL,
					      &file, NULL),
		     0);
	cr_expect_eq(file.dialect, MAUI_FS_MANUAL);
	cr_assert_eq(maui_fairshare_file_read(ORIGINAL, strlen(ORIGINAL), NULL, NULL, &file, NULL),
		     0);
	cr_expect_eq(file.dialect, MAUI_FS_ORIGINAL);
	cr_assert_eq(maui_fairshare_file_read("TOTAL 1\n", 8, NULL, NULL, &file, NULL), 0);
	cr_expect_eq(file.dialect, MAUI_FS_NO_HEADER);
}

Test(fairshare_file_read, ends_where_the_visitor_wants)
{
	struct heard heard = {.answer = -ENOSPC};

	cr_expect_eq(maui_fairshare_file_read("user a 1\nuser b 1\nTOTAL 1\n", 26, hear, &heard,
					      NULL, NULL),
		     -ENOSPC);
	cr_expect_str_eq(heard.text, "user a 1;");
}

/* ---- what is damaged ----------------------------------------------------------------------- */

static const struct {
	const char *text, *where, *why;
} bad[] = {
	{"", "line 1, column 1", "it is empty"},
	{"\n \n", "line 3, column 1", "it is empty"},
	{"user bob -1\nTOTAL 1\n", "line 1, column 10", "not negative"},
	{"user bob -0\nTOTAL 1\n", "line 1, column 10", "not negative"},
	{"user bob nan\nTOTAL 1\n", "line 1, column 10", "not a number"},
	{"user bob inf\nTOTAL 1\n", "line 1, column 10", "not a number"},
	{"user bob 1e999\nTOTAL 1\n", "line 1, column 10", "more usage"},
	{"user bob 1.1e18\nTOTAL 1\n", "line 1, column 10", "more usage"},
	{"user bob 0x10\nTOTAL 1\n", "line 1, column 10", "not a number"},
	{"user bob 1,5\nTOTAL 1\n", "line 1, column 10", "not a number"},
	{"user bob 5s\nTOTAL 1\n", "line 1, column 10", "not a number"},
	{"user bob\nTOTAL 1\n", "line 1, column 9", "usage is missing"},
	{"user\nTOTAL 1\n", "line 1, column 5", "name and usage are missing"},
	{"user bob 1 2\nTOTAL 1\n", "line 1, column 12", "more than"},
	{"user a b\nTOTAL 1\n", "line 1, column 8", "not a number"},
	{"TOTAL a b 1\n", "line 1, column 11", "more than"},
	{"user a#b\nTOTAL 1\n", "line 1, column 7", "usage is missing"},
	{"user bob 1\nTOTAL\n", "line 2, column 6", "usage is missing"},
	{"user bob 1\nTOTAL -3\n", "line 2, column 7", "not negative"},
	{"user bob 1\nsched x\n", "line 2, column 7", "not a number"},
	{"user bob 1\n", "line 2, column 1", "no line of the total"},
	{MANUAL, "line 2, column 1", "no line of the total"},
	{MANUAL "\n", "line 3, column 1", "no line of the total"},
	{ORIGINAL "user bob 1\n", "line 4, column 1", "no line of the total"},
	{ORIGINAL "something\n", "line 4, column 1", "no line of the total"},
	{"user bob 1\nTOTAL 1", "line 2, column 8", "cut short"},
	{"# a comment\n", "line 2, column 1", "no line of the total"},
	{MANUAL "# Counted until: 5\nTOTAL 1\n", "line 4, column 1", "no '# End:' line"},
	{MANUAL "# Metric: seconds\nTOTAL 1\n# End: 1\n", "line 2, column 2", "no metric"},
	{MANUAL "# Metric: DEDICATEDGRES[gpu:" TEXT_OF_50 TEXT_OF_50 TEXT_OF_50 "]\n",
	 "line 2, column 2", "no metric"},
	{MANUAL "# Metric:\nTOTAL 1\n# End: 1\n", "line 2, column 2", "no metric"},
	{MANUAL "# Steady clock: 5\nTOTAL 1\n", "line 2, column 2", "no 'N ms BOOT'"},
	{MANUAL "# Steady clock: 5 s x\nTOTAL 1\n", "line 2, column 2", "no 'N ms BOOT'"},
	{MANUAL "# Steady clock: 5 ms\nTOTAL 1\n", "line 2, column 2", "no 'N ms BOOT'"},
	{MANUAL "# Steady clock: x ms x\nTOTAL 1\n", "line 2, column 2", "no 'N ms BOOT'"},
	{MANUAL "# Steady clock: 5 ms 1234567890123456789012345678901234567890\nTOTAL 1\n",
	 "line 2, column 2", "no 'N ms BOOT'"},
	{MANUAL "# Counted until: soon\nTOTAL 1\n# End: 1\n", "line 2, column 2", "no time"},
	{MANUAL "# Counted until: 99999999999999999999\nTOTAL 1\n# End: 1\n", "line 2, column 2",
	 "no time"},
	{MANUAL "# Counted until:\nTOTAL 1\n# End: 1\n", "line 2, column 2", "no time"},
	{MANUAL "# Counted until: -\nTOTAL 1\n# End: 1\n", "line 2, column 2", "no time"},
	{MANUAL "# Counted until: 9223372036854775808\nTOTAL 1\n# End: 1\n", "line 2, column 2",
	 "no time"},
	{MANUAL "# Counted until: -9223372036854775808\nTOTAL 1\n# End: 1\n", "line 2, column 2",
	 "no time"}, /* it would mean that nothing was given */
	{MANUAL "User bob 1\nTOTAL 1\n# End: 1\n", "line 4, column 2", "the number does not match"},
	{MANUAL "User bob 1\nTOTAL 1\n# End: 3\n", "line 4, column 2", "the number does not match"},
	{MANUAL "TOTAL 1\n# End: 1\nUser bob 1\n", "line 4, column 1", "after the file's end"},
};

Test(fairshare_file_read, turns_damage_down_and_says_where)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct maui_fairshare_file file = {.entries = 77};
		struct maui_error error;
		struct heard heard;

		cr_expect_eq(read_text(bad[i].text, &heard, &file, &error), -EINVAL, "%zu", i);
		cr_expect(strstr(error.text, bad[i].where) == error.text, "%zu: %s", i, error.text);
		cr_expect(strstr(error.text, bad[i].why) != NULL, "%zu: %s", i, error.text);
		cr_expect_eq(heard.count, 0, "%zu", i);
		cr_expect_eq(file.entries, 77, "%zu", i);
	}
	cr_expect_eq(maui_fairshare_file_read(NULL, 0, NULL, NULL, NULL, NULL), -EINVAL);
}

Test(fairshare_file_read, takes_the_first_and_the_last_second_there_is)
{
	static const struct {
		const char *text;
		int64_t counted;
	} times[] = {
		{MANUAL "# Counted until: 9223372036854775807\nTOTAL 1\n# End: 1\n", INT64_MAX},
		{MANUAL "# Counted until: -9223372036854775807\nTOTAL 1\n# End: 1\n", -INT64_MAX},
		{MANUAL "# Counted until: 0\nTOTAL 1\n# End: 1\n", 0},
	};

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		struct maui_fairshare_file file;
		struct maui_error error = {""};
		struct heard heard;

		cr_expect_eq(read_text(times[i].text, &heard, &file, &error), 0, "%s", error.text);
		cr_expect_eq(file.counted, times[i].counted, "%zu", i);
	}
}

Test(fairshare_file_write, says_what_the_steady_clock_was)
{
	struct maui_fairshare *fs = fairshare_of(3600, 1, 1, 0);
	struct maui_fairshare_output output = {
		.starting = "x", .counted = 5, .clock = {INT64_C(123456789012), "4b1c-5d6e"}};
	struct maui_fairshare_file file = {0};
	char *text;
	size_t size;

	cr_assert_eq(maui_fairshare_file_write(fs, 0, &output, &text, &size, NULL), 0);
	cr_expect(strstr(text, "\n# Counted until: 5\n# Steady clock: 123456789012 ms 4b1c-5d6e\n"),
		  "%s", text);
	cr_assert_eq(maui_fairshare_file_read(text, size, NULL, NULL, &file, NULL), 0);
	cr_expect_eq(file.clock.milliseconds, INT64_C(123456789012));
	cr_expect_str_eq(file.clock.boot, "4b1c-5d6e");
	free(text);
	maui_fairshare_free(fs);
}

/* What a file does not say may be any: those of Maui, and of our earlier versions. */
Test(fairshare_file_read, says_which_metric_was_counted)
{
	static const struct {
		const char *text, *metric;
	} files[] = {
		{MANUAL "TOTAL 1\n", ""},
		{MANUAL "# Metric: DEDICATEDPS\nTOTAL 1\n", "DEDICATEDPS"},
		{MANUAL "# metric:  DEDICATEDGRES[gpu:a100]\nTOTAL 1\n", "DEDICATEDGRES[gpu:a100]"},
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct maui_fairshare_file file;
		struct maui_error error = {""};
		struct heard heard;

		cr_expect_eq(read_text(files[i].text, &heard, &file, &error), 0, "%s", error.text);
		cr_expect_str_eq(file.metric, files[i].metric);
	}
}

Test(fairshare_file_read, turns_nul_bytes_down)
{
	static const char text[] = "user b\0b 1\nTOTAL 1\n";
	struct maui_error error;

	cr_expect_eq(maui_fairshare_file_read(text, sizeof(text) - 1, NULL, NULL, NULL, &error),
		     -EINVAL);
	cr_expect_str_eq(error.text, "line 1, column 7: a NUL byte");
}

Test(fairshare_file_read, bounds_names_and_numbers)
{
	static const size_t sizes[] = {1023, 1024, 10000};
	char text[11000];

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct heard heard;
		struct maui_error error;

		snprintf(text, sizeof(text), "user %0*d 1\nTOTAL 1\n", (int)sizes[i], 7);
		cr_expect_eq(read_text(text, &heard, NULL, &error), sizes[i] < 1024 ? 0 : -EINVAL);
		snprintf(text, sizeof(text), "user bob %0*d\nTOTAL 1\n", (int)sizes[i], 7);
		cr_expect_eq(read_text(text, &heard, NULL, &error), -EINVAL);
		cr_expect(strstr(error.text, "not a number of sensible length"), "%s", error.text);
	}
}

static int count_one(void *context, enum maui_credential type, const char *name, double usage)
{
	*(double *)context += type == MAUI_USER ? usage : 0;
	return 0;
}

Test(fairshare_file_read, takes_a_million_lines)
{
	char *text = malloc(32000000);
	size_t size = 0;
	double sum = 0;

	cr_assert_not_null(text);
	for (int i = 0; i < 1000000; i++)
		size += (size_t)sprintf(text + size, "User user%d 1.500\n", i);
	size += (size_t)sprintf(text + size, "TOTAL 1500000.000\n");
	cr_expect_eq(maui_fairshare_file_read(text, size, count_one, &sum, NULL, NULL), 0);
	cr_expect_eq(sum, 1500000);
	free(text);
}

/* ---- truncated ----------------------------------------------------------------------------- */

/*
 * Every beginning of a text is rejected, or says what the whole does. header: the original's header
 * alone, which looks like a complete file.
 */
static void expect_cuts_seen(const char *text, const char *header)
{
	struct maui_fairshare_file file;
	struct maui_error error;
	struct heard whole, heard;

	cr_assert_eq(read_text(text, &whole, &file, &error), 0, "%s", error.text);
	for (size_t size = 0; size < strlen(text); size++) {
		int rc;

		heard = (struct heard){{0}, 0, 0};
		rc = maui_fairshare_file_read(text, size, hear, &heard, NULL, &error);
		if (header && (size == strlen(header) || size + 1 == strlen(header)))
			cr_expect_eq(rc, 0);
		else
			cr_expect(rc == -EINVAL || !strcmp(heard.text, whole.text), "%zu: '%s'",
				  size, heard.text);
		cr_expect(rc == 0 || heard.count == 0);
	}
}

Test(fairshare_file_read, sees_every_cut)
{
	expect_cuts_seen(manuals_example, NULL);
	expect_cuts_seen(good[9].text, NULL);
	/* For a window in which nothing ran, the original only writes the header. */
	expect_cuts_seen(good[1].text, ORIGINAL);
}

Test(fairshare_file_read, sees_the_cut_within_the_originals_header)
{
	for (size_t size = 0; size < strlen(ORIGINAL) - 1; size++)
		cr_expect_eq(maui_fairshare_file_read(ORIGINAL, size, NULL, NULL, NULL, NULL),
			     -EINVAL);
}

/* ---- writing ------------------------------------------------------------------------------- */

static const char *name_of(void *context, enum maui_credential type, uint32_t id)
{
	const char *const *names = context;

	return type == MAUI_USER ? names[id] : "the_only";
}

static void expect_written(const struct maui_fairshare *fs, uint32_t k, int64_t counted,
			   const char *const *names, const char *expected, size_t expected_skipped)
{
	struct maui_fairshare_output output = {.starting = "Fri Aug 18 18:00:00",
					       .counted = counted,
					       .name = name_of,
					       .context = (void *)names};
	size_t size = 0, skipped = 77;
	char *text = NULL;

	cr_assert_eq(maui_fairshare_file_write(fs, k, &output, &text, &size, &skipped), 0);
	cr_expect_eq(size, strlen(expected));
	cr_expect(size == strlen(expected) && !memcmp(text, expected, size), "%.*s", (int)size,
		  text);
	cr_expect_eq(skipped, expected_skipped);
	expect_cuts_seen(expected, NULL);
	free(text);
}

Test(fairshare_file_write, is_the_documented_dialect_sorted_by_name)
{
	static const char *const names[] = {NULL, "zoe", "adam", "Bob", "idle"};
	static const uint32_t two[MAUI_CREDENTIALS] = {2, 1, 1, 0, 1},
			      three[MAUI_CREDENTIALS] = {3, 0, 0, 1, 0};
	struct maui_fairshare *fs = fairshare_of(172800, 2, 1, 0);

	maui_fairshare_charge(fs, ones, 2.5, 0, 60000);
	maui_fairshare_charge(fs, two, 1, 0, 1);
	maui_fairshare_correct(fs, three, 0.1239, 5, 6);
	expect_written(fs, 0, 1700000100, names,
		       "# Fairshare Data File (Duration: 172800 Seconds) Starting: Fri Aug 18 "
		       "18:00:00\n"
		       "# Counted until: 1700000100\n\n"
		       "User Bob 0.124\nUser adam 1.000\nUser zoe 150000.000\n"
		       "Group the_only 150001.000\nAccount the_only 150001.000\n"
		       "QOS the_only 150000.124\nClass the_only 150001.000\n"
		       "TOTAL 150001.124\n# End: 8\n",
		       0);
	expect_written(fs, 1, MAUI_FS_NOT_SAID, names,
		       "# Fairshare Data File (Duration: 172800 Seconds) Starting: Fri Aug 18 "
		       "18:00:00\n\nTOTAL 0.000\n# End: 1\n",
		       0);
	maui_fairshare_free(fs);
}

Test(fairshare_file_write, writes_any_name_as_one_word)
{
	static const char *const names[] = {NULL,         "domain users", "#4",
					    "DOM\\alice", "DOM\\01",      "0104test"};
	struct maui_fairshare *fs = fairshare_of(3600, 2, 1, 0);

	for (uint32_t id = 1; id <= 5; id++)
		maui_fairshare_set(fs, MAUI_USER, id, 0, id);
	maui_fairshare_set(fs, MAUI_FS_TOTAL, 0, 0, 15);
	expect_written(
		fs, 0, MAUI_FS_NOT_SAID, names,
		"# Fairshare Data File (Duration:   3600 Seconds) Starting: Fri Aug 18 18:00:00\n\n"
		"User \\0434 2.000\nUser 0104test 5.000\nUser DOM\\13401 4.000\n"
		"User DOM\\alice 3.000\nUser domain\\040users 1.000\nTOTAL 15.000\n# End: 6\n",
		0);
	maui_fairshare_free(fs);
}

Test(fairshare_file_write, leaves_out_what_no_line_can_hold)
{
	static char long_name[1100], longest[1024];
	static const char *const names[] = {NULL, NULL, NULL, "", NULL, long_name, NULL, longest};
	struct maui_fairshare *fs = fairshare_of(3600, 2, 1, 0);
	char expected[1400];

	memset(long_name, 'x', 1024);
	memset(longest, 'y', 1023);
	for (uint32_t id = 1; id <= 7; id++)
		maui_fairshare_set(fs, MAUI_USER, id, 0, id);
	maui_fairshare_set(fs, MAUI_FS_TOTAL, 0, 0, 28);
	snprintf(
		expected, sizeof(expected),
		"# Fairshare Data File (Duration:   3600 Seconds) Starting: Fri Aug 18 18:00:00\n\n"
		"User %s 7.000\nTOTAL 28.000\n# End: 2\n",
		longest);
	expect_written(fs, 0, MAUI_FS_NOT_SAID, names, expected, 6);
	maui_fairshare_free(fs);
}

Test(fairshare_file_write, refuses_windows_that_do_not_count)
{
	struct maui_fairshare_output output = {.name = name_of};
	struct maui_fairshare *fs = fairshare_of(3600, 2, 1, 0);
	char *text;
	size_t size;

	cr_expect_eq(maui_fairshare_file_write(fs, 2, &output, &text, &size, NULL), -EINVAL);
	maui_fairshare_free(fs);
}

struct loading {
	struct maui_fairshare *fs;
	uint32_t k;
};

static int load(void *context, enum maui_credential type, const char *name, double usage)
{
	struct loading *loading = context;

	maui_fairshare_set(loading->fs, type, type == MAUI_FS_TOTAL ? 0 : 1, loading->k, usage);
	return 0;
}

/*
 * Whole processor-seconds are read back exactly, to 2^53 and, as far as a double holds them,
 * beyond; others to a thousandth.
 */
Test(fairshare_file_write, reads_back)
{
	static const struct {
		double usage, back;
	} cases[] = {{1, 1},
		     {150000, 150000},
		     {9007199254740991.0, 9007199254740991.0},
		     {9007199254740993e2, 9007199254740993e2},
		     {1e18, 1e18},
		     {0.0004, 0},
		     {0.0006, 0.001},
		     {0.9996, 1},
		     {87676.035, 87676.035},
		     {1234567.8905, 1234567.890},
		     {4398046511104.123, 4398046511104.123}};
	static const char *const names[] = {NULL, "bob"};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct maui_fairshare *fs = fairshare_of(3600, 1, 1, 0);
		struct maui_fairshare_output output = {.starting = "x",
						       .metric = "DEDICATEDPES",
						       .counted = 5,
						       .name = name_of,
						       .context = (void *)names};
		struct loading loading = {fairshare_of(3600, 1, 1, 0), 0};
		char *text;
		size_t size;

		maui_fairshare_correct(fs, ones, cases[i].usage, 0, 1);
		cr_assert_eq(maui_fairshare_file_write(fs, 0, &output, &text, &size, NULL), 0);
		cr_expect(strstr(text, "\n# Metric: DEDICATEDPES\n# Counted until: 5\n"), "%s",
			  text);
		cr_assert_eq(maui_fairshare_file_read(text, size, load, &loading, NULL, NULL), 0);
		for (unsigned int type = 0; type <= MAUI_FS_TOTAL; type++)
			cr_expect_eq(
				maui_fairshare_usage(loading.fs, type, type != MAUI_FS_TOTAL, 0),
				cases[i].back, "%.17g", cases[i].usage);
		free(text);
		maui_fairshare_free(fs);
		maui_fairshare_free(loading.fs);
	}
}

Test(fairshare_file_date, is_that_of_ctime)
{
	struct tm date = {.tm_wday = 5, .tm_mon = 7, .tm_mday = 18, .tm_hour = 18};
	char text[MAUI_FS_DATE_SIZE], expected[32];
	time_t now = 1700355102;

	cr_expect_str_eq(maui_fairshare_file_date(&date, text), "Fri Aug 18 18:00:00");
	date = (struct tm){.tm_mday = 1, .tm_sec = 60, .tm_min = 9};
	cr_expect_str_eq(maui_fairshare_file_date(&date, text), "Sun Jan  1 00:09:60");
	date = (struct tm){
		.tm_mday = 10, .tm_mon = 11, .tm_wday = 6, .tm_hour = 9, .tm_min = 10, .tm_sec = 0};
	cr_expect_str_eq(maui_fairshare_file_date(&date, text), "Sat Dec 10 09:10:00");
	date = (struct tm){.tm_mday = 99, .tm_mon = 12, .tm_wday = 7, .tm_hour = 100};
	cr_expect_str_eq(maui_fairshare_file_date(&date, text), "??? ??? 99 ??:00:00");
	date = (struct tm){-1, 100, -5, 1000, 12, 0, 7, 0, 0, 0, NULL};
	cr_expect_str_eq(maui_fairshare_file_date(&date, text), "??? ??? ?? ??:??:??");
	gmtime_r(&now, &date);
	asctime_r(&date, expected);
	expected[19] = '\0';
	cr_expect_str_eq(maui_fairshare_file_date(&date, text), expected);
}
