/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/engine/runtime/statefile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_bool forbidden; /* set before the engine begins */

void statefile_forbid(bool forbid)
{
	atomic_store(&forbidden, forbid);
}

static int write_all(int fd, const char *data, size_t size)
{
	while (size) {
		ssize_t written = write(fd, data, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -errno;
		data += written;
		size -= (size_t)written;
	}
	return fsync(fd) ? -errno : 0;
}

static int open_directory(const char *directory)
{
	if (mkdir(directory, 0700) && errno != EEXIST)
		return -1;
	return open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int replace_at(int directory_fd, const char *name, const void *data, size_t size)
{
	char temporary[256];
	int fd, rc;

	if ((size_t)snprintf(temporary, sizeof(temporary), "%s.new", name) >= sizeof(temporary))
		return -ENAMETOOLONG;
	fd = openat(directory_fd, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
		    0600);
	if (fd < 0)
		return -errno;
	rc = write_all(fd, data, size);
	close(fd);
	if (!rc && renameat(directory_fd, temporary, directory_fd, name))
		rc = -errno;
	if (rc)
		unlinkat(directory_fd, temporary, 0);
	else if (fsync(directory_fd))
		rc = -errno;
	return rc;
}

int statefile_replace(const char *directory, const char *name, const void *data, size_t size,
		      struct maui_error *error)
{
	int rc, directory_fd;

	if (atomic_load(&forbidden))
		return maui_error_set(error, EROFS,
				      "%s/%s stays as it is: shadow mode writes no files",
				      directory, name);
	directory_fd = open_directory(directory);
	if (directory_fd < 0)
		return maui_error_set(error, errno, "cannot open directory %s: %s", directory,
				      strerror(errno));
	rc = replace_at(directory_fd, name, data, size);
	close(directory_fd);
	if (rc)
		return maui_error_set(error, -rc, "cannot write %s/%s: %s", directory, name,
				      strerror(-rc));
	return 0;
}

int statefile_set_aside(const char *path)
{
	char *aside = NULL;
	int rc = 0;

	if (atomic_load(&forbidden))
		return -EROFS;
	if (asprintf(&aside, "%s.damaged", path) < 0)
		return -ENOMEM;
	if (rename(path, aside))
		rc = -errno;
	free(aside);
	return rc;
}
