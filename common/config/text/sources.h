/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of a configuration in reading order. An included file is read after everything known by
 * then, as if it stood at the end.
 */
#ifndef MAUI_CONFIG_SOURCES_H
#define MAUI_CONFIG_SOURCES_H

#include "common/config/text/lexer.h"
#include "common/config/text/reader.h"

#define MAUI_TOTAL_LIMIT   33554432u /* of all files */
#define MAUI_SOURCES_LIMIT 100u
#define MAUI_DEPTH_LIMIT   16u

struct maui_source {
	const char *name; /* as shown and compared: relative to the including file */
	char *text;       /* malloc'ed; NULL once it has been read */
	size_t size;
	unsigned int depth; /* 0: the main file */
	size_t parent;      /* which source includes it */
};

struct maui_sources {
	struct maui_arena *arena;
	const struct maui_reader *reader; /* NULL: there are no files */
	struct maui_source items[MAUI_SOURCES_LIMIT];
	const char *names[MAUI_SOURCES_LIMIT]; /* the same names, for the problems */
	size_t count, total;
	const char *distrust; /* why the first one that is not trusted is not; NULL: all are */
};

/* The first source, whose text is taken over. distrust: why it is not trusted, copied, or NULL. */
void maui_sources_begin(struct maui_sources *sources, const char *name, char *text, size_t size,
			const char *distrust);
/* Add what source number `parent` includes. Anything wrong with it becomes a problem. */
void maui_sources_include(struct maui_sources *sources, struct maui_problems *problems,
			  size_t parent, const struct maui_include *include);
void maui_sources_end(struct maui_sources *sources);

#endif
