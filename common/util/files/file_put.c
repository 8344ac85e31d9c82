/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes NAME.new by openat() and fsync(), then calls renameat(), or linkat()
 * where an existing file must stay.
 */
#include "common/util/files/file_put.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int file_put_write_all(int fd, const char *data, size_t size)
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

static int write_new(int directory_fd, const char *name, const void *data, size_t size,
		     const struct maui_file_put *how)
{
	int fd, rc;

	if (how->foreign && unlinkat(directory_fd, name, 0) && errno != ENOENT)
		return -errno;
	fd = openat(directory_fd, name,
		    O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (how->foreign ? O_EXCL : O_TRUNC),
		    0600);
	if (fd < 0)
		return -errno;
	rc = how->chowns && fchown(fd, how->uid, how->gid) ? -errno
							   : file_put_write_all(fd, data, size);
	if (close(fd) && !rc)
		rc = -errno;
	return rc;
}

/* Under its own name. linkat(), unlike renameat(), never replaces. */
static int file_put_publish(int directory_fd, const char *temporary, const char *name, bool keeps)
{
	if (!keeps)
		return renameat(directory_fd, temporary, directory_fd, name) ? -errno : 0;
	if (linkat(directory_fd, temporary, directory_fd, name, 0))
		return -errno;
	return unlinkat(directory_fd, temporary, 0) ? -errno : 0;
}

int maui_file_put(int directory_fd, const char *name, const void *data, size_t size,
		  const struct maui_file_put *how)
{
	char temporary[256];
	int rc;

	if ((size_t)snprintf(temporary, sizeof(temporary), "%s.new", name) >= sizeof(temporary))
		return -ENAMETOOLONG;
	rc = write_new(directory_fd, temporary, data, size, how);
	if (!rc)
		rc = file_put_publish(directory_fd, temporary, name, how->keeps);
	if (rc)
		unlinkat(directory_fd, temporary, 0);
	else if (fsync(directory_fd))
		rc = -errno;
	return rc;
}
