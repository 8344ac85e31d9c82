/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diagnose -u, -g, -a, -c and -Q: a credential's own line is the original's to the character, with
 * what maui.cfg says about this very credential. Ours are the lines below it: limits in force,
 * DEFAULT's included, what is in use, and what is left.
 */
#include "contribs/maui/diagnose/diagnose_credentials.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/policy/limits/limits_metric.h"
#include "common/util/principal_text.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/node_text.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/text.h"

/* ---- the original's columns ---------------------------------------------------------------- */

/* "hi:low", "[NONE]" */
static const char *list_text(struct json_object *row, const char *name, char *buffer, size_t size)
{
	joined(member_array(row, name), ":", buffer, size);
	if (!*buffer)
		snprintf(buffer, size, "[NONE]");
	return buffer;
}

static void print_list(struct json_object *row, const char *name, int width)
{
	char text[512];

	print_padded(list_text(row, name, text, sizeof(text)), width);
}

static void print_word(struct json_object *row, const char *name, int width)
{
	const char *text = member_text(row, name);

	print_padded(*text ? text : "[NONE]", width);
}

/* "MAXJOB=2,4 MAXIJOB=4", "[NONE]" */
static void print_configured(struct json_object *row)
{
	struct json_object *limits = member_array(row, "configured");

	for (size_t i = 0; i < array_size(limits); i++) {
		struct json_object *limit = json_object_array_get_idx(limits, i);
		int64_t soft = member_integer(limit, "soft"), hard = member_integer(limit, "hard");

		if (i)
			putchar(' ');
		print_clean(member_text(limit, "name"));
		putchar('=');
		if (soft != hard)
			printf("%" PRId64 ",", soft);
		printf("%" PRId64, hard);
	}
	if (!array_size(limits))
		printf("[NONE]");
}

/* A user or group of digits as in FS files: it may be beside the number. */
static void print_name(struct json_object *row, const char *type)
{
	bool numeric = !strcmp(type, "user") || !strcmp(type, "group");
	const char *name = member_text(row, "name");
	char text[MAUI_PRINCIPAL_TEXT_SIZE];

	if (numeric && !member_flag(row, "unnamed"))
		name = maui_principal_text(name, UINT32_MAX, text);
	print_padded(name, -12);
}

/* Users, groups, accounts. */
static void print_plain(struct json_object *row, const char *type)
{
	print_name(row, type);
	printf(" %8" PRId64 " ", member_integer(row, "priority"));
	print_list(row, "flags", 12);
	putchar(' ');
	print_word(row, "qdef", 12);
	putchar(' ');
	print_list(row, "qlist", 12);
	printf("  ");
	print_list(row, "partitions", 20);
	printf(" %6.2f  ", member_number(row, "target"));
}

static void print_class(struct json_object *row)
{
	print_padded(member_text(row, "name"), -14);
	printf(" %8" PRId64 " ", member_integer(row, "priority"));
	print_list(row, "flags", -12);
	putchar(' ');
	print_word(row, "qdef", -12);
	putchar(' ');
	print_list(row, "qlist", 12);
	printf("  ");
	print_list(row, "partitions", -20);
	printf(" %5.2f  ", member_number(row, "target"));
}

static void print_qos(struct json_object *row)
{
	print_padded(member_text(row, "name"), -20);
	printf("  %8" PRId64 " %8.8g %8" PRId64 " %8.8g %8.2f ", member_integer(row, "priority"),
	       member_number(row, "qtweight"), member_integer(row, "qttarget"),
	       member_number(row, "xfweight"), member_number(row, "xftarget"));
	print_list(row, "qflags", 10);
	putchar(' ');
	print_list(row, "flags", 10);
	/* As in the original, which has a blank before each limit. */
	printf(array_size(member_array(row, "configured")) ? "  " : " ");
}

/* "  Users:     DEFAULT": whose QLIST names a QOS. */
static void print_listed(struct json_object *row)
{
	static const struct {
		const char *type, *label;
	} types[] = {{"user", "Users:"},
		     {"group", "Groups:"},
		     {"account", "Accounts:"},
		     {"class", "Classes:"}};
	struct json_object *listed = member_object(row, "listed_by");

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		struct json_object *names = member_array(listed, types[i].type);
		char text[4096];

		if (!array_size(names))
			continue;
		printf("  %-10s ", types[i].label);
		print_clean(joined(names, ":", text, sizeof(text)));
		putchar('\n');
	}
}

