/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_NAME_ERROR_H
#define MAUI_NAME_ERROR_H

#include <errno.h>
#include <stdbool.h>

/* Whether this errno of getpwnam() or its like, where it found nothing, is one that getpwnam(3) lists as
 * "not found". With any other the name service has not answered, and a listing is not all. */
static inline bool maui_error_says_no(int error)
{
	return error == 0 || error == ENOENT || error == ESRCH || error == EBADF || error == EPERM;
}

#endif
