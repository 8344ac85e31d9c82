/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Forks a child that receives searches over a socket pair and answers each with
 * a struct head and the page's HTML.
 */
#include "contribs/maui/serve/serve_builder.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/util/grow.h"
#include "contribs/maui/lib/deadline.h"
#include "contribs/maui/page/page.h"

#define PIECE ((size_t)256 << 10)

/* Before each page. */
struct head {
	int64_t loaded;
	uint64_t size;
};

/* ---- the process itself --------------------------------------------------------------------- */

static void write_whole(int fd, const void *bytes, size_t size)
{
	const char *rest = bytes;

	while (size) {
		ssize_t count = write(fd, rest, size);

		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			_exit(EXIT_OK); /* nobody wants it any more */
		rest += count;
		size -= (size_t)count;
	}
}

static void send_page(int fd, const struct page *page, int64_t loaded)
{
	struct html html = {0};
	struct head head;

	page_write(&html, page);
	head = (struct head){.loaded = loaded, .size = html.size};
	write_whole(fd, &head, sizeof(head));
	write_whole(fd, html.text, html.size);
	html_clear(&html);
}

/* Ends when the other process closes its side. */
__attribute__((noreturn)) static void serve_builder_build(const struct serve_options *options,
							  int fd)
{
	char search[SERVE_SEARCH_SIZE];
	struct page page = {0};
	int64_t loaded = 0;

	for (;;) {
		ssize_t count = recv(fd, search, sizeof(search), MSG_WAITALL);
		struct page_live live = {.every = options->every, .search = search};

		if (count != sizeof(search))
			_exit(EXIT_OK);
		if (!loaded || milliseconds_now() - loaded >= (int64_t)options->every * 1000) {
			page_clear(&page);
			page_load(options->cli, &options->wanted, &page);
			loaded = milliseconds_now();
		}
		page.live = &live;
		page_jobs_find(&page);
		send_page(fd, &page, loaded);
	}
}

/* ---- its parent ----------------------------------------------------------------------------- */

int builder_start(const struct serve_options *options, struct builder *ret_builder)
{
	int ends[2];
	sigset_t none;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return fail(EXIT_ERRORS, "cannot make a pair of sockets: %s", strerror(errno));
	pid = fork();
	if (pid == 0) {
		close(ends[0]);
		/* It goes with its parent, also in the middle of a question. */
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		serve_builder_build(options, ends[1]);
	}
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return fail(EXIT_ERRORS, "cannot fork: %s", strerror(errno));
	}
	*ret_builder = (struct builder){.pid = pid, .fd = ends[0]};
	return EXIT_OK;
}

bool builder_ask(struct builder *builder, const char *search)
{
	char text[SERVE_SEARCH_SIZE] = "";

	memcpy(text, search, strnlen(search, sizeof(text) - 1));
	builder->busy = send(builder->fd, text, sizeof(text), MSG_NOSIGNAL) == sizeof(text);
	return builder->busy;
}

static int serve_builder_take(struct builder *builder, struct built *ret_built)
{
	struct head head;

	if (builder->size < sizeof(head))
		return 0;
	memcpy(&head, builder->answer, sizeof(head));
	if (builder->size - sizeof(head) < head.size)
		return 0;
	memmove(builder->answer, builder->answer + sizeof(head), head.size);
	*ret_built = (struct built){builder->answer, head.size, head.loaded};
	builder->answer = NULL;
	builder->size = builder->room = 0;
	builder->busy = false;
	return 1;
}

int builder_read(struct builder *builder, struct built *ret_built)
{
	char *answer = maui_grow(builder->answer, builder->size + PIECE, &builder->room, 1);
	ssize_t count;

	builder->answer = answer;
	count = recv(builder->fd, answer + builder->size, builder->room - builder->size,
		     MSG_DONTWAIT);
	if (count < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (count <= 0)
		return -1;
	builder->size += (size_t)count;
	return serve_builder_take(builder, ret_built);
}

void builder_end(struct builder *builder)
{
	close(builder->fd);
	kill(builder->pid, SIGTERM);
	while (waitpid(builder->pid, NULL, 0) < 0 && errno == EINTR)
		;
	free(builder->answer);
}
