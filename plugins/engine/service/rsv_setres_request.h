/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The service's set-reservation and release-reservations (contribs/doc/service.md): from JSON to an
 * order. */
#ifndef MAUI_ENGINE_RSV_SETRES_REQUEST_H
#define MAUI_ENGINE_RSV_SETRES_REQUEST_H

#include "plugins/engine/reservation/setres/rsv_setres.h"

/* A thread of the service, no lock held. NULL and *ret_data, or why not: a
 * constant, or *ret_text, which the caller frees. */
const char *rsv_setres_make(const struct rsv_asker *asker, struct json_object *arguments,
			    struct json_object **ret_data, char **ret_text);
const char *rsv_setres_release(const struct rsv_asker *asker, struct json_object *arguments,
			       struct json_object **ret_data, char **ret_text);

#endif
