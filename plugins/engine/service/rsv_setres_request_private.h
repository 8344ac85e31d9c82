/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between rsv_setres_request.c, which reads a request, and rsv_setres_judge.c,
 * which compiles what was read and says what is wrong with it. A thread of the
 * service, no lock held. */
#ifndef MAUI_ENGINE_RSV_SETRES_REQUEST_PRIVATE_H
#define MAUI_ENGINE_RSV_SETRES_REQUEST_PRIVATE_H

#include <json-c/json.h>

#include "plugins/engine/reservation/setres/rsv_setres.h"

/* What is being read, and the first thing wrong with it. */
struct rsv_setres_reading {
	struct json_object *arguments;
	struct rsv_order *order;
	char *attributes; /* grows */
	size_t size, room;
	bool people; /* there is an access list */
	char *wrong;
};

/* Sets what is wrong, unless something is already. */
void rsv_setres_refuse(struct rsv_setres_reading *reading, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The text of a member of the request; NULL if there is none; another type is refused. */
const char *rsv_setres_text(struct rsv_setres_reading *reading, const char *name);

/* Judges whether there can be such a reservation; gives the order its base name and its notes. user
 * is bound by the rules of RESCTLPOLICY ANY; NULL: an administrator. */
void rsv_setres_judge(struct rsv_setres_reading *reading, const char *user);

#endif
