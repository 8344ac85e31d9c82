/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who asks the service, and that it is we who answer: munge. For the service's thread alone. */
#ifndef MAUI_ENGINE_AUTHENTICATION_H
#define MAUI_ENGINE_AUTHENTICATION_H

#include <stddef.h>
#include <sys/types.h>

/* Which munged to ask; "" for munge's own default. */
void authentication_use(const char *socket);

/* The payload of a credential (malloc'ed) and whose it is. NULL, or why it does not count: expired,
 * replayed, forged. */
const char *authentication_read(const char *credential, char **ret_payload, size_t *ret_size,
				uid_t *ret_uid);

/* A credential of ours around the nonce, that only this user can read; malloc'ed, NULL if there is
 * none to be had. */
char *authentication_prove(const char *nonce, uid_t uid);

#endif
