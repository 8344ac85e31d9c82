/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file that programs and people read while it is written anew, again and again. */
#ifndef MAUI_FILE_REPLACE_H
#define MAUI_FILE_REPLACE_H

#include <stdio.h>

/*
 * Readers of the path find the old text or the new one, never a part: what print() writes goes into
 * a temporary file beside it, which is renamed. Readable for all, as far as the umask allows.
 * A device or FIFO is written to as it is. A symbolic link to a file is refused, since it would be
 * replaced, and following it would let whoever owns its directory choose what is overwritten.
 * EXIT_OK, or says what is wrong.
 */
int file_replace(const char *path, void (*print)(FILE *file, const void *what), const void *what);

#endif
