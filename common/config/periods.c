/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The periods in which limits have values of their own: PERIODCFG[night], and [PERIOD:night]. */
#include <string.h>

#include "common/config/parser.h"
#include "common/util/time/calendar.h"
#include "common/util/text.h"

#define PREFIX "PERIOD:"
#define WEEK   (7 * MAUI_DAY_SECONDS)

/* ---- in the brackets of a limit ------------------------------------------------------------ */

/* Where the last item of a span begins. */
static size_t last_item(const char *line, struct maui_span span)
{
	size_t at = span.end;

	while (at > span.start && line[at - 1] != ',')
		at--;
	return at;
}

static void tell_too_many(struct maui_parser *parser, struct maui_origin origin)
{
	maui_problem_add(&parser->problems, MAUI_ERROR, origin, "more than %u periods are named",
			 MAUI_PERIODS);
}

bool maui_parse_period(struct maui_parser *parser, enum maui_section section,
		       struct maui_span *span, struct maui_value *value)
{
	const char *line = parser->lexer.line.text, *key = value->key->name;
	size_t item = last_item(line, *span), name = item + strlen(PREFIX);

	if (span->end < name || !maui_equals(line + item, strlen(PREFIX), PREFIX))
		return true;
	if (!maui_key_has_periods(value->key, section)) {
		maui_line_problem(parser, MAUI_ERROR, item, "%s takes no period in brackets", key);
		return false;
	}
	if (name == span->end) {
		maui_line_problem(parser, MAUI_ERROR, item,
				  "%s: the period has no name, as in %s[PERIOD:night]", key, key);
		return false;
	}
	if (maui_config_add_period(parser->config, line + name, span->end - name, &value->period)) {
		tell_too_many(parser, maui_lexer_origin(&parser->lexer, item));
		return false;
	}
	value->period_name = parser->config->periods[value->period - 1].name;
	/* A comma with nothing before it stays, to be reported. */
	span->end = item > span->start + 1 ? item - 1 : item;
	return true;
}

/* ---- PERIODCFG ----------------------------------------------------------------------------- */

struct reading {
	struct maui_parser *parser;
	const struct maui_object *object;
};

static const struct maui_value *value_of(const struct reading *reading, enum maui_key key)
{
	const struct maui_config *config = reading->parser->config;
	const struct maui_entry *entry = maui_object_entry(config, reading->object, key);

	return entry ? &entry->value : config->defaults[key];
}

/* Of a time of day or week that is given, or of the object. */
static struct maui_origin origin_of(const struct reading *reading, enum maui_key key)
{
	const struct maui_value *value = value_of(reading, key);

	return maui_value_given(value) ? value->origin : reading->object->origin;
}

#define tell(reading, key, ...)                                                                    \
	maui_problem_add(&(reading)->parser->problems, MAUI_ERROR, origin_of(reading, key),        \
			 __VA_ARGS__)

static bool is_name(const struct reading *reading)
{
	const char *name = reading->object->name;

	if (strlen(name) < MAUI_PERIOD_NAME_SIZE && !strpbrk(name, ",:[] \t"))
		return true;
	maui_problem_add(&reading->parser->problems, MAUI_ERROR, reading->object->origin,
			 "the name of a period has at most %u bytes, and no comma, colon, bracket "
			 "or blank",
			 MAUI_PERIOD_NAME_SIZE - 1);
	return false;
}

/* The keyword of a key that has a default. */
static bool is_word(const struct reading *reading, enum maui_key key, const char *word)
{
	const struct maui_value *value = value_of(reading, key);

	return !strcmp(value->key->keywords[value->integer], word);
}

