/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Identifies the asking user, and proves that the answer is ours: munge. */
#ifndef MAUI_ENGINE_AUTHENTICATION_H
#define MAUI_ENGINE_AUTHENTICATION_H

#include <stddef.h>
#include <sys/types.h>

/* Which munged to ask; "" for munge's default. The service's thread. */
void authentication_use(const char *socket);

/* How old a credential may be, whatever its own lifetime, and how long one of ours is good. */
#define CREDENTIAL_SECONDS 30

/* The payload of a credential (malloc'ed) and its user. NULL, or why it is not accepted: expired,
 * replayed, forged, or made before we began to listen, so many seconds ago: then another process
 * may have received it first. The service's thread. */
const char *authentication_read(const char *credential, double listening, char **ret_payload,
				size_t *ret_size, uid_t *ret_uid);

/* A credential of ours with the nonce, which only this user can read; malloc'ed, NULL if munge
 * makes none. Any thread. */
char *authentication_prove(const char *nonce, uid_t uid);

#endif
