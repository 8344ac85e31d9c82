/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The maui.cfg: the site's own lines, each with its place, and lines for limits of queues. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/config/record.h"
#include "common/import/torque/torque_private.h"
#include "common/util/memory.h"

static const char *cfg_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* ---- the site's lines ---- */

/* For each line of the text, counted from 1, the first one of what ends on it; 0: nothing does. */
static unsigned int *cfg_ends(const struct maui_torque_policy *policy, size_t lines)
{
	unsigned int *ends = maui_calloc(lines + 2, sizeof(*ends));
	const char *path = maui_config_path(policy->config);
	const struct maui_record *records;
	size_t count = maui_config_records(policy->config, &records, NULL);

	for (size_t i = 0; i < count; i++) {
		const struct maui_record *record = &records[i];

		if (!strcmp(record->origin.file, path) && record->last_line <= lines &&
		    *record->name != '#' && !ends[record->last_line])
			ends[record->last_line] = record->origin.line;
	}
	return ends;
}

/* A comment may stand behind the line: it is not continued and includes nothing. */
static bool cfg_may_comment(const char *line, size_t size)
{
	return size && line[size - 1] != '\\' && !memmem(line, size, "#INCLUDE", 8);
}

static void cfg_own_lines(const struct maui_torque_policy *policy,
			  struct maui_torque_result *result)
{
	const char *end = policy->text + policy->size, *stop;
	const char *name = cfg_base(maui_config_path(policy->config));
	unsigned int number = 0, *ends;
	size_t lines = 1;

	for (const char *at = policy->text; at < end; at++)
		lines += *at == '\n';
	ends = cfg_ends(policy, lines);
	for (const char *at = policy->text; at < end; at = stop + 1) {
		size_t size;

		stop = memchr(at, '\n', (size_t)(end - at));
		stop = stop ? stop : end;
		size = (size_t)(stop - at);
		while (size && strchr(" \t\r", at[size - 1]))
			size--;
		number++;
		if (ends[number] && cfg_may_comment(at, size))
			maui_torque_line(result, MAUI_TORQUE_POLICY, "%.*s # %s:%u", (int)size, at,
					 name, ends[number]);
		else
			maui_torque_line(result, MAUI_TORQUE_POLICY, "%.*s", (int)size, at);
	}
	free(ends);
}

/* ---- lines for queues ---- */

/* The line that sets "CLASSCFG[q] MAXJOB" in the site's file, or 0. */
static const struct maui_record *cfg_find(const struct maui_torque_policy *policy,
					  const char *setting)
{
	const struct maui_record *records;
	size_t count = policy->config ? maui_config_records(policy->config, &records, NULL) : 0;

	for (size_t i = 0; i < count; i++) {
		const struct maui_record *record = &records[i];
		bool index = *record->object != '\0';
		char text[512];

		if (record->fate != MAUI_RECORD_TAKEN || record->section == MAUI_PARAMETERS)
			continue;
		snprintf(text, sizeof(text), "%s%s%.200s%s %.200s",
			 maui_section_name(record->section), index ? "[" : "", record->object,
			 index ? "]" : "", record->name);
		if (!strcasecmp(text, setting))
			return record;
	}
	return NULL;
}

/* Another attribute of the queue with the same limit, before this one. */
static bool cfg_twice(const struct maui_torque_object *object,
		      const struct maui_torque_attribute *attribute)
{
	for (const struct maui_torque_attribute *at = object->attributes; at < attribute; at++)
		if (at->known && at->known->limit &&
		    !strcmp(at->known->limit, attribute->known->limit))
			return true;
	return false;
}

static void cfg_limit(const struct maui_torque_object *object,
		      const struct maui_torque_attribute *attribute,
		      const struct maui_torque_policy *policy, struct maui_torque_result *result)
{
	const char *limit = attribute->known->limit;
	const char *setting = *object->name ? maui_import_text(&result->import, "CLASSCFG[%s] %s",
							       object->name, limit)
					    : limit;
	uint64_t number = maui_torque_number(attribute->value);
	const struct maui_record *own = cfg_find(policy, setting);

	if (!number)
		maui_torque_remark(result, object, attribute, MAUI_IMPORT_LOST,
				   "%s of 0 is not written; State=DOWN of a partition lets no job "
				   "start",
				   setting);
	else if (own)
		maui_torque_remark(
			result, object, attribute, MAUI_IMPORT_OTHER,
			"%s:%u sets %s already, and stays as it is; of the two limits the "
			"smaller one held: write that",
			own->origin.file, own->origin.line, setting);
	else if (cfg_twice(object, attribute))
		maui_torque_remark(result, object, attribute, MAUI_IMPORT_OTHER,
				   "another attribute became %s; of the two limits the smaller one "
				   "held: write that",
				   setting);
	else
		maui_torque_line(result, MAUI_TORQUE_POLICY, "%s=%" PRIu64 " # %s:%u: %s of %s%s",
				 setting, number, cfg_base(attribute->place.file),
				 attribute->place.line, attribute->name,
				 *object->name ? "queue " : "the server", object->name);
}

static void cfg_limits(const struct maui_torque_object *object,
		       const struct maui_torque_policy *policy, struct maui_torque_result *result)
{
	for (size_t i = 0; i < object->count; i++)
		if (object->attributes[i].known && object->attributes[i].known->limit)
			cfg_limit(object, &object->attributes[i], policy, result);
}

static void cfg_tell_includes(const struct maui_torque_policy *policy,
			      struct maui_torque_result *result)
{
	const struct maui_record *records;
	size_t count = maui_config_records(policy->config, &records, NULL);

	for (size_t i = 0; i < count; i++)
		if (records[i].fate == MAUI_RECORD_INCLUDED)
			maui_import_remark(
				&result->import, MAUI_IMPORT_OTHER,
				maui_import_text(&result->import, "%s:%u: #INCLUDE %s",
						 records[i].origin.file, records[i].origin.line,
						 records[i].object),
				"copy this file, too: a relative path is relative to maui.cfg");
}

void maui_torque_cfg(const struct maui_torque_site *site, const struct maui_torque_policy *policy,
		     struct maui_torque_result *result)
{
	size_t before;

	if (policy->config) {
		cfg_own_lines(policy, result);
		cfg_tell_includes(policy, result);
		maui_torque_line(result, MAUI_TORQUE_POLICY, "%s", "");
	} else {
		maui_import_remark(
			&result->import, MAUI_IMPORT_OTHER, "maui.cfg",
			"there is no maui.cfg or moab.cfg beside the files of Torque: the "
			"one that is written has the limits of queues alone");
	}
	maui_torque_line(result, MAUI_TORQUE_POLICY, "# Limits of Torque's queues and server.");
	before = result->parts[MAUI_TORQUE_POLICY].count;
	cfg_limits(&site->server, policy, result);
	for (size_t i = 0; i < site->queue_count; i++)
		if (!maui_torque_is_route(&site->queues[i]))
			cfg_limits(&site->queues[i], policy, result);
	if (before == result->parts[MAUI_TORQUE_POLICY].count)
		maui_torque_line(result, MAUI_TORQUE_POLICY, "# There are none to add.");
}
