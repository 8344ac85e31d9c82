/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and changes state files: version check, maui_file_put(), rename and
 * removal with fsync. In shadow mode every change fails with EROFS.
 */
#include "plugins/engine/runtime/statefile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/util/files/file.h"
#include "common/util/files/file_put.h"
#include "common/util/files/file_version.h"
#include "common/util/memory.h"
#include "plugins/engine/runtime/statekept.h"

static atomic_bool forbidden; /* set before the engine begins */

void statefile_forbid(bool forbid)
{
	atomic_store(&forbidden, forbid);
}

static bool is_link_to_nothing(const char *path)
{
	struct stat status;

	return !lstat(path, &status);
}

enum state_answer statefile_read(const char *path, size_t limit, char **ret_text, size_t *ret_size,
				 struct maui_error *why)
{
	int rc = maui_file_read(path, limit, NULL, ret_text, ret_size, NULL, why);

	switch (rc) {
	case 0:
		return STATE_READ;
	case -ENOENT:
		return is_link_to_nothing(path) ? STATE_NOT_NOW : STATE_ABSENT;
	case -EFBIG:
	case -EINVAL:
		return STATE_DAMAGED;
	default:
		return STATE_NOT_NOW;
	}
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
		rc = maui_file_put(directory_fd, name, data, size, &(struct maui_file_put){0});
	close(directory_fd);
	if (rc == -ENOTSUP)
		return maui_error_set(error, ENOTSUP, "%s/%s is not replaced: %s", directory, name,
				      later.text);
	if (rc)
		return maui_error_set(error, -rc, "cannot write %s/%s: %s", directory, name,
				      strerror(-rc));
	return 0;
}

int statefile_remove(const char *directory, const char *name, struct maui_error *error)
{
	int fd, rc = 0;

	if (atomic_load(&forbidden))
		return maui_error_set(error, EROFS, "%s/%s stays: shadow mode removes no files",
				      directory, name);
	fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || (unlinkat(fd, name, 0) && errno != ENOENT) || fsync(fd))
		rc = maui_error_set(error, errno, "cannot remove %s/%s: %s", directory, name,
				    strerror(errno));
	if (fd >= 0)
		close(fd);
	return rc;
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
