/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contribs/maui/fs/fs_store.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void fs_store_own(struct fs_store *store, uid_t uid)
{
	const struct passwd *entry = getpwuid(uid);

	store->chowns = true;
	store->uid = uid;
	store->gid = entry ? entry->pw_gid : (gid_t)-1; /* -1: fchown() leaves it */
}

/* 0 or a negative errno. */
static int open_directory(struct fs_store *store, bool make)
{
	bool made = make && mkdir(store->path, 0700) == 0;

	if (make && !made && errno != EEXIST)
		return -errno;
	store->fd = open(store->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (store->fd < 0)
		return !make && errno == ENOENT ? 0 : -errno;
	if (made && store->chowns && fchown(store->fd, store->uid, store->gid))
		return -errno;
	return 0;
}

int fs_store_open(struct fs_store *store, bool make, struct maui_error *error)
{
	int rc = open_directory(store, make);

	if (!rc)
		return 0;
	fs_store_close(store);
	return maui_error_set(error, -rc, "cannot open the directory %s: %s", store->path,
			      strerror(-rc));
}

void fs_store_close(struct fs_store *store)
{
	if (store->fd >= 0)
		close(store->fd);
	store->fd = -1;
}

bool fs_store_has(const struct fs_store *store, const char *name)
{
	struct stat status;

	return store->fd >= 0 && fstatat(store->fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

static int write_all(int fd, const char *text, size_t size)
{
	while (size) {
		ssize_t written = write(fd, text, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -errno;
		text += written;
		size -= (size_t)written;
	}
	return fsync(fd) ? -errno : 0;
}

/* The directory may belong to a user other than root: no existing file in it is written to or
 * followed. */
static int write_new(const struct fs_store *store, const char *name, const char *text, size_t size)
{
	int fd, rc;

	if (unlinkat(store->fd, name, 0) && errno != ENOENT) /* left by a killed run */
		return -errno;
	fd = openat(store->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	rc = store->chowns && fchown(fd, store->uid, store->gid) ? -errno
								 : write_all(fd, text, size);
	if (close(fd) && !rc)
		rc = -errno;
	return rc;
}

/* Under its own name. linkat(), unlike renameat(), never replaces. */
static int publish(const struct fs_store *store, const char *temporary, const char *name,
		   bool replace)
{
	if (replace)
		return renameat(store->fd, temporary, store->fd, name) ? -errno : 0;
	if (linkat(store->fd, temporary, store->fd, name, 0))
		return -errno;
	return unlinkat(store->fd, temporary, 0) ? -errno : 0;
}

int fs_store_put(const struct fs_store *store, const char *name, const char *text, size_t size,
		 bool replace, struct maui_error *error)
{
	char temporary[64];
	int rc = -ENAMETOOLONG;

	if ((size_t)snprintf(temporary, sizeof(temporary), "%s.new", name) < sizeof(temporary))
		rc = write_new(store, temporary, text, size);
	if (!rc)
		rc = publish(store, temporary, name, replace);
	if (rc)
		unlinkat(store->fd, temporary, 0);
	else if (fsync(store->fd))
		rc = -errno;
	if (rc)
		return maui_error_set(error, -rc, "cannot write %s/%s: %s", store->path, name,
				      strerror(-rc));
	return 0;
}
