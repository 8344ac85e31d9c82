/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a running engine would overwrite what is put into its STATDIR. */
#ifndef MAUI_FS_ENGINE_H
#define MAUI_FS_ENGINE_H

#include "contribs/maui/fs/fs_site.h"
#include "contribs/maui/service/engine_request.h"

/* Where the site's engine is, and who SlurmUser is; slurmctld is not asked unless necessary.
 * Returns an exit code. */
int fs_engine_find(const struct cli *cli, const struct fs_site *site, struct engine *ret_engine);

/* EXIT_OK: none runs, or it does not write to directory, which --to has named (NULL: it has not).
 * Otherwise says what is wrong and returns an exit code. */
int fs_engine_permits(const struct engine *engine, const struct fs_site *site,
		      const char *directory);

#endif
