/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fairshare as the original's `diagnose -f` shows it, and as JSON: D-SRV-3, "diagnose-fairshare" of
 * service.md. It takes plain structs, so that the engine's snapshot, the command's offline mode and
 * the vectors share the code.
 */
#ifndef MAUI_REPORT_FAIRSHARE_H
#define MAUI_REPORT_FAIRSHARE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/policy/fairshare/fairshare.h"
#include "common/util/principal_text.h"

/* One credential, or a type's DEFAULT. Amounts are processor-seconds. */
struct maui_report_fsrow {
	const char *name;
	bool unnamed;                /* a user or group that has only a number, and name is that */
	double sum;                  /* all windows, decayed */
	double percent;              /* of the total */
	struct maui_fstarget target; /* the one in force; a value of 0 is none */
	double usage[MAUI_FS_MAX_DEPTH];
};

struct maui_report_fairshare {
	struct maui_fairshare_settings settings;
	int64_t start; /* of window 0 */
	double sum;    /* the total of all windows, decayed */
	double total[MAUI_FS_MAX_DEPTH];
	const struct maui_report_fsrow *rows[MAUI_CREDENTIALS]; /* in display order */
	size_t count[MAUI_CREDENTIALS];
};

/* Everything but the rows; and one row. */
void maui_report_fairshare_fill(const struct maui_fairshare *fs,
				struct maui_report_fairshare *ret_fairshare);
void maui_report_fsrow_fill(const struct maui_fairshare *fs, enum maui_credential type, uint32_t id,
			    const char *name, const struct maui_fstarget *target,
			    struct maui_report_fsrow *ret_row);

/* Whether the original shows a row (without -v): it has used something, or has a target. */
bool maui_report_fsrow_shown(const struct maui_report_fsrow *row);

/*
 * The star after a name: below a floor, above a ceiling, or more than 5 percentage points off a
 * plain target. Nobody has one while nothing has been used at all.
 */
bool maui_report_fsrow_off_target(const struct maui_report_fairshare *fairshare,
				  const struct maui_report_fsrow *row);

/* Its name as text shows it: that of a user or group of digits as in FS files, since it may be
 * beside that number. type is the row's. */
const char *maui_report_fsrow_name(unsigned int type, const struct maui_report_fsrow *row,
				   char text[MAUI_PRINCIPAL_TEXT_SIZE]);

/* The order of rows: by name, a number after the name of these digits, DEFAULT last. For qsort(). */
int maui_report_fsrow_compare(const void *a, const void *b);

/*
 * The text of `diagnose -f`, malloc'ed. Shows every row: leaving some out is up to the caller.
 */
char *maui_report_fairshare_text(const struct maui_report_fairshare *fairshare);

/*
 * {"policy": "DEDICATEDPS", "ratio": false, "interval": S, "depth": N, "decay": D, "usage": PS,
 *  "windows": [{"start": T, "weight": D^k, "usage": PS}, ...],
 *  "credentials": {"user": [{"name", "usage": PS, "percent", "target": number or null,
 *                            "mode": "target"|"floor"|"ceiling"|"cap-percent"|"cap-ps" or null,
 *                            "mark": "", "off_target": bool, "windows": [PS, ...],
 *                            "unnamed": true (only of a number without a name)}, ...], ...}}
 */
struct json_object *maui_report_fairshare(const struct maui_report_fairshare *fairshare);

#endif
