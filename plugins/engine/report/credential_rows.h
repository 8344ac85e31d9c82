/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Credentials of one type with their limits and usage, copied from the engine: those that maui.cfg
 * names, and those that have jobs. The copy is made a few credentials at a time, as every job start
 * in slurmctld waits for the mutex meanwhile.
 */
#ifndef MAUI_ENGINE_CREDENTIAL_ROWS_H
#define MAUI_ENGINE_CREDENTIAL_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/policy/limits/limits.h"
#include "common/queue/snapshot.h"
#include "common/util/arena.h"

struct credential_limit {
	struct maui_limit_entry entry;
	const char *second; /* of a pair */
	bool second_unnamed;
	struct credential_limit *next;
};

struct credential_row {
	const char *name;
	const struct maui_object *object;     /* NULL: no line of maui.cfg is about it */
	uint32_t id;                          /* 0: nobody has it */
	uint32_t number;                      /* uid or gid */
	bool unnamed;                         /* the name is that number, which has no name */
	bool fallback;                        /* DEFAULT; for QOS, also jobs without one */
	bool hidden;                          /* the asking user may not see its usage */
	uint32_t pending;                     /* jobs, eligible or not; a pending array is one */
	int64_t usage[2][MAUI_LIMIT_METRICS]; /* active, eligible */
	struct credential_limit *limits, **end;
};

struct credential_list {
	unsigned int type;
	struct maui_policy *policy;
	struct maui_arena *memory;
	struct credential_row *rows;
	size_t count;
	struct credential_row system;
	bool limited;  /* maui.cfg sets some limit, for whatever credential */
	bool enforced; /* limits act */
	bool counted;  /* and usage is known */
	size_t omitted_pairs;
};

/* Lists the credentials, without their limits and usage; the caller clears the list. Takes the
 * mutex, as does credential_rows_fill(). */
void credential_rows_collect(struct credential_list *list, enum maui_credential type,
			     const struct maui_snapshot *snapshot);

/* Fills in limits and usage of those still in the list, and of the whole system. */
void credential_rows_fill(struct credential_list *list);

void credential_rows_clear(struct credential_list *list);

#endif
