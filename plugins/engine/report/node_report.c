/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diagnose-nodes and check-node. */
#include "plugins/compat/base.h"

#include "plugins/engine/report/node_report.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/policy/reservation/sr_window.h"
#include "common/util/memory.h"
#include "plugins/engine/limits/limits.h"
#include "plugins/engine/nodes/node_state.h"
#include "plugins/engine/report/node_report_access.h"
#include "plugins/engine/report/node_report_copy.h"
#include "plugins/engine/report/name_texts.h"
#include "plugins/engine/report/node_json.h"
#include "plugins/engine/report/report_arguments.h"
#include "plugins/engine/report/report_json.h"
#include "plugins/engine/report/report_records.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/noderec.h"
#include "plugins/engine/slurm/partrec.h"

/* ---- answers ---- */

static void add_limit(struct json_object *array, const char *name, double soft, double hard)
{
	struct json_object *object;

	if (!(soft > 0) && !(hard > 0))
		return;
	object = json_make_object();
	json_set_text(object, "name", name);
	json_set(object, "soft", soft > 0 ? json_make_real(soft) : NULL);
	json_set(object, "hard", hard > 0 ? json_make_real(hard) : NULL);
	json_append(array, object);
}

static void add_dimension(struct json_object *array, const struct maui_node_dimension_limit *limit)
{
	const char *key = limit->key == MAUI_ATTR_MAXJOB ? "MAXJOB" : "MAXPROC";
	char *name = maui_asprintf("%s[%s%s%s]", key, maui_credential_dimension(limit->dimension),
				   limit->name ? ":" : "", limit->name ? limit->name : "");

	add_limit(array, name, (double)limit->limit.soft, (double)limit->limit.hard);
	free(name);
}

static void add_gres(struct json_object *array, const struct maui_node_gres_limit *limit)
{
	char name[MAUI_GRES_NAME_SIZE + sizeof("MAXGRES[]")];

	snprintf(name, sizeof(name), "MAXGRES[%s]", limit->name);
	add_limit(array, name, (double)limit->limit.soft, (double)limit->limit.hard);
}

static struct json_object *limits_array(const struct maui_node_limits *limits)
{
	const struct {
		const char *name;
		const struct maui_node_limit *limit;
	} plain[] = {
		{"MAXJOB", &limits->jobs},
		{"MAXJOBPERUSER", &limits->jobs_per_user},
		{"MAXPROC", &limits->procs},
		{"MAXPROCPERUSER", &limits->procs_per_user},
	};
	struct json_object *array = json_make_array();

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		add_limit(array, plain[i].name, (double)plain[i].limit->soft,
			  (double)plain[i].limit->hard);
	for (size_t i = 0; i < limits->dimension_count; i++)
		add_dimension(array, &limits->dimensions[i]);
	for (size_t i = 0; i < limits->gres_count; i++)
		add_gres(array, &limits->gres[i]);
	add_limit(array, "MAXPEPERJOB", limits->pe_per_job, limits->pe_per_job);
	add_limit(array, "MAXLOAD", limits->load, limits->load);
	return array;
}

/* Slurm's active ones, then those of NODECFG that Slurm lacks. */
static struct json_object *features_array(const char *slurms,
					  const struct maui_node_settings *settings)
{
	struct json_object *array = json_make_array();
	size_t own;

	while (slurms && *slurms) {
		size_t size = strcspn(slurms, ",");

		if (size)
			json_append(array, json_make_part(slurms, size));
		slurms += size + (slurms[size] == ',');
	}
	own = json_object_array_length(array);
	for (size_t i = 0; i < settings->feature_count; i++) {
		bool there = false;

		for (size_t k = 0; k < own && !there; k++)
			there = !strcasecmp(
				json_object_get_string(json_object_array_get_idx(array, k)),
				settings->features[i]);
		if (!there)
			json_append_text(array, settings->features[i]);
	}
	return array;
}

static struct json_object *gres_array(const struct node_copy *node)
{
	struct json_object *array = json_make_array();

	for (uint32_t i = 0; i < node->gres_count; i++) {
		const struct node_copy_gres *gres = &node->gres[i];
		struct json_object *one = json_make_object();

		json_set_text(one, "name", gres->name);
		json_set_number(one, "configured", gres->configured);
		json_set_number(one, "dedicated", gres->used);
		json_append(array, one);
	}
	return array;
}

