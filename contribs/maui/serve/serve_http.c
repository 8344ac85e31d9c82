/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Callbacks of libmicrohttpd: they count connections of other users, suspend
 * requests while a page is made, and keep eight pages.
 */
#include "contribs/maui/serve/serve_http.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/util/memory.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/deadline.h"
#include "contribs/maui/page/page.h"
#include "contribs/maui/serve/serve_peer.h"

#define HTTP_MEMORY  ((size_t)16 << 10) /* of a connection: its request must fit */
#define HTTP_SECONDS 10                 /* of silence */

/* ---- responses ------------------------------------------------------------------------------ */

static struct MHD_Response *make_response(char *bytes, size_t size,
					  enum MHD_ResponseMemoryMode mode, const char *type)
{
	static const char *const headers[][2] = {
		/* The address is a secret, and the page is about one user. */
		{"Cache-Control", "no-store"},
		{"Referrer-Policy", "no-referrer"},
		{"Content-Security-Policy",
		 "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"},
		{"Cross-Origin-Resource-Policy", "same-origin"},
		{"X-Content-Type-Options", "nosniff"},
	};
	struct MHD_Response *response = MHD_create_response_from_buffer(size, bytes, mode);

	if (!response)
		maui_memory_short(0);
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		MHD_add_response_header(response, headers[i][0], headers[i][1]);
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	return response;
}

/* Queues it, and forgets it. */
static enum MHD_Result send_once(struct MHD_Connection *connection, unsigned int code,
				 struct MHD_Response *response)
{
	enum MHD_Result done = MHD_queue_response(connection, code, response);

	MHD_destroy_response(response);
	return done;
}

static enum MHD_Result serve_http_refuse(struct MHD_Connection *connection, unsigned int code,
					 const char *name, const char *value)
{
	struct MHD_Response *response =
		make_response((char *)"", 0, MHD_RESPMEM_PERSISTENT, "text/plain");

	if (name)
		MHD_add_response_header(response, name, value);
	return send_once(connection, code, response);
}

static enum MHD_Result send_file(struct MHD_Connection *connection, const char *name)
{
	const struct html_file *file = page_file(name);

	return send_once(
		connection, MHD_HTTP_OK,
		make_response((char *)file->bytes, file->size, MHD_RESPMEM_PERSISTENT, file->type));
}

/* ---- pages ---------------------------------------------------------------------------------- */

/*
 * The first page is made while its address is still on the way to a browser, and shown at once: it
 * shows its time, and brings itself up to date.
 */
static bool is_fresh(const struct http *http, const struct kept *kept)
{
	int64_t seconds = http->options->every;

	if (kept->ahead && seconds < HTTP_AHEAD)
		seconds = HTTP_AHEAD;
	return kept->response && milliseconds_now() - kept->loaded < seconds * 1000;
}

/* Its place, or one that nobody waits for, the longest unused; NULL: all are waited for. */
static struct kept *place_of(struct http *http, const char *search)
{
	struct kept *oldest = NULL;

	for (size_t i = 0; i < HTTP_PAGES; i++) {
		struct kept *kept = &http->kept[i];

		if (kept->used && !strcmp(kept->search, search))
			return kept;
		if (!kept->wanted && (!oldest || kept->used < oldest->used))
			oldest = kept;
	}
	if (!oldest)
		return NULL;
	if (oldest->response)
		MHD_destroy_response(oldest->response);
	if (oldest == http->just_made)
		http->just_made = NULL;
	*oldest = (struct kept){0};
	snprintf(oldest->search, sizeof(oldest->search), "%s", search);
	return oldest;
}

static enum MHD_Result send_page(struct MHD_Connection *connection, struct kept *kept)
{
	const char *known = MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
							MHD_HTTP_HEADER_IF_NONE_MATCH);

	kept->ahead = false;
	if (known && !strcmp(known, kept->tag))
		return serve_http_refuse(connection, MHD_HTTP_NOT_MODIFIED, MHD_HTTP_HEADER_ETAG,
					 kept->tag);
	return MHD_queue_response(connection, MHD_HTTP_OK, kept->response);
}

