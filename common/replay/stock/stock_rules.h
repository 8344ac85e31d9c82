/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which settings of QOS and associations are limits that a replay enforces. */
#ifndef MAUI_REPLAY_STOCK_RULES_H
#define MAUI_REPLAY_STOCK_RULES_H

#include "common/import/import_accounting.h"
#include "common/import/import_points.h"
#include "common/import/import_take_rules.h"

/* What is compared with the limit. */
enum stock_metric {
	STOCK_JOBS,        /* that run */
	STOCK_AMOUNT,      /* of a TRES that they hold */
	STOCK_RUN_MINUTES, /* of a TRES, that they may still use */
	STOCK_MINUTES,     /* of a TRES, that have been used, and decay */
	STOCK_WALL,        /* minutes that jobs have run, which decay */
	STOCK_OF_JOB,      /* the amount of a TRES that one job asks for */
	STOCK_OF_NODE,     /* the same, divided by its nodes */
	STOCK_OF_MINUTES,  /* the same, times the minutes of its limit */
	STOCK_OF_WALL,     /* the minutes of one job's limit */
	STOCK_LEAST        /* the least amount of a TRES for one job */
};

/* Whose jobs count together. */
enum stock_each {
	STOCK_TOGETHER,     /* all of the holder */
	STOCK_EACH_USER,    /* of a QOS: each user's */
	STOCK_EACH_ACCOUNT, /* of a QOS: each account's */
	STOCK_EACH_ASSOC,   /* of an account: each association's that inherits it */
	STOCK_EACH_JOB
};

/* Of limits of one kind, and one TRES, Slurm enforces those of the first level that has any: a job's
 * partition QOS, its QOS, its associations. S-IMP-2. */
enum stock_kind {
	STOCK_GRP_JOBS,
	STOCK_GRP_TRES,
	STOCK_GRP_MINUTES,
	STOCK_GRP_RUN_MINUTES,
	STOCK_GRP_WALL,
	STOCK_MAX_JOBS_USER,
	STOCK_MAX_JOBS_ACCOUNT,
	STOCK_MAX_TRES_USER,
	STOCK_MAX_TRES_ACCOUNT,
	STOCK_MAX_JOBS,
	STOCK_MAX_TRES,
	STOCK_MAX_TRES_NODE,
	STOCK_MAX_MINUTES,
	STOCK_MAX_WALL,
	STOCK_MIN_TRES
};

struct stock_rule {
	const char *setting,
		*in_dump; /* as show qos and dump write it; NULL: they do not have it */
	enum stock_metric metric;
	enum stock_each each;
	enum stock_kind kind;
};

/* NULL: none. */
const struct stock_rule *maui_stock_rule_of(const struct maui_import_limit *limit);

/* Whether a replay goes by the setting. */
bool maui_stock_knows(const struct maui_import_limit *limit);

/* Whether no start of a recorded job depends on it: what it may use, when it is submitted. */
bool maui_stock_is_harmless(const struct maui_import_limit *limit);

/*
 * One TRES of a limit's value, or its number of jobs or time: an amount, jobs or
 * minutes. The TRES's name is the part's, of a GRES without gres/. False: a
 * replay cannot count it.
 */
bool maui_stock_read_part(const struct stock_rule *rule, const struct maui_import_part *part,
			  struct maui_import_tres *ret_tres, uint64_t *ret_most);

static inline bool stock_decays(enum stock_metric metric)
{
	return metric == STOCK_MINUTES || metric == STOCK_WALL;
}

#endif
