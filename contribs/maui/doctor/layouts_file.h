/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What slurm-build/layouts has written down: of a package's plugins, where the members of Slurm's
 * records are, by a hash of it all, and which slurmctld was found to have them there; and, on a host,
 * which others have been since then. Both are texts, with a line for each fact.
 */
#ifndef MAUI_LAYOUTS_FILE_H
#define MAUI_LAYOUTS_FILE_H

#include <stdbool.h>

#define LAYOUTS_HASH_SIZE 65

enum layouts_fit {
	LAYOUTS_NOT_KNOWN,
	LAYOUTS_SAME_SOURCE, /* that slurmctld was built from the source of the plugins' headers */
	LAYOUTS_COMPARED,    /* its debugging information has each member at its place */
};

/* The package's file, up to its first record. 0; -EINVAL: it is no such file. */
int layouts_parse(const char *text, const char *build_id, char ret_hash[LAYOUTS_HASH_SIZE],
		  enum layouts_fit *ret_fit);

/* Whether a host's file says that this slurmctld was compared with plugins of these layouts. */
bool layouts_remembered(const char *text, const char *hash, const char *build_id);

#endif
