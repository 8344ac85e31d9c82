/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hash table of 1024 chains. atomic_compare_exchange_weak() adds each new set
 * of amounts at the head of its chain.
 */
#include "common/util/slurm/gres_table.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"

#define BUCKETS 1024u /* a power of two */

#define MOST4 UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX

const struct maui_gres maui_gres_most = {
	.amounts = {(UINT32_C(1) << MAUI_GRES_NAMES) - 1, {MOST4, MOST4, MOST4, MOST4}}};

/* Chains only grow, at their heads: whoever reads one needs no lock. */
struct maui_gres_table {
	atomic_uint references, count;
	_Atomic(const struct maui_gres *) bucket[BUCKETS];
};

struct maui_gres_table *maui_gres_table_new(void)
{
	struct maui_gres_table *table = maui_calloc(1, sizeof(*table));

	atomic_init(&table->references, 1);
	return table;
}

struct maui_gres_table *maui_gres_table_ref(struct maui_gres_table *table)
{
	if (table)
		atomic_fetch_add(&table->references, 1);
	return table;
}

struct maui_gres_table *maui_gres_table_unref(struct maui_gres_table *table)
{
	if (!table || atomic_fetch_sub(&table->references, 1) != 1)
		return NULL;
	for (unsigned int i = 0; i < BUCKETS; i++)
		for (const struct maui_gres *gres = table->bucket[i], *next; gres; gres = next) {
			next = gres->next;
			free((void *)gres);
		}
	free(table);
	return NULL;
}

uint32_t maui_gres_table_count(const struct maui_gres_table *table)
{
	return atomic_load(&table->count);
}

/* FNV-1a, of those that are not 0, both halves. */
static uint32_t hash_of(const struct maui_gres_amounts *amounts)
{
	uint32_t hash = UINT32_C(2166136261) ^ amounts->mask;

	for (uint32_t rest = amounts->mask; rest; rest &= rest - 1) {
		uint64_t amount = amounts->amount[__builtin_ctz(rest)];

		hash = (hash ^ (uint32_t)amount) * UINT32_C(16777619);
		hash = (hash ^ (uint32_t)(amount >> 32)) * UINT32_C(16777619);
	}
	return hash ^ hash >> 16;
}

/* Looks from the head of a chain to one that has been looked at; NULL if it is not among them. */
static const struct maui_gres *gres_table_find(const struct maui_gres *head,
					       const struct maui_gres *end,
					       const struct maui_gres_amounts *amounts,
					       uint32_t hash)
{
	for (; head != end; head = head->next)
		if (head->hash == hash && head->amounts.mask == amounts->mask &&
		    !memcmp(head->amounts.amount, amounts->amount, sizeof(amounts->amount)))
			return head;
	return NULL;
}

static const struct maui_gres *gres_table_add(struct maui_gres_table *table,
					      const struct maui_gres_amounts *amounts,
					      uint32_t hash, const struct maui_gres *head)
{
	struct maui_gres *gres = maui_malloc(1, sizeof(*gres));
	const struct maui_gres *seen = head, *other;

	*gres = (struct maui_gres){.amounts = *amounts, .table = table, .next = head, .hash = hash};
	while (!atomic_compare_exchange_weak(&table->bucket[hash % BUCKETS], &head, gres)) {
		other = gres_table_find(head, seen, amounts, hash);
		if (other) { /* another thread was first */
			free(gres);
			return other;
		}
		gres->next = seen = head;
	}
	atomic_fetch_add(&table->count, 1);
	return gres;
}

const struct maui_gres *maui_gres_intern(struct maui_gres_table *table,
					 const struct maui_gres_amounts *amounts)
{
	const struct maui_gres *head, *found;
	uint32_t hash;

	if (!amounts->mask)
		return NULL;
	if (!table)
		return &maui_gres_most;
	hash = hash_of(amounts);
	head = atomic_load(&table->bucket[hash % BUCKETS]);
	found = gres_table_find(head, NULL, amounts, hash);
	return found ? found : gres_table_add(table, amounts, hash, head);
}

/* One of them is none, or the most. */
static bool is_plain(const struct maui_gres *a, const struct maui_gres *b)
{
	return !a || !b || !a->table || !b->table;
}

static const struct maui_gres *gres_table_plain(const struct maui_gres *a,
						const struct maui_gres *b)
{
	if (!a || !b)
		return a ? a : b;
	return &maui_gres_most;
}

const struct maui_gres *maui_gres_larger(const struct maui_gres *a, const struct maui_gres *b)
{
	struct maui_gres_amounts larger;

	if (a == b)
		return a;
	if (is_plain(a, b))
		return gres_table_plain(a, b);
	larger = a->amounts;
	for (size_t i = 0; i < MAUI_GRES_NAMES; i++)
		if (b->amounts.amount[i] > larger.amount[i])
			maui_gres_set(&larger, i, b->amounts.amount[i]);
	return maui_gres_intern(a->table, &larger);
}

const struct maui_gres *maui_gres_sum(const struct maui_gres *a, const struct maui_gres *b)
{
	struct maui_gres_amounts sum;

	if (is_plain(a, b))
		return gres_table_plain(a, b);
	sum = a->amounts;
	for (size_t i = 0; i < MAUI_GRES_NAMES; i++)
		maui_gres_set(&sum, i, maui_gres_plus(sum.amount[i], b->amounts.amount[i]));
	return maui_gres_intern(a->table, &sum);
}
