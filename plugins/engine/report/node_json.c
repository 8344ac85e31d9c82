/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Renders a node's resources and the terms of its PRIORITYF as JSON. */
#include "plugins/compat/base.h"

#include "plugins/engine/report/node_json.h"

#include "common/util/bounds.h"
#include "plugins/engine/report/report_json.h"

static void node_json_amount(struct json_object *object, const char *name, double amount)
{
	/* MB and processors are whole numbers in both NODECFG and Slurm, and below 2^63. */
	report_json_number(object, name, (int64_t)maui_amount(amount));
}

static struct json_object *node_json_quantities(double procs, double memory, double disk,
						double swap)
{
	struct json_object *object = json_object_new_object();

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
	struct json_object *dedicated = json_object_new_object();

	node_json_amount(dedicated, "procs", node->dedicated_procs);
	node_json_amount(dedicated, "memory", node->dedicated_memory);
	json_object_object_add(
		object, "configured",
		node_json_quantities(node->procs,
				     node_json_configured(settings->memory, node->memory),
				     node_json_configured(settings->disk, node->disk),
				     node_json_configured(settings->swap, node->swap)));
	json_object_object_add(object, "available",
			       node_json_quantities(maui_node_available_procs(node),
						    node->available_memory, node->available_disk,
						    node->available_swap));
	json_object_object_add(object, "dedicated", dedicated);
	report_json_real(object, "speed", settings->speed);
	report_json_real(object, "procspeed", settings->procspeed);
	report_json_real(object, "load", node->load);
	report_json_number(object, "jobs", (int64_t)node->jobs);
	report_json_real(object, "usage", node->usage);
}

static struct json_object *term_object(const struct maui_node_gres *gres,
				       const struct maui_node_term *term)
{
	struct json_object *object = json_object_new_object();
	char name[MAUI_NODE_TERM_NAME_SIZE];

	report_json_text(object, "component", maui_node_term_name(gres, term->component, name));
	report_json_real(object, "coefficient", term->coefficient);
	report_json_real(object, "factor", term->factor);
	report_json_real(object, "product", term->product + 0); /* no "-0.0" */
	return object;
}

void node_json_terms(struct json_object *object, const struct maui_node_gres *gres,
		     const struct maui_node_terms *terms)
{
	struct json_object *array = json_object_new_array_ext((int)terms->count + 1);

	for (uint32_t i = 0; i < terms->count; i++)
		json_object_array_add(array, term_object(gres, &terms->terms[i]));
	report_json_real(object, "value", terms->value);
	report_json_real(object, "constant", terms->constant);
	json_object_object_add(object, "terms", array);
}
