/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diagnose -r: the original's columns and lines, with those of the standing reservation below each
 * of its instances. Ours are the lines Nodes, Period and Owner, and of Slurm's own reservations
 * what Slurm says.
 */
#include "contribs/maui/diagnose/diagnose_reservations.h"

#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>

#include "common/policy/reservation/sr_attributes.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/node_text.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/rsv_text.h"
#include "contribs/maui/lib/text.h"

#define INDENT "    "
#define DAY    INT64_C(86400)

static void print_labeled(const char *label, const char *text)
{
	if (!*text)
		return;
	printf("%s", label);
	print_clean(text);
}

static void print_texts(struct json_object *array, const char *between, const char *none)
{
	char text[8192];

	print_clean(array_size(array) ? joined(array, between, text, sizeof(text)) : none);
}

/* ---- the standing reservation -------------------------------------------------------------- */

static const char *text_at(struct json_object *array, size_t index)
{
	struct json_object *value = json_object_array_get_idx(array, index);

	return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
}

static const char *label_of(enum maui_key key)
{
	return maui_sr_attribute_of(key)->label;
}

static struct json_object *value_of(struct json_object *standing, enum maui_key key)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(standing, maui_sr_attribute_of(key)->json, &value);
	return value;
}

/* Whether it has a value: not 0, an empty text or an empty list. */
static bool is_set(struct json_object *value)
{
	switch (json_object_get_type(value)) {
	case json_type_int:
		return json_object_get_int64(value);
	case json_type_string:
		return *json_object_get_string(value);
	case json_type_array:
		return array_size(value);
	default:
		return false;
	}
}

/* What is set; between: the items of a list. */
static void print_value(struct json_object *value, const char *between)
{
	if (json_object_is_type(value, json_type_array))
		print_texts(value, between, "");
	else if (json_object_is_type(value, json_type_int))
		printf("%" PRId64, json_object_get_int64(value));
	else
		print_clean(json_object_get_string(value));
}

/* Attributes that the original does not show, or not on a line of their own. */
static void print_others(struct json_object *standing)
{
	for (size_t i = 0; i < MAUI_SR_ATTRIBUTES; i++) {
		const struct maui_sr_attribute *row = maui_sr_attribute_at(i);
		struct json_object *value;

		if (row->shown != MAUI_SR_SHOWN_IF_SET)
			continue;
		value = value_of(standing, row->key);
		if (is_set(value)) {
			printf("  %s: ", row->label);
			print_value(value, ",");
		}
	}
	putchar('\n');
}

static void print_task(struct json_object *standing)
{
	struct json_object *task = value_of(standing, MAUI_ATTR_RESOURCES);
	struct json_object *gres_list = member_array(task, "gres");
	const char *gap = "";

	printf(INDENT "%s: ", label_of(MAUI_ATTR_RESOURCES));
	for (size_t i = 0; i < MAUI_SR_RESOURCES; i++) {
		int64_t amount = member_integer(task, maui_sr_resources[i].json);

		if (!amount)
			continue;
		printf("%s%s: ", gap, maui_sr_resources[i].name);
		if (amount < 0)
			printf("[ALL]");
		else
			printf("%" PRId64 "%s", amount, maui_sr_resources[i].unit);
		gap = "  ";
	}
	for (size_t i = 0; gres_list && i < json_object_array_length(gres_list); i++) {
		struct json_object *gres = json_object_array_get_idx(gres_list, i);

		printf("%sGRES: ", gap);
		print_clean(member_text(gres, "name"));
		printf(":%" PRId64, member_integer(gres, "count"));
		gap = "  ";
	}
	putchar('\n');
}

static void print_attributes(struct json_object *standing)
{
	static const enum maui_key keys[] = {MAUI_ATTR_PRIORITY, MAUI_ATTR_NODEFEATURES,
					     MAUI_ATTR_PARTITION, MAUI_ATTR_TASKCOUNT};
	bool once = member_flag(standing, "administrative");

	printf(INDENT "Attributes (%s='", label_of(MAUI_ATTR_HOSTLIST));
	print_clean(member_text(standing, "hostlist"));
	putchar('\'');
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct json_object *value = value_of(standing, keys[i]);

		/* For a standing one it is on the line below. */
		if (!is_set(value) || (keys[i] == MAUI_ATTR_TASKCOUNT && !once))
			continue;
		printf("   %s=", label_of(keys[i]));
		print_value(value, member_flag(standing, "any_feature") ? "|" : ",");
	}
	if (member_integer(standing, "task_limit"))
		printf("   MaxTasks=%" PRId64, member_integer(standing, "task_limit"));
	printf(")\n");
}

