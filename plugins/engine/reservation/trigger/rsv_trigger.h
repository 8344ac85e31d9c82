/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TRIGGER of standing reservations: sr_trigger.h. Each event of an instance sets it off once. That
 * is on disk before anything is done, so a kill in between loses an action and never repeats one.
 * What was missed while slurmctld was down, or while too many programs ran, is made up for: create,
 * start and minload as long as the instance exists, end in any case.
 */
#ifndef MAUI_ENGINE_RSV_TRIGGER_H
#define MAUI_ENGINE_RSV_TRIGGER_H

#include <stdbool.h>

#include "plugins/engine/runtime/module.h"
#include "plugins/engine/runtime/state.h"

/* The events of an instance that have set off its trigger, one bit each (common/state/triggers.h).
 * The mutex is held. */
ENGINE_LOCKED unsigned int rsv_trigger_fired(const char *instance);

extern struct state_file triggers_file; /* its members say what guards them */
extern const struct module rsv_trigger_module;

#endif
