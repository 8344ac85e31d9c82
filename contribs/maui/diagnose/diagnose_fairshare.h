/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of `maui diagnose -f`, from the engine's data or from what is shaped like it. */
#ifndef MAUI_DIAGNOSE_FAIRSHARE_H
#define MAUI_DIAGNOSE_FAIRSHARE_H

#include <stdbool.h>

#include <json-c/json.h>

/* data is as service.md says, "diagnose-fairshare". verbose: also rows without usage and target, and
 * until when usage is counted. Returns an exit code. */
int print_fairshare(struct json_object *data, bool verbose);

/* Whether nothing is counted, FSPOLICY being off. */
bool fairshare_is_off(struct json_object *data);

/* Leave only this user's row among the users. False when memory is short. */
bool fairshare_keep_user(struct json_object *data, const char *user);

#endif
