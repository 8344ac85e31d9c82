/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks type and size before and after open(), reads to the end of the file,
 * and calls maui_path_is_safe().
 */
#include "common/util/files/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/util/grow.h"
#include "common/util/memory.h"
#include "common/util/files/path_owner.h"

static const char *type_name(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFIFO:
		return "a FIFO";
	case S_IFSOCK:
		return "a socket";
	case S_IFBLK:
	case S_IFCHR:
		return "a device";
	default:
		return "something else";
	}
}

static int file_fail(struct maui_error *error, int code, const char *path)
{
	char text[128];

	return maui_error_set(error, code, "%s: cannot be read: %s", path,
			      strerror_r(code, text, sizeof(text)));
}

static int check_type(const char *path, const struct stat *status, size_t limit,
		      struct maui_error *error)
{
	if (S_ISDIR(status->st_mode))
		return maui_error_set(error, EISDIR, "%s: is a directory, not a file", path);
	if (!S_ISREG(status->st_mode))
		return maui_error_set(error, EINVAL, "%s: is %s, not a regular file", path,
				      type_name(status->st_mode));
	if (status->st_size > (off_t)limit)
		return maui_error_set(error, EFBIG,
				      "%s: has %lld bytes, more than the limit of %zu", path,
				      (long long)status->st_size, limit);
	return 0;
}

/* Everything up to the end of the file, which may have grown since it was checked. */
static int file_read_all(int fd, const char *path, size_t limit, size_t expected, char **ret_text,
			 size_t *ret_size, struct maui_error *error)
{
	size_t room = expected + 2, size = 0; /* one byte to see the end, one for the NUL */
	char *text = maui_malloc(room, 1);

	while (size <= limit) {
		ssize_t got;

		text = maui_grow(text, size + 2, &room, 1);
		got = read(fd, text + size, room - 1 - size);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			int code = errno;

			free(text);
			return file_fail(error, code, path);
		}
		if (got == 0) {
			text[size] = '\0';
			*ret_text = text;
			*ret_size = size;
			return 0;
		}
		size += got;
	}
	free(text);
	return maui_error_set(error, EFBIG, "%s: has more bytes than the limit of %zu", path,
			      limit);
}

int maui_file_read(const char *path, size_t limit, const unsigned int *also, char **ret_text,
		   size_t *ret_size, bool *ret_trusted, struct maui_error *error)
{
	struct stat status;
	int fd, rc;

	if (!path || !*path || !ret_text || !ret_size)
		return maui_error_set(error, EINVAL, "no file is named");
	/*
	 * Checked twice: opening a device may have side effects, and only what was opened counts.
	 */
	if (stat(path, &status))
		return file_fail(error, errno, path);
	rc = check_type(path, &status, limit, error);
	if (rc)
		return rc;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return file_fail(error, errno, path);
	if (fstat(fd, &status)) {
		int code = errno;

		close(fd);
		return file_fail(error, code, path);
	}
	rc = check_type(path, &status, limit, error);
	if (!rc)
		rc = file_read_all(fd, path, limit, status.st_size, ret_text, ret_size, error);
	close(fd);
	if (!rc && ret_trusted)
		*ret_trusted = maui_path_is_safe(path, also, &status, error);
	return rc;
}
