/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * HTTP, by GNU libmicrohttpd without threads: its connections are bounded in number, size and time,
 * and wait while their page is made.
 */
#ifndef MAUI_SERVE_HTTP_H
#define MAUI_SERVE_HTTP_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

#include "contribs/maui/serve/serve_builder.h"

#define HTTP_CONNECTIONS 32
#define HTTP_OTHERS      8  /* connections that other users of this host may have of these */
#define HTTP_PAGES       8  /* of different searches, that are kept */
#define HTTP_AHEAD       60 /* seconds for which the first page, made before anybody asks, is good */

/* A page that is kept, until another one takes its place. */
struct kept {
	char search[SERVE_SEARCH_SIZE];
	struct MHD_Response *response; /* NULL: there is none yet */
	char tag[32];                  /* its ETag */
	int64_t loaded, used;          /* milliseconds of the monotonic clock */
	bool wanted;                   /* somebody waits for a newer one */
	bool ahead;                    /* the first page, until somebody gets it */
};

struct http {
	const struct serve_options *options;
	char token[SERVE_TOKEN_SIZE];
	struct builder builder;
	struct MHD_Daemon *daemon;
	unsigned int port;
	int peers;           /* of peer_open() */
	unsigned int others; /* connections of other users */
	bool next_is_others; /* the one that begins now */
	struct kept kept[HTTP_PAGES];
	struct kept *making;          /* that the builder is at; NULL: none */
	const struct kept *just_made; /* those who waited for it get it in this turn, however old */
	uint64_t made;                /* pages so far */
	struct MHD_Connection *waiting[HTTP_CONNECTIONS];
	size_t waiting_count;
	int64_t asked; /* when somebody with the token last asked, in milliseconds */
};

/* Listens. The builder has been started, the token is there. EXIT_OK, or says why not. */
int http_start(struct http *http);

/* A page is ready: those who wait for it get it. */
void http_built(struct http *http, struct built *built);

/* After each event: answers, and gives the builder its next page. */
void http_run(struct http *http);

/* What poll() looks at, and for how long, in milliseconds; -1: for ever. */
int http_fd(const struct http *http);
int http_timeout(const struct http *http);

void http_stop(struct http *http);

#endif
