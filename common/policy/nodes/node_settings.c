/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists the NODECFG lines of each node name and reads PRIORITYF, weights,
 * amounts and limits. Neighbours with the same lines share one result.
 */
#include "common/config/default_name.h"
#include "common/policy/nodes/node_settings.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/bounds.h"
#include "common/util/arena.h"
#include "common/util/grow.h"
#include "common/util/slurm/hostlist.h"
#include "common/util/intern.h"
#include "common/util/memory.h"

/* One NODECFG[...] that covers a node. */
struct mention {
	const struct maui_object *object;
	struct mention *next;
};

/* All that is said of one node: lines with its exact name, and lines with ranges. */
struct node {
	const struct maui_object *exact;
	struct mention *ranges;
	const struct maui_node_settings *settings;
};

struct maui_node_policy {
	struct maui_config *config;
	struct maui_arena *arena;
	struct maui_intern *names;
	struct node *nodes; /* by interned id; 0 is for all that no line names */
	size_t node_room;
	const struct maui_object *fallback; /* NODECFG[DEFAULT]; NULL none */
	struct maui_node_gres gres;         /* of formulas and limits that are in force */
};

const struct maui_node_settings maui_node_no_settings = {
	.formula = {.coefficient = {[MAUI_NODE_PRIORITY] = 1,
				    [MAUI_NODE_PREF] = 100,
				    [MAUI_NODE_RESAFFINITY] = 100},
		    .terms = {MAUI_NODE_PREF, MAUI_NODE_PRIORITY, MAUI_NODE_RESAFFINITY},
		    .term_count = 3},
	.speed = 1,
	.frame = MAUI_NODE_NOT_GIVEN,
	.slot = MAUI_NODE_NOT_GIVEN,
	.size = 1,
	.memory = MAUI_NODE_NOT_GIVEN,
	.disk = MAUI_NODE_NOT_GIVEN,
	.swap = MAUI_NODE_NOT_GIVEN,
};

/* ---- which value applies ------------------------------------------------------------------- */

/* A limit of 0 means not given. */
static bool says_something(const struct maui_value *value)
{
	return value && (value->key->kind != MAUI_KIND_LIMIT || value->limit.hard);
}

/* Whether its name has brackets: a credential's, or a GRES's. */
static bool is_bracketed(const struct maui_value *value)
{
	return value->has_dimension || value->gres;
}

static bool same_brackets(const struct maui_value *a, const struct maui_value *b)
{
	if (a->key != b->key || a->dimension != b->dimension || a->gres != b->gres)
		return false;
	if (!a->dimension_name || !b->dimension_name)
		return a->dimension_name == b->dimension_name;
	return !strcmp(a->dimension_name, b->dimension_name);
}

/* The value of an object for a key; like: the one with the same brackets. */
static const struct maui_value *value_of(const struct maui_object *object, enum maui_key key,
					 const struct maui_value *like)
{
	const struct maui_value *const *values;
	size_t count;

	if (!object)
		return NULL;
	if (!like)
		return maui_object_get(object, key);
	count = maui_object_values(object, &values);
	for (size_t i = 0; i < count; i++)
		if (is_bracketed(values[i]) && same_brackets(values[i], like))
			return values[i];
	return NULL;
}

/* The value from the node's own lines and those of its ranges; NULL if there is none. */
static const struct maui_value *own_value(const struct node *node, enum maui_key key,
					  const struct maui_value *like)
{
	const struct maui_value *found = value_of(node->exact, key, like);

	if (says_something(found))
		return found;
	found = NULL;
	for (const struct mention *range = node->ranges; range; range = range->next) {
		const struct maui_value *value = value_of(range->object, key, like);

		if (says_something(value) && (!found || value->order > found->order))
			found = value;
	}
	return found;
}

static const struct maui_value *any_value(const struct maui_node_policy *policy,
					  const struct node *node, enum maui_key key,
					  const struct maui_value *like)
{
	const struct maui_value *found = own_value(node, key, like);

	if (!found)
		found = value_of(policy->fallback, key, like);
	return says_something(found) ? found : NULL;
}

