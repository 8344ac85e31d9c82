/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is wrong with a file, as `maui check` collects it, and notes about what could not be
 * checked. Out of memory, the command ends (json.h).
 */
#ifndef MAUI_FINDINGS_H
#define MAUI_FINDINGS_H

#include <json-c/json.h>
#include <stdbool.h>

#include "common/config/config.h"

/* What an error of the parser means: slurmctld uses none of the file. */
#define MAUI_FILE_REFUSED "; the file is refused"

/* A problem. Line and column 0: the file as a whole. */
struct finding {
	size_t file; /* its number: findings_file() */
	unsigned int line, column;
	bool error;
	bool useless; /* it says that a line has no effect */
	char *text;
};

struct findings {
	struct finding *problems;
	size_t count, room;
	char **files; /* in the order of their first problem */
	size_t file_count, file_room;
	struct json_object *notes; /* texts */
	int errors, warnings;      /* once they are counted */
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
/* One of the configuration's own; an error's text ends with MAUI_FILE_REFUSED. */
void findings_problem(struct findings *findings, const struct maui_problem *problem);
void findings_note(struct findings *findings, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

const char *findings_file(const struct findings *findings, const struct finding *problem);
const char *findings_severity(const struct finding *problem);
/* [{"severity", "file", "line", "column", "text"}]; the caller's. */
struct json_object *findings_json(const struct findings *findings);

/* Sort by line within each file (files stay in the order of their first problem), and count. */
void findings_finish(struct findings *findings);

#endif
