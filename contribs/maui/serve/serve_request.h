/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which requests are answered, from their lines alone: everybody on this host can send one. */
#ifndef MAUI_SERVE_REQUEST_H
#define MAUI_SERVE_REQUEST_H

#include <stdbool.h>

#define SERVE_TOKEN_BYTES 16
#define SERVE_TOKEN_SIZE  (2 * SERVE_TOKEN_BYTES + 1)
#define SERVE_SEARCH_SIZE 64 /* with its NUL */

/* As a browser sends them; NULL: the header is not there. */
struct serve_request {
	const char *method, *path, *host, *origin;
};

enum serve_verdict {
	SERVE_PAGE,
	SERVE_FILE,      /* one of page_files */
	SERVE_MOVED,     /* the address without its last slash */
	SERVE_NOT_YOURS, /* another token, or a page of somebody else's asks */
	SERVE_NO_METHOD, /* neither GET nor HEAD */
	SERVE_NOTHING    /* there is no such page */
};

/*
 * The token comes first: without it nothing is told, not even what there would be. Host must name
 * this machine's loopback, whatever the port, which `ssh -L` may have changed: a name that an
 * attacker's name server points here does not (DNS rebinding). SERVE_FILE: *ret_file is its name,
 * a part of the path.
 */
enum serve_verdict serve_judge(const struct serve_request *request, const char *token,
			       const char **ret_file);

#endif
