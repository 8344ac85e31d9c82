/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens or creates the directory of FS files, and writes files by
 * maui_file_put() for a given uid and its primary group.
 */
#include "contribs/maui/fs/fs_store.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/util/files/file_put.h"

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

int fs_store_put(const struct fs_store *store, const char *name, const char *text, size_t size,
		 bool replace, struct maui_error *error)
{
	const struct maui_file_put how = {.keeps = !replace,
					  .foreign = true,
					  .chowns = store->chowns,
					  .uid = store->uid,
					  .gid = store->gid};
	int rc = maui_file_put(store->fd, name, text, size, &how);

	if (rc)
		return maui_error_set(error, -rc, "cannot write %s/%s: %s", store->path, name,
				      strerror(-rc));
	return 0;
}
