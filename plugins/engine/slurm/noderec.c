/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/noderec.h"

#include "src/common/job_resources.h"
#include "src/common/node_conf.h"

static unsigned int table;

uint32_t noderec_count(void)
{
	return (uint32_t)node_record_count;
}

unsigned int noderec_table(void)
{
	return table;
}

void noderec_table_is_new(void)
{
	table++;
}

const node_record_t *noderec_at(uint32_t index)
{
	const node_record_t *node = node_record_table_ptr[index];

	return node && node->name ? node : NULL;
}

bool noderec_is_usable(const node_record_t *node)
{
	return !IS_NODE_DOWN(node) && !IS_NODE_DRAIN(node) && !IS_NODE_FAIL(node) &&
	       !IS_NODE_FUTURE(node);
}

const char *noderec_name(const node_record_t *node)
{
	return node->name;
}

uint16_t noderec_cpus(const node_record_t *node)
{
	return node->cpus;
}

uint16_t noderec_cores(const node_record_t *node)
{
	return node->tot_cores;
}

uint64_t noderec_memory(const node_record_t *node)
{
	return node->real_memory;
}

uint32_t noderec_disk(const node_record_t *node)
{
	return node->tmp_disk;
}

const char *noderec_features(const node_record_t *node)
{
	return node->features_act ? node->features_act : node->features;
}

bool noderec_core_is_special(const node_record_t *node, uint32_t core)
{
	return node->node_spec_bitmap && core < (uint32_t)bit_size(node->node_spec_bitmap) &&
	       !bit_test(node->node_spec_bitmap, core);
}

char *noderec_names(bitstr_t *nodes)
{
	return bitmap2node_name(nodes);
}

bitstr_t *noderec_bits(char *names)
{
	bitstr_t *nodes = NULL;

	if (node_name2bitmap(names, true, &nodes))
		FREE_NULL_BITMAP(nodes);
	return nodes;
}

uint32_t noderec_first_core(uint32_t index)
{
	return cr_get_coremap_offset(index);
}