/* At once, or when it has been made: then the connection is looked at again. */
static enum MHD_Result give_page(struct http *http, struct MHD_Connection *connection)
{
	const char *search = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "q");
	struct kept *kept;

	if (search && strlen(search) >= SERVE_SEARCH_SIZE)
		return serve_http_refuse(connection, MHD_HTTP_BAD_REQUEST, NULL, NULL);
	kept = place_of(http, search ? search : "");
	if (!kept || http->waiting_count == HTTP_CONNECTIONS)
		return serve_http_refuse(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
					 MHD_HTTP_HEADER_RETRY_AFTER, "1");
	kept->used = milliseconds_now();
	if (kept == http->just_made || is_fresh(http, kept))
		return send_page(connection, kept);
	kept->wanted = true;
	http->waiting[http->waiting_count++] = connection;
	MHD_suspend_connection(connection);
	return MHD_YES;
}

static void serve_http_resume_all(struct http *http)
{
	size_t count = http->waiting_count;

	http->waiting_count = 0;
	for (size_t i = 0; i < count; i++)
		MHD_resume_connection(http->waiting[i]);
}

void http_built(struct http *http, struct built *built)
{
	struct kept *kept = http->making;

	http->making = NULL;
	kept->wanted = false; /* who has asked for it meanwhile gets this one */
	if (kept->response)
		MHD_destroy_response(kept->response);
	kept->response = make_response(built->html, built->size, MHD_RESPMEM_MUST_FREE,
				       "text/html; charset=utf-8");
	kept->loaded = built->loaded;
	snprintf(kept->tag, sizeof(kept->tag), "\"%" PRIu64 "\"", ++http->made);
	MHD_add_response_header(kept->response, MHD_HTTP_HEADER_ETAG, kept->tag);
	http->just_made = kept;
	serve_http_resume_all(http);
}

/* ---- requests ------------------------------------------------------------------------------- */

static enum MHD_Result serve_http_answer(struct http *http, struct MHD_Connection *connection,
					 const struct serve_request *request)
{
	char address[SERVE_TOKEN_SIZE + 2];
	const char *file;

	switch (serve_judge(request, http->token, &file)) {
	case SERVE_PAGE:
		http->asked = milliseconds_now();
		return give_page(http, connection);
	case SERVE_FILE:
		http->asked = milliseconds_now();
		return send_file(connection, file);
	case SERVE_MOVED:
		snprintf(address, sizeof(address), "/%s/", http->token);
		return serve_http_refuse(connection, MHD_HTTP_MOVED_PERMANENTLY,
					 MHD_HTTP_HEADER_LOCATION, address);
	case SERVE_NO_METHOD:
		return serve_http_refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
					 MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	case SERVE_NOTHING:
		return serve_http_refuse(connection, MHD_HTTP_NOT_FOUND, NULL, NULL);
	case SERVE_NOT_YOURS:
		break;
	}
	return serve_http_refuse(connection, MHD_HTTP_FORBIDDEN, NULL, NULL);
}

