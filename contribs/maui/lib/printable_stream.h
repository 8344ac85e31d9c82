/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that the command prints goes through this: printable UTF-8, line feeds and tabs pass, and '?'
 * stands for each other byte, so that no name of a job, account or file controls a terminal.
 */
#ifndef MAUI_PRINTABLE_STREAM_H
#define MAUI_PRINTABLE_STREAM_H

#include <stdio.h>

/*
 * A stream that writes to another one, which must outlive it. passed: sequences that pass, too,
 * NULL behind the last; at most PRINTABLE_SEQUENCE bytes each. NULL when memory is short.
 */
#define PRINTABLE_SEQUENCE 7
FILE *printable_stream(FILE *real, const char *const *passed);

#endif
