/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a requested user or group exists: an answer that is empty because of a typo would
 * mislead. Which rows of an answer are his. */
#ifndef MAUI_CREDENTIAL_KNOWN_H
#define MAUI_CREDENTIAL_KNOWN_H

#include <stdbool.h>

#include <json-c/json.h>

#include "contribs/maui/lib/name_service.h"

/*
 * type: as the service names it; this machine does not know accounts, classes and QOS, so these all
 * pass, and so does a name of which the name service does not say whether it is there. name: a name,
 * or a user's or group's number. True, or says that there is none.
 */
bool credential_is_known(const char *type, const char *name);

/* The same, after the name service has been asked about it. */
bool credential_was_known(const char *type, const char *name, enum name_answer answer);

/*
 * The same; owners of jobs in a maui.queue/1, which may come from another machine, are known, too.
 */
bool credential_is_in(struct json_object *jobs, const char *type, const char *name);

/*
 * The rows of an answer with this "name": of a user or group that has the name, otherwise of the uid
 * or gid, which is "unnamed". The caller puts the array.
 */
struct json_object *credential_rows_of(struct json_object *rows, const char *name);

#endif
