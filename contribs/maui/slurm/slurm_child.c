/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Forks a child that calls slurm_init() and writes facts and errors into two
 * pipes; the parent reads them until the deadline.
 */
#include "contribs/maui/slurm/slurm_child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/util/grow.h"
#include "contribs/maui/lib/deadline.h"
#include "contribs/maui/slurm/slurm_compat.h"

#define PIECE     65536 /* bytes: what a pipe holds */
#define COMPLAINT 4096

bool slurm_child_failed(void)
{
	fprintf(stderr, "%s\n", slurm_strerror(errno));
	return false;
}

/* The facts go to one pipe, errors to the other. Does not return. */
__attribute__((noreturn)) static void slurm_child_child(slurm_child_work work, int facts,
							int complaints)
{
	FILE *stream = fdopen(facts, "w");
	bool done;

	if (!stream || dup2(complaints, STDERR_FILENO) < 0)
		_exit(1);
	setvbuf(stream, NULL, _IOFBF, PIECE);
	slurm_init(NULL);
	done = work(stream);
	done = fflush(stream) == 0 && done;
	_exit(done ? 0 : 1);
}

/* One more piece until the end or the deadline; 0 at either, -1 if it fails. */
static ssize_t read_piece(int fd, void *buffer, size_t size, const struct deadline *deadline)
{
	struct pollfd wait = {.fd = fd, .events = POLLIN};
	int ready = poll(&wait, 1, deadline_left(deadline));

	return ready > 0 ? read(fd, buffer, size) : ready;
}

struct taker {
	slurm_child_take take;
	void *context;
};

/* The time is Slurm's: what we need for a piece is not counted. */
static void hand_over(const struct taker *taker, const char *piece, size_t size,
		      struct deadline *deadline)
{
	int64_t begun = milliseconds_now();

	taker->take(taker->context, piece, size);
	deadline->end += milliseconds_now() - begun;
}

/* Up to the end, the deadline, or one byte more than the limit. Returns how many. */
static size_t slurm_child_take_all(int fd, size_t limit, const struct taker *taker,
				   struct deadline *deadline)
{
	char piece[PIECE];
	size_t size = 0;
	ssize_t count;

	do {
		count = read_piece(fd, piece, sizeof(piece), deadline);
		if (count > 0) {
			hand_over(taker, piece, (size_t)count, deadline);
			size += (size_t)count;
		}
	} while (count > 0 && size <= limit);
	return size;
}

/* The last line of libslurm's complaints, without its prefix; "" if there is none. */
static const char *last_line(char *text)
{
	char *line = text, *colon;

	for (char *next = strtok(text, "\n"); next; next = strtok(NULL, "\n"))
		line = next;
	colon = strstr(line, "fatal: ");
	return colon ? colon + strlen("fatal: ") : line;
}

static int slurm_child_explain(int complaints, const char *what, struct maui_error *error)
{
	const struct deadline now = deadline_in(0);
	char text[COMPLAINT] = "";
	ssize_t count = read_piece(complaints, text, sizeof(text) - 1, &now);
	const char *line;

	text[count > 0 ? count : 0] = '\0';
	line = last_line(text);
	return maui_error_set(error, ENOENT, "cannot ask Slurm for its %s%s%s", what,
			      *line ? ": " : "", line);
}

static int slurm_child_collect(pid_t pid, const int pipes[2], int timeout, size_t limit,
			       const char *what, const struct taker *taker,
			       struct maui_error *error)
{
	struct deadline deadline = deadline_in(timeout);
	size_t size = slurm_child_take_all(pipes[0], limit, taker, &deadline);
	bool late = deadline_left(&deadline) == 0;
	int status = 0;

	if (late || size > limit)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (late)
		return maui_error_set(error, ETIMEDOUT,
				      "Slurm did not send its %s within %d seconds", what, timeout);
	if (size > limit)
		return maui_error_set(error, EMSGSIZE, "Slurm's %s is longer than %zu bytes", what,
				      limit);
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	return slurm_child_explain(pipes[1], what, error);
}

/* SLURM_CONF names a file: libslurm would wait a minute for it to appear. */
static int check_environment(struct maui_error *error)
{
	const char *path = getenv("SLURM_CONF");

	if (!path || !*path || access(path, R_OK) == 0)
		return 0;
	return maui_error_set(error, ENOENT, "cannot read SLURM_CONF %s: %s", path,
			      strerror(errno));
}

int slurm_child_pieces(slurm_child_work work, int timeout, size_t limit, const char *what,
		       slurm_child_take take, void *context, struct maui_error *error)
{
	const struct taker taker = {take, context};
	int facts[2], complaints[2], result;
	pid_t pid;

	result = check_environment(error);
	if (result)
		return result;
	if (pipe(facts) < 0)
		return maui_error_set(error, errno, "cannot make a pipe: %s", strerror(errno));
	if (pipe(complaints) < 0) {
		close(facts[0]);
		close(facts[1]);
		return maui_error_set(error, EMFILE, "cannot make a pipe");
	}
	fflush(NULL);
	pid = fork();
	if (pid == 0)
		slurm_child_child(work, facts[1], complaints[1]);
	close(facts[1]);
	close(complaints[1]);
	if (pid < 0)
		result = maui_error_set(error, errno, "cannot fork: %s", strerror(errno));
	else
		result = slurm_child_collect(pid, (const int[]){facts[0], complaints[0]}, timeout,
					     limit, what, &taker, error);
	close(facts[0]);
	close(complaints[0]);
	return result;
}

/* ---- all pieces in one ---------------------------------------------------------------------- */

struct text {
	char *bytes;
	size_t used, room;
};

static void slurm_child_append(void *context, const char *piece, size_t size)
{
	struct text *text = context;

	text->bytes = maui_grow(text->bytes, text->used + size + 1, &text->room, 1);
	memcpy(text->bytes + text->used, piece, size);
	text->used += size;
	text->bytes[text->used] = '\0';
}

int slurm_child(slurm_child_work work, int timeout, size_t limit, const char *what,
		char **ret_facts, size_t *ret_size, struct maui_error *error)
{
	struct text text = {0};
	int rc;

	slurm_child_append(&text, "", 0);
	rc = slurm_child_pieces(work, timeout, limit, what, slurm_child_append, &text, error);
	if (rc) {
		free(text.bytes);
		return rc;
	}
	*ret_facts = text.bytes;
	*ret_size = text.used;
	return 0;
}
