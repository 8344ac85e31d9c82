/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lists of QOS, associations and limits, and the remarks about limits. */
#include "common/import/import_accounting.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/import/import_settings.h"
#include "common/util/grow.h"
#include "common/util/memory.h"

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

void maui_import_priority_of(const struct maui_import_accounting *accounting,
			     struct maui_import_priority *priority)
{
	priority->qos = accounting->qos;
	priority->qos_count = accounting->qos_count;
	priority->assocs = accounting->assocs;
	priority->assoc_count = accounting->assoc_count;
}

#define ACCRUE "Slurm lets only so many jobs age at a time; here all of them do"
#define SUBMIT "Slurm rejects jobs beyond it at submission; MAXIJOB would let them wait"
#define DECAYED                                                                                    \
	"Slurm enforces it on usage that decays, which priority/maui counts; Maui has no such "    \
	"limit"
#define ONE_JOB "Slurm enforces it on each job by itself"

/* Those that are no limits, or differ from the others; a name is the beginning of several. */
static const struct limit_kind {
	const char *name;
	enum maui_import_fate fate;
	bool enforced; /* only if AccountingStorageEnforce has limits */
	const char *plain, *effect;
} limit_kinds[] = {
	{"DefaultQOS", MAUI_IMPORT_STAYS, false, "", "Slurm gives jobs their QOS by it"},
	{"QOS", MAUI_IMPORT_STAYS, false, "", "Slurm lets jobs have these QOS alone"},
	{"Flags", MAUI_IMPORT_STAYS, false, "", "Slurm goes by these flags of the QOS"},
	{"GraceTime", MAUI_IMPORT_STAYS, false, "00:00:00", MAUI_IMPORT_PREEMPTS},
	{"PreemptMode", MAUI_IMPORT_STAYS, false, "cluster", MAUI_IMPORT_PREEMPTS},
	{"Preempt", MAUI_IMPORT_STAYS, false, "", MAUI_IMPORT_PREEMPTS},
	{"UsageFactor", MAUI_IMPORT_STAYS, false, "1.000000",
	 "Slurm's usage, for sshare and GrpTRESMins, counts by it; Maui's fairshare does not"},
	{"LimitFactor", MAUI_IMPORT_STAYS, true, "0.000000",
	 "Slurm multiplies limits of associations by it, for jobs of the QOS"},
	{"GrpJobsAccrue", MAUI_IMPORT_OTHER, true, "", ACCRUE},
	{"MaxJobsAccrue", MAUI_IMPORT_OTHER, true, "", ACCRUE},
	{"MinPrio", MAUI_IMPORT_OTHER, true, "",
	 "Slurm lets no job age below it; here all of them do"},
	{"GrpSubmit", MAUI_IMPORT_STAYS, true, "", SUBMIT},
	{"MaxSubmit", MAUI_IMPORT_STAYS, true, "", SUBMIT},
	{"GrpTRESMins", MAUI_IMPORT_STAYS, true, "", DECAYED},
	{"GrpWall", MAUI_IMPORT_STAYS, true, "", DECAYED},
	{"MaxTRESMins", MAUI_IMPORT_STAYS, true, "", ONE_JOB},
	{"MaxWall", MAUI_IMPORT_STAYS, true, "", ONE_JOB},
	{"MinTRES", MAUI_IMPORT_STAYS, true, "", ONE_JOB},
};
static const struct limit_kind any_limit = {"", MAUI_IMPORT_STAYS, true, "", MAUI_IMPORT_LIMITS};

static const struct limit_kind *limit_kind_of(const char *setting)
{
	for (size_t i = 0; i < sizeof(limit_kinds) / sizeof(limit_kinds[0]); i++)
		if (!strncasecmp(setting, limit_kinds[i].name, strlen(limit_kinds[i].name)))
			return &limit_kinds[i];
	return &any_limit;
}

static const char *limit_holder(struct maui_import_accounting *accounting,
				const struct maui_import_holder *of)
{
	char *text = of->level == MAUI_IMPORT_OF_QOS ? maui_asprintf("QOS %s", of->name)
		     : of->user ? maui_asprintf("user %s in account %s", of->user, of->name)
				: maui_asprintf("account %s", of->name);
	const char *kept = maui_arena_text(accounting->arena, text, strlen(text));

	free(text);
	return kept;
}

