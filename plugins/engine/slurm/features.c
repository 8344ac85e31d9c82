/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks features up in Slurm's active_feature_list. A --constraint is applied
 * only if it joins plain features with AND.
 */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/features.h"

#include <strings.h>

static int is_written(void *object, void *name)
{
	return !strcasecmp(((const node_feature_t *)object)->name, name);
}

static int is_named(void *object, void *name)
{
	return !xstrcmp(((const node_feature_t *)object)->name, name);
}

static bitstr_t *nodes_of(ListFindF matches, const char *name)
{
	const node_feature_t *feature =
		active_feature_list ? list_find_first_ro(active_feature_list, matches, (char *)name)
				    : NULL;

	return feature ? feature->node_bitmap : NULL;
}

bitstr_t *features_nodes(const char *name)
{
	return nodes_of(is_written, name);
}

/* Whether all features are wanted of all nodes. */
static int is_plain(void *object, void *ignored)
{
	const job_feature_t *feature = object;

	(void)ignored;
	return !feature->count && !feature->paren && !feature->changeable &&
			       (feature->op_code == FEATURE_OP_AND ||
				feature->op_code == FEATURE_OP_END)
		       ? 0
		       : -1;
}

static int keep_feature(void *object, void *context)
{
	const job_feature_t *wanted = object;
	bitstr_t *nodes = context, *having = nodes_of(is_named, wanted->name);

	if (having)
		bit_and(nodes, having);
	else
		bit_nclear(nodes, 0, bit_size(nodes) - 1);
	return 0;
}

bool features_keep(const job_record_t *job, bitstr_t *nodes)
{
	if (!job->details || !job->details->feature_list)
		return true;
	if (list_for_each_ro(job->details->feature_list, is_plain, NULL) < 0)
		return false;
	list_for_each_ro(job->details->feature_list, keep_feature, nodes);
	return true;
}
