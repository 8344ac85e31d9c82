/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The socket side of the service: accept, read one line, have it answered, write, close. A
 * connection lives for a bounded time. When all slots are taken, the connection that has gone
 * longest without a complete request gives way, so that a thousand silent connections do not keep
 * an honest one out.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/service/service.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/service/authentication.h"
#include "plugins/engine/service/listener.h"

#define MAX_CONNECTIONS    64
#define MAX_REQUEST        ((size_t)64 * 1024)         /* bytes, its newline included */
#define MAX_PENDING_OUTPUT ((size_t)256 * 1024 * 1024) /* bytes, of all answers together */
#define REQUEST_SECONDS    5                           /* to send a complete request */
#define ANSWER_SECONDS     30                          /* to receive a complete answer */

struct connection {
	int fd; /* -1: a free slot */
	double deadline;
	char *in; /* NULL once the request is answered */
	size_t in_size;
	char *out;
	size_t out_size, out_at;
};

/* Taken after the engine's, never before. */
static struct mutex wish_mutex = {PTHREAD_MUTEX_INITIALIZER};

/* What the service should do. */
GUARDED_BY(wish_mutex) static struct {
	bool started;
	struct listener_place place;
	char munge_socket[256];
} wish;

static int wake[2]; /* a pipe: the wish has changed; made before the service's thread */

/* The service's thread alone. */
static struct connection connections[MAX_CONNECTIONS];
static size_t pending_output;

/* ---- connections ---- */

static void close_connection(struct connection *connection)
{
	close(connection->fd);
	free(connection->in);
	pending_output -= connection->out ? connection->out_size : 0;
	free(connection->out);
	connection->in = connection->out = NULL;
	connection->fd = -1;
}

static struct connection *free_place(void)
{
	struct connection *oldest = NULL;

	for (size_t i = 0; i < MAX_CONNECTIONS; i++) {
		struct connection *connection = &connections[i];

		if (connection->fd < 0)
			return connection;
		if (!connection->out && (!oldest || connection->deadline < oldest->deadline))
			oldest = connection;
	}
	if (oldest)
		close_connection(oldest);
	return oldest;
}

static void accept_one(void)
{
	struct connection *connection;
	int fd = listener_accept();

	if (fd < 0)
		return;
	connection = free_place();
	if (!connection) { /* all are being answered, and end soon */
		close(fd);
		return;
	}
	*connection = (struct connection){
		.fd = fd, .deadline = monotonic() + REQUEST_SECONDS, .in = malloc(MAX_REQUEST)};
	if (!connection->in)
		close_connection(connection);
}

static void put_answer(struct connection *connection, char *answer, size_t size)
{
	free(connection->in);
	connection->in = NULL;
	if (!answer || pending_output + size > MAX_PENDING_OUTPUT) {
		free(answer);
		close_connection(connection);
		return;
	}
	connection->out = answer;
	connection->out_size = size;
	pending_output += size;
	connection->deadline = monotonic() + ANSWER_SECONDS;
}

/* The credential is complete: who asks, and for what? */
static void answer(struct connection *connection)
{
	char *payload = NULL, *text;
	size_t payload_size = 0, size = 0;
	uid_t uid = 0;
	const char *refused = authentication_read(connection->in, listener_seconds(), &payload,
						  &payload_size, &uid);

	if (refused) {
		debug("maui: service: refused a request: %s", refused);
		text = request_refusal(refused, &size);
	} else {
		text = request_answer(payload, payload_size, uid, &size);
	}
	free(payload);
	put_answer(connection, text, size);
}

static void read_request(struct connection *connection)
{
	size_t room = MAX_REQUEST - connection->in_size;
	ssize_t got = recv(connection->fd, connection->in + connection->in_size, room, 0);
	char *newline;

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got <= 0) { /* a partial request is dropped */
		close_connection(connection);
		return;
	}
	newline = memchr(connection->in + connection->in_size, '\n', (size_t)got);
	connection->in_size += (size_t)got;
	if (newline) {
		*newline = '\0';
		answer(connection);
	} else if (connection->in_size == MAX_REQUEST) {
		size_t size = 0;
		char *text = request_refusal("request longer than 64 KiB", &size);

		put_answer(connection, text, size);
	}
}

