/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks up names with getpwnam_r(), getgrnam_r() and their inverses. Failed
 * calls of PATIENCE seconds in total stop all lookups until the next retry.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/policy/principals_ask.h"

#include <errno.h>
#include <grp.h>
#include <math.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/memory.h"
#include "common/util/name_error.h"
#include "common/util/principal_text.h"
#include "plugins/engine/policy/names_kept.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/logged.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/runtime.h"

/* A group's members can be many. */
#define BUFFER_FIRST (64u << 10)
#define BUFFER_MOST  (16u << 20)
/* Seconds that calls without an answer may take before the others are not even tried. */
#define PATIENCE 5
/* Seconds until names without an answer are asked for again. */
#define PAUSE_FIRST 5
#define PAUSE_MOST  300

/* ---- when to ask again ---- */

static struct mutex service_mutex = {PTHREAD_MUTEX_INITIALIZER}; /* no other is taken under it */

GUARDED_BY(service_mutex) static struct {
	double pause; /* the last one; 0: the service has answered since */
	double next;  /* monotonic seconds */
	double spent; /* on calls without an answer, since it was last asked again */
} service = {.next = INFINITY};

double principals_ask_next(void)
{
	double next;

	mutex_lock(&service_mutex);
	next = service.next;
	mutex_unlock(&service_mutex);
	return next;
}

/* An iteration asks, so that jobs are judged by the answer at once. */
static double principals_due(double now)
{
	double next = principals_ask_next();

	engine_assert_locked();
	if (now < next)
		return next;
	engine.refresh_wanted = true;
	return INFINITY;
}

const struct module principals_ask_module = {.due = principals_due};

/* Whether a call is worth its time. */
static bool service_may_be_asked(void)
{
	bool may;

	mutex_lock(&service_mutex);
	if (monotonic_seconds() >= service.next) /* a new attempt */
		service.spent = 0;
	may = service.spent < PATIENCE;
	mutex_unlock(&service_mutex);
	return may;
}

static void service_has_failed(double seconds)
{
	double now = monotonic_seconds();

	mutex_lock(&service_mutex);
	service.spent += seconds;
	if (now >= service.next || service.next == INFINITY) {
		service.pause =
			service.pause > 0 ? fmin(2 * service.pause, PAUSE_MOST) : PAUSE_FIRST;
		service.next = now + service.pause;
	}
	mutex_unlock(&service_mutex);
}

/* All names have been asked for, and each has its answer. */
static void service_has_recovered(void)
{
	mutex_lock(&service_mutex);
	service.pause = service.spent = 0;
	service.next = INFINITY;
	mutex_unlock(&service_mutex);
}

/* ---- one call ---- */

/* A name or a number to look up, and what is found. */
struct look {
	enum maui_credential type;
	const char *name; /* NULL: the number */
	uint32_t number;
	char **ret_name; /* malloc'ed: the name that is found; NULL: not wanted */
};

static int look_user(struct look *look, char *buffer, size_t size, bool *ret_found)
{
	struct passwd record, *found = NULL;
	int rc = look->name ? getpwnam_r(look->name, &record, buffer, size, &found)
			    : getpwuid_r(look->number, &record, buffer, size, &found);

	*ret_found = !rc && found;
	if (*ret_found)
		look->number = found->pw_uid;
	if (*ret_found && look->ret_name)
		*look->ret_name = maui_strdup(found->pw_name);
	return rc;
}

static int look_group(struct look *look, char *buffer, size_t size, bool *ret_found)
{
	struct group record, *found = NULL;
	int rc = look->name ? getgrnam_r(look->name, &record, buffer, size, &found)
			    : getgrgid_r(look->number, &record, buffer, size, &found);

	*ret_found = !rc && found;
	if (*ret_found)
		look->number = found->gr_gid;
	if (*ret_found && look->ret_name)
		*look->ret_name = maui_strdup(found->gr_name);
	return rc;
}

/* With larger and larger buffers. */
static int look_up_growing(struct look *look, bool *ret_found)
{
	for (size_t size = BUFFER_FIRST;; size *= 2) {
		char *buffer = maui_malloc(size, 1);
		int rc = look->type == MAUI_USER ? look_user(look, buffer, size, ret_found)
						 : look_group(look, buffer, size, ret_found);

		free(buffer);
		if (rc != ERANGE || size >= BUFFER_MOST)
			return rc;
	}
}

static enum maui_answer look_up(struct look *look)
{
	double begun = monotonic_seconds();
	bool found = false;
	int rc;

	if (!service_may_be_asked())
		return MAUI_ANSWER_NOT_NOW;
	rc = look_up_growing(look, &found);
	if (found && (!look->ret_name || *look->ret_name))
		return MAUI_ANSWER_FOUND;
	if (maui_error_says_no(rc) && !found)
		return MAUI_ANSWER_NONE;
	service_has_failed(monotonic_seconds() - begun);
	return MAUI_ANSWER_NOT_NOW;
}

enum maui_answer principals_ask_name(enum maui_credential type, uint32_t number, char **ret_name)
{
	struct look look = {.type = type, .number = number, .ret_name = ret_name};

	*ret_name = NULL;
	return look_up(&look);
}

/* ---- the number of a name ---- */

