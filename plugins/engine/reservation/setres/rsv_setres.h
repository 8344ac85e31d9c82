/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * setres and releaseres: a thread of the service hands an order to the engine's
 * thread, which carries it out, including the roll it needs, and reports the
 * outcome. An order is either withdrawn before it is begun, or carried out to
 * the end.
 */
#ifndef MAUI_ENGINE_RSV_SETRES_H
#define MAUI_ENGINE_RSV_SETRES_H

#include <json-c/json.h>

#include "plugins/compat/base.h"
#include "common/state/admin_rsv.h"
#include "plugins/engine/runtime/module.h"

/* The requester. */
struct rsv_asker {
	uint32_t uid;
	bool admin; /* root, SlurmUser, ADMIN1, ADMIN2: may do anything */
};

/* An order; everything in it is malloc'ed. */
struct rsv_order {
	struct rsv_asker asker;
	/* setres: its name is `base` with a free number. */
	bool make;
	struct maui_admin_rsv one;
	char base[MAUI_SR_NAME_MAX + 1];
	/* releaseres */
	char **names;
	size_t name_count;
	/* The outcome, one of these: */
	char *refused; /* why nothing was done */
	struct json_object
		*data; /* the answer's; for setres with an array "notes" from the start */
	/* Shared by the threads: */
	ENGINE_GUARDED struct rsv_order *next;
	ENGINE_GUARDED enum { RSV_WAITS, RSV_UNDER_WAY, RSV_DONE, RSV_ABANDONED } state;
};

struct rsv_order *rsv_order_new(const struct rsv_asker *asker);
struct rsv_order *rsv_order_free(struct rsv_order *order); /* accepts NULL */

/* A thread of the service: have the order carried out, and wait for that, 8
 * seconds at most. Takes ownership of the order. NULL and *ret_data, or the
 * reason for failure: either *ret_text, which the caller frees, or a
 * constant. */
const char *rsv_setres_order(struct rsv_order *order, struct json_object **ret_data,
			     char **ret_text);

extern const struct module rsv_setres_module;

#endif
