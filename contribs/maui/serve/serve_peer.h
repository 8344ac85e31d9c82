/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose a connection is. Every process of this host can make one; the kernel reports the user of
 * the socket at the other end, which is on this host, too. D-SRV-8.
 */
#ifndef MAUI_SERVE_PEER_H
#define MAUI_SERVE_PEER_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

/* Asks the kernel (sock_diag(7)); -1: not possible here. listening: a port of 127.0.0.1 on which
 * this process listens, by which that is tried. The caller closes it. */
int peer_open(uint16_t listening);

/*
 * Whether the socket at peer that is connected to this port of 127.0.0.1 belongs to root or to the
 * user of this process. No if it is gone: a closed socket need not have an owner any more.
 */
bool peer_is_own(int fd, const struct sockaddr_in *peer, uint16_t port);

#endif