static struct json_object *node_object(const struct node_copy *node,
				       const struct maui_node_candidate *candidate)
{
	const struct maui_node_settings *settings = candidate->settings;
	struct json_object *object = json_make_object(), *classes = json_make_array();

	json_set_text(object, "name", node->name);
	json_set_text(object, "state", node->state);
	json_set_text(object, "slurm_state", node->slurm_state);
	json_set_text(object, "reason", node->reason);
	node_json_resources(object, candidate);
	json_set(object, "gres", gres_array(node));
	json_set_text(object, "opsys", node->opsys);
	json_set_text(object, "arch", node->arch);
	for (uint32_t i = 0; i < node->class_count; i++)
		json_append_text(classes, node->classes[i]);
	json_set(object, "classes", classes);
	json_set(object, "features", features_array(node->features, settings));
	json_set_number(object, "reservations", node->reservations);
	json_set_real(object, "priority", settings->priority);
	json_set(object, "limits", limits_array(&settings->limits));
	return object;
}

/* ---- diagnose-nodes ---- */

/* The nodes asked for; NULL: there is no such partition. Slurm's locks are held. */
static bitstr_t *nodes_of(const char *partition)
{
	const part_record_t *record = partition ? partrec_find(partition) : NULL;
	bitstr_t *inside = record ? partrec_nodes(record) : NULL, *nodes;

	if (partition && !record)
		return NULL;
	nodes = bit_alloc(noderec_count());
	for (uint32_t i = 0; i < noderec_count(); i++) {
		const node_record_t *node = noderec_at(i);

		if (node && !noderec_is_future(node) &&
		    (!record || (inside && bit_test(inside, i))))
			bit_set(nodes, i);
	}
	return nodes;
}

static const char *node_report_copy_all(struct node_copies *copy, const char *partition,
					bool with_reservations)
{
	bitstr_t *wanted;
	bool copied;

	if (!report_records_lock())
		return REPORT_STANDBY;
	wanted = nodes_of(partition);
	copied = wanted && node_copies_nodes(copy, wanted, with_reservations);
	report_records_unlock();
	if (!wanted)
		return "Slurm has no such partition";
	FREE_NULL_BITMAP(wanted);
	return copied ? NULL : NODE_REPORT_FAILED;
}

static struct json_object *all_object(const struct node_copies *copy, const char *partition)
{
	uint32_t found = copy->explanation.count;
	uint32_t count = found < NODE_JSON_MAX ? found : NODE_JSON_MAX;
	struct json_object *data = json_make_object();
	struct json_object *nodes = json_make_array();

	json_set_text(data, "partition", partition);
	json_set_text(data, "policy", maui_nodealloc_policy_name(copy->explanation.asked));
	json_set_number(data, "slots", copy->slots);
	for (uint32_t i = 0; i < count; i++)
		json_append(nodes,
			    node_object(&copy->nodes[i], &copy->explanation.nodes[i].candidate));
	json_set(data, "nodes", nodes);
	json_set_number(data, "omitted", found - count);
	return data;
}

const char *node_report_all(const struct report_asker *asker, struct json_object *arguments,
			    struct json_object **ret_data)
{
	const char *partition = report_text_argument(arguments, "partition"), *wrong;
	struct node_copies copy;

	if (report_asker_is_bound(asker, PRIVATE_DATA_NODES))
		return NODE_REPORT_PRIVATE;
	node_copies_begin(&copy);
	wrong = node_report_copy_all(&copy, partition,
				     !report_asker_is_bound(asker, PRIVATE_DATA_RESERVATIONS));
	if (!wrong)
		*ret_data = all_object(&copy, partition);
	node_copies_end(&copy);
	return wrong;
}

/* ---- check-node ---- */

/* Its index, or -1. Not find_node_record(): that writes unknown names to slurmctld's log. */
static int find_node(const char *name)
{
	for (uint32_t i = 0; i < noderec_count(); i++) {
		const node_record_t *node = noderec_at(i);

		if (node && !xstrcmp(noderec_name(node), name))
			return (int)i;
	}
	return -1;
}

static const char *copy_one(struct node_copies *copy, const char *name, bool with_reservations,
			    struct node_copy_details *details)
{
	bitstr_t *wanted;
	bool copied;
	int index;

