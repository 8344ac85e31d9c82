/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits as Maui 3.0 wrote them: a parameter for each of the soft and the hard
 * limit, and one for whether it applies. They become USERCFG[DEFAULT]
 * MAXJOB=soft,hard and its like once all lines are read.
 */
#ifndef MAUI_CONFIG_OLDLIMITS_H
#define MAUI_CONFIG_OLDLIMITS_H

#include "common/config/keys/legacy.h"
#include "common/config/text/origin.h"

#define MAUI_OLD_LIMITS 18 /* six metrics of three credentials */

struct maui_old_limit {
	enum maui_section section;
	const struct maui_key_info *key;
	int64_t hard, soft;        /* 0 none */
	bool hard_off, soft_off;   /* ...POLICY OFF */
	struct maui_origin origin; /* of the first line */
	const char *name;          /* of that line's parameter */
	uint32_t records[4];       /* of hard, soft and their POLICY lines: record.h */
};

struct maui_old_limits {
	struct maui_old_limit items[MAUI_OLD_LIMITS];
	size_t count;
};

struct maui_parser;

/* One such line. text is its value. */
void maui_old_limit_read(struct maui_parser *parser, const struct maui_legacy *legacy,
			 const char *name, const char *text, struct maui_origin origin);
/* Turn all of them into values. */
void maui_old_limits_finish(struct maui_parser *parser);

#endif
