/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show-reservations and diagnose-reservations. */
#include "plugins/compat/base.h"

#include "plugins/engine/report/rsv_report.h"

#include <string.h>

#include "common/policy/reservation/sr_window.h"
#include "plugins/engine/nodes/node_order.h"
#include "plugins/engine/report/report_json.h"
#include "plugins/engine/report/rsv_copy.h"
#include "plugins/engine/runtime/runtime.h"
#include "common/state/triggers.h"

/* Limits of one answer. */
#define MAX_ROWS       20000
#define MAX_NODE_ROWS  20000
#define MAX_NODE_TEXTS (UINT64_C(32) << 20) /* bytes, of all node lists */

struct question {
	const char *name; /* NULL: all */
	bool by_node, with_standing;
};

/* The reported reservations, in the order of the answer. */
struct choice {
	const struct rsv_copy *copy;
	const struct rsv_copy_row **rows;
	size_t count, omitted;
};

/* ---- what is asked for ---- */

static const char *read_question(struct json_object *arguments, struct question *question)
{
	struct json_object *member;

	if (!arguments)
		return NULL;
	if (json_object_object_get_ex(arguments, "name", &member) && member)
		question->name = json_object_get_string(member);
	if (!json_object_object_get_ex(arguments, "nodes", &member) || !member)
		return NULL;
	question->by_node = json_object_get_boolean(member);
	return json_object_is_type(member, json_type_boolean) ? NULL
							      : "nodes is neither true nor false";
}

static const struct rsv_copy_standing *standing_of(const struct rsv_copy *copy,
						   const struct rsv_copy_row *row)
{
	return row->standing < copy->standing_count ? &copy->standing[row->standing] : NULL;
}

/* Matches its own name, or that of its standing reservation. */
static bool is_asked_for(const struct rsv_copy *copy, const struct rsv_copy_row *row,
			 const char *name)
{
	const struct rsv_copy_standing *standing = standing_of(copy, row);

	return !name || !strcmp(row->name, name) || (standing && !strcmp(standing->name, name));
}

static void rsv_report_choose(const struct rsv_copy *copy, const char *name,
			      struct choice *ret_choice)
{
	uint64_t texts = 0;

	*ret_choice = (struct choice){.copy = copy};
	ret_choice->rows = maui_arena_alloc(copy->arena, copy->count, sizeof(*ret_choice->rows));
	for (size_t i = 0; i < copy->count; i++) {
		const struct rsv_copy_row *row = &copy->rows[i];

		if (!is_asked_for(copy, row, name))
			continue;
		texts += row->node_list ? strlen(row->node_list) : 0;
		if (ret_choice->count == MAX_ROWS || texts > MAX_NODE_TEXTS)
			ret_choice->omitted++;
		else
			ret_choice->rows[ret_choice->count++] = row;
	}
}

/* ---- a reservation ---- */

static struct json_object *texts_array(const char *const *texts, size_t count)
{
	struct json_object *array = json_make_array();

	for (size_t i = 0; i < count; i++)
		json_append_text(array, texts[i]);
	return array;
}

/* Slurm's words: "MAINT,SPEC_NODES". */
static void add_slurm_flags(struct json_object *object, uint64_t flags)
{
	reserve_info_t info = {.flags = flags};
	char *text = reservation_flags_string(&info);

	json_set_text(object, "slurm_flags", text);
	xfree(text);
}

/* The events that have fired its trigger. */
static void add_fired(struct json_object *object, const struct rsv_copy_row *row)
{
	struct json_object *array = json_make_array();

	for (int event = MAUI_SR_ON_CREATE; event < MAUI_SR_EVENTS; event++)
		if (row->fired & maui_fired_bit(event))
			json_append_text(array, maui_sr_event_name(event));
	json_set(object, "triggered", array);
}

/* What the roll found. */
static void add_rolled(struct json_object *object, const struct rsv_copy_row *row)
{
	bool failed = row->rolled && row->status != SLURM_SUCCESS;

	json_set(object, "tasks", row->rolled ? json_make_number(row->tasks) : NULL);
	json_set(object, "missing", row->rolled ? json_make_number(row->missing) : NULL);
	json_set_text(object, "text", row->text);
	json_set_text(object, "problem", failed ? slurm_strerror(row->status) : NULL);
	json_set_flag(object, "open", row->open);
	add_fired(object, row);
}

/* Slurm's flag; of one that Slurm does not have, whether it would get it. */
static bool is_maint(const struct rsv_copy *copy, const struct rsv_copy_row *row)
{
	const struct rsv_copy_standing *standing = standing_of(copy, row);

	if (row->there)
		return row->flags & RESERVE_FLAG_MAINT;
	return standing && (standing->sr.flags & MAUI_SR_MAINT);
}

