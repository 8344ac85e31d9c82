/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of `maui diagnose -q`. */
#ifndef MAUI_DIAGNOSE_BLOCKED_H
#define MAUI_DIAGNOSE_BLOCKED_H

#include <json-c/json.h>
#include <stdbool.h>

/* What the engine says of blocked jobs, in the original's words; returns an exit code. verbose: and
 * in ours, with whose the job is and where it wants to run. */
int print_blocked(struct json_object *data, bool verbose);

#endif
