/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm_conf_machine FILE: the machine that a replay reads of a slurm.conf without Include, as one
 * JSON object, for scenario replay_conf. Ends with 1 if the file is refused.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/replay/slurm_conf/slurm_conf.h"
#include "common/util/files/file.h"

static int refuse(void *context, const char *path, char **ret_text, size_t *ret_size)
{
	(void)context;
	(void)path;
	(void)ret_text;
	(void)ret_size;
	return -EINVAL;
}

static void complain(void *context, const struct maui_conf_place *place, const char *text)
{
	(void)context;
	fprintf(stderr, "%u:%u: %s\n", place->line, place->column, text);
}

static void print_nodes(const struct maui_replay_nodes *nodes)
{
	printf("\"nodes\": {");
	for (uint32_t i = 0; i < nodes->count; i++)
		printf("%s\"%s\": {\"cpus\": %" PRIu32 ", \"memory\": %" PRId64 "}", i ? ", " : "",
		       nodes->nodes[i].name, nodes->nodes[i].cpus, nodes->nodes[i].memory);
	printf("}");
}

static void print_partition(const struct maui_replay_nodes *nodes,
			    const struct maui_replay_partition *partition)
{
	uint32_t members = 0;

	for (uint32_t i = 0; i < nodes->count; i++)
		members += maui_replay_has(partition->members, i);
	printf("\"%s\": {\"default\": %s, \"max_time\": %" PRId64 ", \"default_time\": %" PRId64
	       ", \"max_nodes\": %" PRIu32 ", \"closed\": %s, \"nodes\": %" PRIu32 "}",
	       partition->name, partition->is_default ? "true" : "false", partition->max_time,
	       partition->default_time, partition->max_nodes, partition->closed ? "true" : "false",
	       members);
}

static void print_machine(const struct maui_replay_nodes *nodes, const struct maui_slurm_conf *conf)
{
	printf("{");
	print_nodes(nodes);
	printf(", \"partitions\": {");
	for (uint32_t i = 0; i < nodes->partition_count; i++) {
		printf("%s", i ? ", " : "");
		print_partition(nodes, &nodes->partitions[i]);
	}
	printf("}, \"MaxArraySize\": %" PRIu32 ", \"ResumeTimeout\": %" PRId64
	       ", \"SuspendTimeout\": %" PRId64 ", \"away\": %zu}\n",
	       conf->max_array_size, conf->timeouts.resume, conf->timeouts.suspend,
	       conf->away_count);
}

int main(int argc, char **argv)
{
	static const struct maui_slurm_conf_files files = {
		.read = refuse, .complain = complain, .warn = complain};
	struct maui_replay_nodes *nodes = maui_replay_nodes_new();
	struct maui_slurm_conf conf;
	struct maui_error error;
	char *text;
	size_t size;
	int rc;

	if (argc != 2 || maui_file_read(argv[1], 1 << 20, NULL, &text, &size, NULL, &error))
		return 2;
	rc = maui_slurm_conf_read(argv[1], text, size, &files, nodes, &conf);
	if (!rc)
		print_machine(nodes, &conf);
	free(text);
	maui_slurm_conf_clear(&conf);
	maui_replay_nodes_free(nodes);
	return rc ? 1 : 0;
}
