/* SPDX-License-Identifier: GPL-2.0-or-later */
/* FSPOLICY, FSINTERVAL, FSDEPTH and FSDECAY, and the resulting arithmetic of windows. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/policy/fairshare/fairshare_private.h"

static const char *const metrics[] = {
	[MAUI_FS_OFF] = "[NONE]",
	[MAUI_FS_DEDICATEDPS] = "DEDICATEDPS",
	[MAUI_FS_DEDICATEDPES] = "DEDICATEDPES",
	[MAUI_FS_UTILIZEDPS] = "UTILIZEDPS",
	[MAUI_FS_DEDICATEDGRES] = "DEDICATEDGRES",
};

const char *maui_fairshare_metric_name(const struct maui_fairshare_settings *settings,
				       char text[MAUI_FS_METRIC_SIZE])
{
	enum maui_fs_metric metric =
		settings->metric < MAUI_FS_METRICS ? settings->metric : MAUI_FS_OFF;

	if (metric == MAUI_FS_DEDICATEDGRES)
		snprintf(text, MAUI_FS_METRIC_SIZE, "%s[%s]", metrics[metric], settings->gres_name);
	else
		snprintf(text, MAUI_FS_METRIC_SIZE, "%s", metrics[metric]);
	return text;
}

bool maui_fairshare_metric_find(const char *text, struct maui_fairshare_settings *settings)
{
	size_t length = strlen(metrics[MAUI_FS_DEDICATEDGRES]), size = strlen(text);

	*settings->gres_name = '\0';
	for (enum maui_fs_metric metric = MAUI_FS_OFF; metric < MAUI_FS_DEDICATEDGRES; metric++) {
		if (strcmp(text, metrics[metric]) != 0)
			continue;
		settings->metric = metric;
		return true;
	}
	if (size < length + 3 || strncmp(text, metrics[MAUI_FS_DEDICATEDGRES], length) != 0 ||
	    text[length] != '[' || text[size - 1] != ']' ||
	    !maui_gres_is_name(text + length + 1, size - length - 2))
		return false;
	settings->metric = MAUI_FS_DEDICATEDGRES;
	snprintf(settings->gres_name, sizeof(settings->gres_name), "%.*s", (int)(size - length - 2),
		 text + length + 1);
	return true;
}

const char *maui_fairshare_unit(enum maui_fs_metric metric)
{
	switch (metric) {
	case MAUI_FS_DEDICATEDPES:
		return "PE-seconds";
	case MAUI_FS_DEDICATEDGRES:
		return "GRES-seconds";
	default:
		return "processor-seconds";
	}
}

double maui_fairshare_rate(const struct maui_fairshare_settings *settings, double procs, double pe,
			   const struct maui_gres *gres)
{
	switch (settings->metric) {
	case MAUI_FS_DEDICATEDPES:
		return pe;
	case MAUI_FS_DEDICATEDGRES:
		return gres && settings->gres ? (double)gres->amounts.amount[settings->gres - 1]
					      : 0;
	default:
		return procs;
	}
}

/* By name, not by the keyword's index: the key table is free to sort its keywords. */
static enum maui_fs_metric find_metric(const struct maui_value *value)
{
	const char *keyword = value->key->keywords[value->integer];

	for (unsigned int i = 0; i < MAUI_FS_METRICS; i++)
		if (!strcasecmp(keyword, metrics[i]))
			return i;
	return MAUI_FS_OFF;
}

static unsigned int gres_number(const struct maui_config *config, const char *name)
{
	const char *const *names;
	size_t count = maui_config_gres(config, &names);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(names[i], name))
			return (unsigned int)i + 1;
	return 0;
}

void maui_fairshare_number(struct maui_fairshare *fs, const struct maui_config *config)
{
	fs->settings.gres = gres_number(config, fs->settings.gres_name);
}

void maui_fairshare_settings(const struct maui_config *config,
			     struct maui_fairshare_settings *ret_settings)
{
	/* The key table's defaults, for callers without a configuration. */
	struct maui_fairshare_settings settings = {
		.metric = MAUI_FS_OFF, .interval = 86400, .depth = 7, .decay = 1};
	const struct maui_value *value;

	*ret_settings = settings;
	if (!config)
		return;
	value = maui_config_get(config, MAUI_KEY_FSPOLICY, NULL);
	if (value && value->key->keywords) {
		settings.metric = find_metric(value);
		settings.ratio = value->flag;
		if (settings.metric == MAUI_FS_DEDICATEDGRES && value->list_size)
			snprintf(settings.gres_name, sizeof(settings.gres_name), "%s",
				 value->list[0]);
		settings.gres = gres_number(config, settings.gres_name);
	}
	/* Their ranges are the key table's; maui_fairshare_new() checks them again. */
	if ((value = maui_config_get(config, MAUI_KEY_FSINTERVAL, NULL)))
		settings.interval = value->integer;
	if ((value = maui_config_get(config, MAUI_KEY_FSDEPTH, NULL)))
		settings.depth = (uint32_t)value->integer;
	if ((value = maui_config_get(config, MAUI_KEY_FSDECAY, NULL)))
		settings.decay = value->real;
	*ret_settings = settings;
}

int64_t maui_fairshare_window(int64_t interval, int64_t time)
{
	int64_t into;

	if (interval < 1)
		interval = 1;
	into = time % interval;
	if (into < 0) /* before 1970: still the multiple before it, not the one after */
		into += interval;
	return time < INT64_MIN + into ? INT64_MIN : time - into;
}

double maui_fairshare_weight(double decay, uint32_t k)
{
	return k ? pow(decay, k) : 1; /* pow(0, 0) is 1, too */
}
