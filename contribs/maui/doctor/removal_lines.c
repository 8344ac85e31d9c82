/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What install.md has an administrator add to slurm.conf, one row per line. A line that was not there
 * before becomes a comment, as Slurm accepts no line without a value.
 */
#include "contribs/maui/doctor/removal_lines.h"

#include <stdio.h>
#include <string.h>

#include "common/util/list.h"
#include "contribs/maui/doctor/plugin_dirs.h"
#include "contribs/maui/slurm/slurm_select.h"

#define INNER_PREEMPT "maui_preempt="
#define RESERVE       "bf_min_prio_reserve="

/* ---- lists with commas between their items ------------------------------------------------- */

static bool is_ours(struct maui_item item)
{
	return maui_item_is(item, "maui") || maui_item_is(item, "job_submit/maui") ||
	       (item.size > 5 && !memcmp(item.text, "maui_", 5));
}

/* The README of 0.1 said 1. */
static bool is_reserve(struct maui_item item)
{
	return maui_item_is(item, "bf_min_prio_reserve=2") ||
	       maui_item_is(item, "bf_min_prio_reserve=1");
}

/* True: something was taken out. */
static bool list_without(const char *list, bool (*is_out)(struct maui_item item), char *ret_rest,
			 size_t size)
{
	struct maui_item item;
	size_t used = 0;
	bool found = false;

	*ret_rest = '\0';
	while (maui_list_next(&list, ",", &item))
		if (is_out(item))
			found = true;
		else if (used + item.size + 2 < size)
			used += (size_t)snprintf(ret_rest + used, size - used, "%s%.*s",
						 used ? "," : "", (int)item.size, item.text);
	return found;
}

/* ---- each line: true if it came with Maui, and what is left of its value ------------------- */

static bool no_priority(const struct slurm_install *install, const char *value, char *ret_rest,
			size_t size)
{
	(void)install;
	snprintf(ret_rest, size, "priority/multifactor");
	return !strcmp(value, "priority/maui");
}

static bool no_ours(const struct slurm_install *install, const char *value, char *ret_rest,
		    size_t size)
{
	(void)install;
	return list_without(value, is_ours, ret_rest, size);
}

/* In shadow mode these lines are the site's own. */
static bool is_in_charge(const struct slurm_install *install)
{
	return !strcmp(install->priority_type, "priority/maui");
}

static bool no_reserve(const struct slurm_install *install, const char *value, char *ret_rest,
		       size_t size)
{
	return list_without(value, is_reserve, ret_rest, size) && is_in_charge(install);
}

/* 1 makes sprio show a column, and is not a weight that anybody would want. */
static bool no_weight(const struct slurm_install *install, const char *value, char *ret_rest,
		      size_t size)
{
	snprintf(ret_rest, size, "%s", "");
	return !strcmp(value, "1") && is_in_charge(install);
}

static bool no_directory(const struct slurm_install *install, const char *value, char *ret_rest,
			 size_t size)
{
	(void)install;
	plugin_dirs_stock(value, ret_rest, size);
	return *ret_rest && strcmp(ret_rest, value) != 0;
}

static bool no_select(const struct slurm_install *install, const char *value, char *ret_rest,
		      size_t size)
{
	(void)install;
	snprintf(ret_rest, size, SLURM_SELECT_STOCK);
	return !strcmp(value, SLURM_SELECT_OURS) || !strcmp(value, SLURM_SELECT_EARLIER);
}

/* Where the release is not known, cons_tres may be ours. */
static bool keeps_select(const struct slurm_install *install)
{
	const struct slurm_select_form *ours = slurm_select_form(install->version);

	return !strcmp(install->select_type, SLURM_SELECT_STOCK) && (!ours || ours->shadows);
}

/* The plugin that preempt/maui asks. "" none. */
static void inner_preempt(const struct slurm_install *install, char *ret_name, size_t size)
{
	const char *at = strstr(install->priority_parameters, INNER_PREEMPT);
	const char *name = at ? at + strlen(INNER_PREEMPT) : "";
	const char *slash = memchr(name, '/', strcspn(name, ","));

	if (slash)
		name = slash + 1;
	snprintf(ret_name, size, "%.*s", (int)strcspn(name, ","), name);
}

static bool no_preempt(const struct slurm_install *install, const char *value, char *ret_rest,
		       size_t size)
{
	char inner[64];

	inner_preempt(install, inner, sizeof(inner));
	snprintf(ret_rest, size, "preempt/%s", *inner ? inner : "none");
	return !strcmp(value, "preempt/maui");
}