static bool is_once(const struct rsv_copy_standing *standing)
{
	return standing && standing->sr.period == MAUI_SR_ONCE;
}

static struct json_object *row_object(const struct rsv_copy *copy, const struct rsv_copy_row *row)
{
	const struct rsv_copy_standing *standing = standing_of(copy, row);
	struct json_object *object = json_make_object();
	bool ends = row->end < MAUI_SR_FOREVER;

	json_set_text(object, "name", row->name);
	json_set_flag(object, "ours", row->ours);
	json_set_text(object, "standing", standing ? standing->name : NULL);
	json_set_flag(object, "administrative", is_once(standing));
	json_set_flag(object, "there", row->there);
	if (engine_is_shadow())
		json_set_flag(object, "would", row->would);
	report_json_time(object, "start", row->start);
	report_json_time(object, "end", ends ? row->end : 0);
	json_set_text(object, "nodes", row->node_list);
	json_set_number(object, "node_count", row->nodes ? bit_set_count(row->nodes) : 0);
	json_set_number(object, "procs", rsv_copy_procs(copy, row));
	json_set(object, "used_procs",
		 rsv_copy_is_active(copy, row) ? json_make_number(rsv_copy_used(copy, row)) : NULL);
	json_set_text(object, "users", row->users);
	json_set_text(object, "accounts", row->accounts);
	json_set_text(object, "partition", row->partition);
	json_set_flag(object, "maint", is_maint(copy, row));
	add_slurm_flags(object, row->flags);
	if (row->ours)
		add_rolled(object, row);
	return object;
}

/* ---- a standing reservation ---- */

/* -1: all that the node has. */
static struct json_object *task_object(struct maui_sr_task task)
{
	struct json_object *object = json_make_object(), *gres = json_make_array();

	for (size_t i = 0; i < MAUI_SR_RESOURCES; i++)
		json_set_number(object, maui_sr_resources[i].json,
				*maui_sr_resource_amount(&task, i));
	json_set(object, "gres", gres);
	for (size_t i = 0; i < task.gres_count; i++) {
		struct json_object *one = json_make_object();

		json_set_text(one, "name", task.gres[i].name);
		json_set_number(one, "count", task.gres[i].count);
		json_append(gres, one);
	}
	return object;
}

static struct json_object *value_json(const struct maui_sr_value *value)
{
	switch (value->kind) {
	case MAUI_SR_VALUE_NUMBER:
		return json_make_number(value->number);
	case MAUI_SR_VALUE_STRING:
		return json_make_text(value->string);
	case MAUI_SR_VALUE_STRINGS:
		return texts_array(value->strings.items, value->strings.count);
	case MAUI_SR_VALUE_TASK:
		return task_object(*value->task);
	}
	return NULL;
}

/* What maui.cfg or setres specified. */
static void add_attributes(struct json_object *object, const struct rsv_copy_standing *standing)
{
	for (size_t i = 0; i < MAUI_SR_ATTRIBUTES; i++) {
		const struct maui_sr_attribute *row = maui_sr_attribute_at(i);

		if (maui_sr_attribute_is_told(row))
			json_set(object, row->json, value_json(&standing->values[i]));
	}
	json_set_number(object, "acl_omitted", rsv_copy_acl(standing)->omitted);
}

/* What only an administrative one has. */
static void add_making(struct json_object *object, const struct rsv_copy_standing *standing)
{
	json_set_flag(object, "administrative", is_once(standing));
	if (!is_once(standing))
		return;
	report_json_time(object, "made", standing->made);
	json_set_number(object, "made_by", standing->made_by);
	json_set_number(object, "task_limit", standing->sr.task_limit);
	json_set_flag(object, "any_feature", standing->sr.any_feature);
	json_set_flag(object, "recovered", standing->recovered);
}

static struct json_object *standing_object(const struct rsv_copy_standing *standing,
					   int64_t instances)
{
	struct json_object *object = json_make_object();

	json_set_text(object, "name", standing->name);
	json_set_flag(object, "usable", standing->sr.usable);
	json_set_number(object, "instances", instances);
	add_attributes(object, standing);
	add_making(object, standing);
	json_set(object, "lacks", texts_array(standing->lacks, standing->lack_count));
	return object;
}

/* The standing reservations of the reported rows, and those without rows if asked for. */
static struct json_object *standing_array(const struct choice *choice,
					  const struct question *question)
{
	const struct rsv_copy *copy = choice->copy;
	struct json_object *array = json_make_array();
	int64_t *instances =
		maui_arena_alloc(copy->arena, copy->standing_count, sizeof(*instances));

	for (size_t i = 0; i < choice->count; i++)
		if (choice->rows[i]->standing < copy->standing_count)
			instances[choice->rows[i]->standing]++;
	for (size_t i = 0; i < copy->standing_count; i++)
		if (instances[i] || !question->name ||
		    !strcmp(copy->standing[i].name, question->name))
			json_append(array, standing_object(&copy->standing[i], instances[i]));
	return array;
}

