/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiles the reservation alone, then checks its users, groups, classes,
 * partition and HOSTLIST in this order. The first fault is reported.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/setres/rsv_check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/report/json.h"
#include "common/util/memory.h"
#include "plugins/engine/reservation/rsv_numbers.h"
#include "plugins/engine/slurm/noderec.h"
#include "plugins/engine/slurm/partrec.h"

/* What is checked, and the first thing wrong with it. */
struct check {
	struct json_object *notes;
	const struct maui_sr *sr;
	char *wrong;
};

__attribute__((format(printf, 2, 3))) static void rsv_check_refuse(struct check *check,
								   const char *format, ...)
{
	va_list arguments;

	if (check->wrong)
		return;
	va_start(arguments, format);
	check->wrong = maui_vasprintf(format, arguments);
	va_end(arguments);
}

/* Only names matter here. */
static uint32_t any_id(void *context, enum maui_credential type, const char *name)
{
	(void)context;
	(void)type;
	(void)name;
	return 1;
}

int rsv_check_compile(const struct maui_admin_rsv *one, struct maui_config **ret_config,
		      struct maui_sr_settings **ret_settings, struct maui_error *why)
{
	struct maui_admin_rsv *only = (struct maui_admin_rsv *)one;
	const struct maui_admin_rsvs list = {.list = &only, .count = 1};
	const struct maui_limit_names names = {any_id, NULL};
	struct maui_config *config = NULL;
	struct maui_sr_once *once = NULL;
	int rc = maui_admin_rsvs_config(&list, &config, &once, why);

	if (!rc)
		rc = maui_sr_settings_compile_once(config, once, 1, &names, ret_settings, why);
	free(once);
	if (rc)
		maui_config_unref(config);
	else
		*ret_config = config;
	return rc;
}

/* ---- users and groups ---- */

static void check_people(struct check *check, struct maui_config *config)
{
	char *unknown = NULL;

	rsv_numbers_ask(config, false, &unknown);
	if (unknown)
		rsv_check_refuse(check, "%s", unknown);
	free(unknown);
}

/* ---- partitions; their read lock is held ---- */

static void check_classes(struct check *check)
{
	const struct maui_acl_item *items;
	size_t count = maui_acl_items(check->sr->acl, &items);

	for (size_t i = 0; i < count; i++) {
		char name[MAUI_ACL_TEXT_SIZE];

		if (items[i].type != MAUI_CLASS)
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)items[i].name_size, items[i].name);
		if (!partrec_find(name))
			rsv_check_refuse(check,
					 "there is no class '%s': Slurm has no such partition (for "
					 "a QOS use "
					 "-Q)",
					 name);
	}
}

static void check_partition(struct check *check)
{
	if (check->sr->partition && !partrec_find(check->sr->partition))
		rsv_check_refuse(check, "Slurm has no partition '%s'", check->sr->partition);
}

/* ---- nodes ---- */

/* Slurm's names; node read lock. */
static struct maui_node_names *names_of_nodes(void)
{
	const char **names = maui_calloc((size_t)noderec_count() + 1, sizeof(*names));
	struct maui_node_names *result;
	uint32_t count = 0;

	for (uint32_t i = 0; i < noderec_count(); i++) {
		const node_record_t *node = noderec_at(i);

		if (node)
			names[count++] = noderec_name(node);
	}
	result = maui_node_names_new(names, count);
	free(names);
	return result;
}

static void judge_host(struct check *check, const char *item, const struct maui_sr_host_use *use)
{
	char text[512];

	if (use->kind == MAUI_SR_HOST_NONE || !use->nodes) {
		rsv_check_refuse(check, "cannot create reservation (no node matches '%.200s')",
				 item);
		return;
	}
	if (use->kind != MAUI_SR_HOST_PART && !use->missing)
		return;
	if (use->missing)
		snprintf(text, sizeof(text),
			 "'%.200s' names %" PRIu32 " nodes that Slurm does not have", item,
			 use->missing);
	else
		snprintf(text, sizeof(text),
			 "'%.200s' matches only part of the names of %" PRIu32
			 " nodes: ^ and $ anchor it to the whole name",
			 item, use->nodes);
	json_append_text(check->notes, text);
}

static void check_hosts(struct check *check, const struct maui_node_names *names)
{
	size_t count = maui_sr_hosts_count(check->sr->hosts);
	struct maui_sr_host_use *uses = maui_calloc(count + 1, sizeof(*uses));
	bool *listed = maui_calloc((size_t)maui_node_names_count(names) + 1, sizeof(*listed));

	maui_sr_hosts_match(check->sr->hosts, names, listed, uses);
	for (size_t i = 0; i < count; i++)
		judge_host(check, maui_sr_hosts_item(check->sr->hosts, i), &uses[i]);
	free(uses);
	free(listed);
}

/* ---- the whole check ---- */

static void check_slurm(struct check *check)
{
	slurmctld_lock_t records_read = {.node = READ_LOCK, .part = READ_LOCK};
	struct maui_node_names *names = NULL;

	lock_slurmctld(records_read);
	check_classes(check);
	check_partition(check);
	if (check->sr->hosts)
		names = names_of_nodes();
	unlock_slurmctld(records_read);
	if (names)
		check_hosts(check, names);
	maui_node_names_free(names);
}

char *rsv_check(const struct maui_admin_rsv *one, struct json_object *notes,
		int64_t *ret_task_procs)
{
	struct check check = {.notes = notes};
	struct maui_sr_settings *settings = NULL;
	struct maui_config *config = NULL;
	struct maui_error why = {""};
	const struct maui_sr *list;

	*ret_task_procs = MAUI_SR_ALL;
	if (rsv_check_compile(one, &config, &settings, &why)) {
		rsv_check_refuse(&check, "%s", why.text);
		return check.wrong;
	}
	maui_sr_list(settings, &list);
	check.sr = &list[0];
	if (!list[0].task.gres_count) /* with GRES, whole nodes */
		*ret_task_procs = list[0].task.procs;
	check_people(&check, config);
	if (!check.wrong)
		check_slurm(&check);
	maui_sr_settings_free(settings);
	maui_config_unref(config);
	return check.wrong;
}
