/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as slurm.conf and the files that it includes: what is read keeps the promises of nodes
 * and parameters, and each complaint has a place.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/replay/slurm_conf/slurm_conf.h"
#include "testsuite/fuzz/complaints.h"
#include "testsuite/fuzz/memory_files.h"
#include "testsuite/fuzz/replay_machine.h"

static size_t complaints;

static int read_file(void *context, const char *path, char **ret_text, size_t *ret_size)
{
	const struct memory_file *file = memory_files_find(path);

	(void)context;
	if (!file)
		return -EINVAL;
	*ret_size = file->size;
	*ret_text = malloc(file->size + 1);
	REQUIRE(*ret_text);
	memcpy(*ret_text, file->text, file->size);
	return 0;
}

static void complain(void *context, const struct maui_conf_place *place, const char *why)
{
	const struct memory_file *file = memory_files_find(place->file);
	struct text text;

	REQUIRE(file);
	text = (struct text){file->size ? file->text : "", file->size};
	bad_line(&text, place->line, place->column, why);
	(void)context;
	complaints++;
}

/* What slurmctld corrects, the reader does. */
static void pass_over(void *context, const struct maui_conf_place *place, const char *text)
{
	(void)context;
	(void)place;
	REQUIRE(*text);
}

static void check_partition(const struct maui_replay_nodes *nodes,
			    const struct maui_replay_partition *partition)
{
	REQUIRE(*partition->name);
	REQUIRE(partition->max_time >= 0 && partition->max_time <= MAUI_REPLAY_MAX_LENGTH);
	REQUIRE(partition->default_time >= 0 && partition->default_time <= MAUI_REPLAY_MAX_LENGTH);
	for (uint32_t i = nodes->count; i % MAUI_REPLAY_WORD; i++)
		REQUIRE(!maui_replay_has(partition->members, i));
}

static void check(const struct maui_replay_nodes *nodes, const struct maui_slurm_conf *conf)
{
	REQUIRE(nodes->count);
	for (uint32_t i = 0; i < nodes->partition_count; i++)
		check_partition(nodes, &nodes->partitions[i]);
	for (size_t i = 0; i < conf->away_count; i++)
		REQUIRE(conf->away[i] < nodes->count);
	for (size_t i = 0; i < conf->ignored_count; i++)
		REQUIRE(*conf->ignored[i].name && conf->ignored[i].count);
	REQUIRE(conf->parameters.interval >= 1 && conf->parameters.resolution >= 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct maui_slurm_conf_files files = {
		.read = read_file, .complain = complain, .warn = pass_over};
	struct maui_replay_nodes *nodes = maui_replay_nodes_new();
	struct maui_slurm_conf conf;
	struct memory_files memory;
	int rc;

	memory_files_split("slurm.conf", data, size, &memory);
	memory_files_use(&memory);
	complaints = 0;
	rc = maui_slurm_conf_read(MEMORY_DIRECTORY "slurm.conf", memory.list[0].text,
				  memory.list[0].size, &files, nodes, &conf);
	REQUIRE(rc == 0 ? !complaints : rc == -EINVAL && complaints);
	check_nodes(nodes);
	if (!rc)
		check(nodes, &conf);
	maui_slurm_conf_clear(&conf);
	maui_replay_nodes_free(nodes);
	memory_files_use(NULL);
	return 0;
}
