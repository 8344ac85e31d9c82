/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui.cfg as tables by interned credential. Every fallback is resolved here, metric by metric: a
 * value of 0 is none and falls through to DEFAULT's; a negative one is unlimited and does not. For
 * pairs, an entry with a name comes before the general one, and a holder's own before DEFAULT's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/config/default_name.h"
#include "common/policy/limits/limit_period.h"
#include "common/policy/limits/limits_private.h"
#include "common/policy/limits/limits_read.h"
#include "common/util/grow.h"
#include "common/util/memory.h"

/* The holders of one type that maui.cfg names; [0] is DEFAULT, for all that it does not name. */
struct places {
	uint32_t *place; /* by id */
	size_t id_room;
	uint32_t count;   /* [0] included */
	uint32_t *record; /* by place */
};

struct compiler {
	const struct maui_config *config;
	const struct maui_limit_names *names;
	struct maui_limits *limits;
	unsigned int gres; /* whose limits: its number; 0: those of none */
	struct places places[MAUI_LIMIT_HOLDERS];
	uint32_t default_qos; /* the place of jobs without a QOS */
	uint32_t in_force;    /* periods, a mask */
};

/* ---- rows ---------------------------------------------------------------------------------- */

static int64_t in_force(int64_t value)
{
	return value > 0 ? value : LIMIT_NONE;
}

static void add_rows_room(struct maui_limits *limits)
{
	uint32_t room = limits->row_room ? limits->row_room * 2 : 16;

	if (limits->period_names)
		limits->row_periods =
			maui_realloc(limits->row_periods, room, sizeof(*limits->row_periods));
	for (unsigned int mode = 0; mode < MAUI_LIMIT_MODES; mode++)
		for (unsigned int level = 0; level < MAUI_LIMIT_LEVELS; level++)
			limits->lines[mode][level] =
				limit_lines_grow(limits->lines[mode][level],
						 sizeof(struct limit_line), limits->row_room, room);
	limits->row_room = room;
}

/* Append a row. Returns the modes in which it limits anything. */
static unsigned int append_row(struct maui_limits *limits, const struct limit_raw *raw)
{
	unsigned int modes = 0;

	if (limits->row_count == limits->row_room)
		add_rows_room(limits);
	for (unsigned int mode = 0; mode < MAUI_LIMIT_MODES; mode++)
		for (unsigned int level = 0; level < MAUI_LIMIT_LEVELS; level++)
			for (unsigned int i = 0; i < LIMIT_WIDTH; i++) {
				int64_t value = in_force(raw->value[mode][level][i]);

				limits->lines[mode][level][limits->row_count].value[i] = value;
				if (value != LIMIT_NONE)
					modes |= MAUI_LIMIT_BIT(mode);
			}
	if (limits->period_names)
		limits->row_periods[limits->row_count] = raw->periods;
	limits->row_count++;
	return modes;
}

/* Only in the modes that have a soft level: idle limits have none. */
static bool levels_differ(const struct limit_raw *raw)
{
	static const enum maui_limit_mode modes[] = {MAUI_LIMIT_ACTIVE, MAUI_LIMIT_SYSTEM};

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		for (unsigned int metric = 0; metric < MAUI_LIMIT_METRICS; metric++)
			if (in_force(raw->value[modes[i]][MAUI_LIMIT_SOFT][metric]) !=
			    in_force(raw->value[modes[i]][MAUI_LIMIT_HARD][metric]))
				return true;
	return false;
}

/*
 * The reference of a row with these limits; 0 if there are none. Without modes, it is one that has
 * limits at other times: the row says when.
 */
static uint32_t add_row(struct maui_limits *limits, const struct limit_raw *raw)
{
	unsigned int modes = append_row(limits, raw);
	uint32_t reference = 0;

	if (modes || raw->period_modes)
		reference = limit_reference(limits->row_count - 1, modes);
	else
		limits->row_count--;
	limits->modes |= modes | raw->period_modes;
	limits->soft |= levels_differ(raw) || raw->period_soft;
	return reference;
}

static enum maui_section section_of(unsigned int type)
{
	return type == MAUI_WHOLE_SYSTEM ? MAUI_SYSCFG : maui_credential_section(type);
}

static const struct maui_object *fallback_of(const struct compiler *compiler, unsigned int type)
{
	return type == MAUI_WHOLE_SYSTEM
		       ? NULL
		       : maui_config_object(compiler->config, section_of(type), "DEFAULT");
}

