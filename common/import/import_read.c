/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the values of slurm.conf's priority settings as slurmctld does. */
#include "common/import/import_read.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "common/replay/slurm_conf/slurm_conf_values.h"

#define DEFAULT_MAX_AGE "7-0"

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
	priority->fairshare = priority->oblivious                            ? "depth oblivious"
			      : read_flag(reading, MAUI_IMPORT_NO_FAIR_TREE) ? "classic"
									     : "fair tree";
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
static void read_max_age(struct import_reading *reading)
{
	const struct maui_import_value *value = &reading->conf->set[MAUI_IMPORT_MAX_AGE];
	const char *text = value->text ? value->text : DEFAULT_MAX_AGE;
	int64_t seconds = 0;

	if (!strcasecmp(text, "UNLIMITED") || !strcasecmp(text, "INFINITE") ||
	    !strcmp(text, "-1")) {
		reading->priority->max_age = (uint32_t)-60;
		return;
	}
	if (!maui_conf_parse_time(text, &seconds))
		read_complain(reading, &value->place,
			      "a time is minutes, hours:minutes:seconds, days-hours, ..., or "
			      "UNLIMITED");
	reading->priority->max_age = (uint64_t)(seconds + 59) / 60 * 60;
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
	struct maui_conf_place place = value->place;
	const char *why;
	size_t at;

	if (!value->text || !strcasecmp(value->text, "(null)") ||
	    maui_import_read_tres(reading->conf, reading->nodes, value->text, reading->priority,
				  &at, &why))
		return;
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
	read_max_age(&reading);
	read_favor(&reading);
	read_partitions(&reading);
	read_tres(&reading);
	return reading.wrong ? -EINVAL : 0;
}
