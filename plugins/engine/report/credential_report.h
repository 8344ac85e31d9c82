/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diagnose-credentials: credentials of one type with what maui.cfg says about them, their limits,
 * what is in use, and what is left, as one user may see it. */
#ifndef MAUI_ENGINE_CREDENTIAL_REPORT_H
#define MAUI_ENGINE_CREDENTIAL_REPORT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <sys/types.h>

#include "common/queue/snapshot.h"
#include "common/util/credential.h"

struct credential_filter {
	uid_t uid;     /* who asks */
	bool sees_all; /* PrivateData does not bind root, SlurmUser and ADMIN1..3 */
	enum maui_credential type;
	const char *name; /* NULL: all */
};

/* Reads a request's arguments. NULL, or what is wrong with them. */
const char *credential_filter_read(struct json_object *arguments, struct credential_filter *filter);

/* The answer's data. Takes the engine's mutex. */
struct json_object *credential_report(const struct maui_snapshot *snapshot,
				      const struct credential_filter *filter);

#endif
