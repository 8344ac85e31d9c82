/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiles names, GRES, limits and fairshare windows of maui.cfg for a trace.
 * Recompiles limits when a PERIODCFG period begins or ends.
 */
#include "common/replay/queue/site_policy.h"

#include <stdlib.h>
#include <string.h>

#include "common/config/config.h"
#include "common/config/default_name.h"
#include "common/replay/queue/site_usage.h"
#include "common/util/memory.h"

static bool is_numeric(enum maui_credential type)
{
	return type == MAUI_USER || type == MAUI_GROUP;
}

/* ---- names ---- */

/* A user's or group's number is that of its name in the trace. */
static enum maui_answer number_of(void *context, enum maui_credential type, const char *name,
				  uint32_t *ret_number)
{
	const struct site_replay *replay = context;

	*ret_number = maui_intern_find(replay->trace->names[type], name);
	return *ret_number ? MAUI_ANSWER_FOUND : MAUI_ANSWER_NONE;
}

static void policy_unknown(void *context, enum maui_credential type, const char *name)
{
	struct site_replay *replay = context;

	(void)type;
	if (!maui_is_default(name))
		replay->counts->unknown++;
}

struct maui_limit_names site_configured(struct site_replay *replay)
{
	return maui_names_configured(replay->names);
}

static void map_type(struct site_replay *replay, enum maui_credential type)
{
	uint32_t count = maui_intern_count(replay->trace->names[type]);
	uint32_t *id = maui_calloc(count + 1, sizeof(*id));

	replay->id[type] = id;
	for (uint32_t i = 1; i <= count; i++)
		id[i] = is_numeric(type) ? maui_names_of_number(replay->names, type, i)
					 : maui_names_of_text(
						   replay->names, type,
						   maui_intern_name(replay->trace->names[type], i));
}

static void open_names(struct site_replay *replay)
{
	struct maui_principals_service service = {number_of, policy_unknown, replay};

	replay->principals = maui_principals_new(replay->site->policy->config, &service);
	replay->names = maui_names_new();
	maui_names_bind(replay->names, replay->site->policy, replay->principals);
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		map_type(replay, (enum maui_credential)type);
}

/* ---- GRES ---- */

static const struct maui_gres *read_gres(const struct site_replay *replay, uint32_t id,
					 const char *const *names, size_t count)
{
	struct maui_gres_amounts amounts = {0};

	for (size_t i = 0; i < count; i++)
		maui_gres_set(&amounts, i, maui_replay_gres_amount(replay->trace, id, names[i]));
	return maui_gres_intern(replay->gres_table, &amounts);
}

/* Of each GRES that maui.cfg names, what the trace's jobs ask for. */
static void open_gres(struct site_replay *replay)
{
	uint32_t kinds = maui_intern_count(replay->trace->gres);
	const char *const *names;
	size_t count = maui_config_gres(replay->site->policy->config, &names);

	if (!count || !kinds)
		return;
	replay->gres_table = maui_gres_table_new();
	replay->gres = maui_calloc(kinds + (size_t)1, sizeof(*replay->gres));
	for (uint32_t i = 1; i <= kinds; i++)
		replay->gres[i] = read_gres(replay, i, names, count);
}

/* ---- what changes with time alone ---- */

/* Outstanding time shrinks. */
static bool is_outstanding(enum maui_key key)
{
	for (int metric = 0; metric < MAUI_LIMIT_METRICS; metric++) {
		const struct maui_limit_metric_info *info =
			maui_limit_metric_info((enum maui_limit_metric)metric);

		for (int form = 0; info->outstanding && form < MAUI_LIMIT_FORMS; form++)
			if (info->key[form] == key)
				return true;
	}
	return false;
}

static bool object_drifts(const struct maui_object *object)
{
	const struct maui_value *const *values;
	size_t count = maui_object_values(object, &values);

	for (size_t i = 0; i < count; i++)
		if (is_outstanding(values[i]->key->key) ||
		    (values[i]->key->kind == MAUI_KIND_FSTARGET &&
		     (values[i]->mark == '%' || values[i]->mark == '^')))
			return true;
	return false;
}

/*
 * Caps go by windows, periods begin and end, outstanding time shrinks, and idle and soft limits go by
 * the order of priorities.
 */
