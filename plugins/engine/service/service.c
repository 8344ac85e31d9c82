/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The socket side of the service: accept, read one line, have it answered (lanes.h), write, close. A
 * connection lives for a bounded time, which passes only while we look at it. When all places are
 * taken, the connection that has gone longest without a complete request gives way, so that a
 * thousand silent connections do not keep an honest one out.
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

#include "common/util/memory.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/service/authentication.h"
#include "plugins/engine/service/bounds.h"
#include "plugins/engine/service/lanes.h"
#include "plugins/engine/service/listener.h"
#include "plugins/engine/service/service_place.h"
#include "plugins/engine/service/service_requests.h"

/* Connections that have sent no request yet get as many places as requests
 * under way. */
#define MAX_CONNECTIONS ((size_t)2 * BOUND_REQUESTS)
#define MAX_REQUEST     ((size_t)64 * 1024) /* bytes, its newline included */
#define REQUEST_SECONDS 5                   /* to send a complete request */
#define ANSWER_SECONDS  30                  /* to receive a complete answer */
#define FORGIVEN_FROM   0.1                 /* seconds for which we did not look */

enum state {
	FREE,    /* a place without a connection */
	READING, /* its request is not complete */
	WAITING, /* for its answer */
	WRITING,
};

struct connection {
	enum state state;
	int fd;
	double deadline; /* to read and to write */
	char *in;        /* while READING */
	size_t in_size;
	struct lane_task task; /* while WAITING */
	char *out;             /* while WRITING */
	size_t out_size, out_at;
	bool entered; /* it counts as a request of this user's, and out_size as bytes */
	uid_t uid;
};

static struct mutex thread_mutex = {PTHREAD_MUTEX_INITIALIZER};

GUARDED_BY(thread_mutex) static bool started; /* the service's thread */

/* A pipe: the place has changed, or an answer is done; made before the service's thread. */
static int wake[2];

/* The service's thread alone. */
static struct connection connections[MAX_CONNECTIONS];
static uid_t slurm_uid;

/* ---- connections ---- */

static bool is_privileged(uid_t uid)
{
	return uid == 0 || uid == slurm_uid;
}

static void close_connection(struct connection *connection)
{
	close(connection->fd);
	free(connection->in);
	free(connection->out);
	if (connection->entered) {
		bounds_give(connection->uid, connection->out_size);
		bounds_leave(connection->uid);
	}
	*connection = (struct connection){.state = FREE};
}

static struct connection *free_place(void)
{
	struct connection *oldest = NULL;

