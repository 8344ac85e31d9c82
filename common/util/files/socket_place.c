/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls lstat() for each directory of the path. Refuses symbolic links, owners
 * other than root and SlurmUser, and directories that others can write.
 */
#include "common/util/files/socket_place.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#define OTHERS_WRITE ((mode_t)(S_IWGRP | S_IWOTH))

static int judge_directory(const char *path, bool last, uid_t owner, struct maui_error *error)
{
	struct stat status;
	char text[128];

	if (lstat(path, &status))
		return maui_error_set(error, errno, "%s: %s", path,
				      strerror_r(errno, text, sizeof(text)));
	if (S_ISLNK(status.st_mode))
		return maui_error_set(error, ELOOP, "%s is a symbolic link: name its target", path);
	if (!S_ISDIR(status.st_mode))
		return maui_error_set(error, ENOTDIR, "%s is no directory", path);
	if (status.st_uid != 0 && status.st_uid != owner)
		return maui_error_set(error, EPERM, "%s belongs to neither root nor SlurmUser",
				      path);
	if (status.st_mode & OTHERS_WRITE && (last || !(status.st_mode & S_ISVTX)))
		return maui_error_set(error, EPERM, "%s can be written by group or others", path);
	return 0;
}

int maui_socket_place(const char *path, uid_t owner, struct sockaddr_un *ret_address,
		      struct maui_error *error)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	char *copy = address.sun_path, *slash;
	int rc = 0;

	if (*path != '/' || path[strlen(path) - 1] == '/')
		return maui_error_set(error, EINVAL, "%s is no absolute path of a socket", path);
	if (strlen(path) >= sizeof(address.sun_path))
		return maui_error_set(error, ENAMETOOLONG,
				      "%s is longer than the %zu bytes that a socket's path may "
				      "have",
				      path, sizeof(address.sun_path) - 1);
	memcpy(copy, path, strlen(path) + 1);
	for (slash = copy; slash && !rc; slash = strchr(slash + 1, '/')) {
		char kept = slash == copy ? slash[1] : '/';
		char *end = slash == copy ? slash + 1 : slash;

		*end = '\0';
		rc = judge_directory(copy, !strchr(path + (slash - copy) + 1, '/'), owner, error);
		*end = kept;
	}
	if (!rc)
		*ret_address = address;
	return rc;
}
