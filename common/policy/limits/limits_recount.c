/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the active jobs, added up one by one, are what the usage has. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "common/policy/limits/limits_private.h"
#include "common/util/memory.h"

static const struct limit_active nothing;

/* -EUCLEAN if two cells differ; what says whose they are. */
static int limits_recount_compare(const struct maui_limit_usage *usage,
				  const struct limit_active *kept,
				  const struct limit_active *counted, const char *what, uint64_t id,
				  struct maui_error *error)
{
	struct limit_line ours = limit_used_in(usage, kept);
	struct limit_line right = limit_used_in(usage, counted);

	for (unsigned int metric = 0; metric < MAUI_LIMIT_METRICS; metric++)
		if (ours.value[metric] != right.value[metric])
			return maui_error_set(error, EUCLEAN,
					      "usage of %s %" PRIu64
					      ", metric %s, is kept as %" PRId64
					      ", but a recount gives %" PRId64,
					      what, id, maui_limit_metric_info(metric)->name,
					      ours.value[metric], right.value[metric]);
	return 0;
}

static const struct limit_active *active_or_nothing(const struct maui_limit_usage *usage,
						    unsigned int type, uint32_t id)
{
	return id < usage->cells[type].count ? &usage->cells[type].active[id] : &nothing;
}

static int compare_holders(const struct maui_limit_usage *usage,
			   const struct maui_limit_usage *counted, unsigned int type,
			   struct maui_error *error)
{
	uint32_t ours = usage->cells[type].count, right = counted->cells[type].count;
	const char *what = type == MAUI_WHOLE_SYSTEM ? "the system" : maui_credential_name(type);
	int rc = 0;

	for (uint32_t id = 0; !rc && (id < ours || id < right); id++)
		rc = limits_recount_compare(usage, active_or_nothing(usage, type, id),
					    active_or_nothing(counted, type, id), what, id, error);
	return rc;
}

static int limits_recount_compare_all(const struct maui_limit_usage *usage,
				      const struct maui_limit_usage *counted,
				      struct maui_error *error)
{
	int rc = 0;

	for (unsigned int type = 0; !rc && type < MAUI_LIMIT_HOLDERS; type++)
		rc = compare_holders(usage, counted, type, error);
	for (uint32_t i = 1; !rc && i <= usage->pairs.count; i++) {
		uint32_t other = limit_map_find(&counted->pairs, usage->pairs.keys[i]);

		rc = limits_recount_compare(usage, &usage->pair_cells.active[i],
					    other ? &counted->pair_cells.active[other] : &nothing,
					    "pair", usage->pairs.keys[i], error);
	}
	for (uint32_t i = 1; !rc && i <= counted->pairs.count; i++)
		if (!limit_map_find(&usage->pairs, counted->pairs.keys[i]))
			rc = limits_recount_compare(usage, &nothing, &counted->pair_cells.active[i],
						    "pair", counted->pairs.keys[i], error);
	LIMIT_EACH_GRES(usage->gres_mask, i)
	if (!rc)
		rc = limits_recount_compare_all(usage->gres[i], counted->gres[i], error);
	return rc;
}

int maui_limit_usage_recount(const struct maui_limit_usage *usage,
			     const struct maui_limit_holding *const *holdings, size_t count,
			     struct maui_error *error)
{
	struct maui_limit_usage *counted = limit_usage_like(usage);
	struct maui_limit_holding *copies = maui_calloc(count, sizeof(*copies));
	int rc;

	/* They have been added to the usage: it cannot fail. */
	for (size_t i = 0; i < count; i++)
		maui_limit_usage_add(counted, &copies[i], &holdings[i]->job, holdings[i]->ends);
	rc = limits_recount_compare_all(usage, counted, error);
	maui_limit_usage_free(counted);
	free(copies);
	return rc;
}
