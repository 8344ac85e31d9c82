/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine's answers to the `maui` command: contribs/doc/service.md. One thread, sockets that
 * never block, and bounds on everything a peer controls.
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

/*
 * The answer to one request (service.md) by an authenticated user: a malloc'ed line, or NULL when
 * memory is short. proof is the credential that goes with it, or NULL.
 */
char *request_answer(const char *request, size_t size, uid_t uid, size_t *ret_size);

/* An answer that says what went wrong, without proof. */
char *request_refusal(const char *text, size_t *ret_size);

#endif