static bool is_default(const struct maui_object *object)
{
	return maui_is_default(maui_object_name(object));
}

/* The plain limits of one holder of a type; own may be NULL. */
static uint32_t holder_row(struct compiler *compiler, unsigned int type,
			   const struct maui_object *own)
{
	const struct limit_filter plain = {.gres = compiler->gres};
	struct limit_raw raw = {.in_force = compiler->in_force};

	if (type == MAUI_WHOLE_SYSTEM)
		limit_read_system(&raw, compiler->config, compiler->gres);
	else {
		limit_read_object(&raw, own, &plain);
		limit_read_object(&raw, fallback_of(compiler, type), &plain);
	}
	return add_row(compiler->limits, &raw);
}

/* ---- overrides ----------------------------------------------------------------------------- */

static void read_override(const struct compiler *compiler, const struct maui_object *qos,
			  struct limit_override *override)
{
	struct maui_limits *limits = compiler->limits;
	struct limit_raw raw = {.in_force = compiler->in_force};

	limit_read_overrides(&raw, qos, compiler->gres, &override->ignores_system);
	for (unsigned int mode = 0; mode < MAUI_LIMIT_MODES; mode++)
		for (unsigned int level = 0; level < MAUI_LIMIT_LEVELS; level++)
			for (unsigned int i = 0; i < LIMIT_WIDTH; i++) {
				int64_t value = raw.value[mode][level][i];

				override->line[mode][level].value[i] = value ? in_force(value) : 0;
				if (value)
					override->modes |= MAUI_LIMIT_BIT(mode);
			}
	limits->modes |= override->modes | raw.period_modes;
	limits->soft |= levels_differ(&raw) || raw.period_soft;
	if (limits->period_names)
		limits->override_periods[override - limits->override] = raw.periods;
}

/* ---- holders ------------------------------------------------------------------------------- */

static void set_place(struct places *places, uint32_t id, uint32_t place)
{
	places->place = maui_grow_zeroed(places->place, (size_t)id + 1, &places->id_room,
					 sizeof(*places->place));
	places->place[id] = place;
}

static uint32_t place_of(const struct compiler *compiler, unsigned int type, uint32_t id)
{
	const struct places *places = &compiler->places[type];

	if (type == MAUI_QOS && !id)
		return compiler->default_qos;
	return id < places->id_room ? places->place[id] : 0;
}

static uint32_t *record_at(const struct compiler *compiler, unsigned int type, uint32_t place)
{
	return &compiler->places[type]
			.record[(size_t)place * compiler->limits->holders[type].width];
}

/* The id that jobs will come with; 0 for DEFAULT and for impossible names. */
static uint32_t id_of(const struct compiler *compiler, unsigned int type,
		      const struct maui_object *object)
{
	uint32_t id = 0;

	if (type == MAUI_WHOLE_SYSTEM)
		id = 1;
	else if (!is_default(object))
		id = compiler->names->id(compiler->names->context, type, maui_object_name(object));
	return id < MAUI_LIMIT_IDS ? id : 0;
}

/* One object of a type: its place, its row, and a QOS's overrides. */
static void add_holder(struct compiler *compiler, unsigned int type,
		       const struct maui_object *object)
{
	struct maui_limits *limits = compiler->limits;
	struct places *places = &compiler->places[type];
	uint32_t id = id_of(compiler, type, object), place = places->count;
	uint32_t *record = record_at(compiler, type, place);
	bool without = type == MAUI_QOS && is_default(object);

	if (!id && !without)
		return;
	if (without)
		compiler->default_qos = place;
	else
		set_place(places, id, place);
	record[LIMIT_PLACE] = place;
	record[LIMIT_OWN] = holder_row(compiler, type, object);
	if (type == MAUI_QOS)
		read_override(compiler, object, &limits->override[place]);
	places->count++;
}

static void add_holders(struct compiler *compiler, unsigned int type)
{
	struct places *places = &compiler->places[type];
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(compiler->config, section_of(type), &objects);

	if (type == MAUI_WHOLE_SYSTEM && !count) /* SYSTEMMAX... may be set */
		count = 1;
	places->record = maui_calloc((count + 1) * compiler->limits->holders[type].width,
				     sizeof(*places->record));
	if (type == MAUI_QOS) {
		compiler->limits->override = maui_calloc(count + 1, sizeof(struct limit_override));
		compiler->limits->override_periods =
			maui_calloc(count + 1, sizeof(struct limit_periods));
	}
	places->count = 1;
	if (type == MAUI_WHOLE_SYSTEM) {
		add_holder(compiler, type, maui_config_object(compiler->config, MAUI_SYSCFG, NULL));
		return;
	}
	places->record[LIMIT_OWN] = holder_row(compiler, type, NULL);
	for (size_t i = 0; i < count; i++)
		add_holder(compiler, type, objects[i]);
}