	if (!report_records_lock())
		return REPORT_STANDBY;
	index = find_node(name);
	if (index < 0) {
		report_records_unlock();
		return "Slurm has no such node";
	}
	wanted = bit_alloc(noderec_count());
	bit_set(wanted, index);
	copied = node_copies_nodes(copy, wanted, with_reservations) && copy->explanation.count != 0;
	if (copied)
		node_copies_details(copy, index, details);
	report_records_unlock();
	FREE_NULL_BITMAP(wanted);
	return copied ? NULL : NODE_REPORT_FAILED;
}

static struct json_object *held_object(const struct node_copy_job *held, size_t *unanswered)
{
	struct json_object *object = json_make_object();

	report_json_job(object, &held->job, unanswered);
	json_set_text(object, "partition", held->partition);
	json_set_text(object, "state", held->state);
	json_set_number(object, "procs", held->procs);
	json_set_number(object, "memory", (int64_t)held->memory);
	report_json_time(object, "start", held->start);
	report_json_time(object, "end", held->end);
	return object;
}

static void add_jobs(struct json_object *object, const struct report_asker *asker,
		     const struct node_copy_details *details)
{
	struct json_object *array = json_make_array();
	size_t unanswered = 0;
	int64_t hidden = 0;

	for (size_t i = 0; i < details->job_count; i++) {
		const struct node_copy_job *held = &details->jobs[i];

		if (report_asker_sees_job(asker, held->job.uid, held->job.account))
			json_append(array, held_object(held, &unanswered));
		else
			hidden++;
	}
	json_set(object, "job_list", array);
	json_set_number(object, "hidden_jobs", hidden);
	name_texts_add_unanswered(object, unanswered);
}

/* NULL, or why it is unknown who gets in. */
static const char *add_reservations(struct json_object *object,
				    const struct node_copy_details *details)
{
	struct json_object *array = json_make_array();

	for (size_t i = 0; i < details->reservation_count; i++) {
		const struct node_copy_reservation *reservation = &details->reservations[i];
		struct json_object *one = json_make_object();

		json_set_text(one, "name", reservation->name);
		json_set_text(one, "users", reservation->users);
		json_set_text(one, "accounts", reservation->accounts);
		report_json_time(one, "start", reservation->start);
		report_json_time(one, "end",
				 reservation->end < MAUI_SR_FOREVER ? reservation->end : 0);
		json_append(array, one);
	}
	json_set(object, "reservation_list", array);
	return node_report_add_access(array);
}

static void add_seconds(struct json_object *object, const char *name)
{
	struct maui_node_usage_seconds seconds;

	engine_lock();
	seconds = maui_node_usage_seconds(node_state.usage, name);
	engine_unlock();
	json_set_number(object, "up", (int64_t)seconds.up);
	json_set_number(object, "active", (int64_t)seconds.busy);
}

static const char *make_one(const struct node_copies *copy, const struct report_asker *asker,
			    const struct node_copy_details *details, struct json_object **ret_data)
{
	const struct node_explained *explained = &copy->explanation.nodes[0];
	struct json_object *object = node_object(&copy->nodes[0], &explained->candidate);
	char *formula = maui_node_formula_text(&explained->candidate.settings->formula);
	const char *wrong;

	add_seconds(object, copy->nodes[0].name);
	report_json_time(object, "boot", details->boot);
	report_json_time(object, "slurmd_start", details->slurmd_start);
	json_set(object, "free_memory",
		 details->free_memory == NO_VAL64
			 ? NULL
			 : json_make_number((int64_t)details->free_memory));
	json_set_text(object, "policy", maui_nodealloc_policy_name(copy->explanation.asked));
	json_set_text(object, "formula", formula);
	node_json_terms(object, explained->candidate.settings->formula.gres, &explained->terms);
	wrong = add_reservations(object, details);
	add_jobs(object, asker, details);
	free(formula);
	if (wrong)
		json_object_put(object);
	else
		*ret_data = object;
	return wrong;
}

const char *node_report_one(const struct report_asker *asker, struct json_object *arguments,
			    struct json_object **ret_data)
{
	const char *name = report_text_argument(arguments, "node"), *wrong;
	struct node_copy_details details = {0};
	struct node_copies copy;

	if (!name)
		return "the request names no node";
	if (report_asker_is_bound(asker, PRIVATE_DATA_NODES))
		return NODE_REPORT_PRIVATE;
	node_copies_begin(&copy);
	wrong = copy_one(&copy, name, !report_asker_is_bound(asker, PRIVATE_DATA_RESERVATIONS),
			 &details);
	if (!wrong)
		wrong = make_one(&copy, asker, &details, ret_data);
	node_copies_end(&copy);
	return wrong;
}
