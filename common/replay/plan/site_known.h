/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a turn of backfill has found of jobs that ask for the same. Until it ends the plan only fills
 * up, so that one that is no shorter begins no earlier. Nothing is known where reservations let in
 * some jobs, and others not.
 */
#ifndef MAUI_REPLAY_SITE_KNOWN_H
#define MAUI_REPLAY_SITE_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

struct site_known;

/* requests: how many there are; they are numbers below that. Lengths and times are in seconds. */
struct site_known *site_known_new(uint32_t requests);
struct site_known *site_known_free(struct site_known *known); /* accepts NULL */

/* A turn begins. differs: a reservation stands that lets in some. */
void site_known_open(struct site_known *known, bool differs);
/* A job begins. cons_tres takes ends of jobs together that are close to one another, and so it may look
 * at other times from now on. */
void site_known_began(struct site_known *known);

/* Whether a job does not fit now. */
bool site_known_not_now(const struct site_known *known, uint32_t request, int64_t length);
void site_known_misfit(struct site_known *known, uint32_t request, int64_t length);

/* Before when a job does not begin, at a time at which another could: now if nothing is known,
 * INT64_MAX if not within bf_window. */
int64_t site_known_earliest(const struct site_known *known, uint32_t request, int64_t length,
			    int64_t now);
/* begin: INT64_MAX if not within bf_window. */
void site_known_see(struct site_known *known, uint32_t request, int64_t length, int64_t begin);

#endif
