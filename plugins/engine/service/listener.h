/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the service listens: a TCP port, or a socket in a directory that nobody else can write. The
 * service's thread alone. */
#ifndef MAUI_ENGINE_LISTENER_H
#define MAUI_ENGINE_LISTENER_H

#include <stdint.h>
#include <sys/types.h>

struct listener_place {
	char socket[256]; /* "": host and port */
	char host[256];
	uint16_t port; /* 0: with no socket either, nowhere */
	uid_t owner;   /* whom, beside root, the socket's directory may belong to */
};

/* Listens there, and nowhere else; tries again later if that fails, and logs why, once. */
void listener_follow(const struct listener_place *place);

/* What to poll for POLLIN; -1: nothing, for now. */
int listener_fd(void);

/* A new connection, or -1. Where descriptors or memory are short it pauses, and logs that once. */
int listener_accept(void);

/* When to call listener_again(), monotonic seconds; infinity: never. */
double listener_next(void);
void listener_again(void);

/* For how many seconds it has been listening there. */
double listener_seconds(void);

#endif
