/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Standing reservations: what is wrong with them as a whole, and unknown names in them. */
#include "contribs/maui/check/check.h"

#include <time.h>

#include "common/policy/reservation/sr_settings.h"
#include "contribs/maui/slurm/slurm_machine.h"

#define SLURM_TIMEOUT 3 /* seconds: a file can be checked without Slurm */

/* check_names() judges whether names are known. */
static uint32_t any_id(void *context, enum maui_credential type, const char *name)
{
	(void)context;
	(void)type;
	(void)name;
	return 1;
}

static void check_problems(const struct maui_sr_settings *settings, struct findings *findings)
{
	const struct maui_problem *problems;
	size_t count = maui_sr_problems(settings, &problems);

	for (size_t i = 0; i < count; i++)
		if (problems[i].severity == MAUI_ERROR)
			findings_error(findings, &problems[i].origin, problems[i].text);
		else
			findings_warn(findings, &problems[i].origin, "%s", problems[i].text);
}

static void warn_unknown(void *context, const struct maui_origin *origin, const char *text)
{
	findings_warn(context, origin, "%s", text);
}

/* Hosts, features and partitions. */
static void check_machine(const struct maui_config *config, const struct maui_sr *list,
			  size_t count, struct findings *findings, bool offline)
{
	struct slurm_machine machine = {0};
	struct maui_error why = {"--offline"};

	if (offline || slurm_machine_load(SLURM_TIMEOUT, &machine, &why)) {
		findings_note(findings,
			      "not checked: whether Slurm has the hosts, features and partitions "
			      "of SRCFG, and which nodes HOSTLIST takes (%s)",
			      why.text);
		return;
	}
	for (size_t i = 0; i < count; i++)
		maui_sr_unknown(config, &list[i],
				&(struct maui_sr_machine){machine.nodes, machine.features,
							  machine.partitions},
				warn_unknown, findings);
	for (size_t i = 0; i < count; i++)
		check_hosts(&list[i], machine.nodes, findings);
	check_owners(list, count, machine.nodes, findings);
	slurm_machine_clear(&machine);
}

/* The time is the computer's on which the file is checked. */
static void check_until(const struct maui_config *config, const struct maui_sr *sr,
			struct findings *findings)
{
	const struct maui_object *object = maui_config_object(config, MAUI_SRCFG, sr->name);
	const struct maui_value *until = maui_object_get(object, MAUI_ATTR_UNTIL);

	if (sr->until && until && sr->until <= time(NULL))
		findings_warn(
			findings, &until->origin,
			"SRCFG[%.60s]: UNTIL %.30s is in the past: the reservation is not made",
			sr->name, until->text);
}

static void check_lists(const struct maui_config *config, const struct maui_sr_settings *settings,
			struct findings *findings)
{
	const struct maui_sr *list;
	size_t count = maui_sr_list(settings, &list);

	check_problems(settings, findings);
	for (size_t i = 0; i < count; i++)
		check_access(config, &list[i], findings);
	for (size_t i = 0; i < count; i++)
		check_until(config, &list[i], findings);
}

void check_standing(struct maui_config *config, struct findings *findings)
{
	const struct maui_limit_names names = {any_id, NULL};
	struct maui_sr_settings *settings = maui_sr_settings_compile(config, &names);

	check_lists(config, settings, findings);
	maui_sr_settings_free(settings);
}

void check_reservations(struct maui_config *config, struct known_names *names,
			struct findings *findings, bool offline)
{
	const struct maui_limit_names any = {any_id, NULL};
	struct maui_sr_settings *settings = maui_sr_settings_compile(config, &any);
	const struct maui_sr *list;
	size_t count;

	check_lists(config, settings, findings);
	count = maui_sr_list(settings, &list);
	for (size_t i = 0; i < count; i++)
		check_members(config, &list[i], names, findings);
	if (count)
		check_machine(config, list, count, findings, offline);
	maui_sr_settings_free(settings);
}
