/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the windows' files are: STATDIR, or the engine's own directory while STATDIR is unusable,
 * so that nothing is counted in memory only.
 *
 * If STATDIR is another directory, the engine's own keeps a copy of all windows, written along with
 * them. When STATDIR disappears, its stand-in starts from that copy, and so from everything
 * counted; when STATDIR is back, its files are replaced. If a window was not in the copy because
 * STATDIR had never been seen before, its file is added to what was counted. A file beside the copy
 * lists the windows the stand-in started with, so that a restart continues with it and does not
 * mistake the files of a returned STATDIR for the whole.
 */
#ifndef MAUI_ENGINE_FAIRSHARE_PLACE_H
#define MAUI_ENGINE_FAIRSHARE_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/policy/fairshare/fairshare.h"
#include "common/util/error.h"

struct fairshare_place {
	char *directory;
	char *mirror;  /* another directory, for a copy; NULL: none */
	char *missing; /* the STATDIR that directory stands in for; NULL: it is STATDIR */
};

/*
 * named: STATDIR's full path; own: the engine's directory for statistics. Takes ownership of both;
 * either may be NULL. If the last directory of an absolute STATDIR does not exist it is created,
 * except in shadow mode. Waits for the disk: no lock held.
 */
struct fairshare_place fairshare_place_find(char *named, char *own, bool absolute);
void fairshare_place_clear(struct fairshare_place *place);
bool fairshare_place_same(const struct fairshare_place *a, const struct fairshare_place *b);

/* The windows, by start time, for which the directory that stands in for STATDIR lacks nothing that
 * STATDIR has. */
struct fairshare_known {
	int64_t start[MAUI_FS_MAX_DEPTH];
	size_t count;
};

bool fairshare_known_has(const struct fairshare_known *known, int64_t start);

/* Whether the engine's own directory stands in for that STATDIR, or did when the engine ended: 0;
 * and for which windows it is complete. -ENOENT: it does not; -EAGAIN: that cannot be read now. */
int fairshare_known_load(const char *own, const char *named, struct fairshare_known *ret_known,
			 struct maui_error *why);
int fairshare_known_save(const char *own, const char *named, const struct fairshare_known *known,
			 struct maui_error *error);
int fairshare_known_drop(const char *own, struct maui_error *error);

#endif
