/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a socket of the file system may be, so that nobody else can put his own in its place. */
#ifndef MAUI_UTIL_SOCKET_PLACE_H
#define MAUI_UTIL_SOCKET_PLACE_H

#include <sys/types.h>
#include <sys/un.h>

#include "common/util/error.h"

/*
 * Judges the directories of an absolute path: each belongs to root or to owner, and nobody else can
 * write to the last one, nor to those above unless they are sticky. None may be a symbolic link. 0
 * and the address, or a negative errno and what is wrong. The socket itself need not be there.
 */
int maui_socket_place(const char *path, uid_t owner, struct sockaddr_un *ret_address,
		      struct maui_error *error);

#endif
