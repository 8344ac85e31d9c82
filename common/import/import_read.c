/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the values of slurm.conf's priority settings as slurmctld does. */
#include "common/import/import_read.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "common/replay/slurm_conf/slurm_conf_values.h"

#define DEFAULT_WEEK        "7-0" /* PriorityMaxAge and PriorityDecayHalfLife */
#define DEFAULT_CALC_PERIOD "5"

struct import_reading {
	struct maui_import_conf *conf;
	const struct maui_replay_nodes *nodes;
	const struct maui_import_complaints *complaints;
	struct maui_import_priority *priority;
	bool wrong;
};

static void read_complain(struct import_reading *reading, const struct maui_conf_place *place,
			  const char *text)
{
	reading->complaints->complain(reading->complaints->context, place, text);
	reading->wrong = true;
}

static uint32_t read_number(struct import_reading *reading, const struct maui_import_value *value,
			    enum maui_conf_width width, uint32_t otherwise)
{
	int64_t number = otherwise;

	if (value->text && !maui_conf_parse_number(value->text, width, &number)) {
		read_complain(reading, &value->place,
			      width == MAUI_CONF_16 ? "a whole number from 0 to 65535 is needed"
						    : "a whole number from 0 to 4294967295 is "
						      "needed");
		return otherwise;
	}
	return (uint32_t)number;
}

static const char *read_text(const struct import_reading *reading, enum maui_import_setting setting)
{
	return reading->conf->set[setting].text;
}

/* slurmctld looks for the words anywhere in the text. */
static bool read_flag(const struct import_reading *reading, enum maui_import_flag flag)
{
	const char *text = read_text(reading, MAUI_IMPORT_FLAGS);

	return text && strcasestr(text, maui_import_flags[flag].name);
}

static void read_flags(struct import_reading *reading)
{
	struct maui_import_priority *priority = reading->priority;
	bool none_normal = read_flag(reading, MAUI_IMPORT_NO_NORMAL_ALL);

	priority->accrue_always = read_flag(reading, MAUI_IMPORT_ACCRUE_ALWAYS);
	priority->relative = read_flag(reading, MAUI_IMPORT_SMALL_RELATIVE);
	priority->no_normal_assoc = none_normal || read_flag(reading, MAUI_IMPORT_NO_NORMAL_ASSOC);
	priority->no_normal_part = none_normal || read_flag(reading, MAUI_IMPORT_NO_NORMAL_PART);
	priority->no_normal_qos = none_normal || read_flag(reading, MAUI_IMPORT_NO_NORMAL_QOS);
	priority->no_normal_tres = none_normal || read_flag(reading, MAUI_IMPORT_NO_NORMAL_TRES);
	priority->oblivious = read_flag(reading, MAUI_IMPORT_DEPTH_OBLIVIOUS);
	priority->classic = priority->oblivious || read_flag(reading, MAUI_IMPORT_NO_FAIR_TREE);
	priority->fairshare = priority->oblivious ? "depth oblivious"
			      : priority->classic ? "classic"
						  : "fair tree";
	priority->max_tres = read_flag(reading, MAUI_IMPORT_MAX_TRES);
}

static void read_weights(struct import_reading *reading)
{
	static const enum maui_import_setting settings[MAUI_IMPORT_FACTORS] = {
		[MAUI_IMPORT_AGE] = MAUI_IMPORT_WEIGHT_AGE,
		[MAUI_IMPORT_ASSOC] = MAUI_IMPORT_WEIGHT_ASSOC,
		[MAUI_IMPORT_FAIRSHARE] = MAUI_IMPORT_WEIGHT_FAIRSHARE,
		[MAUI_IMPORT_SIZE] = MAUI_IMPORT_WEIGHT_SIZE,
		[MAUI_IMPORT_PARTITION] = MAUI_IMPORT_WEIGHT_PARTITION,
		[MAUI_IMPORT_QOS] = MAUI_IMPORT_WEIGHT_QOS,
	};

	for (int i = 0; i < MAUI_IMPORT_FACTORS; i++)
		reading->priority->weight[i] =
			read_number(reading, &reading->conf->set[settings[i]], MAUI_CONF_32, 0);
}

/* slurmctld counts whole minutes, rounded up. UNLIMITED is -1 minutes in a number without a sign. */
static uint64_t read_minutes(struct import_reading *reading, enum maui_import_setting setting,
			     const char *otherwise)
{
	const struct maui_import_value *value = &reading->conf->set[setting];
	const char *text = value->text ? value->text : otherwise;
	int64_t seconds = 0;

	if (!strcasecmp(text, "UNLIMITED") || !strcasecmp(text, "INFINITE") || !strcmp(text, "-1"))
		return (uint32_t)-60;
	if (!maui_conf_parse_time(text, &seconds))
		read_complain(reading, &value->place,
			      "a time is minutes, hours:minutes:seconds, days-hours, ..., or "
			      "UNLIMITED");
	return (uint64_t)(seconds + 59) / 60 * 60;
}

