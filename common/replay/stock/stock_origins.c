/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks names up as slurmctld does at submission: without an account in the user's default one. */
#include "common/replay/stock/stock_origins.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"
#include "common/util/memory.h"

/* What jobs that are alike have in common: names of the trace. */
struct origin_names {
	uint32_t credential[MAUI_CREDENTIALS];
};

static const char *origin_name(const struct maui_replay_trace *trace,
			       const struct origin_names *names, enum maui_credential type)
{
	return maui_intern_name(trace->names[type], names->credential[type]);
}

/* ---- each of them ---- */

/* Of several the one of the partition. */
static size_t origin_assoc(const struct maui_stock *stock, const char *user, const char *account,
			   const char *partition)
{
	const struct maui_import_priority *priority = &stock->priority;
	size_t found = MAUI_IMPORT_NONE;

	for (size_t i = 0; user && i < priority->assoc_count; i++) {
		const struct maui_import_assoc *assoc = &priority->assocs[i];

		if (!assoc->user || strcasecmp(assoc->user, user) != 0 ||
		    (account ? strcasecmp(assoc->account, account) != 0 : !assoc->by_default))
			continue;
		if (assoc->partition && partition && !strcasecmp(assoc->partition, partition))
			return i;
		if (!assoc->partition && found == MAUI_IMPORT_NONE)
			found = i;
	}
	return found;
}

static size_t origin_qos(const struct maui_stock *stock, const char *name)
{
	for (size_t i = 0; name && i < stock->priority.qos_count; i++)
		if (!strcasecmp(stock->priority.qos[i].name, name))
			return i;
	return MAUI_IMPORT_NONE;
}

/* Without a name, or with one that the machine has not, the default one. */
static size_t origin_partition(const struct maui_stock *stock, const char *name)
{
	const struct maui_import_priority *priority = &stock->priority;
	size_t otherwise = MAUI_IMPORT_NONE;

	for (size_t i = 0; i < priority->partition_count; i++) {
		const struct maui_replay_partition *partition = maui_replay_nodes_find_partition(
			stock->nodes, priority->partitions[i].name);

		if (name && !strcmp(priority->partitions[i].name, name))
			return i;
		if (partition && partition->is_default)
			otherwise = i;
	}
	return otherwise;
}

static void origin_fill(const struct maui_stock *stock, const struct maui_replay_trace *trace,
			const struct origin_names *names, struct stock_origin *ret_origin)
{
	const char *class = origin_name(trace, names, MAUI_CLASS), *flags, *factor;
	size_t partition = origin_partition(stock, class);
	struct stock_origin origin = {
		.user = names->credential[MAUI_USER],
		.assoc = origin_assoc(stock, origin_name(trace, names, MAUI_USER),
				      origin_name(trace, names, MAUI_ACCOUNT),
				      partition == MAUI_IMPORT_NONE
					      ? class
					      : stock->priority.partitions[partition].name),
		.qos = origin_qos(stock, origin_name(trace, names, MAUI_QOS)),
		.partition = partition,
		.partition_qos = MAUI_IMPORT_NONE,
		.usage_factor = 1};

	origin.account = origin.assoc == MAUI_IMPORT_NONE ? MAUI_IMPORT_NONE
							  : maui_stock_parent(stock, origin.assoc);
	if (partition != MAUI_IMPORT_NONE)
		origin.partition_qos = origin_qos(stock, stock->partition_qos[partition]);
	if (origin.qos != MAUI_IMPORT_NONE) {
		const char *qos = stock->priority.qos[origin.qos].name;

		flags = maui_stock_qos_setting(stock, qos, "Flags");
		factor = maui_stock_qos_setting(stock, qos, "UsageFactor");
		origin.qos_first = flags && strcasestr(flags, "OverPartQOS");
		if (factor)
			origin.usage_factor = strtod(factor, NULL);
	}
	if (origin.usage_factor < 0) /* slurmctld's sign for none */
		origin.usage_factor = 1;
	*ret_origin = origin;
}

/* ---- all jobs ---- */

static uint64_t origin_hash(const struct origin_names *names)
{
	uint64_t hash = 0;

	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		hash = (hash ^ names->credential[type]) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	return hash;
}

/* Groups have no part in it. */
static struct origin_names origin_names_of(const struct maui_replay_job *job)
{
	struct origin_names names;

	memcpy(names.credential, job->credential, sizeof(names.credential));
	names.credential[MAUI_GROUP] = 0;
	return names;
}

void maui_stock_origins_open(const struct maui_stock *stock, const struct maui_replay_trace *trace,
			     struct stock_origins *ret_origins)
{
	struct stock_origins origins = {.of = maui_calloc(trace->count + 1, sizeof(uint32_t)),
					.list = maui_calloc(1, sizeof(*origins.list)),
					.room = 1};
	size_t size = 16;
	uint32_t *first; /* by hash: the first job of each, from 1 on */

	while (size < 2 * trace->count)
		size *= 2;
	first = maui_calloc(size, sizeof(*first));
	for (uint32_t i = 0; i < trace->count; i++) {
		struct origin_names names = origin_names_of(&trace->jobs[i]), other;
		size_t at = origin_hash(&names) & (size - 1);

		for (; first[at]; at = (at + 1) & (size - 1)) {
			other = origin_names_of(&trace->jobs[first[at] - 1]);
			if (!memcmp(&other, &names, sizeof(names)))
				break;
		}
		if (first[at]) {
			origins.of[i] = origins.of[first[at] - 1];
		} else {
			first[at] = i + 1;
			origins.list = maui_grow(origins.list, origins.count + 1, &origins.room,
						 sizeof(*origins.list));
			origins.of[i] = (uint32_t)origins.count;
			origin_fill(stock, trace, &names, &origins.list[origins.count++]);
		}
		origins.unknown += origins.list[origins.of[i]].assoc == MAUI_IMPORT_NONE;
	}
	free(first);
	*ret_origins = origins;
}

void maui_stock_origins_clear(struct stock_origins *origins)
{
	free(origins->list);
	free(origins->of);
	*origins = (struct stock_origins){0};
}
