/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads what slurmctld would go by, and lists what a replay ignores of it. */
#include "common/replay/stock/stock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/replay/stock/stock_rules.h"
#include "common/util/grow.h"
#include "common/util/memory.h"

/* ---- what is ignored ---- */

static void stock_ignore(struct maui_stock *stock, const char *text)
{
	stock->ignored = maui_grow(stock->ignored, stock->ignored_count + 1, &stock->ignored_room,
				   sizeof(*stock->ignored));
	stock->ignored[stock->ignored_count++] = maui_arena_text(stock->arena, text, strlen(text));
}

static bool stock_is_ignored(const struct maui_import_limit *limit)
{
	return !maui_stock_knows(limit) && !maui_stock_is_harmless(limit);
}

/* A setting of QOS or associations, at the first of them. */
static void stock_ignore_setting(struct maui_stock *stock, size_t first)
{
	const struct maui_import_limit *limits = stock->accounting->limits;
	size_t count = 0;
	char *text;

	for (size_t i = 0; i < stock->accounting->limit_count; i++) {
		if (!stock_is_ignored(&limits[i]) ||
		    strcasecmp(limits[i].setting, limits[first].setting) != 0)
			continue;
		if (i < first)
			return;
		count++;
	}
	text = count > 1 ? maui_asprintf("%s=%s of %s and of %zu more", limits[first].setting,
					 limits[first].original, limits[first].holder, count - 1)
			 : maui_asprintf("%s=%s of %s", limits[first].setting,
					 limits[first].original, limits[first].holder);
	stock_ignore(stock, text);
	free(text);
}

static bool stock_says(const struct maui_stock *stock, const char *text)
{
	for (size_t i = 0; i < stock->ignored_count; i++)
		if (!strcmp(stock->ignored[i], text))
			return true;
	return false;
}

/* Parts of a limit that nothing is compared with, such as billing; each TRES of a setting once. */
static void stock_ignore_parts(struct maui_stock *stock, const struct maui_import_limit *limit)
{
	const struct stock_rule *rule = maui_stock_rule_of(limit);
	char *copy = rule ? maui_strdup(limit->original) : NULL, *rest = copy;
	struct maui_import_tres tres;
	struct maui_import_part part;
	uint64_t most;

	while (rest && maui_import_next_part(&rest, &part)) {
		char *text;

		if (maui_stock_read_part(rule, &part, &tres, &most))
			continue;
		text = tres.kind == MAUI_IMPORT_NO_RESOURCE && *part.name
			       ? maui_asprintf("%s of %s", limit->setting, part.name)
			       : maui_asprintf("%s=%s of %s", limit->setting, limit->original,
					       limit->holder);
		if (!stock_says(stock, text))
			stock_ignore(stock, text);
		free(text);
	}
	free(copy);
}

static void stock_ignore_accounting(struct maui_stock *stock)
{
	const struct maui_import_accounting *accounting = stock->accounting;

	if (!accounting->qos_count)
		stock_ignore(stock, "priorities and limits of QOS: they are not in slurm.conf but "
				    "in --qos=FILE");
	if (!accounting->assoc_count)
		stock_ignore(stock,
			     "shares, priorities and limits of associations: they are not in "
			     "slurm.conf but in --associations=FILE");
	if (!stock->limits) {
		stock_ignore(stock, "limits of QOS and associations: AccountingStorageEnforce has "
				    "no limits, and Slurm ignores them, too");
		return;
	}
	for (size_t i = 0; i < accounting->limit_count; i++)
		if (stock_is_ignored(&accounting->limits[i]))
			stock_ignore_setting(stock, i);
		else
			stock_ignore_parts(stock, &accounting->limits[i]);
}

static void stock_ignore_conf(struct maui_stock *stock, const struct maui_import_conf *conf)
{
	const char *flags = conf->set[MAUI_IMPORT_FLAGS].text;
	const struct maui_import_value *site = &conf->set[MAUI_IMPORT_SITE_PLUGIN];

	if (!stock->priority.type)
		stock_ignore(stock,
			     "PriorityType is not set: taken for priority/multifactor, which "
			     "is the default of Slurm 23.11 and later");
	if (!stock->priority.slurmdbd)
		stock_ignore(stock, "age and fairshare: slurmctld ignores their weights, since "
				    "AccountingStorageType is not accounting_storage/slurmdbd");
	if (stock->priority.oblivious)
		stock_ignore(stock, "PriorityFlags=DEPTH_OBLIVIOUS: shares count by the classic "
				    "algorithm");
	for (size_t i = 0; flags && i < 2; i++) {
		static const enum maui_import_flag unknown[] = {MAUI_IMPORT_INCR_ONLY,
								MAUI_IMPORT_MAX_TRES_GRES};
		const char *name = maui_import_flags[unknown[i]].name;

		if (strcasestr(flags, name))
			stock_ignore(stock, name);
	}
	if (site->text &&
	    !maui_import_is_plain(&maui_import_settings[MAUI_IMPORT_SITE_PLUGIN], site->text))
		stock_ignore(stock, "PrioritySiteFactorPlugin");
}

