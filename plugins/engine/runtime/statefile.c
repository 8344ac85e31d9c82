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

#include "common/util/file_version.h"
#include "common/util/memory.h"
#include "plugins/engine/runtime/statekept.h"

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

/* Whether what is there is of a later version than what would replace it: then -ENOTSUP. What
 * cannot be looked at may be: then that is the error. */
static int check_version(int directory_fd, const char *name, const void *data, size_t size,
			 struct maui_error *error)
{
	char head[MAUI_FILE_VERSION_HEAD];
	int fd = openat(directory_fd, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t got;
	int rc;

	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	got = read(fd, head, sizeof(head));
	rc = got < 0 ? -errno : 0;
	close(fd);
	return rc || !got ? rc : maui_file_version_refuse(head, (size_t)got, data, size, error);
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
	struct maui_error later = {""};
	int rc, directory_fd;

	if (atomic_load(&forbidden))
		return maui_error_set(error, EROFS,
				      "%s/%s stays as it is: shadow mode writes no files",
				      directory, name);
	rc = statekept_refuse(directory, name, error);
	if (rc)
		return rc;
	directory_fd = open_directory(directory);
	if (directory_fd < 0)
		return maui_error_set(error, errno, "cannot open directory %s: %s", directory,
				      strerror(errno));
	rc = check_version(directory_fd, name, data, size, &later);
	if (!rc)
		rc = replace_at(directory_fd, name, data, size);
	close(directory_fd);
	if (rc == -ENOTSUP)
		return maui_error_set(error, ENOTSUP, "%s/%s is not replaced: %s", directory, name,
				      later.text);
	if (rc)
		return maui_error_set(error, -rc, "cannot write %s/%s: %s", directory, name,
				      strerror(-rc));
	return 0;
}

/* On disk when it returns: what stands in PATH next must not be taken for what stood there. */
static int rename_synced(const char *from, const char *to)
{
	char *directory = maui_strdup(to);
	char *slash = strrchr(directory, '/');
	int fd, rc = 0;

	if (slash)
		*slash = '\0';
	fd = open(slash ? directory : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(directory);
	if (fd < 0)
		return -errno;
	if (rename(from, to) || fsync(fd))
		rc = -errno;
	close(fd);
	return rc;
}

int statefile_put_by(const char *path, const char *suffix)
{
	char *aside;
	int rc;

	if (atomic_load(&forbidden))
		return -EROFS;
	aside = maui_asprintf("%s.%s", path, suffix);
	rc = rename_synced(path, aside);
	free(aside);
	return rc;
}

int statefile_take_up(const char *path, const char *suffix)
{
	char *aside;
	int rc;

	if (atomic_load(&forbidden))
		return -EROFS;
	if (!access(path, F_OK))
		return -EEXIST;
	if (errno != ENOENT)
		return -errno;
	aside = maui_asprintf("%s.%s", path, suffix);
	rc = rename_synced(aside, path);
	free(aside);
	return rc;
}

int statefile_set_aside(const char *path)
{
	return statefile_put_by(path, "damaged");
}
