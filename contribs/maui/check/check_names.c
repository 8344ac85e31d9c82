/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names in maui.cfg that this machine must know. */
#include "contribs/maui/check/check.h"

#include <string.h>
#include <strings.h>

#include "common/config/default_name.h"

static void check_section(const struct maui_config *config, struct known_names *names,
			  struct findings *findings, enum maui_section section,
			  bool (*unknown)(struct known_names *, const char *), const char *what)
{
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(config, section, &objects);

	for (size_t i = 0; i < count; i++) {
		const char *name = maui_object_name(objects[i]);
		struct maui_origin origin = maui_object_origin(objects[i]);

		if (!maui_is_default(name) && unknown(names, name))
			findings_warn(findings, &origin,
				      "%s[%s]: there is no %s %s on this machine; the line affects "
				      "no job",
				      maui_section_name(section), name, what, name);
	}
}

/* Slurm converts them to lower case; the engine finds them in lists all the same, but not as
 * objects. */
static void check_capitals(const struct maui_config *config, struct findings *findings,
			   enum maui_section section, const char *what)
{
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(config, section, &objects);

	for (size_t i = 0; i < count; i++) {
		const char *name = maui_object_name(objects[i]);
		struct maui_origin origin = maui_object_origin(objects[i]);

		if (!maui_is_default(name) && strpbrk(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
			findings_warn(findings, &origin,
				      "%s[%s]: Slurm has %s in small letters only: write it that "
				      "way, or the line affects no job",
				      maui_section_name(section), name, what);
	}
}

/* The manual writes it in capitals, and a name in small letters may be meant. */
static void check_almost_default(const struct maui_config *config, struct findings *findings,
				 enum maui_section section)
{
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(config, section, &objects);

	for (size_t i = 0; i < count; i++) {
		const char *name = maui_object_name(objects[i]);
		struct maui_origin origin = maui_object_origin(objects[i]);

		if (maui_is_almost_default(name))
			findings_warn(findings, &origin,
				      "%s[%s]: this holds for '%s' alone: write DEFAULT in "
				      "capitals if it is to hold for all",
				      maui_section_name(section), name, name);
	}
}

static void check_admins(const struct maui_config *config, struct known_names *names,
			 struct findings *findings)
{
	static const enum maui_key keys[] = {MAUI_KEY_ADMIN1, MAUI_KEY_ADMIN2, MAUI_KEY_ADMIN3};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct maui_value *value = maui_config_get(config, keys[i], NULL);

		for (size_t j = 0; value && maui_value_given(value) && j < value->list_size; j++)
			if (strcasecmp(value->list[j], "ALL") != 0 &&
			    user_is_unknown(names, value->list[j]))
				findings_warn(findings, &value->origin,
					      "%s: there is no user %s on this machine; nobody "
					      "gets this right",
					      value->key->name, value->list[j]);
	}
}

static void check_member(const struct maui_config *config, const struct maui_sr *sr,
			 enum maui_key list, const char *what, const char *name,
			 struct findings *findings)
{
	const struct maui_object *object = maui_config_object(config, MAUI_SRCFG, sr->name);
	const struct maui_value *value = maui_object_get(object, list);

	findings_warn(findings, value ? &value->origin : &sr->origin,
		      "SRCFG[%.60s]: there is no %s %.100s on this machine", sr->name, what, name);
}

void check_members(const struct maui_config *config, const struct maui_sr *sr,
		   struct known_names *names, struct findings *findings)
{
	const struct maui_acl_item *items;
	size_t count = maui_acl_items(sr->acl, &items);

	for (size_t i = 0; i < count; i++) {
		const char *name = items[i].name;

		if (items[i].type == MAUI_USER && user_is_unknown(names, name))
			check_member(config, sr, MAUI_ATTR_USERLIST, "user", name, findings);
		else if (items[i].type == MAUI_GROUP && group_is_unknown(names, name))
			check_member(config, sr, MAUI_ATTR_GROUPLIST, "group", name, findings);
	}
	if (sr->owner_type == MAUI_USER && user_is_unknown(names, sr->owner_name))
		check_member(config, sr, MAUI_ATTR_OWNER, "user", sr->owner_name, findings);
	else if (sr->owner_type == MAUI_GROUP && group_is_unknown(names, sr->owner_name))
		check_member(config, sr, MAUI_ATTR_OWNER, "group", sr->owner_name, findings);
}

void check_names(const struct maui_config *config, struct known_names *names,
		 struct findings *findings)
{
	check_section(config, names, findings, MAUI_USERCFG, user_is_unknown, "user");
	check_section(config, names, findings, MAUI_GROUPCFG, group_is_unknown, "group");
	check_capitals(config, findings, MAUI_ACCOUNTCFG, "accounts");
	check_capitals(config, findings, MAUI_QOSCFG, "QOS");
	check_admins(config, names, findings);
}

void check_default_names(const struct maui_config *config, struct findings *findings)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		check_almost_default(config, findings,
				     maui_credential_section((enum maui_credential)type));
	check_almost_default(config, findings, MAUI_NODECFG);
}
