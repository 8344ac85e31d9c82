/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps names of Maui 3.0 to section and attribute: a table of renamed ones, SR
 * plus an attribute of SRCFG, and MAX...PER...COUNT or POLICY, also with an S.
 */
#include "common/config/keys/legacy.h"

#include <stdio.h>
#include <string.h>

#include "common/util/text.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Names that are not made of a section's prefix and an attribute. */
static const struct {
	const char *name;
	struct maui_legacy legacy;
} renamed[] = {
	{"QOSPRIORITY", {MAUI_QOSCFG, MAUI_ATTR_PRIORITY, MAUI_LEGACY_ATTRIBUTE}},
	{"QOSQTWEIGHT", {MAUI_QOSCFG, MAUI_ATTR_QTWEIGHT, MAUI_LEGACY_ATTRIBUTE}},
	{"QOSXFWEIGHT", {MAUI_QOSCFG, MAUI_ATTR_XFWEIGHT, MAUI_LEGACY_ATTRIBUTE}},
	{"QOSQTTARGET", {MAUI_QOSCFG, MAUI_ATTR_QTTARGET, MAUI_LEGACY_ATTRIBUTE}},
	{"QOSTARGETQT", {MAUI_QOSCFG, MAUI_ATTR_QTTARGET, MAUI_LEGACY_ATTRIBUTE}},
	{"QOSXFTARGET", {MAUI_QOSCFG, MAUI_ATTR_XFTARGET, MAUI_LEGACY_ATTRIBUTE}},
	{"QOSTARGETXF", {MAUI_QOSCFG, MAUI_ATTR_XFTARGET, MAUI_LEGACY_ATTRIBUTE}},
	{"QOSFLAGS", {MAUI_QOSCFG, MAUI_ATTR_QFLAGS, MAUI_LEGACY_ATTRIBUTE}},
	{"SRFEATURES", {MAUI_SRCFG, MAUI_ATTR_NODEFEATURES, MAUI_LEGACY_ATTRIBUTE}},
	{"SRMAXTIME", {MAUI_SRCFG, MAUI_ATTR_MAXTIME, MAUI_LEGACY_REQUIRED}},
};

static const struct {
	const char *name;
	enum maui_key key;
} metrics[] = {
	{"JOB", MAUI_ATTR_MAXJOB},       {"NODE", MAUI_ATTR_MAXNODE},
	{"PE", MAUI_ATTR_MAXPE},         {"PROC", MAUI_ATTR_MAXPROC},
	{"PROCSECOND", MAUI_ATTR_MAXPS}, {"JOBQUEUED", MAUI_ATTR_MAXIJOB},
};

static const struct {
	const char *name;
	enum maui_section section;
} holders[] = {{"USER", MAUI_USERCFG}, {"GROUP", MAUI_GROUPCFG}, {"ACCOUNT", MAUI_ACCOUNTCFG}};

static const struct {
	const char *name;
	enum maui_legacy_form hard, soft;
} endings[] = {
	{"COUNT", MAUI_LEGACY_HARD, MAUI_LEGACY_SOFT},
	{"POLICY", MAUI_LEGACY_HARD_POLICY, MAUI_LEGACY_SOFT_POLICY},
};

/* Steps over prefix if text begins with it. */
static bool legacy_skip(const char **text, const char *prefix)
{
	if (!maui_begins(*text, prefix))
		return false;
	*text += strlen(prefix);
	return true;
}

/* MAX<metric>PER<holder>{COUNT,POLICY}, with an S in front for the soft limit. */
static bool find_limit(const char *name, struct maui_legacy *ret_legacy)
{
	bool soft = legacy_skip(&name, "S");

	if (!legacy_skip(&name, "MAX"))
		return false;
	for (size_t m = 0; m < COUNT(metrics); m++) {
		for (size_t h = 0; h < COUNT(holders); h++) {
			const char *at = name;

			if (!legacy_skip(&at, metrics[m].name) || !legacy_skip(&at, "PER") ||
			    !legacy_skip(&at, holders[h].name))
				continue;
			for (size_t e = 0; e < COUNT(endings); e++) {
				if (!maui_equals(at, strlen(at), endings[e].name))
					continue;
				*ret_legacy = (struct maui_legacy){
					holders[h].section, metrics[m].key,
					soft ? endings[e].soft : endings[e].hard};
				return true;
			}
		}
	}
	return false;
}

bool maui_legacy_find(const char *name, struct maui_legacy *ret_legacy)
{
	const struct maui_key_info *info;

	if (!name)
		return false;
	for (size_t i = 0; i < COUNT(renamed); i++) {
		if (maui_equals(name, strlen(name), renamed[i].name)) {
			*ret_legacy = renamed[i].legacy;
			return true;
		}
	}
	if (maui_begins(name, "SR") && (info = maui_key_find(MAUI_SRCFG, name + 2))) {
		*ret_legacy = (struct maui_legacy){MAUI_SRCFG, info->key, MAUI_LEGACY_ATTRIBUTE};
		return true;
	}
	return find_limit(name, ret_legacy);
}

/* The index-th attribute of SRCFG; NULL past the last. */
static const char *sr_attribute(size_t *index)
{
	for (int key = 0; key < MAUI_KEYS; key++)
		if ((maui_key_info(key)->sections & MAUI_IN(MAUI_SRCFG)) && !(*index)--)
			return maui_key_info(key)->name;
	return NULL;
}

bool maui_legacy_name(size_t index, char name[MAUI_LEGACY_NAME_SIZE])
{
	const size_t limits = COUNT(metrics) * COUNT(holders) * COUNT(endings) * 2;
	const char *attribute;

	if (index < COUNT(renamed)) {
		snprintf(name, MAUI_LEGACY_NAME_SIZE, "%s", renamed[index].name);
		return true;
	}
	index -= COUNT(renamed);
	if (index < limits) {
		size_t rest = index / 2;

		snprintf(name, MAUI_LEGACY_NAME_SIZE, "%sMAX%sPER%s%s", index % 2 ? "S" : "",
			 metrics[rest / COUNT(endings) / COUNT(holders)].name,
			 holders[rest / COUNT(endings) % COUNT(holders)].name,
			 endings[rest % COUNT(endings)].name);
		return true;
	}
	index -= limits;
	attribute = sr_attribute(&index);
	if (!attribute)
		return false;
	snprintf(name, MAUI_LEGACY_NAME_SIZE, "SR%s", attribute);
	return true;
}
