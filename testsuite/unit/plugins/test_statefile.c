/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugins/engine/runtime/statefile.h"

static char top[] = "/tmp/maui-statefile-XXXXXX";
static char directory[64], path[80];

static void make_top(void)
{
	cr_assert_not_null(mkdtemp(top));
	snprintf(directory, sizeof(directory), "%s/state", top);
	snprintf(path, sizeof(path), "%s/file", directory);
}

static void remove_top(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", top);
	cr_expect_eq(system(command), 0);
}

TestSuite(statefile, .init = make_top, .fini = remove_top);

static void expect_content(const char *content)
{
	char buffer[64] = "";
	FILE *file = fopen(path, "r");

	cr_assert_not_null(file);
	cr_expect_eq(fread(buffer, 1, sizeof(buffer) - 1, file), strlen(content));
	cr_expect_str_eq(buffer, content);
	fclose(file);
}

Test(statefile, a_file_is_made_with_its_directory_and_replaced_whole)
{
	struct maui_error error = {""};
	struct stat status;

	cr_assert_eq(statefile_replace(directory, "file", "a longer text", 13, &error), 0, "%s",
		     error.text);
	expect_content("a longer text");
	cr_assert_eq(statefile_replace(directory, "file", "short", 5, &error), 0);
	expect_content("short");
	cr_assert_eq(stat(path, &status), 0);
	cr_expect_eq(status.st_mode & 07777, 0600);
}

Test(statefile, what_was_there_stays_when_the_new_one_cannot_be_written)
{
	struct maui_error error = {""};
	char obstacle[96];

	cr_assert_eq(statefile_replace(directory, "file", "old", 3, &error), 0);
	snprintf(obstacle, sizeof(obstacle), "%s.new", path);
	cr_assert_eq(mkdir(obstacle, 0700), 0);
	cr_expect_eq(statefile_replace(directory, "file", "new", 3, &error), -EISDIR);
	cr_expect_not_null(strstr(error.text, path));
	expect_content("old");
}

Test(statefile, a_link_in_its_place_is_not_followed)
{
	struct maui_error error = {""};
	char temporary[96];

	cr_assert_eq(statefile_replace(directory, "file", "old", 3, &error), 0);
	snprintf(temporary, sizeof(temporary), "%s.new", path);
	cr_assert_eq(symlink("/nonexistent/target", temporary), 0);
	cr_expect_eq(statefile_replace(directory, "file", "new", 3, &error), -ELOOP);
	expect_content("old");
}

Test(statefile, what_cannot_be_used_is_set_aside_in_place_of_the_one_before)
{
	struct maui_error error = {""};
	char aside[96];

	cr_expect_eq(statefile_set_aside(path), -ENOENT);
	cr_assert_eq(statefile_replace(directory, "file.damaged", "older", 5, &error), 0);
	cr_assert_eq(statefile_replace(directory, "file", "bad", 3, &error), 0);
	cr_expect_eq(statefile_set_aside(path), 0);
	cr_expect_eq(access(path, F_OK), -1);
	snprintf(aside, sizeof(aside), "%s.damaged", path);
	cr_assert_eq(rename(aside, path), 0);
	expect_content("bad");
}

Test(statefile, a_file_of_a_later_version_stays)
{
	struct maui_error error = {""};
	const char *later = "slurm-maui jobs 2\nnew\n", *now = "slurm-maui jobs 1\n";
	const char *before = "slurm-maui jobs 1\nold\n";

	cr_assert_eq(statefile_replace(directory, "file", later, strlen(later), &error), 0);
	cr_expect_eq(statefile_replace(directory, "file", now, strlen(now), &error), -ENOTSUP);
	cr_expect(strstr(error.text, path), "%s", error.text);
	cr_expect(strstr(error.text, "it has version 2 of its format, and this one reads 1"), "%s",
		  error.text);
	expect_content(later);
	cr_assert_eq(unlink(path), 0);
	cr_assert_eq(statefile_replace(directory, "file", before, strlen(before), &error), 0);
	cr_expect_eq(statefile_replace(directory, "file", later, strlen(later), &error), 0,
		     "an earlier version is replaced");
	expect_content(later);
}

Test(statefile, an_impossible_directory_is_an_error_with_its_name)
{
	struct maui_error error = {""};

	cr_expect_eq(statefile_replace("/nonexistent/a/b", "file", "x", 1, &error), -ENOENT);
	cr_expect_not_null(strstr(error.text, "/nonexistent/a/b"));
}

Test(statefile, nothing_is_written_or_renamed_where_that_is_forbidden)
{
	struct maui_error error = {""};
	char fresh[64];

	cr_assert_eq(statefile_replace(directory, "file", "before", 6, &error), 0);
	statefile_forbid(true);
	cr_expect_eq(statefile_replace(directory, "file", "after", 5, &error), -EROFS);
	cr_expect(strstr(error.text, "shadow mode writes no files"), "%s", error.text);
	expect_content("before");
	cr_expect_eq(statefile_set_aside(path), -EROFS);
	expect_content("before");
	snprintf(fresh, sizeof(fresh), "%s/fresh", top);
	cr_expect_eq(statefile_replace(fresh, "file", "text", 4, &error), -EROFS);
	cr_expect_neq(access(fresh, F_OK), 0);
	statefile_forbid(false);
	cr_expect_eq(statefile_replace(directory, "file", "after", 5, &error), 0);
	expect_content("after");
}
