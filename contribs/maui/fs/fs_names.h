/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Users and groups as maui.cfg, Maui's own files and sacct name them. Digits there are a name, if
 * this machine has such a user or group, else a number; in our files they are always a number
 * (common/util/principal_text.h).
 */
#ifndef MAUI_FS_NAMES_H
#define MAUI_FS_NAMES_H

#include <stdbool.h>

#include "common/util/credential.h"
#include "common/util/principal_text.h"
#include "contribs/maui/lib/name_service.h"

/*
 * *ret_text: what our files have for a credential of this name; name itself, or text. The name
 * service is asked about digits alone. NAME_NOT_ANSWERED: it does not say, and they are taken as a
 * number.
 */
enum name_answer fs_name_text(enum maui_credential type, const char *name,
			      char text[MAUI_PRINCIPAL_TEXT_SIZE], const char **ret_text);

/* The name in such a text, copied if it has quotation marks. *ret_number: it is a number
 * without a name. */
const char *fs_name_of(enum maui_credential type, const char *text,
		       char name[MAUI_PRINCIPAL_TEXT_SIZE], bool *ret_number);

#endif
