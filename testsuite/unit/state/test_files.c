/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every state file of the table: what earlier programs wrote is read, and written the same byte for
 * byte; a later version is told; anything else is refused as a whole, with the line.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/state/files.h"
#include "testsuite/fuzz/state_file.h"

#define LINES(...) ((const char *const[]){__VA_ARGS__, NULL})

#define TEN       "0123456789"
#define LONG_NAME TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

/* Each text has every kind of line, and the least and greatest numbers. */
static const struct {
	const char *name, *text;
	const char *const *right, *const *wrong; /* lines */
} files[] = {
	{"setres",
	 "slurm-maui setres 1\n"
	 "setres 0 1795329044 1795332644 1795311044 0 4 SYSTEM.0 TASKCOUNT=2\n"
	 "setres 3 0 2139999999 253402300799 4294967295 4294967295 maint.1 USERLIST=alice:bob- "
	 "HOSTLIST=n[1-2]\n"
	 "end 3 aae962c7a8ab3a80\n",
	 LINES("setres 0 10 20 77 1001 0 x.0 HOSTLIST=n1"),
	 LINES("setres 4 10 20 77 1001 0 x.0 HOSTLIST=n1", "setres 0 10 20 77 1001 0 x.0",
	       "setres 0 10 20 77 1001 0", "setres 0 10 20 77 1001",
	       "setres 0 10 20 77 4294967296 0 x.0 HOSTLIST=n1",
	       "setres 0 10 20 77 1001 4294967296 x.0 HOSTLIST=n1",
	       "setres 0 -1 20 77 1001 0 x.0 HOSTLIST=n1",
	       "setres 0 10 20 253402300800 1001 0 x.0 HOSTLIST=n1",
	       "setres 0 10 2140000000 77 1001 0 x.0 HOSTLIST=n1",
	       "setres 0 10 20 77 1001 0 " LONG_NAME ".0 HOSTLIST=n1",
	       "Setres 0 10 20 77 1001 0 x.0 HOSTLIST=n1")},
	{"idle",
	 "slurm-maui idle 1\n"
	 "idle account 1700000000 1700000060 480000 jupiter\n"
	 "idle user 0 1 1 1005\n"
	 "idle class 5 253402300799 100000000000000000 a name with blanks\n"
	 "end 4 c50e7ce950a4b8e4\n",
	 LINES("idle user 1 2 3 bob"),
	 LINES("idle account 1 2 3", "idle account 1 2 3 ", "idle account 2 1 3 a",
	       "idle account 1 2 0 a", "idle job 1 2 3 a", "idle account -1 2 3 a",
	       "idle account 1 2 a", "Idle account 1 2 3 a", "idle  account 1 2 3 a", "",
	       "idle account 1 2 3.5 a", "idle accounts 1 2 3 a")},
	{"jobs",
	 "slurm-maui jobs 2\n"
	 "counted 1700000100\n"
	 "start 8 1700000100\n"
	 "start 4294967295 253402300799\n"
	 "qos 9 1700000090 4294967295\n"
	 "job 7 1700000000 1700000050 3\n"
	 "job 4294967295 0 253402300799 4294967295\n"
	 "end 7 411ead85921a7137\n",
	 LINES("job 7 10 10 0", "job 7 10 253402300799 0",
	       "job 7 10 9 0", /* Slurm submits a requeued job a second later */
	       "start 7 10", "qos 7 10 1", "counted 1"),
	 LINES("job 7 10 253402300800 0", "job 7 10 99999999999999999999999999999999 0",
	       "job 7 10 -9 0", "job 0 10 10 0", "job 4294967296 10 10 0", "job 7 10 10 4294967296",
	       "job 7 -10 10 0", "job 7 10 10", "job 7 10 10 0 ", "job 7 10 10 0 1",
	       "job  7 10 10 0", "jobs 7 10 10 0", "start 7 0", "qos 0 10 1", "qos 7 0 1",
	       "qos 7 10 0", "qos 7 10 4294967296", "qos 7 10", "qos 7 10 1 1", "counted 0", "",
	       "end 1 0")},
	{"names",
	 "slurm-maui names 1\n"
	 "user 1005 robert\n"
	 "uid 1005 bob\n"
	 "group 4294967294 admins\n"
	 "gid 100 domain users\n"
	 "end 5 99a6a7da6792f45e\n",
	 LINES("user 0 J\xc3\xbcrgen", "uid 7 DOM\\alice"),
	 LINES("user bob", "user 1 ", "user 4294967295 bob", "name 1 bob", "uid -1 x",
	       "group 5\tstaff", "user 1 a\tb", "uid 1")},
	{"nodes",
	 "slurm-maui nodes 1\n"
	 "node n1 86400 64800\n"
	 "node n2 253402300799 0\n"
	 "end 3 f6c00a2853d33dfe\n",
	 LINES("node n1 1 0", "node n1 1 1", "node n1 1 0\nnode n2 5 3", "node \xc3\xa4 1 0",
	       "node # 1 0", "node 1 1 1", "node n1 253402300799 253402300799"),
	 LINES("node n1 253402300800 0", "node n1 99999999999999999999999999999999 0",
	       "node n1 1 2", "node n1 0 0", "node n1 -1 0", "node n1 1 -1", "node n1 1.5 1",
	       "node n1 1", "node n1", "node n1 ", "node  1 1", "node", "node ", "node n1 1 0 ",
	       "node n1 1 0 0", "node  n1 1 0", " node n1 1 0", "node n1\t1 0", "node n\x7f 1 0",
	       "nodes n1 1 0", "node n1 1 0\r", "", "end 1 0")},
	{"reclaims",
	 "slurm-maui reclaims 1\n"
	 "reclaim account 17 1700000000 1700000160 0 n[1-3] jupiter\n"
	 "reclaim user 4294967295 0 253402300799 1 a,b[01-20] a name with blanks\n"
	 "end 3 7007c8fe7a740869\n",
	 LINES("reclaim user 7 1 2 0 n1 bob"),
	 LINES("reclaim account 7 1 2 0 n1", "reclaim account 7 1 2 0 n1 ",
	       "reclaim account 7 2 1 0 n1 a", "reclaim account 0 1 2 0 n1 a",
	       "reclaim job 7 1 2 0 n1 a", "reclaim account 7 1 2 2 n1 a",
	       "reclaim account 7 1 2 n1 a", "Reclaim account 7 1 2 0 n1 a",
	       "reclaim  account 7 1 2 0 n1 a", "reclaim account 4294967296 1 2 0 n1 a",
	       "reclaim account 7 1 2 0  n1 a", "", "reclaim account 7 1 2 0 n1\t2 a",
	       "reclaims account 7 1 2 0 n1 a")},
	{"reservations",
	 "slurm-maui reservations 1\n"
	 "reservation 0 night.20261120\n"
	 "reservation 1 night.20261121\n"
	 "reservation 2 once.inf\n"
	 "reservation 7 two.inf\n"
	 "end 5 0162004c4d28da09\n",
	 LINES("reservation 0 a.inf", "reservation 7 a.inf",
	       "reservation 0 b.inf\nreservation 1 a.inf", "reservation 0 end",
	       "reservation 0 \xc3\xa4.inf"),
	 LINES("reservation 8 a.inf", "reservation -1 a.inf",
	       "reservation 99999999999999999999 a.inf", "reservation a.inf", "reservation 0",
	       "reservation 0 ", "reservation  0 a.inf", "reservation 0  a.inf",
	       "reservation 0 a.inf ", "reservation 0 a.inf b.inf", "reservation 0\ta.inf",
	       "reservation 0 a\t.inf", "reservation 0 a=b", "reservation 0 a,b",
	       " reservation 0 a.inf", "reservations 0 a.inf", "Reservation 0 a.inf",
	       "reservation 0 a.inf\r", "", "end 1 0")},
	{"triggers",
	 "slurm-maui triggers 1\n"
	 "trigger 2 1795132800 1795204800 1795237200 night.20261120\n"
	 "trigger 15 0 253402300799 253402300799 night.20261121\n"
	 "end 3 287e69b4b629f176\n",
	 LINES("trigger 1 1 2 3 a.inf"),
	 LINES("trigger 1 1 2 3", "trigger 1 1 2 3 ", "trigger 16 1 2 3 a", "trigger -1 1 2 3 a",
	       "trigger 1 1 2 3 a b", "Trigger 1 1 2 3 a", "", "trigger 1 1 2 a")},
};

