/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a user or group that somebody asks for is one: an answer that is empty for a typing
 * mistake would mislead. */
#ifndef MAUI_CREDENTIAL_KNOWN_H
#define MAUI_CREDENTIAL_KNOWN_H

#include <stdbool.h>

#include <json-c/json.h>

/*
 * type: as the service names them; of accounts, classes and QOS this machine does not know which
 * there are, and all pass. name: a name, or a user's or group's number. True, or says that there is
 * none.
 */
bool credential_is_known(const char *type, const char *name);

/* The same; whom the jobs of a maui.queue/1 belong to is known, too: it may be of another
 * machine. */
bool credential_is_in(struct json_object *jobs, const char *type, const char *name);

#endif
