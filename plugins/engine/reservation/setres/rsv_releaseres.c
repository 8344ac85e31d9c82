/* SPDX-License-Identifier: GPL-2.0-or-later */
/* releaseres: handles each of the names. */
#include "plugins/compat/base.h"

#include <stdlib.h>
#include <string.h>

#include "common/report/json.h"
#include "common/util/memory.h"
#include "plugins/engine/reservation/roll/rsv_roll.h"
#include "plugins/engine/reservation/rsv_name_table.h"
#include "plugins/engine/reservation/rsv_policy.h"
#include "plugins/engine/reservation/setres/rsv_admin.h"
#include "plugins/engine/reservation/setres/rsv_setres_private.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/resvrec.h"

enum outcome {
	RELEASED,
	CANCELLED,   /* an instance of a standing reservation */
	NOT_THERE,   /* no reservation has this name */
	NOT_OURS,    /* somebody else made it */
	NOT_ALLOWED, /* the requester did not make it */
	STANDING,    /* the name of a standing reservation, which may have many instances */
	FAILED,
	OUTCOMES
};

struct release {
	const char *name;
	enum outcome outcome;
	struct maui_admin_rsv *copy; /* RELEASED: what it was */
};

/* Texts before and after the name; none if it was released or cancelled. */
static const struct {
	const char *word, *before, *behind;
} outcomes[OUTCOMES] = {
	[RELEASED] = {"released", NULL, NULL},
	[CANCELLED] = {"cancelled", NULL, NULL},
	[NOT_THERE] = {"not-there", "cannot locate reservation '", "'"},
	[NOT_OURS] = {"not-ours", "reservation '",
		      "' is not one of Maui's: scontrol delete reservation removes it"},
	[NOT_ALLOWED] = {"not-allowed", "reservation '", "' is not yours to release"},
	[STANDING] = {"standing", "'",
		      "' is a standing reservation of maui.cfg: release one of its instances, as "
		      "showres names them"},
	[FAILED] = {"failed", "reservation '", "' is still there: slurmctld's log says why"},
};

ENGINE_LOCKED static bool is_standing(const char *name)
{
	const struct maui_sr *list;
	size_t count = rsv_policy_list(&list);

	for (size_t i = 0; i < count; i++)
		if (list[i].period != MAUI_SR_ONCE && !strcmp(list[i].name, name))
			return true;
	return false;
}

/* Whether there is, or should be, an instance of this name. */
ENGINE_LOCKED static bool is_instance(const char *name)
{
	int64_t date;

	return rsv_policy_find(name, &date) != UINT32_MAX &&
	       maui_rsv_names_find(rsv_name_table(), name);
}

static bool may_release(const struct rsv_asker *asker, const struct maui_admin_rsv *one)
{
	return asker->admin || one->uid == asker->uid;
}

/* The mutex is held; node read lock. */
ENGINE_LOCKED static void release_one(struct release *release, const struct rsv_asker *asker)
{
	const struct maui_admin_rsv *one = maui_admin_rsvs_find(rsv_admin_list(), release->name);

	if (one && !may_release(asker, one)) {
		release->outcome = NOT_ALLOWED;
	} else if (one) {
		release->copy = maui_admin_rsv_copy(one);
		release->outcome = release->copy ? RELEASED : FAILED;
		if (release->copy)
			rsv_admin_drop(release->name);
	} else if (is_instance(release->name)) {
		release->outcome = !asker->admin                    ? NOT_ALLOWED
				   : rsv_roll_cancel(release->name) ? CANCELLED
								    : FAILED;
	} else if (resvrec_find(release->name)) {
		release->outcome = NOT_OURS;
	} else {
		release->outcome = is_standing(release->name) ? STANDING : NOT_THERE;
	}
}

/* Keep those whose release could not be saved: they would come back. */
static void keep_released(struct release *list, size_t count)
{
	struct maui_error why = {""};

	engine_lock();
	for (size_t i = 0; i < count; i++)
		if (list[i].outcome == RELEASED) {
			rsv_admin_add(list[i].copy, &why);
			list[i].outcome = FAILED;
		}
	engine_unlock();
}

static bool any_is(const struct release *list, size_t count, enum outcome outcome)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].outcome == outcome)
			return true;
	return false;
}

static bool is_in_slurm(const char *name)
{
	slurmctld_lock_t node_read = {.node = READ_LOCK};
	bool there;

	lock_slurmctld(node_read);
	there = resvrec_find(name);
	unlock_slurmctld(node_read);
	return there;
}

static void carry_out(struct release *list, size_t count)
{
	struct maui_error why = {""};

	if (any_is(list, count, RELEASED) && rsv_admin_save(&why)) {
		error("maui: %s: administrative reservations stay as they are", why.text);
		keep_released(list, count);
	}
	if (!any_is(list, count, RELEASED) && !any_is(list, count, CANCELLED))
		return;
	rsv_setres_roll();
	for (size_t i = 0; i < count; i++)
		if ((list[i].outcome == RELEASED || list[i].outcome == CANCELLED) &&
		    is_in_slurm(list[i].name))
			list[i].outcome = FAILED;
}

static struct json_object *tell_released(const struct release *list, size_t count)
{
	struct json_object *data = json_make_object();
	struct json_object *array = json_make_array();

	for (size_t i = 0; i < count; i++) {
		struct json_object *one = json_make_object();
		enum outcome outcome = list[i].outcome;
		bool gone = !outcomes[outcome].before;
		char text[MAUI_SR_INSTANCE_SIZE + 160];

		json_set_text(one, "name", list[i].name);
		json_set_flag(one, "released", gone);
		json_set_text(one, "outcome", outcomes[outcome].word);
		if (!gone)
			snprintf(text, sizeof(text), "%s%s%s", outcomes[outcome].before,
				 list[i].name, outcomes[outcome].behind);
		json_set_text(one, "text", gone ? NULL : text);
		json_append(array, one);
	}
	json_set(data, "reservations", array);
	return data;
}

void rsv_releaseres(struct rsv_order *order)
{
	slurmctld_lock_t node_read = {.node = READ_LOCK};
	struct release *list = maui_calloc(order->name_count + 1, sizeof(*list));

	lock_slurmctld(node_read);
	engine_lock();
	for (size_t i = 0; i < order->name_count; i++) {
		list[i].name = order->names[i];
		release_one(&list[i], &order->asker);
	}
	engine_unlock();
	unlock_slurmctld(node_read);
	carry_out(list, order->name_count);
	order->data = tell_released(list, order->name_count);
	for (size_t i = 0; i < order->name_count; i++) {
		if (list[i].copy)
			free(list[i].copy->attributes);
		free(list[i].copy);
	}
	free(list);
}
