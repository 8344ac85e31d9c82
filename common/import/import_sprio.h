/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Points of waiting jobs, as sprio prints them. */
#ifndef MAUI_IMPORT_SPRIO_H
#define MAUI_IMPORT_SPRIO_H

#include "common/import/import_each_line.h"
#include "common/import/import_factors.h"

/* For its -o: sprio of all releases takes these letters. */
#define MAUI_SPRIO_FORMAT "%i|%r|%Y|%A|%B|%F|%J|%P|%Q|%f|%T"

/* A job in one of its partitions. */
struct maui_sprio_row {
	int64_t job;
	const char *partition;
	int64_t priority;
	double points[MAUI_IMPORT_FACTORS];
	double fairshare; /* 0 to 1: sshare's FairShare of its association */
	double tres;      /* of all of PriorityWeightTRES */
};

struct maui_sprio {
	struct maui_arena *arena;
	struct maui_sprio_row *rows; /* by job, then partition */
	size_t count, room;
};

/*
 * What `sprio -h -o MAUI_SPRIO_FORMAT` prints. 0, or -EINVAL if there was
 * something to complain of. Must be cleared in either case.
 */
int maui_sprio_read(struct maui_sprio *ret_sprio, const char *path, const char *text, size_t size,
		    const struct maui_import_complaints *complaints);
void maui_sprio_clear(struct maui_sprio *sprio);

/* NULL: sprio does not show the job in this partition. O(log n). */
const struct maui_sprio_row *maui_sprio_find(const struct maui_sprio *sprio, int64_t job,
					     const char *partition);

#endif
