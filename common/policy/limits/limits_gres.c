/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What jobs hold of GRES, D-GRES-2: a usage of its own for each GRES with limits, in which units
 * count as processors. It has only those jobs that have the GRES, so that all others pay nothing.
 */
#include <stdlib.h>

#include "common/policy/limits/limits_private.h"
#include "common/util/memory.h"

int limit_gres_reserve(struct maui_limit_usage *usage, const struct maui_limit_job *job,
		       enum maui_limit_mode mode)
{
	int rc = 0;

	LIMIT_EACH_GRES(usage->gres_mask & maui_gres_mask(job->gres), i)
	{
		struct maui_limit_job as_procs = limit_gres_job(job, i);

		if (!rc)
			rc = maui_limit_usage_reserve(usage->gres[i], &as_procs, mode);
	}
	return rc;
}

void limit_gres_add(struct maui_limit_usage *usage, struct maui_limit_holding *holding)
{
	uint32_t mask = usage->gres_mask & maui_gres_mask(holding->job.gres);
	struct limit_gres_holding *all =
		maui_calloc(1, sizeof(*all) + (size_t)__builtin_popcount(mask) * sizeof(*holding));
	struct maui_limit_holding *own = all->holding;

	LIMIT_EACH_GRES(mask, i)
	{
		struct maui_limit_job as_procs = limit_gres_job(&holding->job, i);

		/* Its cells have been reserved: it cannot fail. */
		maui_limit_usage_add(usage->gres[i], own++, &as_procs, holding->ends);
	}
	all->next = usage->gres_holdings;
	all->link = &usage->gres_holdings;
	if (all->next)
		all->next->link = &all->next;
	usage->gres_holdings = all;
	holding->gres = all;
}

void limit_gres_take(struct maui_limit_usage *usage, struct maui_limit_holding *holding)
{
	struct limit_gres_holding *all = holding->gres;
	struct maui_limit_holding *own = all->holding;

	LIMIT_EACH_GRES(usage->gres_mask & maui_gres_mask(holding->job.gres), i)
	maui_limit_usage_take(usage->gres[i], own++);
	*all->link = all->next;
	if (all->next)
		all->next->link = all->link;
	free(all);
	holding->gres = NULL;
}

void limit_gres_free(struct maui_limit_usage *usage)
{
	while (usage->gres_holdings) {
		struct limit_gres_holding *next = usage->gres_holdings->next;

		free(usage->gres_holdings);
		usage->gres_holdings = next;
	}
	for (unsigned int i = 0; i < MAUI_GRES_NAMES; i++)
		maui_limit_usage_free(usage->gres[i]);
}
