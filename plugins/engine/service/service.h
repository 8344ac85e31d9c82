/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine's answers to the `maui` command: contribs/doc/service.md. One thread for the sockets,
 * which never block, a thread for each kind of answer, and bounds on everything a peer controls.
 */
#ifndef MAUI_ENGINE_SERVICE_H
#define MAUI_ENGINE_SERVICE_H

#include <stddef.h>
#include <sys/types.h>

#include <json-c/json.h>

/* Listens where slurm.conf says now (the port may be maui.cfg's), or stops listening on standby. No
 * lock held. */
void service_configure(void);

/* {"address", "port", "socket"} where it listens, or tries to. */
struct json_object *service_report(void);

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
