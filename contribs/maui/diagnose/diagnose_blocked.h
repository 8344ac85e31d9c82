/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of `maui diagnose -q`. */
#ifndef MAUI_DIAGNOSE_BLOCKED_H
#define MAUI_DIAGNOSE_BLOCKED_H

#include <json-c/json.h>
#include <stdbool.h>

/* What the engine says about blocked jobs, in the original's words; returns an exit code. verbose:
 * also in our own words, with the job's user and partitions. */
int print_blocked(struct json_object *data, bool verbose);

#endif
