/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/util/files/path_owner.h"

#define SLURM 64001u /* SlurmUser */
#define OTHER 64002u /* somebody else: only root can run the cases that have files of his */
#define STEPS 6

/* One thing on disk: a directory ends in '/', a link has a target. A target '=' makes a hard link. */
struct thing {
	const char *name, *target;
	mode_t mode;
	unsigned int owner;
};

static const struct {
	const char *path;
	struct thing things[STEPS];
	const char *why; /* with ROOT for the directory of the case; NULL: safe */
} cases[] = {
	{"f", {{"f", NULL, 0644, 0}}, NULL},
	{"f", {{"f", NULL, 0644, SLURM}}, NULL},
	{"f", {{"f", NULL, 0644, OTHER}}, "ROOT/f belongs to uid 64002"},
	{"f", {{"f", NULL, 0664, 0}}, "ROOT/f may be written by group or others"},
	{"f", {{"f", NULL, 0646, 0}}, "ROOT/f may be written by group or others"},
	{"a/f", {{"a/", NULL, 0755, SLURM}, {"a/f", NULL, 0644, 0}}, NULL},
	{"a/f",
	 {{"a/", NULL, 0755, OTHER}, {"a/f", NULL, 0644, 0}},
	 "ROOT/a is a directory that belongs to uid 64002"},
	{"a/f",
	 {{"a/", NULL, 0775, 0}, {"a/f", NULL, 0644, 0}},
	 "ROOT/a is a directory that group or others may write to"},
	{"a/b/f",
	 {{"a/", NULL, 0757, 0}, {"a/b/", NULL, 0755, 0}, {"a/b/f", NULL, 0644, 0}},
	 "ROOT/a is a directory that group or others may write to"},
	/* Links: theirs, those that they lead through, and where they end. */
	{"l", {{"f", NULL, 0644, 0}, {"l", "f", 0, 0}}, NULL},
	{"l", {{"f", NULL, 0644, 0}, {"l", "f", 0, SLURM}}, NULL},
	{"l",
	 {{"f", NULL, 0644, 0}, {"l", "f", 0, OTHER}},
	 "ROOT/l is a symbolic link that belongs to uid 64002"},
	{"l", {{"f", NULL, 0644, OTHER}, {"l", "f", 0, 0}}, "ROOT/f belongs to uid 64002"},
	{"l",
	 {{"f", NULL, 0644, 0}, {"m", "f", 0, OTHER}, {"l", "m", 0, 0}},
	 "ROOT/m is a symbolic link that belongs to uid 64002"},
	{"l/f",
	 {{"a/", NULL, 0755, 0}, {"a/f", NULL, 0644, 0}, {"l", "a", 0, OTHER}},
	 "ROOT/l is a symbolic link that belongs to uid 64002"},
	{"l",
	 {{"a/", NULL, 0755, OTHER}, {"a/f", NULL, 0644, 0}, {"l", "a/f", 0, 0}},
	 "ROOT/a is a directory that belongs to uid 64002"},
	{"l",
	 {{"a/", NULL, 0755, OTHER}, {"f", NULL, 0644, 0}, {"l", "a/../f", 0, 0}},
	 "ROOT/a is a directory that belongs to uid 64002"},
	{"l", {{"f", NULL, 0644, 0}, {"l", "ROOT/f", 0, 0}}, NULL},
	{"a//l", {{"a/", NULL, 0755, 0}, {"f", NULL, 0644, 0}, {"a/l", "./..//f", 0, 0}}, NULL},
	/* Sticky directories of others: what is ours there stays ours. */
	{"a/f", {{"a/", NULL, 01777, 0}, {"a/f", NULL, 0644, 0}}, NULL},
	{"a/l", {{"f", NULL, 0644, 0}, {"a/", NULL, 01777, 0}, {"a/l", "../f", 0, 0}}, NULL},
	{"a/l",
	 {{"f", NULL, 0644, 0}, {"a/", NULL, 01777, 0}, {"a/l", "../f", 0, OTHER}},
	 "ROOT/a/l is a symbolic link that belongs to uid 64002"},
	{"a/f",
	 {{"a/", NULL, 01777, OTHER}, {"a/f", NULL, 0644, 0}},
	 "ROOT/a is a directory that belongs to uid 64002"},
	{"a/h",
	 {{"f", NULL, 0644, 0}, {"a/", NULL, 01777, 0}, {"a/h", "=f", 0, 0}},
	 "ROOT/a/h has hard links, and others may make them there"},
	{"a/l",
	 {{"f", NULL, 0644, 0}, {"a/", NULL, 01777, 0}, {"a/h", "=f", 0, 0}, {"a/l", "h", 0, 0}},
	 "ROOT/a/h has hard links, and others may make them there"},
	{"h", {{"f", NULL, 0644, 0}, {"h", "=f", 0, 0}}, NULL},
	{"a/b/h",
	 {{"f", NULL, 0644, 0},
	  {"a/", NULL, 01777, 0},
	  {"a/b/", NULL, 0755, 0},
	  {"a/b/h", "=f", 0, 0}},
	 NULL},
};

/* text with ROOT replaced. */
static const char *in_root(const char *text, const char *root, char result[PATH_MAX])
{
	const char *mark = text ? strstr(text, "ROOT") : NULL;

	if (mark)
		snprintf(result, PATH_MAX, "%.*s%s%s", (int)(mark - text), text, root,
			 mark + strlen("ROOT"));
	else
		snprintf(result, PATH_MAX, "%s", text ? text : "");
	return result;
}

