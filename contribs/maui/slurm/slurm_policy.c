/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls the functions of libslurm that scontrol prints with, so that its names and values are those
 * of the release in use.
 */
#include "contribs/maui/slurm/slurm_policy.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "contribs/maui/slurm/slurm_child.h"
#include "contribs/maui/slurm/slurm_compat.h"

#define LIMIT (64u << 20) /* bytes of a text */

/* In the child, which ends soon: nothing is freed. */
static bool policy_tell_config(FILE *facts)
{
	slurm_conf_t *conf = NULL;
	struct listIterator *at;
	struct slurm_key_pair *pair;
	struct xlist *pairs;

	if (slurm_load_ctl_conf(0, &conf) != SLURM_SUCCESS)
		return slurm_child_failed();
	pairs = slurm_ctl_conf_2_key_pairs(conf);
	at = pairs ? slurm_list_iterator_create(pairs) : NULL;
	if (!at)
		return slurm_child_failed();
	while ((pair = slurm_list_next(at)))
		if (fprintf(facts, "c%s=%s\n", pair->name, pair->value ? pair->value : "") < 0)
			return false;
	return true;
}

static bool policy_tell_node(FILE *facts, const node_info_t *node)
{
	if ((node->node_state & NODE_STATE_BASE) == NODE_STATE_FUTURE)
		return fprintf(facts, "f%s\n", node->name) > 0;
	return fprintf(facts, "n%s %u %" PRIu64 " %" PRIu64 " %s\n", node->name, node->cpus,
		       node->real_memory, node->mem_spec_limit, node->gres ? node->gres : "") > 0;
}

static bool policy_tell_machine(FILE *facts)
{
	partition_info_msg_t *partitions = NULL;
	node_info_msg_t *nodes = NULL;

	if (slurm_load_node(0, &nodes, SHOW_ALL | SHOW_FUTURE) != SLURM_SUCCESS ||
	    slurm_load_partitions(0, &partitions, SHOW_ALL) != SLURM_SUCCESS)
		return slurm_child_failed();
	for (uint32_t i = 0; i < nodes->record_count; i++)
		if (nodes->node_array[i].name && !policy_tell_node(facts, &nodes->node_array[i]))
			return false;
	for (uint32_t i = 0; i < partitions->record_count; i++) {
		const char *text = slurm_sprint_partition_info(&partitions->partition_array[i], 1);

		if (!text || fprintf(facts, "p%s", text) < 0)
			return false;
	}
	return true;
}

static bool policy_tell_conf(FILE *facts)
{
	return policy_tell_config(facts) && policy_tell_machine(facts);
}

static bool policy_tell_reservations(FILE *facts)
{
	reserve_info_msg_t *reservations = NULL;

	if (slurm_load_reservations(0, &reservations) != SLURM_SUCCESS)
		return slurm_child_failed();
	for (uint32_t i = 0; i < reservations->record_count; i++) {
		const char *text =
			slurm_sprint_reservation_info(&reservations->reservation_array[i], 0);

		if (!text || fputs(text, facts) < 0)
			return false;
	}
	return true;
}

int slurm_policy_conf(int timeout, char **ret_text, size_t *ret_size, struct maui_error *error)
{
	return slurm_child(policy_tell_conf, timeout, LIMIT, "configuration, nodes and partitions",
			   ret_text, ret_size, error);
}

int slurm_policy_reservations(int timeout, char **ret_text, size_t *ret_size,
			      struct maui_error *error)
{
	return slurm_child(policy_tell_reservations, timeout, LIMIT, "reservations", ret_text,
			   ret_size, error);
}
