/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/unit/engine/faults.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static struct {
	enum faults_call call;
	unsigned int n;
	int code;
	bool go_on, failed;
	char where[320];
} wanted;

static unsigned int counts[FAULTS_CALLS];
static const char *bad_path;
static int bad_code;

static const char *const names[FAULTS_CALLS] = {"open",   "read",   "fstat", "write", "fsync",
						"rename", "unlink", "close", "user",  "group"};

const char *faults_name(enum faults_call call)
{
	return names[call];
}

void faults_begin(enum faults_call call, unsigned int n, int code)
{
	memset(counts, 0, sizeof(counts));
	wanted.call = call;
	wanted.n = n;
	wanted.code = code;
	wanted.go_on = wanted.failed = false;
	wanted.where[0] = '\0';
}

void faults_go_on(void)
{
	wanted.go_on = true;
}

int faults_end(void)
{
	wanted.n = 0;
	return wanted.failed;
}

void faults_path(const char *end, int code)
{
	bad_path = end;
	bad_code = code;
}

unsigned int faults_count(enum faults_call call)
{
	return counts[call];
}

const char *faults_where(void)
{
	return wanted.where;
}

static bool is_bad(const char *path)
{
	size_t size = strlen(path), end = bad_path ? strlen(bad_path) : 0;

	return end && size >= end && !strcmp(path + size - end, bad_path);
}

bool faults_fails(enum faults_call call, const char *what)
{
	bool reached =
		++counts[call] == wanted.n || (wanted.go_on && wanted.n && counts[call] > wanted.n);

	if (reached && call == wanted.call) {
		wanted.failed = true;
		snprintf(wanted.where, sizeof(wanted.where), "%s %s", names[call],
			 what ? what : "");
		errno = wanted.code;
		return true;
	}
	return false;
}

static const char *path_of(int fd, char path[256])
{
	char link[32];
	ssize_t size;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	size = readlink(link, path, 255);
	path[size < 0 ? 0 : size] = '\0';
	return path;
}

/* Files are below a directory of the test; sockets, pipes and the machine's own files are not. */
static bool is_ours(const char *path)
{
	return strstr(path, "/maui-engine-");
}

static bool fd_fails(enum faults_call call, int fd)
{
	char path[256];

	return is_ours(path_of(fd, path)) && faults_fails(call, path);
}

static bool path_fails(enum faults_call call, const char *path)
{
	return is_ours(path) && faults_fails(call, path);
}

/* The linker dictates these names. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
int __real_openat64(int directory, const char *path, int flags, ...);
int __wrap_openat64(int directory, const char *path, int flags, ...);
ssize_t __real_read(int fd, void *data, size_t size);
ssize_t __wrap_read(int fd, void *data, size_t size);
int __real_fstat64(int fd, struct stat *status);
int __wrap_fstat64(int fd, struct stat *status);
ssize_t __real_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size);
int __wrap_fsync(int fd);
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __real_renameat(int from_fd, const char *from, int to_fd, const char *to);
int __wrap_renameat(int from_fd, const char *from, int to_fd, const char *to);
int __real_unlink(const char *path);
int __wrap_unlink(const char *path);
int __real_unlinkat(int fd, const char *path, int flags);
int __wrap_unlinkat(int fd, const char *path, int flags);
int __real_close(int fd);
int __wrap_close(int fd);

int __wrap_open64(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list arguments;

	if (flags & O_CREAT) {
		va_start(arguments, flags);
		mode = va_arg(arguments, mode_t);
		va_end(arguments);
	}
	if (is_bad(path)) {
		errno = bad_code;
		return -1;
	}
	return path_fails(FAULTS_OPEN, path) ? -1 : __real_open64(path, flags, mode);
}

int __wrap_openat64(int directory, const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list arguments;
	char below[256];

	if (flags & O_CREAT) {
		va_start(arguments, flags);
		mode = va_arg(arguments, mode_t);
		va_end(arguments);
	}
	if (is_ours(path_of(directory, below)) && faults_fails(FAULTS_OPEN, path))
		return -1;
	return __real_openat64(directory, path, flags, mode);
}

ssize_t __wrap_read(int fd, void *data, size_t size)
{
	return fd_fails(FAULTS_READ, fd) ? -1 : __real_read(fd, data, size);
}

int __wrap_fstat64(int fd, struct stat *status)
{
	return fd_fails(FAULTS_FSTAT, fd) ? -1 : __real_fstat64(fd, status);
}

ssize_t __wrap_write(int fd, const void *data, size_t size)
{
	return fd_fails(FAULTS_WRITE, fd) ? -1 : __real_write(fd, data, size);
}

/* No test is about a machine that loses its power, and waiting for its disk takes most of the
 * time. */
int __wrap_fsync(int fd)
{
	return fd_fails(FAULTS_FSYNC, fd) ? -1 : 0;
}

int __wrap_rename(const char *from, const char *to)
{
	return path_fails(FAULTS_RENAME, from) ? -1 : __real_rename(from, to);
}

int __wrap_renameat(int from_fd, const char *from, int to_fd, const char *to)
{
	char below[256];

	if (is_ours(path_of(from_fd, below)) && faults_fails(FAULTS_RENAME, from))
		return -1;
	return __real_renameat(from_fd, from, to_fd, to);
}

int __wrap_unlink(const char *path)
{
	return path_fails(FAULTS_UNLINK, path) ? -1 : __real_unlink(path);
}

int __wrap_unlinkat(int fd, const char *path, int flags)
{
	char below[256];

	if (is_ours(path_of(fd, below)) && faults_fails(FAULTS_UNLINK, path))
		return -1;
	return __real_unlinkat(fd, path, flags);
}

/* It is closed all the same, as Linux does. */
int __wrap_close(int fd)
{
	bool failed = fd_fails(FAULTS_CLOSE, fd);
	int rc = __real_close(fd);

	if (!failed)
		return rc;
	errno = wanted.code;
	return -1;
}
/* NOLINTEND(bugprone-reserved-identifier) */
