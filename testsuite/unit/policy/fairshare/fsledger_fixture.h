/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A machine with one user, and passes over its jobs. */
#ifndef MAUI_UNIT_POLICY_FSLEDGER_FIXTURE_H
#define MAUI_UNIT_POLICY_FSLEDGER_FIXTURE_H

#include <criterion/criterion.h>

#include "common/policy/fairshare/fsledger.h"

#define INTERVAL 100
#define DEPTH    4
#define BEGIN    1000 /* of a window */
#define USER     1

static const struct maui_fairshare_settings settings = {
	.metric = MAUI_FS_DEDICATEDPS, .interval = INTERVAL, .depth = DEPTH, .decay = 1};

/* A machine with one user, driven by a test. */
struct machine {
	struct maui_fairshare *windows;
	struct maui_fsledger *ledger;
	int64_t now, last;
};

static inline struct machine machine_at(int64_t now)
{
	struct machine machine = {.now = now, .last = -1};

	machine.windows = maui_fairshare_new(&settings, now);
	machine.ledger = maui_fsledger_new();
	cr_assert(machine.windows && machine.ledger);
	cr_assert_eq(maui_fairshare_reserve(machine.windows, MAUI_USER, USER), 0);
	return machine;
}

static inline void machine_end(struct machine *machine)
{
	maui_fairshare_free(machine->windows);
	maui_fsledger_free(machine->ledger);
}

/* A job with four processors that has run since start without a pause. */
static inline struct maui_run running(const struct machine *machine, int64_t start)
{
	return (struct maui_run){.job_id = 7,
				 .start = start,
				 .resumed = start,
				 .until = machine->now,
				 .seconds = machine->now - start,
				 .rate = 4,
				 .credential = {[MAUI_USER] = USER}};
}

static inline void begin(struct machine *machine, int64_t now, double elapsed)
{
	machine->now = now;
	maui_fsledger_begin(machine->ledger, machine->windows, now, elapsed);
}

static inline enum maui_fsledger_event report(struct machine *machine, const struct maui_run *run)
{
	return maui_fsledger_report(machine->ledger, machine->windows, run, NULL);
}

/* A whole pass with one job, or none (NULL). */
static inline enum maui_fsledger_event pass(struct machine *machine, int64_t now,
					    struct maui_run *run)
{
	enum maui_fsledger_event event = MAUI_FS_REGULAR;

	begin(machine, now, -1);
	if (run)
		event = report(machine, run);
	maui_fsledger_end(machine->ledger);
	return event;
}

static inline enum maui_fsledger_event pass_running(struct machine *machine, int64_t now,
						    int64_t start)
{
	struct maui_run run;

	machine->now = now;
	run = running(machine, start);
	return pass(machine, now, &run);
}

/* Processor-seconds in window k; the user's and the total's are the same here. */
static inline double used(const struct machine *machine, uint32_t k)
{
	double usage = maui_fairshare_usage(machine->windows, MAUI_USER, USER, k);

	cr_assert_eq(usage, maui_fairshare_usage(machine->windows, MAUI_FS_TOTAL, 0, k));
	return usage;
}

static inline double used_in_all(const struct machine *machine)
{
	double sum = 0;

	for (uint32_t k = 0; k < DEPTH; k++)
		sum += used(machine, k);
	return sum;
}

#endif
