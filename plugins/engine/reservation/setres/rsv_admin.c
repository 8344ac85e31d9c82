/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts the list of administrative reservations in force, drops those that are
 * over, and restores them from Slurm, closed, if the file is lost.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/setres/rsv_admin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/state/rsv_release.h"
#include "common/util/memory.h"
#include "plugins/engine/reservation/rsv_name_table.h"
#include "plugins/engine/reservation/rsv_numbers.h"
#include "plugins/engine/reservation/rsv_policy.h"
#include "plugins/engine/reservation/rsv_view.h"
#include "plugins/engine/reservation/rsv_when.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/resvrec.h"

ENGINE_GUARDED static struct {
	struct maui_admin_rsvs once;
	struct maui_config *config; /* built from once */
	bool lost;                  /* Slurm may have some that are not listed */
} admin;

/* ---- the file ---- */

/* What the file says, until it is adopted: the thread that begins, then the engine's own. */
static struct maui_admin_rsvs found;

static void take_late(enum state_answer answer);

/* A shadow makes no administrative reservations and treats existing ones as Slurm's own. */
struct state_file setres_file = {
	.format = &maui_admin_rsvs_file,
	.interval = 1,
	.found = &found,
	.late = take_late,
	.live = &admin.once,
};

int rsv_admin_save(struct maui_error *why)
{
	if (!engine_is_primary())
		return maui_error_set(why, EAGAIN, "this controller is no longer in charge");
	return state_write(&setres_file, why);
}

/* ---- in force ---- */

ENGINE_LOCKED static int put_in_force(struct maui_error *why)
{
	struct maui_config *config = NULL;
	struct maui_sr_once *settings = NULL;
	int rc = maui_admin_rsvs_config(&admin.once, &config, &settings, why);

	if (rc)
		return rc;
	maui_config_unref(admin.config);
	admin.config = maui_config_ref(config);
	rsv_policy_once(config, settings, admin.once.count);
	rsv_view_forget();
	return 0;
}

/* They were valid before. */
ENGINE_LOCKED static void bind_again(void)
{
	struct maui_error why = {""};

	if (put_in_force(&why))
		error("maui: %s: administrative reservations that are gone still admit jobs",
		      why.text);
}

static bool is_known(enum state_answer answer)
{
	return answer == STATE_READ || answer == STATE_ABSENT;
}

ENGINE_LOCKED static void take(enum state_answer answer)
{
	maui_admin_rsvs_clear(&admin.once);
	admin.once = found;
	admin.lost = !is_known(answer);
	found = (struct maui_admin_rsvs){0};
}

/* They are bound again with the next policy. */
static void admin_adopt(void)
{
	engine_assert_locked();
	take(setres_file.answer);
	bind_again();
}

/* Meanwhile none was made or released: what is in force are the closed ones. */
static void take_late(enum state_answer answer)
{
	if (!is_known(answer))
		return;
	engine_lock();
	take(answer);
	bind_again();
	engine_unlock();
	rsv_admin_ask(true);
	engine_lock();
	bind_again();
	rsv_when_now();
	engine_unlock();
}

const struct maui_admin_rsvs *rsv_admin_list(void)
{
	return &admin.once;
}

int rsv_admin_add(const struct maui_admin_rsv *one, struct maui_error *why)
{
	int rc = maui_admin_rsvs_add(&admin.once, one);

	if (rc == -ENOSPC)
		return maui_error_set(why, ENOSPC,
				      "there are too many administrative reservations: %zu of %u",
				      admin.once.count, MAUI_ADMIN_RSVS_MAX);
	if (rc)
		return maui_error_set(why, -rc, "%s: %s", one->name, strerror(-rc));
	rc = put_in_force(why);
	if (rc)
		maui_admin_rsvs_drop(&admin.once, one->name);
	return rc;
}

void rsv_admin_drop(const char *name)
{
	maui_admin_rsvs_drop(&admin.once, name);
	bind_again();
}

