/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What maui.cfg and slurm.conf say about the fairshare files, read on this host: slurmctld may be
 * down. */
#ifndef MAUI_FS_SITE_H
#define MAUI_FS_SITE_H

#include "common/config/config.h"
#include "common/policy/fairshare/fairshare_file.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/slurm/slurm_site.h"

struct fs_site {
	struct maui_config *config;
	struct maui_fairshare_settings settings;
	char *stat_directory; /* STATDIR as the engine resolves it; NULL: not known */
	bool knows_slurm;
	struct slurm_site slurm;
	struct maui_error why; /* why slurm.conf is not known */
};

/*
 * --configfile's maui.cfg, or the one that slurm.conf names. slurm.conf is read only if needed:
 * needs_slurm, or to find maui.cfg. A file with errors is refused. Says what is wrong and returns
 * an exit code.
 */
int fs_site_load(const struct cli *cli, bool needs_slurm, struct fs_site *ret_site);
void fs_site_clear(struct fs_site *site);

/* STATDIR, or NULL after saying why it is unknown. */
const char *fs_site_directory(const struct fs_site *site);

/* Whether a file counts another metric than FSPOLICY: the engine does not count its usage. */
bool fs_site_counts_other(const struct fs_site *site, const struct maui_fairshare_file *file);

#endif
