/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The administrative reservations (common/state/admin_rsv.h) in this process and on disk:
 * StateSaveLocation/maui/setres. What is added or dropped here takes effect at once, as far as
 * access goes (rsv_policy.h); the next roll brings Slurm into line. Guarded by the engine's mutex;
 * once the engine's thread runs, only it changes them.
 */
#ifndef MAUI_ENGINE_RSV_ADMIN_H
#define MAUI_ENGINE_RSV_ADMIN_H

#include "plugins/compat/base.h"
#include "common/state/admin_rsv.h"
#include "plugins/engine/runtime/module.h"
#include "plugins/engine/runtime/state.h"

/* Look up the users and groups that the reservations name and that have not been looked up yet;
 * again: all of them. Call before a policy is bound with its users and groups. No lock held. */
void rsv_admin_ask(bool again);

/* ---- the mutex is held ---- */

/* All of them. */
ENGINE_LOCKED const struct maui_admin_rsvs *rsv_admin_list(void);

/* 0, or a negative errno of maui_admin_rsvs_add() or maui_admin_rsvs_config(). */
ENGINE_LOCKED int rsv_admin_add(const struct maui_admin_rsv *one, struct maui_error *why);
ENGINE_LOCKED void rsv_admin_drop(const char *name);

/* ---- no lock held ---- */

/* Write the file. 0 or a negative errno. */
int rsv_admin_save(struct maui_error *why);

extern struct state_file setres_file; /* its members say what guards them */
extern const struct module rsv_admin_module;

#endif