static const char *serve_http_header(struct MHD_Connection *connection, const char *name)
{
	return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* libmicrohttpd calls this for the head of a request, then again after its body. */
static enum MHD_Result serve_http_handle(void *closure, struct MHD_Connection *connection,
					 const char *path, const char *method, const char *version,
					 const char *body, size_t *body_size, void **state)
{
	static char seen;
	const struct serve_request request = {
		.method = method,
		.path = path,
		.host = serve_http_header(connection, MHD_HTTP_HEADER_HOST),
		.origin = serve_http_header(connection, MHD_HTTP_HEADER_ORIGIN),
	};
	bool reads = !strcmp(method, MHD_HTTP_METHOD_GET) || !strcmp(method, MHD_HTTP_METHOD_HEAD);

	/* Who would write something is refused before he does. */
	if (!*state && reads) {
		*state = &seen;
		return MHD_YES;
	}
	if (*body_size) { /* a body that is not asked for is not kept */
		*body_size = 0;
		return MHD_YES;
	}
	return serve_http_answer(closure, connection, &request);
}

/* ---- connections ---------------------------------------------------------------------------- */

/* Of the others as many as leave room for one's own. libmicrohttpd calls serve_http_took() next, or
 * nothing. */
static enum MHD_Result may_come(void *closure, const struct sockaddr *peer, socklen_t size)
{
	struct http *http = closure;

	http->next_is_others = http->peers >= 0 &&
			       !peer_is_own(http->peers, (const void *)peer, (uint16_t)http->port);
	return http->next_is_others && http->others >= HTTP_OTHERS ? MHD_NO : MHD_YES;
}

static void serve_http_took(void *closure, struct MHD_Connection *connection, void **is_others,
			    enum MHD_ConnectionNotificationCode code)
{
	static char yes;
	struct http *http = closure;

	if (code == MHD_CONNECTION_NOTIFY_STARTED)
		*is_others = http->next_is_others ? &yes : NULL;
	if (*is_others)
		http->others += code == MHD_CONNECTION_NOTIFY_STARTED ? 1U : -1U;
}

/* ---- the daemon ----------------------------------------------------------------------------- */

static void make_next(struct http *http)
{
	for (size_t i = 0; i < HTTP_PAGES && !http->builder.busy; i++) {
		if (!http->kept[i].wanted)
			continue;
		/* If this fails the builder has ended, and its socket says so. */
		if (!builder_ask(&http->builder, http->kept[i].search))
			return;
		http->making = &http->kept[i];
	}
}

static void make_first(struct http *http)
{
	struct kept *first = place_of(http, "");

	first->used = http->asked;
	first->wanted = first->ahead = true;
	make_next(http);
}

int http_start(struct http *http)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_port = htons((uint16_t)http->options->listen),
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	const union MHD_DaemonInfo *info;

	http->peers = -1;
	http->daemon = MHD_start_daemon(
		MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, may_come, http, serve_http_handle,
		http, MHD_OPTION_NOTIFY_CONNECTION, serve_http_took, http, MHD_OPTION_SOCK_ADDR,
		(struct sockaddr *)&address, MHD_OPTION_CONNECTION_LIMIT,
		(unsigned int)HTTP_CONNECTIONS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, HTTP_MEMORY,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)HTTP_SECONDS, MHD_OPTION_END);
	info = http->daemon ? MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
	if (!info)
		return fail(EXIT_ERRORS, "cannot listen on 127.0.0.1, port %u",
			    http->options->listen);
	http->port = info->port;
	http->peers = peer_open(info->port);
	if (http->peers < 0)
		note("this kernel does not report whose connections are: other users of this host "
		     "can keep yours waiting");
	http->asked = milliseconds_now();
	make_first(http);
	return EXIT_OK;
}

void http_run(struct http *http)
{
	MHD_run(http->daemon);
	/* When a connection has gone below the bound, only the next turn listens again. */
	MHD_run(http->daemon);
	http->just_made = NULL;
	make_next(http);
}

int http_fd(const struct http *http)
{
	return MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

int http_timeout(const struct http *http)
{
	MHD_UNSIGNED_LONG_LONG timeout;

	if (MHD_get_timeout(http->daemon, &timeout) != MHD_YES)
		return -1;
	return timeout > INT_MAX ? INT_MAX : (int)timeout;
}

void http_stop(struct http *http)
{
	if (!http->daemon)
		return;
	serve_http_resume_all(http);
	MHD_stop_daemon(http->daemon);
	if (http->peers >= 0)
		close(http->peers);
	for (size_t i = 0; i < HTTP_PAGES; i++)
		if (http->kept[i].response)
			MHD_destroy_response(http->kept[i].response);
}
