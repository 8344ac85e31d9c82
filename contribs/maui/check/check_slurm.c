/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What slurm.conf must say for the policies of maui.cfg to work, as far as Slurm can be asked. */
#include "contribs/maui/check/check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/config/default_name.h"
#include "common/policy/fairshare/fairshare.h"
#include "common/policy/reservation/sr_owner.h"
#include "common/util/list.h"
#include "contribs/maui/slurm/slurm_facts.h"
#include "contribs/maui/slurm/slurm_site.h"

#define SLURM_TIMEOUT 3 /* seconds: a file can be checked without Slurm */

/* The first object of a section that is not DEFAULT; NULL if there is none. */
static const struct maui_object *first_named(const struct maui_config *config,
					     enum maui_section section)
{
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(config, section, &objects);

	for (size_t i = 0; i < count; i++)
		if (!maui_is_default(maui_object_name(objects[i])))
			return objects[i];
	return NULL;
}

static void check_enforcement(const struct maui_config *config, struct findings *findings,
			      enum maui_section section, bool enforced, const char *word,
			      const char *consequence)
{
	const struct maui_object *object = first_named(config, section);
	struct maui_origin origin;

	if (!object || enforced)
		return;
	origin = maui_object_origin(object);
	findings_warn(findings, &origin,
		      "%s: AccountingStorageEnforce in slurm.conf lacks %s, so %s",
		      maui_section_name(section), word, consequence);
}

static void check_use(const struct maui_config *config, struct findings *findings,
		      const struct slurm_site *site)
{
	struct maui_fairshare_settings settings;

	maui_fairshare_settings(config, &settings);
	if (settings.metric != MAUI_FS_UTILIZEDPS)
		return;
	if (!site->measures_use)
		findings_note(findings, "FSPOLICY UTILIZEDPS counts what jobs hold: with "
					"JobAcctGatherType=jobacct_gather/none in slurm.conf Slurm "
					"does not measure what they use");
	else if (site->hides_steps)
		findings_note(findings, "FSPOLICY UTILIZEDPS counts what jobs hold: with "
					"SlurmctldParameters=enable_stepmgr in slurm.conf Slurm "
					"does not report to slurmctld what their steps use");
}

/* A FSTREEWEIGHT that is not 0, of all partitions or one; NULL: none is. */
static const struct maui_value *check_slurm_tree(const struct maui_config *config)
{
	const char *const *partitions;
	size_t count = maui_config_indices(config, &partitions);

	for (size_t i = 0; i <= count; i++) {
		const struct maui_value *value = maui_config_get(config, MAUI_KEY_FSTREEWEIGHT,
								 i ? partitions[i - 1] : NULL);

		if (value && value->real != 0)
			return value;
	}
	return NULL;
}

static void check_tree(const struct maui_config *config, struct findings *findings, bool database)
{
	const struct maui_value *tree = check_slurm_tree(config);

	if (tree && !database)
		findings_useless(
			findings, &tree->origin,
			"FSTREEWEIGHT has no effect: AccountingStorageType in slurm.conf "
			"is not accounting_storage/slurmdbd, so Slurm has no associations");
}

/* FLAGS=OWNERPREEMPT of standing reservations. */
static void check_preemption(const struct maui_config *config, struct findings *findings,
			     const struct slurm_site *site)
{
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(config, MAUI_SRCFG, &objects);

	for (size_t i = 0; i < count; i++) {
		const char *lack = maui_sr_object_lack(objects[i], site->preemption);

		if (lack)
			findings_warn(findings,
				      &maui_object_get(objects[i], MAUI_ATTR_FLAGS)->origin,
				      "SRCFG[%s]: %s", maui_object_name(objects[i]), lack);
	}
}

/* maui_unknown=error, for a file that was read without it. */
static void check_unknown(const struct maui_config *config, struct findings *findings)
{
	const struct maui_problem *problems;
	size_t count = maui_config_problems(config, &problems), names = maui_config_unknown(config);
	char text[160];

	snprintf(text, sizeof(text),
		 "unknown: %zu name%s or word%s of the file, of which this is the first; with "
		 "maui_unknown=error in slurm.conf slurmctld refuses the file",
		 names, names == 1 ? "" : "s", names == 1 ? "" : "s");
	for (size_t i = 0; i < count; i++)
		if (problems[i].unknown) {
			findings_error(findings, &problems[i].origin, text);
			return;
		}
}

