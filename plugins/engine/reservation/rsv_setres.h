/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * setres and releaseres: what the service's thread hands to the engine's, which carries it out,
 * with the roll that belongs to it, and tells the outcome. An order is done whole, or nothing of it
 * is.
 */
#ifndef MAUI_ENGINE_RSV_SETRES_H
#define MAUI_ENGINE_RSV_SETRES_H

#include <json-c/json.h>

#include "plugins/compat/base.h"
#include "common/state/admin_rsv.h"
#include "plugins/engine/runtime/module.h"

/* Who asks. */
struct rsv_asker {
	uint32_t uid;
	bool admin; /* root, SlurmUser, ADMIN1, ADMIN2: all is allowed */
};

/* What is ordered; all of it malloc'ed. */
struct rsv_order {
	struct rsv_asker asker;
	/* setres: its name is `base`, with a number that is free. */
	bool make;
	struct maui_admin_rsv one;
	char base[MAUI_SR_NAME_MAX + 1];
	/* releaseres */
	char **names;
	size_t name_count;
	/* The outcome, of which there is one: */
	char *refused; /* why nothing was done */
	struct json_object
		*data; /* of the answer; of setres it has an array of "notes" from the beginning */
	/* Between the threads: */
	struct rsv_order *next;
	enum { RSV_WAITS, RSV_UNDER_WAY, RSV_DONE, RSV_ABANDONED } state;
};

struct rsv_order *rsv_order_new(const struct rsv_asker *asker); /* NULL when memory is short */
struct rsv_order *rsv_order_free(struct rsv_order *order);      /* accepts NULL */

/* The service's thread: have it carried out, and wait for that, some seconds at most. Uses up the
 * order. NULL and *ret_data, or why not: a text that is *ret_text's, to be freed, or a constant. */
const char *rsv_setres_order(struct rsv_order *order, struct json_object **ret_data,
			     char **ret_text);

extern const struct module rsv_setres_module;

#endif
