/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Usage as files tell it: windows whose credentials are known by their names alone. */
#ifndef MAUI_FS_USAGE_H
#define MAUI_FS_USAGE_H

#include "common/policy/fairshare/fairshare_file.h"
#include "common/util/intern.h"

struct fs_usage {
	struct maui_fairshare *windows;
	struct maui_intern *names[MAUI_CREDENTIALS];
};

/* Empty windows, the current one being that of now. False when memory is short. */
bool fs_usage_new(const struct maui_fairshare_settings *settings, int64_t now,
		  struct fs_usage *ret_usage);
void fs_usage_clear(struct fs_usage *usage);

/* The id of a name, given now if it has none. 0 when memory is short. */
uint32_t fs_usage_id(struct fs_usage *usage, enum maui_credential type, const char *name);

/*
 * What directory/FS.<start> says becomes window k; usage == NULL: it is only judged. 0; -EBADMSG:
 * it is damaged, and the error tells "line L, column C: ..."; or another negative errno: it cannot
 * be read, and the error says why.
 */
int fs_usage_load(struct fs_usage *usage, const char *directory, int64_t start, uint32_t k,
		  struct maui_fairshare_file *ret_file, struct maui_error *error);

#endif
