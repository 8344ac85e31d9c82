/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A replay's table of reservations has 10 rows at most, in processor-hours and
 * percent of the reserved time; JSON has all, in processor-seconds.
 */
#include "contribs/maui/replay/report/replay_reserved.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/report/json.h"
#include "common/util/memory.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/terminal.h"

#define MOST       10 /* reservations of a table */
#define MOST_USERS 3
#define NAME_SIZE  17

static const struct maui_replay_reservations *of_side(const struct replay_report *report,
						      size_t side)
{
	return &report->side[side].schedule.reservations;
}

static bool is_there(const struct replay_reserved_list *list,
		     const struct maui_replay_reservations *others, size_t number)
{
	const struct maui_replay_reserved *wanted = &others->list[number];

	for (size_t i = 0; i < list->count; i++)
		if (maui_replay_reserved_like(others, list->each[i]) == wanted)
			return true;
	return false;
}

struct replay_reserved_list replay_reserved_list(const struct replay_report *report, size_t side)
{
	struct replay_reserved_list list = {0};
	size_t room = 1;

	for (size_t i = 0; i < report->count; i++)
		room += of_side(report, i)->count;
	list.each = maui_calloc(room, sizeof(*list.each));
	for (size_t i = 0; i < report->count; i++) {
		const struct maui_replay_reservations *all = of_side(report, i);

		for (size_t j = 0; (!i || i == side || side == ALL_SIDES) && j < all->count; j++)
			if (!is_there(&list, all, j))
				list.each[list.count++] = &all->list[j];
	}
	return list;
}

double replay_reserved_part(const struct maui_replay_reserved *reserved, double part)
{
	return reserved->reserved > 0 ? part / reserved->reserved * 100 : 0;
}

/* ---- on the terminal ---- */

static void print_name(const struct maui_replay_reserved *reserved)
{
	char name[NAME_SIZE];

	printf("  %-16s", clean_copy(reserved->name, name, sizeof(name)));
}

static void print_users(const struct maui_replay_reserved *reserved)
{
	const struct maui_replay_reservers *users = &reserved->users;

	for (size_t i = 0; i < users->count && i < MOST_USERS; i++) {
		printf(i ? ", " : "  ");
		print_clean(users->top[i].name);
		printf(" (%.0f %%)", users->top[i].used / reserved->used * 100);
	}
	if (reserved->maintenance)
		printf("  maintenance");
	if (reserved->lacking)
		printf("  lacked tasks for %.1f h", (double)reserved->lacking / 3600);
}

void replay_print_reserved(const struct replay_side *side)
{
	const struct maui_replay_reservations *all = &side->schedule.reservations;

	if (!all->count)
		return;
	printf("  %sreservation      reserved, h   used %%  others %%   away %%   idle %%  kept, h "
	       "  "
	       "jobs  who%s\n",
	       mark(MARK_TITLE), mark(MARK_END));
	for (size_t i = 0; i < all->count && i < MOST; i++) {
		const struct maui_replay_reserved *each = &all->list[i];

		print_name(each);
		printf(" %11.1f %8.1f %9.1f %8.1f %8.1f %8.1f %6zu", each->reserved / 3600,
		       replay_reserved_part(each, each->used),
		       replay_reserved_part(each, each->taken),
		       replay_reserved_part(each, each->away),
		       replay_reserved_part(each, each->idle), each->kept / 3600, each->jobs);
		print_users(each);
		putchar('\n');
	}
	if (all->count > MOST)
		printf("  and %zu more reservations\n", all->count - MOST);
}

/* Under the other schedule there is no such reservation. */
static void print_only(const struct replay_side *side, const struct maui_replay_reserved *reserved)
{
	printf(" only under ");
	print_clean(side->name);
	printf(": reserved %.1f h; %.1f %% of it used; kept %.1f h from others\n",
	       reserved->reserved / 3600, replay_reserved_part(reserved, reserved->used),
	       reserved->kept / 3600);
}

