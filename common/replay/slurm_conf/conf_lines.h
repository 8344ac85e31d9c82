/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of slurm.conf, as Slurm splits them: KEY=VALUE words, where a value may stand in quotes and
 * blanks beside the sign; # begins a comment, a \ at the end of a line continues it, and anywhere
 * else it takes the next character as it is. Include FILE is followed.
 */
#ifndef MAUI_REPLAY_CONF_LINES_H
#define MAUI_REPLAY_CONF_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/arena.h"

#define MAUI_CONF_DEPTH 16  /* files that include each other */
#define MAUI_CONF_FILES 256 /* in all: two that include each other twice would have no end */

/* Lines and columns, in bytes, from 1 on. */
struct maui_conf_place {
	const char *file;
	uint32_t line, column;
};

struct maui_conf_word {
	const char *key, *value;
	struct maui_conf_place at, value_at;
};

struct maui_conf_reader {
	struct maui_arena *arena; /* the names of files stay there */
	/* A line, whose words are valid during the call. */
	void (*take)(void *context, const struct maui_conf_word *words, size_t count);
	/* The text of a file that is included: malloc'ed, and its whole path, which stays. False: it
	 * cannot be read, and that has been said. */
	bool (*open)(void *context, const struct maui_conf_place *place, const char *name,
		     const char **ret_path, char **ret_text, size_t *ret_size);
	void (*complain)(void *context, const struct maui_conf_place *place, const char *text);
	void *context;
};

/*
 * All lines of a text, which need not end with NUL. What cannot be split is complained about, and
 * left out.
 */
void maui_conf_read(const struct maui_conf_reader *reader, const char *path, const char *text,
		    size_t size);

#endif
