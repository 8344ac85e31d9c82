/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every job is judged at the moment of its start, whichever scheduler starts it: limits and hard
 * caps are checked again, with what is in use just then. Job write lock for all of it.
 */
#ifndef MAUI_ENGINE_START_H
#define MAUI_ENGINE_START_H

#include <stdbool.h>

#include "plugins/compat/base.h"
#include "plugins/engine/runtime/module.h"

/* Job and partition locks are held, for a start (immediate) or for backfill's plan of one. False:
 * it may not, and its record says why. */
bool start_may(job_record_t *job, bool immediate);

/* The same, of what the job has got: job->job_resrcs. */
bool start_may_hold(job_record_t *job);

/* A job has got its nodes, holds others, or gives them back. */
void start_began(const job_record_t *job);
void start_ended(const job_record_t *job);

extern const struct module start_module;

#endif