/* Slurm does not start with preempt/none and a PreemptMode that preempts. */
static bool no_mode(const struct slurm_install *install, const char *value, char *ret_rest,
		    size_t size)
{
	char inner[64];

	inner_preempt(install, inner, sizeof(inner));
	snprintf(ret_rest, size, "%s", strncmp(value, "GANG", 4) != 0 ? "OFF" : "GANG");
	return !strcmp(install->preempt_type, "preempt/maui") && !*inner &&
	       strcmp(value, ret_rest) != 0;
}

#define VALUE(member) offsetof(struct slurm_install, member)

static const struct row {
	const char *key;
	size_t value;
	bool (*without)(const struct slurm_install *install, const char *value, char *ret_rest,
			size_t size);
	bool list;
} rows[] = {
	{"PriorityType", VALUE(priority_type), no_priority, false},
	{"PriorityParameters", VALUE(priority_parameters), no_ours, true},
	{"PriorityWeightAge", VALUE(weight_age), no_weight, false},
	{"PriorityWeightAssoc", VALUE(weight_assoc), no_weight, false},
	{"PriorityWeightFairshare", VALUE(weight_fairshare), no_weight, false},
	{"PriorityWeightJobSize", VALUE(weight_job_size), no_weight, false},
	{"PriorityWeightPartition", VALUE(weight_partition), no_weight, false},
	{"PriorityWeightQOS", VALUE(weight_qos), no_weight, false},
	{"PluginDir", VALUE(plugin_dir), no_directory, false},
	{"SelectType", VALUE(select_type), no_select, false},
	{"JobSubmitPlugins", VALUE(job_submit_plugins), no_ours, true},
	{"SchedulerParameters", VALUE(scheduler_parameters), no_reserve, true},
	{"PreemptType", VALUE(preempt_type), no_preempt, false},
	{"PreemptMode", VALUE(preempt_mode), no_mode, false},
};
_Static_assert(sizeof(rows) / sizeof(rows[0]) <= REMOVAL_LINES, "a line for each");

static const char *value_of(const struct row *row, const struct slurm_install *install)
{
	return (const char *)install + row->value;
}

/* Our select plugin may have taken the place of another than the one it wraps, and preempt/maui needs
 * a PreemptMode. */
static bool goes_with_ours(const struct row *row, const struct slurm_install *install)
{
	if (row->value == VALUE(select_type))
		return is_in_charge(install) && keeps_select(install);
	return row->value == VALUE(preempt_mode) && !strcmp(install->preempt_type, "preempt/maui");
}

/* The site's own bf_min_prio_reserve, for which ours stood. */
static void add_reserve(const struct slurm_install *before, char *list, size_t size)
{
	const char *was = before->scheduler_parameters;
	struct maui_item item;
	size_t used = strlen(list);

	while (maui_list_next(&was, ",", &item))
		if (item.size > strlen(RESERVE) && !memcmp(item.text, RESERVE, strlen(RESERVE)) &&
		    used + item.size + 2 < size)
			used += (size_t)snprintf(list + used, size - used, "%s%.*s",
						 used ? "," : "", (int)item.size, item.text);
}

/* Whether the line changes, and what stands in it then; "" nothing. */
static bool removal_lines_changes(const struct row *row, const struct slurm_install *install,
				  const struct slurm_install *before, char *ret_rest, size_t size)
{
	const char *value = value_of(row, install), *was = before ? value_of(row, before) : NULL;
	bool ours = row->without(install, value, ret_rest, size);

	if (!before)
		return ours;
	if (row->list) {
		if (row->without == no_reserve)
			add_reserve(before, ret_rest, size);
		return ours && strcmp(value, ret_rest) != 0;
	}
	snprintf(ret_rest, size, "%s", row->without == no_weight && !strcmp(was, "0") ? "" : was);
	return (ours || goes_with_ours(row, install)) && strcmp(value, was) != 0;
}

void removal_lines_find(const struct slurm_install *install, const struct slurm_install *before,
			struct removal_lines *ret_lines)
{
	char rest[PATH_MAX];

	ret_lines->count = 0;
	ret_lines->keeps_select = keeps_select(install);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (removal_lines_changes(&rows[i], install, before, rest, sizeof(rest)))
			snprintf(ret_lines->text[ret_lines->count++], sizeof(ret_lines->text[0]),
				 "%s%s=%s", *rest ? "" : "#", rows[i].key,
				 *rest ? rest : value_of(&rows[i], install));
}

void removal_lines_keys(char *buffer, size_t size)
{
	*buffer = '\0';
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		maui_list_add(buffer, size, ", ", rows[i].key);
}