#define FILES (sizeof(files) / sizeof(*files))

static const struct maui_state_file *file_of(const char *name)
{
	const struct maui_state_file *file = maui_state_file_find(name);

	cr_assert_not_null(file, "%s", name);
	return file;
}

/* Read into an empty state. *ret_again: written again, if it was read; the caller frees it. */
static int parse(const struct maui_state_file *file, const char *text, size_t size,
		 struct maui_error *why, char **ret_again, size_t *ret_size)
{
	alignas(max_align_t) char state[128] = {0}, empty[128] = {0};
	int rc;

	*why = (struct maui_error){""};
	rc = maui_state_parse(file, text, size, state, why);
	cr_expect(!rc || !memcmp(state, empty, sizeof(state)), "%s: something is set", file->name);
	*ret_again = NULL;
	if (!rc)
		maui_state_format(file, state, ret_again, ret_size);
	file->clear(state);
	cr_expect(!memcmp(state, empty, sizeof(state)), "%s: clear() leaves something", file->name);
	return rc;
}

static void expect_same(const char *name, const char *text)
{
	struct maui_error why;
	size_t size = strlen(text), again_size = 0;
	char *again;

	cr_assert_eq(parse(file_of(name), text, size, &why, &again, &again_size), 0, "%s: %s", name,
		     why.text);
	cr_expect(again_size == size && !memcmp(again, text, size), "%s: %.*s", name,
		  (int)again_size, again);
	free(again);
}

