/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The limits of one maui.cfg: the table of all metrics that every job has, and one for each GRES. */
#include <stdio.h>
#include <stdlib.h>

#include "common/policy/limits/limits_private.h"
#include "common/util/memory.h"

/* A table for each GRES with limits. */
static void add_gres(struct maui_limits *limits, const struct maui_config *config,
		     const struct maui_limit_names *names, int64_t now)
{
	const char *const *name;
	size_t count = maui_config_gres(config, &name);

	limits->gres = maui_calloc(MAUI_GRES_NAMES, sizeof(*limits->gres));
	limits->gres_count = (unsigned int)count;
	for (unsigned int i = 0; i < count; i++) {
		struct maui_limits *own = limit_compile_one(config, names, now, i + 1);

		snprintf(limits->gres[i].name, sizeof(limits->gres[i].name), "%s", name[i]);
		if (own->modes) {
			limits->gres[i].limits = own;
			limits->gres_mask |= UINT32_C(1) << i;
			if (own->until < limits->until)
				limits->until = own->until;
		} else {
			maui_limits_free(own);
		}
	}
}

struct maui_limits *maui_limits_compile(const struct maui_config *config,
					const struct maui_limit_names *names, int64_t now)
{
	struct maui_limits *limits = limit_compile_one(config, names, now, 0);

	add_gres(limits, config, names, now);
	return limits;
}

size_t maui_limits_number_by(struct maui_limits *limits, const struct maui_config *other)
{
	struct limit_gres by_number[MAUI_GRES_NAMES] = {0};
	const char *const *names;
	size_t count = maui_config_gres(other, &names), dropped = 0;

	for (size_t i = 0; i < count; i++)
		snprintf(by_number[i].name, sizeof(by_number[i].name), "%s", names[i]);
	LIMIT_EACH_GRES(limits->gres_mask, i)
	{
		size_t number = 0;

		while (number < count && strcmp(names[number], limits->gres[i].name) != 0)
			number++;
		if (number < count)
			by_number[number].limits = limits->gres[i].limits;
		else {
			maui_limits_free(limits->gres[i].limits);
			dropped++;
		}
	}
	memcpy(limits->gres, by_number, sizeof(by_number));
	limits->gres_count = (unsigned int)count;
	limits->gres_mask = 0;
	for (unsigned int i = 0; i < count; i++)
		limits->gres_mask |= (uint32_t)(limits->gres[i].limits != NULL) << i;
	return dropped;
}

struct maui_limits *maui_limits_free(struct maui_limits *limits)
{
	if (!limits)
		return NULL;
	for (unsigned int type = 0; type < MAUI_LIMIT_HOLDERS; type++)
		free(limits->holders[type].records);
	for (unsigned int mode = 0; mode < MAUI_LIMIT_MODES; mode++)
		for (unsigned int level = 0; level < MAUI_LIMIT_LEVELS; level++)
			free(limits->lines[mode][level]);
	for (unsigned int i = 0; i < limits->gres_count; i++)
		maui_limits_free(limits->gres[i].limits);
	free(limits->gres);
	limit_map_clear(&limits->named);
	free(limits->named_reference);
	free(limits->override);
	free(limits->row_periods);
	free(limits->override_periods);
	free(limits->period_names);
	free(limits);
	return NULL;
}

int64_t maui_limits_until(const struct maui_limits *limits)
{
	return limits ? limits->until : MAUI_LIMITS_ALWAYS;
}

bool maui_limits_any(const struct maui_limits *limits, unsigned int modes)
{
	if (!limits || limits->modes & modes)
		return limits;
	LIMIT_EACH_GRES(limits->gres_mask, i)
	if (limits->gres[i].limits->modes & modes)
		return true;
	return false;
}

bool maui_limits_soft(const struct maui_limits *limits)
{
	if (!limits || limits->soft)
		return limits;
	LIMIT_EACH_GRES(limits->gres_mask, i)
	if (limits->gres[i].limits->soft)
		return true;
	return false;
}