void rsv_admin_ask(bool again)
{
	struct maui_config *config;

	engine_lock();
	config = admin.config ? maui_config_ref(admin.config) : NULL;
	engine_unlock();
	if (config)
		rsv_numbers_ask(config, again, NULL);
	maui_config_unref(config);
}

/* ---- those that only Slurm still has ---- */

/* This many processors of these nodes: the reservation stays where it is. */
static char *attributes_of(const slurmctld_resv_t *reservation)
{
	const char *nodes = resvrec_node_list(reservation);
	uint64_t procs = resvrec_cpus(reservation);

	if (resvrec_holds_parts(reservation) && procs != INFINITE64 && procs)
		return maui_asprintf("HOSTLIST=%s RESOURCES=PROCS:1 TASKCOUNT=%" PRIu64
				     " FLAGS=FORCE",
				     nodes, procs);
	return maui_asprintf("HOSTLIST=%s%s", nodes,
			     resvrec_is_maint(reservation) ? " FLAGS=MAINT" : "");
}

static int recover_one(slurmctld_resv_t *reservation, void *context)
{
	struct maui_admin_rsv one = {.recovered = true, .made = time(NULL)};
	const char *name = resvrec_name(reservation);
	uint32_t number;
	int rc;

	(void)context;
	engine_assert_locked();
	if (!rsv_name_table_is_ours(reservation) || !maui_sr_once_parse(name, &number) ||
	    maui_admin_rsvs_find(&admin.once, name) || !resvrec_node_list(reservation))
		return 0;
	snprintf(one.name, sizeof(one.name), "%s", name);
	one.start = resvrec_start(reservation);
	one.end = MIN(resvrec_end(reservation), MAUI_SR_FOREVER);
	one.attributes = attributes_of(reservation);
	rc = maui_admin_rsvs_add(&admin.once, &one);
	if (rc)
		error("maui: reservation %s is not kept: %s", one.name, strerror(-rc));
	else
		info("maui: reservation %s stays, and nobody gets in: make it again with setres",
		     one.name);
	free(one.attributes);
	setres_file.changed = true;
	return 0;
}

static void admin_recover(void)
{
	slurmctld_lock_t node_read = {.node = READ_LOCK};

	lock_slurmctld(node_read);
	engine_lock();
	if (admin.lost)
		resvrec_each(recover_one, NULL);
	if (admin.lost)
		bind_again();
	admin.lost = false;
	engine_unlock();
	unlock_slurmctld(node_read);
}

/* ---- those that are over ---- */

/* SINGLEUSE: it was used and is gone for good. */
ENGINE_LOCKED static bool is_spent(const char *name)
{
	const struct maui_sr *list;
	size_t count = rsv_policy_list(&list);
	int64_t date;
	uint32_t place = rsv_policy_find(name, &date);

	return place < count &&
	       maui_rsv_released(maui_rsv_names_find(rsv_name_table(), name), &list[place]);
}

/* The mutex is held. */
ENGINE_LOCKED static void drop_ended(int64_t now)
{
	size_t before = admin.once.count;

	for (size_t i = admin.once.count; i-- > 0;) {
		const struct maui_admin_rsv *one = admin.once.list[i];
		bool spent = is_spent(one->name);

		if (one->end > now && !spent)
			continue;
		info("maui: reservation %s %s", one->name, spent ? "has been used" : "is over");
		maui_admin_rsvs_drop(&admin.once, one->name);
	}
	if (admin.once.count == before)
		return;
	setres_file.changed = true;
	bind_again();
}

/* Before a roll: remove those that are over from the list and the file. If the file was lost,
 * restore those that Slurm still has, closed. */
static void admin_settle(void)
{
	bool lost;

	engine_lock();
	lost = admin.lost && !rsv_name_table_is_unread();
	engine_unlock();
	if (lost)
		admin_recover();
	engine_lock();
	drop_ended(time(NULL));
	engine_unlock();
}

static void admin_resolve(void)
{
	rsv_admin_ask(true);
}

const struct module rsv_admin_module = {
	.adopt = admin_adopt,
	.resolve = admin_resolve,
	.after = admin_settle,
};
