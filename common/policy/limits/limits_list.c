/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which limits apply to whom, and how far they are used up. */
#include "common/policy/limits/limits_private.h"

/* An entry's amounts: those of a row, or those that a QOS sets instead. */
struct amounts {
	int64_t soft, hard;
	struct limit_period period;
};

/* -1 for unlimited. */
static int64_t limits_list_shown(int64_t value)
{
	return value == LIMIT_NONE ? -1 : value;
}

static struct amounts amounts_of(const struct maui_limits *limits, uint32_t reference,
				 unsigned int mode, unsigned int metric)
{
	uint32_t row = limit_row_of(reference);

	return (struct amounts){
		.soft = limits_list_shown(limits->lines[mode][MAUI_LIMIT_SOFT][row].value[metric]),
		.hard = limits_list_shown(limits->lines[mode][MAUI_LIMIT_HARD][row].value[metric]),
		.period = limit_period_of(limits, limits->row_periods, row, mode, metric)};
}

static struct amounts amounts_of_override(const struct maui_limits *limits,
					  const struct limit_override *override, unsigned int mode,
					  unsigned int metric)
{
	uint32_t place = (uint32_t)(override - limits->override);

	return (struct amounts){
		.soft = limits_list_shown(override->line[mode][MAUI_LIMIT_SOFT].value[metric]),
		.hard = limits_list_shown(override->line[mode][MAUI_LIMIT_HARD].value[metric]),
		.period = limit_period_of(limits, limits->override_periods, place, mode, metric)};
}

static int64_t limits_list_used(const struct maui_limit_usage *usage, unsigned int type,
				uint32_t id, unsigned int mode, unsigned int metric)
{
	return usage && mode != MAUI_LIMIT_SYSTEM
		       ? maui_limit_usage_get(usage, type, id, mode, metric)
		       : 0;
}

/* What a QOS sets instead of everybody's limits; NULL: nothing. */
static const struct limit_override *override_of(const struct maui_limits *limits, unsigned int type,
						uint32_t id)
{
	uint32_t place = type == MAUI_QOS ? limit_record(limits, type, id)[LIMIT_PLACE] : 0;

	return limits->override && place ? &limits->override[place] : NULL;
}

/* An entry with these amounts. */
static void set_amounts(const struct maui_limits *limits, const struct amounts *amounts,
			struct maui_limit_entry *entry)
{
	entry->soft = amounts->soft;
	entry->hard = amounts->hard;
	entry->period = limit_period_name(limits, amounts->period);
	entry->until = limit_period_until(limits, amounts->period);
	entry->next = limit_period_next(limits, amounts->period, &entry->next_begins);
}

/* Whether a period puts it in force, or lifts it, at some time. */
static bool has_periods(const struct amounts *amounts)
{
	return amounts->period.mask != 0;
}

/* The limit of a row, and its override. Returns their number. */
static size_t list_one(const struct maui_limits *limits, struct amounts own, struct amounts other,
		       const struct maui_limit_entry *plain, struct maui_limit_entry *ret_entries)
{
	size_t count = 0;

	if (own.hard > 0) {
		ret_entries[count] = *plain;
		set_amounts(limits, &own, &ret_entries[count]);
		/* For one job an override replaces only the system's. */
		ret_entries[count].overridden = other.hard && plain->mode != MAUI_LIMIT_SYSTEM;
		count++;
	}
	if (other.hard) {
		ret_entries[count] = *plain;
		set_amounts(limits, &other, &ret_entries[count]);
		ret_entries[count].override = true;
		count++;
	}
	return count;
}

/* What of them is in force at other times alone. */
static size_t list_one_lifted(const struct maui_limits *limits, struct amounts own,
			      struct amounts other, const struct maui_limit_entry *plain,
			      struct maui_limit_entry *ret_entries)
{
	size_t count = 0;

	if (own.hard <= 0 && has_periods(&own)) {
		ret_entries[count] = *plain;
		set_amounts(limits, &own, &ret_entries[count++]);
	}
	if (!other.hard && has_periods(&other)) {
		ret_entries[count] = *plain;
		set_amounts(limits, &other, &ret_entries[count]);
		ret_entries[count++].override = true;
	}
	for (size_t i = 0; i < count; i++) {
		ret_entries[i].lifted = true;
		ret_entries[i].soft = ret_entries[i].hard = -1;
	}
	return count;
}

typedef size_t list_some(const struct maui_limits *limits, struct amounts own, struct amounts other,
			 const struct maui_limit_entry *plain,
			 struct maui_limit_entry *ret_entries);

/* Without the GRES. */
static size_t list_own(const struct maui_limits *limits, const struct maui_limit_usage *usage,
		       unsigned int type, uint32_t id, list_some *list,
		       struct maui_limit_entry *ret_entries)
{
	uint32_t reference = limit_record(limits, type, id)[LIMIT_OWN];
	const struct limit_override *override = override_of(limits, type, id);
	size_t count = 0;

	for (unsigned int mode = 0; mode < MAUI_LIMIT_MODES; mode++)
		for (unsigned int metric = 0; metric < MAUI_LIMIT_METRICS; metric++) {
			struct amounts other = {0};
			struct maui_limit_entry plain = {
				.mode = mode,
				.metric = metric,
				.usage = limits_list_used(usage, type, id, mode, metric)};

			if (override)
				other = amounts_of_override(limits, override, mode, metric);
			count += list(limits, amounts_of(limits, reference, mode, metric), other,
				      &plain, &ret_entries[count]);
		}
	return count;
}

