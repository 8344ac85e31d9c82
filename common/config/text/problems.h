/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The problems of one configuration while it is read. Their number is bounded, so that a broken
 * file does not cause a flood.
 */
#ifndef MAUI_CONFIG_PROBLEMS_H
#define MAUI_CONFIG_PROBLEMS_H

#include "common/config/text/problem.h"
#include "common/util/arena.h"

#define MAUI_PROBLEMS_KEPT     250u   /* of each severity */
#define MAUI_PROBLEMS_RECORDED 10000u /* the same, if every line is recorded */

struct maui_problem_item {
	struct maui_problem problem;
	unsigned int file; /* files are in the order of reading */
	unsigned int sequence;
};

struct maui_problems {
	struct maui_arena *arena; /* holds the texts */
	struct maui_problem_item *items;
	size_t count, room;
	size_t found[2];          /* by severity, those not kept included */
	size_t kept;              /* how many of each are kept; 0: MAUI_PROBLEMS_KEPT */
	const char *const *files; /* origin.file is one of these pointers */
	size_t file_count;
};

/* Whether one more of this severity would be kept, for texts that are expensive to make. */
bool maui_problems_wanted(const struct maui_problems *problems, enum maui_severity severity);

/*
 * Returns the problem, so that the caller can add to it; NULL if it is not kept. Valid until the
 * next one is added.
 */
struct maui_problem *maui_problem_add(struct maui_problems *problems, enum maui_severity severity,
				      struct maui_origin origin, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * Sort them by files and lines into an array in the arena; a last one says how many more there are.
 * Frees the rest; problems may just be zeroed.
 */
void maui_problems_finish(struct maui_problems *problems, struct maui_problem **ret_list,
			  size_t *ret_count);

#endif
