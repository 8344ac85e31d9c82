/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of users and groups in answers, from the name service; see principals_ask.h. No lock is
 * held. */
#ifndef MAUI_ENGINE_NAME_TEXTS_H
#define MAUI_ENGINE_NAME_TEXTS_H

#include <json-c/json.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/credential.h"

/* The name of a uid or gid, or the number if nobody has it, malloc'ed. If the name service does not
 * answer, it is the last name known, else the number, and *unanswered grows by 1. */
char *name_text(enum maui_credential type, uint32_t number, size_t *unanswered);

/* "names_unanswered": for how many names in this answer the name service had none; absent if 0. */
void name_texts_add_unanswered(struct json_object *data, size_t unanswered);

#endif
