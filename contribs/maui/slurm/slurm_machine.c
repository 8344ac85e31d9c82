/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls slurm_load_node() and slurm_load_partitions() in a child process, which
 * writes a line for each name and feature.
 */
#include "contribs/maui/slurm/slurm_machine.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "common/util/list.h"
#include "common/util/memory.h"
#include "contribs/maui/slurm/slurm_child.h"

#define LIMIT (64u << 20) /* bytes of all names */

/* In the child: lines of a letter and a name. */
static bool tell_features(FILE *facts, const char *list)
{
	struct maui_item item;

	while (maui_list_next(&list, ",", &item))
		if (item.size && fprintf(facts, "f%.*s\n", (int)item.size, item.text) < 0)
			return false;
	return true;
}

static bool tell_machine(FILE *facts)
{
	node_info_msg_t *nodes = NULL;
	partition_info_msg_t *partitions = NULL;

	if (slurm_load_node(0, &nodes, SHOW_ALL) != SLURM_SUCCESS ||
	    slurm_load_partitions(0, &partitions, SHOW_ALL) != SLURM_SUCCESS)
		return slurm_child_failed();
	for (uint32_t i = 0; i < nodes->record_count; i++) {
		const node_info_t *node = &nodes->node_array[i];

		if (node->name && (fprintf(facts, "n%s\n", node->name) < 0 ||
				   !tell_features(facts, node->features)))
			return false;
	}
	for (uint32_t i = 0; i < partitions->record_count; i++)
		if (fprintf(facts, "p%s\n", partitions->partition_array[i].name) < 0)
			return false;
	return true;
}

/* In the parent: names point into the text. *names has room for each line. */
static void read_lines(char *text, struct slurm_machine *machine, const char **names,
		       uint32_t *count)
{
	char *rest = text;

	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		struct maui_intern *set = *line == 'f'   ? machine->features
					  : *line == 'p' ? machine->partitions
							 : NULL;

		if (*line == 'n')
			names[(*count)++] = line + 1;
		else if (set)
			maui_intern_add(set, line + 1);
	}
}

static size_t lines_of(const char *text)
{
	size_t lines = 1;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

static void slurm_machine_understand(char *text, struct slurm_machine *machine)
{
	const char **names = maui_calloc(lines_of(text), sizeof(*names));
	uint32_t count = 0;

	machine->features = maui_intern_new();
	machine->partitions = maui_intern_new();
	read_lines(text, machine, names, &count);
	machine->nodes = maui_node_names_new(names, count);
	free(names);
}

int slurm_machine_load(int timeout, struct slurm_machine *ret_machine, struct maui_error *error)
{
	struct slurm_machine machine = {0};
	char *facts = NULL;
	size_t size;
	int rc = slurm_child(tell_machine, timeout, LIMIT, "nodes and partitions", &facts, &size,
			     error);

	if (rc)
		return rc;
	slurm_machine_understand(facts, &machine);
	free(facts);
	*ret_machine = machine;
	return 0;
}

void slurm_machine_clear(struct slurm_machine *machine)
{
	maui_node_names_free(machine->nodes);
	maui_intern_free(machine->features);
	maui_intern_free(machine->partitions);
	*machine = (struct slurm_machine){0};
}
