/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/base.h"

#include "plugins/engine/policy/principals_ask.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/engine/runtime/logged.h"

#define NAME_SERVICE_BUFFER 65536 /* a group's members can be many */

/* USERCFG[1005] is allowed where no user has that name. */
static bool parse_number(const char *name, uint32_t *ret_number)
{
	char *end;
	unsigned long number;

	errno = 0;
	number = strtoul(name, &end, 10);
	if (end == name || *end || errno || number >= UINT32_MAX || *name == '-' || *name == '+')
		return false;
	*ret_number = (uint32_t)number;
	return true;
}

static bool user_number(const char *name, char *buffer, uint32_t *ret_number)
{
	struct passwd record, *found = NULL;

	if (getpwnam_r(name, &record, buffer, NAME_SERVICE_BUFFER, &found) || !found)
		return parse_number(name, ret_number);
	*ret_number = found->pw_uid;
	return true;
}

static bool group_number(const char *name, char *buffer, uint32_t *ret_number)
{
	struct group record, *found = NULL;

	if (getgrnam_r(name, &record, buffer, NAME_SERVICE_BUFFER, &found) || !found)
		return parse_number(name, ret_number);
	*ret_number = found->gr_gid;
	return true;
}

static bool number_of(enum maui_credential type, const char *name, char *buffer,
		      uint32_t *ret_number)
{
	return type == MAUI_USER ? user_number(name, buffer, ret_number)
				 : group_number(name, buffer, ret_number);
}

/* ---- all names of a configuration ---- */

struct asking {
	char *buffer;
	bool log_unknown;
	size_t unknown[2]; /* users, groups */
};

static bool ask(void *context, enum maui_credential type, const char *name, uint32_t *ret_number)
{
	struct asking *asking = context;

	return number_of(type, name, asking->buffer, ret_number);
}

static void note_unknown(void *context, enum maui_credential type, const char *name)
{
	struct asking *asking = context;

	if (asking->log_unknown && asking->unknown[type]++ < MAX_PROBLEMS_LOGGED)
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

struct maui_principals *principals_resolve(struct maui_config *config, bool log_unknown)
{
	struct asking asking = {.buffer = malloc(NAME_SERVICE_BUFFER), .log_unknown = log_unknown};
	struct maui_principals_service service = {ask, note_unknown, &asking};
	struct maui_principals *principals =
		asking.buffer ? maui_principals_new(config, &service) : NULL;

	log_rest(&asking, MAUI_USER);
	log_rest(&asking, MAUI_GROUP);
	free(asking.buffer);
	return principals;
}

/* ---- one ---- */

bool principals_ask_number(enum maui_credential type, const char *name, uint32_t *ret_number)
{
	char *buffer = malloc(NAME_SERVICE_BUFFER);
	bool found = buffer && number_of(type, name, buffer, ret_number);

	free(buffer);
	return found;
}

char *principals_ask(enum maui_credential type, uint32_t number)
{
	char *buffer = malloc(NAME_SERVICE_BUFFER), *name = NULL;
	struct passwd user, *found_user = NULL;
	struct group group, *found_group = NULL;

	if (!buffer)
		return NULL;
	if (type == MAUI_USER &&
	    !getpwuid_r(number, &user, buffer, NAME_SERVICE_BUFFER, &found_user) && found_user)
		name = strdup(user.pw_name);
	else if (type == MAUI_GROUP &&
		 !getgrgid_r(number, &group, buffer, NAME_SERVICE_BUFFER, &found_group) &&
		 found_group)
		name = strdup(group.gr_name);
	free(buffer);
	return name;
}
