/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the service's place from the site's settings, for the service's thread. */
#include "plugins/compat/base.h"

#include "plugins/engine/service/service_place.h"

#include <stdio.h>

#include "common/report/json.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/runtime/runtime.h"

/* Taken after the engine's, never before. */
static struct mutex place_mutex = {PTHREAD_MUTEX_INITIALIZER};

GUARDED_BY(place_mutex) static struct service_place wanted;
GUARDED_BY(place_mutex) static bool changed; /* since the service's thread has followed it */

/* An old SERVERHOST, the host that the scheduler ran on, must not open a port
 * to the network, so it is ignored. */
ENGINE_LOCKED static struct service_place place_now(void)
{
	const struct site *site = &engine.site;
	struct service_place now = {.listener.owner = site->slurm_uid};

	snprintf(now.munge_socket, sizeof(now.munge_socket), "%s",
		 site->munge_socket ? site->munge_socket : "");
	if (engine.mode == ENGINE_STANDBY)
		return now;
	if (site->socket) {
		snprintf(now.listener.socket, sizeof(now.listener.socket), "%s", site->socket);
	} else {
		snprintf(now.listener.host, sizeof(now.listener.host), "%s",
			 site->address ? site->address : SITE_ADDRESS);
		now.listener.port = site->port;
	}
	if (!site->socket && !site->port)
		now.listener.port = (uint16_t)maui_config_get(in_force.policy->config,
							      MAUI_KEY_SERVERPORT, NULL)
					    ->integer;
	return now;
}

bool service_place_update(void)
{
	bool listens;

	engine_lock();
	mutex_lock(&place_mutex);
	wanted = place_now();
	changed = true;
	listens = wanted.listener.port || *wanted.listener.socket;
	mutex_unlock(&place_mutex);
	engine_unlock();
	return listens;
}

bool service_place_follow(struct service_place *ret_place)
{
	bool follow;

	mutex_lock(&place_mutex);
	follow = changed;
	changed = false;
	*ret_place = wanted;
	mutex_unlock(&place_mutex);
	return follow;
}

struct json_object *service_place_report(void)
{
	struct json_object *object = json_make_object();
	struct listener_place place;

	mutex_lock(&place_mutex);
	place = wanted.listener;
	mutex_unlock(&place_mutex);
	json_set_text(object, "address", place.host);
	json_set_number(object, "port", place.port);
	json_set_text(object, "socket", *place.socket ? place.socket : NULL);
	return object;
}
