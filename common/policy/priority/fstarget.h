/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fairshare targets, and the factors that usage gives with them: chapter 6.3. */
#ifndef MAUI_POLICY_FSTARGET_H
#define MAUI_POLICY_FSTARGET_H

#include <stdbool.h>
#include <stddef.h>

#include "common/util/error.h"

enum maui_fsmode { /* the numbers are the original's */
		   MAUI_FS_NONE,
		   MAUI_FS_TARGET,       /* 10 */
		   MAUI_FS_FLOOR,        /* 10+ */
		   MAUI_FS_CEILING,      /* 10- */
		   MAUI_FS_CAP_RELATIVE, /* 10%: hard, percent of the delivered cycles */
		   MAUI_FS_CAP_ABSOLUTE, /* 10^: hard, processor-seconds */
};

struct maui_fstarget {
	double value; /* percent; processor-seconds for MAUI_FS_CAP_ABSOLUTE */
	enum maui_fsmode mode;
};

/*
 * Read a target: a number and at most one mark. As in the original, exactly one character after the
 * number counts; *ret_rest points after what was read, so that the caller can warn of more. A text
 * without a number (NaN is not one) is a target of 0, which means none. -ERANGE if the number is
 * beyond a double's range.
 */
int maui_fstarget_parse(const char *text, struct maui_fstarget *ret_target, const char **ret_rest);

/* '\0' + - % ^, and back: any other character is a plain target. */
char maui_fstarget_mark(enum maui_fsmode mode);
enum maui_fsmode maui_fstarget_mode(char mark);

/*
 * The factor for usage_percent (of all delivered usage): percentage points below the target, or
 * with ratio (FSPOLICY...%) 1 - usage/target. Floors give no negative factor, ceilings no positive
 * one; caps and missing targets give 0.
 */
double maui_fstarget_factor(const struct maui_fstarget *target, double usage_percent, bool ratio);

#endif