/* ---- formulas ------------------------------------------------------------------------------ */

static const struct {
	enum maui_key key;
	enum maui_node_component component;
} weights[] = {
	{MAUI_ATTR_LOADWEIGHT, MAUI_NODE_LOAD},      {MAUI_ATTR_CFGMEMWEIGHT, MAUI_NODE_CMEM},
	{MAUI_ATTR_CFGPROCWEIGHT, MAUI_NODE_CPROCS}, {MAUI_ATTR_AVLMEMWEIGHT, MAUI_NODE_AMEM},
	{MAUI_ATTR_AVLPROCWEIGHT, MAUI_NODE_APROCS}, {MAUI_ATTR_PRIOWEIGHT, MAUI_NODE_PRIORITY},
	{MAUI_ATTR_SPEEDWEIGHT, MAUI_NODE_SPEED},    {MAUI_ATTR_USAGEWEIGHT, MAUI_NODE_USAGE},
};

/*
 * The formula that some lines give: PRIORITYF with its coefficients replaced by the weights;
 * weights alone are a formula, too. False if they give none.
 */
static bool read_formula(struct maui_node_policy *policy, const struct node *node,
			 struct maui_node_formula *ret_formula)
{
	const struct maui_value *text = own_value(node, MAUI_ATTR_PRIORITYF, NULL);
	struct maui_node_formula formula = {0};
	bool given =
		text && !maui_node_formula_parse(text->text, &policy->gres, &formula, NULL, NULL);

	for (size_t i = 0; i < sizeof(weights) / sizeof(weights[0]); i++) {
		const struct maui_value *weight = own_value(node, weights[i].key, NULL);

		if (!weight)
			continue;
		maui_node_formula_set(&formula, weights[i].component, weight->real);
		given = true;
	}
	if (given)
		*ret_formula = formula;
	return given;
}

static void choose_formula(struct maui_node_policy *policy, const struct node *node,
			   struct maui_node_formula *ret_formula)
{
	const struct node fallback = {.exact = policy->fallback};

	if (!read_formula(policy, node, ret_formula) &&
	    !read_formula(policy, &fallback, ret_formula))
		maui_node_formula_default(ret_formula);
}

/* ---- limits -------------------------------------------------------------------------------- */

static struct maui_node_limit read_limit(const struct maui_value *value)
{
	return value ? (struct maui_node_limit){value->limit.soft, value->limit.hard}
		     : (struct maui_node_limit){0, 0};
}

/* Add an object's limits with brackets that are not in the list yet. */
static void add_bracketed(const struct maui_node_policy *policy, const struct node *node,
			  const struct maui_object *object, const struct maui_value **found,
			  size_t *count)
{
	const struct maui_value *const *values;
	size_t value_count = object ? maui_object_values(object, &values) : 0;

	for (size_t i = 0; i < value_count; i++) {
		const struct maui_value *value = values[i], *holds;
		size_t at = 0;

		if (!is_bracketed(value) || value->key->kind != MAUI_KIND_LIMIT)
			continue;
		while (at < *count && !same_brackets(found[at], value))
			at++;
		holds = at < *count ? NULL : any_value(policy, node, value->key->key, value);
		if (holds)
			found[(*count)++] = holds;
	}
}

static size_t value_count(const struct maui_object *object)
{
	const struct maui_value *const *values;

	return object ? maui_object_values(object, &values) : 0;
}

/* All that hold for a node; their array is malloc'ed. */
static const struct maui_value **find_bracketed(const struct maui_node_policy *policy,
						const struct node *node, size_t *ret_count)
{
	size_t room = value_count(node->exact) + value_count(policy->fallback), count = 0;
	const struct maui_value **found;

	for (const struct mention *range = node->ranges; range; range = range->next)
		room += value_count(range->object);
	found = maui_calloc(room + 1, sizeof(*found));
	add_bracketed(policy, node, node->exact, found, &count);
	for (const struct mention *range = node->ranges; range; range = range->next)
		add_bracketed(policy, node, range->object, found, &count);
	add_bracketed(policy, node, policy->fallback, found, &count);
	*ret_count = count;
	return found;
}

