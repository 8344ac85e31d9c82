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
#include <netdb.h>
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

#define MAX_CONNECTIONS    64
#define MAX_REQUEST        ((size_t)64 * 1024)         /* bytes, its newline included */
#define MAX_PENDING_OUTPUT ((size_t)256 * 1024 * 1024) /* bytes, of all answers together */
#define REQUEST_SECONDS    5                           /* to send a complete request */
#define ANSWER_SECONDS     30                          /* to receive a complete answer */
#define RETRY_SECONDS      10                          /* before retrying when the port is taken */

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
	char host[256];
	uint16_t port; /* 0: do not listen */
	char munge_socket[256];
} wish;

static int wake[2]; /* a pipe: the wish has changed; made before the service's thread */

/* The service's thread alone. */
static struct connection connections[MAX_CONNECTIONS];
static size_t pending_output;

/* Where we listen now. The service's thread alone. */
static struct {
	int fd;
	char host[256];
	uint16_t port;
	double since; /* since when */
	double retry; /* when to try again after a failure */
	bool failure_said;
} listener = {.fd = -1};

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
	int fd = accept4(listener.fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

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
	const char *refused = authentication_read(connection->in, monotonic() - listener.since,
						  &payload, &payload_size, &uid);

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

/* ---- the listener ---- */

static int listen_on(const char *host, uint16_t port, const char **ret_failure)
{
	struct addrinfo hints = {
		.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
	struct addrinfo *found = NULL;
	char service[8];
	int fd = -1, rc, on = 1;

	snprintf(service, sizeof(service), "%u", port);
	rc = getaddrinfo(host, service, &hints, &found);
	if (rc) {
		*ret_failure = gai_strerror(rc);
		return -1;
	}
	*ret_failure = NULL;
	for (struct addrinfo *at = found; at && fd < 0; at = at->ai_next) {
		fd = socket(at->ai_family, at->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
		if (fd < 0)
			continue;
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
		if (bind(fd, at->ai_addr, at->ai_addrlen) || listen(fd, SOMAXCONN)) {
			*ret_failure = strerror(errno);
			close(fd);
			fd = -1;
		}
	}
	freeaddrinfo(found);
	return fd;
}

static void say_failure(const char *failure)
{
	if (!listener.failure_said)
		error("maui: the service cannot listen on %s port %u: %s; the maui command gets no "
		      "answers until it can",
		      listener.host, listener.port, failure ? failure : "no address");
	listener.failure_said = true;
}

/* Adjusts the listener to the wish. */
static void follow_wish(void)
{
	const char *failure = NULL;
	char munge_socket[sizeof(wish.munge_socket)];
	bool same;

	mutex_lock(&wish_mutex);
	same = listener.port == wish.port && !strcmp(listener.host, wish.host);
	listener.port = wish.port;
	memcpy(listener.host, wish.host, sizeof(listener.host));
	memcpy(munge_socket, wish.munge_socket, sizeof(munge_socket));
	mutex_unlock(&wish_mutex);
	authentication_use(munge_socket);
	if (same && listener.fd >= 0)
		return;
	if (listener.fd >= 0)
		close(listener.fd);
	listener.fd = -1;
	if (!same)
		listener.failure_said = false;
	if (!listener.port)
		return;
	listener.fd = listen_on(listener.host, listener.port, &failure);
	if (listener.fd < 0) {
		listener.retry = monotonic() + RETRY_SECONDS;
		say_failure(failure);
	} else {
		listener.since = monotonic();
		listener.failure_said = false;
		debug("maui: the service listens on %s port %u", listener.host, listener.port);
	}
}

/* ---- the thread ---- */

/* Entries 0 and 1 are the wake-up pipe and the listener, the others the connections. */
static int poll_timeout(void)
{
	double now = monotonic(), until = now + 3600;

	for (size_t i = 0; i < MAX_CONNECTIONS; i++)
		if (connections[i].fd >= 0 && connections[i].deadline < until)
			until = connections[i].deadline;
	if (listener.fd < 0 && listener.port && listener.retry < until)
		until = listener.retry;
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
	fds[1] = (struct pollfd){.fd = listener.fd, .events = POLLIN};
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
	} else if (listener.fd < 0 && listener.port && monotonic() >= listener.retry) {
		follow_wish();
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

	wish.port = 0;
	if (engine.mode == ENGINE_STANDBY)
		return;
	snprintf(wish.host, sizeof(wish.host), "%s", site->address ? site->address : SITE_ADDRESS);
	wish.port = site->port;
	if (!wish.port)
		wish.port = (uint16_t)maui_config_get(in_force.policy->config, MAUI_KEY_SERVERPORT,
						      NULL)
				    ->integer;
	snprintf(wish.munge_socket, sizeof(wish.munge_socket), "%s",
		 site->munge_socket ? site->munge_socket : "");
}

void service_configure(void)
{
	engine_lock();
	mutex_lock(&wish_mutex);
	make_wish();
	if (!wish.started && wish.port)
		start_thread();
	else if (wish.started && write(wake[1], "", 1) < 0)
		debug("maui: the service has a wake-up waiting already");
	mutex_unlock(&wish_mutex);
	engine_unlock();
}

struct json_object *service_report(void)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "address", json_object_new_string(listener.host));
	json_object_object_add(object, "port", json_object_new_int64(listener.port));
	return object;
}
