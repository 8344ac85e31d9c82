/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An administrative reservation against what there is: users and groups of the machine, and Slurm's
 * partitions and nodes. What somebody has misspelt is refused, as it would stay unnoticed
 * otherwise.
 */
#ifndef MAUI_ENGINE_RSV_CHECK_H
#define MAUI_ENGINE_RSV_CHECK_H

#include <json-c/json.h>

#include "plugins/compat/base.h"
#include "common/state/admin_rsv.h"

/* What a line of one is: its configuration, and compiled. 0, or a negative errno. Both are to be
 * freed. */
int rsv_check_compile(const struct maui_admin_rsv *one, struct maui_config **ret_config,
		      struct maui_sr_settings **ret_settings, struct maui_error *why);

/*
 * The engine's thread, no lock held. NULL, or why not, malloc'ed. What is odd, but no reason to
 * refuse it, is put into the array of notes. *ret_task_procs: the processors of a task, -1 for
 * whole nodes.
 */
char *rsv_check(const struct maui_admin_rsv *one, struct json_object *notes,
		int64_t *ret_task_procs);

#endif