	for (size_t i = 0; i < MAX_CONNECTIONS; i++) {
		struct connection *connection = &connections[i];

		if (connection->state == FREE)
			return connection;
		if (connection->state == READING &&
		    (!oldest || connection->deadline < oldest->deadline))
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
	*connection = (struct connection){.state = READING,
					  .fd = fd,
					  .deadline = monotonic_seconds() + REQUEST_SECONDS,
					  .in = maui_malloc(MAX_REQUEST, 1)};
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

/* A short answer, such as a refusal, is gone at once: it holds no place. */
static void put_answer(struct connection *connection, char *answer, size_t size)
{
	free(connection->in);
	connection->in = NULL;
	if (!answer) {
		close_connection(connection);
		return;
	}
	connection->state = WRITING;
	connection->out = answer;
	connection->out_size = size;
	connection->deadline = monotonic_seconds() + ANSWER_SECONDS;
	write_answer(connection);
}

/* Of a request that has not entered, and is done with. */
static void service_refuse(struct connection *connection, struct request *request, const char *why)
{
	size_t size = 0;
	char *text = request_refuse(request, why, &size);

	request_free(request);
	put_answer(connection, text, size);
}

static void refuse_unknown(struct connection *connection, const char *why)
{
	size_t size = 0;
	char *text = request_refusal(why, &size);

	put_answer(connection, text, size);
}

static void service_enter(struct connection *connection, struct request *request, size_t size)
{
	uid_t uid = request_uid(request);
	const char *refused = bounds_enter(uid, is_privileged(uid), size, monotonic_seconds());

	if (refused) {
		debug("maui: service: refused a request of uid %u: %s", (unsigned int)uid, refused);
		service_refuse(connection, request, refused);
		return;
	}
	connection->task = (struct lane_task){.request = request, .privileged = is_privileged(uid)};
	if (!lanes_put(&connection->task)) {
		bounds_leave(uid);
		service_refuse(connection, request, "the engine can make no thread: try again");
		return;
	}
	connection->state = WAITING;
	connection->entered = true;
	connection->uid = uid;
}

/* The credential is complete: who asks, and for what? */
static void judge_request(struct connection *connection)
{
	char *payload = NULL;
	size_t size = 0;
	uid_t uid = 0;
	const char *refused =
		authentication_read(connection->in, listener_seconds(), &payload, &size, &uid);

	free(connection->in);
	connection->in = NULL;
	if (refused) {
		debug("maui: service: refused a request: %s", refused);
		refuse_unknown(connection, refused);
	} else {
		service_enter(connection, request_read(payload, size, uid), size);
	}
	free(payload);
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
		judge_request(connection);
	} else if (connection->in_size == MAX_REQUEST) {
		refuse_unknown(connection, "request longer than 64 KiB");
	}
}

/* What the lanes have answered. */
static void take_answer(struct connection *connection)
{
	struct lane_task *task = &connection->task;
	const char *refused = NULL;

	if (!lanes_done(task))
		return;
	if (task->answer)
		refused = bounds_take(connection->uid, task->privileged, task->size);
	if (refused) {
		debug("maui: service: dropped an answer to uid %u: %s",
		      (unsigned int)connection->uid, refused);
		free(task->answer);
		task->answer = request_refuse(task->request, refused, &task->size);
		if (task->answer && bounds_take(connection->uid, true, task->size)) {
			free(task->answer);
			task->answer = NULL;
		}
	}
	request_free(task->request);
	put_answer(connection, task->answer, task->size);
}

/* ---- the thread ---- */

static double first_deadline(void)
{
	double until = listener_next();

	for (size_t i = 0; i < MAX_CONNECTIONS; i++)
		if ((connections[i].state == READING || connections[i].state == WRITING) &&
		    connections[i].deadline < until)
			until = connections[i].deadline;
	return until;
}

/* At most an hour, milliseconds. */
static int poll_timeout(double now, double until)
{
	if (until <= now)
		return 0;
	return until - now < 3600 ? (int)((until - now) * 1000) + 1 : 3600 * 1000;
}

static void serve_connection(struct connection *connection, short events)
{
	if (connection->state == WRITING && (events & (POLLOUT | POLLERR | POLLHUP)))
		write_answer(connection);
	else if (connection->state == READING && (events & (POLLIN | POLLERR | POLLHUP)))
		read_request(connection);
}

/* After what they had to say was heard. */
static void end_late(double now)
{
	for (size_t i = 0; i < MAX_CONNECTIONS; i++)
		if ((connections[i].state == READING || connections[i].state == WRITING) &&
		    now >= connections[i].deadline)
			close_connection(&connections[i]);
}

/* Time in which we did not look is not the peers': munged was slow, or slurmctld was stopped. What
 * they have sent meanwhile is read before they are late. */
static void service_forgive(double seconds)
{
	double until = monotonic_seconds() + REQUEST_SECONDS;

	if (seconds < FORGIVEN_FROM)
		return;
	for (size_t i = 0; i < MAX_CONNECTIONS; i++)
		if (connections[i].deadline < until)
			connections[i].deadline = until;
}

static void follow_place(void)
{
	struct service_place place;

	if (!service_place_follow(&place))
		return;
	authentication_use(place.munge_socket);
	slurm_uid = place.listener.owner;
	listener_follow(&place.listener);
}

static void drain_wake_pipe(void)
{
	char bytes[64];

	while (read(wake[0], bytes, sizeof(bytes)) > 0)
		;
}

/* What is polled: the wake-up pipe, the listener, and connections. No more entries than there are
 * descriptors, or poll() fails where those are short. */
struct sight {
	struct pollfd fds[MAX_CONNECTIONS + 2];
	struct connection *of[MAX_CONNECTIONS + 2];
	nfds_t count;
};

static void add_to(struct sight *sight, int fd, short events, struct connection *connection)
{
	sight->of[sight->count] = connection;
	sight->fds[sight->count++] = (struct pollfd){.fd = fd, .events = events};
}

/* False: poll() failed. */
static bool service_look(struct sight *sight)
{
	double now = monotonic_seconds();
	int timeout = poll_timeout(now, first_deadline()), rc;

	add_to(sight, wake[0], POLLIN, NULL);
	add_to(sight, listener_fd(), POLLIN, NULL);
	for (size_t i = 0; i < MAX_CONNECTIONS; i++)
		if (connections[i].state == READING)
			add_to(sight, connections[i].fd, POLLIN, &connections[i]);
		else if (connections[i].state == WRITING)
			add_to(sight, connections[i].fd, POLLOUT, &connections[i]);
	rc = poll(sight->fds, sight->count, timeout);
	if (rc < 0 && errno != EINTR)
		usleep((useconds_t)(FORGIVEN_FROM * 1e6));
	service_forgive(monotonic_seconds() - now - (double)timeout / 1000);
	return rc >= 0;
}

static void serve_once(void)
{
	struct sight sight = {.count = 0};
	double woken;

	if (!service_look(&sight))
		return;
	woken = monotonic_seconds();
	for (nfds_t i = 2; i < sight.count; i++)
		serve_connection(sight.of[i], sight.fds[i].revents);
	end_late(woken);
	if (sight.fds[1].revents & POLLIN)
		accept_one();
	if (sight.fds[0].revents & POLLIN) {
		drain_wake_pipe();
		follow_place();
		for (size_t i = 0; i < MAX_CONNECTIONS; i++)
			if (connections[i].state == WAITING)
				take_answer(&connections[i]);
	}
	if (monotonic_seconds() >= listener_next())
		listener_again();
	service_forgive(monotonic_seconds() - woken);
}

static void *service_thread(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, "maui-service", NULL, NULL, NULL);
	lanes_begin(wake[1]);
	follow_place();
	for (;;)
		serve_once();
	return NULL;
}

LOCKED_BY(thread_mutex) static void start_thread(void)
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
	started = true;
}

void service_configure(void)
{
	bool listens = service_place_update();

	mutex_lock(&thread_mutex);
	if (!started && listens)
		start_thread();
	else if (started && write(wake[1], "", 1) < 0)
		debug("maui: the service has a wake-up waiting already");
	mutex_unlock(&thread_mutex);
}
