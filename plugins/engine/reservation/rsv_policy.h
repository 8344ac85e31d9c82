/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The standing reservations of the policy in force, and behind them the administrative ones, with
 * the ids of their users and groups. Guarded by the engine's mutex; the engine's thread may read
 * without it, for it alone replaces them, and keeps the ones before.
 */
#ifndef MAUI_ENGINE_RSV_POLICY_H
#define MAUI_ENGINE_RSV_POLICY_H

#include "common/policy/policy.h"
#include "common/policy/reservation/sr_settings.h"
#include "common/queue/principals.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/module.h"

/* The administrative reservations are these (common/state/admin_rsv.h); none, if config is NULL.
 * Takes over the reference to config, and once, which is malloc'ed. The mutex is held; in the
 * engine's thread, or before it runs. */
void rsv_policy_once(struct maui_config *config, struct maui_sr_once *once, size_t count);

/* Whether there is a list at all: false as long as nobody knows whom it is about, or for want of
 * memory. */
bool rsv_policy_known(void);

/* In their order; none as long as they are not known, or the engine is disabled. */
size_t rsv_policy_list(const struct maui_sr **ret_list);

/* The configuration whose lines say what a reservation of the list is. */
const struct maui_config *rsv_policy_config(const struct maui_sr *sr);

/* The place of the standing reservation that an instance's name speaks of, or of the administrative
 * one of this name, with the date in it; UINT32_MAX if there is none. O(1). */
uint32_t rsv_policy_find(const char *instance, int64_t *ret_date);

/* Whether there is a standing or administrative reservation of this name. O(1). */
bool rsv_policy_has(const char *name);

/* The engine was disabled, or enabled: the list is another. The mutex is held; in the engine's
 * thread, or before it runs. */
void rsv_policy_switch(void);

/* Counts the times that they were replaced. */
uint64_t rsv_policy_generation(void);

extern const struct module rsv_policy_module;

#endif
