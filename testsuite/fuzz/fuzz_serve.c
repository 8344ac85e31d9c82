/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests to `maui serve`, as anybody on the host can send them: four texts with a NUL after each. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "contribs/maui/page/page.h"
#include "contribs/maui/serve/serve_request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define TOKEN "0123456789abcdef0123456789abcdef"

static void check(bool holds)
{
	if (!holds)
		abort();
}

/* The next text, and what is behind it; NULL at the end. */
static const char *next(char **rest, const char *end)
{
	char *text = *rest;

	if (text >= end)
		return NULL;
	*rest = text + strlen(text) + 1;
	return text;
}

/* What is answered is one of a few paths, and asked of this host. */
static void check_answered(const struct serve_request *request, enum serve_verdict verdict)
{
	const char *path = request->path;

	check(!strncmp(path, "/" TOKEN, strlen("/" TOKEN)));
	check(request->host &&
	      (!strncasecmp(request->host, "localhost", 9) ||
	       !strncmp(request->host, "127.0.0.1", 9) || !strncmp(request->host, "[::1]", 5)));
	check(!request->origin ||
	      strlen(request->origin) == strlen("http://") + strlen(request->host));
	if (verdict != SERVE_PAGE && verdict != SERVE_FILE)
		return;
	check(!strcmp(request->method, "GET") || !strcmp(request->method, "HEAD"));
	check(!strcmp(path, "/" TOKEN "/") || !strcmp(path, "/" TOKEN "/page.css") ||
	      !strcmp(path, "/" TOKEN "/page.js"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct serve_request request;
	enum serve_verdict verdict;
	char *copy = malloc(size + 1), *rest = copy;
	const char *file = NULL;

	if (!copy)
		return 0;
	memcpy(copy, data, size);
	copy[size] = '\0';
	request.method = next(&rest, copy + size);
	request.path = next(&rest, copy + size);
	request.host = next(&rest, copy + size);
	request.origin = next(&rest, copy + size);
	if (request.path) {
		verdict = serve_judge(&request, TOKEN, &file);
		if (verdict != SERVE_NOT_YOURS)
			check_answered(&request, verdict);
		if (verdict == SERVE_FILE)
			check(page_file(file) != NULL);
	}
	free(copy);
	return 0;
}
