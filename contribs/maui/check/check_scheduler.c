/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What slurm.conf says about the scheduler, against what limits need: jobs that may not start are
 * passed over, and do not use up the depth of a pass.
 */
#include "contribs/maui/check/check.h"

#include <inttypes.h>
#include <string.h>

#include "common/policy/limits/limits.h"
#include "common/util/slurm/sched_params.h"
#include "contribs/maui/slurm/slurm_facts.h"

static bool is_limit(const struct maui_value *value)
{
	switch (value->key->kind) {
	case MAUI_KIND_LIMIT:
	case MAUI_KIND_TIME_LIMIT:
	case MAUI_KIND_MEMORY_LIMIT:
		return value->limit.hard > 0;
	case MAUI_KIND_FSTARGET:
		return value->mark && strchr("%^", value->mark);
	default:
		return false;
	}
}

/* The first value in the file that can block jobs; NULL for none. */
static const struct maui_value *first_limit(const struct maui_config *config)
{
	const struct maui_value *first = NULL;

	for (enum maui_section section = MAUI_SYSCFG; section < MAUI_SECTIONS; section++) {
		const struct maui_object *const *objects;
		size_t count = maui_config_objects(config, section, &objects);

		for (size_t i = 0; i < count; i++) {
			const struct maui_value *const *values;
			size_t value_count = maui_object_values(objects[i], &values);

			for (size_t k = 0; k < value_count; k++)
				if (is_limit(values[k]) &&
				    (!first || values[k]->order < first->order))
					first = values[k];
		}
	}
	return first;
}

/* The first line of a reservation, if a scheduler must respect it. */
static const struct maui_value *backfill_line(const struct maui_config *config,
					      const struct maui_value *limit)
{
	const struct maui_value *value = maui_config_get(config, MAUI_KEY_BACKFILLPOLICY, NULL);

	return value && maui_value_given(value) && strcasecmp(value->text, "NONE") != 0 ? value
											: limit;
}

static void check_depth(struct findings *findings, const struct maui_value *limit,
			const struct slurm_facts *facts, enum maui_sched_param which)
{
	int64_t depth = maui_sched_value(facts->words[SLURM_PARAMETERS], which, NULL);
	int64_t otherwise = maui_sched_range(which)->otherwise;
	const char *key = maui_sched_range(which)->name;
	int64_t wanted = facts->pending > otherwise ? facts->pending : otherwise;

	if (depth >= wanted)
		return;
	findings_warn(findings, &limit->origin,
		      "%s: SchedulerParameters=%s=%" PRId64
		      " in slurm.conf is low: a pass looks at only that many jobs, including those "
		      "over a limit (%" PRId64 " jobs wait now); write %s=%" PRId64 " or more",
		      limit->key->name, key, depth, facts->pending, key, wanted * 2);
}

void check_scheduler(const struct maui_config *config, struct findings *findings,
		     const struct slurm_facts *facts)
{
	const struct maui_value *limit = first_limit(config), *line = backfill_line(config, limit);
	bool backfills = !strcmp(facts->words[SLURM_SCHEDULER], "sched/backfill");
	const char *parameters = facts->words[SLURM_PARAMETERS];

	if (line && !backfills)
		findings_warn(
			findings, &line->origin,
			"%s: SchedulerType=%s in slurm.conf: nothing passes the first job that "
			"cannot start; write SchedulerType=sched/backfill",
			line->key->name, facts->words[SLURM_SCHEDULER]);
	else if (line &&
		 maui_sched_value(parameters, MAUI_SCHED_INTERVAL, NULL) == MAUI_SCHED_NO_BACKFILL)
		findings_warn(findings, &line->origin,
			      "%s: SchedulerParameters=bf_interval=-1 in slurm.conf turns backfill "
			      "off: nothing passes the first job that cannot start; write another "
			      "bf_interval",
			      line->key->name);
	if (!limit)
		return;
	if (!maui_sched_main_reserve(parameters))
		findings_warn(
			findings, &limit->origin,
			"%s: SchedulerParameters in slurm.conf lacks bf_min_prio_reserve=2: a "
			"job that is found to be over a limit holds up its partition for a pass",
			limit->key->name);
	check_depth(findings, limit, facts, MAUI_SCHED_QUEUE_DEPTH);
	if (backfills)
		check_depth(findings, limit, facts, MAUI_SCHED_MAX_JOB_TEST);
}
