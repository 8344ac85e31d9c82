/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of `diagnose -p`. */
#ifndef MAUI_DIAGNOSE_PRIORITY_H
#define MAUI_DIAGNOSE_PRIORITY_H

#include <stdbool.h>

#include <json-c/json.h>

/* data is that of diagnose-priority in service.md. Returns an exit code. */
int print_priorities(struct json_object *data, bool verbose);

#endif
