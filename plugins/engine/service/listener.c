/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the TCP port or Unix socket, and retries every 10 seconds after a
 * failure. Pauses accept4() for one second when descriptors or memory run out.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/service/listener.h"

#include <errno.h>
#include <math.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/util/files/socket_place.h"
#include "plugins/engine/runtime/monotonic.h"

#define RETRY_SECONDS 10 /* before trying again to listen */
#define PAUSE_SECONDS 1  /* before accepting again */

/* The service's thread alone. */
static struct {
	struct listener_place place;
	int fd;       /* -1: not listening */
	double since; /* since when it listens */
	double again; /* when to try again to listen, or to accept; 0: nothing to try */
	bool failure_said, shortage_said;
} listener = {.fd = -1};

/* ---- the two kinds of place ---- */

static int bind_and_listen(int family, const struct sockaddr *address, socklen_t size)
{
	int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1, kept;

	if (fd < 0)
		return -1;
	if (family != AF_UNIX)
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (!bind(fd, address, size) && !listen(fd, SOMAXCONN))
		return fd;
	kept = errno;
	close(fd);
	errno = kept;
	return -1;
}

static int listen_on_port(struct maui_error *why)
{
	struct addrinfo hints = {
		.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
	struct addrinfo *found = NULL;
	char service[8];
	int fd = -1, rc;

	snprintf(service, sizeof(service), "%u", listener.place.port);
	rc = getaddrinfo(listener.place.host, service, &hints, &found);
	if (rc) {
		maui_error_set(why, EINVAL, "%s", gai_strerror(rc));
		return -1;
	}
	for (struct addrinfo *at = found; at && fd < 0; at = at->ai_next)
		fd = bind_and_listen(at->ai_family, at->ai_addr, at->ai_addrlen);
	if (fd < 0)
		maui_error_set(why, errno, "%s", strerror(errno));
	freeaddrinfo(found);
	return fd;
}

/* What a slurmctld that was killed has left. Whatever else is there is not ours to remove. */
static void remove_socket(const char *path)
{
	struct stat status;

	if (!lstat(path, &status) && S_ISSOCK(status.st_mode))
		unlink(path);
}

/* Everybody may connect: munge says who asks. */
static int listen_on_socket(struct maui_error *why)
{
	const char *path = listener.place.socket;
	struct sockaddr_un address;
	int fd;

	if (maui_socket_place(path, listener.place.owner, &address, why))
		return -1;
	remove_socket(path);
	fd = bind_and_listen(AF_UNIX, (const struct sockaddr *)&address, sizeof(address));
	if (fd >= 0 && !chmod(path, 0666))
		return fd;
	maui_error_set(why, errno, "%s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

/* ---- listening ---- */

static void name_place(char *buffer, size_t size)
{
	if (*listener.place.socket)
		snprintf(buffer, size, "%s", listener.place.socket);
	else
		snprintf(buffer, size, "%s port %u", listener.place.host, listener.place.port);
}

static void try_to_listen(void)
{
	struct maui_error why = {""};
	char name[300];

	name_place(name, sizeof(name));
	listener.again = 0;
	listener.fd = *listener.place.socket ? listen_on_socket(&why) : listen_on_port(&why);
	if (listener.fd >= 0) {
		listener.since = monotonic_seconds();
		listener.failure_said = listener.shortage_said = false;
		debug("maui: the service listens on %s", name);
		return;
	}
	listener.again = monotonic_seconds() + RETRY_SECONDS;
	if (!listener.failure_said)
		error("maui: the service cannot listen on %s: %s; the maui command gets no answers "
		      "until it can",
		      name, why.text);
	listener.failure_said = true;
}

static void stop_listening(void)
{
	listener.again = 0;
	if (listener.fd < 0)
		return;
	if (*listener.place.socket)
		remove_socket(listener.place.socket);
	close(listener.fd);
	listener.fd = -1;
}

static bool is_same(const struct listener_place *one, const struct listener_place *other)
{
	return !strcmp(one->socket, other->socket) && !strcmp(one->host, other->host) &&
	       one->port == other->port && one->owner == other->owner;
}

void listener_follow(const struct listener_place *place)
{
	bool same = is_same(place, &listener.place);

	if (same && listener.fd >= 0)
		return;
	stop_listening();
	if (!same)
		listener.failure_said = false;
	listener.place = *place;
	if (place->port || *place->socket)
		try_to_listen();
}

/* ---- accepting ---- */

int listener_fd(void)
{
	return listener.again > 0 ? -1 : listener.fd;
}

/* The peer waits in the queue, and poll() would return at once, for ever. */
static void pause_accepting(int code)
{
	listener.again = monotonic_seconds() + PAUSE_SECONDS;
	if (!listener.shortage_said)
		error("maui: the service accepts no connections for now: %s; the maui command "
		      "waits, and it is tried again every second",
		      strerror(code));
	listener.shortage_said = true;
}

int listener_accept(void)
{
	int fd = accept4(listener.fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

	if (fd >= 0)
		listener.shortage_said = false;
	else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)
		pause_accepting(errno);
	return fd;
}

double listener_next(void)
{
	return listener.again > 0 ? listener.again : INFINITY;
}

void listener_again(void)
{
	if (listener.fd < 0)
		try_to_listen();
	else
		listener.again = 0;
}

double listener_seconds(void)
{
	return monotonic_seconds() - listener.since;
}