/* The policy has room for the name: the configuration had, for all of its nodes' GRES. */
static struct maui_node_gres_limit gres_limit(struct maui_node_policy *policy,
					      const struct maui_value *value)
{
	const char *name = value->gres_name;

	return (struct maui_node_gres_limit){
		maui_node_gres_number(&policy->gres, name, strlen(name)), name, read_limit(value)};
}

static void read_bracketed(struct maui_node_policy *policy, const struct node *node,
			   struct maui_node_limits *limits)
{
	struct maui_node_dimension_limit *dimensions;
	struct maui_node_gres_limit *gres;
	const struct maui_value **found;
	size_t count;

	found = find_bracketed(policy, node, &count);
	dimensions = maui_arena_alloc(policy->arena, count + 1, sizeof(*dimensions));
	gres = maui_arena_alloc(policy->arena, count + 1, sizeof(*gres));
	for (size_t i = 0; i < count; i++)
		if (found[i]->gres)
			gres[limits->gres_count++] = gres_limit(policy, found[i]);
		else
			dimensions[limits->dimension_count++] = (struct maui_node_dimension_limit){
				found[i]->key->key, found[i]->dimension, found[i]->dimension_name,
				read_limit(found[i])};
	limits->dimensions = dimensions;
	limits->gres = gres;
	free(found);
}

/* ---- one node ------------------------------------------------------------------------------ */

static double node_settings_number(const struct maui_value *value, double fallback)
{
	if (!value)
		return fallback;
	return value->key->kind == MAUI_KIND_REAL ? maui_bounded(value->real)
						  : maui_bounded((double)value->integer);
}

static int64_t node_settings_whole(const struct maui_value *value, int64_t fallback)
{
	return value ? value->integer : fallback;
}

static void read_scalars(const struct maui_node_policy *policy, const struct node *node,
			 struct maui_node_settings *settings)
{
	const struct maui_value *features = any_value(policy, node, MAUI_ATTR_FEATURES, NULL);
#define VALUE(NAME) any_value(policy, node, MAUI_ATTR_##NAME, NULL)
	settings->priority = node_settings_number(VALUE(PRIORITY), 0);
	settings->speed = node_settings_number(VALUE(SPEED), 1);
	if (settings->speed > MAUI_NODE_SPEED_LIMIT)
		settings->speed = MAUI_NODE_SPEED_LIMIT;
	settings->procspeed = node_settings_number(VALUE(PROCSPEED), 0);
	settings->frame = node_settings_whole(VALUE(FRAME), MAUI_NODE_NOT_GIVEN);
	settings->slot = node_settings_whole(VALUE(SLOT), MAUI_NODE_NOT_GIVEN);
	settings->size = node_settings_whole(VALUE(SIZE), 1);
	if (settings->size < 1)
		settings->size = 1;
	settings->memory = node_settings_whole(VALUE(CFGMEM), MAUI_NODE_NOT_GIVEN);
	settings->disk = node_settings_whole(VALUE(CFGDISK), MAUI_NODE_NOT_GIVEN);
	settings->swap = node_settings_whole(VALUE(CFGSWAP), MAUI_NODE_NOT_GIVEN);
	if (features) {
		settings->features = features->list;
		settings->feature_count = features->list_size;
	}
	settings->limits.jobs = read_limit(VALUE(MAXJOB));
	settings->limits.jobs_per_user = read_limit(VALUE(MAXJOBPERUSER));
	settings->limits.procs = read_limit(VALUE(MAXPROC));
	settings->limits.procs_per_user = read_limit(VALUE(MAXPROCPERUSER));
	settings->limits.pe_per_job = node_settings_number(VALUE(MAXPEPERJOB), 0);
	settings->limits.load = node_settings_number(VALUE(MAXLOAD), 0);
#undef VALUE
}

