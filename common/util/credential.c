/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of the five credentials in lower and in upper case. */
#include "common/util/credential.h"

static const char *const names[MAUI_CREDENTIALS] = {
	[MAUI_USER] = "user", [MAUI_GROUP] = "group", [MAUI_ACCOUNT] = "account",
	[MAUI_QOS] = "qos",   [MAUI_CLASS] = "class",
};

static const char *const dimensions[MAUI_CREDENTIALS] = {
	[MAUI_USER] = "USER", [MAUI_GROUP] = "GROUP", [MAUI_ACCOUNT] = "ACCOUNT",
	[MAUI_QOS] = "QOS",   [MAUI_CLASS] = "CLASS",
};

const char *maui_credential_name(enum maui_credential type)
{
	return type < MAUI_CREDENTIALS ? names[type] : "credential";
}

const char *maui_credential_dimension(enum maui_credential type)
{
	return type < MAUI_CREDENTIALS ? dimensions[type] : "CREDENTIAL";
}