static void make(const struct thing *thing, const char *root)
{
	char path[PATH_MAX], target[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", root, thing->name);
	if (thing->target && *thing->target == '=') {
		snprintf(target, sizeof(target), "%s/%s", root, thing->target + 1);
		cr_assert_eq(link(target, path), 0);
		return;
	}
	if (thing->target) {
		cr_assert_eq(symlink(in_root(thing->target, root, target), path), 0);
	} else if (path[strlen(path) - 1] == '/') {
		cr_assert_eq(mkdir(path, 0700), 0);
		cr_assert_eq(chmod(path, thing->mode), 0);
	} else {
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
		cr_assert_geq(fd, 0);
		cr_assert_eq(fchmod(fd, thing->mode), 0);
		close(fd);
	}
	if (thing->owner) {
		cr_assert_eq(lchown(path, thing->owner, (gid_t)-1), 0);
	}
}

static bool needs_root(const struct thing *things)
{
	for (size_t i = 0; i < STEPS && things[i].name; i++)
		if (things[i].owner)
			return true;
	return false;
}

static void empty(const char *root)
{
	char command[PATH_MAX];

	snprintf(command, sizeof(command), "rm -rf %s", root);
	cr_assert_eq(system(command), 0);
}

Test(path_owner, each_component_is_judged)
{
	const unsigned int also = geteuid() ? geteuid() : SLURM;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char root[] = "/tmp/maui-test-XXXXXX", path[PATH_MAX], expected[PATH_MAX];
		struct maui_error why = {""};
		struct stat opened;

		if (geteuid() && needs_root(cases[i].things))
			continue;
		cr_assert(mkdtemp(root));
		for (size_t k = 0; k < STEPS && cases[i].things[k].name; k++)
			make(&cases[i].things[k], root);
		snprintf(path, sizeof(path), "%s/%s", root, cases[i].path);
		cr_assert_eq(stat(path, &opened), 0);
		cr_expect_eq(maui_path_is_safe(path, &also, &opened, &why), !cases[i].why,
			     "case %zu, %s: %s", i, cases[i].path, why.text);
		cr_expect_str_eq(why.text, in_root(cases[i].why, root, expected), "case %zu", i);
		empty(root);
	}
}

/* What an unprivileged user can make in /tmp: a link of his to a file of root's. */
Test(path_owner, a_link_of_somebody_elses_to_a_file_of_roots)
{
	char root[] = "/tmp/maui-test-XXXXXX", link[64];
	struct maui_error why = {""};
	struct stat opened;

	cr_assert_eq(stat("/etc/passwd", &opened), 0);
	cr_expect(maui_path_is_safe("/etc/passwd", NULL, &opened, &why), "%s", why.text);
	cr_assert(mkdtemp(root));
	snprintf(link, sizeof(link), "%s-link", root);
	cr_assert_eq(symlink("/etc/passwd", link), 0);
	if (!geteuid()) {
		cr_assert_eq(lchown(link, OTHER, (gid_t)-1), 0);
	}
	cr_expect_not(maui_path_is_safe(link, NULL, &opened, &why));
	cr_expect(strstr(why.text, "-link is a symbolic link that belongs to uid"), "%s", why.text);
	unlink(link);
	rmdir(root);
}

Test(path_owner, what_does_not_lead_to_the_opened_file)
{
	char text[PATH_MAX + 2];
	struct maui_error why = {""};
	struct stat opened, root;

	cr_assert_eq(stat("/etc/passwd", &opened), 0);
	cr_assert_eq(stat("/", &root), 0);
	cr_expect_not(maui_path_is_safe("/etc/group", NULL, &opened, &why));
	cr_expect_str_eq(why.text, "/etc/group was replaced while it was read");
	cr_expect_not(maui_path_is_safe("/etc/no-such-file", NULL, &opened, &why));
	cr_expect_str_eq(why.text, "/etc/no-such-file cannot be looked at");
	cr_expect(maui_path_is_safe("/", NULL, &root, NULL));
	cr_expect(maui_path_is_safe("/..", NULL, &root, NULL));
	memset(text, 'x', sizeof(text) - 1);
	text[0] = '/';
	text[sizeof(text) - 1] = '\0';
	cr_expect_not(maui_path_is_safe(text, NULL, &opened, NULL));
	cr_assert_eq(chdir("/etc"), 0);
	cr_expect(maui_path_is_safe("passwd", NULL, &opened, &why), "%s", why.text);
	cr_expect(maui_path_is_safe("./../etc//passwd", NULL, &opened, &why), "%s", why.text);
}

Test(path_owner, links_that_lead_in_circles)
{
	char root[] = "/tmp/maui-test-XXXXXX", link[64];
	const unsigned int also = geteuid();
	struct maui_error why = {""};
	struct stat opened = {0};

	cr_assert(mkdtemp(root));
	snprintf(link, sizeof(link), "%s/l", root);
	cr_assert_eq(symlink("l", link), 0);
	cr_expect_not(maui_path_is_safe(link, &also, &opened, &why));
	cr_expect(strstr(why.text, "/l is one of too many symbolic links"), "%s", why.text);
	empty(root);
}
