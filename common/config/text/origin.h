/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A place in the text of a configuration. */
#ifndef MAUI_CONFIG_ORIGIN_H
#define MAUI_CONFIG_ORIGIN_H

/*
 * Where a word stands: always a file, a line and a column, the last two from 1 on. The reader
 * creates origins; those of values, objects, records and problems are copies.
 */
struct maui_origin {
	const char *file;
	unsigned int line;
	unsigned int column; /* in bytes */
};

#endif
