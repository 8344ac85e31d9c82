/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remarks from the tables: one for each setting of the file, however many partitions have it. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/import/import_read.h"
#include "common/util/text.h"

#define PARTITIONS_NAMED 6 /* in one remark */

static void tell_row(const struct maui_import_row *row, const char *setting,
		     struct maui_import *import)
{
	if (row->becomes == MAUI_IMPORT_BECOMES_STAYS)
		maui_import_remark(import, MAUI_IMPORT_STAYS, setting, "%s", row->effect);
	if (row->becomes == MAUI_IMPORT_BECOMES_LOST)
		maui_import_remark(import, MAUI_IMPORT_LOST, setting, "%s", row->effect);
}

static void tell_globals(const struct maui_import_conf *conf, struct maui_import *import)
{
	for (size_t i = 0; i < MAUI_IMPORT_GLOBALS; i++) {
		const struct maui_import_row *row = &maui_import_settings[i];
		const char *text = conf->set[i].text;

		if (text && !maui_import_is_plain(row, text))
			tell_row(row, maui_import_text(import, "%s=%s", row->name, text), import);
	}
}

/* Each word of PriorityFlags, and those that slurmctld does not know. */
static void tell_flags(const struct maui_import_conf *conf, struct maui_import *import)
{
	const char *at = conf->set[MAUI_IMPORT_FLAGS].text;

	for (size_t size; at && *at; at += size + (at[size] == ',')) {
		const char *setting, *word;
		size_t id;

		size = strcspn(at, ",");
		if (!size)
			continue;
		setting = maui_import_text(import, "PriorityFlags=%.*s", (int)size, at);
		word = strchr(setting, '=') + 1;
		id = maui_import_find(maui_import_flags, MAUI_IMPORT_FLAG_COUNT, word);
		if (id < MAUI_IMPORT_FLAG_COUNT)
			tell_row(&maui_import_flags[id], setting, import);
		else if (strcasecmp(word, "(null)") != 0)
			maui_import_remark(import, MAUI_IMPORT_LOST, setting,
					   "this flag is not known here: nothing is done about it");
	}
}

static const char *tell_of_partitions(const struct maui_import_conf *conf, size_t setting,
				      struct maui_import *import)
{
	const struct maui_import_row *row = &maui_import_partition_settings[setting];
	const char *list = "";
	size_t count = 0;

	for (size_t i = 0; i < conf->partition_count; i++) {
		const struct maui_import_value *set = conf->partitions[i].set;
		const char *value = set[setting].text;

		if (!value || maui_import_is_plain(row, value) || ++count > PARTITIONS_NAMED)
			continue;
		list = maui_import_text(import, "%s%s%s=%s of %s", list, *list ? ", " : "",
					row->name, value, set[MAUI_IMPORT_P_NAME].text);
	}
	if (count > PARTITIONS_NAMED)
		list = maui_import_text(import, "%s, and of %zu more", list,
					count - PARTITIONS_NAMED);
	return list;
}

static void tell_partitions(const struct maui_import_conf *conf, struct maui_import *import)
{
	for (size_t i = 0; i < MAUI_IMPORT_PARTITION_COUNT; i++) {
		const char *list = tell_of_partitions(conf, i, import);

		if (*list && i == MAUI_IMPORT_P_PRIORITY)
			maui_import_remark(import, MAUI_IMPORT_STAYS, list, "%s",
					   "it is the PriorityTier, too: " MAUI_IMPORT_TIERS);
		else if (*list)
			tell_row(&maui_import_partition_settings[i], list, import);
	}
}

static bool tell_is_exclusive(const struct maui_import_value *set)
{
	const char *text = set[MAUI_IMPORT_P_OVERSUBSCRIBE].text;

	text = text ? text : set[MAUI_IMPORT_P_SHARED].text;
	return text && !strcasecmp(text, "EXCLUSIVE");
}

/* S-IMP-5 */
static void tell_whole_nodes(const struct maui_import_conf *conf, struct maui_import *import)
{
	const char *weight = conf->set[MAUI_IMPORT_WEIGHT_SIZE].text;
	const char *type = conf->set[MAUI_IMPORT_PRIORITY_TYPE].text;

	if (!weight || !strcmp(weight, "0") || (type && !strcasecmp(type, "priority/basic")))
		return;
	for (size_t i = 0; i < conf->partition_count; i++) {
		const struct maui_import_value *set = conf->partitions[i].set;

		if (!tell_is_exclusive(set))
			continue;
		maui_import_remark(import, MAUI_IMPORT_OTHER,
				   maui_import_text(import,
						    "PriorityWeightJobSize=%s and whole nodes "
						    "of partition %s",
						    weight, set[MAUI_IMPORT_P_NAME].text),
				   "once Slurm has looked for nodes, it counts all their CPUs in a "
				   "job's size; here those count that the job asks for");
	}
}

static void tell_unknown(const struct maui_import_conf *conf, struct maui_import *import)
{
	for (size_t i = 0; i < conf->unknown_count; i++) {
		const struct maui_import_unknown *unknown = &conf->unknown[i];

		maui_import_remark(import, MAUI_IMPORT_LOST,
				   maui_import_text(import, "%s=%s%s%s", unknown->name,
						    unknown->value,
						    unknown->partition ? " of " : "",
						    unknown->partition ? unknown->partition : ""),
				   "this setting is not known here: nothing is done about it");
	}
}

void maui_import_tell_conf(const struct maui_import_conf *conf, struct maui_import *import)
{
	tell_globals(conf, import);
	tell_flags(conf, import);
	tell_partitions(conf, import);
	tell_whole_nodes(conf, import);
	tell_unknown(conf, import);
}