static void expect_refused(const char *name, int rc, const char *text, size_t size, const char *why)
{
	struct maui_error error;
	size_t again_size;
	char *again;

	cr_expect_eq(parse(file_of(name), text, size, &error, &again, &again_size), rc, "%s: %.*s",
		     name, (int)size, text);
	cr_expect_not_null(strstr(error.text, why), "%s: %s, and not %s", name, error.text, why);
	free(again);
}

/* These lines between a first line and a last one that is right. The caller frees it. */
static char *sealed(const char *name, const char *lines, size_t length, size_t *ret_size)
{
	char first[MAUI_STATE_FIRST_LINE], *text = malloc(length + 160);
	size_t size = strlen(maui_state_first_line(file_of(name), first));

	cr_assert_not_null(text);
	memcpy(text, first, size);
	memcpy(text + size, lines, length);
	size += length;
	text[size++] = '\n';
	*ret_size = size + (size_t)last_line(text + size, 80, text, size);
	return text;
}

static void expect_line(const char *name, const char *lines, size_t length, const char *why)
{
	struct maui_error error;
	size_t size, again_size;
	char *text = sealed(name, lines, length, &size), *again;

	cr_expect_eq(parse(file_of(name), text, size, &error, &again, &again_size),
		     why ? -EINVAL : 0, "%s: %s: %s", name, lines, error.text);
	cr_expect_str_eq(error.text, why ? why : "", "%s: %s: %s", name, lines, error.text);
	free(again);
	free(text);
}

/* ---- all of them ---- */

/* Those in the table, but `disabled`, are here. */
Test(state_files, name_format_and_version)
{
	size_t count = 0;

	for (size_t i = 0; maui_state_files[i]; i++) {
		char line[MAUI_STATE_FIRST_LINE], expected[64];

		snprintf(expected, sizeof(expected), "slurm-maui %s %d\n",
			 maui_state_files[i]->name,
			 strcmp(maui_state_files[i]->name, "jobs") ? 1 : 2);
		cr_expect_str_eq(maui_state_first_line(maui_state_files[i], line), expected);
		count++;
	}
	cr_expect_eq(count, FILES + 1);
	cr_expect_eq(maui_state_file_find("disabled"), &maui_disabled_file);
	cr_expect_null(maui_state_file_find("maui.cfg.last-good"));
	cr_expect_null(maui_state_file_find("jobs.damaged"));
	cr_expect_null(maui_state_file_find(""));
}

Test(state_files, each_is_written_as_it_was_read)
{
	for (size_t i = 0; i < FILES; i++) {
		char nothing[MAUI_STATE_FIRST_LINE + 80]; /* to keep is a file, too */
		size_t size = strlen(maui_state_first_line(file_of(files[i].name), nothing));

		last_line(nothing + size, 80, nothing, size);
		expect_same(files[i].name, nothing);
		expect_same(files[i].name, files[i].text);
	}
}

