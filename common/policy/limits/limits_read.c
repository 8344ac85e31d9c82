/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads MAX, MAXI, OMAX, OMAXI, OMAXJ and SYSTEMMAX limits and QFLAGS. Values
 * of PERIODCFG periods in force precede plain ones.
 */
#include "common/policy/limits/limits_read.h"

#include <assert.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* For MAUI_LIMIT_KEYS, in its order. */
#define METRIC(NAME, ...) MAUI_LIMIT_##NAME
static const enum maui_limit_metric metric_of[] = {MAUI_LIMIT_METRIC_KEYS(METRIC, )};
static_assert(COUNT(metric_of) == MAUI_LIMIT_METRICS, "every limit metric has its keys");
/* For MAUI_GRES_KEYS: where the table of a GRES has them. */
static const enum maui_limit_metric of_gres[] = {MAUI_LIMIT_PROC, MAUI_LIMIT_PS};

/* The metric whose key of a form it is; false if there is none. */
static bool metric_of_key(enum maui_key key, enum maui_limit_form form, unsigned int gres,
			  enum maui_limit_metric *ret_metric)
{
	enum maui_limit_metric first = gres ? MAUI_LIMIT_GRES : MAUI_LIMIT_JOB;
	unsigned int offset = (unsigned int)key - maui_limit_metric_info(first)->key[form];

	if (offset >= (gres ? COUNT(of_gres) : COUNT(metric_of)))
		return false;
	*ret_metric = gres ? of_gres[offset] : metric_of[offset];
	return true;
}

static bool is_time_of_none(enum maui_limit_metric metric, int64_t hard)
{
	return metric == MAUI_LIMIT_WC && hard >= MAUI_INFINITY;
}

/* Set what is not set yet. Of a limit in maui.cfg the soft one is no more than the hard one. */
static void limits_read_set(struct limit_raw *raw, enum maui_limit_mode mode,
			    enum maui_limit_metric metric, int64_t soft, int64_t hard)
{
	int64_t *soft_place = &raw->value[mode][MAUI_LIMIT_SOFT][metric];
	int64_t *hard_place = &raw->value[mode][MAUI_LIMIT_HARD][metric];

	if (*hard_place || !hard)
		return;
	if (is_time_of_none(metric, hard))
		hard = -1;
	*hard_place = hard;
	*soft_place = soft;
}

/* A value's two levels. */
struct levels {
	int64_t soft, hard;
};

static struct levels levels_of(const struct maui_value *value)
{
	switch (value->key->kind) {
	case MAUI_KIND_LIMIT:
	case MAUI_KIND_TIME_LIMIT:
	case MAUI_KIND_MEMORY_LIMIT:
		return (struct levels){value->limit.soft, value->limit.hard};
	default:
		return (struct levels){value->integer, value->integer};
	}
}

/* Where a limit of an object stands: its values of the same key, GRES and dimension. */
struct place {
	struct limit_raw *raw;
	enum maui_limit_mode mode;
	enum maui_limit_metric metric;
	struct levels levels; /* of the periods in force: the lower ones; hard 0: there are none */
	uint8_t period;       /* whose hard level it is */
};

static int64_t limits_read_lower(int64_t a, int64_t b)
{
	if (a <= 0 || b <= 0)
		return a > b ? a : b;
	return a < b ? a : b;
}

/* A value of a period. */
static void see_period(struct place *place, const struct maui_value *value)
{
	struct levels levels = levels_of(value);
	uint32_t bit = UINT32_C(1) << (value->period - 1);

	if (!levels.hard) /* it is not set */
		return;
	place->raw->periods.of[place->mode][place->metric].mask |= bit;
	place->raw->period_modes |= MAUI_LIMIT_BIT(place->mode);
	place->raw->period_soft |= place->mode != MAUI_LIMIT_IDLE && levels.soft != levels.hard;
	if (!(place->raw->in_force & bit))
		return;
	if (is_time_of_none(place->metric, levels.hard))
		levels.hard = -1;
	if (!place->levels.hard) {
		place->levels = levels;
		place->period = (uint8_t)value->period;
		return;
	}
	if (limits_read_lower(place->levels.hard, levels.hard) != place->levels.hard)
		place->period = (uint8_t)value->period;
	place->levels = (struct levels){limits_read_lower(place->levels.soft, levels.soft),
					limits_read_lower(place->levels.hard, levels.hard)};
}

/*
 * The values of one limit, of which the one of no period comes first, if there is one. A value that
 * always holds has been found for it before: then its periods do not matter.
 */
