/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The administrative reservations (rsv_once.h) in this process and on disk: StateSaveLocation/maui/setres. What is added
 * here or dropped is in force at once, as far as access goes (rsv_policy.h); the next roll brings Slurm to it. The engine's
 * mutex guards them; the engine's thread alone changes them once it runs.
 */
#ifndef MAUI_ENGINE_RSV_ADMIN_H
#define MAUI_ENGINE_RSV_ADMIN_H

#include "plugins/compat/compat.h"
#include "plugins/engine/rsv_once.h"
#include "plugins/engine/runtime/site.h"

/* Reads the file. *ret_lost: it is damaged. */
void rsv_admin_load(const struct site *site, struct rsv_once_list *ret_once, bool *ret_lost);

/* What another controller may have written is in force, with the next policy that is bound. Takes over the list. The mutex is
 * held. */
void rsv_admin_adopt(struct rsv_once_list *once, bool lost);

/* Those whose names the machine has not been asked for are; again: all. Before a policy is bound with its users and groups. No
 * lock held. */
void rsv_admin_ask(bool again);

/* Before a roll: those that are over leave the list and the file. Of a lost file those that Slurm has come back, closed. No
 * lock held. */
void rsv_admin_settle(void);

/* ---- the mutex is held ---- */

/* All of them. */
const struct rsv_once_list *rsv_admin_list(void);

/* 0; a negative errno of rsv_once_add() or rsv_once_config(). */
int rsv_admin_add(const struct rsv_once *one, struct maui_error *why);
void rsv_admin_drop(const char *name);

/* ---- no lock held ---- */

/* Writes the file. 0 or a negative errno. */
int rsv_admin_save(struct maui_error *why);

#endif