static void print_qos_head(struct json_object *data)
{
	struct json_object *system = member_object(data, "system");
	const char *qdef = member_text(system, "qdef");
	char text[512];

	joined(member_array(system, "qlist"), ":", text, sizeof(text));
	printf("QOS Status\n\nSystem QOS Settings:  QList: ");
	print_clean(*text ? text : "DEFAULT");
	printf(" (Def: ");
	print_clean(*qdef ? qdef : "DEFAULT");
	printf(")  Flags: 0\n\n%-20s* %8s %8s %8s %8s %8s %10s %10s %s\n\n", "Name", "Priority",
	       "QTWeight", "QTTarget", "XFWeight", "XFTarget", "QFlags", "JobFlags", "Limits");
}

static void print_head(struct json_object *data)
{
	const char *type = member_text(data, "type");

	if (!strcmp(type, "qos")) {
		print_qos_head(data);
	} else if (!strcmp(type, "class")) {
		printf("Class/Queue Status\n\n%-14s %8s %-12s %-12s %12s* %-20s %6s %s\n\n", "Name",
		       "Priority", "Flags", "QDef", "QOSList", "PartitionList", "Target", "Limits");
	} else {
		printf("Displaying ");
		print_clean(type);
		printf(" information...\n%-12s %8s %12s %12s %12s* %20s %6s  %s\n\n", "Name",
		       "Priority", "Flags", "QDef", "QOSList", "PartitionList", "Target", "Limits");
	}
}

/* ---- what is left -------------------------------------------------------------------------- */

static bool is_known(struct json_object *object, const char *name)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(object, name, &value);
	return json_object_is_type(value, json_type_int);
}

/* "MAXJOB=2,4: 1 in use, 3 left, 1 to the soft limit" */
static void print_usage(struct json_object *limit)
{
	bool idle = !strcmp(member_text(limit, "mode"), "idle");

	if (!strcmp(member_text(limit, "mode"), "system")) {
		printf("of each job");
		return;
	}
	if (!is_known(limit, "usage")) {
		printf("not counted");
		return;
	}
	printf("%" PRId64 " %s", member_integer(limit, "usage"), idle ? "eligible" : "in use");
	if (member_flag(limit, "overridden")) {
		printf(", O");
		print_clean(member_text(limit, "name"));
		printf(" stands in its place");
	}
	if (is_known(limit, "left"))
		printf(", %" PRId64 " left", member_integer(limit, "left"));
	if (is_known(limit, "soft_left") &&
	    member_integer(limit, "soft") != member_integer(limit, "hard"))
		printf(", %" PRId64 " to the soft limit", member_integer(limit, "soft_left"));
}

/* ", until 2026-11-20T20:00:00, when night begins" */
static void print_until(struct json_object *limit)
{
	const char *next = member_text(limit, "next");
	char until[TEXT_DATE_SIZE];

	if (is_known(limit, "until"))
		printf(", until %s", text_date(member_integer(limit, "until"), "", until));
	if (is_known(limit, "until") && *next) {
		printf(", when ");
		print_clean(next);
		printf(member_flag(limit, "next_begins") ? " begins" : " ends");
	}
	putchar('\n');
}

/* "MAXJOB[USER:1001] (without a name)" */
static void print_limit_name(struct json_object *limit)
{
	print_clean(member_text(limit, "name"));
	if (member_flag(limit, "second_unnamed"))
		printf(" (without a name)");
}

/* "MAXPROC[PERIOD:night]: lifted", or of periods that do not hold now. */
static void print_lifted(struct json_object *limit)
{
	printf("  ");
	print_limit_name(limit);
	printf(*member_text(limit, "period") ? ": lifted" : ": not in force");
	print_until(limit);
}

