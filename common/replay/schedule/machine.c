/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Running jobs in an array sorted by expected end and in a heap by actual end,
 * and the shadow time of EASY backfill.
 */
#include "common/replay/schedule/machine.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/search.h"

void machine_open(struct machine *machine, uint32_t procs)
{
	memset(machine, 0, sizeof(*machine));
	machine->procs = procs;
	machine->free = procs;
}

void machine_clear(struct machine *machine)
{
	free(machine->runs);
	free(machine->ends);
}

/* ---- by expected end ---- */

static int compare_run(const void *key, const void *element)
{
	int64_t a = *(const int64_t *)key, b = ((const struct machine_run *)element)->expected;

	return a < b ? -1 : a > b;
}

static size_t machine_find(const struct machine *machine, int64_t expected)
{
	return maui_lower_bound(&expected, machine->runs, machine->count, sizeof(*machine->runs),
				compare_run);
}

static void insert_run(struct machine *machine, const struct machine_run *run)
{
	size_t at = machine_find(machine, run->expected);

	memmove(&machine->runs[at + 1], &machine->runs[at],
		(machine->count - at) * sizeof(*machine->runs));
	machine->runs[at] = *run;
}

static void remove_run(struct machine *machine, uint32_t job, int64_t expected)
{
	size_t at = machine_find(machine, expected);

	while (machine->runs[at].job != job)
		at++;
	machine->free += machine->runs[at].procs;
	memmove(&machine->runs[at], &machine->runs[at + 1],
		(machine->count - at - 1) * sizeof(*machine->runs));
}

/* ---- by end ---- */

static int machine_before(const struct machine_end *a, const struct machine_end *b)
{
	return a->time < b->time || (a->time == b->time && a->order < b->order);
}

static void machine_push(struct machine_end *heap, size_t at, struct machine_end end)
{
	for (; at && machine_before(&end, &heap[(at - 1) / 2]); at = (at - 1) / 2)
		heap[at] = heap[(at - 1) / 2];
	heap[at] = end;
}

/* Without its first element; count is how many are left. */
static void machine_pop(struct machine_end *heap, size_t count)
{
	struct machine_end last = heap[count];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < count) {
		child += child + 1 < count && machine_before(&heap[child + 1], &heap[child]);
		if (!machine_before(&heap[child], &last))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = last;
}

/* ---- both ---- */

void machine_start(struct machine *machine, uint32_t job, uint32_t procs, int64_t expected,
		   int64_t end)
{
	machine->runs = maui_grow(machine->runs, machine->count + 1, &machine->run_room,
				  sizeof(*machine->runs));
	machine->ends = maui_grow(machine->ends, machine->count + 1, &machine->end_room,
				  sizeof(*machine->ends));
	insert_run(machine, &(struct machine_run){expected, procs, job});
	machine_push(machine->ends, machine->count,
		     (struct machine_end){end, machine->begun++, job});
	machine->count++;
	machine->free -= procs;
}

int64_t machine_next_end(const struct machine *machine)
{
	return machine->count ? machine->ends[0].time : INT64_MAX;
}

uint32_t machine_finishing(const struct machine *machine)
{
	return machine->ends[0].job;
}

void machine_finish(struct machine *machine, int64_t expected)
{
	remove_run(machine, machine->ends[0].job, expected);
	machine->count--;
	machine_pop(machine->ends, machine->count);
}

uint32_t machine_free_at(const struct machine *machine, int64_t now)
{
	uint32_t available = machine->free;

	for (size_t i = 0; i < machine->count && machine->runs[i].expected <= now; i++)
		available += machine->runs[i].procs;
	return available;
}

int64_t machine_shadow(const struct machine *machine, int64_t now, uint32_t procs,
		       uint32_t *ret_left)
{
	uint32_t available = machine->free;
	int64_t when = now;

	for (size_t i = 0; i < machine->count; i++) {
		/* Those that end in one second do so together. */
		if (available >= procs && machine->runs[i].expected > when)
			break;
		available += machine->runs[i].procs;
		if (machine->runs[i].expected > when)
			when = machine->runs[i].expected;
	}
	*ret_left = available - procs;
	return when;
}