static bool policy_drifts(const struct site_replay *replay)
{
	static const enum maui_section sections[] = {
		MAUI_USERCFG, MAUI_GROUPCFG, MAUI_ACCOUNTCFG,
		MAUI_QOSCFG,  MAUI_CLASSCFG, MAUI_SYSCFG,
	};
	const struct maui_config *config = replay->site->policy->config;

	if (maui_limits_until(replay->limits) != MAUI_LIMITS_ALWAYS ||
	    maui_limits_any(replay->limits, MAUI_LIMIT_BIT(MAUI_LIMIT_IDLE)) ||
	    maui_limits_soft(replay->limits))
		return true;
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		const struct maui_object *const *objects;
		size_t count = maui_config_objects(config, sections[i], &objects);

		for (size_t j = 0; j < count; j++)
			if (object_drifts(objects[j]))
				return true;
	}
	return false;
}

/* ---- what goes by them ---- */

static void open_turnover(struct site_replay *replay)
{
	replay->turnover = 1;
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		size_t count = maui_names_count(replay->names, (enum maui_credential)type);

		replay->turned[type] = maui_calloc(count + 1, sizeof(*replay->turned[type]));
	}
}

static void open_limits(struct site_replay *replay)
{
	const struct maui_config *config = replay->site->policy->config;
	struct maui_limit_names names = site_configured(replay);
	const struct maui_object *const *objects;

	replay->limits = maui_limits_compile(config, &names, replay->now);
	replay->qos = maui_qos_access_compile(config, &names);
	replay->drifts = policy_drifts(replay);
	replay->whole_system = maui_config_objects(config, MAUI_SYSCFG, &objects) != 0;
	if (!maui_limits_any(replay->limits, MAUI_LIMIT_ALL_MODES))
		return;
	replay->usage = maui_limit_usage_new(replay->limits, replay->now);
	open_turnover(replay);
}

/* What runs is counted under the limits now in force. */
static int count_again(struct site_replay *replay)
{
	maui_limit_usage_free(replay->usage);
	replay->usage = maui_limit_usage_new(replay->limits, replay->now);
	for (struct site_running *run = replay->runs; run; run = run->next) {
		struct maui_limit_job job = run->holding.job;
		int64_t ends = run->holding.ends;
		int rc;

		run->holding = (struct maui_limit_holding){.job = job, .ends = ends};
		rc = maui_limit_usage_add(replay->usage, &run->holding, &job, ends);
		if (rc)
			return rc;
	}
	return 0;
}

int site_policy_renew(struct site_replay *replay)
{
	struct maui_limit_names names = site_configured(replay);
	struct maui_limits *limits;
	int rc;

	if (replay->now < maui_limits_until(replay->limits))
		return 0;
	limits = maui_limits_compile(replay->site->policy->config, &names, replay->now);
	maui_limits_free(replay->limits);
	replay->limits = limits;
	rc = count_again(replay);
	/* The engine iterates at once. */
	replay->iterated = replay->now - replay->site->policy->interval;
	replay->changed = replay->dirty = true;
	return rc;
}

static int open_windows(struct site_replay *replay)
{
	struct maui_fairshare_settings settings;
	int rc;

	maui_fairshare_settings(replay->site->policy->config, &settings);
	if (settings.metric == MAUI_FS_OFF)
		return 0;
	replay->windows = maui_fairshare_new(&settings, replay->now);
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		maui_fairshare_reserve(replay->windows, (enum maui_credential)type,
				       maui_names_count(replay->names, (enum maui_credential)type));
	rc = site_usage_load(replay);
	if (!rc)
		maui_names_fairshare(replay->names, replay->windows);
	return rc;
}

int site_policy_open(struct site_replay *replay)
{
	open_names(replay);
	open_gres(replay);
	open_limits(replay);
	return open_windows(replay);
}

void site_policy_clear(struct site_replay *replay)
{
	maui_limit_usage_free(replay->usage);
	maui_limits_free(replay->limits);
	maui_qos_access_free(replay->qos);
	maui_fairshare_free(replay->windows);
	free(replay->gres);
	maui_gres_table_unref(replay->gres_table);
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		free(replay->turned[type]);
		free(replay->id[type]);
	}
	maui_names_free(replay->names);
	maui_principals_free(replay->principals);
}