/* The records by id, as jobs come with ids. */
static void set_records(struct compiler *compiler, unsigned int type)
{
	struct limit_holders *holders = &compiler->limits->holders[type];
	size_t size = holders->width * sizeof(*holders->records);

	holders->count = (uint32_t)compiler->places[type].id_room;
	if (!holders->count)
		holders->count = 1; /* id 0: the QOS of jobs without one */
	holders->records = maui_malloc(holders->count + 1, size);
	for (uint32_t id = 0; id <= holders->count; id++)
		memcpy(&holders->records[(size_t)id * holders->width],
		       record_at(compiler, type, place_of(compiler, type, id)), size);
}

/* ---- pairs --------------------------------------------------------------------------------- */

static bool has_kind(const struct compiler *compiler, unsigned int first,
		     enum maui_credential second)
{
	const struct maui_object *const *objects;
	const struct maui_value *const *values;
	size_t count = maui_config_objects(compiler->config, section_of(first), &objects);

	for (size_t i = 0; i < count; i++) {
		size_t value_count = maui_object_values(objects[i], &values);

		for (size_t j = 0; j < value_count; j++)
			if (limit_is_of_pairs(values[j], compiler->gres, second))
				return true;
	}
	return false;
}

/* The two objects that a holder's limits come from; either may be NULL. */
struct sources {
	const struct maui_object *own, *fallback;
};

static void append_named(struct maui_limits *limits, uint64_t key, uint32_t reference)
{
	uint32_t number = limits->named.count + 1;

	limits->named_reference =
		maui_grow(limits->named_reference, (size_t)number + 1,
			  &limits->named_reference_room, sizeof(*limits->named_reference));
	limits->named_reference[number] = reference;
	limit_map_add(&limits->named, key);
}

/* The named entry for the second credential, of one kind and place. */
static void add_named(struct compiler *compiler, unsigned int kind, uint32_t place,
		      const struct sources *sources, const char *name)
{
	struct maui_limits *limits = compiler->limits;
	struct limit_filter named = {compiler->gres, true, limits->kinds[kind].second, name};
	struct limit_filter general = named;
	uint32_t id = compiler->names->id(compiler->names->context, named.type, name);
	uint64_t key = limit_map_key(kind, place, id);
	struct limit_raw raw = {.in_force = compiler->in_force};
	uint32_t reference;

	if (!id || id >= MAUI_LIMIT_IDS || limit_map_find(&limits->named, key))
		return;
	general.name = NULL;
	limit_read_object(&raw, sources->own, &named);
	limit_read_object(&raw, sources->own, &general);
	limit_read_object(&raw, sources->fallback, &named);
	limit_read_object(&raw, sources->fallback, &general);
	reference = add_row(limits, &raw);
	limits->kinds[kind].named = true;
	limits->kinds[kind].modes |= limit_modes(reference);
	/* Even without a limit it needs its own entry, which may say -1. */
	append_named(limits, key, reference);
}

static void add_all_named(struct compiler *compiler, unsigned int kind, uint32_t place,
			  const struct sources *sources)
{
	const struct maui_object *objects[] = {sources->own, sources->fallback};

	for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++) {
		const struct maui_value *const *values;
		size_t count = objects[i] ? maui_object_values(objects[i], &values) : 0;

		for (size_t j = 0; j < count; j++)
			if (values[j]->dimension_name &&
			    limit_is_of_pairs(values[j], compiler->gres,
					      compiler->limits->kinds[kind].second))
				add_named(compiler, kind, place, sources,
					  values[j]->dimension_name);
	}
}

static void add_pairs_of(struct compiler *compiler, unsigned int kind, uint32_t place,
			 const struct sources *sources)
{
	struct limit_kind *of = &compiler->limits->kinds[kind];
	struct limit_filter general = {compiler->gres, true, of->second, NULL};
	uint32_t *reference = &record_at(compiler, of->first, place)[of->general];
	struct limit_raw raw = {.in_force = compiler->in_force};

	limit_read_object(&raw, sources->own, &general);
	limit_read_object(&raw, sources->fallback, &general);
	*reference = add_row(compiler->limits, &raw);
	of->modes |= limit_modes(*reference);
	add_all_named(compiler, kind, place, sources);
}