/* The original shows a day if no end is given, and for INFINITY, too. */
static void print_window(struct json_object *standing)
{
	struct json_object *days = member_array(standing, "days");
	bool week = !strcmp(member_text(standing, "period"), "WEEK");
	int64_t end = member_integer(standing, "endtime");
	int64_t until = member_integer(standing, "until");
	char start_text[MAUI_DURATION_SIZE], end_text[MAUI_DURATION_SIZE], date[TEXT_DATE_SIZE];

	maui_duration_format(member_integer(standing, "starttime"), start_text);
	maui_duration_format(end ? end : week ? 7 * DAY : DAY, end_text);
	printf(INDENT "SRAttributes (%s: %" PRId64 "  %s: %s  %s: %s  %s: ",
	       label_of(MAUI_ATTR_TASKCOUNT), member_integer(standing, "taskcount"),
	       label_of(MAUI_ATTR_STARTTIME), start_text, label_of(MAUI_ATTR_ENDTIME), end_text,
	       label_of(MAUI_ATTR_DAYS));
	if (array_size(days) == 7)
		printf("ALL");
	else
		print_texts(days, ",", "NONE");
	printf(")\n" INDENT "%s: ", label_of(MAUI_ATTR_PERIOD));
	print_clean(member_text(standing, "period"));
	printf("  %s: %" PRId64 "  %s: ", label_of(MAUI_ATTR_DEPTH),
	       member_integer(standing, "depth"), label_of(MAUI_ATTR_ACCESS));
	print_clean(member_text(standing, "access"));
	if (until)
		printf("  %s: %s", label_of(MAUI_ATTR_UNTIL),
		       text_date(until, "after the calendar", date));
	print_others(standing);
}

/* TRIGGER, and what has fired it in this instance. */
static void print_trigger(struct json_object *standing, struct json_object *row)
{
	if (!*member_text(standing, "trigger"))
		return;
	printf(INDENT "%s: ", label_of(MAUI_ATTR_TRIGGER));
	print_clean(member_text(standing, "trigger"));
	printf("  Triggered: ");
	print_texts(member_array(row, "triggered"), ",", "NONE");
	putchar('\n');
}

/* For an administrative one, which has no line in maui.cfg. */
static void print_making(struct json_object *standing)
{
	int64_t uid = member_integer(standing, "made_by");
	const struct passwd *user = uid >= 0 && uid < UINT32_MAX ? getpwuid((uid_t)uid) : NULL;
	char date[RSV_DATE_SIZE];

	printf(INDENT "Origin: setres by ");
	if (user)
		print_clean(user->pw_name);
	else
		printf("user %" PRId64, uid);
	printf(", %s", rsv_date(member_integer(standing, "made"), date));
	print_others(standing);
}

static void print_standing(struct json_object *standing, const char *name)
{
	struct json_object *flags = member_array(standing, "flags");
	bool once = member_flag(standing, "administrative");

	if (!once || array_size(flags))
		printf(INDENT "%s:%s", label_of(MAUI_ATTR_FLAGS), once ? "" : " STANDINGRES");
	for (size_t i = 0; i < array_size(flags); i++)
		if (strcmp(text_at(flags, i), "STANDINGRES") != 0)
			print_labeled(" ", text_at(flags, i));
	if (!once || array_size(flags))
		putchar('\n');
	printf(INDENT);
	rsv_print_acl(standing);
	printf(INDENT "CL:  RES==");
	print_clean(name);
	printf(" \n");
	print_task(standing);
	print_attributes(standing);
	if (once)
		print_making(standing);
	else
		print_window(standing);
}

/* ---- an instance, or a reservation of Slurm's ----------------------------------------------- */

static void print_slurms(struct json_object *row)
{
	printf(INDENT "Flags: ");
	print_clean(member_text(row, "slurm_flags"));
	putchar('\n');
	if (*member_text(row, "users") || *member_text(row, "accounts")) {
		printf("   ");
		print_labeled(" Users: ", member_text(row, "users"));
		print_labeled(" Accounts: ", member_text(row, "accounts"));
		putchar('\n');
	}
}

static void diagnose_reservations_warn(const char *kind, const char *name, const char *text)
{
	printf("WARNING:  %s '", kind);
	print_clean(name);
	printf("': ");
	print_clean(text);
	putchar('\n');
}

