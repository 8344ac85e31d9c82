/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is wrong with a file, as `maui check` collects it, and notes about what could not be
 * checked. Out of memory, the command ends (json.h).
 */
#ifndef MAUI_FINDINGS_H
#define MAUI_FINDINGS_H

#include <json-c/json.h>

#include "common/config/config.h"

struct findings {
	struct json_object *problems; /* as maui_report_problems() makes them */
	struct json_object *notes;    /* texts */
	struct json_object *useless;  /* those problems that say that a line has no effect */
	int errors, warnings;         /* once they are counted */
};

void findings_begin(struct findings *ret_findings);
void findings_clear(struct findings *findings);

void findings_error(struct findings *findings, const struct maui_origin *origin, const char *text);
/* The same for a file as a whole, without a line: one that cannot be read. */
void findings_file_error(struct findings *findings, const char *path, const char *text);
void findings_file_warn(struct findings *findings, const char *path, const char *text);
void findings_warn(struct findings *findings, const struct maui_origin *origin, const char *format,
		   ...) __attribute__((format(printf, 3, 4)));
/* The same for a line that has no effect. */
void findings_useless(struct findings *findings, const struct maui_origin *origin,
		      const char *format, ...) __attribute__((format(printf, 3, 4)));
void findings_note(struct findings *findings, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Sort by line within each file (files stay in the order of their first problem), and count. */
void findings_finish(struct findings *findings);

#endif