static const struct maui_node_settings *make_settings(struct maui_node_policy *policy,
						      const struct node *node)
{
	struct maui_node_settings *settings = maui_arena_alloc(policy->arena, 1, sizeof(*settings));

	*settings = maui_node_no_settings;
	choose_formula(policy, node, &settings->formula);
	read_scalars(policy, node, settings);
	read_bracketed(policy, node, &settings->limits);
	return settings;
}

/* ---- all nodes ----------------------------------------------------------------------------- */

static struct node *add_node(struct maui_node_policy *policy, const char *name)
{
	uint32_t id = maui_intern_add(policy->names, name);

	policy->nodes = maui_grow_zeroed(policy->nodes, (size_t)id + 1, &policy->node_room,
					 sizeof(*policy->nodes));
	return &policy->nodes[id];
}

struct range {
	struct maui_node_policy *policy;
	const struct maui_object *object;
};

static int add_to_range(void *context, const char *name)
{
	const struct range *range = context;
	struct node *node = add_node(range->policy, name);
	struct mention *mention;

	if (node->ranges && node->ranges->object == range->object)
		return 0; /* n[1,1] */
	mention = maui_arena_alloc(range->policy->arena, 1, sizeof(*mention));
	*mention = (struct mention){range->object, node->ranges};
	node->ranges = mention;
	return 0;
}

static void add_object(struct maui_node_policy *policy, const struct maui_object *object)
{
	const char *name = maui_object_name(object);
	struct range range = {policy, object};

	if (maui_is_default(name))
		policy->fallback = object;
	else if (!maui_hostlist_is_range(name))
		add_node(policy, name)->exact = object;
	else /* the configuration has checked it */
		maui_hostlist_expand(name, add_to_range, &range, NULL, NULL, NULL);
}

static bool same_mentions(const struct node *a, const struct node *b)
{
	const struct mention *left = a->ranges, *right = b->ranges;

	for (; left && right && left->object == right->object; left = left->next)
		right = right->next;
	return a->exact == b->exact && !left && !right;
}

/* Nodes of a range are neighbours: they share what is the same for all of them. */
static void node_settings_settle(struct maui_node_policy *policy)
{
	uint32_t count = maui_intern_count(policy->names);

	for (uint32_t id = 0; id <= count; id++) {
		struct node *node = &policy->nodes[id];

		node->settings = id > 1 && same_mentions(node, node - 1)
					 ? node[-1].settings
					 : make_settings(policy, node);
	}
}

struct maui_node_policy *maui_node_policy_compile(struct maui_config *config)
{
	struct maui_node_policy *policy = maui_calloc(1, sizeof(*policy));
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(config, MAUI_NODECFG, &objects);

	policy->config = maui_config_ref(config);
	policy->arena = maui_arena_new();
	policy->names = maui_intern_new();
	policy->node_room = 1;
	policy->nodes = maui_calloc(1, sizeof(*policy->nodes));
	for (size_t i = 0; i < count; i++)
		add_object(policy, objects[i]);
	node_settings_settle(policy);
	return policy;
}

struct maui_node_policy *maui_node_policy_free(struct maui_node_policy *policy)
{
	if (!policy)
		return NULL;
	maui_intern_free(policy->names);
	maui_arena_free(policy->arena);
	free(policy->nodes);
	maui_config_unref(policy->config);
	free(policy);
	return NULL;
}

const struct maui_node_gres *maui_node_policy_gres(const struct maui_node_policy *policy)
{
	static const struct maui_node_gres none;

	return policy ? &policy->gres : &none;
}

const struct maui_node_settings *maui_node_settings(const struct maui_node_policy *policy,
						    const char *name)
{
	if (!policy)
		return &maui_node_no_settings;
	return policy->nodes[name ? maui_intern_find(policy->names, name) : 0].settings;
}
