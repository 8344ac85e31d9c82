/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes a request's credential with munge_decode() and checks its age.
 * Encodes the answer's nonce for one user with MUNGE_OPT_UID_RESTRICTION.
 */
#include "plugins/engine/service/authentication.h"

#include <munge.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugins/engine/runtime/lock.h"

/* The service's thread alone. */
static munge_ctx_t reader;

/* Taken last. */
static struct mutex own = {PTHREAD_MUTEX_INITIALIZER};

GUARDED_BY(own) static char socket_path[256];

/* A context that asks our munged; NULL if it cannot be made. */
static munge_ctx_t new_context(void)
{
	munge_ctx_t context = munge_ctx_create();
	munge_err_t rc = EMUNGE_SUCCESS;

	mutex_lock(&own);
	if (context && *socket_path)
		rc = munge_ctx_set(context, MUNGE_OPT_SOCKET, socket_path);
	mutex_unlock(&own);
	if (rc == EMUNGE_SUCCESS)
		return context;
	munge_ctx_destroy(context);
	return NULL;
}

void authentication_use(const char *socket)
{
	mutex_lock(&own);
	strncpy(socket_path, socket, sizeof(socket_path) - 1);
	mutex_unlock(&own);
	munge_ctx_destroy(reader);
	reader = new_context();
}

/* munge counts whole seconds: up to one more may have passed than it says, or less. */
static const char *judge_age(double listening)
{
	time_t made = 0, decoded = 0;
	double age;

	if (munge_ctx_get(reader, MUNGE_OPT_ENCODE_TIME, &made) != EMUNGE_SUCCESS ||
	    munge_ctx_get(reader, MUNGE_OPT_DECODE_TIME, &decoded) != EMUNGE_SUCCESS)
		return "munge does not say when the credential was made";
	age = difftime(decoded, made);
	if (age > CREDENTIAL_SECONDS)
		return "the request was made more than 30 seconds ago: are the clocks of the two "
		       "hosts set?";
	if (age - 1 >= listening)
		return "the request was made before the engine began to listen: try again";
	return NULL;
}

const char *authentication_read(const char *credential, double listening, char **ret_payload,
				size_t *ret_size, uid_t *ret_uid)
{
	void *payload = NULL;
	int size = 0;
	gid_t gid;
	munge_err_t rc = munge_decode(credential, reader, &payload, &size, ret_uid, &gid);
	const char *refused = rc != EMUNGE_SUCCESS ? munge_strerror(rc) : judge_age(listening);

	if (refused) {
		free(payload); /* an expired or replayed credential is decoded as well */
		return refused;
	}
	*ret_payload = payload;
	*ret_size = (size_t)size;
	return NULL;
}

char *authentication_prove(const char *nonce, uid_t uid)
{
	munge_ctx_t context = new_context();
	char *credential = NULL;

	if (!context)
		return NULL;
	if (munge_ctx_set(context, MUNGE_OPT_TTL, CREDENTIAL_SECONDS) != EMUNGE_SUCCESS ||
	    munge_ctx_set(context, MUNGE_OPT_UID_RESTRICTION, uid) != EMUNGE_SUCCESS ||
	    munge_encode(&credential, context, nonce, (int)strlen(nonce)) != EMUNGE_SUCCESS)
		credential = NULL;
	munge_ctx_destroy(context);
	return credential;
}
