/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls getpwnam(), getgrnam(), getpwuid() or getgrgid(). After NULL, errno
 * distinguishes an unknown name from a name service without an answer.
 */
#include "contribs/maui/lib/name_service.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stddef.h>

#include "common/util/name_error.h"

static enum name_answer name_service_answer(const void *found)
{
	if (found)
		return NAME_IS_THERE;
	return maui_error_says_no(errno) ? NAME_IS_NOT_THERE : NAME_NOT_ANSWERED;
}

enum name_answer name_service_user(const char *name, uint32_t *ret_id)
{
	const struct passwd *user;

	errno = 0;
	user = getpwnam(name);
	if (user && ret_id)
		*ret_id = user->pw_uid;
	return name_service_answer(user);
}

enum name_answer name_service_user_group(const char *name, uint32_t *ret_gid)
{
	const struct passwd *user;

	errno = 0;
	user = getpwnam(name);
	if (user)
		*ret_gid = user->pw_gid;
	return name_service_answer(user);
}

enum name_answer name_service_group(const char *name, uint32_t *ret_id)
{
	const struct group *group;

	errno = 0;
	group = getgrnam(name);
	if (group && ret_id)
		*ret_id = group->gr_gid;
	return name_service_answer(group);
}

enum name_answer name_service_uid(uint32_t uid)
{
	errno = 0;
	return name_service_answer(getpwuid(uid));
}

enum name_answer name_service_gid(uint32_t gid)
{
	errno = 0;
	return name_service_answer(getgrgid(gid));
}
