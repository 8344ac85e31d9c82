/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finding keys. The names are hashed once per process into an index that never changes afterwards.
 */
#include "common/config/keys/keys.h"

#include <string.h>
#include <threads.h>

#include "common/config/keys/keys_private.h"
#include "common/util/time/date.h"
#include "common/util/nearest.h"
#include "common/util/text.h"

static const char *const area_names[MAUI_AREAS] = {
	[MAUI_AREA_GENERAL] = "general",
	[MAUI_AREA_PRIORITY] = "priority",
	[MAUI_AREA_FAIRSHARE] = "fairshare",
	[MAUI_AREA_THROTTLING] = "throttling",
	[MAUI_AREA_NODE_ALLOCATION] = "node allocation",
	[MAUI_AREA_RESERVATION] = "reservation",
	[MAUI_AREA_SLURM] = "Slurm",
};

static const char *const section_names[MAUI_SECTIONS] = {
	[MAUI_PARAMETERS] = "",           [MAUI_SYSCFG] = "SYSCFG",
	[MAUI_USERCFG] = "USERCFG",       [MAUI_GROUPCFG] = "GROUPCFG",
	[MAUI_ACCOUNTCFG] = "ACCOUNTCFG", [MAUI_QOSCFG] = "QOSCFG",
	[MAUI_CLASSCFG] = "CLASSCFG",     [MAUI_NODECFG] = "NODECFG",
	[MAUI_SRCFG] = "SRCFG",           [MAUI_PERIODCFG] = "PERIODCFG",
};

/* Other names used in the manual's chapters. */
static const struct {
	const char *name;
	enum maui_section section;
} section_aliases[] = {{"SYSTEMCFG", MAUI_SYSCFG}, {"ACCTCFG", MAUI_ACCOUNTCFG}};

static const char *const kind_names[MAUI_KINDS] = {
	[MAUI_KIND_INTEGER] = "whole number",
	[MAUI_KIND_MEMORY] = "memory size",
	[MAUI_KIND_DURATION] = "duration",
	[MAUI_KIND_REAL] = "number",
	[MAUI_KIND_BOOLEAN] = "boolean",
	[MAUI_KIND_STRING] = "text",
	[MAUI_KIND_KEYWORD] = "keyword",
	[MAUI_KIND_FSPOLICY] = "fairshare policy",
	[MAUI_KIND_LIST] = "list",
	[MAUI_KIND_FLAGS] = "list of flags",
	[MAUI_KIND_DAYS] = "list of days",
	[MAUI_KIND_HOSTLIST] = "list of hosts",
	[MAUI_KIND_ACL] = "access list",
	[MAUI_KIND_TIME_ACL] = "access list of durations",
	[MAUI_KIND_COUNT_ACL] = "access list of numbers",
	[MAUI_KIND_RESOURCES] = "list of resources",
	[MAUI_KIND_LIMIT] = "limit",
	[MAUI_KIND_TIME_LIMIT] = "time limit",
	[MAUI_KIND_MEMORY_LIMIT] = "memory limit",
	[MAUI_KIND_FSTARGET] = "fairshare target",
	[MAUI_KIND_FORMULA] = "formula",
	[MAUI_KIND_TRIGGER] = "trigger",
	[MAUI_KIND_OWNER] = "credential",
	[MAUI_KIND_DATE] = ("date, " MAUI_DATE_FORM),
};

const char *maui_area_name(enum maui_area area)
{
	return (unsigned int)area < MAUI_AREAS ? area_names[area] : "unknown";
}

const char *maui_section_name(enum maui_section section)
{
	return (unsigned int)section < MAUI_SECTIONS ? section_names[section] : "unknown";
}

const char *maui_kind_name(enum maui_kind kind)
{
	return (unsigned int)kind < MAUI_KINDS ? kind_names[kind] : "unknown";
}

enum maui_section maui_section_find(const char *name)
{
	size_t size = name ? strlen(name) : 0;

	if (!name)
		return MAUI_SECTIONS;
	for (int section = 0; section < MAUI_SECTIONS; section++)
		if (maui_equals(name, size, section_names[section]))
			return section;
	for (size_t i = 0; i < sizeof(section_aliases) / sizeof(section_aliases[0]); i++)
		if (maui_equals(name, size, section_aliases[i].name))
			return section_aliases[i].section;
	return MAUI_SECTIONS;
}

