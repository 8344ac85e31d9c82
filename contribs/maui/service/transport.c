/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Connects to the engine's Unix socket or TCP port, sends the line and receives
 * up to the first newline, nonblocking before one deadline.
 */
#include "contribs/maui/service/transport.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/util/grow.h"
#include "common/util/files/socket_place.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/deadline.h"

#define FIRST_SIZE ((size_t)64 << 10)

/* What the answer is read into. */
struct buffer {
	char *text;
	size_t used, size;
};

static int wait_for(int fd, short events, const struct deadline *deadline)
{
	struct pollfd wait = {.fd = fd, .events = events};
	int count;

	do
		count = poll(&wait, 1, deadline_left(deadline));
	while (count < 0 && errno == EINTR);
	if (count < 0)
		return -errno;
	return count ? 0 : -ETIMEDOUT;
}

/* A connected socket, or a negative errno. */
static int connect_to(const struct sockaddr *address, socklen_t address_size,
		      const struct deadline *deadline)
{
	int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int result = 0;
	socklen_t size = sizeof(result);

	if (fd < 0)
		return -errno;
	if (connect(fd, address, address_size) < 0) {
		result = -errno;
		if (result == -EINPROGRESS)
			result = wait_for(fd, POLLOUT, deadline);
		if (result == 0 && getsockopt(fd, SOL_SOCKET, SO_ERROR, &result, &size) == 0)
			result = -result;
	}
	if (result == 0)
		return fd;
	close(fd);
	return result;
}

static int fail_to_connect(const struct engine *engine, int result)
{
	if (result == -ETIMEDOUT)
		return fail(EXIT_UNREACHABLE,
			    "nothing answers on %s within %d seconds: is the host right, and no "
			    "firewall in between?",
			    engine->place, engine->timeout);
	return fail(
		EXIT_UNREACHABLE,
		"the engine does not answer on %s: is priority/maui running in slurmctld? If it "
		"is, its log says why it cannot listen there (%s)",
		engine->place, strerror(-result));
}

/* All addresses of the host: localhost has two. 0 or what getaddrinfo() says; *ret_fd is the first
 * that answers, or a negative errno. */
static int try_addresses(const struct engine *engine, const struct deadline *deadline, int *ret_fd)
{
	const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
	struct addrinfo *addresses;
	int result = getaddrinfo(engine->host, engine->port, &hints, &addresses);

	if (result)
		return result;
	*ret_fd = -EADDRNOTAVAIL;
	for (struct addrinfo *address = addresses; address; address = address->ai_next) {
		*ret_fd = connect_to(address->ai_addr, address->ai_addrlen, deadline);
		if (*ret_fd >= 0 || *ret_fd == -ETIMEDOUT)
			break;
	}
	freeaddrinfo(addresses);
	return 0;
}

static bool is_socket(const struct engine *engine)
{
	return *engine->host == '/';
}

/* 0, or a negative errno and why another user could have put a socket of his own there; *ret_fd is
 * the connection, or a negative errno. */
static int try_socket(const struct engine *engine, const struct deadline *deadline, int *ret_fd,
		      struct maui_error *error)
{
	struct sockaddr_un address;
	int rc = maui_socket_place(engine->host, engine->knows_slurm_uid ? engine->slurm_uid : 0,
				   &address, error);

	if (!rc)
		*ret_fd = connect_to((const struct sockaddr *)&address, sizeof(address), deadline);
	return rc;
}

static int open_socket(const struct engine *engine, const struct deadline *deadline, int *ret_fd)
{
	struct maui_error error;
	int fd = -1, rc = try_socket(engine, deadline, &fd, &error);

	if (rc)
		return fail(rc == -ENOENT ? EXIT_UNREACHABLE : EXIT_UNTRUSTED,
			    "nothing is sent to the engine's socket %s: %s", engine->host,
			    error.text);
	if (fd < 0)
		return fail_to_connect(engine, fd);
	*ret_fd = fd;
	return EXIT_OK;
}

static int open_connection(const struct engine *engine, const struct deadline *deadline,
			   int *ret_fd)
{
	int fd = -1, result;

	if (is_socket(engine))
		return open_socket(engine, deadline, ret_fd);
	result = try_addresses(engine, deadline, &fd);
	if (result)
		return fail(EXIT_UNREACHABLE, "cannot find the engine's host %s: %s", engine->host,
			    gai_strerror(result));
	if (fd < 0)
		return fail_to_connect(engine, fd);
	*ret_fd = fd;
	return EXIT_OK;
}

