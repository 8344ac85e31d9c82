/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui.cfg on disk, and the policy made from it. The engine's thread, or the
 * one that begins. */
#ifndef MAUI_ENGINE_POLICY_READ_H
#define MAUI_ENGINE_POLICY_READ_H

#include <stdbool.h>

#include "common/policy/policy.h"
#include "plugins/engine/runtime/module.h"
#include "plugins/engine/runtime/site_options.h"
#include "plugins/engine/runtime/state.h"

/* The result of reading maui.cfg: a policy, or why there is none. */
struct policy_reading {
	struct maui_policy *policy;  /* NULL: the file is refused */
	struct maui_faults *faults;  /* why it is refused; NULL: it is not */
	struct maui_config *partial; /* what is right in a refused file; NULL: it cannot be read */
};

/*
 * Read maui.cfg: a file that cannot be read or has errors is refused, and every problem is logged
 * as FILE:LINE:COLUMN. A file that is good becomes the last good copy in the state directory, if
 * keep_copy.
 */
void policy_read(const struct site *site, bool keep_copy, struct policy_reading *ret_reading);

extern struct state_file last_good_file; /* its members say what guards them */

/* Asks for another reading, at growing intervals, while a file could not be read (D-SYS-15). */
extern const struct module policy_read_module;

/* Whether reservations that the policy in force lacks may still be wanted:
 * maui.cfg cannot be read now and nothing else is known of it, or its last good
 * copy cannot be read. The mutex is held. */
ENGINE_LOCKED bool policy_waits(void);

/* Frees what nobody has taken out of it. */
void policy_reading_clear(struct policy_reading *reading);

/* Take the policy of what is right in a refused file, and its faults, out of a reading; NULL, with
 * nothing changed, if there is none. As lines with errors are left out, it is used only where there
 * was no policy at all. */
struct maui_policy *policy_take_partial(const struct site *site, struct policy_reading *reading);

/* The last good copy, if maui.cfg is refused again and the copy could not be read before; NULL: it
 * still cannot, or there is none to wait for. The engine's thread. */
struct maui_policy *policy_last_good_late(const struct site *site);

/* What stands in for a refused maui.cfg at start: the last good copy, else what is right in the
 * file, else the built-in defaults alone. */
struct maui_policy *policy_stand_in(const struct site *site, struct policy_reading *reading);

#endif
