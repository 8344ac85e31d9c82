/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Usage as read from files: windows whose credentials are known only by name. */
#ifndef MAUI_FS_USAGE_H
#define MAUI_FS_USAGE_H

#include "common/policy/fairshare/fairshare_file.h"
#include "common/util/intern.h"

struct fs_usage {
	struct maui_fairshare *windows;
	struct maui_intern *names[MAUI_CREDENTIALS];
};

/* Empty windows; now is in the current one. */
void fs_usage_new(const struct maui_fairshare_settings *settings, int64_t now,
		  struct fs_usage *ret_usage);
void fs_usage_clear(struct fs_usage *usage);

/* The id of a name, assigned if it has none. */
uint32_t fs_usage_id(struct fs_usage *usage, enum maui_credential type, const char *name);

/*
 * Loads directory/FS.<start> into window k; usage == NULL: only checks it. 0; -EBADMSG: it is
 * damaged, and the error says "line L, column C: ..."; -ENOTSUP: it is of a later version; or another negative errno: it cannot be
 * read, and the error says why.
 */
int fs_usage_load(struct fs_usage *usage, const char *directory, int64_t start, uint32_t k,
		  struct maui_fairshare_file *ret_file, struct maui_error *error);

/* Its error in a word: "later", "damaged", "unreadable". */
const char *fs_usage_fault(int rc);

#endif
