/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values of PRIORITYF's components on a node, and their sum. */
#include "common/policy/nodes/nodealloc_private.h"

/*
 * By affinity: + = - as 1, 0, -1. The original uses the numbers of its own enumeration here. They
 * only matter among nodes of the same affinity, where they are all equal.
 */
static const double affinity_values[MAUI_AFFINITIES] = {
	[MAUI_AFFINITY_REQUIRED] = 1,  [MAUI_AFFINITY_POSITIVE] = 1,
	[MAUI_AFFINITY_NEUTRAL] = 0,   [MAUI_AFFINITY_NONE] = 0,
	[MAUI_AFFINITY_NEGATIVE] = -1, [MAUI_AFFINITY_PREEMPTIBLE] = -1,
};

/* A present state; 0 for a later start. */
static double nodealloc_value_dynamic(bool immediate, double amount)
{
	return immediate ? maui_amount(amount) : 0;
}

/* CGRES and AGRES. */
static double gres_of(const struct maui_node_gres_amounts *gres, unsigned int component,
		      bool immediate)
{
	unsigned int at = component - MAUI_NODE_AGRES;

	if (!gres || component >= MAUI_NODE_TERMS)
		return 0;
	if (component < MAUI_NODE_AGRES)
		return gres->configured[component - MAUI_NODE_CGRES];
	return nodealloc_value_dynamic(immediate,
				       (double)gres->configured[at] - (double)gres->used[at]);
}

static double factor_of(const struct maui_node_candidate *node,
			const struct maui_node_settings *settings,
			enum maui_node_component component, bool immediate)
{
	switch (component) {
	case MAUI_NODE_ADISK:
		return nodealloc_value_dynamic(immediate, node->available_disk);
	case MAUI_NODE_AMEM:
		return nodealloc_value_dynamic(immediate, node->available_memory);
	case MAUI_NODE_APROCS:
		return nodealloc_value_dynamic(immediate, maui_node_available_procs(node));
	case MAUI_NODE_ASWAP:
		return nodealloc_value_dynamic(immediate, node->available_swap);
	case MAUI_NODE_CDISK:
		return maui_configured(settings->disk, node->disk);
	case MAUI_NODE_CMEM:
		return maui_configured(settings->memory, node->memory);
	case MAUI_NODE_CPROCS:
		return maui_amount(node->procs);
	case MAUI_NODE_CSWAP:
		return maui_configured(settings->swap, node->swap);
	case MAUI_NODE_JOBCOUNT:
		return nodealloc_value_dynamic(immediate, node->jobs);
	case MAUI_NODE_LOAD:
		return nodealloc_value_dynamic(immediate, node->load);
	case MAUI_NODE_PREF:
		return node->preferred ? 1 : 0;
	case MAUI_NODE_PRIORITY:
		return maui_bounded(settings->priority);
	case MAUI_NODE_RESAFFINITY:
		return affinity_values[node->affinity];
	case MAUI_NODE_SPEED:
		return maui_amount(settings->procspeed > 0 ? settings->procspeed : settings->speed);
	case MAUI_NODE_USAGE:
		return nodealloc_value_dynamic(immediate, node->usage);
	default:
		return gres_of(node->gres, component, immediate);
	}
}

double maui_node_value(const struct maui_node_candidate *node, bool immediate)
{
	const struct maui_node_settings *settings = maui_settings_of(node);
	const struct maui_node_formula *formula = &settings->formula;
	double value = formula->constant;

	for (unsigned int i = 0; i < formula->term_count; i++) {
		unsigned int component = formula->terms[i];

		value += formula->coefficient[component] *
			 factor_of(node, settings, component, immediate);
	}
	return value;
}

void maui_node_explain(const struct maui_node_candidate *node, bool immediate,
		       struct maui_node_terms *ret_terms)
{
	const struct maui_node_settings *settings = maui_settings_of(node);
	const struct maui_node_formula *formula = &settings->formula;

	ret_terms->count = formula->term_count;
	ret_terms->constant = formula->constant;
	for (unsigned int i = 0; i < formula->term_count; i++) {
		struct maui_node_term *term = &ret_terms->terms[i];

		term->component = formula->terms[i];
		term->coefficient = formula->coefficient[term->component];
		term->factor = factor_of(node, settings, term->component, immediate);
		term->product = term->coefficient * term->factor;
	}
	ret_terms->value = maui_node_value(node, immediate);
}
