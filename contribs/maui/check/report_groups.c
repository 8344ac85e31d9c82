/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts entries by all but their names and lines, so that alike ones are neighbours. */
#include "contribs/maui/check/report_groups.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/memory.h"
#include "common/util/slurm/hostlist.h"
#include "common/util/slurm/hostlist_join.h"
#include "contribs/maui/lib/text.h"

#define NAMES 10 /* that are listed of those that are not nodes */

/* Lines with a name in brackets, about which there is no error and nothing of their own to say. */
static bool groups_may(const struct report_entry *entry)
{
	return entry->record && entry->record->section != MAUI_PARAMETERS &&
	       *entry->record->object && *entry->record->name != '#' &&
	       entry->verdict != REPORT_ERROR && !entry->two_readings;
}

/* Of two that may: all but the name in brackets and the place in the file. */
static int groups_compare_kind(const struct report_entry *a, const struct report_entry *b)
{
	int order = strcmp(a->origin.file, b->origin.file);

	if (!order)
		order = (int)a->record->section - (int)b->record->section;
	if (!order)
		order = (int)a->verdict - (int)b->verdict;
	if (!order)
		order = (int)a->loss - (int)b->loss;
	if (!order)
		order = strcasecmp(a->record->name, b->record->name);
	return order ? order : strcmp(a->text, b->text);
}

static int groups_compare(const void *left, const void *right)
{
	const struct report_entry *a = *(const struct report_entry *const *)left;
	const struct report_entry *b = *(const struct report_entry *const *)right;
	int order = groups_compare_kind(a, b);

	return order ? order : a < b ? -1 : a > b;
}

/* n[1-42]; of a section other than NODECFG the first names. */
static char *groups_names(const struct report_entry *const *entries, size_t count)
{
	const char **names = maui_calloc(count, sizeof(*names));
	bool nodes = entries[0]->record->section == MAUI_NODECFG;
	char *text, *longer;

	for (size_t i = 0; i < count; i++) {
		names[i] = entries[i]->record->object;
		nodes &= !maui_hostlist_is_range(names[i]);
	}
	if (nodes) {
		text = maui_hostlist_join(names, count);
		free(names);
		return text;
	}
	text = text_copy(names[0]);
	for (size_t i = 1; i < count && i <= NAMES; i++) {
		longer = text_printf("%s,%s", text, i < NAMES ? names[i] : "...");
		free(text);
		text = longer;
	}
	free(names);
	return text;
}

static void groups_join(const struct report *report, const struct report_entry *const *entries,
			size_t count, struct report_group *groups)
{
	size_t first = (size_t)(entries[0] - report->entries);

	if (count < REPORT_GROUP)
		return;
	for (size_t i = 1; i < count; i++)
		groups[entries[i] - report->entries].count = 0;
	groups[first].count = count;
	groups[first].last = (size_t)(entries[count - 1] - report->entries);
	groups[first].names = groups_names(entries, count);
}

struct report_group *report_groups(const struct report *report)
{
	struct report_group *groups = maui_calloc(report->count, sizeof(*groups));
	const struct report_entry **sorted = maui_calloc(report->count, sizeof(*sorted));
	size_t count = 0;

	for (size_t i = 0; i < report->count; i++) {
		groups[i] = (struct report_group){.first = i, .last = i, .count = 1};
		if (groups_may(&report->entries[i]))
			sorted[count++] = &report->entries[i];
	}
	qsort(sorted, count, sizeof(const struct report_entry *), groups_compare);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && !groups_compare_kind(sorted[i], sorted[end]);)
			end++;
		groups_join(report, sorted + i, end - i, groups);
	}
	free(sorted);
	return groups;
}

void report_groups_free(struct report_group *groups, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(groups[i].names);
	free(groups);
}