/* slurmctld does not start with a value that these refuse. */
static void read_usage(struct import_reading *reading)
{
	static const char *const names[] = {
		[MAUI_USAGE_RESET_NONE] = "NONE",           [MAUI_USAGE_RESET_DAILY] = "DAILY",
		[MAUI_USAGE_RESET_WEEKLY] = "WEEKLY",       [MAUI_USAGE_RESET_MONTHLY] = "MONTHLY",
		[MAUI_USAGE_RESET_QUARTERLY] = "QUARTERLY", [MAUI_USAGE_RESET_YEARLY] = "YEARLY"};
	const struct maui_import_value *set = reading->conf->set;
	const struct maui_import_value *reset = &set[MAUI_IMPORT_RESET_PERIOD];
	struct maui_import_priority *priority = reading->priority;
	size_t period = 0;

	priority->half_life = read_minutes(reading, MAUI_IMPORT_HALF_LIFE, DEFAULT_WEEK);
	priority->calc_period = read_minutes(reading, MAUI_IMPORT_CALC_PERIOD, DEFAULT_CALC_PERIOD);
	if (!priority->calc_period || priority->calc_period == (uint32_t)-60)
		read_complain(reading, &set[MAUI_IMPORT_CALC_PERIOD].place,
			      "this is at least one minute");
	while (reset->text && period < sizeof(names) / sizeof(names[0]) &&
	       strcasecmp(reset->text, names[period]) != 0)
		period++;
	if (period < sizeof(names) / sizeof(names[0]))
		priority->reset = (enum maui_usage_reset)period;
	else if (strcasecmp(reset->text, "NOW") != 0) /* which is once, before anything is used */
		read_complain(reading, &reset->place,
			      "this is NONE, NOW, DAILY, WEEKLY, MONTHLY, QUARTERLY or YEARLY");
	if (!priority->half_life && !reset->text)
		read_complain(reading, &set[MAUI_IMPORT_HALF_LIFE].place,
			      "0 needs a PriorityUsageResetPeriod");
	priority->dampening = read_number(reading, &set[MAUI_IMPORT_DAMPENING], MAUI_CONF_16, 1);
	if (!priority->dampening)
		priority->dampening = 1;
}

static void read_favor(struct import_reading *reading)
{
	static const char *const yes[] = {"YES", "UP", "TRUE", "1"};
	static const char *const no[] = {"NO", "DOWN", "FALSE", "0"};
	const struct maui_import_value *value = &reading->conf->set[MAUI_IMPORT_FAVOR_SMALL];

	if (!value->text)
		return;
	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
		if (!strcasecmp(value->text, yes[i]))
			reading->priority->favor_small = true;
		if (!strcasecmp(value->text, yes[i]) || !strcasecmp(value->text, no[i]))
			return;
	}
	read_complain(reading, &value->place, "this is YES or NO");
}

static void read_type(struct import_reading *reading)
{
	const struct maui_import_value *type = &reading->conf->set[MAUI_IMPORT_PRIORITY_TYPE];
	const char *accounting = read_text(reading, MAUI_IMPORT_ACCOUNTING_TYPE);
	struct maui_import_priority *priority = reading->priority;

	priority->type = type->text;
	priority->basic = type->text && !strcasecmp(type->text, "priority/basic");
	priority->slurmdbd = accounting && !strcasecmp(accounting, "accounting_storage/slurmdbd");
	if (!type->text || priority->basic || !strcasecmp(type->text, "priority/multifactor"))
		return;
	read_complain(reading, &type->place,
		      !strcasecmp(type->text, "priority/maui")
			      ? "priority/maui has a maui.cfg already: there is nothing to import"
			      : "only priority/multifactor and priority/basic can be imported");
}

/* The value of Priority counts before that of PriorityJobFactor; an entry of neither has 1. */
static void read_partitions(struct import_reading *reading)
{
	struct maui_import_conf *conf = reading->conf;
	struct maui_import_partition *list =
		maui_arena_alloc(conf->arena, conf->partition_count + 1, sizeof(*list));

	for (size_t i = 0; i < conf->partition_count; i++) {
		const struct maui_import_value *set = conf->partitions[i].set;
		const struct maui_import_value *both = &set[MAUI_IMPORT_P_PRIORITY];

		list[i].name = set[MAUI_IMPORT_P_NAME].text;
		if (!maui_import_is_name(list[i].name))
			read_complain(reading, &set[MAUI_IMPORT_P_NAME].place,
				      "maui.cfg cannot have this name");
		list[i].factor =
			read_number(reading, both->text ? both : &set[MAUI_IMPORT_P_JOB_FACTOR],
				    MAUI_CONF_16, 1);
	}
	reading->priority->partitions = list;
	reading->priority->partition_count = conf->partition_count;
}

static void read_tres(struct import_reading *reading)
{
	const struct maui_import_value *value = &reading->conf->set[MAUI_IMPORT_WEIGHT_TRES];
	struct maui_import_weights weights = {0};
	struct maui_conf_place place = value->place;
	const char *why;
	size_t at;

	if (!value->text || !strcasecmp(value->text, "(null)"))
		return;
	if (maui_import_read_tres(reading->conf, reading->nodes, value->text, &weights, &at,
				  &why)) {
		reading->priority->tres = weights.list;
		reading->priority->tres_count = weights.count;
		return;
	}
	place.column += (uint32_t)at;
	read_complain(reading, &place, why);
}

int maui_import_read_priority(struct maui_import_conf *conf, const struct maui_replay_nodes *nodes,
			      const struct maui_import_complaints *complaints,
			      struct maui_import_priority *ret_priority)
{
	struct import_reading reading = {conf, nodes, complaints, ret_priority, false};

	*ret_priority = (struct maui_import_priority){.nodes = nodes->count, .cpus = nodes->cpus};
	read_type(&reading);
	read_flags(&reading);
	read_weights(&reading);
	ret_priority->max_age = read_minutes(&reading, MAUI_IMPORT_MAX_AGE, DEFAULT_WEEK);
	read_usage(&reading);
	read_favor(&reading);
	read_partitions(&reading);
	read_tres(&reading);
	return reading.wrong ? -EINVAL : 0;
}
