/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks in this order: the token (in constant time), the Host header, Origin,
 * the method, and the rest of the path.
 */
#include "contribs/maui/serve/serve_request.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "contribs/maui/page/page.h"

/* Whether text begins with the token; takes the same time wherever they differ. */
static bool has_token(const char *text, const char *token)
{
	const size_t size = SERVE_TOKEN_SIZE - 1;
	unsigned char differs = 0;

	if (strnlen(text, size) < size)
		return false;
	for (size_t i = 0; i < size; i++)
		differs |= (unsigned char)text[i] ^ (unsigned char)token[i];
	return !differs;
}

/* "", or ":" and a number. */
static bool is_port(const char *text)
{
	return !*text || (*text == ':' && text[1] && strlen(text) <= 6 &&
			  !text[1 + strspn(text + 1, "0123456789")]);
}

static bool is_loopback(const char *host)
{
	static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};

	for (size_t i = 0; host && i < sizeof(names) / sizeof(names[0]); i++) {
		size_t size = strlen(names[i]);

		if (!strncasecmp(host, names[i], size) && is_port(host + size))
			return true;
	}
	return false;
}

/* Only our own pages ask from a page. */
static bool is_same_origin(const struct serve_request *request)
{
	static const char scheme[] = "http://";

	return !request->origin ||
	       (!strncasecmp(request->origin, scheme, sizeof(scheme) - 1) &&
		!strcasecmp(request->origin + sizeof(scheme) - 1, request->host));
}

enum serve_verdict serve_judge(const struct serve_request *request, const char *token,
			       const char **ret_file)
{
	const char *rest;

	if (*request->path != '/' || !has_token(request->path + 1, token) ||
	    !is_loopback(request->host) || !is_same_origin(request))
		return SERVE_NOT_YOURS;
	rest = request->path + SERVE_TOKEN_SIZE;
	if (strcmp(request->method, "GET") != 0 && strcmp(request->method, "HEAD") != 0)
		return SERVE_NO_METHOD;
	if (!*rest)
		return SERVE_MOVED;
	if (*rest++ != '/')
		return SERVE_NOTHING;
	*ret_file = rest;
	if (!*rest)
		return SERVE_PAGE;
	return page_file(rest) ? SERVE_FILE : SERVE_NOTHING;
}