static bool last_number(enum maui_credential type, const char *name, uint32_t *ret_number)
{
	bool known;

	engine_lock();
	known = names_kept_number(type, name, ret_number);
	engine_unlock();
	return known;
}

/* Whether the number now has another owner: then it is no longer the name's. */
static bool taken_over(enum maui_credential type, const char *name, uint32_t number)
{
	char *owner = NULL;
	bool another = principals_ask_name(type, number, &owner) == MAUI_ANSWER_FOUND &&
		       strcmp(owner, name) != 0;

	if (another) {
		engine_lock();
		names_kept_drop_number(type, name);
		names_kept_set_name(type, number, owner);
		engine_unlock();
	}
	free(owner);
	return another;
}

static void principals_ask_keep(enum maui_credential type, const char *name, uint32_t number)
{
	engine_lock();
	names_kept_set_number(type, name, number);
	engine_unlock();
}

/* Who has left keeps his number, as his jobs do, until it is somebody else's. */
static enum maui_answer nobody_has(enum maui_credential type, const char *name,
				   uint32_t *ret_number)
{
	/* USERCFG[1005] is allowed where no user has that name. */
	if (maui_principal_number(name, ret_number))
		return MAUI_ANSWER_FOUND;
	return last_number(type, name, ret_number) && !taken_over(type, name, *ret_number)
		       ? MAUI_ANSWER_FOUND
		       : MAUI_ANSWER_NONE;
}

static enum maui_answer ask_number(enum maui_credential type, const char *name, bool foreign,
				   uint32_t *ret_number)
{
	struct look look = {.type = type, .name = name};

	switch (look_up(&look)) {
	case MAUI_ANSWER_FOUND:
		*ret_number = look.number;
		if (!foreign)
			principals_ask_keep(type, name, look.number);
		return MAUI_ANSWER_FOUND;
	case MAUI_ANSWER_NONE:
		return nobody_has(type, name, ret_number);
	default:
		return last_number(type, name, ret_number) ||
				       maui_principal_number(name, ret_number)
			       ? MAUI_ANSWER_KEPT
			       : MAUI_ANSWER_NOT_NOW;
	}
}

enum maui_answer principals_ask_number(enum maui_credential type, const char *name,
				       uint32_t *ret_number)
{
	return ask_number(type, name, false, ret_number);
}

/* ---- all names of a configuration ---- */

struct asking {
	enum principals_which which;
	const struct maui_principals *before;
	size_t unknown[2]; /* users, groups */
};

static enum maui_answer principals_ask_one(void *context, enum maui_credential type,
					   const char *name, uint32_t *ret_number)
{
	struct asking *asking = context;
	enum maui_answer answer = MAUI_ANSWER_NONE;

	if (asking->which == PRINCIPALS_LACKING)
		answer = maui_principals_number(asking->before, type, name, ret_number);
	return answer != MAUI_ANSWER_NONE
		       ? answer
		       : ask_number(type, name, asking->which == PRINCIPALS_FOREIGN, ret_number);
}

static void note_unknown(void *context, enum maui_credential type, const char *name)
{
	struct asking *asking = context;

	if (asking->which == PRINCIPALS_READ && asking->unknown[type]++ < MAX_PROBLEMS_LOGGED)
		info("maui: warning: there is no %s '%s' on this machine: what maui.cfg says about "
		     "it has no effect",
		     maui_credential_name(type), name);
}

static void log_rest(const struct asking *asking, enum maui_credential type)
{
	if (asking->unknown[type] > MAX_PROBLEMS_LOGGED)
		info("maui: warning: for %zu more names in maui.cfg there is no %s on this "
		     "machine: run `maui check`",
		     asking->unknown[type] - MAX_PROBLEMS_LOGGED, maui_credential_name(type));
}

static size_t principals_ask_unanswered(const struct maui_principals *principals)
{
	return maui_principals_unanswered(principals, MAUI_USER) +
	       maui_principals_unanswered(principals, MAUI_GROUP);
}

/* Once per event: the first name that has no answer, and when all have one again. */
static void log_change(const struct maui_principals *principals,
		       const struct maui_principals *before)
{
	size_t now = principals_ask_unanswered(principals),
	       then = principals_ask_unanswered(before);

	if (now && !then)
		error("maui: the name service does not answer for %zu users and groups of "
		      "maui.cfg: those known before keep their numbers; jobs of users and groups "
		      "that could be one of the others wait",
		      now);
	else if (then && !now)
		info("maui: the name service answers for all users and groups of maui.cfg again");
}

struct maui_principals *principals_resolve(struct maui_config *config, enum principals_which which,
					   const struct maui_principals *before)
{
	struct asking asking = {.which = which, .before = before};
	struct maui_principals_service names = {principals_ask_one, note_unknown, &asking};
	struct maui_principals *principals = maui_principals_new(config, &names);

	log_rest(&asking, MAUI_USER);
	log_rest(&asking, MAUI_GROUP);
	if (!principals || which == PRINCIPALS_FOREIGN)
		return principals;
	log_change(principals, before);
	if (which != PRINCIPALS_LACKING && !principals_ask_unanswered(principals) &&
	    !maui_principals_admin_unanswered(principals))
		service_has_recovered();
	return principals;
}
