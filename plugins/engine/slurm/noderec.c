/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads fields of Slurm's node_record_t, and maps the flags of node_state to
 * the states of common/util/slurm/node_state.h.
 */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/noderec.h"

#include <stdatomic.h>

#include "plugins/compat/node_room.h"

#include "src/common/job_resources.h"
#include "src/common/node_conf.h"

/* A fact that is one expression: not in the header, whose readers see no records. */
#define NODE_FACT(type, fact, value)                                                               \
	type fact(const node_record_t *node)                                                       \
	{                                                                                          \
		return value;                                                                      \
	}

static atomic_uint table;

uint32_t noderec_count(void)
{
	return (uint32_t)node_record_count;
}

unsigned int noderec_table(void)
{
	return atomic_load(&table);
}

void noderec_table_is_new(void)
{
	atomic_fetch_add(&table, 1);
}

const node_record_t *noderec_at(uint32_t index)
{
	const node_record_t *node = node_record_table_ptr[index];

	return node && node->name ? node : NULL;
}

/* In the words of common/util/slurm/node_state.h. */
static uint32_t state_bits(const node_record_t *node)
{
	static const struct {
		uint32_t flag, bit;
	} flags[] = {
		{NODE_STATE_DRAIN, MAUI_NODE_DRAIN},
		{NODE_STATE_FAIL, MAUI_NODE_FAIL},
		{NODE_STATE_INVALID_REG, MAUI_NODE_INVALID_REG},
		{NODE_STATE_MAINT, MAUI_NODE_IN_MAINT},
		{NODE_STATE_NO_RESPOND, MAUI_NODE_NOT_RESPONDING},
		{NODE_STATE_POWERED_DOWN, MAUI_NODE_POWERED_DOWN},
		{NODE_STATE_POWERING_UP, MAUI_NODE_POWERING_UP},
		{NODE_STATE_POWERING_DOWN, MAUI_NODE_POWERING_DOWN},
		{NODE_STATE_POWER_DOWN, MAUI_NODE_POWERING_DOWN},
		{NODE_STATE_REBOOT_ISSUED, MAUI_NODE_REBOOT_ISSUED},
	};
	uint32_t bits = 0;

	if (IS_NODE_DOWN(node))
		bits = MAUI_NODE_IS_DOWN;
	else if (IS_NODE_FUTURE(node))
		bits = MAUI_NODE_IS_FUTURE;
	else if (!IS_NODE_UNKNOWN(node))
		bits = MAUI_NODE_IN_SERVICE;
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (node->node_state & flags[i].flag)
			bits |= flags[i].bit;
	return bits;
}

NODE_FACT(enum maui_node_use, noderec_use, maui_node_use(state_bits(node)))

bool noderec_is_usable(const node_record_t *node)
{
	/* A ping that was missed, or a registration that is refused, moves no reservation: slurmctld
	 * sets nodes down that go on not responding. */
	const uint32_t passing = MAUI_NODE_NOT_RESPONDING | MAUI_NODE_INVALID_REG;

	switch (maui_node_use(state_bits(node) & ~passing)) {
	case MAUI_NODE_USABLE:
	case MAUI_NODE_POWERS_UP:
	case MAUI_NODE_POWERS_DOWN:
	case MAUI_NODE_MAINT:
	case MAUI_NODE_UNKNOWN:
		return true;
	case MAUI_NODE_REBOOTS:
	case MAUI_NODE_DRAINS:
	case MAUI_NODE_DOWN:
	case MAUI_NODE_FUTURE:
		break;
	}
	return false;
}

uint64_t noderec_up_sum(void)
{
	uint64_t sum = UINT64_C(14695981039346656037);

	for (uint32_t i = 0; i < noderec_count(); i++) {
		const node_record_t *node = noderec_at(i);

		sum = (sum ^ (node && noderec_is_usable(node) ? 1 : 2)) * UINT64_C(1099511628211);
	}
	return sum;
}

bitstr_t *noderec_available(void)
{
	return avail_node_bitmap;
}

bool noderec_look(uint32_t index, struct noderec_facts *ret_facts)
{
	const node_record_t *node = noderec_at(index);

	if (!node || !node->config_ptr)
		return false;
	*ret_facts = (struct noderec_facts){
		.name = node->name,
		.cpus = node->cpus,
		.job_cpus = node_job_cpus(node),
		.disk = node->tmp_disk,
		.weight = node->config_ptr->weight,
		.memory = node->real_memory,
		.job_memory = node_job_memory(node),
		.load = node->cpu_load == NO_VAL ? 0 : node->cpu_load / 100.0,
	};
	return true;
}

NODE_FACT(const char *, noderec_name, node->name)
NODE_FACT(uint16_t, noderec_cpus, node->cpus)
NODE_FACT(uint16_t, noderec_cores, node->tot_cores)
NODE_FACT(uint16_t, noderec_job_cpus, node_job_cpus(node))
NODE_FACT(uint64_t, noderec_job_memory, node_job_memory(node))
NODE_FACT(uint32_t, noderec_disk, node->tmp_disk)
NODE_FACT(const char *, noderec_features, node->features_act ? node->features_act : node->features)

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

	compat_nodes_of_names(names, true, &nodes);
	return nodes;
}

uint16_t noderec_job_cores(const node_record_t *node)
{
	return node->cpus ? (uint16_t)((uint32_t)node->tot_cores * node_job_cpus(node) / node->cpus)
			  : 0;
}

NODE_FACT(const char *, noderec_active_features, node->features_act)
NODE_FACT(const char *, noderec_reason, node->reason)
NODE_FACT(const char *, noderec_os, node->os)
NODE_FACT(const char *, noderec_arch, node->arch)
NODE_FACT(uint64_t, noderec_free_memory, node->free_mem)
NODE_FACT(time_t, noderec_boot, node->boot_time)
NODE_FACT(time_t, noderec_slurmd_start, node->slurmd_start_time)
NODE_FACT(uint32_t, noderec_partitions, node->part_cnt)

const part_record_t *noderec_partition(const node_record_t *node, uint32_t at)
{
	return node->part_pptr[at];
}

/* ---- its state ---- */

NODE_FACT(bool, noderec_is_up,
	  (IS_NODE_IDLE(node) || IS_NODE_ALLOCATED(node) || IS_NODE_MIXED(node)) &&
		  !IS_NODE_POWERED_DOWN(node) && !IS_NODE_POWERING_DOWN(node))
NODE_FACT(bool, noderec_is_future, IS_NODE_FUTURE(node))
NODE_FACT(bool, noderec_is_completing, IS_NODE_COMPLETING(node))
NODE_FACT(bool, noderec_runs_jobs, node->run_job_cnt > 0)

char *noderec_state(const node_record_t *node, bool has_room)
{
	uint32_t state = node->node_state;

	if (IS_NODE_ALLOCATED(node) && has_room)
		state = (state & ~(uint32_t)NODE_STATE_BASE) | NODE_STATE_MIXED;
	return node_state_string_complete(state);
}

uint32_t noderec_first_core(uint32_t index)
{
	return cr_get_coremap_offset(index);
}
