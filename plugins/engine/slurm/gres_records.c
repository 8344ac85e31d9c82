/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums a job's GRES and licenses by the names in maui.cfg, and interns the sums
 * in a table that is renewed at 65536 entries.
 */
#include "plugins/compat/compat.h"

#include "plugins/engine/slurm/gres_records.h"

#include <stdio.h>
#include <string.h>

#include "plugins/engine/slurm/gres_chosen.h"
#include "plugins/engine/slurm/gres_id.h"

/* Different amounts, until jobs are read into a new table: a user who asks for
 * ever new amounts takes no more memory than this. */
#define MOST_AMOUNTS 65536

/* Names as Slurm's records have them: numbers. */
struct gres_name {
	char text[MAUI_GRES_NAME_SIZE];
	struct gres_id id;
	char license[MAUI_GRES_NAME_SIZE]; /* "": it is no license */
};

ENGINE_GUARDED static struct {
	struct gres_name names[MAUI_GRES_NAMES];
	unsigned int count;
	bool any, any_license;
	struct maui_gres_table *table;
} gres_in_force;

/* ---- names ---- */

static void bind_name(const char *text, struct gres_name *name)
{
	const char *license = maui_gres_license(text);

	*name = (struct gres_name){0};
	snprintf(name->text, sizeof(name->text), "%s", text);
	if (license)
		snprintf(name->license, sizeof(name->license), "%s", license);
	else
		name->id = gres_id_of(text);
}

ENGINE_LOCKED static bool same_names(const char *const *names, size_t count)
{
	if (gres_in_force.count != count)
		return false;
	for (size_t i = 0; i < count; i++)
		if (strcmp(gres_in_force.names[i].text, names[i]) != 0)
			return false;
	return true;
}

ENGINE_LOCKED static void new_table(void)
{
	maui_gres_table_unref(gres_in_force.table);
	gres_in_force.table = gres_in_force.count ? maui_gres_table_new() : NULL;
}

bool gres_records_bind(const char *const *names, size_t count)
{
	if (same_names(names, count))
		return false;
	gres_in_force.count = (unsigned int)count;
	gres_in_force.any = gres_in_force.any_license = false;
	for (size_t i = 0; i < count; i++) {
		struct gres_name *name = &gres_in_force.names[i];

		bind_name(names[i], name);
		gres_in_force.any |= !*name->license;
		gres_in_force.any_license |= *name->license != '\0';
	}
	new_table();
	return true;
}

bool gres_records_renew(void)
{
	if (!gres_in_force.count || maui_gres_table_count(gres_in_force.table) < MOST_AMOUNTS)
		return false;
	new_table();
	return true;
}

struct maui_gres_table *gres_records_table(void)
{
	return gres_in_force.table;
}

/* ---- what it asks for ---- */

struct count {
	const job_record_t *job;
	struct maui_gres_amounts amounts;
	bool held;
};

static uint64_t gres_records_larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t sockets_of(const job_details_t *details, uint64_t nodes, uint64_t tasks)
{
	const multi_core_data_t *layout = details->mc_ptr;

	if (layout && layout->sockets_per_node && layout->sockets_per_node != NO_VAL16)
		return nodes * layout->sockets_per_node;
	if (layout && layout->ntasks_per_socket && layout->ntasks_per_socket != INFINITE16 &&
	    layout->ntasks_per_socket != NO_VAL16)
		return (tasks + layout->ntasks_per_socket - 1) / layout->ntasks_per_socket;
	return nodes;
}

/* The largest of what it says per job, node, socket and task. total_gres is no request: Slurm uses
 * it while it looks for nodes. */
static uint64_t records_asked(const job_record_t *job, const gres_job_state_t *request)
{
	const job_details_t *details = job->details;
	uint64_t nodes = details && details->min_nodes ? details->min_nodes : 1, tasks = 1, sum;

	if (details && details->num_tasks && details->num_tasks != NO_VAL)
		tasks = details->num_tasks;
	sum = gres_records_larger(request->gres_per_job,
				  maui_gres_times(request->gres_per_node, nodes));
	sum = gres_records_larger(sum, maui_gres_times(request->gres_per_task, tasks));
	if (details && request->gres_per_socket)
		sum = gres_records_larger(sum, maui_gres_times(request->gres_per_socket,
							       sockets_of(details, nodes, tasks)));
	return sum;
}

static uint64_t gres_records_given(const gres_job_state_t *state)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; state->gres_cnt_node_alloc && i < state->node_cnt; i++)
		if (state->gres_cnt_node_alloc[i] != NO_CONSUME_VAL64)
			sum = maui_gres_plus(sum, state->gres_cnt_node_alloc[i]);
	return sum;
}

static void count_amount(void *context, uint32_t plugin_id, uint32_t type_id, uint64_t amount)
{
	struct maui_gres_amounts *amounts = context;

	engine_assert_locked();
	for (unsigned int i = 0; amount && i < gres_in_force.count; i++) {
		const struct gres_name *name = &gres_in_force.names[i];

		if (!*name->license && gres_id_covers(&name->id, plugin_id, type_id))
			maui_gres_set(amounts, i, maui_gres_plus(amounts->amount[i], amount));
	}
}

static int count_one(void *object, void *context)
{
	const gres_state_t *state = object;
	const gres_job_state_t *of_job = state->gres_data;
	struct count *count = context;

	if (of_job)
		count_amount(&count->amounts, state->plugin_id, of_job->type_id,
			     count->held ? gres_records_given(of_job)
					 : records_asked(count->job, of_job));
	return 0;
}

ENGINE_LOCKED static void add_licenses(const job_record_t *job, struct maui_gres_amounts *amounts)
{
	for (unsigned int i = 0; i < gres_in_force.count; i++) {
		const char *name = gres_in_force.names[i].license;

		if (*name)
			maui_gres_set(amounts, i, maui_gres_licenses(job->licenses, name));
	}
}

ENGINE_LOCKED static bool has_licenses(const job_record_t *job)
{
	return gres_in_force.any_license && job->licenses;
}

/* With its licenses. */
ENGINE_LOCKED static const struct maui_gres *intern(const job_record_t *job,
						    struct maui_gres_amounts *amounts)
{
	if (has_licenses(job))
		add_licenses(job, amounts);
	return maui_gres_intern(gres_in_force.table, amounts);
}

/* A job without any costs two comparisons. */
ENGINE_LOCKED static const struct maui_gres *read_list(const job_record_t *job, list_t *list,
						       bool held)
{
	struct count count = {.job = job, .held = held};

	if (!list && !has_licenses(job))
		return NULL;
	if (list)
		list_for_each_ro(list, count_one, &count);
	return intern(job, &count.amounts);
}

const struct maui_gres *gres_records_asked(const job_record_t *job)
{
	if (!gres_in_force.count) /* these members are on lines that nothing else reads */
		return NULL;
	return read_list(job, gres_in_force.any ? job->gres_list_req : NULL, false);
}

const struct maui_gres *gres_records_held(const job_record_t *job)
{
	if (!gres_in_force.count || !job->gres_list_alloc)
		return gres_records_asked(job);
	return read_list(job, gres_in_force.any ? job->gres_list_alloc : NULL, true);
}

const struct maui_gres *gres_records_chosen(const job_record_t *job)
{
	struct maui_gres_amounts amounts = {0};

	if (gres_in_force.any)
		gres_chosen_each(job, count_amount, &amounts);
	else if (!has_licenses(job))
		return NULL;
	return intern(job, &amounts);
}
