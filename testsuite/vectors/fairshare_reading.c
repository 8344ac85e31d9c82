/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/vectors/fairshare_reading.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "testsuite/vectors/check.h"

static const struct {
	const char *original; /* NULL: it knows no such word */
	const char *documented;
	unsigned int type;
} words[] = {
	{"user", "user", MAUI_USER},       {"group", "group", MAUI_GROUP},
	{"acct", "acct", MAUI_ACCOUNT},    {NULL, "account", MAUI_ACCOUNT},
	{"qos", "qos", MAUI_QOS},          {"class", "class", MAUI_CLASS},
	{"sched", "sched", MAUI_FS_TOTAL}, {"TOTAL", "total", MAUI_FS_TOTAL},
};

void reading_begin(struct json_object *object, struct fairshare_reading *ret_reading)
{
	memset(ret_reading, 0, sizeof(*ret_reading));
	ret_reading->interval = (int64_t)member_number(object, "interval", 1);
	ret_reading->now = (int64_t)member_number(object, "now", 0);
	ret_reading->depth = (uint32_t)member_number(object, "depth", 1);
	ret_reading->decay = member_number(object, "decay", 1);
	if (ret_reading->depth > MAUI_FS_MAX_DEPTH)
		ret_reading->depth = MAUI_FS_MAX_DEPTH;
}

struct reading_object *reading_object(struct fairshare_reading *reading, unsigned int type,
				      const char *name)
{
	struct reading_object *object = reading->objects;

	for (size_t i = 0; i < reading->count; i++, object++)
		if (object->type == type && !strcmp(object->name, name))
			return object;
	if (reading->count == READING_OBJECTS)
		return NULL;
	reading->count++;
	object->type = type;
	snprintf(object->name, sizeof(object->name), "%s", name);
	return object;
}

/* One line that is not a header, by either reading; false if it says nothing. */
static bool read_line(const char *line, bool original, unsigned int *ret_type, char *ret_name,
		      double *ret_usage)
{
	char text[512], type[32], second[READING_NAME];
	int count;

	snprintf(text, sizeof(text), "%s", line);
	text[strcspn(text, "#")] = '\0';
	count = sscanf(text, "%31s %47s %lf", type, second, ret_usage);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		bool total = words[i].type == MAUI_FS_TOTAL;
		const char *word = original ? words[i].original : words[i].documented;

		if (count < 2 || !word || (original ? strcmp(type, word) : strcasecmp(type, word)))
			continue;
		if (count == 2 && (original || !total))
			return false;
		if (count == 2)
			*ret_usage = strtod(second, NULL);
		*ret_type = words[i].type;
		snprintf(ret_name, READING_NAME, "%s", total ? "" : second);
		return true;
	}
	return false;
}

/* Copies the line here; returns the beginning of the next. */
static const char *copy_line(const char *text, char *line, size_t room)
{
	size_t length = strcspn(text, "\n");

	snprintf(line, room, "%.*s", (int)length, text);
	return text + length + (text[length] == '\n');
}

static void load_text(struct fairshare_reading *reading, const char *text, uint32_t k,
		      bool original)
{
	bool header = original; /* its first line is dropped, whatever it is */

	while (*text) {
		char line[512], name[READING_NAME];
		unsigned int type;
		double usage;

		text = copy_line(text, line, sizeof(line));
		if (!line[strspn(line, " \t\r")])
			continue;
		/* DEFAULT is not a credential: the original keeps no usage for it. */
		if (!header && read_line(line, original, &type, name, &usage) &&
		    strcmp(name, "DEFAULT")) {
			struct reading_object *object = reading_object(reading, type, name);

			if (object)
				object->usage[k] = usage;
		}
		header = false;
	}
}

void reading_load(struct fairshare_reading *reading, struct json_object *files, bool original)
{
	int64_t into = reading->now % reading->interval;

	for (uint32_t k = 0; k <= reading->depth; k++) {
		char name[48];
		const char *text;

		snprintf(name, sizeof(name), "FS.%" PRId64,
			 reading->now - into - k * reading->interval);
		text = member_text(files, name);
		if (text)
			load_text(reading, text, k, original);
	}
}

void reading_roll(struct fairshare_reading *reading, uint32_t windows)
{
	for (size_t i = 0; i < reading->count; i++)
		for (uint32_t k = READING_WINDOWS; k-- > 0;)
			reading->objects[i].usage[k] =
				k < windows ? 0 : reading->objects[i].usage[k - windows];
}

double reading_rest(const struct fairshare_reading *reading, const struct reading_object *object)
{
	double rest = 0;

	for (uint32_t k = 1; object && k < reading->depth; k++)
		rest += object->usage[k] * pow(reading->decay, k);
	return rest;
}

double reading_sum(const struct fairshare_reading *reading, const struct reading_object *object)
{
	return object ? object->usage[0] + reading_rest(reading, object) : 0;
}

double reading_percent(struct fairshare_reading *reading, const struct reading_object *object)
{
	double total = reading_sum(reading, reading_object(reading, MAUI_FS_TOTAL, ""));

	return total > 0 ? reading_sum(reading, object) / total * 100 : 0;
}

char *reading_filter(const char *text)
{
	size_t size = 0;
	char *filtered = NULL;
	FILE *file = open_memstream(&filtered, &size);
	bool header = true, total = false;

	if (!file)
		return NULL;
	while (*text) {
		char line[512], name[READING_NAME];
		unsigned int type;
		double usage;

		text = copy_line(text, line, sizeof(line));
		if (header) {
			fprintf(file, "%s\n", line);
		} else if (read_line(line, true, &type, name, &usage)) {
			fprintf(file, "%s\n", line);
			total |= type == MAUI_FS_TOTAL;
		}
		header = false;
	}
	if (!total) /* what it then assumes the total to be */
		fprintf(file, "sched NONE 0.000\n");
	return fclose(file) ? NULL : filtered;
}