static const char *limit_copy(struct maui_import_accounting *accounting, const char *text)
{
	return maui_arena_text(accounting->arena, text, strlen(text));
}

void maui_import_add_limit(struct maui_import_accounting *accounting, const char *setting,
			   const char *value, const struct maui_import_holder *of)
{
	const char *kept;

	if (!*value || !strcasecmp(value, limit_kind_of(setting)->plain))
		return;
	kept = limit_copy(accounting, value);
	accounting->limits = maui_grow(accounting->limits, accounting->limit_count + 1,
				       &accounting->limit_room, sizeof(*accounting->limits));
	accounting->limits[accounting->limit_count++] =
		(struct maui_import_limit){limit_copy(accounting, setting), kept, kept,
					   limit_holder(accounting, of),    *of,  NULL};
}

static const char *limit_effect(const struct maui_import_limit *limit, bool enforced)
{
	const struct limit_kind *kind = limit_kind_of(limit->setting);

	if (limit->effect)
		return limit->effect;
	return kind->enforced && !enforced
		       ? "AccountingStorageEnforce has no limits: Slurm does not enforce it"
		       : kind->effect;
}

static enum maui_import_fate limit_fate(const struct maui_import_limit *limit, bool enforced)
{
	const struct limit_kind *kind = limit_kind_of(limit->setting);

	return kind->enforced && !enforced ? MAUI_IMPORT_STAYS : kind->fate;
}

/* Whether one remark says both. */
static bool limit_is_alike(const struct maui_import_limit *a, const struct maui_import_limit *b)
{
	return !strcasecmp(a->setting, b->setting) &&
	       (a->effect == b->effect ||
		(a->effect && b->effect && !strcmp(a->effect, b->effect)));
}

/* All that are alike, from the first on. */
static const char *limit_list(const struct maui_import_accounting *accounting, size_t first,
			      struct maui_import *import)
{
	const struct maui_import_limit *limits = accounting->limits;
	const char *list = "";
	size_t count = 0;

	for (size_t i = first; i < accounting->limit_count; i++)
		if (*limits[i].value && limit_is_alike(&limits[i], &limits[first]) &&
		    ++count <= HOLDERS_NAMED)
			list = maui_import_text(import, "%s%s%s=%s of %s", list, *list ? ", " : "",
						limits[first].setting, limits[i].value,
						limits[i].holder);
	if (count > HOLDERS_NAMED)
		list = maui_import_text(import, "%s, and of %zu more", list, count - HOLDERS_NAMED);
	return list;
}

static bool limit_is_first(const struct maui_import_accounting *accounting, size_t i)
{
	const struct maui_import_limit *limits = accounting->limits;

	for (size_t k = 0; k < i; k++)
		if (*limits[k].value && limit_is_alike(&limits[k], &limits[i]))
			return false;
	return *limits[i].value;
}

void maui_import_tell_limits(const struct maui_import_accounting *accounting, bool enforced,
			     struct maui_import *import)
{
	for (size_t i = 0; i < accounting->limit_count; i++) {
		const struct maui_import_limit *limit = &accounting->limits[i];

		if (limit_is_first(accounting, i))
			maui_import_remark(import, limit_fate(limit, enforced),
					   limit_list(accounting, i, import), "%s",
					   limit_effect(limit, enforced));
	}
	if (accounting->qos_missing)
		maui_import_remark(import, MAUI_IMPORT_OTHER,
				   maui_import_text(import, "QOS without the columns %s",
						    accounting->qos_missing),
				   "what these say of a QOS is not known here, and is not in these "
				   "lists; this prints all: sacctmgr -P show qos "
				   "format=" MAUI_IMPORT_QOS_COLUMNS);
	if (accounting->shares)
		maui_import_remark(import, MAUI_IMPORT_STAYS,
				   maui_import_text(import, "Fairshare of %zu associations",
						    accounting->shares),
				   "sshare goes on showing them; FSTREEWEIGHT alone counts them");
}
