/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A QOS's limits become QOSCFG's. An association is of a user in an account: its limits become
 * ACCOUNTCFG's, of all jobs there, of each user (MAXJOB[USER]) or of one (MAXJOB[USER:bob]).
 */
#include "common/import/import_take.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/slurm/gres.h"
#include "common/util/intern.h"
#include "common/util/memory.h"
#include "common/util/text.h"

#define MINUTE 60

struct taking {
	struct maui_import_accounting *accounting;
	const struct maui_import_site *site;
	struct maui_import *import;
	struct maui_intern *gres; /* that maui.cfg names so far */
};

/* ---- numbers ---- */

/* The account's own MaxJobs, or of the nearest one above it; NULL: none. */
static const struct maui_import_limit *take_inherited(const struct taking *taking,
						      const char *account)
{
	const struct maui_import_accounting *accounting = taking->accounting;

	for (size_t i = accounting->assoc_count; account && i-- > 0;) {
		const struct maui_import_assoc *assoc = &accounting->assocs[i];

		if (assoc->user || strcmp(assoc->account, account) != 0)
			continue;
		for (size_t k = 0; k < accounting->limit_count; k++) {
			const struct maui_import_limit *limit = &accounting->limits[k];

			if (limit->of.level == MAUI_IMPORT_OF_ACCOUNT && limit->of.assoc == i &&
			    !strcasecmp(limit->setting, "MaxJobs"))
				return limit;
		}
		account = assoc->parent;
	}
	return NULL;
}

static bool take_has_own(const struct taking *taking, const struct maui_import_limit *limit)
{
	const struct maui_import_accounting *accounting = taking->accounting;

	for (size_t i = 0; i < accounting->limit_count; i++)
		if (accounting->limits[i].of.level == MAUI_IMPORT_OF_USER &&
		    accounting->limits[i].of.assoc == limit->of.assoc &&
		    !strcasecmp(accounting->limits[i].setting, "MaxJobs"))
			return true;
	return false;
}

/* A user's GrpJobs is beside the MaxJobs that he inherits, whose place his line takes in Maui. */
static uint64_t take_at_most(const struct taking *taking, const struct maui_import_limit *limit,
			     const struct maui_import_rule *rule, uint64_t number)
{
	const struct maui_import_limit *above;
	uint64_t most;

	if (rule->metric != MAUI_IMPORT_JOBS || limit->of.level != MAUI_IMPORT_OF_USER ||
	    take_has_own(taking, limit))
		return number;
	above = take_inherited(taking, limit->of.name);
	return above && maui_import_amount(above->original, false, &most) && most && most < number
		       ? most
		       : number;
}

/* ---- lines ---- */

/* MAXPROC[USER:bob], MAXGRES[gpu,USER] */
static const char *take_attribute(const struct taking *taking,
				  const struct maui_import_limit *limit,
				  const struct maui_import_rule *rule, const char *tres,
				  const char *gres)
{
	bool minutes = rule->metric == MAUI_IMPORT_MINUTES;
	const char *name = *gres                      ? minutes ? "MAXGS" : "MAXGRES"
			   : minutes                  ? "MAXPS"
			   : !*tres                   ? "MAXJOB"
			   : !strcasecmp(tres, "cpu") ? "MAXPROC"
						      : "MAXMEM";
	const char *who = limit->of.user
				  ? maui_import_text(taking->import, "USER:%s", limit->of.user)
				  : rule->each;

	if (!*gres && !*who)
		return name;
	return maui_import_text(taking->import, "%s[%s%s%s]", name, gres, *gres && *who ? "," : "",
				who);
}

/* Of two limits of one attribute the lower counts. */
static void take_line(const struct taking *taking, const char *section, const char *name,
		      const char *attribute, uint64_t number, const char *why)
{
	struct maui_import *import = taking->import;
	const char *key = maui_import_text(import, "%s[%s]", section, name);
	const char *value = maui_import_text(import, "%s=%" PRIu64, attribute, number);
	size_t size = strlen(attribute);

	for (size_t i = 0; i < import->line_count; i++) {
		struct maui_import_line *line = &import->lines[i];

		if (strcmp(line->key, key) != 0 || strncmp(line->value, attribute, size) != 0 ||
		    line->value[size] != '=')
			continue;
		if (strtoull(line->value + size + 1, NULL, 10) > number)
			line->value = value;
		line->why = maui_import_text(import, "%s and %s", line->why, why);
		return;
	}
	maui_import_line(import, key, value, "%s", why);
}

/* An account's MaxJobs counts for the users of each account below that has none itself. */
static void take_lines_below(const struct taking *taking, const struct maui_import_limit *limit,
			     const char *attribute, uint64_t number, const char *why)
{
	const struct maui_import_accounting *accounting = taking->accounting;

	for (size_t i = 0; i < accounting->assoc_count; i++)
		if (!accounting->assocs[i].user &&
		    take_inherited(taking, accounting->assocs[i].account) == limit)
			take_line(taking, "ACCOUNTCFG", accounting->assocs[i].account, attribute,
				  number, why);
}

/* ---- limits ---- */

