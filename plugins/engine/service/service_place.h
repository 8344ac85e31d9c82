/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the service listens, and where munged does: as slurm.conf says, the port also maui.cfg. */
#ifndef MAUI_ENGINE_SERVICE_PLACE_H
#define MAUI_ENGINE_SERVICE_PLACE_H

#include <json-c/json.h>
#include <stdbool.h>

#include "plugins/engine/service/listener.h"

struct service_place {
	struct listener_place listener;
	char munge_socket[256]; /* "": munge's own */
};

/* Looks it up anew. Returns whether the service listens at all: not on standby. No lock held. */
bool service_place_update(void);

/* The place, if it has been looked up since the last call; else false. */
bool service_place_follow(struct service_place *ret_place);

/* {"address", "port", "socket"} where it listens, or tries to. */
struct json_object *service_place_report(void);

#endif
