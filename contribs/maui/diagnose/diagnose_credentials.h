/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of `maui diagnose -u`, -g, -a, -c and -Q. */
#ifndef MAUI_DIAGNOSE_CREDENTIALS_H
#define MAUI_DIAGNOSE_CREDENTIALS_H

#include <json-c/json.h>
#include <stdbool.h>

/* What the engine says about credentials, in the original's columns, and below each its limits with
 * what is left of them; returns an exit code. verbose: also everything in use. */
int print_credentials(struct json_object *data, bool verbose);

#endif
