/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of sacctmgr's names. */
#include "common/replay/stock/stock_rules.h"

#include <string.h>
#include <strings.h>

#include "common/import/import_read.h"
#include "common/replay/slurm_conf/slurm_conf_values.h"
#include "common/util/list.h"

#define MINUTE       60
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct stock_rule rules[] = {
	{"GrpJobs", "GrpJobs", STOCK_JOBS, STOCK_TOGETHER, STOCK_GRP_JOBS},
	{"GrpTRES", "GrpTRES", STOCK_AMOUNT, STOCK_TOGETHER, STOCK_GRP_TRES},
	{"GrpTRESMins", "GrpTRESMins", STOCK_MINUTES, STOCK_TOGETHER, STOCK_GRP_MINUTES},
	{"GrpTRESRunMins", "GrpTRESRunMins", STOCK_RUN_MINUTES, STOCK_TOGETHER,
	 STOCK_GRP_RUN_MINUTES},
	{"GrpWall", "GrpWall", STOCK_WALL, STOCK_TOGETHER, STOCK_GRP_WALL},
	{"MaxJobsPU", NULL, STOCK_JOBS, STOCK_EACH_USER, STOCK_MAX_JOBS_USER},
	{"MaxJobsPA", NULL, STOCK_JOBS, STOCK_EACH_ACCOUNT, STOCK_MAX_JOBS_ACCOUNT},
	{"MaxTRESPU", NULL, STOCK_AMOUNT, STOCK_EACH_USER, STOCK_MAX_TRES_USER},
	{"MaxTRESPA", NULL, STOCK_AMOUNT, STOCK_EACH_ACCOUNT, STOCK_MAX_TRES_ACCOUNT},
	{NULL, "MaxJobs", STOCK_JOBS, STOCK_EACH_ASSOC, STOCK_MAX_JOBS},
	{"MaxTRES", "MaxTRESPerJob", STOCK_OF_JOB, STOCK_EACH_JOB, STOCK_MAX_TRES},
	{"MaxTRESPerNode", "MaxTRESPerNode", STOCK_OF_NODE, STOCK_EACH_JOB, STOCK_MAX_TRES_NODE},
	{"MaxTRESMins", "MaxTRESMinsPerJob", STOCK_OF_MINUTES, STOCK_EACH_JOB, STOCK_MAX_MINUTES},
	{"MaxWall", "MaxWallDurationPerJob", STOCK_OF_WALL, STOCK_EACH_JOB, STOCK_MAX_WALL},
	{"MinTRES", NULL, STOCK_LEAST, STOCK_EACH_JOB, STOCK_MIN_TRES},
};

const struct stock_rule *maui_stock_rule_of(const struct maui_import_limit *limit)
{
	bool of_qos = limit->of.level == MAUI_IMPORT_OF_QOS;

	for (size_t i = 0; i < COUNT(rules); i++) {
		const char *name = of_qos ? rules[i].setting : rules[i].in_dump;

		if (name && !strcasecmp(name, limit->setting))
			return &rules[i];
	}
	return NULL;
}

/* Flags that a replay goes by, or that are about submissions alone. */
static bool stock_knows_flags(const char *flags)
{
	static const char *const known[] = {"NoDecay", "OverPartQOS", "DenyOnLimit"};
	struct maui_item flag;

	while (maui_list_next(&flags, ",", &flag)) {
		size_t i = 0;

		while (i < COUNT(known) && (strlen(known[i]) != flag.size ||
					    strncasecmp(known[i], flag.text, flag.size) != 0))
			i++;
		if (i == COUNT(known))
			return false;
	}
	return true;
}

bool maui_stock_knows(const struct maui_import_limit *limit)
{
	if (limit->of.level == MAUI_IMPORT_OF_QOS && !strcasecmp(limit->setting, "Flags"))
		return stock_knows_flags(limit->original);
	if (limit->of.level == MAUI_IMPORT_OF_QOS && !strcasecmp(limit->setting, "UsageFactor"))
		return true;
	return maui_stock_rule_of(limit) != NULL;
}

bool maui_stock_is_harmless(const struct maui_import_limit *limit)
{
	static const char *const names[] = {"DefaultQOS",  "QOS",     "GraceTime",
					    "PreemptMode", "Preempt", "PreemptExemptTime"};

	for (size_t i = 0; i < COUNT(names); i++)
		if (!strcasecmp(names[i], limit->setting))
			return true;
	return false;
}

/* ---- parts of a limit ---- */

static bool stock_is_of_time(enum stock_metric metric)
{
	return metric == STOCK_WALL || metric == STOCK_OF_WALL;
}

static bool stock_part_amount(const struct stock_rule *rule, const struct maui_import_part *part,
			      uint64_t *ret_most)
{
	int64_t seconds;

	if (!stock_is_of_time(rule->metric))
		return maui_import_amount(part->value, !strcasecmp(part->name, "mem"), ret_most);
	if (!maui_conf_parse_time(part->value, &seconds))
		return false;
	*ret_most = (uint64_t)seconds / MINUTE;
	return true;
}

bool maui_stock_read_part(const struct stock_rule *rule, const struct maui_import_part *part,
			  struct maui_import_tres *ret_tres, uint64_t *ret_most)
{
	bool of_tres = rule->metric != STOCK_JOBS && !stock_is_of_time(rule->metric);

	*ret_tres = maui_import_tres_named(part->name);
	return (!of_tres || ret_tres->kind != MAUI_IMPORT_NO_RESOURCE) &&
	       stock_part_amount(rule, part, ret_most);
}
