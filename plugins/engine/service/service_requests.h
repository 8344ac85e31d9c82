/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A request to the service, from its text to its answer: contribs/doc/service.md. */
#ifndef MAUI_ENGINE_SERVICE_REQUESTS_H
#define MAUI_ENGINE_SERVICE_REQUESTS_H

#include <stddef.h>
#include <sys/types.h>

/* Which requests are answered one after the other (lanes.h). */
enum request_lane {
	REQUEST_SHORT,  /* of what is in memory */
	REQUEST_JOBS,   /* of a snapshot of the queue, which may be waited for */
	REQUEST_NODES,  /* of Slurm's nodes and reservations: tables of one reader at a time */
	REQUEST_WHATIF, /* takes seconds */
	REQUEST_CHANGE, /* waits for the engine's thread */
	REQUEST_LANES
};

/* A request of an authenticated user as it was sent (service.md), valid or not. */
struct request *request_read(const char *text, size_t size, uid_t uid);
void request_free(struct request *request);

uid_t request_uid(const struct request *request);
enum request_lane request_lane(const struct request *request);

/* Its answer, or one that says why not: a malloc'ed line with its proof. Any
 * thread, but one at a time of a lane. */
char *request_carry_out(struct request *request, size_t *ret_size);
char *request_refuse(const struct request *request, const char *why, size_t *ret_size);

/* An answer that says what went wrong, without proof: there is no request. */
char *request_refusal(const char *text, size_t *ret_size);

#endif
