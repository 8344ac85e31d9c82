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
		   MAUI_FS_CAP_ABSOLUTE, /* 10^: hard, units of FSPOLICY */
};

struct maui_fstarget {
	double value; /* percent; units of FSPOLICY for MAUI_FS_CAP_ABSOLUTE */
	enum maui_fsmode mode;
};

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
