/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plugin of Slurm's own that one of ours wraps, loaded the way Slurm's plugin_load_from_file()
 * does. Programs that link libslurm.so and not libslurmfull.so have no such function, and they load
 * some of our plugins, too.
 */
#ifndef MAUI_INNER_FILE_H
#define MAUI_INNER_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct inner_symbol {
	const char *name;
	size_t offset; /* of its pointer in the caller's table */
};

/*
 * Loads the file, which must be of this very version of Slurm, finds the symbols, and calls its
 * init(). ret_ops is the caller's table of size bytes. On failure it is unchanged, the result is
 * NULL, and an error line that begins with `who` says why.
 */
void *inner_file_load(const char *path, const char *who, const struct inner_symbol *symbols,
		      size_t count, void *ret_ops, size_t size);

/* Calls its fini(). The file stays loaded, as with plugin_unload(). file may be NULL. */
void inner_file_end(void *file);

#endif
