/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reservations: the one that the job asks for, and those that keep it off nodes. */
#include "contribs/maui/why/why.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/rsv_text.h"
#include "contribs/maui/queue/queue.h"

/* What the engine says about one of ours; NULL: it is not ours, or nobody says. */
static struct json_object *entry_of(const struct why *why, const char *name)
{
	struct json_object *entries = member_array(why->admission, "reservations");

	for (size_t i = 0; i < array_size(entries); i++) {
		struct json_object *entry = json_object_array_get_idx(entries, i);

		if (!strcmp(member_text(entry, "name"), name))
			return entry;
	}
	return NULL;
}

/* ---- the one asked for ---------------------------------------------------------------------- */

static struct json_object *asked_facts(struct json_object *reservation, struct json_object *entry,
				       const char *name)
{
	struct json_object *facts = json_make_object();

	why_fact_text(facts, "reservation", name);
	json_set_same(facts, reservation, "start");
	why_fact_time(facts, "end", rsv_end(reservation));
	json_set_same(facts, entry, "admitted");
	if (entry)
		why_fact_text(facts, "entry", member_text(entry, "text"));
	return facts;
}

static void add_asked(struct why *why, const char *name, struct json_object *facts,
		      const char *text, const char *frees, int64_t when)
{
	char time[TEXT_DATE_SIZE];

	why_add(why, WHY_CAUSE, "reservation", facts, "it asks for reservation %s: %s", name, text);
	why_add(why, WHY_FREES, "reservation", NULL, "%s", frees);
	if (!when)
		return;
	facts = json_make_object();
	why_fact_time(facts, "time", when);
	why_add(why, WHY_WHEN, "reservation", facts, "not before %s, when the reservation begins",
		why_time(when, time));
}

void why_reservation(struct why *why)
{
	const char *name = why->asks, *reason = member_text(why->job, "reason");
	struct json_object *reservation, *entry, *facts;
	char text[600];

	if (!*name || strchr(name, ','))
		return;
	reservation = queue_find(why->queue, "reservations", name);
	entry = entry_of(why, name);
	facts = asked_facts(reservation, entry, name);
	if (entry && !member_flag(entry, "admitted")) {
		snprintf(text, sizeof(text), "%s", member_text(entry, "text"));
		add_asked(why, name, facts, text,
			  "to be admitted by its list, or not to ask for it", 0);
	} else if (entry && !member_flag(entry, "open")) {
		add_asked(why, name, facts, "it is closed to everybody",
			  "`maui diagnose -r` says what is missing", 0);
	} else if (member_integer(reservation, "start") > why->now) {
		char time[TEXT_DATE_SIZE];

		snprintf(text, sizeof(text), "it begins at %s",
			 why_time(member_integer(reservation, "start"), time));
		add_asked(why, name, facts, text,
			  "the start of the reservation, or not to ask for it",
			  member_integer(reservation, "start"));
	} else if (!reservation && !entry) {
		add_asked(why, name, facts, "there is none of this name, or it is not yours to see",
			  "not to ask for it", 0);
	} else if (!strcmp(reason, "Reservation") || !strcmp(reason, "ReservationDeleted")) {
		add_asked(why, name, facts, "Slurm does not let it in",
			  "to be admitted by it, or not to ask for it", 0);
	} else {
		json_object_put(facts);
	}
}

/* ---- those in the way ----------------------------------------------------------------------- */

/* Whether a job that started now would overlap it. */
static bool why_reservation_overlaps(const struct why *why, struct json_object *reservation,
				     int64_t walltime)
{
	int64_t start = member_integer(reservation, "start"), end = rsv_end(reservation);

	return (end <= 0 || end > why->now) &&
	       (walltime == INT64_MAX || start < why->now + walltime);
}

/* Why it does not admit the job; false: it does. */
static bool keeps_off(struct why *why, struct json_object *reservation, char *text, size_t size)
{
	struct json_object *entry = entry_of(why, member_text(reservation, "name"));
	const char *users = member_text(reservation, "users"),
		   *accounts = member_text(reservation, "accounts");

	*text = '\0';
	if (entry && member_flag(entry, "admitted") && member_flag(entry, "open"))
		return strcmp(member_text(why->admission, "pass"), "engine") != 0 &&
		       (snprintf(text, size, "it would admit the job, which has no pass yet"),
			true);
	if (entry && member_flag(entry, "admitted"))
		snprintf(text, size, "it is closed to everybody");
	else if (entry)
		snprintf(text, size, "%s", member_text(entry, "text"));
	else if (member_integer(reservation, "max_start_delay") > 0 && !why->admission)
		snprintf(text, size,
			 "only the engine can check whether its access list admits the job");
	else
		snprintf(text, size, "of %s%s%s%s, and the job does not ask for it",
			 *users ? "users " : "", users,
			 !*accounts ? ""
			 : *users   ? " accounts "
				    : "accounts ",
			 accounts);
	return true;
}

static struct json_object *cores_of(struct json_object *reservation)
{
	struct json_object *cores = member_array(reservation, "cores");

	return array_size(cores) ? cores : NULL;
}

static struct json_object *parts_of(struct json_object *cores)
{
	struct json_object *parts = json_make_object();

	for (size_t i = 0; i < array_size(cores); i++) {
		struct json_object *part = json_object_array_get_idx(cores, i);

		json_set_number(parts, member_text(part, "node"),
				rsv_cores(member_text(part, "cores")));
	}
	return parts;
}

struct json_object *why_reserved(struct why *why, struct json_object *partition)
{
	struct json_object *all = member_array(why->queue, "reservations");
	struct json_object *found = json_make_object();
	int64_t walltime = why_walltime(why->job, partition);
	char text[600];

	for (size_t i = 0; i < array_size(all); i++) {
		struct json_object *reservation = json_object_array_get_idx(all, i), *one;
		const char *name = member_text(reservation, "name");

		if (!strcmp(name, why->asks) ||
		    !why_reservation_overlaps(why, reservation, walltime) ||
		    !keeps_off(why, reservation, text, sizeof(text)))
			continue;
		one = json_make_object();
		why_fact_text(one, "text", text);
		json_set_same(one, reservation, "start");
		why_fact_time(one, "end", rsv_end(reservation));
		json_set(one, "set", why_node_set(member_text(reservation, "nodes")));
		if (cores_of(reservation))
			json_set(one, "parts", parts_of(cores_of(reservation)));
		json_set(found, name, one);
	}
	return found;
}
