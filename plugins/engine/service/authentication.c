/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/engine/service/authentication.h"

#include <munge.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The service's thread alone. */
static munge_ctx_t reader;
static char socket_path[256];

void authentication_use(const char *socket)
{
	munge_ctx_destroy(reader);
	reader = munge_ctx_create();
	strncpy(socket_path, socket, sizeof(socket_path) - 1);
	if (reader && *socket_path)
		munge_ctx_set(reader, MUNGE_OPT_SOCKET, socket_path);
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
	munge_ctx_t context = munge_ctx_create();
	char *credential = NULL;

	if (!context)
		return NULL;
	if ((*socket_path &&
	     munge_ctx_set(context, MUNGE_OPT_SOCKET, socket_path) != EMUNGE_SUCCESS) ||
	    munge_ctx_set(context, MUNGE_OPT_TTL, CREDENTIAL_SECONDS) != EMUNGE_SUCCESS ||
	    munge_ctx_set(context, MUNGE_OPT_UID_RESTRICTION, uid) != EMUNGE_SUCCESS ||
	    munge_encode(&credential, context, nonce, (int)strlen(nonce)) != EMUNGE_SUCCESS)
		credential = NULL;
	munge_ctx_destroy(context);
	return credential;
}
