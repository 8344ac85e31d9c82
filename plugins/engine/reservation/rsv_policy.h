/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The standing reservations of the policy in force, followed by the administrative ones, with the
 * IDs of their users and groups. Guarded by the engine's mutex; the engine's thread may go on
 * reading what it got here once it has released it, because only that thread replaces them, and it
 * keeps the previous ones.
 */
#ifndef MAUI_ENGINE_RSV_POLICY_H
#define MAUI_ENGINE_RSV_POLICY_H

#include "common/policy/policy.h"
#include "common/policy/reservation/sr_settings.h"
#include "common/queue/principals.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/module.h"

/* Set the administrative reservations (common/state/admin_rsv.h); none if config is NULL. Takes
 * ownership of the reference to config, and of once, which is malloc'ed. The mutex is held; called
 * in the engine's thread, or before it runs. */
ENGINE_LOCKED void rsv_policy_once(struct maui_config *config, struct maui_sr_once *once,
				   size_t count);

/* Whether there is a list at all: false while the IDs of its users and groups are unknown. */
ENGINE_LOCKED bool rsv_policy_known(void);

/* In order; none while they are not known or the engine is disabled. */
ENGINE_LOCKED size_t rsv_policy_list(const struct maui_sr **ret_list);

/* The configuration whose lines define a reservation of the list. */
ENGINE_LOCKED const struct maui_config *rsv_policy_config(const struct maui_sr *sr);

/* The index of the standing reservation to which an instance's name belongs, with the date in the
 * name, or of the administrative reservation of this name; UINT32_MAX if there is none. O(1). */
ENGINE_LOCKED uint32_t rsv_policy_find(const char *instance, int64_t *ret_date);

/* Whether there is a standing or administrative reservation of this name. O(1). */
ENGINE_LOCKED bool rsv_policy_has(const char *name);

/* The engine was disabled or enabled, so the list has changed. The mutex is held; called in the
 * engine's thread, or before it runs. */
ENGINE_LOCKED void rsv_policy_switch(void);

/* Increases each time the list changes. */
ENGINE_LOCKED uint64_t rsv_policy_generation(void);

extern const struct module rsv_policy_module;

#endif