/* ---- by node ---- */

/* As many tasks as fit its processors there; of a node that is reserved whole, one. */
static int64_t tasks_on(const struct rsv_copy *copy, const struct rsv_copy_row *row, uint32_t node)
{
	const struct rsv_copy_standing *standing = standing_of(copy, row);
	int64_t procs = standing && !standing->sr.task.gres_count ? standing->sr.task.procs : 0;

	return procs > 0 ? rsv_copy_procs_on(copy, row, node) / procs : 1;
}

static struct json_object *node_object(const struct choice *choice, uint32_t node, size_t row)
{
	struct json_object *object = json_make_object();

	json_set_text(object, "node", choice->copy->node_names[node]);
	json_set_number(object, "reservation", (int64_t)row);
	json_set_number(object, "tasks", tasks_on(choice->copy, choice->rows[row], node));
	return object;
}

static bool has_node(const struct rsv_copy_row *row, uint32_t node)
{
	return row->nodes && node < bit_size(row->nodes) && bit_test(row->nodes, node);
}

static void add_nodes(struct json_object *data, const struct choice *choice)
{
	struct json_object *array = json_make_array();
	int64_t omitted = 0;
	size_t count = 0;

	for (uint32_t node = 0; node < choice->copy->node_count; node++) {
		if (!choice->copy->node_names[node])
			continue;
		for (size_t i = 0; i < choice->count; i++) {
			if (!has_node(choice->rows[i], node))
				continue;
			if (count++ < MAX_NODE_ROWS)
				json_append(array, node_object(choice, node, i));
			else
				omitted++;
		}
	}
	json_set(data, "nodes", array);
	json_set_number(data, "omitted_nodes", omitted);
}

/* ---- the answer ---- */

/* The processors that reservations in force now hold: a node that is held as a
 * whole counts once. */
static int64_t active_procs(const struct rsv_copy *copy)
{
	int64_t procs = 0;
	bitstr_t *nodes = copy->node_count ? bit_alloc(copy->node_count) : NULL;
	struct rsv_copy_row all = {.nodes = nodes};

	for (size_t i = 0; nodes && i < copy->count; i++) {
		const struct rsv_copy_row *row = &copy->rows[i];

		if (!rsv_copy_is_active(copy, row))
			continue;
		if (row->procs)
			procs += row->procs;
		else if (row->nodes && bit_size(row->nodes) == bit_size(nodes))
			bit_or(nodes, row->nodes);
	}
	if (nodes)
		procs += rsv_copy_procs(copy, &all);
	FREE_NULL_BITMAP(nodes);
	return procs;
}

static struct json_object *rsv_report_render(const struct choice *choice,
					     const struct question *question)
{
	struct json_object *data = json_make_object();
	struct json_object *rows = json_make_array();

	json_set_flag(data, "known", choice->copy->known);
	json_set_flag(data, "select", select_is_loaded());
	for (size_t i = 0; i < choice->count; i++)
		json_append(rows, row_object(choice->copy, choice->rows[i]));
	json_set(data, "reservations", rows);
	json_set_number(data, "omitted", (int64_t)choice->omitted);
	if (question->by_node)
		add_nodes(data, choice);
	if (question->with_standing) {
		json_set(data, "standing", standing_array(choice, question));
		json_set_number(data, "active_procs", active_procs(choice->copy));
	}
	return data;
}

static const char *rsv_report_answer(const struct report_asker *asker,
				     struct json_object *arguments, struct question *question,
				     struct json_object **ret_data)
{
	const char *wrong = read_question(arguments, question);
	struct choice choice;
	struct rsv_copy copy;

	if (wrong)
		return wrong;
	if (report_asker_is_bound(asker, PRIVATE_DATA_RESERVATIONS))
		return RSV_REPORT_PRIVATE;
	wrong = rsv_copy_take(&copy);
	if (!wrong) {
		rsv_report_choose(&copy, question->name, &choice);
		*ret_data = rsv_report_render(&choice, question);
	}
	rsv_copy_clear(&copy);
	return wrong;
}

const char *rsv_report_show(const struct report_asker *asker, struct json_object *arguments,
			    struct json_object **ret_data)
{
	struct question question = {.name = NULL};

	return rsv_report_answer(asker, arguments, &question, ret_data);
}

const char *rsv_report_diagnose(const struct report_asker *asker, struct json_object *arguments,
				struct json_object **ret_data)
{
	struct question question = {.with_standing = true};

	return rsv_report_answer(asker, arguments, &question, ret_data);
}
