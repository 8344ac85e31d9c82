/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The limits that both count alike: those of running jobs. Slurm lets a QOS's limit take the place
 * of an association's, and a partition's QOS that of the job's (acct_policy.c, S-IMP-2); Maui
 * enforces all. So a limit is taken only where no other of its kind is set on another level.
 */
#include "common/import/import_take_rules.h"

#include <string.h>
#include <strings.h>

#include "common/util/slurm/gres.h"
#include "common/util/text.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct maui_import_rule rules[] = {
	{"GrpJobs", "GrpJobs", true, MAUI_IMPORT_JOBS, "", "GrpJobs"},
	{"GrpTRES", "GrpTRES", true, MAUI_IMPORT_AMOUNT, "", "GrpTRES"},
	{"GrpTRESRunMins", "GrpTRESRunMins", true, MAUI_IMPORT_MINUTES, "", "GrpTRESRunMins"},
	{"MaxJobsPU", "MaxJobsPerUser", true, MAUI_IMPORT_JOBS, "USER", "MaxJobs"},
	{"MaxJobsPA", "MaxJobsPerAccount", true, MAUI_IMPORT_JOBS, "ACCOUNT", "MaxJobs"},
	{"MaxTRESPU", "MaxTRESPerUser", true, MAUI_IMPORT_AMOUNT, "USER", "MaxTRESPU"},
	{"MaxTRESPA", "MaxTRESPerAccount", true, MAUI_IMPORT_AMOUNT, "ACCOUNT", "MaxTRESPA"},
	{"MaxTRESRunMinsPU", "MaxTRESRunMinsPU", true, MAUI_IMPORT_MINUTES, "USER",
	 "MaxTRESRunMins"},
	{"MaxTRESRunMinsPA", "MaxTRESRunMinsPA", true, MAUI_IMPORT_MINUTES, "ACCOUNT",
	 "MaxTRESRunMins"},
	{"GrpJobs", "GrpJobs", false, MAUI_IMPORT_JOBS, "", "GrpJobs"},
	{"GrpTRES", "GrpTRES", false, MAUI_IMPORT_AMOUNT, "", "GrpTRES"},
	{"MaxJobs", "MaxJobs", false, MAUI_IMPORT_JOBS, "USER", "MaxJobs"},
};

const struct maui_import_rule *maui_import_rule_of(const struct maui_import_limit *limit)
{
	for (size_t i = 0; i < COUNT(rules); i++)
		if (rules[i].of_qos == (limit->of.level == MAUI_IMPORT_OF_QOS) &&
		    !strcasecmp(rules[i].setting, limit->setting))
			return &rules[i];
	return NULL;
}

bool maui_import_next_part(char **list, struct maui_import_part *ret_part)
{
	char *item = strsep(list, ","), *sign;

	while (item && !*item)
		item = strsep(list, ",");
	if (!item)
		return false;
	sign = strchr(item, '=');
	if (sign)
		*sign = '\0';
	*ret_part = (struct maui_import_part){sign ? item : item + strlen(item),
					      sign ? sign + 1 : item};
	return true;
}

bool maui_import_amount(const char *text, bool memory, uint64_t *ret_amount)
{
	static const char units[] = "MGTP";
	uint64_t number = 0;
	const char *unit;

	if (!maui_is_digit(*text))
		return false;
	for (; maui_is_digit(*text) && number < MAUI_GRES_MOST / 10; text++)
		number = number * 10 + (uint64_t)(*text - '0');
	unit = *text && memory ? strchr(units, maui_upper(*text)) : NULL;
	for (const char *at = units; unit && at < unit && number < MAUI_GRES_MOST / 1024; at++)
		number *= 1024;
	*ret_amount = number;
	return number < MAUI_GRES_MOST / 1024 && !text[unit != NULL];
}

/* ---- limits on other levels ---- */

static bool take_is_of_partition(const struct maui_import_site *site, const char *qos)
{
	for (size_t i = 0; i < site->partition_qos_count; i++)
		if (!strcasecmp(site->partition_qos[i], qos))
			return true;
	return false;
}

static int take_level(const struct maui_import_site *site, const struct maui_import_limit *limit)
{
	if (limit->of.level != MAUI_IMPORT_OF_QOS)
		return 2;
	return take_is_of_partition(site, limit->of.name) ? 0 : 1;
}

/* Whether a limit's value has one of the TRES; both are numbers of jobs if that is "". */
static bool take_names(const char *value, const char *tres)
{
	size_t size = strlen(tres);

	for (const char *at = value; size && *at; at += *at == ',') {
		if (!strncasecmp(at, tres, size) && at[size] == '=')
			return true;
		at += strcspn(at, ",");
	}
	return !size;
}

/* Another limit of the kind, before anything has been taken. */
static const struct maui_import_limit *take_rival(const struct maui_import_accounting *accounting,
						  const struct maui_import_site *site,
						  const struct maui_import_limit *limit,
						  const char *tres)
{
	const char *rivals = maui_import_rule_of(limit)->rivals;

	for (size_t i = 0; i < accounting->limit_count; i++) {
		const struct maui_import_limit *other = &accounting->limits[i];
		const struct maui_import_rule *rule = maui_import_rule_of(other);
		bool alike =
			rule ? !strcmp(rule->rivals, rivals) : !strcasecmp(other->setting, rivals);

		if (alike && take_level(site, other) != take_level(site, limit) &&
		    take_names(other->original, tres))
			return other;
	}
	return NULL;
}