static void print_change(const struct maui_replay_reserved *first,
			 const struct maui_replay_reserved *second)
{
	printf(" reserved %.1f h, not %.1f h; %.1f %% of it used, not %.1f %%; kept %.1f h from "
	       "others, not %.1f h\n",
	       second->reserved / 3600, first->reserved / 3600,
	       replay_reserved_part(second, second->used), replay_reserved_part(first, first->used),
	       second->kept / 3600, first->kept / 3600);
}

void replay_print_reserved_changes(const struct replay_report *report, size_t side)
{
	struct replay_reserved_list list = replay_reserved_list(report, side);

	for (size_t i = 0; i < list.count && i < MOST; i++) {
		const struct maui_replay_reserved *first =
			maui_replay_reserved_like(of_side(report, 0), list.each[i]);
		const struct maui_replay_reserved *second =
			maui_replay_reserved_like(of_side(report, side), list.each[i]);

		if (first->reserved == second->reserved && first->used == second->used &&
		    first->kept == second->kept)
			continue;
		print_name(list.each[i]);
		if (second->reserved <= 0)
			print_only(&report->side[0], first);
		else if (first->reserved <= 0)
			print_only(&report->side[side], second);
		else
			print_change(first, second);
	}
	free(list.each);
}

/* ---- as JSON ---- */

static struct json_object *reservers_json(const struct maui_replay_reservers *reservers)
{
	struct json_object *list = json_make_array();

	for (size_t i = 0; i < reservers->count; i++) {
		struct json_object *object = json_make_object();

		json_set_text(object, "name", reservers->top[i].name);
		json_set_real(object, "used", reservers->top[i].used);
		json_append(list, object);
	}
	return list;
}

static void replay_reserved_name(struct json_object *object,
				 const struct maui_replay_reserved *reserved)
{
	json_set_text(object, "name", reserved->name);
	json_set_flag(object, "maintenance", reserved->maintenance);
}

struct json_object *replay_reserved_json(const struct replay_side *side)
{
	const struct maui_replay_reservations *all = &side->schedule.reservations;
	struct json_object *list = all->list ? json_make_array() : NULL;

	for (size_t i = 0; list && i < all->count; i++) {
		const struct maui_replay_reserved *each = &all->list[i];
		struct json_object *object = json_make_object();

		replay_reserved_name(object, each);
		json_set_real(object, "reserved", each->reserved);
		json_set_real(object, "used", each->used);
		json_set_real(object, "taken", each->taken);
		json_set_real(object, "away", each->away);
		json_set_real(object, "idle", each->idle);
		json_set_real(object, "kept", each->kept);
		json_set_number(object, "lacking", each->lacking);
		json_set_number(object, "jobs", (int64_t)each->jobs);
		json_set(object, "users", reservers_json(&each->users));
		json_set_number(object, "more_users", (int64_t)each->users.more);
		json_set(object, "accounts", reservers_json(&each->accounts));
		json_set_number(object, "more_accounts", (int64_t)each->accounts.more);
		json_append(list, object);
	}
	return list;
}

struct json_object *replay_reserved_changes_json(const struct replay_report *report, size_t side)
{
	struct replay_reserved_list list = replay_reserved_list(report, side);
	struct json_object *changes = json_make_array();

	for (size_t i = 0; i < list.count; i++) {
		const struct maui_replay_reserved *first =
			maui_replay_reserved_like(of_side(report, 0), list.each[i]);
		const struct maui_replay_reserved *second =
			maui_replay_reserved_like(of_side(report, side), list.each[i]);
		struct json_object *object = json_make_object();

		replay_reserved_name(object, list.each[i]);
		json_set_real(object, "reserved", second->reserved - first->reserved);
		json_set_real(object, "used", second->used - first->used);
		json_set_real(object, "idle", second->idle - first->idle);
		json_set_real(object, "kept", second->kept - first->kept);
		json_append(changes, object);
	}
	free(list.each);
	return changes;
}
