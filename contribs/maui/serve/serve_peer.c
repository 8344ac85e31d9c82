/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sends an inet_diag request over a NETLINK_SOCK_DIAG socket, and compares the
 * uid in the answer with root and getuid().
 */
#include "contribs/maui/serve/serve_peer.h"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ESTABLISHED 1  /* TCP_ESTABLISHED of the kernel */
#define LISTENING   10 /* TCP_LISTEN */

struct question {
	struct nlmsghdr head;
	struct inet_diag_req_v2 body;
};

/* The kernel's row of one socket; false: there is none. It also finds sockets of IPv6 by addresses
 * that are mapped to IPv4. */
static bool serve_peer_look(int fd, const struct sockaddr_in *local,
			    const struct sockaddr_in *remote, struct inet_diag_msg *ret_row)
{
	struct question question = {
		.head = {.nlmsg_len = sizeof(question),
			 .nlmsg_type = SOCK_DIAG_BY_FAMILY,
			 .nlmsg_flags = NLM_F_REQUEST},
		.body = {.sdiag_family = AF_INET,
			 .sdiag_protocol = IPPROTO_TCP,
			 .idiag_states = UINT32_MAX,
			 .id = {.idiag_sport = local->sin_port,
				.idiag_dport = remote->sin_port,
				.idiag_src = {local->sin_addr.s_addr},
				.idiag_dst = {remote->sin_addr.s_addr},
				.idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE}}},
	};
	char answer[1024];
	struct nlmsghdr head;
	ssize_t size;

	if (send(fd, &question, sizeof(question), 0) != sizeof(question))
		return false;
	/* The kernel has answered before send() returns. */
	size = recv(fd, answer, sizeof(answer), MSG_DONTWAIT);
	if (size < (ssize_t)NLMSG_LENGTH(sizeof(*ret_row)))
		return false;
	memcpy(&head, answer, sizeof(head));
	memcpy(ret_row, answer + NLMSG_HDRLEN, sizeof(*ret_row));
	return head.nlmsg_type == SOCK_DIAG_BY_FAMILY;
}

static struct sockaddr_in serve_peer_loopback(uint16_t port)
{
	return (struct sockaddr_in){.sin_family = AF_INET,
				    .sin_port = htons(port),
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

int peer_open(uint16_t listening)
{
	const struct sockaddr_in own = serve_peer_loopback(listening),
				 none = {.sin_family = AF_INET};
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	struct inet_diag_msg row;

	if (fd >= 0 && serve_peer_look(fd, &own, &none, &row) && row.idiag_state == LISTENING)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

bool peer_is_own(int fd, const struct sockaddr_in *peer, uint16_t port)
{
	const struct sockaddr_in own = serve_peer_loopback(port);
	struct inet_diag_msg row;

	return serve_peer_look(fd, peer, &own, &row) && row.idiag_state == ESTABLISHED &&
	       (row.idiag_uid == 0 || row.idiag_uid == getuid());
}
