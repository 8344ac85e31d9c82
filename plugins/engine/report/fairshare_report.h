/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `maui diagnose -f` shows: the service's diagnose-fairshare. */
#ifndef MAUI_ENGINE_FAIRSHARE_REPORT_H
#define MAUI_ENGINE_FAIRSHARE_REPORT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <sys/types.h>

#include "common/util/credential.h"

struct fairshare_filter {
	enum maui_credential type; /* MAUI_CREDENTIALS: all */
	uid_t uid;
	bool sees_all; /* else PrivateData=usage leaves users only their own row */
};

/* The windows as they are now. Takes the mutex. */
struct json_object *fairshare_report(const struct fairshare_filter *filter);

#endif
