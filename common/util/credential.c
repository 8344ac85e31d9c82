/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/util/credential.h"

static const char *const names[MAUI_CREDENTIALS] = {
	[MAUI_USER] = "user", [MAUI_GROUP] = "group", [MAUI_ACCOUNT] = "account",
	[MAUI_QOS] = "qos",   [MAUI_CLASS] = "class",
};

const char *maui_credential_name(enum maui_credential type)
{
	return type < MAUI_CREDENTIALS ? names[type] : "credential";
}