/* Its name in maui.cfg: "gpu:a100", "license:matlab"; "": it is no GRES. */
static const char *take_gres(const struct taking *taking, const char *tres)
{
	if (maui_begins(tres, "gres/"))
		return tres + strlen("gres/");
	if (maui_begins(tres, "license/"))
		return maui_import_text(taking->import, MAUI_GRES_LICENSE "%s",
					tres + strlen("license/"));
	return "";
}

static const char *take_gres_obstacle(const struct taking *taking, const char *gres)
{
	if (!*gres || maui_intern_find(taking->gres, gres))
		return NULL;
	if (!maui_import_is_name(gres) || strchr(gres, '@') || strchr(gres, '/'))
		return "maui.cfg cannot have this name";
	if (maui_intern_count(taking->gres) == MAUI_GRES_NAMES)
		return "a maui.cfg can name no more GRES";
	maui_intern_add(taking->gres, gres);
	return NULL;
}

/* Why this part of it stays; NULL: it has become lines. */
static const char *take_part(const struct taking *taking, const struct maui_import_limit *limit,
			     const struct maui_import_part *part)
{
	const struct maui_import_rule *rule = maui_import_rule_of(limit);
	const char *gres = take_gres(taking, part->name), *attribute, *line_why;
	const char *why = maui_import_obstacle(taking->accounting, taking->site, limit, part->name,
					       taking->import);
	uint64_t number;

	if (why)
		return why;
	if (!maui_import_amount(part->value, !strcasecmp(part->name, "mem"), &number))
		return "this is no number that Maui takes";
	if (!number)
		return "0 is no limit in maui.cfg";
	why = take_gres_obstacle(taking, gres);
	if (why)
		return why;
	number = take_at_most(taking, limit, rule, number);
	number *= rule->metric == MAUI_IMPORT_MINUTES ? MINUTE : 1;
	attribute = take_attribute(taking, limit, rule, part->name, gres);
	line_why = maui_import_text(taking->import, "%s=%s%s%s of %s", limit->setting, part->name,
				    *part->name ? "=" : "", part->value, limit->holder);
	if (limit->of.level == MAUI_IMPORT_OF_QOS)
		take_line(taking, "QOSCFG", limit->of.name, attribute, number, line_why);
	else if (limit->of.user || !*rule->each)
		take_line(taking, "ACCOUNTCFG", limit->of.name, attribute, number, line_why);
	else
		take_lines_below(taking, limit, attribute, number, line_why);
	return NULL;
}

/* values: cpu=-1,gres/gpu=-1 */
static void take_command(const struct taking *taking, const struct maui_import_limit *limit,
			 const char *values)
{
	const struct maui_import_holder *of = &limit->of;
	const char *cluster = taking->accounting->cluster;
	struct maui_import *import = taking->import;
	bool top = of->level == MAUI_IMPORT_OF_ACCOUNT &&
		   !taking->accounting->assocs[of->assoc].parent;
	const char *where =
		of->level == MAUI_IMPORT_OF_QOS
			? maui_import_text(import, "qos where name=%s", of->name)
		: top      ? maui_import_text(import, "cluster where name=%s", cluster)
		: of->user ? maui_import_text(import, "user where name=%s account=%s cluster=%s",
					      of->user, of->name, cluster)
			   : maui_import_text(import, "account where name=%s cluster=%s", of->name,
					      cluster);

	maui_import_command(import,
			    maui_import_text(import, "sacctmgr -i modify %s set %s=%s", where,
					     maui_import_rule_of(limit)->modify, values));
}

static const char *take_joined(const struct taking *taking, const char *list,
			       const struct maui_import_part *part, const char *value)
{
	return maui_import_text(taking->import, "%s%s%s%s%s", list, *list ? "," : "", part->name,
				*part->name ? "=" : "", value);
}

static void take_limit(const struct taking *taking, struct maui_import_limit *limit)
{
	char *copy = maui_strdup(limit->original), *rest = copy;
	const char *kept = "", *gone = "", *first = NULL;
	struct maui_import_part part;

	while (maui_import_next_part(&rest, &part)) {
		const char *why = take_part(taking, limit, &part);

		if (why)
			kept = take_joined(taking, kept, &part, part.value);
		else
			gone = take_joined(taking, gone, &part, "-1");
		first = first ? first : why;
	}
	free(copy);
	limit->value = kept;
	if (first)
		limit->effect =
			maui_import_text(taking->import, "Slurm goes on enforcing it: %s", first);
	if (*gone)
		take_command(taking, limit, gone);
}

void maui_import_take_limits(struct maui_import_accounting *accounting,
			     const struct maui_import_site *site, struct maui_import *import)
{
	struct taking taking = {accounting, site, import, maui_intern_new()};

	for (size_t i = 0; i < site->priority->tres_count; i++)
		if (site->priority->tres[i].kind == MAUI_IMPORT_GRES)
			maui_intern_add(taking.gres, site->priority->tres[i].name);
	for (size_t i = 0; site->enforced && i < accounting->limit_count; i++)
		if (maui_import_rule_of(&accounting->limits[i]))
			take_limit(&taking, &accounting->limits[i]);
	maui_intern_free(taking.gres);
}
