/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks an administrative reservation against what exists: the machine's users and groups, and
 * Slurm's partitions and nodes. Misspelt names are refused, as they would otherwise go unnoticed.
 */
#ifndef MAUI_ENGINE_RSV_CHECK_H
#define MAUI_ENGINE_RSV_CHECK_H

#include <json-c/json.h>

#include "plugins/compat/base.h"
#include "common/state/admin_rsv.h"

/* A reservation's configuration, raw and compiled. 0, or a negative errno. The caller frees
 * both. */
int rsv_check_compile(const struct maui_admin_rsv *one, struct maui_config **ret_config,
		      struct maui_sr_settings **ret_settings, struct maui_error *why);

/*
 * The engine's thread, no lock held. NULL, or the reason for refusal, malloc'ed. Anything odd that
 * is no reason to refuse is added to the array of notes. *ret_task_procs: the processors of a task,
 * -1 for whole nodes.
 */
char *rsv_check(const struct maui_admin_rsv *one, struct json_object *notes,
		int64_t *ret_task_procs);

#endif
