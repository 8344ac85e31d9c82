/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of FS.<begin>, the usage of one fairshare window: chapter 6.3.2.3, D-FS-1;
 * contribs/doc/state-files.md is its specification. Text in memory only: no files, no clock.
 *
 * It reads both dialects, in any case: the manual's (User, Group, Account, QOS, Class, TOTAL) and
 * the original program's (user, group, acct, qos, class, sched). It writes the manual's, with four
 * comments of our own, "# Metric:", "# Counted until:", "# Steady clock:" and "# End:".
 */
#ifndef MAUI_POLICY_FAIRSHARE_FILE_H
#define MAUI_POLICY_FAIRSHARE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "common/policy/fairshare/fairshare.h"
#include "common/util/error.h"

#define MAUI_FS_NAME_SIZE 1024 /* of a credential's name, NUL included */

/* For "counted": the file does not say. */
#define MAUI_FS_NOT_SAID INT64_MIN

#define MAUI_FS_BOOT_SIZE 40 /* of a boot's name, NUL included */

/* A clock that nobody sets, which begins anew with each boot of each machine. */
struct maui_fairshare_clock {
	int64_t milliseconds;
	char boot[MAUI_FS_BOOT_SIZE]; /* ""; there is none */
};

enum maui_fs_dialect {
	MAUI_FS_NO_HEADER, /* the first line is neither; the rest is still read */
	MAUI_FS_MANUAL,    /* # Fairshare Data File ... */
	MAUI_FS_ORIGINAL,  /* # FS Data File ... */
};

/* What a file says apart from usage. */
struct maui_fairshare_file {
	enum maui_fs_dialect dialect;
	int64_t duration; /* "(Duration: N seconds)" in its first line; 0: not given */
	int64_t counted;  /* "# Counted until: N", epoch seconds; MAUI_FS_NOT_SAID */
	struct maui_fairshare_clock clock; /* "# Steady clock: N ms BOOT", at that time */
	char metric[MAUI_FS_METRIC_SIZE];  /* "# Metric: DEDICATEDPS"; "": it does not say */
	bool has_total; /* false: the original's empty window, a file with only a header */
	size_t entries; /* lines of usage, the total's included */
	size_t unknown; /* lines of an unknown type, which were skipped */
};

/*
 * One line of usage, in file order; a later one replaces an earlier one of the same type and name.
 * For the total, type is MAUI_FS_TOTAL and the name "". The name is valid until the function
 * returns. A return value other than 0 stops the reading and becomes its result.
 *
 * The original's files may contain usage of the QOS DEFAULT, which is that of jobs without a QOS.
 * When the original reads them back, DEFAULT is not a credential: skip lines of that name.
 */
typedef int maui_fairshare_visitor(void *context, enum maui_credential type, const char *name,
				   double usage);

/*
 * Read size bytes. visit (may be NULL) is called only once the whole text is
 * known to be sound: a damaged file changes nothing. 0; -EINVAL if it is
 * damaged or truncated, and the error says why: "line L, column C: ...";
 * -ENOTSUP if it is of a later version (D-SYS-13); or what visit returned.
 * ret_file may be NULL. The caller bounds the size; time is linear in it, and
 * no memory is allocated.
 */
int maui_fairshare_file_read(const char *text, size_t size, maui_fairshare_visitor *visit,
			     void *context, struct maui_fairshare_file *ret_file,
			     struct maui_error *error);

/* The name of an id, valid until the writing is done; NULL: it has none and is not written. */
typedef const char *maui_fairshare_namer(void *context, enum maui_credential type, uint32_t id);

/* What to write. */
struct maui_fairshare_output {
	const char *starting; /* the window's start, for people: maui_fairshare_file_date() */
	const char *metric;   /* maui_fairshare_metric_name(); "" or NULL: omitted */
	int64_t counted;      /* usage up to this time is included; MAUI_FS_NOT_SAID: omitted */
	maui_fairshare_namer *name;
	void *context;
	struct maui_fairshare_clock clock; /* at that time; no boot: omitted */
};

/*
 * The text of window k, malloc'ed: credentials by type and name, without those that used nothing,
 * then the total. *ret_skipped (may be NULL) counts those with usage whose name cannot be written:
 * longer than 1023 bytes, empty, or containing a blank, a control character or '#'. Their usage
 * stays in the total. 0; -EINVAL for k >= FSDEPTH.
 */
int maui_fairshare_file_write(const struct maui_fairshare *fs, uint32_t k,
			      const struct maui_fairshare_output *output, char **ret_text,
			      size_t *ret_size, size_t *ret_skipped);

#define MAUI_FS_DATE_SIZE 20

/*
 * "Fri Aug 18 18:00:00", as in the header: the first 19 characters of ctime(), whatever the locale.
 * Fields out of range are shown as '?'. Returns text.
 */
const char *maui_fairshare_file_date(const struct tm *date, char text[MAUI_FS_DATE_SIZE]);

#endif