/* ---- what else stands in the way ---- */

static bool take_has(const struct maui_import_accounting *accounting, const char *setting,
		     const char *qos, const char *word)
{
	for (size_t i = 0; i < accounting->limit_count; i++) {
		const struct maui_import_limit *limit = &accounting->limits[i];

		if (!strcasecmp(limit->setting, setting) &&
		    (!qos || !strcasecmp(limit->of.name, qos)) && strcasestr(limit->original, word))
			return true;
	}
	return false;
}

static const char *take_qos_obstacle(const struct maui_import_accounting *accounting,
				     const struct maui_import_site *site,
				     const struct maui_import_limit *limit)
{
	const char *qos = limit->of.name;

	if (take_is_of_partition(site, qos))
		return "the QOS is a partition's, and counts all jobs there";
	if (take_has(accounting, "Flags", qos, "DenyOnLimit"))
		return "DenyOnLimit: Slurm rejects a job beyond it at submission, Maui lets it "
		       "wait";
	if (take_has(accounting, "Flags", qos, "Relative"))
		return "Relative: the value is a percentage of the cluster";
	if (maui_import_rule_of(limit)->metric == MAUI_IMPORT_MINUTES &&
	    take_has(accounting, "UsageFactor", qos, ""))
		return "Slurm multiplies what is left of jobs by the QOS's UsageFactor";
	return NULL;
}

/* Whether an account is this one or below it. */
static bool take_is_below(const struct maui_import_accounting *accounting, const char *account,
			  const char *top)
{
	for (size_t i = accounting->assoc_count; account && i-- > 0;) {
		const struct maui_import_assoc *assoc = &accounting->assocs[i];

		if (!strcmp(account, top))
			return true;
		if (!assoc->user && !strcmp(assoc->account, account))
			account = assoc->parent;
	}
	return account && !strcmp(account, top);
}

/* Among the associations of an account and of those below it: one of an account, or of a partition. */
static bool take_any_below(const struct maui_import_accounting *accounting, const char *top,
			   bool of_partition)
{
	for (size_t i = 0; i < accounting->assoc_count; i++) {
		const struct maui_import_assoc *assoc = &accounting->assocs[i];
		bool wanted = of_partition ? assoc->partition != NULL
					   : !assoc->user && strcmp(assoc->account, top) != 0;

		if (wanted && take_is_below(accounting, assoc->account, top))
			return true;
	}
	return false;
}

static const char *take_assoc_obstacle(const struct maui_import_accounting *accounting,
				       const struct maui_import_limit *limit)
{
	const char *account = limit->of.name;
	bool inherited = *maui_import_rule_of(limit)->each;

	if (!accounting->qos_count)
		return "the QOS are not known, and a limit of the same kind there would come first";
	if (take_has(accounting, "LimitFactor", NULL, ""))
		return "a QOS has a LimitFactor, by which Slurm multiplies it";
	if (accounting->assocs[limit->of.assoc].partition)
		return "it is of one partition, and Maui has no limit of an account, a user and a "
		       "class together";
	if (!limit->of.user && !inherited && take_any_below(accounting, account, false))
		return "Slurm counts the jobs of the accounts below, too, and Maui an account's "
		       "own";
	if (!limit->of.user && inherited && take_any_below(accounting, account, true))
		return "users have associations of one partition, of which Slurm counts each by "
		       "itself";
	return NULL;
}

static const char *take_tres_obstacle(const char *tres, enum maui_import_metric metric)
{
	bool gres = maui_begins(tres, "gres/") || maui_begins(tres, "license/");

	if (metric == MAUI_IMPORT_JOBS || !strcasecmp(tres, "cpu") || gres)
		return NULL;
	if (!strcasecmp(tres, "mem") && metric == MAUI_IMPORT_AMOUNT)
		return NULL;
	if (!strcasecmp(tres, "node"))
		return "Slurm counts a node once for all jobs on it, MAXNODE once for each job";
	return "Maui does not count it";
}

const char *maui_import_obstacle(const struct maui_import_accounting *accounting,
				 const struct maui_import_site *site,
				 const struct maui_import_limit *limit, const char *tres,
				 struct maui_import *import)
{
	const struct maui_import_limit *rival;
	const char *why = take_tres_obstacle(tres, maui_import_rule_of(limit)->metric);

	if (!why)
		why = limit->of.level == MAUI_IMPORT_OF_QOS
			      ? take_qos_obstacle(accounting, site, limit)
			      : take_assoc_obstacle(accounting, limit);
	if (why)
		return why;
	rival = take_rival(accounting, site, limit, tres);
	return rival ? maui_import_text(import,
					"of this and %s of %s Slurm enforces one alone, and Maui "
					"would enforce both",
					rival->setting, rival->holder)
		     : NULL;
}