static void add_pairs(struct compiler *compiler, unsigned int kind)
{
	struct maui_limits *limits = compiler->limits;
	unsigned int first = limits->kinds[kind].first;
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(compiler->config, section_of(first), &objects);
	struct sources sources = {.fallback = fallback_of(compiler, first)};

	add_pairs_of(compiler, kind, 0, &sources);
	for (size_t i = 0; i < count; i++) {
		uint32_t id = id_of(compiler, first, objects[i]);
		uint32_t place = place_of(compiler, first, id);

		if (place) {
			sources.own = objects[i];
			add_pairs_of(compiler, kind, place, &sources);
		}
	}
}

/*
 * Which kinds there are, before there are any holders: each needs a number in its holders' records.
 */
static void find_kinds(struct compiler *compiler)
{
	struct maui_limits *limits = compiler->limits;

	for (unsigned int first = 0; first < MAUI_LIMIT_HOLDERS; first++) {
		limits->holders[first].width = LIMIT_PAIRS;
		for (unsigned int second = 0; second < MAUI_CREDENTIALS; second++)
			if (has_kind(compiler, first, second))
				limits->kinds[limits->kind_count++] = (struct limit_kind){
					.first = first,
					.second = second,
					.general = limits->holders[first].width++};
	}
}

/* ---- periods ------------------------------------------------------------------------------- */

/* The periods as they are at a time. */
static void set_periods(struct compiler *compiler, int64_t now)
{
	struct maui_limits *limits = compiler->limits;
	const struct maui_period *periods;
	size_t count = maui_config_periods(compiler->config, &periods);

	limits->until = MAUI_LIMITS_ALWAYS;
	if (!count)
		return;
	limits->period_names = maui_calloc(count, sizeof(*limits->period_names));
	for (size_t i = 0; i < count; i++) {
		if (!periods[i].defined)
			continue;
		snprintf(limits->period_names[i], sizeof(limits->period_names[i]), "%s",
			 periods[i].name);
		if (limit_period_holds(&periods[i], now, &limits->period_until[i]))
			compiler->in_force |= UINT32_C(1) << i;
	}
	limits->periods_in_force = compiler->in_force;
}

/* When the first of those that any limit is of begins or ends. */
static void find_until(struct maui_limits *limits, const struct limit_periods *periods,
		       size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (unsigned int mode = 0; mode < MAUI_LIMIT_MODES; mode++)
			for (unsigned int metric = 0; metric < MAUI_LIMIT_METRICS; metric++) {
				int64_t until =
					limit_period_until(limits, periods[i].of[mode][metric]);

				if (until < limits->until)
					limits->until = until;
			}
}

/* ---- the whole ----------------------------------------------------------------------------- */

static void limits_compile_policy(struct compiler *compiler, int64_t now)
{
	static const struct limit_raw no_limits = {0};
	struct maui_limits *limits = compiler->limits;

	set_periods(compiler, now);
	append_row(limits, &no_limits);
	find_kinds(compiler);
	for (unsigned int type = 0; type < MAUI_LIMIT_HOLDERS; type++)
		add_holders(compiler, type);
	for (unsigned int kind = 0; kind < limits->kind_count; kind++)
		add_pairs(compiler, kind);
	for (unsigned int type = 0; type < MAUI_LIMIT_HOLDERS; type++)
		set_records(compiler, type);
	if (limits->period_names) {
		find_until(limits, limits->row_periods, limits->row_count);
		find_until(limits, limits->override_periods, compiler->places[MAUI_QOS].count);
	}
}

struct maui_limits *limit_compile_one(const struct maui_config *config,
				      const struct maui_limit_names *names, int64_t now,
				      unsigned int gres)
{
	struct compiler compiler = {.config = config,
				    .names = names,
				    .limits = maui_calloc(1, sizeof(struct maui_limits)),
				    .gres = gres};

	limits_compile_policy(&compiler, now);
	for (unsigned int type = 0; type < MAUI_LIMIT_HOLDERS; type++) {
		free(compiler.places[type].place);
		free(compiler.places[type].record);
	}
	return compiler.limits;
}