bool transport_listens(const struct engine *engine)
{
	const struct deadline deadline = deadline_in(engine->timeout);
	struct maui_error error;
	int fd = -1;

	if (is_socket(engine) ? try_socket(engine, &deadline, &fd, &error)
			      : try_addresses(engine, &deadline, &fd))
		return false;
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static int fail_late(const struct engine *engine)
{
	return fail(EXIT_UNREACHABLE,
		    "the engine on %s did not answer within %d seconds (--timeout)", engine->place,
		    engine->timeout);
}

static int fail_broken(const struct engine *engine, int result)
{
	if (result == -ETIMEDOUT)
		return fail_late(engine);
	return fail(EXIT_UNREACHABLE, "the connection to %s broke: %s", engine->place,
		    strerror(-result));
}

static int transport_send_all(const struct engine *engine, int fd, const char *line, size_t size,
			      const struct deadline *deadline)
{
	while (size) {
		ssize_t count = send(fd, line, size, MSG_NOSIGNAL);
		int result = 0;

		if (count >= 0) {
			line += count;
			size -= (size_t)count;
		} else if (errno == EAGAIN) {
			result = wait_for(fd, POLLOUT, deadline);
		} else if (errno == EPIPE || errno == ECONNRESET) {
			break; /* it may have refused before reading everything: read why */
		} else if (errno != EINTR) {
			result = -errno;
		}
		if (result)
			return fail_broken(engine, result);
	}
	return EXIT_OK;
}

static int make_room(struct buffer *buffer)
{
	size_t wanted = buffer->size ? buffer->size + 1 : FIRST_SIZE;

	if (buffer->used >= ANSWER_LIMIT)
		return fail(EXIT_UNTRUSTED,
			    "the answer is longer than %zu MB: refused; ask for less, such as one "
			    "user's jobs",
			    ANSWER_LIMIT >> 20);
	if (buffer->used + 1 < buffer->size)
		return EXIT_OK;
	buffer->text = maui_grow(buffer->text, wanted, &buffer->size, 1);
	return EXIT_OK;
}

/* What the buffer takes, and no more than the limit. */
static size_t transport_room(const struct buffer *buffer)
{
	size_t left = ANSWER_LIMIT - buffer->used, here = buffer->size - buffer->used - 1;

	return here < left ? here : left;
}

/* Up to the first newline. */
static int receive_line(const struct engine *engine, int fd, const struct deadline *deadline,
			struct buffer *buffer)
{
	for (;;) {
		ssize_t count;
		char *newline;
		int result = wait_for(fd, POLLIN, deadline);

		if (result)
			return fail_broken(engine, result);
		result = make_room(buffer);
		if (result)
			return result;
		count = recv(fd, buffer->text + buffer->used, transport_room(buffer), 0);
		if (count < 0 && (errno == EAGAIN || errno == EINTR))
			continue;
		if (count < 0)
			return fail_broken(engine, -errno);
		if (count == 0)
			return fail(EXIT_UNTRUSTED,
				    "what listens on %s hung up after %zu bytes, in the middle "
				    "of an "
				    "answer",
				    engine->place, buffer->used);
		newline = memchr(buffer->text + buffer->used, '\n', (size_t)count);
		buffer->used += (size_t)count;
		if (newline) {
			buffer->used = (size_t)(newline - buffer->text);
			*newline = '\0';
			return EXIT_OK;
		}
	}
}

int transport_exchange(const struct engine *engine, const char *line, size_t size, char **ret_text,
		       size_t *ret_size)
{
	const struct deadline deadline = deadline_in(engine->timeout);
	struct buffer buffer = {0};
	int code, fd = -1;

	if (size > REQUEST_LIMIT)
		return fail(EXIT_ERRORS,
			    "the request is %zu bytes long and may be %zu: ask for less", size,
			    REQUEST_LIMIT);
	code = open_connection(engine, &deadline, &fd);
	if (code)
		return code;
	code = transport_send_all(engine, fd, line, size, &deadline);
	if (!code)
		code = receive_line(engine, fd, &deadline, &buffer);
	close(fd);
	if (code) {
		free(buffer.text);
		return code;
	}
	*ret_text = buffer.text;
	*ret_size = buffer.used;
	return EXIT_OK;
}
