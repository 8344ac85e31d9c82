/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contribs/maui/fs/fs_strangers.h"

#include <errno.h>
#include <grp.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdlib.h>

#include "contribs/maui/lib/command.h"

/* A file of a million names must not keep a name service busy for minutes. */
#define MOST_ASKED 10000u

void fs_strangers_begin(struct fs_strangers *ret_strangers)
{
	ret_strangers->users = maui_intern_new();
	ret_strangers->groups = maui_intern_new();
	if (!ret_strangers->users || !ret_strangers->groups)
		exit_out_of_memory();
}

void fs_strangers_clear(struct fs_strangers *strangers)
{
	maui_intern_free(strangers->users);
	maui_intern_free(strangers->groups);
}

static void add_names(struct maui_intern *all, const struct maui_intern *some)
{
	for (uint32_t id = 1; id <= maui_intern_count(some); id++)
		if (!maui_intern_add(all, maui_intern_name(some, id)))
			exit_out_of_memory();
}

void fs_strangers_add(struct fs_strangers *strangers, const struct fs_usage *usage)
{
	add_names(strangers->users, usage->names[MAUI_USER]);
	add_names(strangers->groups, usage->names[MAUI_GROUP]);
}

/* A credential that Slurm knew only by number is written as a number. */
static bool parse_number(const char *name, uint32_t *ret_number)
{
	unsigned long number;
	char *end;

	if (*name < '0' || *name > '9')
		return false;
	errno = 0;
	number = strtoul(name, &end, 10);
	*ret_number = (uint32_t)number;
	return !errno && !*end && number < UINT32_MAX;
}

static bool is_user(const char *name)
{
	uint32_t uid;

	return getpwnam(name) || (parse_number(name, &uid) && getpwuid(uid));
}

static bool is_group(const char *name)
{
	uint32_t gid;

	return getgrnam(name) || (parse_number(name, &gid) && getgrgid(gid));
}

static void warn_of(const struct maui_intern *names, const char *what,
		    bool (*is_known)(const char *), struct fs_problems *problems,
		    const char *directory, bool listed)
{
	uint32_t count = maui_intern_count(names), unknown = 0;
	uint32_t asked = count < MOST_ASKED ? count : MOST_ASKED;

	for (uint32_t id = 1; id <= asked; id++) {
		const char *name = maui_intern_name(names, id);

		if (is_known(name))
			continue;
		unknown++;
		if (listed)
			fs_warning(problems, directory, -1, "there is no %s %s on this machine",
				   what, name);
	}
	if (unknown && !listed)
		fs_warning(problems, directory, -1,
			   "this machine does not know %" PRIu32 " of %" PRIu32
			   " %ss (-v lists them)",
			   unknown, asked, what);
	if (asked < count)
		fs_warning(problems, directory, -1,
			   "only the first %" PRIu32 " of %" PRIu32 " %ss were looked up", asked,
			   count, what);
}

void fs_strangers_warn(const struct fs_strangers *strangers, struct fs_problems *problems,
		       const char *directory, bool listed)
{
	warn_of(strangers->users, "user", is_user, problems, directory, listed);
	warn_of(strangers->groups, "group", is_group, problems, directory, listed);
}
