/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugins/engine/fairshare/fairshare_place.h"
#include "plugins/engine/runtime/runtime.h"

static char top[] = "/tmp/maui-place-XXXXXX";
static char own[64], named[80];
static bool shadow;

bool engine_is_shadow(void)
{
	return shadow;
}

static void make_top(void)
{
	cr_assert_not_null(mkdtemp(top));
	snprintf(own, sizeof(own), "%s/own", top);
	cr_assert_eq(mkdir(own, 0700), 0);
}

static void remove_top(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", top);
	cr_expect_eq(system(command), 0);
}

TestSuite(fairshare_place, .init = make_top, .fini = remove_top);

static void expect_place(const char *below, bool absolute, bool stands_in)
{
	struct fairshare_place place;

	snprintf(named, sizeof(named), "%s/%s", top, below);
	place = fairshare_place_find(strdup(named), strdup(own), absolute);
	cr_expect_str_eq(place.directory, stands_in ? own : named, "%s", below);
	cr_expect_eq(place.missing != NULL, stands_in, "%s", below);
	cr_expect_eq(place.mirror != NULL, absolute && !stands_in && strcmp(named, own) != 0, "%s",
		     below);
	fairshare_place_clear(&place);
}

Test(fairshare_place, the_own_directory_stands_in_for_what_cannot_be_used)
{
	char link[80];

	snprintf(link, sizeof(link), "%s/link", top);
	cr_assert_eq(symlink("/nonexistent/stats", link), 0);
	expect_place("own", true, false);
	expect_place("nowhere", false, false);
	expect_place("new", true, false); /* its parent exists, so it is created */
	expect_place("new", true, false);
	expect_place("missing/stats", true, true);
	expect_place("link", true, true);
	cr_expect_eq(rmdir(strcat(strcpy(named, top), "/new")), 0);
	shadow = true;
	expect_place("new", true, true);
}

Test(fairshare_place, what_stands_in_is_known_after_a_restart)
{
	struct fairshare_known known = {.start = {60, 120, 3600}, .count = 3}, found = {.count = 0};
	struct maui_error error = {""};
	char file[80];

	cr_expect_eq(fairshare_known_load(own, "/mnt/stats", &found, &error), -ENOENT);
	cr_assert_eq(fairshare_known_save(own, "/mnt/stats", &known, &error), 0, "%s", error.text);
	cr_expect_eq(fairshare_known_load(own, "/mnt/other", &found, &error), -ENOENT,
		     "another STATDIR");
	cr_assert_eq(fairshare_known_load(own, "/mnt/stats", &found, &error), 0);
	cr_expect_eq(found.count, 3);
	cr_expect(fairshare_known_has(&found, 3600));
	cr_expect_not(fairshare_known_has(&found, 180));
	cr_expect_eq(fairshare_known_drop(own, &error), 0);
	cr_expect_eq(fairshare_known_drop(own, &error), 0, "it is not there");
	snprintf(file, sizeof(file), "%s/stands-in-for", own);
	cr_assert_eq(mkdir(file, 0700), 0);
	cr_expect_eq(fairshare_known_load(own, "/mnt/stats", &found, &error), -EAGAIN,
		     "it may be one");
	cr_expect_eq(fairshare_known_drop(own, &error), -EISDIR);
	cr_expect(strstr(error.text, file), "%s", error.text);
	cr_assert_eq(rmdir(file), 0);
	cr_expect_eq(fairshare_known_load(own, "/mnt/stats", &found, &error), -ENOENT);
}
