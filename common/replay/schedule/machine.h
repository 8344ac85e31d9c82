/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One pool of processors, and the jobs that run on it: when each ends, and when the scheduler
 * expects it to. For replay only.
 */
#ifndef MAUI_REPLAY_MACHINE_H
#define MAUI_REPLAY_MACHINE_H

#include <stddef.h>
#include <stdint.h>

struct machine_run {
	int64_t expected; /* its end by its time limit */
	uint32_t procs;
	uint32_t job;
};

struct machine_end {
	int64_t time;
	uint64_t order; /* those of one second end in the order in which they began */
	uint32_t job;
};

struct machine {
	uint32_t procs, free;
	struct machine_run *runs; /* by the expected end */
	struct machine_end *ends; /* a heap */
	size_t count, run_room, end_room;
	uint64_t begun;
};

void machine_open(struct machine *machine, uint32_t procs);
void machine_clear(struct machine *machine);

/* It has the processors. O(log running), and a memmove. */
void machine_start(struct machine *machine, uint32_t job, uint32_t procs, int64_t expected,
		   int64_t end);
/* The next end; INT64_MAX: nothing runs. */
int64_t machine_next_end(const struct machine *machine);
/* Whose it is; and that job ends, which was started with this expected end. */
uint32_t machine_finishing(const struct machine *machine);
void machine_finish(struct machine *machine, int64_t expected);

/* The processors that are free if all whose time is over now end. O(those). */
uint32_t machine_free_at(const struct machine *machine, int64_t now);

/*
 * When a job of so many processors could begin if all run as long as expected, and how many are
 * left over then. At most machine->procs.
 */
int64_t machine_shadow(const struct machine *machine, int64_t now, uint32_t procs,
		       uint32_t *ret_left);

#endif
