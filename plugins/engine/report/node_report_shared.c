/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses the job of a node request, applies PrivateData, takes Slurm's read
 * locks, and renders resources and the terms of PRIORITYF as JSON.
 */
#include "plugins/compat/base.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/bounds.h"
#include "plugins/engine/report/name_texts.h"
#include "plugins/engine/report/node_report_private.h"
#include "plugins/engine/reservation/shadow_nodes.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/authority.h"
#include "plugins/engine/slurm/jobrec.h"

/* ---- what is asked for ---- */

bool node_report_read_number(struct json_object *arguments, const char *name, int64_t min,
			     int64_t max, int64_t *ret_number)
{
	struct json_object *member;

	if (!json_object_object_get_ex(arguments, name, &member) || !member)
		return true;
	*ret_number = json_object_get_int64(member);
	return json_object_is_type(member, json_type_int) && *ret_number >= min &&
	       *ret_number <= max;
}

const char *node_report_read_job(struct json_object *arguments, uint32_t *ret_job,
				 uint32_t *ret_task)
{
	int64_t job = 0, task = NO_VAL;

	if (!arguments)
		return "the request names no job";
	if (!node_report_read_number(arguments, "job", 1, NO_VAL - 1, &job) ||
	    !node_report_read_number(arguments, "task", 0, NO_VAL - 1, &task))
		return "the request's job is not a job ID";
	if (!job)
		return "the request names no job";
	*ret_job = (uint32_t)job;
	*ret_task = (uint32_t)task;
	return NULL;
}

/* ---- who may see what ---- */

bool node_asker_is_bound(const struct node_asker *asker, uint16_t flag)
{
	return (slurm_conf.private_data & flag) && !asker->sees_all &&
	       !authority_is_operator(asker->uid);
}

bool node_asker_sees_job(const struct node_asker *asker, uint32_t uid, const char *account)
{
	return uid == asker->uid || !node_asker_is_bound(asker, PRIVATE_DATA_JOBS) ||
	       authority_coordinates(asker->uid, account);
}

/* ---- under Slurm's locks ---- */

static const slurmctld_lock_t records_read = {
	.job = READ_LOCK, .node = READ_LOCK, .part = READ_LOCK};

bool node_report_lock(void)
{
	lock_slurmctld(records_read);
	if (engine_may_look()) {
		shadow_forget_nodes();
		return true;
	}
	unlock_slurmctld(records_read);
	return false;
}

void node_report_unlock(void)
{
	unlock_slurmctld(records_read);
}

const char *node_report_text(struct maui_arena *arena, const char *text)
{
	return text ? maui_arena_text(arena, text, strlen(text)) : NULL;
}

void node_report_copy_job(struct maui_arena *arena, const job_record_t *job,
			  struct node_report_job *ret_copy)
{
	*ret_copy = (struct node_report_job){
		.id = jobrec_id(job),
		.array_id = jobrec_array_id(job),
		.array_task = jobrec_array_task(job),
		.uid = jobrec_user(job),
		.account = node_report_text(arena, jobrec_account(job)),
	};
}

/* ---- answers ---- */

void node_json_text(struct json_object *object, const char *name, const char *text)
{
	json_object_object_add(object, name, text ? json_object_new_string(text) : NULL);
}

void node_json_number(struct json_object *object, const char *name, int64_t number)
{
	json_object_object_add(object, name, json_object_new_int64(number));
}

void node_json_time(struct json_object *object, const char *name, int64_t seconds)
{
	bool known = seconds > 0 && seconds < INFINITE;

	json_object_object_add(object, name, known ? json_object_new_int64(seconds) : NULL);
}

static void add_double(struct json_object *object, const char *name, double number)
{
	json_object_object_add(object, name, json_object_new_double(number));
}

static void add_user(struct json_object *object, uint32_t uid, size_t *unanswered)
{
	char *name = name_text(MAUI_USER, uid, unanswered);

	node_json_text(object, "user", name);
	free(name);
}

void node_json_job(struct json_object *object, const struct node_report_job *job,
		   size_t *unanswered)
{
	char array[24];

	node_json_number(object, "job", job->id);
	snprintf(array, sizeof(array), "%u_%u", job->array_id, job->array_task);
	node_json_text(object, "array", job->array_id && job->array_task != NO_VAL ? array : NULL);
	add_user(object, job->uid, unanswered);
}

static void add_amount(struct json_object *object, const char *name, double amount)
{
	/* MB and processors are whole numbers in both NODECFG and Slurm, and below 2^63. */
	node_json_number(object, name, (int64_t)maui_amount(amount));
}

static struct json_object *resources(double procs, double memory, double disk, double swap)
{
	struct json_object *object = json_object_new_object();

	add_amount(object, "procs", procs);
	add_amount(object, "memory", memory);
	add_amount(object, "disk", disk);
	add_amount(object, "swap", swap);
	return object;
}

/* NODECFG's value, else Slurm's. */
static double configured(int64_t given, double own)
{
	return given == MAUI_NODE_NOT_GIVEN ? own : (double)given;
}

void node_json_resources(struct json_object *object, const struct maui_node_candidate *node)
{
	const struct maui_node_settings *settings = node->settings;
	struct json_object *dedicated = json_object_new_object();

	add_amount(dedicated, "procs", node->dedicated_procs);
	add_amount(dedicated, "memory", node->dedicated_memory);
	json_object_object_add(object, "configured",
			       resources(node->procs, configured(settings->memory, node->memory),
					 configured(settings->disk, node->disk),
					 configured(settings->swap, node->swap)));
	json_object_object_add(object, "available",
			       resources(maui_node_available_procs(node), node->available_memory,
					 node->available_disk, node->available_swap));
	json_object_object_add(object, "dedicated", dedicated);
	add_double(object, "speed", settings->speed);
	add_double(object, "procspeed", settings->procspeed);
	add_double(object, "load", node->load);
	node_json_number(object, "jobs", (int64_t)node->jobs);
	add_double(object, "usage", node->usage);
}

static struct json_object *term_object(const struct maui_node_gres *gres,
				       const struct maui_node_term *term)
{
	struct json_object *object = json_object_new_object();
	char name[MAUI_NODE_TERM_NAME_SIZE];

	node_json_text(object, "component", maui_node_term_name(gres, term->component, name));
	add_double(object, "coefficient", term->coefficient);
	add_double(object, "factor", term->factor);
	add_double(object, "product", term->product + 0); /* no "-0.0" */
	return object;
}

void node_json_terms(struct json_object *object, const struct maui_node_gres *gres,
		     const struct maui_node_terms *terms)
{
	struct json_object *array = json_object_new_array_ext((int)terms->count + 1);

	for (uint32_t i = 0; i < terms->count; i++)
		json_object_array_add(array, term_object(gres, &terms->terms[i]));
	add_double(object, "value", terms->value);
	add_double(object, "constant", terms->constant);
	json_object_object_add(object, "terms", array);
}