static void write_answer(struct connection *connection)
{
	ssize_t sent = send(connection->fd, connection->out + connection->out_at,
			    connection->out_size - connection->out_at, MSG_NOSIGNAL);

	if (sent < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (sent > 0)
		connection->out_at += (size_t)sent;
	if (sent < 0 || connection->out_at == connection->out_size)
		close_connection(connection);
}

/* ---- the thread ---- */

/* Entries 0 and 1 are the wake-up pipe and the listener, the others the connections. */
static int poll_timeout(void)
{
	double now = monotonic(), until = now + 3600;

	for (size_t i = 0; i < MAX_CONNECTIONS; i++)
		if (connections[i].fd >= 0 && connections[i].deadline < until)
			until = connections[i].deadline;
	if (listener_next() < until)
		until = listener_next();
	return until <= now ? 0 : (int)((until - now) * 1000) + 1;
}

static void serve_connection(struct connection *connection, short events)
{
	if (connection->fd < 0)
		return;
	if (connection->out && (events & (POLLOUT | POLLERR | POLLHUP)))
		write_answer(connection);
	else if (connection->in && (events & (POLLIN | POLLERR | POLLHUP)))
		read_request(connection);
	if (connection->fd >= 0 && monotonic() >= connection->deadline)
		close_connection(connection);
}

static void follow_wish(void)
{
	char munge_socket[sizeof(wish.munge_socket)];
	struct listener_place place;

	mutex_lock(&wish_mutex);
	place = wish.place;
	memcpy(munge_socket, wish.munge_socket, sizeof(munge_socket));
	mutex_unlock(&wish_mutex);
	authentication_use(munge_socket);
	listener_follow(&place);
}

static void drain_wake_pipe(void)
{
	char bytes[64];

	while (read(wake[0], bytes, sizeof(bytes)) > 0)
		;
}

static void serve_once(void)
{
	struct pollfd fds[MAX_CONNECTIONS + 2];

	fds[0] = (struct pollfd){.fd = wake[0], .events = POLLIN};
	fds[1] = (struct pollfd){.fd = listener_fd(), .events = POLLIN};
	for (size_t i = 0; i < MAX_CONNECTIONS; i++)
		fds[i + 2] = (struct pollfd){.fd = connections[i].fd,
					     .events = connections[i].out ? POLLOUT : POLLIN};
	if (poll(fds, MAX_CONNECTIONS + 2, poll_timeout()) < 0)
		return;
	for (size_t i = 0; i < MAX_CONNECTIONS; i++)
		serve_connection(&connections[i], fds[i + 2].revents);
	if (fds[1].revents & POLLIN)
		accept_one();
	if (fds[0].revents & POLLIN) {
		drain_wake_pipe();
		follow_wish();
	} else if (monotonic() >= listener_next()) {
		listener_again();
	}
}

static void *service_thread(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, "maui-service", NULL, NULL, NULL);
	for (size_t i = 0; i < MAX_CONNECTIONS; i++)
		connections[i].fd = -1;
	follow_wish();
	for (;;)
		serve_once();
	return NULL;
}

LOCKED_BY(wish_mutex) static void start_thread(void)
{
	pthread_t thread;

	if (pipe2(wake, O_NONBLOCK | O_CLOEXEC)) {
		error("maui: the service does not start: pipe: %s", strerror(errno));
		return;
	}
	if (pthread_create(&thread, NULL, service_thread, NULL)) {
		error("maui: the service does not start: no thread");
		close(wake[0]);
		close(wake[1]);
		return;
	}
	pthread_detach(thread);
	wish.started = true;
}

/* An old SERVERHOST, the host that the scheduler ran on, must not open a port
 * to the network, so it is ignored. */
ENGINE_LOCKED LOCKED_BY(wish_mutex) static void make_wish(void)
{
	const struct site *site = &engine.site;
	struct listener_place place = {.owner = site->slurm_uid};

	wish.place = place;
	if (engine.mode == ENGINE_STANDBY)
		return;
	if (site->socket) {
		snprintf(place.socket, sizeof(place.socket), "%s", site->socket);
	} else {
		snprintf(place.host, sizeof(place.host), "%s",
			 site->address ? site->address : SITE_ADDRESS);
		place.port = site->port;
	}
	if (!site->socket && !place.port)
		place.port = (uint16_t)maui_config_get(in_force.policy->config, MAUI_KEY_SERVERPORT,
						       NULL)
				     ->integer;
	wish.place = place;
	snprintf(wish.munge_socket, sizeof(wish.munge_socket), "%s",
		 site->munge_socket ? site->munge_socket : "");
}

void service_configure(void)
{
	engine_lock();
	mutex_lock(&wish_mutex);
	make_wish();
	if (!wish.started && (wish.place.port || *wish.place.socket))
		start_thread();
	else if (wish.started && write(wake[1], "", 1) < 0)
		debug("maui: the service has a wake-up waiting already");
	mutex_unlock(&wish_mutex);
	engine_unlock();
}

struct json_object *service_report(void)
{
	struct json_object *object = json_object_new_object();
	struct listener_place place;

	mutex_lock(&wish_mutex);
	place = wish.place;
	mutex_unlock(&wish_mutex);
	json_object_object_add(object, "address", json_object_new_string(place.host));
	json_object_object_add(object, "port", json_object_new_int64(place.port));
	json_object_object_add(object, "socket",
			       *place.socket ? json_object_new_string(place.socket) : NULL);
	return object;
}
