/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wraps a struct maui_reader: appends each file that it reads to one text, with
 * #INCLUDE overwritten by ##NCLUDE, which is a comment.
 */
#include "common/config/flat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/config/text/sources.h"
#include "common/util/memory.h"

/* Neither a last line without an end nor one that a backslash continues joins the next file. */
#define BEHIND "\n\n"

/* Files beyond it are refused anyway, but only once they have been read. */
#define LIMIT (MAUI_TOTAL_LIMIT + MAUI_SOURCES_LIMIT * strlen(BEHIND))

static void flat_keep(struct maui_flat *flat, const char *read, size_t size)
{
	char *text = maui_realloc(flat->text, flat->size + size + sizeof(BEHIND), 1), *at;

	flat->text = text;
	memcpy(text + flat->size, read, size);
	memcpy(text + flat->size + size, BEHIND, sizeof(BEHIND));
	/* '#' followed by anything but INCLUDE is a comment. */
	for (at = text + flat->size; (at = strstr(at, "#INCLUDE")); at++)
		at[0] = at[1] = '#';
	flat->size += size + strlen(BEHIND);
}

static int read_flat(void *context, const char *path, const char *including, char **ret_text,
		     size_t *ret_size, bool *ret_trusted, struct maui_error *error)
{
	struct maui_flat *flat = context;
	int rc = flat->from.read(flat->from.context, path, including, ret_text, ret_size,
				 ret_trusted, error);

	if (rc)
		return rc;
	if (*ret_size + strlen(BEHIND) > LIMIT - flat->size) {
		free(*ret_text);
		*ret_text = NULL;
		return maui_error_set(error, EFBIG, "%s: all files together are too large", path);
	}
	flat_keep(flat, *ret_text, *ret_size);
	return 0;
}

struct maui_reader maui_flat_reader(struct maui_flat *flat)
{
	return (struct maui_reader){.read = read_flat, .context = flat};
}
