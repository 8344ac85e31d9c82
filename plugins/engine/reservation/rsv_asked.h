/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reservation that a job asks for by name: x=ADVRES:NAME in its comment, where job_submit/maui
 * puts --reservation=NAME. Job read lock.
 */
#ifndef MAUI_ENGINE_RSV_ASKED_H
#define MAUI_ENGINE_RSV_ASKED_H

#include "plugins/compat/base.h"

/* A piece of the comment; nothing is copied. */
struct rsv_asked {
	const char *name; /* NULL: it asks for none */
	size_t size;
};

/* comment: the job's; may be NULL. */
struct rsv_asked rsv_asked_by(const char *comment);

/* Whether the job asks for this name. */
bool rsv_asked_is(const struct rsv_asked *asked, const char *name);

/* Whether it asks for this standing reservation, or for one of its instances. */
bool rsv_asked_is_of(const struct rsv_asked *asked, const char *standing);

/* A number that changes with what the job asks for; 0: nothing. */
uint32_t rsv_asked_sum(const char *comment);

#endif