static void check_site(const struct maui_config *config, struct findings *findings,
		       const struct slurm_site *site)
{
	check_enforcement(config, findings, MAUI_ACCOUNTCFG, site->enforces_accounts,
			  "associations", "users may give their jobs any account they like");
	check_enforcement(config, findings, MAUI_QOSCFG, site->enforces_qos, "qos",
			  "users may give their jobs any QOS, or jobs have none at all");
	check_use(config, findings, site);
	if (check_slurm_tree(config) && !site->enforces_accounts)
		findings_note(findings,
			      "FSTREEWEIGHT counts 0 for jobs without an association: "
			      "AccountingStorageEnforce in slurm.conf lacks associations, "
			      "so Slurm lets them in");
	if (site->unknown_is_error)
		check_unknown(config, findings);
	check_preemption(config, findings, site);
	if (strcmp(site->priority_type, "priority/maui") != 0)
		findings_note(
			findings,
			"Slurm runs with PriorityType=%s: policies of maui.cfg are not in force",
			site->priority_type);
	else if (*site->hidden_columns)
		findings_note(
			findings,
			"plain sprio hides %s: their PriorityWeight in slurm.conf is 0 (sprio -l "
			"shows them)",
			site->hidden_columns);
}

static void ask_slurm(const struct maui_config *config, struct findings *findings, bool offline)
{
	struct slurm_site site;
	struct maui_error error;

	if (offline)
		findings_note(findings, "not checked: slurm.conf (--offline)");
	else if (slurm_site_load(SLURM_TIMEOUT, &site, &error) < 0)
		findings_note(findings, "not checked: slurm.conf (%s)", error.text);
	else
		check_site(config, findings, &site);
}

/* Whether any object of a section sets an attribute. */
static bool check_slurm_attribute_set(const struct maui_config *config, enum maui_section section,
				      enum maui_key key)
{
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(config, section, &objects);

	for (size_t i = 0; i < count; i++)
		if (maui_object_get(objects[i], key))
			return true;
	return false;
}

/* QLIST and QDEF name QOS wherever they stand. */
static bool names_qos(const struct maui_config *config)
{
	for (enum maui_section section = MAUI_SYSCFG; section < MAUI_SECTIONS; section++)
		if (check_slurm_attribute_set(config, section, MAUI_ATTR_QLIST) ||
		    check_slurm_attribute_set(config, section, MAUI_ATTR_QDEF))
			return true;
	return false;
}

/* Adds a word to a list of names that are not checked. */
static void list_names(char *list, size_t size, bool wanted, const char *what)
{
	if (wanted)
		maui_list_add(list, size, ", ", what);
}

/*
 * Nodes, partitions and GRES, and what slurm.conf says about schedulers. False with the reason if
 * Slurm cannot be asked.
 */
static bool check_facts(const struct maui_config *config, struct findings *findings,
			bool *ret_database, struct maui_error *why)
{
	struct slurm_facts facts;

	if (slurm_facts_load(SLURM_TIMEOUT, &facts, why))
		return false;
	check_known_machine(config, findings, &facts);
	check_size(config, findings, &facts);
	check_scheduler(config, findings, &facts);
	check_select(config, findings, &facts);
	*ret_database = !strcmp(facts.words[SLURM_STORAGE], "accounting_storage/slurmdbd");
	check_tree(config, findings, *ret_database);
	slurm_facts_clear(&facts);
	return true;
}

/* Accounts and QOS. False with the reason if slurmdbd cannot be asked. */
static bool check_database(const struct maui_config *config, struct findings *findings,
			   struct maui_error *why)
{
	struct slurm_accounts names;

	if (slurm_accounts_load(SLURM_TIMEOUT, &names, why))
		return false;
	check_known_names(config, findings, &names);
	slurm_accounts_clear(&names);
	return true;
}

/* Names that only Slurm has. */
static void check_all_known(const struct maui_config *config, struct findings *findings,
			    bool offline)
{
	const char *const *indices;
	bool partitions =
		maui_config_indices(config, &indices) > 0 || first_named(config, MAUI_CLASSCFG);
	bool accounts = first_named(config, MAUI_ACCOUNTCFG);
	bool qos = first_named(config, MAUI_QOSCFG) || names_qos(config);
	struct maui_error why = {""}, unasked = {"--offline"};
	bool database = true, asked = false;
	char list[64] = "";

	if (!offline && check_facts(config, findings, &database, &unasked)) {
		partitions = false;
		asked = true;
	} else {
		check_gres(config, findings, NULL, unasked.text);
	}
	if (!database)
		maui_error_set(&why, ENOENT, "without slurmdbd it has none");
	if (asked && database && (accounts || qos) && check_database(config, findings, &why))
		accounts = qos = false;
	list_names(list, sizeof(list), accounts, "accounts");
	list_names(list, sizeof(list), qos, "QOS");
	list_names(list, sizeof(list), partitions, "partitions");
	list_names(list, sizeof(list), !asked && first_named(config, MAUI_NODECFG), "nodes");
	if (*list)
		findings_note(findings,
			      "not checked: whether Slurm has the %s that the file names%s%s%s",
			      list, *why.text ? " (" : "", why.text, *why.text ? ")" : "");
}

void check_slurm(const struct maui_config *config, struct findings *findings, bool offline)
{
	ask_slurm(config, findings, offline);
	check_all_known(config, findings, offline);
}