/* The entries of a GRES's table, by the names of its own limits. */
static size_t name_gres(const struct limit_gres *gres, struct maui_limit_entry *entries,
			size_t count)
{
	for (size_t i = 0; i < count; i++) {
		entries[i].metric = limit_gres_metric(entries[i].metric);
		entries[i].gres = gres->name;
	}
	return count;
}

/* IGNALL sets all metrics of a table, of which a GRES has two. */
static size_t keep_gres(struct maui_limit_entry *entries, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (entries[i].metric == MAUI_LIMIT_PROC || entries[i].metric == MAUI_LIMIT_PS)
			entries[kept++] = entries[i];
	return kept;
}

static size_t limits_list_with_gres(const struct maui_limits *limits,
				    const struct maui_limit_usage *usage, unsigned int type,
				    uint32_t id, list_some *list,
				    struct maui_limit_entry *ret_entries)
{
	size_t count = list_own(limits, usage, type, id, list, ret_entries);

	LIMIT_EACH_GRES(limits->gres_mask, i)
	{
		struct maui_limit_entry *entries = &ret_entries[count];
		size_t more = list_own(limits->gres[i].limits, usage ? usage->gres[i] : NULL, type,
				       id, list, entries);

		count += name_gres(&limits->gres[i], entries, keep_gres(entries, more));
	}
	return count;
}

size_t maui_limits_list(const struct maui_limits *limits, const struct maui_limit_usage *usage,
			unsigned int type, uint32_t id,
			struct maui_limit_entry ret_entries[MAUI_LIMIT_ENTRIES])
{
	return limits_list_with_gres(limits, usage, type, id, list_one, ret_entries);
}

size_t maui_limits_list_lifted(const struct maui_limits *limits,
			       const struct maui_limit_usage *usage, unsigned int type, uint32_t id,
			       struct maui_limit_entry ret_entries[MAUI_LIMIT_ENTRIES])
{
	return limits_list_with_gres(limits, usage, type, id, list_one_lifted, ret_entries);
}

/* ---- pairs --------------------------------------------------------------------------------- */

uint32_t maui_limit_usage_pairs(const struct maui_limit_usage *usage)
{
	uint32_t count = usage->pairs.count;

	LIMIT_EACH_GRES(usage->gres_mask, i)
	count += usage->gres[i]->pairs.count;
	return count;
}

static size_t list_own_pair(const struct maui_limits *limits, const struct maui_limit_usage *usage,
			    uint32_t number, list_some *list, unsigned int *ret_type,
			    uint32_t *ret_id,
			    struct maui_limit_entry ret_entries[MAUI_LIMIT_ENTRIES])
{
	uint64_t key = usage->pairs.keys[number];
	unsigned int kind = limit_map_kind(key);
	uint32_t second = limit_map_second(key);
	uint32_t reference;
	size_t count = 0;

	*ret_type = limits->kinds[kind].first;
	*ret_id = limit_map_first(key);
	reference = limit_pair_reference(limits, kind, limit_record(limits, *ret_type, *ret_id),
					 second);
	for (unsigned int mode = 0; mode <= MAUI_LIMIT_IDLE; mode++)
		for (unsigned int metric = 0; metric < MAUI_LIMIT_METRICS; metric++) {
			const struct maui_limit_entry plain = {
				.mode = mode,
				.metric = metric,
				.pair = true,
				.second_type = limits->kinds[kind].second,
				.second_id = second,
				.usage = limit_cell_amount(usage, &usage->pair_cells, number, mode,
							   metric)};

			if (plain.usage)
				count += list(limits, amounts_of(limits, reference, mode, metric),
					      (struct amounts){0}, &plain, &ret_entries[count]);
		}
	return count;
}

/* Those of the GRES are numbered behind the others. */
static size_t list_pair(const struct maui_limits *limits, const struct maui_limit_usage *usage,
			uint32_t number, list_some *list, unsigned int *ret_type, uint32_t *ret_id,
			struct maui_limit_entry *ret_entries)
{
	if (number <= usage->pairs.count)
		return list_own_pair(limits, usage, number, list, ret_type, ret_id, ret_entries);
	number -= usage->pairs.count;
	LIMIT_EACH_GRES(usage->gres_mask, i)
	{
		const struct maui_limit_usage *own = usage->gres[i];

		if (number <= own->pairs.count)
			return name_gres(&limits->gres[i], ret_entries,
					 list_own_pair(limits->gres[i].limits, own, number, list,
						       ret_type, ret_id, ret_entries));
		number -= own->pairs.count;
	}
	return 0;
}

size_t maui_limits_list_pair(const struct maui_limits *limits, const struct maui_limit_usage *usage,
			     uint32_t number, unsigned int *ret_type, uint32_t *ret_id,
			     struct maui_limit_entry ret_entries[MAUI_LIMIT_ENTRIES])
{
	return list_pair(limits, usage, number, list_one, ret_type, ret_id, ret_entries);
}

size_t maui_limits_list_pair_lifted(const struct maui_limits *limits,
				    const struct maui_limit_usage *usage, uint32_t number,
				    unsigned int *ret_type, uint32_t *ret_id,
				    struct maui_limit_entry ret_entries[MAUI_LIMIT_ENTRIES])
{
	return list_pair(limits, usage, number, list_one_lifted, ret_type, ret_id, ret_entries);
}
