/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Torque's values, and the partition, node and limit lines that a few attributes become. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/import/torque/torque.h"
#include "common/import/torque/torque_read.h"

Test(import_torque, values_are_read_by_their_kinds)
{
	static const struct {
		const char *value;
		uint64_t seconds;
	} times[] = {{"90", 90},
		     {"1:30", 90},
		     {"01:00:00", 3600},
		     {"2:00:00:01", 172801},
		     {"100:00:00", 360000},
		     {"5.250", 5}};
	static const struct {
		const char *value;
		uint64_t megabytes;
	} sizes[] = {{"1", 1},      {"1048577b", 2},
		     {"1024kb", 1}, {"3mb", 3},
		     {"2GB", 2048}, {"1tb", 1048576},
		     {"1mw", 8},    {"999999999tb", UINT64_C(1048575998951424)}};
	static const char *const wrong[] = {"", ":", "1:", "1:2:3:4:5", "1x", "-1", "1000000000"};

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		cr_expect_null(maui_torque_check(MAUI_TORQUE_TIME, times[i].value));
		cr_expect_eq(maui_torque_seconds(times[i].value), times[i].seconds, "%s",
			     times[i].value);
	}
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		cr_expect_null(maui_torque_check(MAUI_TORQUE_SIZE, sizes[i].value));
		cr_expect_eq(maui_torque_megabytes(sizes[i].value), sizes[i].megabytes,
			     "%s: %" PRIu64, sizes[i].value, maui_torque_megabytes(sizes[i].value));
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		cr_expect_not_null(maui_torque_check(MAUI_TORQUE_TIME, wrong[i]), "%s", wrong[i]);
		cr_expect_not_null(maui_torque_check(MAUI_TORQUE_SIZE, wrong[i]), "%s", wrong[i]);
	}
	cr_expect(maui_torque_truth("True") && maui_torque_truth("t") && !maui_torque_truth("n"));
}

#define NODES "a1 np=2 x\na2 np=2 x\nb1 np=4 gpus=1 y\n"

/* Lines of a queue q; a line of slurm.conf or maui.cfg that they become. */
static const struct {
	const char *lines, *result;
} cases[] = {
	{"", "PartitionName=q Nodes=ALL State=INACTIVE"},
	{"enabled = t\nstarted = t\n", "PartitionName=q Nodes=ALL State=UP"},
	{"enabled = t\n", "PartitionName=q Nodes=ALL State=DOWN"},
	{"started = t\n", "PartitionName=q Nodes=ALL State=DRAIN"},
	{"resources_default.neednodes = x\n", "PartitionName=q Nodes=a[1-2] State=INACTIVE"},
	{"resources_default.neednodes = x:y\n", "PartitionName=q State=INACTIVE"},
	{"features_required = y\n", "PartitionName=q Nodes=b1 State=INACTIVE"},
	{"acl_hosts = a1.site.org+b1\n", "PartitionName=q Nodes=a1,b1 State=INACTIVE"},
	{"acl_hosts = h\nacl_host_enable = t\n",
	 "PartitionName=q Nodes=ALL AllocNodes=h State=INACTIVE"},
	{"resources_max.walltime = 25:00:00\nresources_default.walltime = 90\n",
	 "PartitionName=q Nodes=ALL MaxTime=1-01:00:00 DefaultTime=00:01:30 State=INACTIVE"},
	{"resources_max.nodes = 3:ppn=2\nresources_min.nodect = 2\n",
	 "PartitionName=q Nodes=ALL MinNodes=2 MaxNodes=3 State=INACTIVE"},
	{"acl_groups = g\nacl_groups += h\nacl_group_enable = t\n",
	 "PartitionName=q Nodes=ALL AllowGroups=g,h State=INACTIVE"},
	{"acl_groups = g\nacl_group_enable = t\nacl_users = u\nacl_user_enable = t\n",
	 "PartitionName=q Nodes=ALL AllowGroups=torque-q State=INACTIVE"},
	{"Priority = 7\n", "PartitionName=q Nodes=ALL PriorityJobFactor=7 State=INACTIVE"},
	{"Priority = -7\n", "PartitionName=q Nodes=ALL State=INACTIVE"},
	{"", "NodeName=a[1-2] CPUs=2 Feature=x State=UNKNOWN"},
	{"", "NodeName=b1 CPUs=4 Gres=gpu:1 Feature=y State=UNKNOWN"},
	{"max_running = 5\n", "CLASSCFG[q] MAXJOB=5 # qmgr:2: max_running of queue q"},
	{"max_user_queuable = 5\n",
	 "CLASSCFG[q] MAXIJOB[USER]=5 # qmgr:2: max_user_queuable of queue q"},
	{"queue_type = Route\nroute_destinations = a\n",
	 "# qmgr:1: queue q routes to a: no partition"},
};

static void complain(void *context, const struct maui_conf_place *place, const char *text)
{
	(void)context;
	cr_expect(false, "%u:%u: %s", place->line, place->column, text);
}

static bool has_line(const struct maui_torque_result *result, const char *line)
{
	for (size_t part = 0; part < MAUI_TORQUE_PARTS; part++)
		for (size_t i = 0; i < result->parts[part].count; i++)
			if (!strcmp(result->parts[part].list[i], line))
				return true;
	return false;
}

/* "create queue q", and the lines behind "set queue q". */
static void make_text(const char *lines, char *text, size_t size)
{
	size_t used = (size_t)snprintf(text, size, "create queue q\n");

	while (*lines) {
		size_t length = strcspn(lines, "\n");

		used += (size_t)snprintf(text + used, size - used, "set queue q %.*s\n",
					 (int)length, lines);
		cr_assert_lt(used, size);
		lines += length + 1;
	}
}

Test(import_torque, attributes_become_lines)
{
	const struct maui_import_complaints complaints = {complain, NULL};
	const struct maui_torque_policy policy = {NULL, "", 0};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct maui_torque_site site;
		struct maui_torque_result result;
		char text[512];

		make_text(cases[i].lines, text, sizeof(text));
		maui_torque_site_begin(&site);
		maui_torque_result_begin(&result);
		cr_expect_eq(maui_torque_read_qmgr(&site, "qmgr", text, strlen(text), &complaints),
			     0);
		cr_expect_eq(
			maui_torque_read_nodes(&site, "nodes", NODES, strlen(NODES), &complaints),
			0);
		maui_torque_translate(&site, &policy, &result);
		cr_expect(has_line(&result, cases[i].result), "%s does not become %s", text,
			  cases[i].result);
		maui_torque_result_clear(&result);
		maui_torque_site_clear(&site);
	}
}
