/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Renders a node's resources and the terms of its PRIORITYF as JSON. */
#include "plugins/compat/base.h"

#include "plugins/engine/report/node_json.h"

#include "common/util/bounds.h"
#include "plugins/engine/report/report_json.h"

static void node_json_amount(struct json_object *object, const char *name, double amount)
{
	/* MB and processors are whole numbers in both NODECFG and Slurm, and below 2^63. */
	json_set_number(object, name, (int64_t)maui_amount(amount));
}

static struct json_object *node_json_quantities(double procs, double memory, double disk,
						double swap)
{
	struct json_object *object = json_make_object();

	node_json_amount(object, "procs", procs);
	node_json_amount(object, "memory", memory);
	node_json_amount(object, "disk", disk);
	node_json_amount(object, "swap", swap);
	return object;
}

/* NODECFG's value, else Slurm's. */
static double node_json_configured(int64_t given, double own)
{
	return given == MAUI_NODE_NOT_GIVEN ? own : (double)given;
}

void node_json_resources(struct json_object *object, const struct maui_node_candidate *node)
{
	const struct maui_node_settings *settings = node->settings;
	struct json_object *dedicated = json_make_object();

	node_json_amount(dedicated, "procs", node->dedicated_procs);
	node_json_amount(dedicated, "memory", node->dedicated_memory);
	json_set(object, "configured",
		 node_json_quantities(node->procs,
				      node_json_configured(settings->memory, node->memory),
				      node_json_configured(settings->disk, node->disk),
				      node_json_configured(settings->swap, node->swap)));
	json_set(object, "available",
		 node_json_quantities(maui_node_available_procs(node), node->available_memory,
				      node->available_disk, node->available_swap));
	json_set(object, "dedicated", dedicated);
	json_set_real(object, "speed", settings->speed);
	json_set_real(object, "procspeed", settings->procspeed);
	json_set_real(object, "load", node->load);
	json_set_number(object, "jobs", (int64_t)node->jobs);
	json_set_real(object, "usage", node->usage);
}

static struct json_object *term_object(const struct maui_node_gres *gres,
				       const struct maui_node_term *term)
{
	struct json_object *object = json_make_object();
	char name[MAUI_NODE_TERM_NAME_SIZE];

	json_set_text(object, "component", maui_node_term_name(gres, term->component, name));
	json_set_real(object, "coefficient", term->coefficient);
	json_set_real(object, "factor", term->factor);
	json_set_real(object, "product", term->product + 0); /* no "-0.0" */
	return object;
}

void node_json_terms(struct json_object *object, const struct maui_node_gres *gres,
		     const struct maui_node_terms *terms)
{
	struct json_object *array = json_make_array();

	for (uint32_t i = 0; i < terms->count; i++)
		json_append(array, term_object(gres, &terms->terms[i]));
	json_set_real(object, "value", terms->value);
	json_set_real(object, "constant", terms->constant);
	json_set(object, "terms", array);
}
