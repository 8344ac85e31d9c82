/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diagnose -t: how much each partition has, how much of it is up, and how much jobs hold, in the
 * original's table. It only needs Slurm, which has no swap space and allocates no disk to jobs.
 */
#include "contribs/maui/diagnose/diagnose_partitions.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/report/json.h"
#include "contribs/maui/lib/node_text.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/machine_use.h"
#include "contribs/maui/queue/queue.h"

enum resource { NODE, PROC, MEM, SWAP, DISK, RESOURCES };

/* The labels of the table, and members of JSON. */
static const struct {
	const char *label, *member;
} resources[RESOURCES] = {
	[NODE] = {"NODE", "nodes"}, [PROC] = {"PROC", "procs"}, [MEM] = {"MEM", "memory"},
	[SWAP] = {"SWAP", "swap"},  [DISK] = {"DISK", "disk"},
};

struct amounts {
	int64_t configured, up, dedicated, active;
};

struct partition {
	struct json_object *record;
	struct amounts of[RESOURCES];
};

static void diagnose_partitions_add(struct amounts *sum, int64_t configured, bool up,
				    int64_t dedicated, int64_t active)
{
	sum->configured += configured;
	sum->up += up ? configured : 0;
	sum->dedicated += dedicated;
	sum->active += active;
}

/* How much of its memory is in use, as slurmd measures it; 0 if it does not say. */
static int64_t memory_in_use(struct json_object *node)
{
	struct json_object *unused;
	int64_t in_use = count_of(node, "memory") - count_of(node, "free_memory");

	if (!json_object_object_get_ex(node, "free_memory", &unused) || !unused)
		return 0;
	return in_use > 0 ? in_use : 0;
}

static void add_node(struct partition *partition, struct json_object *node)
{
	int64_t procs = count_of(node, "allocated_procs");
	bool up = node_is_up(node);

	diagnose_partitions_add(&partition->of[NODE], 1, up, procs > 0, procs > 0);
	diagnose_partitions_add(&partition->of[PROC], count_of(node, "procs"), up, procs, procs);
	diagnose_partitions_add(&partition->of[MEM], count_of(node, "memory"), up,
				count_of(node, "allocated_memory"), up ? memory_in_use(node) : 0);
	diagnose_partitions_add(&partition->of[DISK], count_of(node, "disk"), up, 0, 0);
}

static struct partition sum_up(struct json_object *queue, struct json_object *record)
{
	struct json_object *nodes = member_array(queue, "nodes");
	struct partition partition = {.record = record};

	for (size_t i = 0; i < array_size(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);

		if (strcmp(member_text(node, "state"), "FUTURE") != 0 &&
		    node_is_in(node, member_text(record, "name")))
			add_node(&partition, node);
	}
	return partition;
}

/* ---- telling -------------------------------------------------------------------------------- */

static double diagnose_partitions_percent(int64_t part, int64_t whole)
{
	return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

static void print_settings(struct json_object *partitions)
{
	const char *gap = "";

	printf("Displaying Partition Status\n\nSystem Partition Settings:  PList: ");
	for (size_t i = 0; i < array_size(partitions); i++) {
		printf("%s", gap);
		print_clean(member_text(json_object_array_get_idx(partitions, i), "name"));
		gap = ":";
	}
	printf(" PDef: ");
	for (size_t i = 0; i < array_size(partitions); i++)
		if (member_flag(json_object_array_get_idx(partitions, i), "default"))
			print_clean(member_text(json_object_array_get_idx(partitions, i), "name"));
	printf("\n\n%-20s %8s\n\n\n", "Name", "Procs");
}

static void print_amounts(const struct partition *partition, enum resource resource)
{
	const struct amounts *of = &partition->of[resource];

	print_padded(member_text(partition->record, "name"), -12);
	printf(" %10" PRId64 " %10" PRId64 " %6.2f%% %10" PRId64 " %6.2f%% %10" PRId64 " %6.2f%%\n",
	       of->configured, of->up, diagnose_partitions_percent(of->up, of->configured),
	       of->dedicated, diagnose_partitions_percent(of->dedicated, of->up), of->active,
	       diagnose_partitions_percent(of->active, of->up));
}

static bool is_wanted(struct json_object *record, const char *name)
{
	return !name || !strcmp(member_text(record, "name"), name);
}

/* One line for each requested partition; with RESOURCES, their processors. */
static void print_each(struct json_object *queue, const char *name, enum resource resource)
{
	struct json_object *partitions = member_array(queue, "partitions");

	for (size_t i = 0; i < array_size(partitions); i++) {
		struct json_object *record = json_object_array_get_idx(partitions, i);
		struct partition partition;

		if (!is_wanted(record, name))
			continue;
		partition = sum_up(queue, record);
		if (resource != RESOURCES) {
			print_amounts(&partition, resource);
			continue;
		}
		print_padded(member_text(record, "name"), -20);
		printf(" %8" PRId64 "\n", partition.of[PROC].configured);
	}
}

static int print_table(struct json_object *queue, const char *name)
{
	static const char line[] = "--------------------------------------------------------------"
				   "--------------";

	print_settings(member_array(queue, "partitions"));
	print_each(queue, name, RESOURCES);
	printf("\n%-12s %10s %10s %7s %10s %7s %10s %7s\n\n", "Partition", "Configured", "Up",
	       "U/C", "Dedicated", "D/U", "Active", "A/U");
	for (enum resource resource = NODE; resource < RESOURCES; resource++) {
		printf("%s%s\n", resources[resource].label, line);
		print_each(queue, name, resource);
	}
	return EXIT_OK;
}

static struct json_object *partition_object(const struct partition *partition)
{
	struct json_object *object = json_make_object();

	json_set_text(object, "name", member_text(partition->record, "name"));
	json_set_flag(object, "default", member_flag(partition->record, "default"));
	json_set_text(object, "state", member_text(partition->record, "state"));
	for (enum resource resource = NODE; resource < RESOURCES; resource++) {
		struct json_object *of = json_make_object();
		const struct amounts *amounts = &partition->of[resource];

		json_set_number(of, "configured", amounts->configured);
		json_set_number(of, "up", amounts->up);
		json_set_number(of, "dedicated", amounts->dedicated);
		json_set_number(of, "active", amounts->active);
		json_set(object, resources[resource].member, of);
	}
	return object;
}

static int print_data(struct json_object *queue, const char *name)
{
	struct json_object *partitions = member_array(queue, "partitions");
	struct json_object *data = json_make_object(), *rows = json_make_array();
	int code;

	json_set_number(data, "time", member_integer(queue, "time"));
	json_set(data, "partitions", rows);
	for (size_t i = 0; i < array_size(partitions); i++) {
		struct partition partition =
			sum_up(queue, json_object_array_get_idx(partitions, i));

		if (is_wanted(partition.record, name))
			json_append(rows, partition_object(&partition));
	}
	code = print_json("maui.diagnose-partitions/1", data);
	json_object_put(data);
	return code;
}

int diagnose_partitions_run(const struct cli *cli, const char *name)
{
	struct json_object *queue;
	int code = queue_load(cli, QUEUE_NODES | QUEUE_PARTITIONS | (name ? 0 : QUEUE_VISIBLE),
			      &queue);

	if (code)
		return code;
	if (name && !queue_find(queue, "partitions", name))
		code = fail(EXIT_ERRORS, "there is no partition %s", name);
	else
		code = cli->json ? print_data(queue, name) : print_table(queue, name);
	json_object_put(queue);
	return code;
}