static void stock_ignore_tres(struct maui_stock *stock, const struct maui_import_weights *weights,
			      const char *setting)
{
	for (size_t i = 0; i < weights->count; i++) {
		char *text;

		if (weights->list[i].kind != MAUI_IMPORT_NO_RESOURCE)
			continue;
		text = maui_asprintf("%s %s", setting, weights->list[i].written);
		stock_ignore(stock, text);
		free(text);
	}
}

/* ---- slurm.conf ---- */

/* Billing weights are divided by units, as those of PriorityWeightTRES are; a list for each
 * partition. */
static int stock_read_billing(struct maui_stock *stock, struct maui_import_conf *conf,
			      const struct maui_import_complaints *complaints)
{
	int rc = 0;

	stock->billing = maui_calloc(conf->partition_count + 1, sizeof(*stock->billing));
	stock->partition_qos =
		maui_calloc(conf->partition_count + 1, sizeof(*stock->partition_qos));
	for (size_t i = 0; i < conf->partition_count; i++) {
		const struct maui_import_value *set = conf->partitions[i].set;
		const struct maui_import_value *billing = &set[MAUI_IMPORT_P_BILLING];
		const char *qos = set[MAUI_IMPORT_P_QOS].text, *why;
		struct maui_conf_place place = billing->place;
		size_t at;

		if (qos && strcasecmp(qos, "N/A") != 0)
			stock->partition_qos[i] = qos;
		if (!billing->text)
			continue;
		if (maui_import_read_tres(conf, stock->nodes, billing->text, &stock->billing[i],
					  &at, &why)) {
			stock_ignore_tres(stock, &stock->billing[i], "TRESBillingWeights");
			continue;
		}
		place.column += (uint32_t)at;
		complaints->complain(complaints->context, &place, why);
		rc = -EINVAL;
	}
	return rc;
}

/* Of the words of AccountingStorageEnforce, with which a job must fit into what is left. */
static bool stock_is_safe(const struct maui_import_conf *conf)
{
	const char *text = conf->set[MAUI_IMPORT_ENFORCE].text;

	return text && (strcasestr(text, "safe") || strcasestr(text, "all"));
}

int maui_stock_open(struct maui_import_conf *conf, const struct maui_replay_nodes *nodes,
		    const struct maui_import_accounting *accounting,
		    const struct maui_import_complaints *complaints, struct maui_stock *ret_stock)
{
	struct maui_stock *stock = ret_stock;
	struct maui_import_priority *priority = &stock->priority;
	int rc;

	*stock = (struct maui_stock){
		.accounting = accounting, .nodes = nodes, .arena = maui_arena_new()};
	rc = maui_import_read_priority(conf, nodes, complaints, priority);
	if (!rc)
		rc = stock_read_billing(stock, conf, complaints);
	if (rc)
		return rc;
	maui_import_priority_of(accounting, priority);
	stock->greatest = maui_import_greatest(priority);
	stock->limits = maui_import_enforces_limits(conf);
	stock->safe = stock_is_safe(conf);
	stock_ignore_conf(stock, conf);
	stock_ignore_tres(stock,
			  &(struct maui_import_weights){priority->tres, priority->tres_count},
			  "PriorityWeightTRES");
	stock_ignore_accounting(stock);
	return 0;
}

void maui_stock_clear(struct maui_stock *stock)
{
	free(stock->billing);
	free(stock->partition_qos);
	free(stock->ignored);
	maui_arena_free(stock->arena);
	*stock = (struct maui_stock){0};
}

const char *maui_stock_qos_setting(const struct maui_stock *stock, const char *qos,
				   const char *setting)
{
	for (size_t i = 0; i < stock->accounting->limit_count; i++) {
		const struct maui_import_limit *limit = &stock->accounting->limits[i];

		if (limit->of.level == MAUI_IMPORT_OF_QOS && !strcasecmp(limit->of.name, qos) &&
		    !strcasecmp(limit->setting, setting))
			return limit->original;
	}
	return NULL;
}

size_t maui_stock_parent(const struct maui_stock *stock, size_t assoc)
{
	const struct maui_import_assoc *assocs = stock->priority.assocs;

	for (size_t i = assoc; assocs[assoc].parent && i-- > 0;)
		if (!assocs[i].user && !strcmp(assocs[i].account, assocs[assoc].parent))
			return i;
	return MAUI_IMPORT_NONE;
}
