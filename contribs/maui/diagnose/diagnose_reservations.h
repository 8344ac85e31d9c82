/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of `maui diagnose -r`. */
#ifndef MAUI_DIAGNOSE_RESERVATIONS_H
#define MAUI_DIAGNOSE_RESERVATIONS_H

#include <json-c/json.h>

/* What the engine says about reservations, in the original's layout; takes the whole answer,
 * returns an exit code. */
int print_reservations(struct json_object *answer);

#endif
