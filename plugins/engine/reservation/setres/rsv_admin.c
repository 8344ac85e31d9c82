/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/setres/rsv_admin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugins/engine/reservation/rsv_book.h"
#include "plugins/engine/reservation/rsv_numbers.h"
#include "plugins/engine/reservation/rsv_policy.h"
#include "plugins/engine/reservation/rsv_view.h"
#include "plugins/engine/reservation/rsv_when.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/runtime/statefile.h"
#include "plugins/engine/runtime/stateload.h"
#include "plugins/engine/slurm/resvrec.h"
#include "common/state/rsv_release.h"

#define NAME "setres"

ENGINE_GUARDED static struct {
	struct maui_admin_rsvs once;
	struct maui_config *config; /* built from once */
	bool lost;                  /* Slurm may have some that are not listed */
	bool unsaved;
} admin;

/* ---- the file ---- */

/* An unrecognized value could be one that keeps somebody out. */
static int check(const struct maui_admin_rsvs *once, struct maui_error *why)
{
	struct maui_config *config = NULL;
	struct maui_sr_once *settings = NULL;
	const struct maui_problem *problems;
	int rc = maui_admin_rsvs_config(once, &config, &settings, why);
	size_t count = rc ? 0 : maui_config_problems(config, &problems);

	for (size_t i = 0; !rc && i < count; i++)
		if (problems[i].severity == MAUI_ERROR)
			rc = maui_error_set(why, EINVAL, "%.200s", problems[i].text);
	free(settings);
	maui_config_unref(config);
	return rc;
}

static int parse(const char *text, size_t size, void *result, struct maui_error *why)
{
	int rc = maui_admin_rsvs_parse(text, size, result, why);

	if (!rc)
		rc = check(result, why);
	if (rc)
		maui_admin_rsvs_clear(result);
	return rc;
}

static void read_late(void);

static const struct stateload stored = {
	.name = NAME,
	.limit = MAUI_ADMIN_RSVS_MAX_SIZE,
	.parse = parse,
	.lost = "administrative reservations that Slurm has stay as they are, but nobody gets in",
	.kept = "administrative reservations that Slurm has stay as they are, but nobody gets in, "
		"and "
		"none can be made",
	.waits = "administrative reservations that Slurm has stay as they are, but nobody gets in, "
		 "and none can be made or released",
	.again = read_late,
};

/* The file's contents until adopted; only the thread that begins the engine uses them. lost: there
 * is one, and they are not known. */
static struct {
	struct maui_admin_rsvs once;
	bool lost;
} found;

/* A shadow makes no administrative reservations and treats existing ones as Slurm's own. */
static void read_file(const struct site *site, enum engine_mode mode)
{
	enum state_answer answer;

	found.lost = false;
	if (mode != ENGINE_PRIMARY)
		return;
	answer = stateload(&stored, site->state_directory, &found.once);
	found.lost = answer != STATE_READ && answer != STATE_ABSENT;
}

int rsv_admin_save(struct maui_error *why)
{
	char *text = NULL, *directory;
	size_t size = 0;
	int rc;

	if (!engine_is_primary())
		return maui_error_set(why, EAGAIN, "this controller is no longer in charge");
	engine_lock();
	rc = maui_admin_rsvs_format(&admin.once, &text, &size);
	directory = engine_state_directory();
	admin.unsaved = false;
	engine_unlock();
	if (rc || !directory)
		rc = maui_error_set(why, ENOMEM, "out of memory");
	else
		rc = statefile_replace(directory, NAME, text, size, why);
	free(directory);
	free(text);
	if (rc) {
		engine_lock();
		admin.unsaved = true;
		engine_unlock();
	}
	return rc;
}

/* ---- in force; the mutex is held ---- */

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

/* They were valid before. What cannot be bound because memory is short is bound with the next
 * change. */
ENGINE_LOCKED static void bind_again(void)
{
	struct maui_error why = {""};

	if (put_in_force(&why))
		error("maui: %s: administrative reservations that are gone still admit jobs",
		      why.text);
}