/* An ENDTIME that is not after STARTTIME is in the next day or week. */
static bool read_times(const struct reading *reading, struct maui_period *period)
{
	int64_t length = period->weekly ? WEEK : MAUI_DAY_SECONDS;
	const char *unit = period->weekly ? "week" : "day";

	period->start = value_of(reading, MAUI_ATTR_STARTTIME)->integer;
	period->end = value_of(reading, MAUI_ATTR_ENDTIME)->integer;
	if (!period->end)
		period->end = length;
	if (period->start >= length) {
		tell(reading, MAUI_ATTR_STARTTIME,
		     "STARTTIME of a period is within the %s in which it begins", unit);
		return false;
	}
	if (period->end == period->start) {
		tell(reading, MAUI_ATTR_ENDTIME,
		     "the period has no length: STARTTIME and ENDTIME are the same");
		return false;
	}
	if (period->end < period->start)
		period->end += length;
	if (period->end - period->start <= length)
		return true;
	tell(reading, MAUI_ATTR_ENDTIME, "the period is longer than the %s after which it recurs",
	     unit);
	return false;
}

static bool read_period(const struct reading *reading, struct maui_period *period)
{
	if (is_word(reading, MAUI_ATTR_PERIOD, "INFINITY")) {
		tell(reading, MAUI_ATTR_PERIOD,
		     "a period of limits begins and ends: PERIOD is DAY or WEEK");
		return false;
	}
	period->weekly = is_word(reading, MAUI_ATTR_PERIOD, "WEEK");
	period->days = (uint8_t)value_of(reading, MAUI_ATTR_DAYS)->integer;
	if (period->weekly && maui_value_given(value_of(reading, MAUI_ATTR_DAYS))) {
		tell(reading, MAUI_ATTR_DAYS, "DAYS is of PERIOD=DAY: a week has one period");
		return false;
	}
	return read_times(reading, period);
}

static void define_period(struct maui_parser *parser, const struct maui_object *object)
{
	struct reading reading = {parser, object};
	struct maui_period period;
	unsigned int number;

	if (!is_name(&reading))
		return;
	if (maui_config_add_period(parser->config, object->name, strlen(object->name), &number)) {
		tell_too_many(parser, object->origin);
		return;
	}
	period = parser->config->periods[number - 1];
	period.defined = read_period(&reading, &period);
	parser->config->periods[number - 1] = period;
}

/* A limit of a period that is not defined: it must not take effect at all times. */
static void refuse_undefined(struct maui_parser *parser, struct maui_entry *entry)
{
	const char *name = entry->value.period_name;

	entry->removed = true;
	maui_record_left(parser->records, entry->record);
	if (maui_config_find(parser->config, MAUI_PERIODCFG, name, strlen(name)))
		return; /* its line is the error */
	maui_problem_add(&parser->problems, MAUI_ERROR, entry->value.origin,
			 "%s: no line defines the period %.*s: PERIODCFG[%.*s] STARTTIME=... "
			 "ENDTIME=...",
			 entry->value.key->name, MAUI_EXCERPT_SIZE, name, MAUI_EXCERPT_SIZE, name);
}

/* used: a mask of those that limits are of. */
static void warn_of_unused(struct maui_parser *parser, uint32_t used)
{
	const struct maui_config *config = parser->config;

	for (unsigned int i = 0; i < config->period_count; i++) {
		const struct maui_period *period = &config->periods[i];

		if (period->defined && !(used >> i & 1))
			maui_problem_add(&parser->problems, MAUI_WARNING,
					 maui_config_find(config, MAUI_PERIODCFG, period->name,
							  strlen(period->name))
						 ->origin,
					 "no limit is of the period %s: it has no effect",
					 period->name);
	}
}

void maui_periods_finish(struct maui_parser *parser)
{
	struct maui_config *config = parser->config;
	const struct maui_object_list *list = &config->sections[MAUI_PERIODCFG];
	uint32_t used = 0;

	for (size_t i = 0; i < list->count; i++)
		define_period(parser, list->objects[i]);
	for (size_t i = 0; config->period_count && i < config->entry_slot_count; i++) {
		struct maui_entry *entry = config->entry_slots[i];

		if (!entry || !entry->value.period)
			continue;
		used |= UINT32_C(1) << (entry->value.period - 1);
		if (!config->periods[entry->value.period - 1].defined)
			refuse_undefined(parser, entry);
	}
	warn_of_unused(parser, used);
}
