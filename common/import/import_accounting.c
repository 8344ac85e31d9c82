/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lists of QOS, associations and limits, and the remarks about limits. */
#include "common/import/import_accounting.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/import/import_settings.h"
#include "common/util/grow.h"

#define HOLDERS_NAMED 6 /* in one remark */

void maui_import_accounting_begin(struct maui_import_accounting *ret_accounting)
{
	*ret_accounting = (struct maui_import_accounting){.arena = maui_arena_new()};
}

void maui_import_accounting_clear(struct maui_import_accounting *accounting)
{
	maui_arena_free(accounting->arena);
	free(accounting->qos);
	free(accounting->assocs);
	free(accounting->limits);
	*accounting = (struct maui_import_accounting){0};
}

/* Those that are no limits, or differ from the others; a name is the beginning of several. */
static const struct limit_kind {
	const char *name;
	enum maui_import_fate fate;
	const char *plain, *effect;
} limit_kinds[] = {
	{"DefaultQOS", MAUI_IMPORT_STAYS, "", "Slurm gives jobs their QOS by it"},
	{"QOS", MAUI_IMPORT_STAYS, "", "Slurm lets jobs have these QOS alone"},
	{"GraceTime", MAUI_IMPORT_STAYS, "00:00:00", MAUI_IMPORT_PREEMPTS},
	{"PreemptMode", MAUI_IMPORT_STAYS, "cluster", MAUI_IMPORT_PREEMPTS},
	{"Preempt", MAUI_IMPORT_STAYS, "", MAUI_IMPORT_PREEMPTS},
	{"UsageFactor", MAUI_IMPORT_STAYS, "1.000000",
	 "Slurm's usage, for sshare and GrpTRESMins, counts by it; Maui's fairshare does not"},
	{"GrpJobsAccrue", MAUI_IMPORT_OTHER, "",
	 "Slurm lets only so many jobs age at a time; here all of them do"},
	{"MaxJobsAccrue", MAUI_IMPORT_OTHER, "",
	 "Slurm lets only so many jobs age at a time; here all of them do"},
	{"MinPrio", MAUI_IMPORT_OTHER, "", "Slurm lets no job age below it; here all of them do"},
};
static const struct limit_kind any_limit = {"", MAUI_IMPORT_STAYS, "", MAUI_IMPORT_LIMITS};

static const struct limit_kind *limit_kind_of(const char *setting)
{
	for (size_t i = 0; i < sizeof(limit_kinds) / sizeof(limit_kinds[0]); i++)
		if (!strncasecmp(setting, limit_kinds[i].name, strlen(limit_kinds[i].name)))
			return &limit_kinds[i];
	return &any_limit;
}

static const char *limit_copy(struct maui_import_accounting *accounting, const char *text)
{
	return maui_arena_text(accounting->arena, text, strlen(text));
}

void maui_import_add_limit(struct maui_import_accounting *accounting, const char *setting,
			   const char *value, const char *holder)
{
	if (!*value || !strcasecmp(value, limit_kind_of(setting)->plain))
		return;
	accounting->limits = maui_grow(accounting->limits, accounting->limit_count + 1,
				       &accounting->limit_room, sizeof(*accounting->limits));
	accounting->limits[accounting->limit_count++] = (struct maui_import_limit){
		limit_copy(accounting, setting), limit_copy(accounting, value),
		limit_copy(accounting, holder)};
}

/* All of one setting, from the first on. */
static const char *limit_list(const struct maui_import_accounting *accounting, size_t first,
			      struct maui_import *import)
{
	const char *list = "", *setting = accounting->limits[first].setting;
	size_t count = 0;

	for (size_t i = first; i < accounting->limit_count; i++) {
		const struct maui_import_limit *limit = &accounting->limits[i];

		if (!strcasecmp(limit->setting, setting) && ++count <= HOLDERS_NAMED)
			list = maui_import_text(import, "%s%s%s=%s of %s", list, *list ? ", " : "",
						setting, limit->value, limit->holder);
	}
	if (count > HOLDERS_NAMED)
		list = maui_import_text(import, "%s, and of %zu more", list, count - HOLDERS_NAMED);
	return list;
}

static bool limit_is_first(const struct maui_import_accounting *accounting, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!strcasecmp(accounting->limits[k].setting, accounting->limits[i].setting))
			return false;
	return true;
}

void maui_import_tell_limits(const struct maui_import_accounting *accounting,
			     struct maui_import *import)
{
	for (size_t i = 0; i < accounting->limit_count; i++) {
		const struct limit_kind *kind = limit_kind_of(accounting->limits[i].setting);

		if (limit_is_first(accounting, i))
			maui_import_remark(import, kind->fate, limit_list(accounting, i, import),
					   "%s", kind->effect);
	}
	if (accounting->shares)
		maui_import_remark(import, MAUI_IMPORT_STAYS,
				   maui_import_text(import, "Fairshare of %zu associations",
						    accounting->shares),
				   "sshare goes on showing them; no priority counts them");
}