Test(state_files, one_cut_short_anywhere_is_refused)
{
	for (size_t i = 0; i < FILES; i++) {
		size_t first = (size_t)(strchr(files[i].text, '\n') + 1 - files[i].text);

		for (size_t size = 0; size < strlen(files[i].text); size++)
			expect_refused(files[i].name, -EINVAL, files[i].text, size,
				       size < first ? "does not begin" : "cut");
	}
}

Test(state_files, a_changed_or_added_byte_anywhere_is_noticed)
{
	for (size_t i = 0; i < FILES; i++) {
		size_t size = strlen(files[i].text);
		char text[1024];

		memcpy(text, files[i].text, size);
		for (size_t k = 0; k < size; k++) {
			text[k] ^= 16; /* no digit becomes that of a later version */
			expect_refused(files[i].name, -EINVAL, text, size, "it ");
			text[k] ^= 16;
		}
		text[size] = '\n';
		expect_refused(files[i].name, -EINVAL, text, size + 1, "cut");
	}
}

/* Whatever follows the first line: another version may have other rules for it. */
Test(state_files, a_later_version_is_no_damaged_file)
{
	static const char *const rests[] = {"", "anything", "job 7\nend 2 0000000000000000\n"};

	for (size_t i = 0; i < FILES; i++)
		for (size_t k = 0; k < sizeof(rests) / sizeof(*rests); k++) {
			char text[128];
			int size = snprintf(text, sizeof(text), "slurm-maui %s 9\n%s",
					    files[i].name, rests[k]);

			expect_refused(files[i].name, -ENOTSUP, text, (size_t)size, "version 9");
		}
}

Test(state_files, foreign_files_are_refused)
{
	static const char *const texts[] = {
		"slurm-maui others 2\n", "slurm-maui other 2\nend 1 0\n",
		"slurm-maui jobs2\n",    "slurm-maui",
		"maui jobs 2\n",         "\1\2\xff\n",
	};

	for (size_t i = 0; i < FILES; i++) {
		for (size_t k = 0; k < sizeof(texts) / sizeof(*texts); k++)
			expect_refused(files[i].name, -EINVAL, texts[k], strlen(texts[k]),
				       "does not begin with \"slurm-maui ");
		expect_refused(files[i].name, -EINVAL, "\0\1", 2, files[i].name);
	}
}

/* ---- lines ---- */

Test(state_files, lines_are_right_or_named)
{
	for (size_t i = 0; i < FILES; i++) {
		for (const char *const *line = files[i].right; *line; line++)
			expect_line(files[i].name, *line, strlen(*line), NULL);
		for (const char *const *line = files[i].wrong; *line; line++)
			expect_line(files[i].name, *line, strlen(*line),
				    "line 2 is not understood");
	}
}

Test(state_files, a_nul_byte_is_in_no_line)
{
	for (size_t i = 0; i < FILES; i++) {
		size_t size = strlen(*files[i].right);

		for (size_t k = 0; k < size; k++) {
			char line[128];

			memcpy(line, *files[i].right, size);
			line[k] = '\0';
			expect_line(files[i].name, line, size, "line 2 is not understood");
		}
	}
}

static const struct {
	const char *file, *lines, *why;
} told[] = {
	{"nodes", "node n1 1 0\nnode n2 1 0\nnod", "line 4 is not understood"},
	{"nodes", "node n1 1 0\nnode n2 1 0\nnode n1 1 0", "line 4 is the second one on its node"},
	{"reservations", "reservation 0 a.inf\nreservation 0 b.inf\nres",
	 "line 4 is not understood"},
	{"setres", "setres 0 20 20 77 1001 0 x.0 HOSTLIST=n1",
	 "line 2 is not a reservation, or its name was there before"},
	{"setres", "setres 0 10 20 77 1001 0 x HOSTLIST=n1",
	 "line 2 is not a reservation, or its name was there before"},
	{"setres", "setres 0 10 20 77 1001 0 x.0 #",
	 "line 2 is not a reservation, or its name was there before"},
	{"setres",
	 "setres 0 10 20 77 1001 0 a.0 HOSTLIST=n1\nsetres 0 10 20 77 1001 0 a.0 HOSTLIST=n1",
	 "line 3 is not a reservation, or its name was there before"},
};

Test(state_files, what_is_wrong_with_a_line_is_told)
{
	for (size_t i = 0; i < sizeof(told) / sizeof(*told); i++)
		expect_line(told[i].file, told[i].lines, strlen(told[i].lines), told[i].why);
}