static void set_values(struct limit_raw *raw, enum maui_limit_mode mode,
		       enum maui_limit_metric metric, const struct maui_value *const *values,
		       size_t count)
{
	const struct limit_period *period = &raw->periods.of[mode][metric];
	int64_t before = raw->value[mode][MAUI_LIMIT_HARD][metric];
	struct place place = {.raw = raw, .mode = mode, .metric = metric};
	size_t plain = count && !values[0]->period;

	if (before && !period->in_force)
		return;
	for (size_t i = plain; i < count; i++)
		see_period(&place, values[i]);
	if (place.levels.hard && !before) {
		limits_read_set(raw, mode, metric, place.levels.soft, place.levels.hard);
		raw->periods.of[mode][metric].in_force = place.period;
	}
	if (plain)
		limits_read_set(raw, mode, metric, levels_of(values[0]).soft,
				levels_of(values[0]).hard);
}

static bool limits_read_matches(const struct maui_value *value, const struct limit_filter *filter)
{
	if (value->gres != filter->gres || value->has_dimension != filter->dimension)
		return false;
	if (!filter->dimension)
		return true;
	if (value->dimension != filter->type || !value->dimension_name != !filter->name)
		return false;
	return !filter->name || !strcmp(value->dimension_name, filter->name);
}

/* Values of the same limit, but for their periods, stand one behind the other. */
static bool is_same_limit(const struct maui_value *a, const struct maui_value *b)
{
	return a->key == b->key && a->gres == b->gres && a->has_dimension == b->has_dimension &&
	       a->dimension == b->dimension && !a->dimension_name == !b->dimension_name &&
	       (!a->dimension_name || !strcmp(a->dimension_name, b->dimension_name));
}

static size_t same_limit(const struct maui_value *const *values, size_t count)
{
	size_t same = 1;

	while (same < count && values[same]->period && is_same_limit(values[0], values[same]))
		same++;
	return same;
}

/* The metrics of a form: MAUI_ATTR_MAXJOB and its kin. */
static void read_metrics(struct limit_raw *raw, enum maui_limit_mode mode,
			 enum maui_limit_form form, const struct maui_object *object,
			 const struct limit_filter *filter)
{
	const struct maui_value *const *values;
	size_t count = maui_object_values(object, &values);
	enum maui_limit_metric metric;

	for (size_t i = 0, same; i < count; i += same) {
		same = same_limit(&values[i], count - i);
		if (metric_of_key(values[i]->key->key, form, filter->gres, &metric) &&
		    limits_read_matches(values[i], filter))
			set_values(raw, mode, metric, &values[i], same);
	}
}

/* The metric whose only key of a form it is; false if there is none. */
static bool metric_of_only_key(enum maui_key key, enum maui_limit_form form, unsigned int gres,
			       enum maui_limit_metric *ret_metric)
{
	if (gres) {
		*ret_metric = of_gres[0];
		return maui_limit_metric_info(MAUI_LIMIT_GRES)->key[form] == key;
	}
	for (unsigned int metric = 0; metric < MAUI_LIMIT_METRICS; metric++) {
		*ret_metric = metric;
		if (maui_limit_metric_info(metric)->key[form] == key)
			return true;
	}
	return false;
}

/* A metric's key of a form; false if it has none. */
static bool has_key(unsigned int metric, enum maui_limit_form form, enum maui_key *ret_key)
{
	*ret_key = maui_limit_metric_info(metric)->key[form];
	return *ret_key != MAUI_KEYS;
}

/* The metrics that have a key of this form, each by itself. */
static void read_form(struct limit_raw *raw, enum maui_limit_mode mode, enum maui_limit_form form,
		      const struct maui_object *object, unsigned int gres)
{
	const struct maui_value *const *values;
	size_t count = maui_object_values(object, &values);
	enum maui_limit_metric metric;

	for (size_t i = 0, same; i < count; i += same) {
		same = same_limit(&values[i], count - i);
		if (values[i]->gres == gres &&
		    metric_of_only_key(values[i]->key->key, form, gres, &metric))
			set_values(raw, mode, metric, &values[i], same);
	}
}

void limit_read_object(struct limit_raw *raw, const struct maui_object *object,
		       const struct limit_filter *filter)
{
	if (!object)
		return;
	read_metrics(raw, MAUI_LIMIT_ACTIVE, MAUI_LIMIT_MAX, object, filter);
	read_metrics(raw, MAUI_LIMIT_IDLE, MAUI_LIMIT_MAXI, object, filter);
	if (!filter->dimension)
		read_form(raw, MAUI_LIMIT_SYSTEM, MAUI_LIMIT_PERJOB, object, filter->gres);
	else if (filter->type == MAUI_USER && !filter->name)
		read_form(raw, MAUI_LIMIT_ACTIVE, MAUI_LIMIT_PERUSER, object, filter->gres);
}

