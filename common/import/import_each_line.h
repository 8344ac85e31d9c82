/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A text that is read line by line, up to the first one with a fault; and who hears of faults. */
#ifndef MAUI_IMPORT_EACH_LINE_H
#define MAUI_IMPORT_EACH_LINE_H

#include "common/replay/slurm_conf/conf_lines.h"

struct maui_import_complaints {
	void (*complain)(void *context, const struct maui_conf_place *place, const char *text);
	void *context;
};

struct maui_import_lines {
	const struct maui_import_complaints *complaints;
	const char *path;
	bool wrong; /* something was complained of */
	/* the present line */
	const char *line;
	uint32_t number;
};

/*
 * Calls take for each line, a copy in the arena that may be changed, until something is wrong. The
 * text need not end with NUL.
 */
void maui_import_each_line(struct maui_import_lines *lines, struct maui_arena *arena,
			   const char *text, size_t size, void (*take)(void *context, char *line),
			   void *context);

/* at: in the present line. */
void maui_import_complain(struct maui_import_lines *lines, const char *at, const char *text);

/* Of the text as a whole, at its beginning. */
void maui_import_complain_of_all(struct maui_import_lines *lines, const char *text);

#endif
