/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process that answers browsers: its token, its signals, its loop. */
#include "contribs/maui/serve/serve.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "contribs/maui/lib/deadline.h"
#include "contribs/maui/serve/serve_http.h"

static int make_token(char token[SERVE_TOKEN_SIZE])
{
	unsigned char bytes[SERVE_TOKEN_BYTES];

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		return fail(EXIT_ERRORS, "cannot get random bytes: %s", strerror(errno));
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(token + 2 * i, 3, "%02x", bytes[i]);
	return EXIT_OK;
}

/* Readable when this process is asked to end. */
static int open_signals(int *ret_fd)
{
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	if (sigprocmask(SIG_BLOCK, &ends, NULL))
		return fail(EXIT_ERRORS, "cannot block signals: %s", strerror(errno));
	*ret_fd = signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
	return *ret_fd < 0 ? fail(EXIT_ERRORS, "cannot wait for signals: %s", strerror(errno))
			   : EXIT_OK;
}

/* ---- the loop ------------------------------------------------------------------------------- */

/* Milliseconds until nobody has asked for --idle seconds. While a page is made somebody waits. */
static int64_t idle_left(const struct http *http)
{
	int64_t left = http->asked + (int64_t)http->options->idle * 1000 - milliseconds_now();

	return http->builder.busy ? 1000 : left;
}

static int wait_time(const struct http *http)
{
	int64_t left = idle_left(http);
	int timeout = http_timeout(http);

	left = left < 0 ? 0 : left;
	return timeout >= 0 && timeout < left ? timeout : (int)left;
}

static int serve_loop_run(struct http *http, int signals)
{
	struct pollfd events[] = {{.fd = http_fd(http), .events = POLLIN},
				  {.fd = http->builder.fd, .events = POLLIN},
				  {.fd = signals, .events = POLLIN}};
	struct built built;

	while (idle_left(http) > 0) {
		int ready = poll(events, 3, wait_time(http));

		if (ready < 0 && errno != EINTR)
			return fail(EXIT_ERRORS, "cannot wait for requests: %s", strerror(errno));
		if (ready > 0 && events[2].revents)
			return EXIT_OK;
		if (ready > 0 && events[1].revents) {
			int made = builder_read(&http->builder, &built);

			if (made < 0)
				return fail(EXIT_ERRORS,
					    "the process that makes the pages has ended");
			if (made)
				http_built(http, &built);
		}
		http_run(http);
	}
	note("nobody has asked for %d seconds", http->options->idle);
	return EXIT_OK;
}

/* The address alone is on standard output, for scripts. */
static void serve_loop_report(const struct http *http)
{
	char host[256] = "HOST";

	gethostname(host, sizeof(host) - 1);
	printf("http://127.0.0.1:%u/%s/\n", http->port, http->token);
	fflush(stdout);
	note("this address is for you alone: whoever has it sees what you may see");
	note("from elsewhere: ssh -L %u:127.0.0.1:%u %s, then the same address", http->port,
	     http->port, host);
}

int serve(const struct serve_options *options)
{
	struct http http = {.options = options};
	int signals = -1, code;

	code = make_token(http.token);
	if (code == EXIT_OK)
		code = open_signals(&signals);
	if (code == EXIT_OK)
		code = builder_start(options, &http.builder);
	if (code != EXIT_OK)
		return code;
	code = http_start(&http);
	if (code == EXIT_OK) {
		serve_loop_report(&http);
		code = serve_loop_run(&http, signals);
	}
	http_stop(&http);
	builder_end(&http.builder);
	close(signals);
	return code;
}
