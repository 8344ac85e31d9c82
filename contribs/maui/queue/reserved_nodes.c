/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects the nodes of reservations that overlap the job, by the answer to
 * explain-reservations and the job's --reservation.
 */
#include "contribs/maui/queue/reserved_nodes.h"

#include <stddef.h>
#include <string.h>

#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/rsv_text.h"
#include "contribs/maui/queue/machine_use.h"

/* Whether it is in force at any time of the job. */
static bool reserved_nodes_meets(struct json_object *reservation, int64_t now, int64_t span)
{
	int64_t end = rsv_end(reservation);

	return count_of(reservation, "start") < now + span && (!end || end > now);
}

static bool reserved_nodes_admits(struct json_object *admitted, const char *name)
{
	for (size_t i = 0; i < array_size(admitted); i++) {
		struct json_object *row = json_object_array_get_idx(admitted, i);

		if (!strcmp(member_text(row, "name"), name))
			return member_flag(row, "open") && member_flag(row, "admitted");
	}
	return false;
}

static void reserved_nodes_add(struct reserved_nodes *reserved, struct json_object *reservation,
			       struct json_object *admitted)
{
	bool parts = array_size(member_array(reservation, "cores")) > 0;

	name_set_add(parts || reserved_nodes_admits(admitted, member_text(reservation, "name"))
			     ? &reserved->open
			     : &reserved->closed,
		     member_text(reservation, "nodes"));
}

void reserved_nodes_read(struct json_object *queue, struct json_object *job,
			 struct json_object *admitted, int64_t span, struct reserved_nodes *ret)
{
	struct json_object *rows = member_array(queue, "reservations");
	const char *asked = member_text(job, "reservation");
	int64_t now = count_of(queue, "time");
	struct reserved_nodes reserved = {0};

	for (size_t i = 0; i < array_size(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);
		bool own = *asked && !strcmp(member_text(row, "name"), asked);

		reserved.asks |= own;
		if (own && reserved_nodes_meets(row, now, 1))
			name_set_add(&reserved.own, member_text(row, "nodes"));
		else if (!own && reserved_nodes_meets(row, now, span))
			reserved_nodes_add(&reserved, row, admitted);
	}
	name_set_close(&reserved.own);
	name_set_close(&reserved.open);
	name_set_close(&reserved.closed);
	*ret = reserved;
}

bool reserved_nodes_bar(const struct reserved_nodes *reserved, struct json_object *job,
			struct json_object *node)
{
	const char *name = member_text(node, "name");

	if (reserved->asks)
		return !name_set_has(&reserved->own, name);
	if (*member_text(job, "reservation")) /* which is hidden */
		return false;
	if (name_set_has(&reserved->closed, name))
		return true;
	return !name_set_has(&reserved->open, name) &&
	       (node_has_flag(node, "RESERVED") || node_has_flag(node, "MAINT"));
}

void reserved_nodes_clear(struct reserved_nodes *reserved)
{
	name_set_clear(&reserved->own);
	name_set_clear(&reserved->open);
	name_set_clear(&reserved->closed);
}
