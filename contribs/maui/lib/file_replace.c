/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a temporary file of mkostemp(), calls fsync() and renames it over the
 * path; devices and FIFOs are opened and written directly.
 */
#include "contribs/maui/lib/file_replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/text.h"

static mode_t file_replace_readable(void)
{
	mode_t mask = umask(022);

	umask(mask);
	return 0644 & ~mask;
}

/* Closes the file in any case. 0 or an errno. */
static int write_and_close(void (*print)(FILE *file, const void *what), const void *what, int fd)
{
	FILE *file = fdopen(fd, "w");
	int wrong = 0;

	if (!file) {
		wrong = errno;
		close(fd);
		return wrong;
	}
	print(file, what);
	if (fflush(file) || ferror(file) || fchmod(fd, file_replace_readable()) || fsync(fd))
		wrong = errno ? errno : EIO;
	if (fclose(file) && !wrong)
		wrong = errno;
	return wrong;
}

/* A device or FIFO stays what it is. */
static int write_into(const char *path, void (*print)(FILE *file, const void *what),
		      const void *what)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	int wrong = file ? 0 : errno;

	if (file) {
		print(file, what);
		if (fflush(file) || ferror(file))
			wrong = errno ? errno : EIO;
		if (fclose(file) && !wrong)
			wrong = errno;
	} else if (fd >= 0) {
		close(fd);
	}
	return wrong ? fail(EXIT_ERRORS, "cannot write %s: %s", path, strerror(wrong)) : EXIT_OK;
}

static int file_replace_regular(const char *path, void (*print)(FILE *file, const void *what),
				const void *what)
{
	char *beside = text_printf("%s.XXXXXX", path);
	int fd, wrong;

	fd = mkostemp(beside, O_CLOEXEC);
	if (fd < 0) {
		wrong = errno;
		free(beside);
		return fail(EXIT_ERRORS, "cannot write beside %s: %s", path, strerror(wrong));
	}
	wrong = write_and_close(print, what, fd);
	if (!wrong && rename(beside, path))
		wrong = errno;
	if (wrong)
		unlink(beside);
	free(beside);
	return wrong ? fail(EXIT_ERRORS, "cannot write %s: %s", path, strerror(wrong)) : EXIT_OK;
}

int file_replace(const char *path, void (*print)(FILE *file, const void *what), const void *what)
{
	struct stat target, own;

	if (!stat(path, &target) && !S_ISREG(target.st_mode))
		return write_into(path, print, what);
	if (!lstat(path, &own) && S_ISLNK(own.st_mode))
		return fail(EXIT_ERRORS,
			    "%s is a symbolic link, which would be replaced: name the file itself",
			    path);
	return file_replace_regular(path, print, what);
}
