/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Problems of FS files, collected and printed as `maui check` does its own. */
#ifndef MAUI_FS_PROBLEMS_H
#define MAUI_FS_PROBLEMS_H

#include "contribs/maui/lib/findings.h"

struct fs_problems {
	struct findings findings;
	size_t printed; /* how many have been */
};

void fs_problems_begin(struct fs_problems *ret_problems);
void fs_problems_clear(struct fs_problems *problems);

/* A problem of FS.<start> in a directory, or of the directory itself (start < 0). A text that
 * begins with "line L, column C: " is shown at that place. */
void fs_problem(struct fs_problems *problems, const char *directory, int64_t start,
		const char *text);
void fs_warning(struct fs_problems *problems, const char *directory, int64_t start,
		const char *format, ...) __attribute__((format(printf, 4, 5)));

/* FILE:LINE:COLUMN: error|warning: TEXT to standard error: those that have not been printed. */
void fs_problems_print(struct fs_problems *problems);

/* EXIT_OK, EXIT_WARNINGS or EXIT_ERRORS. */
int fs_problems_code(const struct fs_problems *problems);

#endif
