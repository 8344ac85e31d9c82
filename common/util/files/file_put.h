/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file that is whole whenever the machine stops: written to a temporary file, synced, renamed,
 * and the directory synced. */
#ifndef MAUI_UTIL_FILE_PUT_H
#define MAUI_UTIL_FILE_PUT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct maui_file_put {
	bool keeps; /* an existing file: -EEXIST */
	/* The directory may belong to another user: no existing file in it is written to or
	 * followed, and a temporary file that a killed run left is removed. */
	bool foreign;
	bool chowns; /* to this owner; otherwise the process owns it */
	uid_t uid;
	gid_t gid;
};

/* The data as name in the directory, mode 0600. If it fails, what was there stays. 0 or a negative
 * errno. */
int maui_file_put(int directory_fd, const char *name, const void *data, size_t size,
		  const struct maui_file_put *how);

#endif
