/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process that makes pages, one at a time. Its facts are asked for again when they are as old as
 * --every says, and not before, however many pages are made of them.
 */
#ifndef MAUI_SERVE_BUILDER_H
#define MAUI_SERVE_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "contribs/maui/serve/serve.h"
#include "contribs/maui/serve/serve_request.h"

struct builder {
	pid_t pid;
	int fd;       /* readable: call builder_read() */
	bool busy;    /* it makes a page */
	char *answer; /* what has been read of it: the head, then the page */
	size_t size, room;
};

/* A page that is ready. */
struct built {
	char *html; /* malloc'ed, the caller's */
	size_t size;
	int64_t loaded; /* when its facts were asked for, in milliseconds of the monotonic clock */
};

/* Starts it. EXIT_OK, or says why not. Before any socket is open, which it would keep. */
int builder_start(const struct serve_options *options, struct builder *ret_builder);

/* Has a page made, with only these rows of its tables ("": all). Only if it is not busy. */
bool builder_ask(struct builder *builder, const char *search);

/* What there is to read, without waiting. 1: *ret_built; 0: not yet; -1: it has ended. */
int builder_read(struct builder *builder, struct built *ret_built);

void builder_end(struct builder *builder);

#endif
