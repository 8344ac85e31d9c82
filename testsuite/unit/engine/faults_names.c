/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls of the name service that may fail, for programs that the linker wraps them in. */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stddef.h>

#include "testsuite/unit/engine/faults.h"

/* The linker dictates these names. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
int __real_getpwnam_r(const char *name, struct passwd *record, char *buffer, size_t size,
		      struct passwd **result);
int __wrap_getpwnam_r(const char *name, struct passwd *record, char *buffer, size_t size,
		      struct passwd **result);
int __real_getgrnam_r(const char *name, struct group *record, char *buffer, size_t size,
		      struct group **result);
int __wrap_getgrnam_r(const char *name, struct group *record, char *buffer, size_t size,
		      struct group **result);

int __wrap_getpwnam_r(const char *name, struct passwd *record, char *buffer, size_t size,
		      struct passwd **result)
{
	*result = NULL;
	return faults_fails(FAULTS_USER, name)
		       ? errno
		       : __real_getpwnam_r(name, record, buffer, size, result);
}

int __wrap_getgrnam_r(const char *name, struct group *record, char *buffer, size_t size,
		      struct group **result)
{
	*result = NULL;
	return faults_fails(FAULTS_GROUP, name)
		       ? errno
		       : __real_getgrnam_r(name, record, buffer, size, result);
}
/* NOLINTEND(bugprone-reserved-identifier) */