/* SYSTEMMAX..., which has one level. */
static void set_system(struct limit_raw *raw, enum maui_limit_metric metric,
		       const struct maui_value *value)
{
	if (value)
		limits_read_set(raw, MAUI_LIMIT_SYSTEM, metric, value->integer, value->integer);
}

void limit_read_system(struct limit_raw *raw, const struct maui_config *config, unsigned int gres)
{
	const struct limit_filter plain = {.gres = gres};
	enum maui_key key;

	for (unsigned int metric = 0; !gres && metric < MAUI_LIMIT_METRICS; metric++)
		if (has_key(metric, MAUI_LIMIT_SYSTEMMAX, &key))
			set_system(raw, metric, maui_config_get(config, key, NULL));
	/* Their default of -1 is none, so SYSCFG's limits on one job may apply. */
	for (unsigned int i = 0; i < LIMIT_WIDTH; i++)
		for (unsigned int level = 0; level < MAUI_LIMIT_LEVELS; level++)
			if (raw->value[MAUI_LIMIT_SYSTEM][level][i] < 0)
				raw->value[MAUI_LIMIT_SYSTEM][level][i] = 0;
	limit_read_object(raw, maui_config_object(config, MAUI_SYSCFG, NULL), &plain);
}

static bool limits_read_flagged(const struct maui_object *object, const char *flag)
{
	const struct maui_value *value = maui_object_get(object, MAUI_ATTR_QFLAGS);

	for (size_t i = 0; value && i < value->list_size; i++)
		if (!strcmp(value->list[i], flag))
			return true;
	return false;
}

static void limits_read_ignore_all(struct limit_raw *raw, enum maui_limit_mode mode)
{
	enum maui_key key;

	for (unsigned int metric = 0; metric < MAUI_LIMIT_METRICS; metric++)
		if (mode != MAUI_LIMIT_SYSTEM || has_key(metric, MAUI_LIMIT_OMAXJ, &key))
			limits_read_set(raw, mode, metric, -1, -1);
}

/* QFLAGS IGN... are overrides of -1, and take precedence. Those of one metric are no GRES's. */
static void read_flags(struct limit_raw *raw, const struct maui_object *qos, unsigned int gres)
{
	bool all = limits_read_flagged(qos, "IGNALL");

	for (unsigned int metric = 0; !gres && metric < MAUI_LIMIT_METRICS; metric++)
		for (unsigned int mode = 0; mode < MAUI_LIMIT_MODES; mode++) {
			const char *flag = maui_limit_metric_info(metric)->ignored_by[mode];

			if (flag && limits_read_flagged(qos, flag))
				limits_read_set(raw, mode, metric, -1, -1);
		}
	if (all || limits_read_flagged(qos, "IGNUSER")) {
		limits_read_ignore_all(raw, MAUI_LIMIT_ACTIVE);
		limits_read_ignore_all(raw, MAUI_LIMIT_IDLE);
	}
	if (all || limits_read_flagged(qos, "IGNSYSTEM"))
		limits_read_ignore_all(raw, MAUI_LIMIT_SYSTEM);
}

void limit_read_overrides(struct limit_raw *raw, const struct maui_object *qos, unsigned int gres,
			  bool *ret_ignores_system)
{
	const struct limit_filter plain = {.gres = gres};

	read_flags(raw, qos, gres);
	read_metrics(raw, MAUI_LIMIT_ACTIVE, MAUI_LIMIT_OMAX, qos, &plain);
	read_metrics(raw, MAUI_LIMIT_IDLE, MAUI_LIMIT_OMAXI, qos, &plain);
	read_form(raw, MAUI_LIMIT_SYSTEM, MAUI_LIMIT_OMAXJ, qos, gres);
	*ret_ignores_system =
		limits_read_flagged(qos, "IGNALL") || limits_read_flagged(qos, "IGNSYSTEM");
}

bool limit_is_of_pairs(const struct maui_value *value, unsigned int gres,
		       enum maui_credential second)
{
	enum maui_limit_metric unused;

	if (value->gres != gres)
		return false;
	if (value->has_dimension)
		return value->dimension == second &&
		       (metric_of_key(value->key->key, MAUI_LIMIT_MAX, gres, &unused) ||
			metric_of_key(value->key->key, MAUI_LIMIT_MAXI, gres, &unused));
	for (unsigned int metric = 0; !gres && second == MAUI_USER && metric < MAUI_LIMIT_METRICS;
	     metric++)
		if (value->key->key == maui_limit_metric_info(metric)->key[MAUI_LIMIT_PERUSER])
			return true;
	return false;
}
