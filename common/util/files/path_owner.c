/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The walk follows symbolic links itself, to judge each of them. It comes after the file was opened:
 * a way that others cannot change now, and that leads to the opened file, they have not changed
 * between the two.
 */
#include "common/util/files/path_owner.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MOST_LINKS 40 /* as the kernel follows */

struct walk {
	const unsigned int *also;
	struct maui_error *why;
	char done[PATH_MAX]; /* absolute, without links; "" is the root directory */
	char rest[PATH_MAX]; /* what is still to be walked from there */
	unsigned int links;
	bool open_to_others; /* done is a sticky directory that others may write to */
	struct stat status;  /* of done */
};

static const char *path_owner_shown(const struct walk *walk)
{
	return *walk->done ? walk->done : "/";
}

static bool path_owner_refuse(struct walk *walk, int code, const char *what)
{
	maui_error_set(walk->why, code, "%s %s", path_owner_shown(walk), what);
	return false;
}

static bool refuse_owner(struct walk *walk, const char *what)
{
	maui_error_set(walk->why, EPERM, "%s %sbelongs to uid %u", path_owner_shown(walk), what,
		       (unsigned int)walk->status.st_uid);
	return false;
}

static bool belongs_to_us(const struct walk *walk)
{
	return walk->status.st_uid == 0 || (walk->also && walk->status.st_uid == *walk->also);
}

/* Judges what the walk has come to. */
static bool is_safe_here(struct walk *walk)
{
	const mode_t mode = walk->status.st_mode;
	const bool written = mode & (S_IWGRP | S_IWOTH), in_sticky = walk->open_to_others;

	walk->open_to_others = false;
	if (!belongs_to_us(walk))
		return refuse_owner(walk, S_ISLNK(mode)   ? "is a symbolic link that "
					  : S_ISDIR(mode) ? "is a directory that "
							  : "");
	/* Anybody can give a file of root's a second name in such a directory. */
	if (in_sticky && !S_ISDIR(mode) && walk->status.st_nlink > 1)
		return path_owner_refuse(walk, EPERM,
					 "has hard links, and others may make them there");
	if (S_ISLNK(mode) || !written)
		return true;
	walk->open_to_others = S_ISDIR(mode) && (mode & S_ISVTX);
	return walk->open_to_others ||
	       path_owner_refuse(walk, EPERM,
				 S_ISDIR(mode) ? "is a directory that group or others may write to"
					       : "may be written by group or others");
}

/* Puts a path before what is still to be walked. The "." has its first directory judged. */
static bool go_by(struct walk *walk, const char *path)
{
	char rest[PATH_MAX];

	if (snprintf(rest, sizeof(rest), "./%s/%s", path, walk->rest) >= (int)sizeof(rest))
		return path_owner_refuse(walk, ENAMETOOLONG, "leads to a path that is too long");
	memcpy(walk->rest, rest, sizeof(rest));
	if (*path == '/')
		*walk->done = '\0';
	return true;
}

static void path_owner_leave(struct walk *walk)
{
	char *slash = strrchr(walk->done, '/');

	if (slash)
		*slash = '\0';
}

static bool path_owner_follow(struct walk *walk)
{
	char target[PATH_MAX];
	ssize_t size = readlink(walk->done, target, sizeof(target) - 1);

	if (size < 0)
		return path_owner_refuse(walk, errno, "is a symbolic link that cannot be read");
	if (++walk->links > MOST_LINKS)
		return path_owner_refuse(walk, ELOOP, "is one of too many symbolic links");
	target[size] = '\0';
	path_owner_leave(walk);
	return go_by(walk, target);
}

/* Takes the next component off rest. */
static bool path_owner_step(struct walk *walk)
{
	char *name = walk->rest + strspn(walk->rest, "/");
	size_t size = strcspn(name, "/"), used = strlen(walk->done);

	if (used + 1 + size >= sizeof(walk->done))
		return path_owner_refuse(walk, ENAMETOOLONG, "leads to a path that is too long");
	if (size == 2 && !memcmp(name, "..", size)) {
		path_owner_leave(walk);
	} else if (size != 1 || *name != '.') {
		walk->done[used] = '/';
		memcpy(walk->done + used + 1, name, size);
		walk->done[used + 1 + size] = '\0';
	}
	memmove(walk->rest, name + size, strlen(name + size) + 1);
	if (lstat(path_owner_shown(walk), &walk->status))
		return path_owner_refuse(walk, errno, "cannot be looked at");
	return is_safe_here(walk) && (!S_ISLNK(walk->status.st_mode) || path_owner_follow(walk));
}

static bool path_owner_begin(struct walk *walk, const char *path)
{
	char directory[PATH_MAX];

	if (!go_by(walk, path))
		return false;
	if (*path == '/')
		return true;
	if (!getcwd(directory, sizeof(directory)))
		return path_owner_refuse(walk, errno, "does not lead to the current directory");
	return go_by(walk, directory);
}

bool maui_path_is_safe(const char *path, const unsigned int *also, const struct stat *opened,
		       struct maui_error *why)
{
	struct walk walk = {.also = also, .why = why};

	if (!path_owner_begin(&walk, path))
		return false;
	while (walk.rest[strspn(walk.rest, "/")])
		if (!path_owner_step(&walk))
			return false;
	return (walk.status.st_dev == opened->st_dev && walk.status.st_ino == opened->st_ino) ||
	       path_owner_refuse(&walk, EPERM, "was replaced while it was read");
}
