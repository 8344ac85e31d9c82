/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads an FS file of at most 128 MB into window k: each name gets an id, and
 * each amount goes to maui_fairshare_set().
 */
#include "contribs/maui/fs/fs_usage.h"

#include <errno.h>
#include <stdlib.h>

#include "common/util/files/file.h"
#include "contribs/maui/fs/fs_directory.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/text.h"

#define FILE_LIMIT ((size_t)128 << 20) /* the engine's: a million credentials */

struct loading {
	struct fs_usage *usage;
	uint32_t k;
};

void fs_usage_new(const struct maui_fairshare_settings *settings, int64_t now,
		  struct fs_usage *ret_usage)
{
	struct fs_usage usage = {.windows = maui_fairshare_new(settings, now)};

	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		usage.names[type] = maui_intern_new();
	*ret_usage = usage;
}

void fs_usage_clear(struct fs_usage *usage)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		maui_intern_free(usage->names[type]);
	maui_fairshare_free(usage->windows);
	*usage = (struct fs_usage){0};
}

uint32_t fs_usage_id(struct fs_usage *usage, enum maui_credential type, const char *name)
{
	uint32_t id = maui_intern_add(usage->names[type], name);

	maui_fairshare_reserve(usage->windows, type, maui_intern_count(usage->names[type]));
	return id;
}

static int take_line(void *context, enum maui_credential type, const char *name, double amount)
{
	const struct loading *loading = context;
	uint32_t id = MAUI_NO_CREDENTIAL;

	if (type != MAUI_FS_TOTAL)
		id = fs_usage_id(loading->usage, type, name);
	maui_fairshare_set(loading->usage->windows, type, id, loading->k, amount);
	return 0;
}

static int fs_usage_judge(int rc, struct maui_error *error)
{
	return rc == -EINVAL ? -EBADMSG : rc;
}

const char *fs_usage_fault(int rc)
{
	if (rc == -ENOTSUP)
		return "later";
	return rc == -EBADMSG ? "damaged" : "unreadable";
}

int fs_usage_load(struct fs_usage *usage, const char *directory, int64_t start, uint32_t k,
		  struct maui_fairshare_file *ret_file, struct maui_error *error)
{
	struct loading loading = {.usage = usage, .k = k};
	char name[FS_NAME_SIZE], *path, *text;
	size_t size;
	int rc;

	fs_file_name(start, name);
	path = text_printf("%s/%s", directory, name);
	rc = maui_file_read(path, FILE_LIMIT, NULL, &text, &size, NULL, error);
	free(path);
	if (rc)
		return rc;
	rc = fs_usage_judge(maui_fairshare_file_read(text, size, usage ? take_line : NULL, &loading,
						     ret_file, error),
			    error);
	free(text);
	return rc;
}