static void print_warnings(struct json_object *row, struct json_object *standing)
{
	const char *name = member_text(row, "name");
	struct json_object *lacks = member_array(standing, "lacks");
	bool there = member_flag(row, "there") || member_flag(row, "would");

	if (*member_text(row, "problem"))
		diagnose_reservations_warn("reservation", name, member_text(row, "problem"));
	if (member_integer(row, "missing") || !there)
		diagnose_reservations_warn(there ? "reservation" : "there is no reservation", name,
					   member_text(row, "text"));
	if (member_flag(row, "there") && !member_flag(row, "open"))
		diagnose_reservations_warn("reservation", name, "it is closed: nobody gets in");
	if (!standing && member_flag(row, "there"))
		diagnose_reservations_warn(
			"reservation", name,
			"it is no longer in maui.cfg: it goes when its jobs have ended");
	if (member_flag(standing, "recovered"))
		diagnose_reservations_warn("reservation", name,
					   "how it was made is lost with its file, and nobody gets "
					   "in: release it, and make it again");
	for (size_t i = 0; i < array_size(lacks); i++)
		diagnose_reservations_warn("reservation", name, text_at(lacks, i));
}

static void print_row(struct json_object *row, struct json_object *standing, int64_t now)
{
	bool ours = member_flag(row, "ours");
	const char *partition = member_text(ours ? standing : row, "partition");
	int64_t nodes = member_integer(row, "node_count");
	struct rsv_times times;
	char text[4];

	rsv_times(row, now, &times);
	print_padded(member_text(row, "name"), -20);
	printf(" %10s %3.3s %11s %11s  %11s %4" PRId64 " %4" PRId64 " %4" PRId64 "\n",
	       rsv_type(row), clean_copy(*partition ? partition : "ALL", text, sizeof(text)),
	       times.start, times.end, times.duration, nodes,
	       ours ? member_integer(row, "tasks") : nodes, member_integer(row, "procs"));
	if (standing) {
		print_standing(standing, member_text(row, "name"));
		print_trigger(standing, row);
	}
	if (!ours)
		print_slurms(row);
	if (*member_text(row, "nodes")) {
		print_labeled(INDENT "Nodes: ", member_text(row, "nodes"));
		putchar('\n');
	}
	if (ours)
		print_warnings(row, standing);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static struct json_object *find_standing(struct json_object *list, const char *name, bool once)
{
	for (size_t i = 0; *name && i < array_size(list); i++) {
		struct json_object *one = json_object_array_get_idx(list, i);

		if (!strcmp(member_text(one, "name"), name) &&
		    member_flag(one, "administrative") == once)
			return one;
	}
	return NULL;
}

/* Standing reservations without an instance within their DEPTH. */
static void print_without(struct json_object *list)
{
	for (size_t i = 0; i < array_size(list); i++) {
		struct json_object *one = json_object_array_get_idx(list, i);
		const char *name = member_text(one, "name");

		if (!member_flag(one, "usable"))
			diagnose_reservations_warn("standing reservation", name,
						   "it is never made: maui check says why");
		else if (!member_integer(one, "instances"))
			diagnose_reservations_warn(
				"standing reservation", name,
				"none of its instances is wanted now, within its DEPTH");
	}
}

int print_reservations(struct json_object *answer)
{
	struct json_object *data = member_object(answer, "data");
	struct json_object *rows = member_array(data, "reservations");
	struct json_object *list = member_array(data, "standing");

	if (!rows || !list)
		return fail(EXIT_UNTRUSTED, "the engine's answer has no reservations");
	printf("Diagnosing Reservations\n%-20s %10s %3.3s %11s %11s  %11s %4s %4s %4s\n"
	       "%-20s %10s %3.3s %11s %11s  %11s %4s %4s %4s\n",
	       "ResID", "Type", "Par", "StartTime", "EndTime", "Duration", "Node", "Task", "Proc",
	       "-----", "----", "---", "---------", "-------", "--------", "----", "----", "----");
	for (size_t i = 0; i < array_size(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		print_row(row,
			  find_standing(list, member_text(row, "standing"),
					member_flag(row, "administrative")),
			  member_integer(answer, "time"));
	}
	print_without(list);
	printf("\nActive Reserved Processors: %" PRId64 "\n", member_integer(data, "active_procs"));
	rsv_notes(data);
	return EXIT_OK;
}