static void print_limit(struct json_object *limit)
{
	int64_t soft = member_integer(limit, "soft"), hard = member_integer(limit, "hard");

	printf("  ");
	print_limit_name(limit);
	putchar('=');
	if (is_known(limit, "soft") && soft != hard)
		printf("%" PRId64 ",", soft);
	printf("%" PRId64 ": ", hard);
	print_usage(limit);
	print_until(limit);
}

static void print_room(struct json_object *row)
{
	struct json_object *limits = member_array(row, "limits");
	struct json_object *lifted = member_array(row, "lifted");

	for (size_t i = 0; i < array_size(limits); i++)
		print_limit(json_object_array_get_idx(limits, i));
	for (size_t i = 0; i < array_size(lifted); i++)
		print_lifted(json_object_array_get_idx(lifted, i));
}

static void print_amount(struct json_object *active, enum maui_limit_metric metric)
{
	const struct maui_limit_metric_info *info = maui_limit_metric_info(metric);

	if (info->label)
		printf("  %s: %" PRId64 "%s", info->label, member_integer(active, info->json),
		       info->label_unit);
}

/* The seconds first. */
static void print_outstanding(struct json_object *active)
{
	const char *before = "  Outstanding: ";

	for (unsigned int metric = MAUI_LIMIT_METRICS; metric-- > 0;) {
		const struct maui_limit_metric_info *info = maui_limit_metric_info(metric);

		if (!info->outstanding)
			continue;
		printf("%s%" PRId64 " %s", before, member_integer(active, info->json), info->many);
		before = ", ";
	}
}

/* No line for a credential that has nothing. */
static void print_amounts(struct json_object *row, bool verbose)
{
	struct json_object *active = member_object(row, "active");
	struct json_object *eligible = member_object(row, "eligible");
	int64_t jobs = member_integer(active, "jobs"), waiting = member_integer(eligible, "jobs");
	int64_t pending = member_integer(row, "pending");

	if (!jobs && !waiting && !pending)
		return;
	printf("  Jobs: %" PRId64 " active, %" PRId64 " eligible, %" PRId64 " pending", jobs,
	       waiting, pending);
	for (unsigned int metric = 0; active && metric < MAUI_LIMIT_METRICS; metric++)
		if (verbose || metric == MAUI_LIMIT_PROC || metric == MAUI_LIMIT_NODE)
			print_amount(active, metric);
	if (active && verbose)
		print_outstanding(active);
	putchar('\n');
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void print_row(struct json_object *row, const char *type, bool verbose)
{
	if (!strcmp(type, "qos"))
		print_qos(row);
	else if (!strcmp(type, "class"))
		print_class(row);
	else
		print_plain(row, type);
	print_configured(row);
	putchar('\n');
	if (!strcmp(type, "qos"))
		print_listed(row);
	print_room(row);
	print_amounts(row, verbose);
}

static void print_system(struct json_object *system)
{
	if (!array_size(member_array(system, "limits")) &&
	    !array_size(member_array(system, "lifted")))
		return;
	printf("Limits of the whole system:\n");
	print_room(system);
	putchar('\n');
}

static void note_state(struct json_object *data)
{
	int64_t omitted = member_integer(data, "omitted"),
		pairs = member_integer(data, "omitted_pairs");

	if (!member_flag(data, "limited"))
		note("maui.cfg sets no limit: what is in use is not counted");
	else if (!member_flag(data, "enforced"))
		note("no job is held to these limits: slurmctld has not loaded the select plugin "
		     "of Slurm-Maui");
	else if (!member_flag(data, "counted"))
		note("what is in use is still being counted: no job starts before it is");
	if (omitted > 0)
		note("%" PRId64 " more are not shown: ask for one by name", omitted);
	if (pairs > 0)
		note("limits of %" PRId64 " more pairs are not shown: ask for one by name", pairs);
}

int print_credentials(struct json_object *data, bool verbose)
{
	struct json_object *rows = member_array(data, "credentials");

	if (!rows)
		return fail(EXIT_UNTRUSTED, "the engine's answer has no credentials");
	print_head(data);
	for (size_t i = 0; i < array_size(rows); i++)
		print_row(json_object_array_get_idx(rows, i), member_text(data, "type"), verbose);
	putchar('\n');
	print_system(member_object(data, "system"));
	note_state(data);
	return EXIT_OK;
}
