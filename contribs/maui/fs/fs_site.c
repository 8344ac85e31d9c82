/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads maui.cfg, and slurm.conf by slurm_site_read() if needed, and resolves
 * STATDIR below StateSaveLocation/maui.
 */
#include "contribs/maui/fs/fs_site.h"

#include <stdlib.h>
#include <string.h>

#include "contribs/maui/lib/text.h"

static int load_config(const char *path, struct maui_config **ret_config)
{
	const struct maui_reader reader = maui_file_reader(NULL);
	struct maui_error error;
	size_t errors;

	if (maui_config_load(path, &reader, ret_config, &error) < 0)
		return fail(EXIT_ERRORS, "%s", error.text);
	errors = maui_config_errors(*ret_config);
	if (!errors)
		return EXIT_OK;
	*ret_config = maui_config_unref(*ret_config);
	return fail(EXIT_ERRORS, "%s has %zu error%s: `maui check %s`", path, errors,
		    errors == 1 ? "" : "s", path);
}

/* As the engine does: below StateSaveLocation/maui unless it is absolute. */
static char *fs_site_resolve(const struct fs_site *site)
{
	const struct maui_value *value = maui_config_get(site->config, MAUI_KEY_STATDIR, NULL);
	const char *name = value && value->text ? value->text : "";

	if (*name == '/')
		return text_copy(name);
	if (!*name || !site->knows_slurm || !*site->slurm.state_directory)
		return NULL;
	return text_printf("%s/%s", site->slurm.state_directory, name);
}

int fs_site_load(const struct cli *cli, bool needs_slurm, struct fs_site *ret_site)
{
	struct fs_site site = {0};
	int code;

	if (needs_slurm || !cli->config_file)
		site.knows_slurm = slurm_site_read(cli->timeout, &site.slurm, &site.why) == 0;
	if (!cli->config_file && !site.knows_slurm)
		return fail_usage(cli, "which maui.cfg? --configfile names it (%s)", site.why.text);
	code = load_config(cli->config_file ? cli->config_file : site.slurm.maui_cfg, &site.config);
	if (code)
		return code;
	maui_fairshare_settings(site.config, &site.settings);
	site.stat_directory = fs_site_resolve(&site);
	*ret_site = site;
	return EXIT_OK;
}

void fs_site_clear(struct fs_site *site)
{
	maui_config_unref(site->config);
	free(site->stat_directory);
	*site = (struct fs_site){0};
}

const char *fs_site_directory(const struct fs_site *site)
{
	if (!site->stat_directory)
		complain("STATDIR of maui.cfg lies below StateSaveLocation, which is not known: %s",
			 *site->why.text ? site->why.text : "slurm.conf does not say");
	return site->stat_directory;
}

bool fs_site_counts_other(const struct fs_site *site, const struct maui_fairshare_file *file)
{
	char metric[MAUI_FS_METRIC_SIZE];

	maui_fairshare_metric_name(&site->settings, metric);
	return *file->metric && site->settings.metric != MAUI_FS_OFF &&
	       strcmp(file->metric, metric) != 0;
}
