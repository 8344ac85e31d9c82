/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every job is judged at the moment it starts, whichever scheduler starts it: limits and hard caps
 * are checked again, against what is in use just then. All of it needs the job write lock.
 */
#ifndef MAUI_ENGINE_START_H
#define MAUI_ENGINE_START_H

#include <stdbool.h>

#include "plugins/compat/base.h"
#include "plugins/engine/runtime/module.h"

/* Whether a job may start now (immediate), or be planned by backfill. False: its record says why.
 * Job and partition locks are held. */
bool start_may(job_record_t *job, bool immediate);

/* The same for what the job has got: job->job_resrcs. */
bool start_may_hold(job_record_t *job);

/* A job has got its nodes, holds others, or gives them back. */
void start_began(const job_record_t *job);
void start_ended(const job_record_t *job);

extern const struct module start_module;

#endif
