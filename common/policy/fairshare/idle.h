/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What idle reserved processors cost their owner: chapter 7.1.5.2.5, "Reservation Ownership".
 *
 * A layout says which processors there are, how much each counts, and which holds (instances of
 * standing reservations that someone pays for) they are in from when to when. Jobs take processors
 * and give them back. What is idle in a hold is charged to its payer, second by second; a processor
 * in several holds at a time is charged once, to the payer of the one given first.
 *
 * Nothing is charged here: idle spans are kept until they are taken. Processors are slots, small
 * numbers chosen by the caller; times are epoch seconds. A time before what has been settled counts
 * as the latter. Not thread-safe.
 */
#ifndef MAUI_POLICY_IDLE_H
#define MAUI_POLICY_IDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/credential.h"

struct maui_idle_payer {
	enum maui_credential type;
	uint32_t id;
};

/* Slots first, first + 1, ... */
struct maui_idle_range {
	uint32_t first, count;
};

struct maui_idle_hold {
	struct maui_idle_payer payer;
	int64_t start, end;
	const struct maui_idle_range *ranges;
	size_t range_count;
};

/*
 * This much of it was idle, in processors, from one second to another: never 0, and `to` is after
 * `from`.
 */
struct maui_idle_span {
	struct maui_idle_payer payer;
	int64_t from, to;
	double rate;
};

struct maui_idle;

struct maui_idle *maui_idle_new(void);
struct maui_idle *maui_idle_free(struct maui_idle *idle); /* accepts NULL */

/*
 * From now on these are the slots, weight[i] processors each, and these the holds; no job uses any
 * until maui_idle_begin() says so. Everything is copied. The time before is settled.
 */
void maui_idle_layout(struct maui_idle *idle, int64_t now, const double *weight, uint32_t slots,
		      const struct maui_idle_hold *holds, size_t hold_count);

/* Whether anything can be idle: there is a hold that has not ended. */
bool maui_idle_watches(const struct maui_idle *idle);

/* The job uses these slots from then on, and no others. */
void maui_idle_begin(struct maui_idle *idle, uint32_t job_id, const struct maui_idle_range *ranges,
		     size_t count, int64_t time);
/* It has given back what it used, if anything. */
void maui_idle_end(struct maui_idle *idle, uint32_t job_id, int64_t time);

/* The clock was set by this many seconds since the last call. */
void maui_idle_step(struct maui_idle *idle, int64_t seconds);

typedef void (*maui_idle_visit)(const struct maui_idle_span *span, void *context);

/* What was idle until then, each second once; anything later is kept. */
void maui_idle_take(struct maui_idle *idle, int64_t until, maui_idle_visit visit, void *context);

/* What taking would give, in no particular order; nothing changes. */
void maui_idle_look(const struct maui_idle *idle, int64_t until, maui_idle_visit visit,
		    void *context);

/* The total that is idle at this moment and charged to anybody. */
double maui_idle_rate(const struct maui_idle *idle);

#endif