enum maui_area maui_key_area(const struct maui_key_info *info, enum maui_section section)
{
	if (info->area != MAUI_AREA_SLURM && section == MAUI_NODECFG)
		return MAUI_AREA_NODE_ALLOCATION;
	if (info->area != MAUI_AREA_SLURM && section == MAUI_SRCFG)
		return MAUI_AREA_RESERVATION;
	if (info->area != MAUI_AREA_SLURM && section == MAUI_PERIODCFG)
		return MAUI_AREA_THROTTLING;
	return info->area;
}

bool maui_key_has_periods(const struct maui_key_info *info, enum maui_section section)
{
	if (section == MAUI_NODECFG || info->missing)
		return false;
	switch (info->kind) {
	case MAUI_KIND_LIMIT:
	case MAUI_KIND_TIME_LIMIT:
	case MAUI_KIND_MEMORY_LIMIT:
		return true;
	default:
		return info->key == MAUI_ATTR_MAX_WCLIMIT;
	}
}

const struct maui_key_info *maui_key_info(enum maui_key key)
{
	return (unsigned int)key < MAUI_KEYS ? &maui_key_table[key] : NULL;
}

/* The next word of a list separated by blanks; NULL at its end. */
static const char *next_word(const char *at, size_t *ret_size)
{
	while (*at == ' ')
		at++;
	*ret_size = strcspn(at, " ");
	return *ret_size ? at : NULL;
}

#define SLOTS 2048u /* a power of two, several times the number of names */

/* Names and aliases by hash. Filled once. */
static struct {
	const char *name; /* not NUL-terminated */
	unsigned short size;
	unsigned short key;
} slots[SLOTS];

static void add_name(const char *name, size_t size, enum maui_key key)
{
	uint32_t at = maui_hash(MAUI_HASH_SEED, name, size, true) % SLOTS;

	while (slots[at].name)
		at = (at + 1) % SLOTS;
	slots[at].name = name;
	slots[at].size = size;
	slots[at].key = key;
}

static void fill_slots(void)
{
	for (int key = 0; key < MAUI_KEYS; key++) {
		const struct maui_key_info *info = &maui_key_table[key];
		size_t size;

		add_name(info->name, strlen(info->name), key);
		for (const char *alias = info->aliases; (alias = next_word(alias, &size));
		     alias += size)
			add_name(alias, size, key);
	}
}

const struct maui_key_info *maui_key_find(enum maui_section section, const char *name)
{
	static once_flag once = ONCE_FLAG_INIT;
	size_t size = name ? strlen(name) : 0;

	if (!size || (unsigned int)section >= MAUI_SECTIONS)
		return NULL;
	call_once(&once, fill_slots);
	for (uint32_t at = maui_hash(MAUI_HASH_SEED, name, size, true) % SLOTS; slots[at].name;
	     at = (at + 1) % SLOTS) {
		const struct maui_key_info *info = &maui_key_table[slots[at].key];
		bool same = slots[at].size == size;

		for (size_t i = 0; same && i < size; i++)
			same = maui_upper(slots[at].name[i]) == maui_upper(name[i]);
		if (same && (info->sections & MAUI_IN(section)))
			return info;
	}
	/* Two families, recognized by how their names begin. */
	if (section == MAUI_PARAMETERS && maui_begins(name, "SIM"))
		return &maui_key_table[MAUI_KEY_SIM];
	if (section == MAUI_PARAMETERS && maui_begins(name, "BANK"))
		return &maui_key_table[MAUI_KEY_BANK];
	return NULL;
}

const char *maui_key_nearest(enum maui_section section, const char *name)
{
	struct maui_nearest search = maui_nearest_begin(name ? name : "", name ? strlen(name) : 0);
	const char *best = NULL, *found = NULL;

	if ((unsigned int)section >= MAUI_SECTIONS)
		return NULL;
	for (int key = 0; key < MAUI_KEYS; key++) {
		const struct maui_key_info *info = &maui_key_table[key];
		size_t size;

		if (!(info->sections & MAUI_IN(section)))
			continue;
		maui_nearest_try(&search, info->name, strlen(info->name));
		for (const char *alias = info->aliases; (alias = next_word(alias, &size));
		     alias += size)
			maui_nearest_try(&search, alias, size);
		/* Whichever of its names is near, suggest the documented one. */
		if (search.best != best) {
			best = search.best;
			found = info->name;
		}
	}
	for (int other = 1; section == MAUI_PARAMETERS && other < MAUI_SECTIONS; other++) {
		maui_nearest_try(&search, section_names[other], strlen(section_names[other]));
		if (search.best == section_names[other])
			found = search.best;
	}
	return found;
}
