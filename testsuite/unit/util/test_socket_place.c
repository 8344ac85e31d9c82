/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directories that may hold the service's socket, and those where others could put one of their own. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/util/files/socket_place.h"

#define OWNER 1001u
#define OTHER 1002u

static char base[] = "/tmp/maui-socket-XXXXXX";

static const char *below(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", base, name);
	return path;
}

static void make_directory(const char *name, uid_t uid, mode_t mode)
{
	cr_assert_eq(mkdir(below(name), 0700), 0);
	cr_assert_eq(chown(below(name), uid, (gid_t)-1), 0);
	cr_assert_eq(chmod(below(name), mode), 0);
}

static void begin(void)
{
	cr_assert_not_null(mkdtemp(base));
	cr_assert_eq(chmod(base, 0755), 0);
	if (geteuid() != 0)
		return;
	make_directory("owners", OWNER, 0755);
	make_directory("roots", 0, 0755);
	make_directory("shared", 0, 01777);
	make_directory("shared/owners", OWNER, 0755);
	make_directory("loose", 0, 0777);
	make_directory("loose/owners", OWNER, 0755);
	make_directory("group", OWNER, 0775);
	make_directory("others", OTHER, 0755);
	make_directory("others/owners", OWNER, 0755);
	cr_assert_eq(symlink("owners", below("link")), 0);
}

static void end(void)
{
	static const char *const names[] = {"others/owners", "loose/owners", "shared/owners",
					    "owners",        "roots",        "shared",
					    "loose",         "group",        "others"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		rmdir(below(names[i]));
	unlink(below("link"));
	rmdir(base);
}

TestSuite(socket_place, .init = begin, .fini = end);

Test(socket_place, who_could_put_another_socket_there)
{
	static const struct {
		const char *path, *wrong;
	} cases[] = {
		{"owners/maui.sock", NULL},
		{"roots/maui.sock", NULL},
		{"shared/owners/maui.sock", NULL},
		{"shared/maui.sock", "can be written by group or others"},
		{"loose/maui.sock", "can be written by group or others"},
		{"loose/owners/maui.sock", "can be written by group or others"},
		{"group/maui.sock", "can be written by group or others"},
		{"others/maui.sock", "belongs to neither root nor SlurmUser"},
		{"others/owners/maui.sock", "belongs to neither root nor SlurmUser"},
		{"link/maui.sock", "is a symbolic link"},
		{"none/maui.sock", "No such file or directory"},
	};

	if (geteuid() != 0)
		cr_skip("only root can make directories of others");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sockaddr_un address = {.sun_path = "untouched"};
		struct maui_error error = {""};
		int rc = maui_socket_place(below(cases[i].path), OWNER, &address, &error);

		cr_expect_eq(rc == 0, cases[i].wrong == NULL, "%s: %s", cases[i].path, error.text);
		cr_expect_str_eq(address.sun_path, rc ? "untouched" : below(cases[i].path));
		if (cases[i].wrong)
			cr_expect(strstr(error.text, cases[i].wrong), "%s: %s", cases[i].path,
				  error.text);
	}
}

Test(socket_place, paths_that_are_none)
{
	struct sockaddr_un address;
	struct maui_error error;
	char longer[sizeof(address.sun_path) + 1];

	memset(longer, 'x', sizeof(longer));
	longer[0] = '/';
	longer[sizeof(longer) - 1] = '\0';
	cr_expect_eq(maui_socket_place("maui.sock", 0, &address, &error), -EINVAL);
	cr_expect_eq(maui_socket_place("", 0, &address, &error), -EINVAL);
	cr_expect_eq(maui_socket_place("/run/", 0, &address, &error), -EINVAL);
	cr_expect_eq(maui_socket_place(longer, 0, &address, &error), -ENAMETOOLONG);
}
