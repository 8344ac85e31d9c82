/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What maui.cfg says of one credential: its own lines, or for each value missing there the lines of
 * its type's DEFAULT.
 *
 * A value of 0 counts as not given, as in the original (an FSTARGET of 0 or less likewise). The one
 * exception to the fallback is the PRIORITY of a QOS: QOSCFG[DEFAULT] is the QOS of jobs without
 * one, and gives others no priority.
 */
#include "common/policy/priority/priority_private.h"

struct lookup {
	const struct maui_object *own;      /* NULL: no line names it, or there is no credential */
	const struct maui_object *fallback; /* the type's DEFAULT */
};

static double own_number(const struct maui_object *object, enum maui_key attribute)
{
	return object ? maui_priority_number(maui_object_get(object, attribute)) : 0;
}

static double priority_credential_number(const struct lookup *lookup, enum maui_key attribute)
{
	double value = own_number(lookup->own, attribute);

	return value != 0 ? value : own_number(lookup->fallback, attribute);
}

/* For values where a negative one means none: targets, and the group's CLASSWEIGHT. */
static double priority_credential_positive(const struct lookup *lookup, enum maui_key attribute)
{
	double value = own_number(lookup->own, attribute);

	if (!(value > 0))
		value = own_number(lookup->fallback, attribute);
	return value > 0 ? value : 0;
}

static bool fs_target(const struct maui_object *object, struct maui_fstarget *ret_target)
{
	const struct maui_value *value =
		object ? maui_object_get(object, MAUI_ATTR_FSTARGET) : NULL;

	if (!value || !(value->real > 0))
		return false;
	ret_target->value = value->real;
	ret_target->mode = maui_fstarget_mode(value->mark);
	return true;
}

static void qos_values(const struct lookup *lookup, struct maui_priority_credential *credential)
{
	credential->queuetime_weight = priority_credential_number(lookup, MAUI_ATTR_QTWEIGHT);
	credential->xfactor_weight = priority_credential_number(lookup, MAUI_ATTR_XFWEIGHT);
	credential->queuetime_target = priority_credential_positive(lookup, MAUI_ATTR_QTTARGET);
	credential->xfactor_target = priority_credential_positive(lookup, MAUI_ATTR_XFTARGET);
}

void maui_priority_credential(const struct maui_priority_policy *policy, enum maui_credential type,
			      const char *name, struct maui_priority_credential *ret_credential)
{
	struct maui_priority_credential credential = {0};
	struct lookup lookup = {0};
	enum maui_section section;

	*ret_credential = credential;
	if (!policy || type >= MAUI_CREDENTIALS)
		return;
	section = maui_credential_section(type);
	if (!name && type == MAUI_QOS)
		name = "DEFAULT";
	lookup.own = name ? maui_config_object(policy->config, section, name) : NULL;
	lookup.fallback = maui_config_object(policy->config, section, "DEFAULT");

	credential.priority = type == MAUI_QOS
				      ? own_number(lookup.own, MAUI_ATTR_PRIORITY)
				      : priority_credential_number(&lookup, MAUI_ATTR_PRIORITY);
	credential.has_priority = credential.priority != 0;
	if (type == MAUI_QOS)
		qos_values(&lookup, &credential);
	if (type == MAUI_GROUP)
		credential.class_weight =
			priority_credential_positive(&lookup, MAUI_ATTR_CLASSWEIGHT);
	/*
	 * Usage without an owner has no target: a job without an account is neither above nor below
	 * its share.
	 */
	if (name && !fs_target(lookup.own, &credential.fs_target))
		fs_target(lookup.fallback, &credential.fs_target);
	*ret_credential = credential;
}
