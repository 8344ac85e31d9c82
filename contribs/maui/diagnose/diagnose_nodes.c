/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diagnose -n: the original's columns. Slurm has no swap space (NODECFG may) and no networks, and
 * one partition of Slurm is one class; Par is the first of them. Classes and Features are not cut.
 */
#include "contribs/maui/diagnose/diagnose_nodes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/node_text.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/terminal.h"

static const char *const resources[] = {"procs", "memory", "disk", "swap"};

#define RESOURCES (sizeof(resources) / sizeof(resources[0]))

struct sums {
	int64_t available[RESOURCES], configured[RESOURCES];
	uint64_t nodes, active, idle, down;
};

static bool diagnose_nodes_state_in(const char *state, const char *const *states)
{
	for (; *states; states++)
		if (!strcmp(state, *states))
			return true;
	return false;
}

static const char *state_mark(const char *state)
{
	static const char *const bad[] = {"Down", "Drained", "Unknown", NULL};

	if (diagnose_nodes_state_in(state, bad))
		return mark(MARK_BAD);
	return !strcmp(state, "Draining") ? mark(MARK_WARN) : "";
}

static void add_up(struct sums *sums, struct json_object *node)
{
	static const char *const active[] = {"Busy", "Running", "Draining", NULL};
	static const char *const idle[] = {"Idle", NULL};
	const char *state = member_text(node, "state");

	for (size_t i = 0; i < RESOURCES; i++) {
		sums->available[i] += amount_of(node, "available", resources[i]);
		sums->configured[i] += amount_of(node, "configured", resources[i]);
	}
	sums->nodes++;
	if (diagnose_nodes_state_in(state, active))
		sums->active++;
	else if (diagnose_nodes_state_in(state, idle))
		sums->idle++;
	else
		sums->down++;
}

static void print_pair(size_t index, int64_t available, int64_t configured)
{
	int width = index ? 6 : 3;

	printf(" %*" PRId64 ":%-*" PRId64, width, available, width, configured);
}

/* The first word of a system's name and release. */
static void print_system(const char *text)
{
	char word[8], shown[8];

	snprintf(word, sizeof(word), "%.*s", (int)strcspn(text, " "), text);
	if (!*word)
		snprintf(word, sizeof(word), "[NONE]");
	printf("%6.6s ", clean_copy(word, shown, sizeof(shown)));
}

static void print_partition(struct json_object *classes)
{
	struct json_object *first =
		array_size(classes) ? json_object_array_get_idx(classes, 0) : NULL;
	char text[4] = "-";

	if (json_object_is_type(first, json_type_string))
		clean_copy(json_object_get_string(first), text, sizeof(text));
	printf("%3.3s ", text);
}

/* Available and configured, as of the other resources; a column of ours. */
static void print_gres(struct json_object *gres)
{
	if (array_size(gres))
		putchar(' ');
	for (size_t i = 0; i < array_size(gres); i++) {
		struct json_object *one = json_object_array_get_idx(gres, i);
		int64_t configured = member_integer(one, "configured");
		int64_t dedicated = member_integer(one, "dedicated");

		putchar('[');
		print_clean(member_text(one, "name"));
		printf(" %" PRId64 ":%" PRId64 "]",
		       configured > dedicated ? configured - dedicated : 0, configured);
	}
}

static bool any_gres(struct json_object *nodes)
{
	for (size_t i = 0; i < array_size(nodes); i++)
		if (array_size(member_array(json_object_array_get_idx(nodes, i), "gres")))
			return true;
	return false;
}

static void print_row(struct json_object *node)
{
	char text[4096];

	print_padded(member_text(node, "name"), -20);
	putchar(' ');
	fputs(state_mark(member_text(node, "state")), stdout);
	print_padded(member_text(node, "state"), 8);
	fputs(mark(MARK_END), stdout);
	for (size_t i = 0; i < RESOURCES; i++)
		print_pair(i, amount_of(node, "available", resources[i]),
			   amount_of(node, "configured", resources[i]));
	printf(" %5.2f ", member_number(node, "speed"));
	print_system(member_text(node, "opsys"));
	print_system(member_text(node, "arch"));
	print_partition(member_array(node, "classes"));
	/* In the original every job has a reservation of its own. */
	printf("%6.2f %03" PRIu64 " ", member_number(node, "load"),
	       (uint64_t)member_integer(node, "jobs") +
		       (uint64_t)member_integer(node, "reservations"));
	printf("%-30s ", class_text(node, '_', text, sizeof(text)));
	printf("%-30s ", "[NONE]");
	printf("%-20s", bracketed(member_array(node, "features"), text, sizeof(text)));
	print_gres(member_array(node, "gres"));
	putchar('\n');
}

