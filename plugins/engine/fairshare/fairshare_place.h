/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the windows' files are: STATDIR, or the engine's own directory for as long as STATDIR
 * cannot be used, so that nothing is counted in memory alone.
 *
 * Where STATDIR is another directory the engine's own has a copy of all windows, written along with
 * them. What stands in for a STATDIR that has gone begins with that copy, and so with all that was
 * counted; when STATDIR is back its files are replaced. Of a window that was not in the copy, as
 * STATDIR was never seen before, its file is added to what was counted. A file beside the copy
 * tells which windows it began with: a restart goes on with it, and does not take the files of a
 * STATDIR that is back for all there is.
 */
#ifndef MAUI_ENGINE_FAIRSHARE_PLACE_H
#define MAUI_ENGINE_FAIRSHARE_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/policy/fairshare/fairshare.h"
#include "common/util/error.h"

struct fairshare_place {
	char *directory; /* NULL when memory is short */
	char *mirror;    /* another one, for a copy; NULL: none */
	char *missing;   /* the STATDIR that directory stands in for; NULL: it is STATDIR */
};

/*
 * named: STATDIR's full path; own: the engine's directory for statistics. Both are taken over, and
 * may be NULL. The last directory of an absolute STATDIR is made where it is not there, but in
 * shadow mode. Waits for the disk: no lock held.
 */
struct fairshare_place fairshare_place_find(char *named, char *own, bool absolute);
void fairshare_place_clear(struct fairshare_place *place);
bool fairshare_place_same(const struct fairshare_place *a, const struct fairshare_place *b);

/* The windows, by their begin, of which nothing of STATDIR's is missing in the directory that
 * stands in for it. */
struct fairshare_known {
	int64_t start[MAUI_FS_MAX_DEPTH];
	size_t count;
};

bool fairshare_known_has(const struct fairshare_known *known, int64_t start);

/* Whether the engine's own directory stands in for that STATDIR, or did when the engine ended; and
 * since which windows. */
bool fairshare_known_load(const char *own, const char *named, struct fairshare_known *ret_known);
int fairshare_known_save(const char *own, const char *named, const struct fairshare_known *known,
			 struct maui_error *error);
void fairshare_known_drop(const char *own);

#endif
