/* SPDX-License-Identifier: GPL-2.0-or-later */
/* FSPOLICY, FSINTERVAL, FSDEPTH and FSDECAY, and the resulting arithmetic of windows. */
#include <math.h>
#include <strings.h>

#include "common/policy/fairshare/fairshare.h"

static const char *const metrics[] = {
	[MAUI_FS_OFF] = "[NONE]",
	[MAUI_FS_DEDICATEDPS] = "DEDICATEDPS",
	[MAUI_FS_DEDICATEDPES] = "DEDICATEDPES",
	[MAUI_FS_UTILIZEDPS] = "UTILIZEDPS",
};
#define METRIC_COUNT (sizeof(metrics) / sizeof(metrics[0]))

const char *maui_fairshare_metric_name(enum maui_fs_metric metric)
{
	return metric < METRIC_COUNT ? metrics[metric] : metrics[MAUI_FS_OFF];
}

/* By name, not by the keyword's index: the key table is free to sort its keywords. */
static enum maui_fs_metric find_metric(const struct maui_value *value)
{
	const char *keyword = value->key->keywords[value->integer];

	for (unsigned int i = 0; i < METRIC_COUNT; i++)
		if (!strcasecmp(keyword, metrics[i]))
			return i;
	return MAUI_FS_OFF;
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