static void print_warnings(struct json_object *node)
{
	const char *reason = member_text(node, "reason");
	struct json_object *limits = member_array(node, "limits");

	if (*reason) {
		printf("  %sWARNING:%s  node '", mark(MARK_WARN), mark(MARK_END));
		print_clean(member_text(node, "name"));
		printf("' is ");
		print_clean(member_text(node, "slurm_state"));
		printf(": ");
		print_clean(reason);
		putchar('\n');
	}
	if (!array_size(member_array(node, "classes"))) {
		printf("  %sWARNING:%s  node '", mark(MARK_WARN), mark(MARK_END));
		print_clean(member_text(node, "name"));
		printf("' is in no partition\n");
	}
	for (size_t i = 0; i < array_size(limits); i++) {
		struct json_object *limit = json_object_array_get_idx(limits, i);

		if (strcmp(member_text(limit, "name"), "MAXLOAD") != 0 ||
		    member_number(node, "load") < member_number(limit, "hard"))
			continue;
		printf("  %sWARNING:%s  node '", mark(MARK_WARN), mark(MARK_END));
		print_clean(member_text(node, "name"));
		printf("' takes no job: its load is not below MAXLOAD\n");
	}
}

static void print_sums(const struct sums *sums)
{
	printf("%-20s %8s", "-----", "---");
	for (size_t i = 0; i < RESOURCES; i++)
		print_pair(i, sums->available[i], sums->configured[i]);
	printf("\n\nTotal Nodes: %" PRIu64 "  (Active: %" PRIu64 "  Idle: %" PRIu64
	       "  Down: %" PRIu64 ")\n",
	       sums->nodes, sums->active, sums->idle, sums->down);
}

/* The original has no counterpart. */
static void print_details(struct json_object *nodes)
{
	printf("\nName                 Slurm                Jobs Resv   Usage   Priority  MHz     "
	       "Limits\n\n");
	for (size_t i = 0; i < array_size(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);

		print_padded(member_text(node, "name"), -20);
		putchar(' ');
		print_padded(member_text(node, "slurm_state"), -20);
		printf(" %4" PRId64 " %4" PRId64 " %6.2f%% %10.10g  %-7.10g ",
		       member_integer(node, "jobs"), member_integer(node, "reservations"),
		       member_number(node, "usage"), member_number(node, "priority"),
		       member_number(node, "procspeed"));
		print_limits(member_array(node, "limits"));
		putchar('\n');
	}
}

int print_nodes(struct json_object *data, bool verbose)
{
	struct json_object *nodes = member_array(data, "nodes");
	int64_t omitted = member_integer(data, "omitted");
	struct sums sums = {0};

	if (!nodes)
		return fail(EXIT_UNTRUSTED, "the engine's answer has no nodes");
	printf("diagnosing node table (%" PRId64 " slots)\n", member_integer(data, "slots"));
	printf("%-20s %8s %6s %10s %12s %13s %10s %6s %6s %3s %6s %3s %-30s %-30s %-22s%s\n\n",
	       "Name", "State", "Procs", "Memory", "Disk", "Swap", "Speed", "Opsys", "Arch", "Par",
	       "Load", "Res", "Classes", "Network", "Features", any_gres(nodes) ? "GRES" : "");
	for (size_t i = 0; i < array_size(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);

		print_row(node);
		print_warnings(node);
		add_up(&sums, node);
	}
	print_sums(&sums);
	if (verbose)
		print_details(nodes);
	if (omitted > 0)
		note("%" PRId64 " more nodes are not shown: ask for a partition with -t", omitted);
	return EXIT_OK;
}