/* They are bound again with the next policy. */
static void adopt(void)
{
	engine_assert_locked();
	maui_admin_rsvs_clear(&admin.once);
	admin.once = found.once;
	admin.lost = found.lost;
	admin.unsaved = false;
	found.once = (struct maui_admin_rsvs){0};
	bind_again();
}

/* Meanwhile none was made or released: what is in force are the closed ones. */
static void read_late(void)
{
	struct maui_admin_rsvs late = {0};
	enum state_answer answer = stateload_again(&stored, &late);

	if (answer == STATE_READ || answer == STATE_ABSENT) {
		engine_lock();
		maui_admin_rsvs_clear(&admin.once);
		admin.once = late;
		admin.lost = false;
		bind_again();
		engine_unlock();
		rsv_admin_ask(true);
		engine_lock();
		bind_again();
		rsv_when_now();
		engine_unlock();
	}
}

static void discard(void)
{
	maui_admin_rsvs_clear(&found.once);
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
	if (config && !rsv_numbers_ask(config, again, NULL))
		error("maui: out of memory: not all users of administrative reservations are "
		      "known");
	maui_config_unref(config);
}

/* ---- those that only Slurm still knows ---- */

/* This many processors of these nodes: the reservation stays where it is. */
static char *attributes_of(const slurmctld_resv_t *reservation)
{
	const char *nodes = resvrec_node_list(reservation);
	uint64_t procs = resvrec_cpus(reservation);
	char *text = NULL;
	int rc;

	if (resvrec_holds_parts(reservation) && procs != INFINITE64 && procs)
		rc = asprintf(&text,
			      "HOSTLIST=%s RESOURCES=PROCS:1 TASKCOUNT=%" PRIu64 " FLAGS=FORCE",
			      nodes, procs);
	else
		rc = asprintf(&text, "HOSTLIST=%s", nodes);
	return rc < 0 ? NULL : text;
}

static int recover_one(slurmctld_resv_t *reservation, void *context)
{
	struct maui_admin_rsv one = {.recovered = true, .made = time(NULL)};
	const char *name = resvrec_name(reservation);
	uint32_t number;
	int rc;

	(void)context;
	engine_assert_locked();
	if (!rsv_book_is_ours(reservation) || !maui_sr_once_parse(name, &number) ||
	    maui_admin_rsvs_find(&admin.once, name) || !resvrec_node_list(reservation))
		return 0;
	snprintf(one.name, sizeof(one.name), "%s", name);
	one.start = resvrec_start(reservation);
	one.end = MIN(resvrec_end(reservation), MAUI_SR_FOREVER);
	one.attributes = attributes_of(reservation);
	rc = one.attributes ? maui_admin_rsvs_add(&admin.once, &one) : -ENOMEM;
	if (rc)
		error("maui: reservation %s is not kept: %s", one.name, strerror(-rc));
	else
		info("maui: reservation %s stays, and nobody gets in: make it again with setres",
		     one.name);
	free(one.attributes);
	admin.unsaved = true;
	return 0;
}

static void recover(void)
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
	       maui_rsv_released(maui_rsv_names_find(rsv_book(), name), &list[place]);
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
	admin.unsaved = true;
	bind_again();
}

/* Before a roll: remove those that are over from the list and the file. If the file was lost,
 * restore those that Slurm still has, closed. */
static void settle(void)
{
	static bool failed; /* the engine's thread alone */
	struct maui_error why = {""};
	bool unsaved, lost;

	engine_lock();
	lost = admin.lost && !rsv_book_is_unread();
	engine_unlock();
	if (lost)
		recover();
	engine_lock();
	drop_ended(time(NULL));
	unsaved = admin.unsaved;
	engine_unlock();
	if (!unsaved)
		return;
	if (!rsv_admin_save(&why))
		failed = false;
	else if (!failed && engine_is_primary()) {
		error("maui: %s: administrative reservations that are over would come back with a "
		      "restart",
		      why.text);
		failed = true;
	}
}

static void resolve(void)
{
	rsv_admin_ask(true);
}

const struct module rsv_admin_module = {
	.read = read_file,
	.adopt = adopt,
	.discard = discard,
	.resolve = resolve,
	.after = settle,
};
