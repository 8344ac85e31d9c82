/* SPDX-License-Identifier: GPL-2.0-or-later */
/* QLIST and QDEF of one object that do not match. */
#include "contribs/maui/check/check.h"

#include <stdio.h>
#include <string.h>

#include "common/policy/limits/qos_access.h"

#define NAME_SIZE 80 /* names are cut */

/* "USERCFG[bob]", "SYSCFG" */
static const char *object_text(enum maui_section section, const struct maui_object *object,
			       char text[NAME_SIZE])
{
	if (section == MAUI_SYSCFG)
		return maui_section_name(section);
	snprintf(text, NAME_SIZE, "%s[%.60s]", maui_section_name(section),
		 maui_object_name(object));
	return text;
}

static void check_object(struct findings *findings, enum maui_section section,
			 const struct maui_object *object)
{
	const struct maui_value *list = maui_object_get(object, MAUI_ATTR_QLIST);
	const struct maui_value *qos = maui_object_get(object, MAUI_ATTR_QDEF);
	char name[NAME_SIZE];

	if (!list)
		return;
	if (!maui_qos_list_names(list, NULL))
		findings_warn(findings, &list->origin,
			      "%s: QLIST names no QOS, so it is not a list: every QOS that other "
			      "lists allow is allowed",
			      object_text(section, object, name));
	/* DEFAULT is not a QOS: no list names it. */
	else if (qos && strcmp(qos->text, "DEFAULT") != 0 && !maui_qos_list_names(list, qos->text))
		findings_warn(findings, &qos->origin,
			      "%s: QDEF %.60s is not in its QLIST; its jobs may have it all the "
			      "same",
			      object_text(section, object, name), qos->text);
}

void check_qos(const struct maui_config *config, struct findings *findings)
{
	static const enum maui_section sections[] = {MAUI_SYSCFG, MAUI_USERCFG, MAUI_GROUPCFG,
						     MAUI_ACCOUNTCFG, MAUI_CLASSCFG};

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		const struct maui_object *const *objects;
		size_t count = maui_config_objects(config, sections[i], &objects);

		for (size_t j = 0; j < count; j++)
			check_object(findings, sections[i], objects[j]);
	}
}
