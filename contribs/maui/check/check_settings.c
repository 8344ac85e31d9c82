/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What lines mean for this site as a whole: directories, and words that stand for everybody. */
#include "contribs/maui/check/check.h"

#include <errno.h>
#include <stdio.h>
#include <strings.h>
#include <sys/stat.h>

#include "common/policy/fairshare/fairshare.h"

/* Why an absolute path is not a directory; NULL: it is one, or this host cannot see it. */
static const char *lack_of_directory(const char *path)
{
	struct stat status;

	if (!stat(path, &status))
		return S_ISDIR(status.st_mode) ? NULL : "is not a directory";
	return errno == ENOENT || errno == ENOTDIR ? "does not exist" : NULL;
}

static void check_directory(const struct maui_config *config, struct findings *findings)
{
	const struct maui_value *value = maui_config_get(config, MAUI_KEY_STATDIR, NULL);
	const char *lack = *value->text == '/' ? lack_of_directory(value->text) : NULL;
	char text[512];

	if (!lack)
		return;
	snprintf(text, sizeof(text),
		 "STATDIR: %.300s %s: make it for SlurmUser; until slurmctld can use it, "
		 "fairshare's files are kept in StateSaveLocation",
		 value->text, lack);
	findings_error(findings, &value->origin, text);
}

/* ALL is a word of ADMIN3 only: other rights cannot be given to everybody. */
static void check_everybody(const struct maui_config *config, struct findings *findings)
{
	static const enum maui_key keys[] = {MAUI_KEY_ADMIN1, MAUI_KEY_ADMIN2};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct maui_value *value = maui_config_get(config, keys[i], NULL);

		for (size_t j = 0; value && j < value->list_size; j++)
			if (!strcasecmp(value->list[j], "ALL"))
				findings_warn(findings, &value->origin,
					      "%s: ALL gives nobody this right: only ADMIN3 may be "
					      "given to everybody",
					      value->key->name);
	}
}

static void check_fairshare(const struct maui_config *config, struct findings *findings)
{
	static const enum maui_key keys[] = {MAUI_KEY_FSINTERVAL, MAUI_KEY_FSDEPTH,
					     MAUI_KEY_FSDECAY, MAUI_KEY_USEMACHINESPEEDFORFS};
	struct maui_fairshare_settings settings;

	maui_fairshare_settings(config, &settings);
	for (size_t i = 0; settings.metric == MAUI_FS_OFF && i < sizeof(keys) / sizeof(keys[0]);
	     i++) {
		const struct maui_value *value = maui_config_get(config, keys[i], NULL);

		if (maui_value_given(value))
			findings_useless(findings, &value->origin,
					 "%s has no effect: FSPOLICY is [NONE], so nothing is "
					 "counted; write FSPOLICY DEDICATEDPS",
					 value->key->name);
	}
}

void check_settings(const struct maui_config *config, struct findings *findings)
{
	check_directory(config, findings);
	check_everybody(config, findings);
	check_fairshare(config, findings);
}
